import type { Tape } from '../choices.ts';
import { KernelError } from '../errors.ts';
import type { Expansion, Spotted } from './expansion.ts';
import { type Route, routeAlong } from './route.ts';

/** What was found, as it is on a way that a run takes. */
export interface Shown {
  readonly spotted: Spotted;
  readonly route: Route;
  /** The picks of that run. */
  readonly tape: Tape;
}

/**
 * What was found on going on from the last state of a chain, the first of which is one before the first tick and follows from the answers of the `start`.
 *
 * Details: where states stand for others it may be other actors that do it, and it is found anew on a way without exchanges. Errors: KRN013 when the exchange of actors
 * misled; a defect when a run along the route does not come to it, so that nothing is told that is not so.
 */
export function shownAlong(
  expansion: Expansion,
  start: readonly number[],
  chain: readonly Uint32Array[],
  spotted: Spotted,
): Shown {
  let shown = spotted;
  const route = routeAlong(expansion, start, chain, (state) => {
    // What the start itself has shown was found on a way without exchanges.
    if (!expansion.exchanges || spotted.start) return shown;
    const anew = expansion.spotFrom(state, spotted);
    if (anew) {
      shown = anew;
      return shown;
    }
    // Says who is told apart, where that is known.
    expansion.exchanges.verify();
    const { actors, what } = spotted;
    throw new KernelError('KRN013', actors.join(), `"${what}" is not found when actors are exchanged back`);
  });
  const { claim, tape } = expansion.confirm(shown, route);
  return { spotted: { ...shown, ...claim }, route, tape };
}
