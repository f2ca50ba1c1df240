import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RandomChoices } from '../../kernel/choices.ts';
import { effort } from '../../kernel/testing/effort.ts';
import { machines } from '../../manifests/machines.ts';
import { generationNamed, loadedMachine, propertiesNamed } from '../../manifests/testing/named.ts';
import { judge } from '../../scenarios/judge.ts';
import { loadScenario, parseScenario } from '../../scenarios/load.ts';
import { simulate } from '../../scenarios/simulate.ts';
import { Trials } from '../explore/trial.ts';
import type { Watch } from '../property.ts';
import { checked, fuzzed, library } from './testing/library.ts';

// Takes some seconds: every protocol of the library is checked to the end at its smallest size, and with each planted fault.

const page = readFileSync('docs/protocols.md', 'utf8');
const number = (text: string): number => Number(text.replaceAll(',', ''));
const rows = [
  ...page.matchAll(
    /^\|([^|]*)\| `npx lockstep check (\S+)( --symmetry)?`( \(exit code 4: [^)]*\))? \| ([\d,]+) \| ([\d,]+) \|/gm,
  ),
].map(([, protocol, file, symmetry, open, states, transitions]) => ({
  protocol: protocol!.trim(),
  file: file!,
  symmetry: symmetry !== undefined,
  verdict: open === undefined ? 'ok' : 'incomplete',
  states: number(states!),
  transitions: number(transitions!),
}));

/** By machine and planted fault: after how many states the page says that check finds it. */
const statesUntilFound = new Map(
  [...page.matchAll(/^\| ([\w-]+) \| ([\w-]+) \|[^|]*\| ([\d,]+) \|/gm)].map(([, machine, fault, states]) => [
    `${machine} ${fault}`,
    number(states!),
  ]),
);

describe('what the page says of', () => {
  test.each(rows)('$protocol is so', async ({ file, symmetry, verdict, states, transitions }) => {
    const { scenario, machine } = await loadScenario(file, machines);
    const { config, network } = scenario;
    const setting = { config: config as object, ...(network && { network }) };

    expect(await checked(machine.name, setting as never, [], symmetry)).toEqual({
      verdict,
      states,
      transitions,
      what: undefined,
    });
  });

  test('every machine of the library is in the table', async () => {
    const known = await Promise.all(
      rows.map(async ({ file }) => (await loadScenario(file, machines)).machine.name),
    );

    expect([...new Set(known)].sort()).toEqual(library.map(({ machine }) => machine).sort());
  });

  test('broken protocols names scenarios in which check finds something', async () => {
    const files = [...page.matchAll(/`npx lockstep check (\S+)( --symmetry)?`/g)].map(([, file]) => file!);
    const broken = files.filter((file) => rows.every((row) => row.file !== file));
    expect(broken.length).toBeGreaterThanOrEqual(library.length);
    for (const file of broken) {
      const { scenario, machine } = await loadScenario(file, machines);
      const setting = {
        config: scenario.config as never,
        ...(scenario.network && { network: scenario.network }),
      };
      const mutants = scenario.faults.flatMap((fault) => ('mutant' in fault ? [fault.mutant] : []));

      expect(await checked(machine.name, setting, mutants)).not.toMatchObject({ verdict: 'ok' });
    }
  });
});

test.each(readdirSync('scenarios/library'))('%s comes to what it expects, on both engines', async (file) => {
  const { scenario, machine } = await loadScenario(`scenarios/library/${file}`, machines);
  const properties = (await propertiesNamed(machine.name))!;
  const runs = (['compiled', 'xstate'] as const).map((engine) => {
    let watching: Watch | undefined;
    const { outcome, fingerprint, result } = simulate(scenario, machine, {
      engine,
      observe: (run, { given, assembly }) => {
        watching = properties.watch(run, given, assembly);
      },
      onEnd: () => watching?.end(),
    });
    return { outcome, fingerprint, result };
  });

  expect(scenario.expect).toBeDefined();
  expect(judge(scenario.expect, runs[0]!)).toEqual([]);
  expect(runs[1]).toEqual(runs[0]);
});

test('exchanged servers that are down stay down: a crash is explored with symmetry as without it', async () => {
  const crashes = { max: 1, recover: true, keeps: ['term', 'votedFor', 'log'] };
  const setting = { config: { servers: 3, terms: 1, commands: 0 }, network: { crashes } };

  expect(await checked('raft', setting)).toMatchObject({ verdict: 'ok', states: 161 });
  expect(await checked('raft', setting, [], false)).toMatchObject({ verdict: 'ok', states: 906 });
});

describe.each(library)('$machine', ({ machine: name, check, fuzz, faults }) => {
  test('has at least three planted faults, all of them in the table of the tests', async () => {
    const { mutants } = await loadedMachine(name);

    expect([...mutants.keys()].sort()).toEqual(Object.keys(faults).sort());
    expect(mutants.size).toBeGreaterThanOrEqual(3);
  });

  test.each(Object.entries(faults))(
    '%s is found by random runs, and by check',
    async (mutant, { breaks, slow, endless }) => {
      const isMeant = ({ what = 'nothing' }) =>
        breaks.some((one) => (typeof one === 'string' ? one === what : one.test(what))) || what;

      if (!endless) expect(isMeant(await fuzzed(name, fuzz, [mutant]))).toBe(true);
      expect(statesUntilFound.has(`${name} ${mutant}`)).toBe(true);
      if (slow) return;
      const found = await checked(name, check, [mutant]);
      expect(isMeant(found)).toBe(true);
      // Where states stand for others, how many there are until something is found depends on which of them do.
      const { symmetric } = await loadedMachine(name);
      if (!symmetric) expect(found.states).toBe(statesUntilFound.get(`${name} ${mutant}`));
    },
  );

  test('goes well in generated scenarios', async () => {
    const machine = await loadedMachine(name);
    const { properties, arbitrary } = await generationNamed(name);
    const scenarios = fc.sample(arbitrary, { numRuns: effort({ short: 6, long: 12 }), seed: 4 });
    for (const [seed, written] of scenarios.entries()) {
      const { scenario } = await parseScenario(
        JSON.stringify({ ...written, machine: name }),
        'generated.yaml',
        machines,
      );
      const { failure } = new Trials(scenario, machine, properties).attempt(new RandomChoices(seed));

      expect({ written, failure }).toEqual({ written, failure: undefined });
    }
  });
});
