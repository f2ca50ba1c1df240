import { firstDifference } from '../difference.ts';
import { KernelError } from '../errors.ts';
import type { Context } from '../tables.ts';
import { unshared } from './alternative.ts';
import { type Carried, orderlessTextOf, whatCame } from './carried.ts';
import { keyOrdersText } from './key-order.ts';
import type { Locals, Reordered } from './locals.ts';
import type { Slots } from './slots.ts';

/** A handling in a local state whose keys came in another order as well, of which it was not yet seen whether that matters. */
interface Doubt {
  readonly local: number;
  readonly messageId: number;
  readonly budgetState: number;
  readonly version: number;
  readonly order: Reordered;
}

/**
 * Makes sure that nothing that was found out of a local state goes by the order in which the keys of its objects came.
 *
 * Why: states that differ in this order alone are one state, of which one order is gone on from. A recipe that takes the first key would do in a run from another order what
 * nobody has looked at.
 *
 * Details: orders are compared as they are met, so a recipe may go by one that is always the same.
 */
export class KeyOrderCheck {
  readonly #doubts: Doubt[] = [];

  constructor(
    private readonly locals: Locals,
    private readonly slots: Slots,
    /** True in an unordered network. */
    private readonly isUnordered: boolean,
    /** What is known of a local state. */
    private readonly knownOf: (local: number) => Iterable<readonly [messageId: number, budgetState: number]>,
    private readonly carryOut: (
      local: number,
      messageId: number,
      budgetState: number,
      version: number,
    ) => readonly Carried[],
  ) {}

  /** A local state was met with this context: what is known of it must hold with keys in that order, too. */
  meet(local: number, context: Context): void {
    const order = this.locals.meet(local, context);
    if (!order) return;
    for (const [messageId, budgetState] of this.knownOf(local))
      this.#doubts.push({ local, messageId, budgetState, version: unshared, order });
  }

  /** Something is found out of a local state: it must hold in all orders in which its keys came. */
  doubt(local: number, messageId: number, budgetState: number, version: number): void {
    for (const order of this.locals.reorderedOf(local))
      this.#doubts.push({ local, messageId, budgetState, version, order });
  }

  /** Carries out what is in doubt with keys in the other order. Errors: KRN025 where something else comes of it. */
  verify(): void {
    for (let doubt = this.#doubts.pop(); doubt; doubt = this.#doubts.pop()) this.#verify(doubt);
  }

  #verify({ local, messageId, budgetState, version, order }: Doubt): void {
    const { slots, locals, isUnordered } = this;
    const slot = slots.receiverOf(messageId);
    const carryOut = () => this.carryOut(local, messageId, budgetState, version);
    const first = carryOut();
    const again = locals.inOtherOrder(local, order, carryOut);
    if (orderlessTextOf(again, isUnordered) !== orderlessTextOf(first, isUnordered)) {
      const difference = firstDifference(again.map(whatCame), first.map(whatCame), 'alternative');
      throw new KernelError(
        'KRN025',
        slot.name,
        `"${slots.eventOf(messageId).type}" came a second time in the same state, where ${keyOrdersText(order.orders)}, and did something else: ${difference}`,
        {
          cure: 'the order of keys is no part of a state: keep a list or a Map where the order matters, or sort the keys',
        },
      );
    }
    // Where keys come in another order they do so in what comes of it.
    for (const { handled, key } of again) {
      const next = key === undefined ? undefined : locals.known(slot, key);
      if (next !== undefined) this.meet(next, handled.state!.context);
    }
  }
}
