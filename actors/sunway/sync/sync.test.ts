import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arrayCpes, columnOf, rowOf } from '../array/identity.ts';
import { type BarrierFacts, barrierSteps, membersOfPrimitive, type SyncPrimitive } from './barrier-steps.ts';
import { type CpeGroup, groupMembers } from './group.ts';
import { type LockGroup, lockKey } from './lock-key.ts';

const everyTid = Array.from({ length: arrayCpes }, (_, tid) => tid);
const groups: readonly CpeGroup[] = [
  '2spe',
  '1spc',
  '8spe',
  'row',
  'col',
  'col_left',
  'col_right',
  '2spc',
  '16spe',
  '4spc',
  '32spe',
  '8spc',
  'array',
];
const everybody: BarrierFacts = { available: () => true, columnHalves: 'manual' };
const spell = (steps: readonly SyncPrimitive[]) =>
  steps.map((step) => (step.kind === 'synp' ? `synp ${step.tid}` : `${step.kind} ${step.mask.toString(16)}`));

/** Runs the barriers of all CPEs that arrive in an order, and tells who has left after each arrival. */
function leavers(
  arrivals: readonly number[],
  stepsOf: (tid: number) => readonly SyncPrimitive[],
  available: (tid: number) => boolean,
): number[][] {
  const position = new Map<number, number>();
  const waitingIn = new Map<string, Set<number>>();
  const gone: number[] = [];
  const enter = (tid: number) => {
    const step = stepsOf(tid)[position.get(tid)!];
    if (step === undefined) {
      gone.push(tid);
      return;
    }
    const members = membersOfPrimitive(step, tid).filter(available);
    const key = `${step.kind} ${members.join(' ')}`;
    const waiting = waitingIn.get(key) ?? new Set();
    waitingIn.set(key, waiting.add(tid));
    if (waiting.size < members.length) return;
    waitingIn.delete(key);
    for (const one of members) {
      position.set(one, position.get(one)! + 1);
      enter(one);
    }
  };
  return arrivals.map((tid) => {
    position.set(tid, 0);
    enter(tid);
    return [...gone];
  });
}

describe('the groups of barriers and locks', () => {
  test('are the sets of the manual', () => {
    expect(groupMembers('2spe', 17)).toEqual([16, 17]);
    expect(groupMembers('1spc', 11)).toEqual([2, 3, 10, 11]);
    expect(groupMembers('row', 11)).toEqual([8, 9, 10, 11, 12, 13, 14, 15]);
    expect(groupMembers('col', 63)).toEqual([7, 15, 23, 31, 39, 47, 55, 63]);
    expect(groupMembers('2spc', 9)).toEqual([0, 1, 2, 3, 8, 9, 10, 11]);
    expect(groupMembers('4spc', 20)).toEqual(everyTid.slice(16, 32));
    expect(groupMembers('8spc', 40)).toEqual(everyTid.slice(32));
    expect(groupMembers('array', 5)).toEqual(everyTid);
  });
});

