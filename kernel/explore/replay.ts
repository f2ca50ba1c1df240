import { RecordingChoices, type Tape } from '../choices.ts';
import { defect, KernelError } from '../errors.ts';
import type { InjectedFault } from '../faults.ts';
import { Run } from '../run.ts';
import type { Wiring } from '../wiring.ts';
import { type Claim, claimText } from './claim.ts';
import { GuidedChoices } from './guide.ts';
import type { Observer } from './observer.ts';
import type { Route } from './route.ts';
import { RunWatch } from './watch-run.ts';

/** What a run is carried out with that an exploration was. */
export interface ReplayOptions {
  readonly observers?: readonly Observer[];
  readonly faults?: readonly InjectedFault[];
  readonly deliveriesPerTickMax?: number;
  /** The last tick that is carried out. */
  readonly until?: number;
}

/** What was found, as a run comes to it. */
export interface Confirmed {
  readonly claim: Claim;
  readonly tape: Tape;
}

/**
 * Carries out a run along a route and makes sure that it comes to what an exploration found: same verdict, sentence and actors. Returns the claim in the words of the run, and its picks.
 *
 * Why: an exploration merges states, leaves out orders and looks up what it knows. A run does none of this, so what it comes to is a fact. Errors: a defect that says what differs.
 */
export function confirm(make: () => Wiring, options: ReplayOptions, claim: Claim, route: Route): Confirmed {
  const came = comesTo(make, options, claim, route);
  if (typeof came !== 'string') return came;
  return defect(
    `the exhaustive checker found ${claimText(claim)}\n  in tick ${route.tick}, and a run along its ${route.steps.length} deliveries comes to: ${came}\n  So it is told as an error of the checker and not as one of the machine; or what the machine does depends on something besides contexts, messages and picks.`,
  );
}

/** What a run along a route comes to that was found, and its picks; else what it comes to, in words. */
function comesTo(
  make: () => Wiring,
  { observers = [], faults = [], deliveriesPerTickMax, until }: ReplayOptions,
  claim: Claim,
  route: Route,
): Confirmed | string {
  const guided = new GuidedChoices(route);
  const choices = new RecordingChoices(guided);
  try {
    const run = new Run(make(), {
      choices,
      faults,
      ...(deliveriesPerTickMax !== undefined && { deliveriesPerTickMax }),
    });
    guided.follow(run);
    const watch = new RunWatch(run, observers, route);
    run.until(run.asynchronous ? route.tick : Math.min(route.tick, until ?? route.tick));
    watch.end();
    const came = watch.comesTo(claim);
    return came ? { claim: came, tape: choices.tape } : watch.text;
  } catch (error) {
    if (error instanceof KernelError) return error.message;
    throw error;
  }
}
