import { expect, test } from 'vitest';
import type { AnyStateMachine } from 'xstate';
import { fastTbox } from '../../../actors/sunway/engine/fast/tbox.ts';
import { timingRows } from '../../../actors/sunway/timing/timing-table.ts';
import { Run } from '../../../kernel/run.ts';
import type { Given } from '../../../machines/machine.ts';
import { plantingIn } from '../../../machines/planting.ts';
import { type SunwayConfig, type SunwayPrograms, sunwayConfig } from '../../../machines/sunway/config.ts';
import { operationProgram } from '../../../machines/sunway/operations.ts';
import { timingOf } from '../../../machines/sunway/timing.ts';
import { sunwayMachine } from '../../../machines/sunway.ts';
import { GeneratedSubject } from '../../explore/subject.ts';
import { sunwayMachineProperties } from '../machine-properties.ts';
import { sunwayScenarios } from '../scenarios.ts';
import type { PartChange } from '../twins/twins.ts';
import { caches } from './caches.ts';
import { calls } from './calls.ts';
import { controllers } from './controllers.ts';
import { engines } from './engines.ts';
import { followedBy } from './follower.ts';
import { hosts } from './hosts.ts';
import { meetings } from './meetings.ts';
import { services } from './services.ts';
import { timesOf } from './times.ts';
import { twins } from './twins.ts';

type SunwayGiven = Given<SunwayConfig, SunwayPrograms>;

const subject = new GeneratedSubject({
  machine: sunwayMachine,
  properties: sunwayMachineProperties,
  arbitrary: sunwayScenarios,
  seed: 31,
  mutants: [],
});

/** Generated scenarios of one level, in canonical order, without freedom of the schedule. */
const scenarios = Array.from({ length: 40 }, (_, index) => subject.scenario(index)).map(
  (one): SunwayGiven => {
    const { name, config, programs } = one;
    const parsed = sunwayConfig.parse({ ...(config as object), fidelity: 'tlm', fuzz: {} });
    return { name, config: parsed, programs: programs as SunwayPrograms, mutants: [], scheduled: false };
  },
);

const all = followedBy([engines, controllers, caches, meetings, calls, hosts, services]);

/** What differs in a run of a scenario from references of another configuration. */
function difference(given: SunwayGiven, expected: SunwayGiven): string | undefined {
  const assembly = sunwayMachine.assemble(given);
  const run = new Run(assembly.wiring);
  const compare = all(run, expected, assembly)!;
  run.until(2_000_000);
  return compare();
}

test.each(['tlm', 'flit', 'functional'] as const)(
  'the times of the machine are those of the specification: %s',
  (fidelity) => {
    const finite = (_name: string, value: unknown) => (Number(value) > 2 ** 39 ? 'any' : value);

    expect(JSON.parse(JSON.stringify(timingOf({ fidelity, timing: {} }), finite))).toEqual(
      JSON.parse(JSON.stringify(timesOf({ fidelity, timing: {} }), finite)),
    );
  },
);

/** Parameters that references of this level have nothing to do with. */
const others = new Set(['dma.window', 'dma.putBlocking', 'mc.putCrowd']);

test.each(
  Object.entries(timingRows)
    .filter(([group]) => group !== 'flit')
    .flatMap(([group, rows]) =>
      Object.entries(rows).map(([name, { value }]) => [group, name, value] as const),
    )
    .filter(([group, name]) => !others.has(`${group}.${name}`)),
)('a node of which %s.%s is not that of the specification is noticed', (group, name, value) => {
  const changed =
    name === 'queueDepth' || name === 'writeBuffer' ? 1 : (Number.isInteger(value) ? 3 : 0.25) + value;
  const isNoticed = scenarios.some(
    (one) =>
      difference({ ...one, config: { ...one.config, timing: { [group]: { [name]: changed } } } }, one) !==
      undefined,
  );

  expect(isNoticed).toBe(true);
});

test('nothing differs in nodes as they are', () => {
  expect(scenarios.slice(0, 12).flatMap((one) => difference(one, one) ?? [])).toEqual([]);
});

test('an engine that says everything a cycle later than the one of actors is noticed', () => {
  const { saying } = plantingIn<{ part: AnyStateMachine }>();
  const late = saying('part', 'takeResponse', (one) => ({ ...one, delay: (one.delay ?? 0) + 1 }));
  const notice = (change?: PartChange) =>
    scenarios.slice(0, 8).flatMap((given) => {
      const assembly = sunwayMachine.assemble(given);
      const run = new Run(assembly.wiring);
      const compare = twins(change)(run, given, assembly)!;
      run.until(2_000_000);
      return compare() ?? [];
    });

  expect(notice()).toEqual([]);
  expect(notice((part) => (part === fastTbox ? late({ part }).part : part)).length).toBeGreaterThan(0);
});

test('what a host loads is no code: any number may come', () => {
  const programs = operationProgram.parse({
    memory: { bytes: 64 },
    slave: [],
    host: Array.from({ length: 24 }, (_, n) => [
      ['st', { memory: 0 }, 'i32', n],
      ['ld', { memory: 0 }, 'i32'],
    ]).flat(),
  });
  const given: SunwayGiven = {
    name: 'loads',
    config: sunwayConfig.parse({ cpesPerCg: 1, memoryMiB: 1 }),
    programs,
    mutants: [],
    scheduled: false,
  };
  const assembly = sunwayMachine.assemble(given);
  const run = new Run(assembly.wiring);
  const watching = sunwayMachineProperties.watch(run, given, assembly);
  run.toEnd();
  watching.end();

  expect(run.outcome).toMatchObject({ verdict: 'ok', violations: [] });
});
