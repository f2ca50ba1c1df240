import { parentPort } from 'node:worker_threads';
import { KernelError } from '../../kernel/errors.ts';
import { SpecificationError } from '../../properties/refinement/specification.ts';
import { orderOfThread } from '../threads/thread.ts';
import { openPartition } from './order.ts';
import type { Asked, Told, WorkerOrder } from './worker-pool.ts';

/* The other end of a worker pool's thread: has one partition of an exploration, and does with it what it is asked. */

const port = parentPort;
if (!port) throw new Error('found no parent, expected to run in a worker thread');
const { order, index, count, journal, stop } = orderOfThread<WorkerOrder>();
const stopped = new Int32Array(stop);
const tell = (told: Told, given: readonly ArrayBuffer[] = []) => port.postMessage(told, given);

/** Deliveries between two looks at what others sent. */
const sliceDeliveries = 20_000;

const partition = await openPartition(order, {
  index,
  count,
  journal,
  pass: (to, records) => tell({ kind: 'pass', to, records }, [records.buffer]),
});

/** Tells what went wrong: an error loses its class on the way. */
const tellError = (error: unknown) =>
  tell({
    kind: 'error',
    error,
    explorable: !(error instanceof KernelError || error instanceof SpecificationError),
  });

async function goOn(): Promise<void> {
  while (Atomics.load(stopped, 0) === 0 && partition.go(sliceDeliveries)) {
    tell({ kind: 'figures', figures: partition.figures });
    await new Promise((resolve) => setImmediate(resolve));
  }
  tell({ kind: 'done' });
}

async function answer(asked: Asked): Promise<void> {
  switch (asked.kind) {
    case 'goOn':
      if (asked.keys) partition.beginLevel(asked.keys);
      return goOn();
    case 'receive':
      partition.receive(asked.records);
      return;
    case 'endLevel':
      tell({ kind: 'levelEnd', levelEnd: partition.endLevel(), figures: partition.figures });
      return;
    case 'stateOf':
      tell({ kind: 'state', state: partition.stateOf(asked.level, asked.rank) });
      return;
    case 'show':
      tell({ kind: 'shown', shown: partition.show(asked.start, asked.chain, asked.spotted) });
      return;
    case 'verifySymmetry':
      partition.verifySymmetry();
      tell({ kind: 'symmetryVerified' });
      return;
    case 'countExchanged':
      tell({ kind: 'exchanged', exchanged: partition.exchanged });
      return;
    default:
      asked satisfies never;
  }
}

port.on('message', (asked: Asked) => {
  answer(asked).catch(tellError);
});
tell({ kind: 'begun' });
