import { expect, test } from 'vitest';
import type { MpeProgram } from '../../actors/sunway/program.ts';
import type { InjectedFault } from '../../kernel/faults.ts';
import { trial } from './trial.ts';

/* There is one clock: a message that comes late makes everything behind it late. */

const late = 5000;

/** One CPE gets 64 bytes and waits for them: its host waits for it, and nobody does anything else. */
const oneGet: MpeProgram = function* (h) {
  yield h.init();
  const memory = h.memAlloc(64, 128);
  yield h.athread_spawn(function* (c) {
    yield c.dma_get(c.ldmStatic('own', 64, 64), memory, 64);
  }, memory);
  yield h.athread_join();
};

/** When the first message of a type has come, and when the run ended. */
function timesOf(type: string, faults: readonly InjectedFault[] = []) {
  let came = -1;
  const { run } = trial(oneGet, { cpesPerCg: 1 }, { faults }, ({ messages$ }) =>
    messages$.subscribe(({ message: { due, event } }) => {
      if (event.type === type && came < 0) came = due;
    }),
  );
  return { came, end: run.outcome.ticks, verdict: run.outcome.verdict };
}

test.each(['descriptor.issue', 'reply.increment', 'reply.event', 'thread.start', 'thread.done'])(
  'a %s that is delayed makes the run longer by what it is delayed',
  (type) => {
    const sound = timesOf(type);
    const delayed = timesOf(type, [{ kind: 'delay', type, ticks: late, probability: 1, budget: 1 }]);

    expect(delayed).toEqual({ came: sound.came + late, end: sound.end + late, verdict: 'ok' });
  },
);

test('a memory.response that is delayed makes the run longer by that, less what its engine would have waited with the bytes', () => {
  const type = 'memory.response';
  const sound = timesOf(type);
  const waited = timesOf('ldm.write').came - sound.came;
  const delayed = timesOf(type, [{ kind: 'delay', type, ticks: late, probability: 1, budget: 1 }]);

  expect(delayed).toEqual({ came: sound.came + late, end: sound.end + late - waited, verdict: 'ok' });
});
