import { parentPort, workerData } from 'node:worker_threads';
import type { Answer, Asked } from './crew.ts';
import { type CampaignOrder, openCampaign } from './order.ts';
import { timedBatch } from './timed-batch.ts';

/* The other end of a crew's thread: carries out the batches it is asked for, in the order in which it is asked. */

const port = parentPort;
if (!port) throw new Error('found no parent, expected to run in a worker thread');
const campaign = await openCampaign(workerData as CampaignOrder);
port.on('message', ({ first, count, stopAtFailure }: Asked) => {
  let answer: Answer;
  try {
    answer = { done: timedBatch(campaign, first, count, stopAtFailure) };
  } catch (error) {
    answer = { error };
  }
  port.postMessage(answer);
});
