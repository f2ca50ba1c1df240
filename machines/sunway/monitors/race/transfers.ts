import type { Rules } from './access.ts';
import type { Stamp } from './clock.ts';
import type { GroupInstance } from './group-syncs.ts';
import { type CoreId, type IssueEvent, mainMemory, type OrderEvent, type ReplyWord } from './race-event.ts';
import { type Coverage, type Pending, ReplyLedger, type WordStore } from './reply-ledger.ts';
import { type OrderCount, Transfer } from './transfer.ts';

const noOrder: OrderCount = { dma: 0, rma: 0, both: 0 };

/**
 * The transfers that are not over for everybody yet, and who learns of their ends when.
 *
 * Details: the lenient rules are always followed; under the strict policy the strict ones as well, so that a report can say which of them
 * leave two operations unordered.
 */
export class Transfers {
  readonly #policy: Rules;
  readonly #ledgers: Readonly<Partial<Record<Rules, ReplyLedger>>> & { readonly lenient: ReplyLedger };
  readonly #open = new Map<CoreId, Set<Transfer>>();
  /** Some party knows of an end, others do not. */
  readonly #half = new Set<Transfer>();
  readonly #orders = new Map<CoreId, OrderCount>();

  constructor(policy: Rules) {
    this.#policy = policy;
    this.#ledgers = {
      lenient: new ReplyLedger('lenient'),
      ...(policy === 'strict' && { strict: new ReplyLedger('strict') }),
    };
  }

  /** The words as the governing rules see them. */
  get words(): ReplyLedger {
    return this.#ledgers[this.#policy] ?? this.#ledgers.lenient;
  }

  /** Those of a core that are not over. */
  openOf(core: CoreId): Iterable<Transfer> {
    return this.#open.get(core) ?? [];
  }

  /** All that are not over. */
  *all(): Generator<Transfer> {
    for (const open of this.#open.values()) yield* open;
  }

  /** A core issues a transfer. Returns it, and the replies to whose words somebody stored without the issuer knowing. */
  issue(
    event: IssueEvent,
    start: Stamp,
  ): readonly [transfer: Transfer, raced: ReturnType<ReplyLedger['issue']>] {
    const transfer = new Transfer(event, start, this.#orders.get(event.core) ?? noOrder);
    const lenient = this.#ledgers.lenient.issue(transfer);
    const strict = this.#ledgers.strict?.issue(transfer);
    const open = this.#open.get(event.core) ?? new Set();
    this.#open.set(event.core, open.add(transfer));
    return [transfer, strict ?? lenient];
  }

  /** A core queues a barrier operation. */
  order({ core, engine }: OrderEvent): void {
    const before = this.#orders.get(core) ?? noOrder;
    this.#orders.set(core, { ...before, [engine]: before[engine] + 1 });
  }

  /** Under these rules, a core knows since `time` what these increments announce. */
  cover(covered: readonly Pending[], core: CoreId, time: number, rules: Rules): void {
    const lenientOnly = rules === 'lenient' && this.#policy === 'strict';
    for (const { transfer, reply } of covered) {
      const { announces } = transfer.issue.replies[reply]!;
      transfer.source.coveredAt(core, time, { lenientOnly });
      if (announces !== 'source') transfer.copies[announces]!.coveredAt(core, time, { lenientOnly });
      else if (transfer.putsToMemory)
        transfer.copies[0]!.coveredAt(core, time, { lenientOnly, roundTrip: true });
      transfer.known.push({ core, time });
      this.#half.add(transfer);
      if ((this.#orders.get(transfer.issue.core) ?? noOrder) !== noOrder)
        for (const earlier of this.openOf(transfer.issue.core))
          if (earlier !== transfer && earlier.isOrderedBefore(transfer))
            this.#over(earlier, core, time, lenientOnly);
      this.#close(transfer);
    }
  }

  /** A wait returned, or a read found a value: covers what that covers under each of the rules. Returns what the governing ones say. */
  seen(word: ReplyWord, value: number, core: CoreId, time: number): Coverage {
    const strict = this.#ledgers.strict?.seen(word, value);
    if (strict) this.cover(strict.covered, core, time, 'strict');
    const lenient = this.#ledgers.lenient.seen(word, value);
    this.cover(lenient.covered, core, time, 'lenient');
    return strict ?? lenient;
  }

  /** A core stores to a word. Returns what was outstanding on it under the governing rules. */
  stored(word: ReplyWord, value: number, store: WordStore): readonly Pending[] {
    const lenient = this.#ledgers.lenient.stored(word, value, store);
    return this.#ledgers.strict?.stored(word, value, store) ?? lenient;
  }

  /** The whole-transfer rule: a group that contains issuer and other party, one of whom knows of an end, has synchronised. */
  synchronised({ joined, arrived }: GroupInstance): void {
    for (const transfer of this.#half) {
      const issuer = transfer.issue.core;
      const issuerTime = arrived.get(issuer);
      if (issuerTime === undefined) continue;
      if (!transfer.known.some(({ core, time }) => joined.known[core]! >= time)) continue;
      const arrivalAt = (space: number) => (space === mainMemory ? issuerTime : arrived.get(space));
      for (const access of transfer.accesses) {
        const time = arrivalAt(access.space);
        if (time !== undefined && !transfer.putsToMemory)
          access.coveredAtBoth(issuer, issuerTime, access.space === mainMemory ? issuer : access.space, time);
      }
      transfer.issue.replies.forEach(({ word }, reply) => {
        if (arrived.has(word.space)) this.#ledgers.lenient.settle(transfer, reply);
      });
      this.#close(transfer);
    }
  }

  /** The threads of a core have ended and somebody has waited for that: what they put is in place (Sunway specification 7.1). */
  drained(thread: CoreId, core: CoreId, time: number): void {
    for (const transfer of this.openOf(thread))
      if (transfer.issue.action !== 'get') this.#over(transfer, core, time, false);
  }

  /** A core has learned something from others: puts of its own that it has waited for are in memory now. */
  arrived(core: CoreId, now: Stamp): void {
    const open = this.#open.get(core);
    if (!open || open.size === 0) return;
    for (const transfer of open)
      if (
        transfer.putsToMemory &&
        transfer.isComplete(this.#policy) &&
        transfer.copies[0]!.isBefore(now, this.#policy)
      )
        this.#drop(transfer);
  }

  #drop(transfer: Transfer): void {
    this.#open.get(transfer.issue.core)?.delete(transfer);
    this.#half.delete(transfer);
  }

  #over(transfer: Transfer, core: CoreId, time: number, lenientOnly: boolean): void {
    for (const access of transfer.accesses) access.coveredAt(core, time, { lenientOnly });
    const ledgers = lenientOnly ? [this.#ledgers.lenient] : this.#each();
    for (const ledger of ledgers)
      transfer.issue.replies.forEach((_, reply) => {
        ledger.settle(transfer, reply);
      });
    this.#close(transfer);
  }

  #each(): readonly ReplyLedger[] {
    const { lenient, strict } = this.#ledgers;
    return strict ? [lenient, strict] : [lenient];
  }

  /** A put to memory stays until it is pruned: only its issuer's next round trip tells when the bytes are there. */
  #close(transfer: Transfer): void {
    if (transfer.isComplete('lenient')) this.#half.delete(transfer);
    if (transfer.putsToMemory) return;
    if (transfer.isComplete(this.#policy)) this.#open.get(transfer.issue.core)?.delete(transfer);
  }
}
