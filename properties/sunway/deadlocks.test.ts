import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { RandomChoices } from '../../kernel/choices.ts';
import type { Machine } from '../../machines/machine.ts';
import { type SunwayResult, sunwayMachine } from '../../machines/sunway.ts';
import { loadScenario } from '../../scenarios/load.ts';
import { type SimulateOptions, simulate } from '../../scenarios/simulate.ts';

const machine = sunwayMachine as unknown as Machine;
const folder = new URL('../../scenarios/sunway/deadlocks/', import.meta.url);

/** The root causes of each scenario: nothing else may be named as one (specification 7.4). */
const causes: Readonly<Record<string, readonly RegExp[]>> = {
  'absent-at-barrier': [/^CPE 5 has finished .* never comes to row 0 with mask 0xff/],
  'silent-reply': [
    /^CPE 3 waits for its reply word of deadlocks\.ts:18 at 0x1000 to reach 1 \(it is 0\).*no transfer can ever/,
  ],
  'counted-too-high': [
    /^CPE 3 waits for its reply word of deadlocks\.ts:25 at 0x1000 to reach 2 \(it is 1\).*no transfer can ever/,
  ],
  'locked-twice': [/^self: CPE 9 waits for the lock 8spe:1/],
  'lock-circle': [/^CPE 0 waits for the lock array:0 of CPE 1; CPE 1 waits for the lock 8spe:0 of CPE 0/],
  'lock-kept': [/^CPE 2 has finished .* never gave back the lock array:0/],
  'different-masks': [/^CPE 0 waits at row 0 with mask 0xf, CPE 1 at row 0 with mask 0xff/],
  'different-partners': [/^CPE 4 waits at the pair 4 5, CPE 5 at the pair 5 6/],
  'collective-left-out': [/^CPE 17, 40 have finished and never come to rma_bcast_coll/],
  'crossed-messages': [
    /^CPE 0-1 each wait for their reply word of deadlocks\.ts:79 at 0x1000 to reach 1 \(it is 0\), but none/,
  ],
  'host-alone': [/^CPE 0 has finished .* the meeting of the host with its array/],
  'partner-without-thread': [/^CPE 9 runs no thread and never comes to the pair 8 9/],
};

/** What the report of a run names as root causes. */
async function rootCauses(name: string, options: SimulateOptions = {}): Promise<readonly string[]> {
  const { scenario } = await loadScenario(new URL(`${name}.yaml`, folder).pathname, [machine]);
  const { outcome, result } = simulate(scenario, machine, { ...options, checkpoints: 0 });
  expect(outcome.verdict).toBe('deadlock');
  const { deadlock } = result as SunwayResult;
  const first = deadlock.findIndex((line) => line.startsWith('root cause')) + 1;
  return deadlock.slice(first, deadlock.indexOf('blocked:')).map((line) => line.trim());
}

/** The whole report, as a run tells it. */
async function report(name: string): Promise<readonly string[]> {
  const { scenario } = await loadScenario(new URL(`${name}.yaml`, folder).pathname, [machine]);
  return (simulate(scenario, machine, { checkpoints: 0 }).result as SunwayResult).deadlock;
}

test('CPEs that wait alike share a line, with the place of their call', async () => {
  expect(await report('absent-at-barrier')).toEqual([
    'deadlock in cycle 9029: 64 cores wait',
    'root cause:',
    '  CPE 5 has finished (in cycle 9005) and never comes to row 0 with mask 0xff, where CPE 0 is in ssync_array',
    'blocked:',
    '  CPE 0-4, 6-7 in ssync_array (deadlocks.ts:13), since cycle 9002: at row 0 with mask 0xff, where CPE 5 has not come',
    '  CPE 8-63 in ssync_array (deadlocks.ts:13), since cycle 9028: at columns 0-7 with mask 0xff, where CPE 0-7 have not come',
    '  MPE in athread_join (deadlocks.ts:8), since cycle 4: for its threads to end',
  ]);
});

describe('the report of a deadlock names the culprits and nobody else', () => {
  test('for every scenario there is an expectation', () => {
    const names = readdirSync(folder).map((file) => file.replace('.yaml', ''));

    expect(names.sort()).toEqual(Object.keys(causes).sort());
  });

  test.each(Object.keys(causes))('%s', async (name) => {
    for (const options of [{}, { choices: new RandomChoices(3) }]) {
      const found = await rootCauses(name, options);

      expect(found).toHaveLength(causes[name]!.length);
      for (const cause of causes[name]!) expect(found).toContainEqual(expect.stringMatching(cause));
    }
  });
});
