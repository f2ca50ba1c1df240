import {
  type Choices,
  canonical,
  RandomChoices,
  RecordingChoices,
  type Tape,
  TapeChoices,
} from '../../kernel/choices.ts';
import { traceCompiled, traceInterpreted } from '../../kernel/equivalence.ts';
import { Explorer } from '../../kernel/explore/explorer.ts';
import { byAllTapes, byExploration } from '../../kernel/explore/testing/by-all-tapes.ts';
import { randomWiring } from '../../kernel/explore/testing/random-wiring.ts';
import type { InjectedFault } from '../../kernel/faults.ts';
import { hashOf } from '../../kernel/hash.ts';
import { mixSeed } from '../../kernel/mix-seed.ts';
import { randomEvents, randomMachine } from '../../kernel/random-machine.ts';
import { Run, type RunOptions } from '../../kernel/run.ts';
import { scheduleKinds, scheduleProducers } from '../../scenarios/schedule.ts';
import { PlainRun, type SeenRun } from './plain-run.ts';
import { drawnWorld, type WalkerWorld, wiringOf } from './walkers.ts';

/** Ways to carry out one run, which must all be the same. */
const engines = [
  { engine: 'compiled', state: 'mutable' },
  { engine: 'compiled', state: 'immutable' },
  { engine: 'xstate' },
] as const satisfies readonly RunOptions[];

/** All runs of a wiring at most, where the checker is compared with them. */
const waysMax = 120;

/**
 * Tries the kernel on one random machine each of several kinds. Returns what is wrong, in one line; undefined when all is well.
 *
 * Details: a function of seed and number. Compared are: a run with a plain loop that shares nothing with the kernel; the same run on the other engines, from its
 * tape, and continued from a snapshot; fingerprints with the states they stand for; the tables of the compiler with XState; every fourth time the exhaustive
 * checker with all runs under all tapes, with injected faults or without.
 */
export function kernelTrial(number: number, seed: number): string | undefined {
  const draw = new RandomChoices(mixSeed(number, seed));
  const pick = (count: number) => draw.pick('trial', count);
  return (
    walkersDiffer(drawnWorld(draw), number, pick) ??
    tablesDiffer(tapeOf(pick, 120), pick) ??
    (number % 4 === 0 ? checkDiffers(tapeOf(pick, 300), pick) : undefined)
  );
}

const tapeOf = (pick: (count: number) => number, length: number): Tape =>
  Array.from({ length }, () => pick(1000));

/** One run of walkers in many ways. */
function walkersDiffer(
  world: WalkerWorld,
  number: number,
  pick: (count: number) => number,
): string | undefined {
  const kind = scheduleKinds[number % scheduleKinds.length]!;
  const choices = new RecordingChoices(kind === 'fifo' ? canonical : scheduleProducers[kind](pick(1000)));
  const first = new Run(wiringOf(world), options(world, choices, number % 2 === 0));
  const seen = carriedOut(first);
  const { tape } = choices;
  const asked =
    kind === 'fifo'
      ? { ...new PlainRun(world, tape).carriedOut(), picks: seen.picks }
      : new PlainRun(world, tape).carriedOut();
  const plain = differenceOf('a plain loop', asked, seen);
  if (plain !== undefined) return plain;

  const engine = engines[number % engines.length]!;
  const again = new Run(wiringOf(world), { ...options(world, new TapeChoices(tape), false), ...engine });
  const replayed = carriedOut(again);
  const { picks: _, walkers, ...rest } = seen;
  // What a handling that throws leaves behind depends on the engine.
  const same = seen.end.startsWith('error') ? rest : { ...rest, walkers };
  const replay = differenceOf(`the tape on ${engine.engine}`, same, replayed);
  if (replay !== undefined || seen.end.startsWith('error')) return replay;
  if (again.fingerprint !== first.fingerprint) return `the fingerprint on ${engine.engine} is another one`;
  return continuedDiffers(world, tape, first, pick) ?? fingerprintsLie(world, first, pick);
}

const options = (world: WalkerWorld, choices: Choices, coverage: boolean): RunOptions => ({
  choices,
  coverage,
  deliveriesPerTickMax: world.budget,
});

/** Stops a run somewhere, goes on from its snapshot on another engine, and comes to the same end; the original does, too. */
function continuedDiffers(
  world: WalkerWorld,
  tape: Tape,
  whole: Run,
  pick: (count: number) => number,
): string | undefined {
  const run = new Run(wiringOf(world), options(world, new TapeChoices(tape), false));
  run.until(pick(12));
  if (run.outcome.failure || run.outcome.livelock) return undefined;
  const snapshot = run.snapshot();
  const engine = engines[pick(engines.length)]!;
  const restored = Run.restore(wiringOf(world), snapshot, {
    ...options(world, new TapeChoices(tape), false),
    ...engine,
  });
  if (restored.fingerprint !== run.fingerprint) return 'a restored run has another fingerprint';
  run.toEnd();
  restored.toEnd();
  for (const [what, one] of [
    ['a run that was stopped', run],
    ['a run that was restored', restored],
  ] as const) {
    if (one.fingerprint !== whole.fingerprint) return `${what} ends in another state`;
    if (textOf(one.outcome) !== textOf(whole.outcome))
      return `${what} has the outcome ${textOf(one.outcome)} instead of ${textOf(whole.outcome)}`;
  }
  return undefined;
}

