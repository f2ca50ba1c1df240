import { expect, test } from 'vitest';
import type { Machine } from '../../machines/machine.ts';
import { type SunwayResult, sunwayMachine } from '../../machines/sunway.ts';
import { loadScenario } from '../../scenarios/load.ts';
import { simulate } from '../../scenarios/simulate.ts';

const machine = sunwayMachine as unknown as Machine;
const folder = new URL('../../scenarios/sunway/', import.meta.url);

async function resultOf(name: string): Promise<SunwayResult> {
  const { scenario } = await loadScenario(new URL(`${name}.yaml`, folder).pathname, [machine]);
  return simulate(scenario, machine, { checkpoints: 0 }).result as SunwayResult;
}

test('transfers behind the computation end sooner than blocking ones, and move the same bytes', async () => {
  const [overlapped, blocking] = [await resultOf('axpy'), await resultOf('axpy-blocking')];
  // The overlapped program also puts its totals of reply words, 8 bytes a CPE.
  const totalsBytes = 64 * 8;

  expect(overlapped.cycles).toBeLessThan(blocking.cycles);
  expect(overlapped.totals.bytes - totalsBytes).toBe(blocking.totals.bytes);
  expect(blocking.totals.bytes).toBe(3 * 100_000 * 8);
});

test('in the RMA walk CPE 0 six times waits for one increment of a word on which more are outstanding', async () => {
  const { warnings } = await resultOf('rma-walk');

  expect(warnings).toHaveLength(6);
  for (const warning of warnings) expect(warning).toMatch(/^AmbiguousWait .* LDM of CPE 0, 4 bytes/);
});