describe('the steps of a barrier', () => {
  test('are the expansions of the table', () => {
    const at = (group: CpeGroup, tid: number) => spell(barrierSteps(group, tid, everybody).steps);

    expect(at('2spe', 16)).toEqual(['synp 17']);
    expect(at('1spc', 11)).toEqual(['synp 10', 'synp 3']);
    expect(at('8spe', 5)).toEqual(['synr ff']);
    expect(at('row', 5)).toEqual(['synr ff']);
    expect(at('col', 5)).toEqual(['sync ff']);
    expect(at('col_left', 3)).toEqual(['sync ff']);
    expect(at('col_right', 4)).toEqual(['sync ff']);
    expect(at('2spc', 3)).toEqual(['synr f', 'synp 11']);
    expect(at('2spc', 12)).toEqual(['synr f0', 'synp 4']);
    expect(at('16spe', 8)).toEqual(['synr ff', 'synp 0']);
    expect(at('4spc', 8)).toEqual(['synr ff', 'synp 0']);
    expect(at('32spe', 31)).toEqual(['sync f', 'synr ff']);
    expect(at('8spc', 32)).toEqual(['sync f0', 'synr ff']);
    expect(at('array', 0)).toEqual(['synr ff', 'sync ff']);
  });

  test('are refused to CPEs outside the half that the manual names, or the header', () => {
    const header: BarrierFacts = { ...everybody, columnHalves: 'header' };

    expect(barrierSteps('col_left', 5, everybody)).toEqual({ code: 4, steps: [] });
    expect(barrierSteps('col_right', 3, everybody)).toEqual({ code: 4, steps: [] });
    expect(spell(barrierSteps('col_left', 5, header).steps)).toEqual(['sync f']);
    expect(barrierSteps('col_left', 37, header)).toEqual({ code: 16, steps: [] });
    expect(spell(barrierSteps('col_right', 37, header).steps)).toEqual(['sync f0']);
  });

  test('let nobody go before all members have come, and everybody then, in any order of arrival', () => {
    for (const group of groups)
      fc.assert(
        fc.property(fc.shuffledSubarray([...everyTid], { minLength: 64, maxLength: 64 }), (order) => {
          const first = order.find((tid) => barrierSteps(group, tid, everybody).code === 0)!;
          const members = groupMembers(group, first);
          const arrivals = order.filter((tid) => members.includes(tid));

          const left = leavers(
            arrivals,
            (tid) => barrierSteps(group, tid, everybody).steps,
            () => true,
          );

          expect(left.slice(0, -1).every((gone) => gone.length === 0)).toBe(true);
          expect(left.at(-1)!.toSorted((a, b) => a - b)).toEqual(members);
        }),
        { numRuns: 8 },
      );
  });

  test('bring together whoever is available, with any CPEs offline', () => {
    const offline = fc.oneof(
      fc.integer({ min: 1, max: 64 }).map((count) => new Set(everyTid.slice(count))),
      fc.uniqueArray(fc.nat(63), { maxLength: 62 }).map((tids) => new Set(tids)),
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...groups),
        offline,
        fc.nat(63),
        fc.infiniteStream(fc.nat(1000)),
        (group, out, tid, keys) => {
          const facts: BarrierFacts = { available: (one) => !out.has(one), columnHalves: 'manual' };
          fc.pre(facts.available(tid) && barrierSteps(group, tid, facts).code === 0);
          const members = groupMembers(group, tid).filter(facts.available);
          const drawn = new Map(members.map((one) => [one, keys.next().value as number]));
          const arrivals = members.toSorted((a, b) => drawn.get(a)! - drawn.get(b)!);

          const steps = new Map(members.map((one) => [one, barrierSteps(group, one, facts).steps]));
          const left = leavers(arrivals, (one) => steps.get(one)!, facts.available);

          expect(left.slice(0, -1).every((gone) => gone.length === 0)).toBe(true);
          expect(left.at(-1)!.toSorted((a, b) => a - b)).toEqual(members);
        },
      ),
      { numRuns: 100 },
    );
  });

  test('stay those of the table where the two steps reach all that are available', () => {
    const facts: BarrierFacts = { available: (tid) => tid < 32, columnHalves: 'manual' };

    expect(spell(barrierSteps('array', 0, facts).steps)).toEqual(['synr ff', 'sync ff']);
    expect(spell(barrierSteps('array', 0, { ...facts, available: (tid) => tid < 60 }).steps)).toEqual([
      'synr ff',
      'sync ff',
      'synr ff',
    ]);
  });
});

describe('the name of a lock', () => {
  const locks: readonly LockGroup[] = [
    '2spe',
    '1spc',
    '8spe',
    'col',
    '2spc',
    '16spe',
    '32spe',
    'array',
    'node',
  ];

  test('is one for all members of its group and another for everybody else', () => {
    for (const group of locks)
      for (const tid of everyTid) {
        const same = everyTid.filter((one) => lockKey(group, one) === lockKey(group, tid));

        expect(same).toEqual(group === 'node' ? everyTid : groupMembers(group, tid));
      }
  });

  test('is the same under both names of a lock, and differs between kinds', () => {
    expect(lockKey('row', 20)).toBe(lockKey('8spe', 20));
    expect(lockKey('4spc', 20)).toBe(lockKey('16spe', 20));
    expect(lockKey('8spc', 20)).toBe(lockKey('32spe', 20));
    expect(new Set(locks.map((group) => lockKey(group, 0))).size).toBe(locks.length);
  });

  test('makes the groups of the cluster order and of the hardware order the same sets', () => {
    for (const tid of everyTid) {
      expect(groupMembers('1spc', tid)).toEqual(
        [...new Set([tid, tid ^ 1, tid ^ 8, tid ^ 9])].sort((a, b) => a - b),
      );
      expect(groupMembers('2spc', tid).every((one) => rowOf(one) >> 1 === rowOf(tid) >> 1)).toBe(true);
      expect(groupMembers('2spc', tid).every((one) => columnOf(one) >> 2 === columnOf(tid) >> 2)).toBe(true);
    }
  });
});
