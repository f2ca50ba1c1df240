import { parentPort, workerData } from 'node:worker_threads';
import { rowsOf, runBatch } from '../../../scenarios/tca/conformance/suite.ts';
import type { Answer, Asked } from './crew.ts';
import { type PlainOrder, suiteOrder } from './order.ts';

/* The other end of a crew's thread: runs the batches it is asked for, in the order in which it is asked. */

const port = parentPort;
if (!port) throw new Error('found no parent, expected to run in a worker thread');
const order = await suiteOrder(workerData as PlainOrder);
const rows = rowsOf(order);
port.on('message', ({ row, first, count }: Asked) => {
  let answer: Answer;
  try {
    answer = { tally: runBatch(order, { row: rows[row]!, first, count }) };
  } catch (error) {
    answer = { error };
  }
  port.postMessage(answer);
});
