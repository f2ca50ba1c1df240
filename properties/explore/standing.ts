import { TapeChoices } from '../../kernel/choices.ts';
import type { Message } from '../../kernel/message.ts';
import { changedFields, contextOf } from './close-up.ts';
import type { FailureSummary } from './failure-summary.ts';
import type { History } from './history.ts';
import type { TrialOptions, Trials } from './trial.ts';

/** How everything stands at the end of a tick. */
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

/** Actors of a system of which a reader takes in how all of it stands. */
const actorsMax = 12;

/**
 * How everything stands when a property fails that judges the state of the whole system, or waits for what never comes. Undefined where a delivery was found to be wrong, since that
 * tells more, and for a large system.
 */
export function standingOf(
  trials: Trials,
  { trial, within }: History,
  { verdict, what, tick }: FailureSummary,
  options: TrialOptions,
): Standing | undefined {
  if (verdict !== 'violated' || within !== undefined || trial.run.parts.length > actorsMax) return undefined;
  let standing: Standing | undefined;
  trials.attempt(new TapeChoices(trial.tape), {
    ...options,
    observe: (run, { given, assembly }) => {
      const judge = trials.properties?.observers?.(given, assembly).find(({ sentence }) => sentence === what);
      if (!judge?.seeState && !run.asynchronous) return;
      const initial = new Map(run.parts.map((actor) => [actor.name, contextOf(run, actor)]));
      const look = (now: number) => {
        if (now !== tick) return;
        const actors = run.parts.map((actor) => {
          const changed = changedFields(initial.get(actor.name) ?? {}, contextOf(run, actor));
          const { state } = run.localState(actor.name)!;
          return {
            name: actor.name,
            state,
            fields: changed.map((one) => `${one.path}=${one.after}`).join(' '),
          };
        });
        standing = { actors, underWay: [...run.pending] };
      };
      run.ticks$.subscribe(look);
    },
  });
  return standing;
}
