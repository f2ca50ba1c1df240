import { expect, test, vi } from 'vitest';
import { memoryBase } from '../../actors/sunway/address/space.ts';
import { returnCode } from '../../actors/sunway/return-code.ts';
import { sunwayMachine } from '../../machines/sunway.ts';
import { Campaign } from '../explore/campaign.ts';
import { GeneratedSubject } from '../explore/subject.ts';
import { sunwayMachineProperties } from './machine-properties.ts';
import { sunwayScenariosOf } from './scenarios.ts';
import { onArray, trial } from './trial.ts';

const lock = vi.hoisted(() => ({ isBroken: false, isHeld: false }));

vi.mock(import('../../actors/sunway/crts/locks.ts'), async (original) => {
  const locks = await original();
  return {
    ...locks,
    *takeUserLock(address: number) {
      if (lock.isHeld) yield { op: 'refuse', code: returnCode.E_STATE };
      if (!lock.isBroken) return yield* locks.takeUserLock(address);
      // Whatever it finds there, it takes the lock for its own.
      yield { op: 'add', address, value: 1 };
      return 0;
    },
  };
});

const campaign = new Campaign(
  new GeneratedSubject({
    machine: sunwayMachine,
    properties: sunwayMachineProperties,
    arbitrary: sunwayScenariosOf('userLocks'),
    seed: 5,
  }),
  { seed: 5, strategies: ['random', 'delay'], coverage: false },
);

/** What the run of a generated scenario with locks on words of memory violates. */
const violated = (number: number): readonly string[] =>
  campaign.attempt(number).outcome.violations.map(({ property }) => property);

test('a lock on a word of memory that lets everybody in is found by generated scenarios, a sound one is not', () => {
  lock.isBroken = false;
  for (let number = 0; number < 6; number++) expect(violated(number)).toEqual([]);
  lock.isBroken = true;
  const isFound = (number: number) => violated(number).includes('accesses to the same bytes are ordered');
  expect(Array.from({ length: 30 }, (_, number) => number).some(isFound)).toBe(true);
});

test('a lock that is not free after all tries is refused with their number', () => {
  lock.isHeld = true;
  const { run } = trial(
    onArray(function* (c) {
      yield c.user_lock(memoryBase);
    }),
    { cpesPerCg: 1 },
  );
  expect(run.outcome.failure?.message).toMatch(/in cycle \d+: the lock was not free in 100000 tries/);
});
