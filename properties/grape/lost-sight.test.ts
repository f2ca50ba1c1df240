import { expect, test } from 'vitest';
import { machines } from '../../manifests/machines.ts';
import { parseScenario } from '../../scenarios/load.ts';
import { simulate } from '../../scenarios/simulate.ts';

const scenario = (faults: string) => `name: a
machine: grape
config: { nBB: 1, nPE: 1, schedule: true }
programs:
  source: |
    bvar vector long v
    IDP v
    FLT 1
    FLT 2
    FLT 3
    FLT 4
    vlen 4
    bm v $lr0v
    print 0 0 f v
${faults}
`;

test('words that a block shows and that never come are a deadlock of the control processor', async () => {
  const run = async (faults: string) => {
    const { scenario: read, machine } = await parseScenario(scenario(faults), 'a.yaml', machines);
    return simulate(read, machine!);
  };
  const lost = await run('faults: [ { drop: { type: block.seen, probability: 1, budget: 1 } } ]');

  expect(lost.outcome.deadlock?.waiting.map(({ actor }) => actor)).toContain('ControlProcessor');
  expect((lost.result as { output: unknown[] }).output).toEqual([]);
  expect((await run('')).outcome.verdict).toBe('ok');
});
