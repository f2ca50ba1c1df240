import { parentPort, workerData } from 'node:worker_threads';
import { type RaceBatch, type RaceOrder, runRaceBatch } from '../../../properties/sunway/race-campaign.ts';
import type { Answer } from './crew.ts';

/* The other end of a crew's thread: runs the batches it is asked for, in the order in which it is asked. */

const port = parentPort;
if (!port) throw new Error('found no parent, expected to run in a worker thread');
const order = workerData as RaceOrder;
port.on('message', (batch: RaceBatch) => {
  let answer: Answer;
  try {
    answer = { row: runRaceBatch(order, batch) };
  } catch (error) {
    answer = { error };
  }
  port.postMessage(answer);
});
