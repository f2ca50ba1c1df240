import { Constraints, type Edge, firstValue, type ReadsFrom } from './constraints.ts';
import type { History, Initial } from './history.ts';
import type { GivenOrder } from './order.ts';
import type { Case } from './verdict.ts';

/** What trying every case came to: all of them fail, or one gives an order; undefined when there were too many. */
export type Trial = { readonly cases: readonly Case[] } | { readonly witness: History } | undefined;

/**
 * Supposes one thing after another where the constraints of a history leave something open, until each case has a circle or one leaves nothing open.
 *
 * Details: `casesMax` is how many cases may be looked at; with n accesses of known sources in one location, one is enough.
 */
export function tryCases(accesses: History, order: GivenOrder, initial: Initial, casesMax: number): Trial {
  const cases: Case[] = [];
  const open: (readonly (ReadsFrom | Edge)[])[] = [[]];
  for (let looked = 0; open.length > 0; looked++) {
    if (looked === casesMax) return undefined;
    const supposed = open.pop()!;
    const constraints = new Constraints(accesses, order, initial, supposed);
    if (constraints.unwritten) return { cases: [] };
    const { circle } = constraints;
    if (circle.length > 0) {
      cases.push({ supposed: supposed.map((one) => inWords(one, accesses)), circle });
      continue;
    }
    const { alternatives } = constraints;
    if (alternatives.length === 0) return { witness: constraints.order };
    open.push(...alternatives.map((one) => [...supposed, one]).reverse());
  }
  return { cases };
}

const inWords = (one: ReadsFrom | Edge, accesses: History): Case['supposed'][number] =>
  'read' in one
    ? { read: accesses[one.read]!, source: one.source === firstValue ? undefined : accesses[one.source]! }
    : { before: accesses[one.from]!, after: accesses[one.to]! };
