import { Access, type AccessSort } from './access.ts';
import { AccessHistory } from './access-history.ts';
import { CachedAccesses } from './cached-accesses.ts';
import { CoreClock, type Rules, type Stamp } from './clock.ts';
import { FlagWords } from './flag-words.ts';
import { GroupSyncs } from './group-syncs.ts';
import { outlivedReport } from './outlived.ts';
import { Presence } from './presence.ts';
import {
  type AccessEvent,
  type CoreId,
  coresPerGroup,
  type FreeEvent,
  type GroupEvent,
  groupOf,
  type IssueEvent,
  mainMemory,
  type RaceEvent,
  type ReplySeenEvent,
  type ThreadEvent,
  type ThreadsEvent,
} from './race-event.ts';
import type { RaceReport } from './race-report.ts';
import { scalarBytesMax, wordOf } from './reply-ledger.ts';
import { ReplyWords } from './reply-words.ts';
import { ReportOnce } from './report-once.ts';
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
  readonly #clocks: readonly CoreClock[];
  readonly #told: ReportOnce;
  readonly #history: AccessHistory;
  readonly #caches: CachedAccesses;
  readonly #transfers: Transfers;
  readonly #words: ReplyWords;
  readonly #groups: GroupSyncs;
  readonly #flags = new FlagWords();
  readonly #presence: Presence;
  readonly #locks = new Map<string, Stamp>();
  readonly #signals = new Map<string, Stamp>();
  readonly #ended = new Map<CoreId, Stamp>();
  readonly #rememberedMin: number;
  #rememberedMax: number;

  constructor({ groups = 1, policy, found, rememberedMax = 65_536 }: RaceOptions) {
    const cores = groups * coresPerGroup;
    this.#policy = policy;
    this.#clocks = Array.from({ length: cores }, (_, core) => new CoreClock(core, cores, policy));
    this.#told = new ReportOnce(found);
    this.#history = new AccessHistory(policy, this.#told);
    this.#caches = new CachedAccesses(policy, this.#history, this.#told);
    this.#transfers = new Transfers(policy, this.#clocks);
    this.#words = new ReplyWords(policy, this.#transfers, this.#history, this.#told);
    this.#groups = new GroupSyncs(cores);
    this.#presence = new Presence(cores);
    this.#rememberedMin = rememberedMax;
    this.#rememberedMax = rememberedMax;
  }

  /** Accesses remembered: what bounds the memory that the detector takes. */
  get remembered(): number {
    return this.#history.size;
  }

  /** Takes the next event of the run. */
  see(event: RaceEvent): void {
    this.#presence.acts(event.core);
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
        this.#words.stored(event, clock.own);
        break;
      case 'reply.waited':
      case 'reply.read':
        this.#replySeen(event);
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
        this.#presence.handlers = true;
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
        this.#caches.line(event, clock);
        this.#bound();
        break;
      default: {
        const never: never = event;
        throw new Error(`unknown race event ${JSON.stringify(never)}`);
      }
    }
  }

  #access(event: AccessEvent, clock: CoreClock): void {
    const { core, cycle, operation, space, address } = event;
    const store = event.kind === 'store';
    const flag = event.flag || event.atomic;
    if (flag) this.#flag(event, clock);
    else if (store && event.cached && space === mainMemory) {
      this.#caches.store(event, clock);
      this.#bound();
      return;
    }
    if (store && space !== mainMemory) {
      for (const word of this.#transfers.words.wordsIn(space, address, address + event.bytes)) {
        const value = wordOf(event.data, word.offset - address);
        this.#words.stored({ kind: 'reply.store', core, cycle, operation, word, value }, clock.own);
      }
      if (event.bytes <= scalarBytesMax) this.#transfers.words.note(event);
    }
    const sort: AccessSort = flag ? (store ? 'flagStore' : 'flagLoad') : event.kind;
    if (event.cached && !store && space === mainMemory) this.#caches.load(event, clock);
    // What goes past a line leaves it as old as it was.
    const pastLine = store && space === mainMemory && this.#caches.holds(event);
    this.#register(
      new Access(event, event, { sort, time: clock.own, settled: true }),
      clock.stamp(),
      pastLine,
    );
    // What a flag store tells must lie before whatever the core does next.
    if (flag && (store || event.atomic)) clock.advance();
  }

  #flag({ core, kind, atomic, space, address }: AccessEvent, clock: CoreClock): void {
    const before = this.#flags.told(space, address);
    // A flag of its own tells a core nothing; an addition in memory goes there and comes back.
    if (before && (atomic || (kind === 'load' && before.core !== core))) this.#acquire(core, before);
    if (kind === 'store' || atomic) this.#flags.tell(space, address, clock.stamp());
  }

  /** Meets a new access with all that its bytes remember, and remembers it. */
  #register(access: Access, stamp: Stamp, beside = false): void {
    this.#history.add(access, stamp, beside);
    this.#bound();
  }

  #issue(event: IssueEvent, clock: CoreClock): void {
    const stamp = clock.release();
    const [transfer, raced] = this.#transfers.issue(event, stamp);
    this.#words.issued(transfer, raced);
    for (const access of transfer.accesses) this.#register(access, stamp);
  }

  #replySeen(event: ReplySeenEvent): void {
    // Any word of four bytes may be read; only those that a transfer names tell something.
    if (event.kind === 'reply.read' && !this.#transfers.words.has(event.word)) return;
    this.#words.seen(event);
    this.#transfers.arrived(event.core);
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
    this.#clocks[core]!.acquire(stamps);
    this.#transfers.arrived(core);
  }

  #threads({ kind, core, threads }: ThreadsEvent, clock: CoreClock): void {
    if (kind === 'spawn') {
      const stamp = clock.release();
      for (const thread of threads) {
        this.#presence.acts(thread);
        this.#acquire(thread, stamp);
      }
      return;
    }
    this.#presence.joins(core, kind === 'joining');
    if (kind === 'joining') return;
    this.#acquire(core, ...threads.flatMap((thread) => this.#ended.get(thread) ?? []));
    for (const thread of threads) this.#transfers.drained(thread, core, clock.own);
  }

  /** What a thread has issued itself and nobody waits for is an orphan, wherever its bytes are; what others move in its LDM must be over. */
  #thread(event: ThreadEvent, clock: CoreClock): void {
    const { core } = event;
    const stamp = clock.release();
    this.#presence.ends(core);
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
    this.#history.look(freed, (earlier) => {
      const over = earlier.isBefore(stamp, this.#policy);
      if (earlier.transfer && !over) this.#outlived('FreeWhileInFlight', earlier.transfer, earlier, event);
      return over;
    });
  }

  #outlived(
    kind: 'OrphanTransfer' | 'FreeWhileInFlight',
    transfer: Transfer,
    access: Access,
    event: ThreadEvent | FreeEvent,
  ): void {
    const about = `${transfer.issue.transfer} ${event.core}`;
    this.#told.say(outlivedReport(kind, transfer, access, event), about);
  }

  /** Drops what every core that can still act is past, once there is much of it. */
  #bound(): void {
    if (this.#history.size <= this.#rememberedMax) return;
    const keepWrites = this.#caches.any;
    const stamps = this.#clocks.flatMap((clock, core) =>
      this.#presence.mayAct(core) ? [clock.stamp()] : [],
    );
    this.#history.forget((access) => {
      if (access.space === mainMemory && keepWrites && access.writes) return false;
      return stamps.every(
        (stamp) =>
          (access.space !== mainMemory && groupOf(stamp.core) !== groupOf(access.space)) ||
          access.isBefore(stamp, this.#policy),
      );
    });
    this.#rememberedMax = Math.max(this.#rememberedMin, 2 * this.#history.size);
  }
}
