import { restartType } from '../faults.ts';
import { type Alternative, failed, unshared } from './alternative.ts';
import type { Independence } from './independence.ts';
import { StateSet } from './state-set.ts';
import { budgetAt, type Layout, localAt, messagesAt, versionAt } from './state-words.ts';
import { changeTimers } from './timer-words.ts';
import type { TransitionCache } from './transition-cache.ts';
import { headWords, parts, partWords, type TransitionRecords } from './transition-records.ts';

/** One delivery on the way to somewhere: the message and what its receiver made of it. */
export interface Taken {
  readonly messageId: number;
  readonly alternative: Alternative;
}

/** Whom a search through a tick tells what it comes upon. The words are valid during the call only. */
export interface TickListener {
  /** A delivery was carried out and led to the state at `at`; the memories of observers in it are not brought up to date yet. */
  delivered(words: Uint32Array, at: number, messageId: number, alternative: Alternative): void;
  /** A state in which nothing is left to deliver in this tick. */
  ended(words: Uint32Array, at: number, length: number): void;
  /** The tick does not come to its end: it has too many deliveries, or a state comes back; `cycleFrom` is the delivery with which the circle begins, of the path. */
  endless(cycleFrom: number | undefined): void;
  /** Asynchronous wirings: in the state from the start of `words` on, no party does anything any more. */
  rested?(words: Uint32Array, length: number): void;
}

/** What a search through ticks counts. */
export interface TickCounts {
  /** Deliveries carried out. */
  transitions: number;
  /** Deliveries that were not tried first, since another one commutes with all that can happen before it. */
  postponed: number;
  /** States inside a tick that were come upon again. */
  merged: number;
}

/** From this depth on every state inside a tick is remembered, so that circles without branches are found. */
const rememberFrom = 64;
/** Words that the states inside a tick may have, 4 GiB: the room for them is doubled, and lists of words have an end. */
const rememberedWordsMax = 2 ** 30;
/** At what a search inside one tick may stop: it has more states than asked for, or they take more memory than there is for them. */
export type TickLimit = 'states of a tick' | 'memory of a tick';

/** How far a search through a tick goes. */
export interface TickLimits {
  /** Deliveries that one tick may have; more are a livelock. */
  readonly deliveriesMax: number;
  /** States inside one tick after which the search stops. */
  readonly statesMax: number;
}

/**
 * Goes through everything that can happen in one tick: depth first, each state inside the tick once.
 *
 * Details: in each state the heads of all channels are tried, or, where `independence` finds one, a part of them that is enough. States in which something branches are
 * remembered, and not gone through again. Both are sound together: which heads are enough depends on the state alone, and every order of deliveries that is
 * left out is, by exchanging neighbours that commute, one that is tried; so every end of the tick, every handling and every endless tick is come upon.
 * An actor whose handling failed takes everything else of its tick in silence, so that what others do independently is still come upon; the end of such a tick is none.
 */
export class TickSearch {
  readonly counts: TickCounts = { transitions: 0, postponed: 0, merged: 0 };
  readonly #transitionCache: TransitionCache;
  readonly #records: TransitionRecords;
  readonly #layout: Layout;
  readonly #independence: Independence | undefined;
  readonly #limits: TickLimits;
  readonly #listener: TickListener;
  readonly #remembered = new StateSet();
  /** By remembered state: the frame that is going through it, -1 when it is done. */
  readonly #openAt: number[] = [];
  #words = new Uint32Array(1 << 12);
  /** Words of the state that it began with. */
  #length = 0;
  #stopped = true;
  /** True when it stopped in the middle, since the tick has more states of its own than it may. */
  cutAt: TickLimit | undefined;
  /** Number of the search through this tick. */
  #tick = 0;
  #depth = -1;
  // One entry a frame. A frame is a state on the way from the beginning of the tick.
  readonly #at: number[] = [];
  readonly #end: number[] = [];
  /** Place of the message that is delivered next, -1 when none is left. */
  readonly #next: number[] = [];
  readonly #alternative: number[] = [];
  /** The record of that message, 0 while it is not looked up, and the place of its next alternative. */
  readonly #record: number[] = [];
  readonly #part: number[] = [];
  /** Which heads are tried: all (-1), one (-2), or those for one slot. */
  readonly #only: number[] = [];
  readonly #number: number[] = [];
  readonly #failed: boolean[] = [];
  readonly #takenMessageId: number[] = [];
  readonly #takenRecord: number[] = [];
  readonly #takenAlternative: number[] = [];

