import { describe, expect, test } from 'vitest';
import type { CpeApi, CpeOperation } from '../../actors/sunway/cpe-api.ts';
import { barrierGroups } from '../../actors/sunway/groups.ts';
import type { CpeProgram } from '../../actors/sunway/program.ts';
import { groupMembers } from '../../actors/sunway/sync/group.ts';
import { RandomChoices } from '../../kernel/choices.ts';
import { onArray, trial } from './trial.ts';

/** The barrier of a group, once and again. */
const calls = Object.fromEntries(
  barrierGroups.map((group) => [group, (c: CpeApi): CpeOperation => c[`ssync_${group}`]()]),
) as Readonly<Record<(typeof barrierGroups)[number], (c: CpeApi) => CpeOperation>>;

/** Every CPE arrives at a time of its own, twice, and says when it arrived and when it went on. */
const twice = (barrier: (c: CpeApi) => CpeOperation, takesPart: (tid: number) => boolean): CpeProgram =>
  function* (c, out) {
    const times = c.ldmStatic('times', 32, 8);
    if (!takesPart(c.tid)) return;
    for (const round of [0, 1]) {
      yield c.compute(1 + ((c.tid * 37 + round * 101) % 64) * 5);
      const arrived = yield* c.stime_cycle();
      yield barrier(c);
      const left = yield* c.stime_cycle();
      yield c.stBlock(times + 16 * round, Float64Array.of(arrived, left));
    }
    yield c.dma_put(out + 32 * c.tid, times, 32);
  };

const half = (group: string) => (tid: number) =>
  group === 'col_left' ? tid % 8 < 4 : group === 'col_right' ? tid % 8 > 3 : true;

describe.each(barrierGroups)('ssync_%s', (group) => {
  test.each([
    ['in the default order', {}, {}],
    ['under a schedule that delays and reorders', { fuzz: { maxJitter: 20, reorder: true } }, { seed: 3 }],
  ])('holds every member until the last has arrived, %s', (_how, config, { seed }: { seed?: number }) => {
    const takesPart = half(group);
    const options = seed === undefined ? {} : { choices: new RandomChoices(seed) };
    const { run, told } = trial(onArray(twice(calls[group], takesPart), 4), config, options);
    const times = Array.from({ length: 64 }, (_, tid) => String(told[`${tid}`]).split(' ').map(Number));

    expect(run.outcome.verdict).toBe('ok');
    for (let tid = 0; tid < 64; tid++) {
      if (!takesPart(tid)) continue;
      const members = groupMembers(group, tid);
      const [, firstLeft, , secondLeft] = times[tid]!;
      expect(firstLeft).toBeGreaterThan(Math.max(...members.map((one) => times[one]![0]!)));
      expect(secondLeft).toBeGreaterThan(Math.max(...members.map((one) => times[one]![2]!)));
      // Nobody is in the second round while somebody has not left the first.
      expect(secondLeft).toBeGreaterThan(Math.max(...members.map((one) => times[one]![1]!)));
    }
  });
});

test('a barrier of the array takes 52 cycles from the last arrival', () => {
  const late: CpeProgram = function* (c, out) {
    const spent = c.ldmStatic('spent', 8, 8);
    if (c.tid === 27) yield c.compute(1000);
    const arrived = yield* c.stime_cycle();
    yield c.ssync_array();
    const left = yield* c.stime_cycle();
    yield c.st(spent, 'f64', left - arrived);
    yield c.dma_put(out + 8 * c.tid, spent, 8);
  };

  // A look at the clock takes a cycle as well.
  expect(Number(trial(onArray(late)).told['27'])).toBe(52 + 1);
});

test('a barrier of which a member never comes is a deadlock', () => {
  const absent: CpeProgram = function* (c) {
    if (c.tid !== 9) yield c.ssync_1spc();
  };
  const { deadlock, verdict } = trial(onArray(absent)).run.outcome;

  expect(verdict).toBe('deadlock');
  expect(deadlock?.waiting.map(({ actor }) => actor)).toEqual(
    expect.arrayContaining(['Cg[0].Cpe[0]', 'Cg[0].Cpe[1]', 'Cg[0].Mpe']),
  );
});

test('CPEs of a row that name different masks are reported with both', () => {
  const masks: CpeProgram = function* (c) {
    if (c.tid < 4) yield c.synr(c.tid < 2 ? 0x0f : 0xff);
  };
  const { violations } = trial(onArray(masks)).run.outcome;

  expect(violations.map(({ why }) => why)[0]).toMatch(/MaskMismatch: .*0x0F.*0xFF/);
});
