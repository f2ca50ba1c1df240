import { Access, type AccessSort, type Rules } from './access.ts';
import { CacheLines, cleanRanges } from './cache-lines.ts';
import { CoreClock, knows, type Stamp } from './clock.ts';
import { conflict, conflictReport } from './conflict.ts';
import { GroupSyncs } from './group-syncs.ts';
import {
  type AccessEvent,
  type CacheEvent,
  type CoreId,
  coreName,
  coresPerGroup,
  type FreeEvent,
  type GroupEvent,
  groupOf,
  type IssueEvent,
  mainMemory,
  type Operation,
  type RaceEvent,
  type ReplySeenEvent,
  type ReplyStoreEvent,
  type ThreadEvent,
  type ThreadsEvent,
} from './race-event.ts';
import type { RaceKind, RaceReport } from './race-report.ts';
import { Shadow } from './shadow.ts';
import type { Transfer } from './transfer.ts';
import { Transfers } from './transfers.ts';

/** What a detector is made for. */
export interface RaceOptions {
  /** Core groups, 1 to 6. */
  readonly groups?: number;
  readonly policy: Rules;
  /** Called once for each finding, in the order of the run. */
  readonly found: (report: RaceReport) => void;
  /** Remembered accesses from which on those that everybody is past are dropped. Default 65,536. */
  readonly rememberedMax?: number;
}

interface Who {
  readonly core: CoreId;
  readonly cycle: number;
  readonly operation: Operation;
}

/**
 * Finds pairs of accesses that nothing orders (Sunway specification 7.3), by vector clocks over cores and transfers.
 *
 * Details: a transfer counts as an access to all its bytes from its issue on, whenever it really moves them; what ends it for a core is a wait
 * that covers its increment, a barrier operation, or what the lenient rules accept. So a pair is found in every schedule that leaves it
 * unordered, also where the values happen to be right. After a pair was reported the second core counts as ordered behind the first operation,
 * so that one fault is told once.
 *
 * Gotchas: events must come in the order of the run; a store to a reply word may come as a plain store or as `reply.store`.
 */
export class RaceDetector {
  readonly #policy: Rules;
  readonly #found: (report: RaceReport) => void;
  readonly #clocks: readonly CoreClock[];
  readonly #live: boolean[];
  readonly #blocked: boolean[];
  readonly #shadow = new Shadow();
  readonly #transfers: Transfers;
  readonly #groups: GroupSyncs;
  readonly #lines = new CacheLines();
  readonly #locks = new Map<string, Stamp>();
  readonly #signals = new Map<string, Stamp>();
  /** By space and address: what the last flag store knew. */
  readonly #flags = new Map<string, Stamp>();
  readonly #ended = new Map<CoreId, Stamp>();
  readonly #said = new Set<string>();
  readonly #rememberedMin: number;
  #rememberedMax: number;
  #handlers = false;

  constructor({ groups = 1, policy, found, rememberedMax = 65_536 }: RaceOptions) {
    const cores = groups * coresPerGroup;
    this.#policy = policy;
    this.#found = found;
    this.#clocks = Array.from({ length: cores }, (_, core) => new CoreClock(core, cores));
    this.#live = Array.from({ length: cores }, (_, core) => core % coresPerGroup === coresPerGroup - 1);
    this.#blocked = new Array<boolean>(cores).fill(false);
    this.#transfers = new Transfers(policy);
    this.#groups = new GroupSyncs(cores);
    this.#rememberedMin = rememberedMax;
    this.#rememberedMax = rememberedMax;
  }

  /** Accesses remembered: what bounds the memory that the detector takes. */
  get remembered(): number {
    return this.#shadow.size;
  }