/** Two runs under different schedules end in equal states exactly where their fingerprints are equal. */
function fingerprintsLie(
  world: WalkerWorld,
  first: Run,
  pick: (count: number) => number,
): string | undefined {
  const other = new Run(wiringOf(world), options(world, new RandomChoices(pick(1000)), false));
  other.toEnd();
  const [one, another] = [stateOf(first), stateOf(other)];
  if ((one === another) !== (first.fingerprint === other.fingerprint))
    return `two ends are ${one === another ? 'equal' : 'different'}, and their fingerprints are not`;
  return undefined;
}

function stateOf(run: Run): string {
  const parts = run.parts.map(({ name, configuration, context }) => [name, configuration.name, context]);
  const messages = run.snapshot().messages.map(({ due, from, to, event }) => [due, from, to, event]);
  return JSON.stringify([parts, messages]);
}

const textOf = (outcome: Run['outcome']): string =>
  JSON.stringify(outcome, (key, value) => (key === 'error' ? undefined : value));

/** Carries a run out and notes what can be seen. */
function carriedOut(run: Run): SeenRun {
  const deliveries: string[] = [];
  const probes: string[] = [];
  const picks: string[] = [];
  const ticks: number[] = [];
  run.messages$.subscribe(({ message: { seq, due, from, to, cause, event } }) => {
    const { type, v = 0 } = event as { type: string; v?: number };
    deliveries.push(`${seq} ${due} ${from} ${to} ${cause} ${type} ${v}`);
  });
  run.probes$.subscribe(({ tick, actor, address, probe }) => {
    const { n, at, self } = probe as unknown as { n: number; at: number; self: number };
    probes.push(`${tick} ${actor} ${address} ${n} ${at} ${self}`);
  });
  run.picks$.subscribe(({ tick, what, count, pick }) => {
    picks.push(`${tick} ${what} ${count} ${pick}`);
  });
  run.ticks$.subscribe((tick) => ticks.push(tick));
  const { verdict, violations, deadlock, livelock, failure } = run.toEnd();
  const failed = failure && /it throws|does not decide/.exec(failure.message)?.[0];
  const end = failure
    ? `error in tick ${failure.tick}: ${failure.actor} ${failed ?? failure.message}`
    : livelock
      ? `livelock in tick ${livelock.tick}`
      : deadlock
        ? `deadlock in tick ${deadlock.tick}: ${deadlock.waiting.map(({ actor, since }) => `${actor} since ${since}`).join(', ')}`
        : verdict;
  return {
    deliveries,
    probes,
    violations: violations.map(
      ({ tick, actors, property, why }) => `${tick} ${actors.join()} ${property}: ${why}`,
    ),
    picks,
    ticks,
    end,
    walkers: run.parts.map(({ name, configuration, context }) => {
      const { n, fuel } = context as unknown as { n: number; fuel: number };
      return `${name} ${configuration.name} ${n} ${fuel}`;
    }),
  };
}

/** The first in which two runs differ. */
function differenceOf(whose: string, expected: Partial<SeenRun>, found: SeenRun): string | undefined {
  for (const [what, list] of Object.entries(expected)) {
    const other = found[what as keyof SeenRun];
    if (JSON.stringify(list) === JSON.stringify(other)) continue;
    if (typeof list === 'string') return `${whose}: ${what} is "${list}", found "${other}"`;
    let at = 0;
    while (list[at] === other[at]) at++;
    return `${whose}: ${what} ${at} is "${list[at]}", found "${other[at]}"`;
  }
  return undefined;
}

/** A random state machine by XState and from the compiler's tables. */
function tablesDiffer(tape: Tape, pick: (count: number) => number): string | undefined {
  const machine = randomMachine(tape);
  const events = Array.from({ length: 12 }, () => ({
    type: [...randomEvents, 'unknown'][pick(randomEvents.length + 1)]!,
    v: pick(9),
  }));
  const picks = tapeOf(pick, 8);
  const expected = hashOf(traceInterpreted(machine, 5, events, picks));
  for (const mode of ['mutable', 'immutable', 'functions'] as const) {
    const found = hashOf(traceCompiled(machine, 5, events, picks, mode, pick(14) - 1));
    if (found !== expected) return `the tables (${mode}) do not do what XState does`;
  }
  return undefined;
}

/** The checker and all runs under all tapes. */
function checkDiffers(tape: Tape, pick: (count: number) => number): string | undefined {
  const faults = faultsOf(pick);
  const make = () => randomWiring(tape);
  const expected = byAllTapes(make, [], waysMax, faults);
  if (!expected) return undefined;
  const { ways: _, ...everything } = expected;
  const explorer = new Explorer(make, {
    findingsMax: Number.POSITIVE_INFINITY,
    faults,
    reduction: pick(4) !== 0,
  });
  explorer.toEnd();
  const found = byExploration(explorer);
  for (const what of ['states', 'ends', 'found'] as const) {
    // States that differ in what is left of a fault's budget only are spelled alike.
    const unique = [...new Set(found[what])].sort();
    if (hashOf(unique) !== hashOf(everything[what]))
      return `check finds ${unique.length} ${what}, all tapes ${everything[what].length}`;
  }
  return undefined;
}

function faultsOf(pick: (count: number) => number): readonly InjectedFault[] {
  const budget = { budget: 1 };
  switch (pick(8)) {
    case 0:
      return [{ kind: 'drop', to: 'Rover[*]', ...budget }];
    case 1:
      return [{ kind: 'duplicate', to: 'Rover[0]', ...budget }];
    case 2:
      return [{ kind: 'reorder', ticks: 1, to: '*', ...budget }];
    default:
      return [];
  }
}