  /** Without `independence` everything is tried. */
  constructor(
    transitionCache: TransitionCache,
    layout: Layout,
    independence: Independence | undefined,
    limits: TickLimits,
    listener: TickListener,
  ) {
    this.#transitionCache = transitionCache;
    this.#records = transitionCache.records;
    this.#layout = layout;
    this.#independence = independence;
    this.#limits = limits;
    this.#listener = listener;
  }

  /** Bytes that the states inside the tick take. */
  get bytes(): number {
    return this.#remembered.bytes + 8 * this.#openAt.length;
  }

  /** Begins with a state that has messages due now. */
  begin(words: Uint32Array, at: number, length: number): void {
    this.#reserve(length);
    const own = this.#words;
    for (let i = 0; i < length; i++) own[i] = words[at + i]!;
    this.#length = length;
    this.#stopped = false;
    this.cutAt = undefined;
    this.#tick = ++this.#transitionCache.searches;
    this.#again();
  }

  #again(): void {
    this.#transitionCache.tick = this.#tick;
    this.#remembered.clear();
    this.#independence?.begin();
    this.#depth = -1;
    this.#push(0, this.#length, false);
  }

  /** Carries on for about so many deliveries. Returns true when the tick has been gone through, or it was cut (`cutAt`). */
  go(deliveries: number): boolean {
    const last = this.counts.transitions + deliveries;
    this.#transitionCache.tick = this.#tick;
    for (;;) {
      if (this.#stopped) return true;
      if (this.counts.transitions >= last) return false;
      if (this.#depth < 0) {
        if (!this.#independence?.mistaken) return true;
        this.#again();
      }
      const frame = this.#depth;
      const message = this.#next[frame]!;
      if (message < 0) {
        const number = this.#number[frame]!;
        if (number >= 0) this.#openAt[number] = -1;
        this.#depth--;
        continue;
      }
      const messageId = this.#words[message + 1]!;
      const slot = this.#transitionCache.slotTo[messageId]!;
      if (this.#record[frame] === 0) this.#look(frame, this.#recordOf(this.#at[frame]!, messageId));
      const record = this.#record[frame]!;
      const part = this.#part[frame]!;
      const alternative = this.#alternative[frame]!++;
      if (alternative + 1 === this.#records.countOf(record)) this.#nextHead(frame);
      else this.#part[frame] = part + partWords + this.#records.words[part + parts.postWords]!;
      this.#takenMessageId[frame] = messageId;
      this.#takenRecord[frame] = record;
      this.#takenAlternative[frame] = alternative;
      this.#deliver(frame, message, slot, part);
    }
  }

  /** Leaves the rest of the tick alone. */
  stop(): void {
    this.#stopped = true;
  }

  /** The deliveries from the beginning of the tick to where the search stands. */
  get path(): readonly Taken[] {
    return Array.from({ length: this.#depth + 1 }, (_, frame) => ({
      messageId: this.#takenMessageId[frame]!,
      alternative: this.#taken(frame),
    }));
  }

  /** What the receiver made of the message that a frame delivered. */
  #taken(frame: number): Alternative {
    return this.#records.of(this.#takenRecord[frame]!).alternatives[this.#takenAlternative[frame]!]!;
  }

  /** Begins with the alternatives of the message that a frame delivers next. */
  #look(frame: number, record: number): void {
    this.#record[frame] = record;
    this.#part[frame] = record + headWords;
    this.#alternative[frame] = 0;
  }

  #deliver(frame: number, message: number, slot: number, part: number): void {
    this.counts.transitions++;
    const record = this.#records.words;
    const next = record[part + parts.next]!;
    // Of what is plain nobody has to hear, unless it counts what a tick did.
    const alternative =
      record[part + parts.isPlain] === 1 && this.#layout.trail === undefined ? undefined : this.#taken(frame);
    const from = this.#at[frame]!;
    const end = this.#end[frame]!;
    this.#reserve(
      2 * end - from + slot + 1 + record[part + parts.postWords]! + (alternative?.timers.length ?? 0),
    );
    let to = this.#write(from, end, message, slot, part, alternative?.clears ?? false);
    if (alternative !== undefined) {
      if (alternative.timers.length > 0)
        to = changeTimers(
          this.#words,
          messagesAt(this.#layout, this.#words, end),
          to,
          alternative.timers,
          this.#transitionCache,
        );
      this.#listener.delivered(this.#words, end, this.#takenMessageId[frame]!, alternative);
      // A listener that has heard enough stops the search.
      if (this.#stopped) return;
    }
    const words = this.#words;
    const ghost = this.#failed[frame]! || next === failed;
    const first = messagesAt(this.#layout, words, end);
    if (first >= to || words[first] !== 0) {
      if (!ghost) this.#listener.ended(words, end, to - end);
    } else if (frame + 1 >= this.#limits.deliveriesMax && this.#counted >= this.#limits.deliveriesMax)
      this.#listener.endless(undefined);
    else this.#push(end, to, ghost);
  }

  /** Writes the state after a delivery, but for changes of timers, behind the state at `from`. Returns its end. `clears`: what the receiver has sent to itself is lost. */
  #write(from: number, end: number, message: number, slot: number, part: number, clears: boolean): number {
    const words = this.#words;
    const record = this.#records.words;
    const { channel } = this.#transitionCache;
    const { header, budget, shared } = this.#layout;
    const next = record[part + parts.next]!;
    const version = record[part + parts.version]!;
    const before = words[from]!;
    const after = Math.max(before, slot + 1);
    let to = end;
    words[to++] = after;
    for (let i = from + 1; i < from + header + before; i++) words[to++] = words[i]!;
    for (let i = before; i < after; i++) words[to++] = 0;
    words[end + header + slot] = next;
    if (version !== unshared) words[end + shared + this.#transitionCache.clusterOf(slot)] = version;
    // What failed is left out of a run that takes this way, with the faults that struck in it.
    if (budget !== undefined && next !== failed)
      words[end + budget] = words[end + budget]! + record[part + parts.struck]!;
    let post = part + partWords;
    const postsEnd = post + record[part + parts.postWords]!;
    for (let i = from + header + before; i < end; i += 2) {
      if (i === message) continue;
      const due = words[i]!;
      const messageId = words[i + 1]!;
      if (
        clears &&
        this.#transitionCache.isToItself(messageId) &&
        this.#transitionCache.slotTo[messageId] === slot
      )
        continue;
      while (
        post < postsEnd &&
        (record[post]! < due || (record[post] === due && channel[record[post + 1]!]! < channel[messageId]!))
      ) {
        words[to++] = record[post++]!;
        words[to++] = record[post++]!;
      }
      words[to++] = due;
      words[to++] = messageId;
    }
    while (post < postsEnd) words[to++] = record[post++]!;
    return to;
  }

  /** Deliveries on the path that count for the budget of a run: those that come to an actor which handles them. */
  get #counted(): number {
    return this.path.filter(
      ({ messageId, alternative: { lost, next } }) =>
        !lost && next !== failed && this.#transitionCache.slots.eventOf(messageId).type !== restartType,
    ).length;
  }

  #push(at: number, end: number, ghost: boolean): void {
    const frame = this.#depth + 1;
    const words = this.#words;
    const first = messagesAt(this.#layout, words, at);
    const within = this.#transitionCache.slots.inner ? this.#withinFrom(first, end) : -1;
    const next = within < 0 ? first : within;
    const heads = within < 0 ? this.#headsFrom(next, end) : 1;
    const record = heads > 1 ? 0 : this.#recordOf(at, words[next + 1]!);
    const branches = record === 0 || this.#records.countOf(record) > 1;
    let number = -1;
    if (branches || frame >= rememberFrom) {
      const added = this.#remembered.add(words, at, end - at);
      if (added < 0) {
        this.counts.merged++;
        if (this.#openAt[~added]! >= 0) this.#listener.endless(this.#openAt[~added]!);
        return;
      }
      number = added;
      this.#openAt[number] = frame;
      if (this.#remembered.size > this.#limits.statesMax) this.cutAt = 'states of a tick';
      else if (this.#remembered.words > rememberedWordsMax) this.cutAt = 'memory of a tick';
      if (this.cutAt !== undefined) this.#stopped = true;
      // At each power of two all frames before are looked at: a way that goes round has gone round often by then, and a look costs one step for each.
      const since = !ghost && (frame & (frame - 1)) === 0 ? this.#piledUpSince(frame, at, end) : -1;
      if (since >= 0) {
        this.#openAt[number] = -1;
        this.#listener.endless(since);
        return;
      }
    }
    this.#at[frame] = at;
    this.#end[frame] = end;
    this.#next[frame] = next;
    this.#look(frame, record);
    this.#only[frame] = within < 0 ? -1 : -2;
    this.#number[frame] = number;
    this.#failed[frame] = ghost;
    this.#depth = frame;
    if (heads > 1 && this.#independence) this.#choose(frame, first, heads);
  }

  /**
   * The frame since which nothing has changed but that more messages are under way, so that what was delivered since can be delivered again and again; -1 for none.
   *
   * Details: actors, budgets and memories are the same, and a channel whose content is another one has delivered nothing since, or holds, and has delivered, one and the same message.
   */
  #piledUpSince(frame: number, at: number, end: number): number {
    if (frame < rememberFrom) return -1;
    const words = this.#words;
    const first = messagesAt(this.#layout, words, at);
    const changed = new Map<number, Set<number>>();
    const { channel } = this.#transitionCache;
    const here = this.#queues(first, end);
    for (let since = frame - 1; since >= 0; since--) {
      const messageId = this.#takenMessageId[since]!;
      const { lost, clears, timers } = this.#taken(since);
      if (lost || clears || timers.length > 0 || this.#failed[since]) return -1;
      const taken = changed.get(channel[messageId]!) ?? new Set();
      changed.set(channel[messageId]!, taken.add(messageId));
      const from = this.#at[since]!;
      const length = messagesAt(this.#layout, words, from) - from;
      if (length !== first - at) continue;
      let same = 0;
      while (same < length && words[from + same] === words[at + same]) same++;
      if (same === length && grown(this.#queues(from + length, this.#end[since]!), here, changed))
        return since;
    }
    return -1;
  }

  /** By channel, its messages that are due now, in their order. */
  #queues(from: number, end: number): ReadonlyMap<number, readonly number[]> {
    const queues = new Map<number, number[]>();
    const { channel } = this.#transitionCache;
    for (let i = from; i < end && this.#words[i] === 0; i += 2) {
      const messageId = this.#words[i + 1]!;
      const queue = queues.get(channel[messageId]!);
      if (queue) queue.push(messageId);
      else queues.set(channel[messageId]!, [messageId]);
    }
    return queues;
  }

  /** Settles for a part of the heads where it is enough. */
  #choose(frame: number, first: number, heads: number): void {
    const enough = this.#independence!.enough(this.#words, this.#at[frame]!, first, this.#end[frame]!);
    if (enough === undefined) return;
    this.#next[frame] = first + enough.first;
    this.#only[frame] = enough.only;
    this.counts.postponed += heads - enough.heads;
  }

  #nextHead(frame: number): void {
    this.#record[frame] = 0;
    const only = this.#only[frame]!;
    const { channel, slotTo } = this.#transitionCache;
    const words = this.#words;
    const end = this.#end[frame]!;
    const here = this.#next[frame]!;
    this.#next[frame] = -1;
    if (only === -2) return;
    for (let i = here + 2; i < end && words[i] === 0; i += 2) {
      if (channel[words[i + 1]!] === channel[words[i - 1]!]) continue;
      if (only >= 0 && slotTo[words[i + 1]!] !== only) continue;
      this.#next[frame] = i;
      return;
    }
  }

  #headsFrom(first: number, end: number): number {
    const { channel } = this.#transitionCache;
    const words = this.#words;
    let heads = 1;
    for (let i = first + 2; i < end && words[i] === 0; i += 2)
      if (channel[words[i + 1]!] !== channel[words[i - 1]!]) heads++;
    return heads;
  }

  /** Place of the message between actors of one whole that is delivered before all others; -1 for none. */
  #withinFrom(first: number, end: number): number {
    const { within } = this.#transitionCache.slots;
    for (let i = first; i < end && this.#words[i] === 0; i += 2) if (within[this.#words[i + 1]!]) return i;
    return -1;
  }

  /** What comes of a message in the state at `at`. */
  #recordOf(at: number, messageId: number): number {
    const slot = this.#transitionCache.slotTo[messageId]!;
    const local = localAt(this.#layout, this.#words, at, slot);
    const budgetState = budgetAt(this.#layout, this.#words, at);
    const version = this.#versionAt(at, slot);
    return this.#transitionCache.recordOf(local, messageId, budgetState, version);
  }

  #versionAt(at: number, slot: number): number {
    return versionAt(this.#layout, this.#words, at, this.#transitionCache.clusterOf(slot));
  }

  #reserve(words: number): void {
    if (words <= this.#words.length) return;
    const longer = new Uint32Array(Math.max(words, 2 * this.#words.length));
    longer.set(this.#words);
    this.#words = longer;
  }
}

/** Whether all that was `taken` from the channels, by channel, can be taken again: none has less than before, and one that has something else was left alone, or has and had nothing but one message. */
function grown(
  before: ReadonlyMap<number, readonly number[]>,
  after: ReadonlyMap<number, readonly number[]>,
  taken: ReadonlyMap<number, ReadonlySet<number>>,
): boolean {
  for (const [channel, queue] of before) {
    const now = after.get(channel) ?? [];
    if (now.length < queue.length || queue.some((messageId, k) => messageId !== now[k])) return false;
  }
  for (const [channel, now] of after) {
    if (now.length === (before.get(channel)?.length ?? 0)) continue;
    const took = taken.get(channel);
    if (took && new Set([...now, ...took]).size > 1) return false;
  }
  return true;
}