  /** Takes the next event of the run. */
  see(event: RaceEvent): void {
    if (!this.#live[event.core]) this.#live[event.core] = true;
    const clock = this.#clocks[event.core]!;
    switch (event.kind) {
      case 'load':
      case 'store':
        this.#access(event, clock);
        break;
      case 'issue':
        this.#issue(event, clock);
        break;
      case 'order':
        this.#transfers.order(event);
        break;
      case 'reply.store':
        this.#replyStore(event, clock);
        break;
      case 'reply.waited':
      case 'reply.read':
        this.#replySeen(event, clock);
        break;
      case 'group.arrive':
      case 'group.leave':
        this.#group(event, clock);
        break;
      case 'lock': {
        const before = this.#locks.get(event.lock);
        if (before) this.#acquire(event.core, before);
        break;
      }
      case 'unlock':
        this.#locks.set(event.lock, clock.release());
        break;
      case 'signal.send':
        this.#signals.set(event.signal, clock.release());
        break;
      case 'signal.handle': {
        this.#handlers = true;
        const sent = this.#signals.get(event.signal);
        if (sent) this.#acquire(event.core, sent);
        this.#signals.delete(event.signal);
        break;
      }
      case 'spawn':
      case 'joining':
      case 'join':
        this.#threads(event, clock);
        break;
      case 'thread.end':
        this.#thread(event, clock);
        break;
      case 'free':
        this.#free(event, clock);
        break;
      case 'cache.fill':
      case 'cache.writeBack':
      case 'cache.drop':
        this.#cache(event, clock);
        break;
      default: {
        const never: never = event;
        throw new Error(`unknown race event ${JSON.stringify(never)}`);
      }
    }
  }

  #access(event: AccessEvent, clock: CoreClock): void {
    const { core, cycle, operation } = event;
    const store = event.kind === 'store';
    const flag = event.flag || event.atomic;
    if (flag) this.#flag(event, clock);
    else if (store && event.cached && event.space === mainMemory) {
      this.#cachedStore(event, clock);
      return;
    }
    if (store && event.space !== mainMemory)
      for (const word of this.#transfers.words.wordsIn(
        event.space,
        event.address,
        event.address + event.bytes,
      ))
        this.#replyStore(
          { kind: 'reply.store', core, cycle, operation, word, value: event.value ?? 0 },
          clock,
        );
    const sort: AccessSort = flag ? (store ? 'flagStore' : 'flagLoad') : event.kind;
    const access = new Access(event, event, { sort, time: clock.own, settled: true });
    if (event.cached && !store && event.space === mainMemory) this.#staleLines(event, access, clock);
    this.#register(access, clock.stamp());
    // What a flag store tells must lie before whatever the core does next.
    if (flag && (store || event.atomic)) clock.advance();
  }

  #flag({ core, kind, atomic, space, address }: AccessEvent, clock: CoreClock): void {
    const flag = `${space} ${address}`;
    const before = this.#flags.get(flag);
    if (before && (kind === 'load' || atomic)) this.#acquire(core, before);
    if (kind === 'store' || atomic) this.#flags.set(flag, clock.stamp());
  }

  /** Meets a new access with all that its bytes remember, and remembers it. */
  #register(access: Access, stamp: Stamp): void {
    this.#meetAll(access, stamp);
    this.#shadow.insert(access);
    if (this.#shadow.size > this.#rememberedMax) this.#forget();
  }

  #meetAll(access: Access, stamp: Stamp): void {
    this.#shadow.check(access, (earlier, from, to) => {
      if (this.#isOrdered(earlier, access, stamp, this.#policy)) return true;
      if (!conflict(earlier, access)) return false;
      const underLenient = this.#policy === 'strict' && this.#isOrdered(earlier, access, stamp, 'lenient');
      this.#say(
        conflictReport(earlier, access, [from, to], access.cycle, this.#policy, underLenient),
        `${earlier.core} ${earlier.transfer?.issue.transfer ?? `${earlier.time} ${earlier.from}`} ${access.core} ${access.transfer?.issue.transfer ?? access.from}`,
      );
      earlier.coveredAt(access.core, access.time);
      return true;
    });
  }

  #isOrdered(earlier: Access, later: Access, stamp: Stamp, rules: Rules): boolean {
    if (earlier.isBefore(stamp, rules)) return true;
    if (earlier.transfer && later.transfer) return earlier.transfer.isOrderedBefore(later.transfer);
    return earlier.sort === 'dirty' && later.sort === 'dirty' && earlier.core === later.core;
  }

  #issue(event: IssueEvent, clock: CoreClock): void {
    const stamp = clock.release();
    const [transfer, raced] = this.#transfers.issue(event, stamp, (core, time) => !knows(stamp, core, time));
    for (const reply of raced) this.#resetRace(transfer, reply, event, undefined);
    this.#storedWords(transfer, event, stamp);
    for (const access of transfer.accesses) this.#register(access, stamp);
  }

  /** A plain store to a word that no transfer had named yet is a store to a reply word all the same. */
  #storedWords(transfer: Transfer, event: IssueEvent, stamp: Stamp): void {
    event.replies.forEach(({ word: { space, offset } }, reply) => {
      const word = new Access({ space, address: offset, bytes: 4 }, event, {
        sort: 'copy',
        time: stamp.own,
        settled: false,
      });
      this.#shadow.check(word, (earlier) => {
        const store = earlier.sort === 'store' && !earlier.isBefore(stamp, this.#policy);
        if (store) this.#resetRace(transfer, reply, event, undefined);
        return false;
      });
    });
  }

  #replyStore(event: ReplyStoreEvent, clock: CoreClock): void {
    const { core, word, value } = event;
    const outstanding = this.#transfers.stored(word, value, core, clock.own);
    for (const { transfer, reply } of outstanding) this.#resetRace(transfer, reply, event, event);
  }

  #resetRace(transfer: Transfer, reply: number, { cycle }: Who, store: Who | undefined): void {
    const { issue } = transfer;
    const { word } = issue.replies[reply]!;
    const owner = coreName(word.space);
    const issued = {
      ...issue.operation,
      core: issue.core,
      cycle: issue.cycle,
      does: `adds to a word of ${owner}`,
    };
    const report: RaceReport = {
      kind: 'ReplyResetRace',
      severity: 'error',
      cycle,
      cores: [...new Set([store?.core ?? word.space, issue.core])],
      first: issued,
      second: store && { ...store.operation, core: store.core, cycle: store.cycle, does: 'sets the word' },
      range: { space: word.space, from: word.offset, to: word.offset + 4 },
      word,
      missing: store
        ? `a wait of ${owner} on the word that covers the increment before it is set`
        : `a synchronisation between the store of ${owner} to the word and the issue of the transfer`,
      fix: 'set the word before a synchronisation with whoever increments it, and set it again only after a wait',
    };
    this.#say(report, `${issue.transfer} ${reply} ${store ? 'set' : 'issued'}`);
  }

  #replySeen(event: ReplySeenEvent, clock: CoreClock): void {
    const { core, word, value } = event;
    // Any word of four bytes may be read; only those that a transfer names tell something.
    if (event.kind === 'reply.read' && !this.#transfers.words.has(word)) return;
    const { ambiguous, outstanding } = this.#transfers.seen(word, value, core, clock.advance());
    if (!ambiguous || event.kind === 'reply.read') return;
    const report: RaceReport = {
      kind: 'AmbiguousWait',
      severity: 'warning',
      cycle: event.cycle,
      cores: [core],
      first: { ...event.operation, core, cycle: event.cycle, does: `waits for ${value}` },
      second: undefined,
      range: { space: word.space, from: word.offset, to: word.offset + 4 },
      word,
      missing: `${outstanding} increments were outstanding on the word: which of them came cannot be told`,
      fix: 'wait for all of them, or give each transfer a word of its own',
    };
    this.#say(report, `${core} ${event.operation.step} ${event.cycle}`);
  }

  #group({ kind, core, group, members }: GroupEvent, clock: CoreClock): void {
    if (kind === 'group.arrive') {
      const complete = this.#groups.arrive(group, members, clock.release());
      if (complete) this.#transfers.synchronised(complete);
      return;
    }
    const { joined } = this.#groups.leave(group, core);
    this.#acquire(core, joined.asStamp(core));
  }

  #acquire(core: CoreId, ...stamps: readonly Stamp[]): void {
    const clock = this.#clocks[core]!;
    clock.acquire(...stamps);
    const now = clock.stamp();
    this.#transfers.prune(
      core,
      (transfer) =>
        transfer.putsToMemory &&
        transfer.isComplete(this.#policy) &&
        transfer.copies[0]!.isBefore(now, this.#policy),
    );
  }

  #threads({ kind, core, threads }: ThreadsEvent, clock: CoreClock): void {
    if (kind === 'spawn') {
      const stamp = clock.release();
      for (const thread of threads) {
        this.#live[thread] = true;
        this.#acquire(thread, stamp);
      }
      return;
    }
    this.#blocked[core] = kind === 'joining';
    if (kind === 'joining') return;
    this.#acquire(core, ...threads.flatMap((thread) => this.#ended.get(thread) ?? []));
    for (const thread of threads) this.#transfers.drained(thread, core, clock.own);
  }

  #thread(event: ThreadEvent, clock: CoreClock): void {
    const { core } = event;
    const stamp = clock.release();
    this.#live[core] = false;
    this.#ended.set(core, stamp);
    for (const transfer of this.#transfers.all()) {
      if (transfer.issue.core === core) {
        if (transfer.uncovered) this.#outlived('OrphanTransfer', transfer, transfer.source, event);
        continue;
      }
      const here = transfer.accesses.find((one) => one.space === core && !one.isBefore(stamp, 'lenient'));
      if (here) this.#outlived('FreeWhileInFlight', transfer, here, event);
    }
  }

  #free(event: FreeEvent, clock: CoreClock): void {
    const stamp = clock.stamp();
    const freed = new Access(event, event, { sort: 'store', time: clock.own, settled: true });
    this.#shadow.check(freed, (earlier) => {
      const over = earlier.isBefore(stamp, this.#policy);
      if (earlier.transfer && !over) this.#outlived('FreeWhileInFlight', earlier.transfer, earlier, event);
      return over;
    });
  }

  #outlived(
    kind: Extract<RaceKind, 'OrphanTransfer' | 'FreeWhileInFlight'>,
    transfer: Transfer,
    access: Access,
    event: ThreadEvent | FreeEvent,
  ): void {
    const { issue } = transfer;
    const ends = event.kind === 'free' ? 'frees the bytes' : 'ends its thread';
    const report: RaceReport = {
      kind,
      severity: kind === 'OrphanTransfer' ? 'warning' : 'error',
      cycle: event.cycle,
      cores: [...new Set([issue.core, event.core])],
      first: { ...issue.operation, core: issue.core, cycle: issue.cycle, does: 'issues a transfer' },
      second: { ...event.operation, core: event.core, cycle: event.cycle, does: ends },
      range: { space: access.space, from: access.from, to: access.to },
      word: issue.replies[0]?.word,
      missing: `a wait that covers the transfer before ${coreName(event.core)} ${ends}`,
      fix: 'wait for every transfer that was issued on a buffer before giving it up',
    };
    this.#say(report, `${issue.transfer} ${event.core}`);
  }

  #cachedStore(event: AccessEvent, clock: CoreClock): void {
    const { core, space, address, bytes } = event;
    const lines = [...this.#lines.touched(core, address, address + bytes)];
    // Without a line nothing tells when memory will see the store: it counts as seen at once.
    if (lines.length === 0) {
      this.#register(
        new Access(event, event, { sort: 'store', time: clock.own, settled: true }),
        clock.stamp(),
      );
      return;
    }
    for (const line of lines) {
      const from = Math.max(address, line.address);
      const to = Math.min(address + bytes, line.address + line.bytes);
      const what = { sort: 'dirty' as const, time: clock.own, settled: false };
      const access = new Access({ space, address: from, bytes: to - from }, event, what);
      line.dirty.set(`${from} ${to}`, access);
      this.#register(access, clock.stamp());
    }
  }

  /** A cached load returns what memory held when the line was filled. */
  #staleLines(event: AccessEvent, load: Access, clock: CoreClock): void {
    const stamp = clock.stamp();
    for (const line of this.#lines.touched(event.core, load.from, load.to)) {
      const from = Math.max(load.from, line.address);
      const to = Math.min(load.to, line.address + line.bytes);
      const part = new Access({ space: mainMemory, address: from, bytes: to - from }, event, {
        sort: 'load',
        time: clock.own,
        settled: true,
      });
      this.#shadow.check(part, (earlier, sharedFrom, sharedTo) => {
        const ordered = earlier.isBefore(stamp, this.#policy);
        const own = earlier.core === event.core && !earlier.transfer;
        if (ordered && earlier.writes && !own && !earlier.isBefore(line.filled, this.#policy))
          this.#stale(earlier, part, [sharedFrom, sharedTo]);
        return false;
      });
    }
  }

  #stale(earlier: Access, load: Access, range: readonly [number, number]): void {
    const report = conflictReport(earlier, load, range, load.cycle, this.#policy, false);
    const name = coreName(load.core);
    this.#say(
      {
        ...report,
        kind: 'StaleCacheRead',
        missing: `the line of ${name} was filled before the write and not evicted since`,
        fix: `${name} evicts the line (scache_evict) after the synchronisation and before it reads`,
      },
      `${earlier.core} ${earlier.time} ${load.core} ${load.from}`,
    );
  }

  #cache({ kind, core, cycle, operation, address, bytes }: CacheEvent, clock: CoreClock): void {
    if (kind === 'cache.fill') {
      this.#lines.fill(core, address, bytes, clock.stamp());
      return;
    }
    const line = this.#lines.line(core, address);
    if (!line) return;
    if (kind === 'cache.drop') {
      this.#lines.drop(core, address);
      return;
    }
    const time = clock.advance();
    for (const [from, to] of cleanRanges(line)) {
      const place = { space: mainMemory, address: from, bytes: to - from };
      const access = new Access(place, { core, cycle, operation }, { sort: 'rewrite', time, settled: true });
      // What was changed since the line was filled is overwritten, however well the write-back is ordered behind it.
      this.#meetAll(access, line.filled);
      this.#shadow.insert(access);
    }
    for (const store of line.dirty.values()) store.coveredAt(core, time);
    line.dirty.clear();
  }

  #say(report: RaceReport, about: string): void {
    const key = `${report.kind} ${report.range.space} ${about}`;
    if (this.#said.has(key)) return;
    this.#said.add(key);
    this.#found(report);
  }

  /** Drops what every core that can still act is past. */
  #forget(): void {
    const keepWrites = this.#lines.any;
    const stamps = this.#clocks.flatMap((clock, core) =>
      this.#live[core] && !(this.#blocked[core] && !this.#handlers) ? [clock.stamp()] : [],
    );
    this.#shadow.forget((access) => {
      if (access.space === mainMemory && keepWrites && access.writes) return false;
      return stamps.every(
        (stamp) =>
          (access.space !== mainMemory && groupOf(stamp.core) !== groupOf(access.space)) ||
          access.isBefore(stamp, this.#policy),
      );
    });
    this.#rememberedMax = Math.max(this.#rememberedMin, 2 * this.#shadow.size);
  }
}
