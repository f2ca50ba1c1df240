import { readFileSync } from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import { GrapeLibrary } from '../../machines/grape/library.ts';
import { machines } from '../../manifests/machines.ts';
import { givenOf } from '../../scenarios/given.ts';
import { parseScenario } from '../../scenarios/load.ts';
import { faultFault } from './libraries-answer-alike.ts';
import { trial } from './trial.ts';
import { type GrapeGiven, workloads } from './workloads.ts';

afterEach(() => vi.restoreAllMocks());

/** What is wrong with a sound run whose library does something else. */
const told = () => trial(workloads.kernel({ nBB: 2 })).run.outcome.violations.map(({ why }) => why);

test('a library that makes the calls of a scenario comes to the same', () => {
  const calls = vi.spyOn(GrapeLibrary.prototype, 'call');

  expect(told()).toEqual([]);
  expect(calls.mock.calls.length).toBeGreaterThan(3);
});

test('a scheduled program, whose text numbers its constants anew, is sound', async () => {
  const file = 'scenarios/grape/power.yaml';
  const { scenario, machine } = await parseScenario(readFileSync(file, 'utf8'), file, machines);
  const { run } = trial({ ...givenOf(scenario, false), name: machine.name } as GrapeGiven);

  expect(run.outcome.violations).toEqual([]);
});

test('a library that leaves a call out, or forgets one, is told', () => {
  const call = GrapeLibrary.prototype.call;
  vi.spyOn(GrapeLibrary.prototype, 'call').mockImplementation(function (this: GrapeLibrary, one) {
    return one.call === 'getResult' ? { code: 0 } : call.call(this, one);
  });

  expect(told()).toEqual([expect.stringMatching(/^the library: codes/)]);
});

test('runs that break a rule of ports or memories end with their codes', () => {
  for (let number = 0; number < 16; number++) expect(faultFault(number)).toBeUndefined();
});

test('a run that breaks a rule and is said to be done is told', () => {
  vi.spyOn(GrapeLibrary.prototype, 'type2Run').mockReturnValue(0);

  expect(faultFault(0)).toMatch(/ends with 0, "undefined", not with -4, "X_EM_RANGE/);
});
