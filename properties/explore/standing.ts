import { TapeChoices } from '../../kernel/choices.ts';
import type { Message } from '../../kernel/message.ts';
import { plainData } from '../../scenarios/exports/plain-data.ts';
import { changedFields, contextOf } from './close-up.ts';
import type { FailureSummary } from './failure-summary.ts';
import type { History } from './history.ts';
import type { TrialOptions, Trials } from './trial.ts';

/** How everything stands at the end of a tick, objects that actors share as well. */
export interface Standing {
  readonly actors: readonly {
    readonly name: string;
    readonly state: string;
    /** What is not as it was when the run began: `count=2 color=black`. */
    readonly fields: string;
  }[];
  /** Posted and not delivered, timers that are set as well. */
  readonly underWay: readonly Message[];
}

/** What stands for the state of an object that actors share. */
export const sharedState = 'shared';

/** Actors of a system of which a reader takes in how all of it stands. */
const actorsMax = 12;

/**
 * How everything stands when a property fails that judges the state of the whole system, or waits for what never comes; in a deadlock, those who are waited for. Undefined where a
 * delivery was found to be wrong, since that tells more, and for a large system.
 */
export function standingOf(
  trials: Trials,
  { trial, within }: History,
  { verdict, what, tick }: FailureSummary,
  options: TrialOptions,
): Standing | undefined {
  const { deadlock } = trial.outcome;
  const tells = verdict === 'violated' ? within === undefined : deadlock !== undefined;
  if (!tells || trial.run.parts.length > actorsMax) return undefined;
  let standing: Standing | undefined;
  let isOfEnd = false;
  let look: (() => void) | undefined;
  trials.attempt(new TapeChoices(trial.tape), {
    ...options,
    observe: (run, built) => {
      const judge = trials.observerOf(what, built);
      isOfEnd = judge?.seeRest !== undefined && judge.seeState === undefined;
      if (!deadlock && !(judge?.seeState ?? judge?.seeRest) && !run.asynchronous) return;
      const [waiting, awaited] = [
        new Set(deadlock?.waiting.map(({ actor }) => actor)),
        new Set(deadlock?.waiting.flatMap(({ on }) => on)),
      ];
      const initial = new Map(run.parts.map((actor) => [actor.name, contextOf(run, actor)]));
      look = () => {
        const isToldOf = (name: string) =>
          !deadlock || (!waiting.has(name) && (awaited.has(name) || awaited.size === 0));
        const told = run.parts.filter(({ name }) => isToldOf(name));
        const actors = told.map((actor) => {
          const { state } = run.localState(actor.name)!;
          return {
            name: actor.name,
            state,
            fields: fieldsOf(initial.get(actor.name) ?? {}, contextOf(run, actor)),
          };
        });
        const shared = built.assembly.wiring.shared.flatMap(({ name, object }) => {
          const fields = fieldsOf({}, plainData(object.describe?.() ?? {}));
          return fields === '' ? [] : [{ name, state: sharedState, fields }];
        });
        standing = { actors: [...actors, ...shared], underWay: [...run.pending] };
      };
      run.ticks$.subscribe((now) => {
        if (now === tick) look?.();
      });
    },
  });
  if (deadlock !== undefined || isOfEnd) look?.();
  return standing;
}

/** What differs between two contexts, as it is in the second one. */
const fieldsOf = (before: unknown, after: unknown): string =>
  changedFields(before, after)
    .map((one) => `${one.path}=${one.after}`)
    .join(' ');
