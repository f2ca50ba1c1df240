import { Run } from '../kernel/run.ts';
import type { Assembly, Given, Machine } from '../machines/machine.ts';
import { differenceOf, textOf } from './different-text.ts';
import type { Watch } from './property.ts';

/** The sentence under which an end that depends on the schedule is reported. It is in no list of sentences that hold: one run alone proves nothing about it. */
export const sameEndSentence = 'the end is the same under every schedule';

/** Lets properties watch a run; what `MachineProperties` has. */
type Watching = (run: Run, given: Given, assembly: Assembly) => Watch;

/**
 * What of the result of a run no schedule may change, as plain data; undefined for a scenario that claims nothing.
 *
 * Details: what a specification derives from the inputs alone: times, counts, digests of programs without races.
 */
export type EndOf<Config, Programs, Result> = (result: Result, given: Given<Config, Programs>) => unknown;

/** How the canonical run of a scenario ended: what is compared, and what was wrong with it. */
interface CanonicalEnd {
  readonly programs: unknown;
  readonly mutants: string;
  /** Undefined where nothing is claimed, and of a run that did not end well. */
  readonly end: string | undefined;
  readonly wrong?: string;
}

/**
 * Adds to what watches runs that their end is the same under every schedule: that of the canonical order, on the machine as it is built for this order.
 *
 * Details: judged of scheduled runs that end by themselves with nothing found, without injected faults. The canonical run of a configuration is carried out
 * once, watched by the same properties; so a machine that is built otherwise where nothing is scheduled (bursts) is judged, too.
 */
export function withSameEnd<Config, Programs, Result>(
  machine: Machine<Config, Programs, Result>,
  endOf: EndOf<Config, Programs, Result>,
  watching: Watching,
): Watching {
  // Runs of one scenario share its configuration.
  const known = new WeakMap<object, CanonicalEnd>();

  function canonicalEnd(given: Given<Config, Programs>, until: number): CanonicalEnd {
    const mutants = given.mutants.join();
    const kept = known.get(given.config as object);
    if (kept && kept.programs === given.programs && kept.mutants === mutants) return kept;
    const canonical = { ...given, scheduled: false };
    const assembly = machine.assemble(canonical);
    const { deliveriesPerTickMax } = assembly;
    const run = new Run(assembly.wiring, deliveriesPerTickMax === undefined ? {} : { deliveriesPerTickMax });
    assembly.attach?.(run);
    const watch = watching(run, canonical, assembly);
    run.until(until);
    watch.end();
    const { verdict, violations } = run.outcome;
    const [first] = violations;
    const made: CanonicalEnd = {
      programs: given.programs,
      mutants,
      end: run.ended && verdict === 'ok' ? textOf(endOf(assembly.result(run), canonical)) : undefined,
      // What a planted fault does in canonical order is told of the canonical run; here it would hide what this schedule shows.
      ...(verdict !== 'ok' &&
        mutants === '' && { wrong: first ? `${first.property}: ${first.why}` : verdict }),
    };
    known.set(given.config as object, made);
    return made;
  }

  return (run, anyGiven, assembly) => {
    const watch = watching(run, anyGiven, assembly);
    // The name of the machine says what was given and what was assembled.
    const given = anyGiven as Given<Config, Programs>;
    if (!given.scheduled || given.faults?.length) return watch;
    return {
      get judged() {
        return watch.judged ?? [];
      },
      end: () => {
        watch.end();
        if (!run.ended || run.outcome.verdict !== 'ok') return;
        const here = textOf(endOf(assembly.result(run) as Result, given));
        if (here === undefined) return;
        const { end: there, wrong } = canonicalEnd(given, 2 * run.now + slackTicks);
        const why =
          wrong !== undefined
            ? `in canonical order this is found: ${wrong}`
            : there !== undefined && there !== here
              ? differenceOf(here, there, 'in canonical order ')
              : undefined;
        if (why !== undefined) run.report([], { property: sameEndSentence, why });
      },
    };
  };
}

/** Ticks that the canonical run may take longer than twice the other one. */
const slackTicks = 10_000;
