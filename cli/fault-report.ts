import type { InjectedFault, Injection } from '../kernel/faults.ts';
import type { Run } from '../kernel/run.ts';
import type { Fault } from '../scenarios/scenario.ts';
import type { Simulation } from '../scenarios/simulate.ts';

/** Injections that a report shows. */
const shownMax = 12;

/** Injections that are kept for scripts; the tallies count all of them. */
const keptMax = 1000;

/** Keeps the first faults that strike in a run, for its report. */
export class StruckFaults {
  readonly kept: Injection[] = [];
  constructor(run: Run) {
    run.faults$.subscribe((injection) => {
      if (this.kept.length < keptMax) this.kept.push(injection);
    });
  }
}

/** What the faults of a run did, for scripts; empty for a run without any. */
export function faultsJson(
  faults: readonly Fault[],
  { outcome }: Simulation,
  kept: readonly Injection[],
): object {
  if (!outcome.faults) return {};
  const injected = injectedOf(faults);
  return {
    faults: outcome.faults.map((tally, index) => ({ kind: injected[index]!.kind, ...tally })),
    injections: kept.map(({ message, ...rest }) => ({ ...rest, type: message.event.type })),
  };
}

/** What the faults of a run did, for people: how often they struck, when and where; empty for a run without any. */
export function faultsText(
  faults: readonly Fault[],
  { outcome }: Simulation,
  kept: readonly Injection[],
): string {
  if (!outcome.faults) return '';
  const injected = injectedOf(faults);
  const summary = outcome.faults.map(({ chances, struck }, index) => {
    const often =
      chances === 0
        ? 'never had a chance'
        : `struck at ${struck} of ${chances} ${chances === 1 ? 'chance' : 'chances'}`;
    return `fault ${index + 1} (${injected[index]!.kind}) ${often}`;
  });
  const shown = kept.slice(0, shownMax).map(({ tick, kind, from, to, message, what }) => {
    const { type } = message.event;
    return `  tick ${tick}  ${kind}: ${from} -> ${to}  ${type}: ${what}`;
  });
  const more = kept.length > shown.length ? ['  and more'] : [];
  return [...summary, ...shown, ...more].join('\n');
}

const injectedOf = (faults: readonly Fault[]): readonly InjectedFault[] =>
  faults.filter((fault): fault is InjectedFault => !('mutant' in fault));
