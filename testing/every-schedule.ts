import { exploreAlone } from '../cli/check/alone.ts';
import { failingOf, failingRun } from '../cli/check/counterexample.ts';
import { explorationOf } from '../cli/check/exploration.ts';
import { wholeRunOf } from '../cli/check/whole-run.ts';
import { type ExploreLimit, Explorer } from '../kernel/explore/explorer.ts';
import { oneOf } from '../kernel/known-keys.ts';
import type { KnownMachine } from '../machines/machine.ts';
import { withCycle } from '../properties/endless.ts';
import type { Watch } from '../properties/property.ts';
import { ScheduleFailure, scheduleFailure } from './failure.ts';
import { checkTested, type TestedRun, testedRun, wholeNumber } from './given.ts';
import { placeOfCaller, type TestPlace } from './place.ts';

const limitTexts: Readonly<Record<ExploreLimit, string>> = {
  states: 'raise statesMax',
  'states of a tick':
    'one tick has more states of its own than statesMax: raise it, or try a smaller machine',
  'memory of a tick':
    'the states of one tick take all the memory that it may have: messages pile up in it, and it may never end',
  depth: 'raise the depth',
  memory: 'the memory is full: try a smaller machine',
  disk: 'the disk is full: make room, or try a smaller machine',
  heap: 'the heap of Node is nearly full: try a smaller machine, or more with --max-old-space-size',
};

/** How all schedules of a machine are tried. */
export interface EveryScheduleOptions extends TestedRun {
  /** How many states there must be: a changed count is a changed model. Any number when absent. */
  readonly states?: number;
  /** States after which it stops, which is no pass; 10,000,000 when absent. */
  readonly statesMax?: number;
  /** Explore states that differ only in the places of interchangeable actors once. */
  readonly symmetry?: boolean;
}

/** What trying all schedules came to. */
export interface EverySchedule {
  /** Different states at the ends of ticks, or of steps in an asynchronous wiring. */
  readonly states: number;
  /** Deliveries. */
  readonly transitions: number;
  /** Ticks with deliveries on the shortest way to the farthest state. */
  readonly depth: number;
  /** Sentences that were judged, and hold. */
  readonly judged: readonly string[];
  /** Sentences of which nothing that they look at came in any run: mostly a misspelt type. */
  readonly idle: readonly string[];
}

/**
 * Tries every schedule of a machine and judges its properties, reports, deadlocks, livelocks and errors: `await everySchedule(lockServer, { config: { clients: 3 } })`.
 *
 * Details: a pass is a proof for this configuration, up to `until` where that is given.
 *
 * Errors: `ScheduleFailure` when something is found, with the page that explains it, recorded beside the test; an `Error` when not everything was judged to its end, or the number of
 * states is another one; `ScenarioErrors` for what the machine does not take.
 */
export function everySchedule(
  machine: KnownMachine,
  options: EveryScheduleOptions = {},
): Promise<EverySchedule> {
  return everyScheduleAt(placeOfCaller(everySchedule), machine, options);
}

/** The same for a test at a place. */
export async function everyScheduleAt(
  place: TestPlace,
  known: KnownMachine,
  {
    states: expected,
    statesMax = 10_000_000,
    symmetry = false,
    record = true,
    ...given
  }: EveryScheduleOptions,
): Promise<EverySchedule> {
  checkTested('everySchedule', known, given, ['states', 'statesMax', 'symmetry', 'record']);
  wholeNumber('everySchedule', 'states', expected, 1);
  wholeNumber('everySchedule', 'statesMax', statesMax, 1);
  oneOf('everySchedule: symmetry', symmetry, [false, true]);
  const tested = await testedRun(known, given, place);
  const { judged: loaded } = tested;
  const { until } = given;
  const prepared = explorationOf(loaded, {
    reduction: true,
    statesMax,
    symmetry,
    ...(until !== undefined && { until }),
  });
  const { make, options, judged, atRest, unjudged } = prepared;
  const explorer = new Explorer(make, options);
  const { exploration, shown } = await exploreAlone(explorer, loaded.scenario.file, {
    onProgress: () => {},
    shouldStop: () => false,
    // The test runner is told meanwhile that the test is alive.
    turn: () => new Promise((resolve) => setImmediate(resolve)),
  });
  const { states, transitions, depth, findings, open, unexplored, limit, idle } = exploration;
  const [first] = shown;
  const failing = first
    ? failingOf(first, options.observers ?? [])
    : findings.length === 0 && wholeRunOf(loaded, unjudged)?.failing;
  if (failing) {
    const { cycle, until: last } = failing;
    let watching: Watch | undefined;
    const { tape } = failingRun(loaded, failing, {
      observe: (run, { given: built, assembly }) => {
        watching = withCycle(loaded.properties, cycle)?.watch(run, built, assembly);
      },
      onEnd: () => watching?.end(),
    });
    const run = { tape, ...(last !== undefined && { until: last }), ...(cycle && { cycle }) };
    throw scheduleFailure(tested, failing.claim, run, { ...place, record, askedBy: 'everySchedule' });
  }
  const [unreached] = findings;
  if (unreached)
    throw new ScheduleFailure(`${unreached.verdict}: ${unreached.what}\n  ${unreached.why}`, unreached);
  const left = [
    ...(unexplored > 0
      ? [`${unexplored} states were found and not gone on from: ${limitTexts[limit ?? 'states']}`]
      : []),
    ...open.map(({ sentence, why }) => `"${sentence}": ${why}`),
    ...unjudged.map((sentence) => `"${sentence}" looks at whole runs: schedules(…) judges it`),
    ...atRest.map((sentence) => `"${sentence}" is judged only where a run comes to rest`),
  ];
  const { scenario } = loaded;
  if (left.length > 0)
    throw new Error(
      `${scenario.name}: nothing was found, but not everything is judged to its end\n  ${left.join('\n  ')}`,
    );
  if (expected !== undefined && expected !== states)
    throw new Error(
      `${scenario.name}: found ${states} states, expected ${expected}\n  a changed count is a changed model: mend it, or the count`,
    );
  return { states, transitions, depth, judged: judged.filter((one) => !idle.includes(one)), idle };
}
