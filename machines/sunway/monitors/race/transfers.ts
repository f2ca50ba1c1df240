import type { CoreClock, Rules, Stamp } from './clock.ts';
import type { GroupInstance } from './group-syncs.ts';
import { Orders } from './orders.ts';
import { type CoreId, type IssueEvent, mainMemory, type OrderEvent, type ReplyWord } from './race-event.ts';
import { type Coverage, type Pending, ReplyLedger, type WordStore } from './reply-ledger.ts';
import { Transfer } from './transfer.ts';

/**
 * The transfers that are not over for everybody yet, and who learns of their ends when.
 *
 * Details: the lenient rules are always followed; under the strict policy the strict ones as well, so that a report can say which of them
 * leave two operations unordered.
 */
export class Transfers {
  readonly #policy: Rules;
  readonly #clocks: readonly CoreClock[];
  readonly words: ReplyLedger;
  readonly #open = new Map<CoreId, Set<Transfer>>();
  /** Some party knows of an end, others do not. */
  readonly #half = new Set<Transfer>();
  readonly #orders = new Map<CoreId, Orders>();

  constructor(policy: Rules, clocks: readonly CoreClock[]) {
    this.#policy = policy;
    this.#clocks = clocks;
    this.words = new ReplyLedger(policy, (core) => this.#stampOf(core));
  }

  #stampOf(core: CoreId): Stamp {
    return this.#clocks[core]!.stamp();
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
    const transfer = new Transfer(event, start, this.#ordersOf(event.core));
    const open = this.#open.get(event.core) ?? new Set();
    this.#open.set(event.core, open.add(transfer));
    return [transfer, this.words.issue(transfer)];
  }

  /** A core queues a barrier operation. */
  order({ core, engine }: OrderEvent): void {
    this.#ordersOf(core).order(engine);
  }

  #ordersOf(core: CoreId): Orders {
    const known = this.#orders.get(core) ?? new Orders();
    this.#orders.set(core, known);
    return known;
  }

  /**
   * A wait returned, or a read found a value: the core is behind the increments that this covers, and behind what their issuers did before.
   * Returns what the governing rules say of it.
   */
  seen(word: ReplyWord, value: number, core: CoreId): Coverage {
    const clock = this.#clocks[core]!;
    const governing = this.words.seen(word, value, core, this.#policy);
    const more = this.#policy === 'strict' ? this.words.seen(word, value, core, 'lenient').covered : [];
    const lenientOnly = more.filter((one) => !governing.covered.includes(one));
    const starts = (covered: readonly Pending[]): readonly Stamp[] =>
      covered.flatMap(({ transfer: { issue, start } }) => (issue.core === core ? [] : [start]));
    const time = clock.acquire(starts(governing.covered), starts(lenientOnly));
    this.#cover(governing.covered, core, time);
    this.#cover(lenientOnly, core, time, 'lenient');
    return governing;
  }

  #cover(covered: readonly Pending[], core: CoreId, time: number, only?: Rules): void {
    for (const { transfer, reply } of covered) {
      transfer.repliedAt(reply, core, time, only);
      transfer.known.push({ core, time });
      this.#half.add(transfer);
      this.#close(transfer);
    }
  }

  /** A core stores to a word. Returns what was outstanding on it under the governing rules. */
  stored(word: ReplyWord, value: number, store: WordStore): readonly Pending[] {
    return this.words.stored(word, value, store);
  }

  /** The whole-transfer rule: a group that contains issuer and other party, one of whom knows of an end, has synchronised. */
  synchronised({ joined, arrived }: GroupInstance): void {
    for (const transfer of this.#half) {
      const { core: issuer, replies } = transfer.issue;
      const issuerTime = arrived.get(issuer);
      if (issuerTime === undefined) continue;
      if (!transfer.known.some(({ core, time }) => joined.known[core]! >= time)) continue;
      let all = true;
      const coverAt = (space: number, end: Pick<Transfer['source'], 'coveredAtBoth'>): void => {
        const party = space === mainMemory ? issuer : space;
        const time = arrived.get(party);
        if (time === undefined) all = false;
        else end.coveredAtBoth(issuer, issuerTime, party, time);
      };
      if (!transfer.putsToMemory) for (const access of transfer.accesses) coverAt(access.space, access);
      replies.forEach(({ word }, reply) => {
        coverAt(word.space, transfer.replies[reply]!);
      });
      if (!all) continue;
      this.#half.delete(transfer);
      if (this.#policy === 'lenient' && !transfer.putsToMemory) this.#open.get(issuer)?.delete(transfer);
    }
  }

  /** The threads of a core have ended and somebody has waited for that: what they put is in place (Sunway specification 7.1). */
  drained(thread: CoreId, core: CoreId, time: number): void {
    for (const transfer of this.#open.get(thread) ?? [])
      if (transfer.issue.action !== 'get') {
        transfer.overAt(core, time);
        this.#close(transfer);
      }
  }

  /** A core has learned something from others: puts of its own that it has waited for are in memory now. */
  arrived(core: CoreId): void {
    const open = this.#open.get(core);
    if (!open || open.size === 0) return;
    const now = this.#stampOf(core);
    for (const transfer of open)
      if (transfer.putsToMemory && transfer.copies[0]!.isBefore(now, this.#policy)) {
        open.delete(transfer);
        this.#half.delete(transfer);
      }
  }

  /** A put to memory stays open: only its issuer's next round trip tells when the bytes are there. */
  #close(transfer: Transfer): void {
    const stampOf = (core: CoreId): Stamp => this.#stampOf(core);
    if (!transfer.isSettled(stampOf, 'lenient')) return;
    this.#half.delete(transfer);
    if (transfer.putsToMemory) return;
    if (this.#policy === 'lenient' || transfer.isSettled(stampOf, 'strict'))
      this.#open.get(transfer.issue.core)?.delete(transfer);
  }
}
