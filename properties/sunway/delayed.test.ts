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

const blockBytes = 4096;

/** CPEs work on blocks of their own, one after the other; the four of the last cluster may pause once, behind their first get. */
const onBlocks = (cpes: number, pause = 0): MpeProgram =>
  function* (h) {
    const rounds = 4;
    yield h.init();
    const memory = h.memAlloc(cpes * rounds * blockBytes, 128);
    yield h.athread_spawn(function* (c) {
      const own = c.ldmStatic('own', blockBytes, 64);
      for (let round = 0; round < rounds; round++) {
        const at = memory + (c.tid * rounds + round) * blockBytes;
        yield c.dma_get(own, at, blockBytes);
        if (round === 0 && pause > 0 && c.tid >= cpes - 4) yield c.compute(pause);
        yield c.compute(12_288);
        yield c.dma_put(at, own, blockBytes);
      }
    }, memory);
    yield h.athread_join();
  };

/** How much longer a run is when the CPEs of the last cluster pause, and when the first answer of the memory to their engine is late by as much. */
function longerBy(cpes: number): { readonly paused: number; readonly late: number } {
  const endOf = (program: MpeProgram, faults: readonly InjectedFault[] = []): number =>
    trial(program, { cpesPerCg: cpes }, { faults }).run.outcome.ticks;
  const to = `Cg[0].Tbox[${Math.ceil(cpes / 4) - 1}]`;
  const sound = endOf(onBlocks(cpes));
  return {
    paused: endOf(onBlocks(cpes, late)) - sound,
    late:
      endOf(onBlocks(cpes), [
        { kind: 'delay', type: 'memory.response', to, ticks: late, probability: 1, budget: 1 },
      ]) - sound,
  };
}

test('where one cluster has the controller for itself, a late memory.response makes the run longer, as a pause does', () => {
  const { paused, late: longer } = longerBy(4);

  expect(paused).toBe(late);
  // The engine would have waited with the bytes itself.
  expect(longer).toBeGreaterThan(late / 2);
  expect(longer).toBeLessThanOrEqual(late);
});

// All 64 CPEs get, compute and put in step: the controller has nothing to do while they compute. Some that are behind the others use that time, and fewer puts at once cost
// each of them less (specification 9.1, `mc.putCrowd`). It is the schedule that is better, not a clock that is behind: nothing is late in the run with the pause.
test('where 64 CPEs are in step, a late memory.response of some makes the run shorter, as a pause of these does', () => {
  const { paused, late: longer } = longerBy(64);

  expect(paused).toBeLessThan(0);
  expect(longer).toBeLessThan(0);
  expect(Math.abs(longer - paused)).toBeLessThan(0.05 * late);
});
