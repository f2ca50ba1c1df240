import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { canonical, RandomChoices, TapeChoices } from '../../kernel/choices.ts';
import { machines } from '../../manifests/machines.ts';
import { propertiesNamed } from '../../manifests/testing/named.ts';
import { judge } from '../../scenarios/judge.ts';
import { loadScenario } from '../../scenarios/load.ts';
import { simulate } from '../../scenarios/simulate.ts';
import type { Watch } from '../property.ts';
import { smallProtocols } from './testing/small-protocols.ts';

const protocols = machines.filter(({ name }) => smallProtocols.includes(name));
const folder = new URL('../../scenarios/protocols/', import.meta.url);
const files = readdirSync(folder).filter((file) => file.endsWith('.yaml'));
const loaded = await Promise.all(
  files.map(async (file) => ({
    file,
    ...(await loadScenario(new URL(file, folder).pathname, protocols)),
  })),
);
const engines = [
  { engine: 'compiled', state: 'mutable' },
  { engine: 'compiled', state: 'immutable' },
  { engine: 'xstate', state: 'immutable' },
] as const;

test('there is a scenario for each protocol, sound and with a planted fault', () => {
  for (const { name } of protocols)
    expect(loaded.filter(({ machine }) => machine.name === name).length).toBeGreaterThanOrEqual(2);
});

describe.each(loaded)('$file', ({ scenario, machine }) => {
  test('comes to what it expects', async () => {
    const properties = await propertiesNamed(machine.name);
    expect(scenario.expect).toBeDefined();

    let watching: Watch | undefined;
    const { outcome, result } = simulate(scenario, machine, {
      observe: (run, { given, assembly }) => {
        watching = properties?.watch(run, given, assembly);
      },
      onEnd: () => watching?.end(),
    });

    expect(judge(scenario.expect, { outcome, result })).toEqual([]);
  });

  const { tape } = simulate(scenario, machine, { choices: new RandomChoices(5) });
  test.each([
    ['in canonical order', () => canonical],
    ['fed a tape that was recorded at random', () => new TapeChoices(tape)],
  ])('is the same run on every engine, %s', (_, source) => {
    const [first, ...others] = engines.map((engine) => {
      const { outcome, fingerprint, result } = simulate(scenario, machine, { ...engine, choices: source() });
      return { outcome, fingerprint, result };
    });

    for (const other of others) expect(other).toEqual(first);
  });
});
