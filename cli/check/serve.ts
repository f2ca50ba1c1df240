import { parentPort } from 'node:worker_threads';
import { KernelError } from '../../kernel/errors.ts';
import { ClockNeeded } from '../../kernel/explore/effect-recorder.ts';
import { type SharedSearch, stopAll } from '../../kernel/explore/shared-search.ts';
import { SpecificationError } from '../../properties/refinement/specification.ts';
import { orderOfThread } from '../threads/thread.ts';
import { Barrier, barrierWords } from './barrier.ts';
import { MemoryLimit, usualMemory } from './memory-limit.ts';
import { openSearch } from './order.ts';
import { PooledMemory } from './pooled-memory.ts';
import { type Asked, figureWords, type Told, type WorkerOrder } from './worker-pool.ts';

/* The other end of a worker pool's thread: goes through its part of an exploration, and tells what it came to. */

const port = parentPort;
if (!port) throw new Error('found no parent, expected to run in a worker thread');
const { order, index, count, journal, control, meeting, made, progress, memoryPort } =
  orderOfThread<WorkerOrder>();
const barrier = new Barrier(new Int32Array(meeting, 0, barrierWords), count);
const figures = new Float64Array(progress);
const tell = (told: Told) => port.postMessage(told);

/** Deliveries between two reports of how far it has come. */
const sliceDeliveries = 20_000;

/** Tells what went wrong: an error loses its class on the way. */
const tellError = (error: unknown) =>
  tell({
    kind: 'error',
    error,
    readsTime: error instanceof ClockNeeded ? error.place : undefined,
    explorable: !(error instanceof KernelError || error instanceof SpecificationError),
  });

/** Goes through all levels with the others. */
function explore(search: SharedSearch): void {
  const began = performance.now();
  const memory = order.memory ?? usualMemory();
  const limit = new MemoryLimit(Math.max(memory, usualMemory()));
  barrier.meet();
  search.takeUp();
  for (;;) {
    while (search.go(sliceDeliveries)) {
      showProgress(search);
      const reached = bytesOfAll() > memory ? 'memory' : limit.reached;
      if (reached) stopAll(control, reached);
    }
    showProgress(search);
    barrier.meet();
    search.count();
    barrier.meet(() => search.arrange());
    search.place();
    if (search.isOver) break;
    barrier.meet(() => search.advance());
    search.beginLevel();
  }
  barrier.meet();
  tell({
    kind: 'end',
    end: search.end,
    seconds: (performance.now() - began) / 1000,
    waited: barrier.waited / 1000,
  });
}

function showProgress(search: SharedSearch): void {
  const { states, transitions, bytes } = search.progress;
  figures.set([states, transitions, bytes], figureWords * index);
}

/** Bytes that the states of all threads take, as far as these have told. */
function bytesOfAll(): number {
  let sum = 0;
  for (let at = 2; at < figures.length; at += figureWords) sum += figures[at]!;
  return sum;
}

function answer(search: SharedSearch, asked: Asked): void {
  switch (asked.kind) {
    case 'explore':
      explore(search);
      return;
    case 'show':
      tell({ kind: 'shown', shown: search.show(asked.found) });
      return;
    case 'verifySymmetry':
      search.verifySymmetry();
      tell({ kind: 'symmetryVerified' });
      return;
    case 'countExchanged':
      tell({ kind: 'exchanged', exchanged: search.exchanged });
      return;
    default:
      asked satisfies never;
  }
}

try {
  const memory = new PooledMemory(memoryPort, new Int32Array(made), index);
  const search = await openSearch(order, { index, count, memory, control, journal });
  port.on('message', (asked: Asked) => {
    try {
      answer(search, asked);
    } catch (error) {
      tellError(error);
    }
  });
  tell({ kind: 'begun' });
} catch (error) {
  tellError(error);
}
