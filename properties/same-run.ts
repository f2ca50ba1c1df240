import { hashOf } from '../kernel/hash.ts';
import { Run, type RunOptions } from '../kernel/run.ts';
import type { Assembly, Given, Machine } from '../machines/machine.ts';
import { differenceOf, textOf } from './different-text.ts';
import type { Watch } from './property.ts';

/** The sentence under which a run is reported that depends on who watches it, or on being interrupted. It is in no list of sentences that hold: one run alone proves nothing about it. */
export const sameRunSentence =
  'a run comes to the same when nobody watches it, and when it goes on from a snapshot';

/** Lets properties watch a run; what `MachineProperties` has. */
type Watching = (run: Run, given: Given, assembly: Assembly) => Watch;

/** How runs are compared. */
export interface SameRunOptions {
  /** Of so many scenarios one is judged; each when absent. */
  readonly oneIn: number;
  /** What is compared, as plain data, of runs without what the machine attaches to them; the result when absent. For machines whose watchers must see a run from its first tick on. */
  readonly endOf: (run: Run) => unknown;
}

/**
 * Adds to what watches runs that the machine does the same whether it is watched or not, and from a snapshot as without one (design, sections 2 and 4).
 *
 * Details: judged once a configuration, of one in `oneIn` of them where that is given, in canonical order, when a run of it has ended well without injected faults: one run is never watched; one is watched, stopped
 * somewhere and goes on; one goes on from the snapshot of that place on a machine wired anew, and nobody watches it. All results are equal. A machine that takes a
 * shorter way where nobody looks (bursts, idle work) is judged by this. Where only some are judged, programs in TypeScript are not, which may do things besides that would be done again, nor long runs.
 */
export function withSameRun<Config, Programs, Result>(
  machine: Machine<Config, Programs, Result>,
  watching: Watching,
  { oneIn = 1, endOf }: Partial<SameRunOptions> = {},
): Watching {
  // Runs of one scenario share its configuration.
  const known = new WeakMap<object, { readonly programs: unknown; readonly why: string | undefined }>();

  function differenceIn(given: Given<Config, Programs>, until: number, middle: number): string | undefined {
    const kept = known.get(given.config as object);
    if (kept && kept.programs === given.programs) return kept.why;
    const isJudged = oneIn === 1 || numberOf(given) % oneIn === 0;
    const why = isJudged
      ? differenceOfRuns(machine, { ...given, scheduled: false }, until, middle, endOf)
      : undefined;
    known.set(given.config as object, { programs: given.programs, why });
    return why;
  }

  return (run, anyGiven, assembly) => {
    const watch = watching(run, anyGiven, assembly);
    // The name of the machine says what was given.
    const given = anyGiven as Given<Config, Programs>;
    if (given.faults?.length || given.mutants.length > 0) return watch;
    return {
      // What has been judged is known when it is asked for, not now.
      get judged() {
        return watch.judged ?? [];
      },
      end: () => {
        watch.end();
        if (!run.ended || run.outcome.verdict !== 'ok') return;
        if (oneIn > 1 && (run.outcome.deliveries > deliveriesMax || !isData(given.programs))) return;
        const middle = Number.parseInt(run.fingerprint.slice(0, 8), 16) % (run.now + 1);
        const why = differenceIn(given, 2 * run.now + slackTicks, middle);
        if (why !== undefined) run.report([], { property: sameRunSentence, why });
      },
    };
  };
}

/** Deliveries of a run up to which it is carried out again where only some are. */
const deliveriesMax = 100_000;

/** True for what has no functions in it. */
export function isData(value: unknown): boolean {
  if (typeof value === 'function') return false;
  if (typeof value !== 'object' || value === null) return true;
  if (value instanceof Map) return [...value.values()].every(isData);
  const isPlain = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
  return !isPlain || Object.values(value).every(isData);
}

/** A number that what is given decides, whichever of its runs comes first. */
const numberOf = ({ config, programs }: Given): number =>
  Number.parseInt(hashOf(JSON.stringify([config, programs], bigintAsText)).slice(0, 8), 16);

const bigintAsText = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? `${value}n` : value;

/** Ticks that a run in canonical order may take longer than twice the other one. */
const slackTicks = 10_000;

/** In what the runs of a machine differ; undefined when they do not. `middle` is where one of them is stopped. */
function differenceOfRuns<Config, Programs, Result>(
  machine: Machine<Config, Programs, Result>,
  given: Given<Config, Programs>,
  until: number,
  middle: number,
  endOf: SameRunOptions['endOf'] | undefined,
): string | undefined {
  const built = () => {
    const assembly = machine.assemble(given);
    const { deliveriesPerTickMax } = assembly;
    const options: RunOptions = deliveriesPerTickMax === undefined ? {} : { deliveriesPerTickMax };
    return { assembly, options };
  };
  const attached = (run: Run, assembly: Assembly<Result>) => {
    if (!endOf) assembly.attach?.(run);
    return { run, assembly };
  };
  const fresh = () => {
    const { assembly, options } = built();
    return attached(new Run(assembly.wiring, options), assembly);
  };
  const toEnd = ({ run, assembly }: ReturnType<typeof fresh>) => {
    run.until(until);
    const { verdict } = run.outcome;
    return verdict === 'ok' ? textOf(endOf ? endOf(run) : assembly.result(run)) : verdict;
  };

  const unwatched = toEnd(fresh());
  const watched = fresh();
  const watch = watched.run.probes$.subscribe();
  watched.run.until(middle);
  const snapshot = watched.run.snapshot();
  const before = watched.run.fingerprint;
  const stopped = toEnd(watched);
  watch.unsubscribe();
  const { assembly, options } = built();
  const restored = attached(Run.restore(assembly.wiring, snapshot, options), assembly);
  if (restored.run.fingerprint !== before)
    return `restored from the snapshot of tick ${middle} it has another fingerprint`;
  const [continued, told] = [toEnd(restored), (text: string) => differenceOf(text, unwatched ?? '')];
  if (stopped !== unwatched) return `watched ${told(stopped ?? '')}, when nobody watches`;
  if (continued !== unwatched)
    return `from the snapshot of tick ${middle} ${told(continued ?? '')}, when it is not interrupted`;
  return undefined;
}
