import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  type Choices,
  canonical,
  RandomChoices,
  RecordingChoices,
  TapeChoices,
} from '../../kernel/choices.ts';
import { Run } from '../../kernel/run.ts';
import { effort } from '../../kernel/testing/effort.ts';
import type { CellConfig } from '../../machines/cell/config.ts';
import type { Machine } from '../../machines/machine.ts';
import { machines } from '../../manifests/machines.ts';
import { checkpointsMax } from '../../scenarios/checkpoints.ts';
import { givenOf } from '../../scenarios/given.ts';
import { type LoadedScenario, loadScenario } from '../../scenarios/load.ts';
import { type BuiltRun, buildRun, simulate } from '../../scenarios/simulate.ts';

// Takes about half a minute: XState itself carries out every scenario, and each run goes on from up to two hundred places.

/** XState would take a minute for the million deliveries that a livelock has otherwise. */
const deliveriesPerTickMax = 20_000;

const folder = new URL('../../scenarios/cell/', import.meta.url);
const files = readdirSync(folder).filter((file) => file.endsWith('.yaml'));
const loaded = await Promise.all(
  files.map(async (file) => {
    const { scenario, machine } = await loadScenario(new URL(file, folder).pathname, machines);
    return { file, scenario, machine: impatient(machine) };
  }),
);

/** The machine with a small budget of deliveries. */
function impatient(machine: Machine): Machine {
  return {
    ...machine,
    assemble: (given) => ({ ...machine.assemble(given), deliveriesPerTickMax }),
  };
}

const configOf = ({ scenario }: LoadedScenario) => scenario.config as CellConfig;

/** The last tick of runs with a schedule: they go in steps, and some scenarios are meant for bursts and a million cycles. */
const lastScheduled = effort({ short: 39, long: 79 });

/** Deliveries of a run that XState carries out, a hundred times slower than the table; all of them in `npm run test:long`. */
const interpretedMost = effort({ short: 800, long: Number.MAX_SAFE_INTEGER });

/** Places of a run at which engines are compared; each costs a hash of all memories. */
const places = effort({ short: 4, long: checkpointsMax });

/** The ways to carry out one run. */
const engines = [
  { engine: 'compiled', state: 'mutable' },
  { engine: 'compiled', state: 'immutable' },
  { engine: 'xstate', state: 'immutable' },
] as const;

test('there is a scenario for each lesson', () => {
  expect(files.length).toBeGreaterThanOrEqual(18);
});

describe.each(loaded)('$file', ({ scenario, machine }) => {
  const one = { scenario, machine };

  test('is the same run on every engine, in the order it says', () => {
    const by = (engine: (typeof engines)[number], until?: number) => {
      const options = { ...engine, checkpoints: places, ...(until !== undefined && { until }) };
      const { outcome, fingerprint, result, checkpoints } = simulate(scenario, machine, options);
      return { outcome, fingerprint, result, checkpoints };
    };
    const [table, frozen, xstate] = engines;

    const whole = by(table);
    expect(by(frozen)).toEqual(whole);
    const { ticks, deliveries } = whole.outcome;
    const until =
      deliveries > interpretedMost ? Math.floor((ticks * interpretedMost) / deliveries) : undefined;
    expect(by(xstate, until)).toEqual(until === undefined ? whole : by(table, until));
  });

  test('is the same run on every engine, fed a tape that was recorded at random', () => {
    const until = lastScheduled;
    const { tape } = simulate(scenario, machine, { choices: new RandomChoices(7), until, checkpoints: 0 });

    const [first, ...others] = engines.map((engine) => {
      const choices = new TapeChoices(tape);
      const { outcome, fingerprint, result, checkpoints } = simulate(scenario, machine, {
        ...engine,
        checkpoints: places,
        choices,
        scheduled: true,
        until,
      });
      return { outcome, fingerprint, result, checkpoints };
    });

    expect(tape.length).toBeGreaterThan(0);
    for (const other of others) expect(other).toEqual(first);
  });

  test.each([
    ['in canonical order', () => canonical, Number.MAX_SAFE_INTEGER],
    ['under a random schedule', () => new RandomChoices(11), lastScheduled],
  ] as const)('goes on from a snapshot as if it had never stopped, %s', (_, source: () => Choices, until) => {
    const straight = build(one, source());
    const ticks: number[] = [];
    straight.run.ticks$.subscribe((tick) => ticks.push(tick));
    straight.run.until(until);
    const expected = { outcome: straight.run.outcome, fingerprint: straight.run.fingerprint };
    const result = straight.assembly.result(straight.run);
    const stops = spread(ticks);

    const stopped = build(one, source());
    // A planted fault is a state machine of its own in each assembly, and snapshots do not go from one to another.
    const { assembly } = scenario.faults.length > 0 ? stopped : build(one, source());
    for (const [index, stop] of stops.entries()) {
      stopped.run.until(stop);
      // Two in so many go on in another way than the run they were taken from.
      const way = engines[(index % effort({ short: 8, long: 30 })) - 2] ?? engines[0];
      const restored = Run.restore(assembly.wiring, stopped.run.snapshot(), {
        ...way,
        choices: new RecordingChoices(source()),
        deliveriesPerTickMax,
        faults: givenOf(scenario, false).faults ?? [],
      });

      restored.until(until);

      const { outcome, fingerprint } = restored;
      expect({ outcome, fingerprint }, `went on after tick ${stop}`).toEqual(expected);
      if (way !== engines[0]) expect(assembly.result(restored)).toEqual(result);
    }
  });
});

function build({ scenario, machine }: LoadedScenario, choices: Choices): BuiltRun<unknown> {
  return buildRun(scenario, machine, { choices });
}

/** Every tick of a short run; of a longer one a sample, evenly spread. */
function spread(ticks: readonly number[]): readonly number[] {
  // Nothing is left to go on with after the last tick of all.
  const most = effort({ short: 8, long: 200 });
  const sample = effort({ short: 5, long: 60 });
  if (ticks.length <= most) return ticks.slice(0, -1);
  return Array.from(
    { length: sample },
    (_, index) => ticks[Math.floor((index * (ticks.length - 1)) / sample)]!,
  );
}

// A million cycles of single steps would take some seconds and say no more than the others do.
const unhurried = loaded.filter(
  ({ file, scenario, machine }) =>
    machine.name === 'cell' && scenario.faults.length === 0 && file !== 'one-megabyte.yaml',
);

test.each(unhurried)('$file comes to the same result in steps and in bursts', (one) => {
  const [steps, bursts] = (['step', 'burst'] as const).map((detail) => {
    const scenario = { ...one.scenario, config: { ...configOf(one), detail } };
    const { outcome, result } = simulate(scenario, one.machine, { choices: canonical, checkpoints: 0 });
    return { verdict: outcome.verdict, violations: outcome.violations, ticks: outcome.ticks, result };
  });

  expect(bursts).toEqual(steps);
});
