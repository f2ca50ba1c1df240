import { Access } from './access.ts';
import type { AccessHistory } from './access-history.ts';
import type { Rules } from './clock.ts';
import type { ReplySeenEvent, ReplyStoreEvent } from './race-event.ts';
import type { Pending, ReplyLedger, WordStore } from './reply-ledger.ts';
import { ambiguousReport, resetReport } from './reply-races.ts';
import type { ReportOnce } from './report-once.ts';
import type { Transfer } from './transfer.ts';
import type { Transfers } from './transfers.ts';

/** What programs do with reply words: a store races with increments that are outstanding, a wait may not say which of them have come. */
export class ReplyWords {
  readonly #policy: Rules;
  readonly #transfers: Transfers;
  readonly #history: AccessHistory;
  readonly #told: ReportOnce;

  constructor(policy: Rules, transfers: Transfers, history: AccessHistory, told: ReportOnce) {
    this.#policy = policy;
    this.#transfers = transfers;
    this.#history = history;
    this.#told = told;
  }

  /** A transfer names words; `raced` are the stores to them of which its issuer does not know. */
  issued(transfer: Transfer, raced: ReturnType<ReplyLedger['issue']>): void {
    for (const [reply, store] of raced) this.#race({ transfer, reply }, store, false);
    const { issue, start } = transfer;
    // A plain store to a word that no transfer had named yet is a store to a reply word all the same.
    issue.replies.forEach(({ word: { space, offset } }, reply) => {
      const bytes = { space, address: offset, bytes: 4 };
      const word = new Access(bytes, issue, { sort: 'copy', time: start.own, settled: false });
      let last: Omit<WordStore, 'time'> | undefined;
      this.#history.look(word, (earlier, from) => {
        if (earlier.sort !== 'store' || earlier.isBefore(start, this.#policy)) return false;
        const store = { core: earlier.core, ...earlier.deedAt(from) };
        if (!last || isLater(store, last)) last = store;
        return false;
      });
      if (last) this.#race({ transfer, reply }, last, false);
    });
  }

  /** A program stores to a word; `time` is the own time of its core. */
  stored({ core, cycle, operation, word, value }: ReplyStoreEvent, time: number): void {
    const store = { core, time, cycle, operation };
    const outstanding = this.#transfers.stored(word, value, store);
    for (const pending of outstanding) this.#race(pending, store, true);
  }

  /** A wait has returned, or a program has read a word. */
  seen(event: ReplySeenEvent): void {
    const { core, word, value, operation, cycle } = event;
    const coverage = this.#transfers.seen(word, value, core);
    if (coverage.ambiguous && event.kind === 'reply.waited')
      this.#told.say(ambiguousReport(word, value, event, coverage), `${core} ${operation.step} ${cycle}`);
  }

  #race(pending: Pending, store: Omit<WordStore, 'time'>, storedLast: boolean): void {
    const about = `${pending.transfer.issue.transfer} ${pending.reply} ${storedLast}`;
    this.#told.say(resetReport(pending, store, storedLast), about);
  }
}

const isLater = (one: Omit<WordStore, 'time'>, other: Omit<WordStore, 'time'>): boolean =>
  one.cycle > other.cycle || (one.cycle === other.cycle && one.operation.step > other.operation.step);
