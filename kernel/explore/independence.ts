import { failed, kept, nothing, unshared } from './alternative.ts';
import { EitherOrder } from './either-order.ts';
import { Overlap } from './footprints.ts';
import { type Answer, KnownAnswers, unknownWords } from './known-answers.ts';
import { StateSet } from './state-set.ts';
import { budgetAt, type Layout, localAt } from './state-words.ts';
import type { TransitionCache } from './transition-cache.ts';
import { headWords, parts, partWords, type TransitionRecords } from './transition-records.ts';
import type { Watchers } from './watchers.ts';

/** Heads of channels that are enough to try. */
export interface Enough {
  /** Place of the first message to deliver, counted from the first one that is due. */
  readonly first: number;
  /** -2: it alone. Else the slot of a receiver: all heads for it. */
  readonly only: number;
  readonly heads: number;
}

/** The sides of what observers look at: the heads in question, and all that can come before them. */
const heads = 0;
const others = 1;
/** Words of a pair: local state, message, and the version of what the actor shares. */
const pairWords = 3;
/** Pairs of local state and message that one question may look at; beyond it, the answer is the safe one. */
const pairsMax = 4096;
/** Pairs that may be looked at in vain in one tick, and how many more each state of the tick allows. */
const vainPairsMax = 16_384;
const vainPairsEach = 64;
/** Words of skipped pairs that are kept as they come. */
const skippedMax = unknownWords << 14;
/** The end of a chain. */
const none = -1;
/** The record of what is not known. */
const nothingKnown = 0;
/** Words of a note of a local state, or of a message: the question in which it was made, and the next of the same slot. */
const noteWords = 2;
/** Words of a note of a slot: the question; the local state that it begins with, which several can have that are not born; the first and the last of the other local states, and of the messages. */
const slotWords = 8;
const begins = 1;
const firstLocal = 2;
const lastLocal = 3;
const firstMessageId = 4;
const lastMessageId = 5;
/** Questions after which the notes are made anew. */
const questionsMax = 2 ** 30;

/**
 * Finds deliveries that commute with everything that can happen before them in their tick: trying these first and leaving the others for later loses nothing.
 *
 * Why it is exact: let the deliveries P, all heads for one actor, commute with each delivery that can come before them. A complete order of the tick has one of P at some
 * place; exchanged with its neighbours it comes first, and the order ends in the same state. So orders that begin with P are enough: P is a persistent set in the
 * sense of Godefroid, found anew in each state.
 *
 * Details: what can come before is overestimated: each actor may take any message that it has or may get, in any order and any number of times, P left where it is.
 * Deliveries to different actors commute, those to actors that share something where neither changes it; to the same actor, when both orders lead to the same state with the same
 * posts, and observers are shown the same, which is looked up. Two deliveries that one observer looks at do not commute, unless it says
 * that they are about different things.
 *
 * Nothing is worked out for a question. What the actor of P would do is known, or P does not commute. What comes of a pair of another actor's local state and message that nobody has met is
 * taken to be nothing; if the tick then meets the pair, the answer was `mistaken`, and the tick is gone through again. If it does not, the answer was right: the first such pair that could happen would
 * happen after P as well, and be met.
 */
export class Independence {
  readonly #transitionCache: TransitionCache;
  readonly #records: TransitionRecords;
  readonly #layout: Layout;
  readonly #watchers: Watchers;
  readonly #eitherOrder: EitherOrder;
  readonly #overlap: Overlap;
  /** Number of the question that is being answered: what carries it belongs to the answer. */
  #question = 0;
  /** By local state, and by message: the question, and the next one of the same slot. */
  #localNotes = new Int32Array(noteWords << 6);
  #messageIdNotes = new Int32Array(noteWords << 6);
  /** By slot: what else can happen there, as chains in the order in which it was noted; see `slotWords`. */
  #slotNotes = new Int32Array(slotWords << 4);
  /** By cluster of what actors share, the version that it begins with, and the others that it may have, as such chains. */
  readonly #clusterMark: number[] = [];
  readonly #versionMark: number[] = [];
  readonly #firstVersion: number[] = [];
  readonly #lastVersion: number[] = [];
  readonly #nextVersion: number[] = [];
  /** Pairs of local state and message to look at, with versions. */
  readonly #pairs: number[] = [];
  #pairCount = 0;
  /** The budget state of faults in the state in question. */
  #budgetState = 0;
  /** Pairs that answers given in this tick took for nothing, each with the budget state of faults and the version. */
  readonly #skipped: number[] = [];
  #skippedCount = 0;
  /** Those that were more than `skippedMax`, each once: a tick may have millions of answers. */
  readonly #manySkipped = new StateSet();
  readonly #pair = new Uint32Array(unknownWords);
  /** Pairs that were looked at in vain, less those allowed. */
  #vain = 0;
  readonly #answers: KnownAnswers;
  /** True as long as answers are kept. */
  #pays = true;
  /** True where actors share something. */
  readonly #shares: boolean;
  /** How much the transition cache had forgotten when the answers were found. */
  #forgotten = 0;
  /** Pairs of which nothing was known when the present answer was searched for, in words as those that are skipped. */
  readonly #unknown: number[] = [];
  #unknownCount = 0;
  /** True when something counts for the present answer that is known in this tick only. */
  #isPassing = false;
  /** Number of the tick, and what was known when it began. */
  #tick = 0;
  #news = 0;
  /** The heads in question. */
  readonly #heads: number[] = [];
  #headCount = 0;

  constructor(transitionCache: TransitionCache, layout: Layout, watchers: Watchers) {
    this.#transitionCache = transitionCache;
    this.#records = transitionCache.records;
    this.#shares = transitionCache.shares;
    this.#layout = layout;
    this.#watchers = watchers;
    this.#eitherOrder = new EitherOrder(
      transitionCache.slots,
      this.#records,
      (local, messageId, version) => this.#known(local, messageId, version),
      (type) => watchers.footprints.isWatched(type),
    );
    this.#overlap = new Overlap(watchers.footprints);
    this.#answers = new KnownAnswers(layout, transitionCache);
  }

  /** Begins with another tick: forgets what the answers relied on. */
  begin(): void {
    this.#answers.takeShared();
    this.#skippedCount = 0;
    this.#manySkipped.clear();
    this.#vain = 0;
    this.#tick++;
    this.#news = this.#transitionCache.news;
  }

  /** True when an answer given since `begin` took something for nothing that the tick has met. */
  get mistaken(): boolean {
    if (this.#transitionCache.news === this.#news) return false;
    for (let i = 0; i < this.#skippedCount; i += unknownWords) if (this.#isMet(this.#skipped, i)) return true;
    for (let i = 0; i < this.#manySkipped.size; i++) {
      this.#manySkipped.read(i, this.#pair, 0);
      if (this.#isMet(this.#pair, 0)) return true;
    }
    return false;
  }

  /**
   * Heads that are enough in the state at `at`, whose messages due now begin at `first`; undefined when all must be tried.
   *
   * Details: where looking was in vain too often, it says so without looking, so that a tick in which nothing commutes costs little more than without questions.
   */
  enough(words: Uint32Array, at: number, first: number, end: number): Enough | undefined {
    this.#vain -= vainPairsEach;
    if (this.#vain > vainPairsMax) return undefined;
    let last = first;
    while (last < end && words[last] === 0) last += 2;
    if (this.#transitionCache.forgotten !== this.#forgotten) {
      this.#forgotten = this.#transitionCache.forgotten;
      this.#answers.forget();
    }
    this.#pays = this.#answers.pays;
    if (!this.#pays) return this.#searchOnly(words, at, first, last);
    const kept = this.#answers.find(words, at, first, last);
    const holds = kept !== undefined && this.#stillHolds(kept);
    this.#answers.count(holds);
    const answer = holds ? kept : this.#search(words, at, first, last);
    this.#vain += answer.vain;
    this.#relyOn(answer);
    return answer.enough;
  }

  /** True for an answer that would be found again: of what was not known, nothing is. */
  #stillHolds(answer: Answer): boolean {
    const { news } = this.#transitionCache;
    if (answer.news === news) return true;
    const { unknown } = answer;
    for (let i = 0; i < unknown.length; i += unknownWords) if (this.#isMet(unknown, i)) return false;
    answer.news = news;
    return true;
  }

  /** Searches for an answer that is not kept. */
  #searchOnly(words: Uint32Array, at: number, first: number, last: number): Enough | undefined {
    const vain = this.#vain;
    this.#budgetState = budgetAt(this.#layout, words, at);
    const enough = this.#find(words, at, first, last);
    if (enough) this.#vain = vain;
    if (this.#skippedCount > skippedMax) this.#gatherSkipped();
    return enough;
  }

  #search(words: Uint32Array, at: number, first: number, last: number): Answer {
    const [skipped, vain] = [this.#skippedCount, this.#vain];
    this.#unknownCount = 0;
    this.#isPassing = false;
    this.#budgetState = budgetAt(this.#layout, words, at);
    this.#answers.search(this.#budgetState);
    const enough = this.#find(words, at, first, last);
    const answer = {
      enough,
      vain: enough ? 0 : this.#vain - vain,
      unknown: this.#isPassing ? nothing : kept(this.#unknown.slice(0, this.#unknownCount)),
      skipped: kept(this.#skipped.slice(skipped, this.#skippedCount)),
      news: this.#transitionCache.news,
      tick: 0,
    };
    [this.#skippedCount, this.#vain] = [skipped, vain];
    if (!this.#isPassing) this.#answers.keep(words, first, last, answer);
    return answer;
  }

  /** Notes what an answer that is given took for nothing. */
  #relyOn(answer: Answer): void {
    if (answer.tick === this.#tick) return;
    answer.tick = this.#tick;
    const { skipped } = answer;
    for (let i = 0; i < skipped.length; i++) this.#skipped[this.#skippedCount++] = skipped[i]!;
    if (this.#skippedCount > skippedMax) this.#gatherSkipped();
  }

  /** The record of what is known, noted as something on which the present answer relies; 0 for nothing. */
  #known(local: number, messageId: number, version: number): number {
    const record = this.#transitionCache.knownRecord(local, messageId, this.#budgetState, version);
    if (!this.#pays) return record;
    if (record !== nothingKnown) {
      if (this.#records.isNew(record, this.#transitionCache.level)) this.#isPassing = true;
      return record;
    }
    this.#unknown[this.#unknownCount++] = local;
    this.#unknown[this.#unknownCount++] = messageId;
    this.#unknown[this.#unknownCount++] = this.#budgetState;
    this.#unknown[this.#unknownCount++] = version;
    return nothingKnown;
  }

  #find(words: Uint32Array, at: number, first: number, last: number): Enough | undefined {
    let several = false;
    for (let head = first; head < last; head += 2) {
      if (!this.#isHead(words, head, first)) continue;
      this.#heads[0] = words[head + 1]!;
      this.#headCount = 1;
      if (this.#commute(words, at, first, last)) return { first: head - first, only: -2, heads: 1 };
      several ||= this.#slotOf(words, head) !== this.#slotOf(words, first);
    }
    // All that is due for one actor is what would be tried anyway.
    if (!several) return undefined;
    for (let head = first; head < last; head += 2) {
      const slot = this.#slotOf(words, head);
      if (!this.#isHead(words, head, first)) continue;
      this.#headCount = 0;
      for (let other = head; other < last; other += 2)
        if (this.#slotOf(words, other) === slot && this.#isHead(words, other, first))
          this.#heads[this.#headCount++] = words[other + 1]!;
      if (this.#headCount === 1) continue;
      const earlier = this.#cameBefore(words, first, head, slot);
      if (!earlier && this.#commute(words, at, first, last))
        return { first: head - first, only: slot, heads: this.#headCount };
    }
    return undefined;
  }

  #slotOf(words: Uint32Array, message: number): number {
    return this.#transitionCache.slotTo[words[message + 1]!]!;
  }

  #isHead(words: Uint32Array, message: number, first: number): boolean {
    const { channel } = this.#transitionCache;
    return message === first || channel[words[message + 1]!] !== channel[words[message - 1]!];
  }

  /** True when a message before this one is for the same slot: then its question was this one. */
  #cameBefore(words: Uint32Array, first: number, message: number, slot: number): boolean {
    for (let i = first; i < message; i += 2) if (this.#slotOf(words, i) === slot) return true;
    return false;
  }

  /** True when the heads in question, all for one actor, commute with everything that can happen before them. */
  #commute(words: Uint32Array, at: number, first: number, last: number): boolean {
    const transitionCache = this.#transitionCache;
    const { slotTo } = transitionCache;
    const receiver = slotTo[this.#heads[0]!]!;
    const watched = this.#watchers.count > 0;
    const skippedBefore = this.#skippedCount;
    const now = localAt(this.#layout, words, at, receiver);
    const cluster = transitionCache.clusterOf(receiver);
    const beginsWith = this.#answers.versionAt(words, at, cluster);
    // What the receiver does with the heads where it is counts for budgets and for what it shares; else only what observers look at.
    if (cluster >= 0 || this.#layout.budget !== undefined) this.#answers.localAt(words, at, receiver);
    else if (watched)
      for (let i = 0; i < this.#headCount; i++) this.#answers.lookAt(words, at, this.#heads[i]!);
    if (this.#headsStruck(now, beginsWith)) return false;
    this.#pairCount = 0;
    this.#beginQuestion();
    let othersSeen = false;
    this.#overlap.begin();
    let unknown = watched && !this.#addHeads(now, beginsWith);
    let headsWrite = cluster >= 0 && this.#headsWrite(now, beginsWith);
    let sharerMet = false;
    for (let i = first; i < last; i += 2) this.#addMessageId(words, at, words[i + 1]!);
    for (let pair = 0; pair < this.#pairCount; pair += pairWords) {
      const local = this.#pairs[pair]!;
      const messageId = this.#pairs[pair + 1]!;
      const slot = slotTo[messageId]!;
      const version = this.#pairs[pair + 2]!;
      const record = this.#known(local, messageId, version);
      const own = slot === receiver;
      if (cluster >= 0) {
        const sharer = !own && transitionCache.clusterOf(slot) === cluster;
        sharerMet ||= sharer;
        if (own) headsWrite ||= this.#headsWrite(local, version);
        if (
          (sharerMet && headsWrite) ||
          (sharer && record !== nothingKnown && this.#records.of(record).writes)
        ) {
          this.#skippedCount = skippedBefore;
          this.#vain += pair / pairWords;
          return false;
        }
      }
      if (
        pair > pairWords * pairsMax ||
        (own && (this.#headsStruck(local, version) || !this.#exchangeable(local, messageId, version)))
      ) {
        this.#skippedCount = skippedBefore;
        this.#vain += pair / pairWords;
        return false;
      }
      if (record === nothingKnown) {
        this.#skipped[this.#skippedCount++] = local;
        this.#skipped[this.#skippedCount++] = messageId;
        this.#skipped[this.#skippedCount++] = this.#budgetState;
        this.#skipped[this.#skippedCount++] = version;
        continue;
      }
      if (watched) {
        const { footprint } = this.#records.of(record);
        othersSeen ||= footprint.length > 0;
        if (own) unknown ||= !this.#addHeads(local, version);
        this.#overlap.add(others, footprint);
        if ((unknown && othersSeen) || this.#overlap.overlaps) {
          this.#skippedCount = skippedBefore;
          this.#vain += pair / pairWords;
          return false;
        }
      }
      const found = this.#records.words;
      let part = record + headWords;
      for (let left = this.#records.countOf(record); left > 0; left--) {
        // Faults with a budget are everybody's: who may be struck by one commutes with nobody.
        if (found[part + parts.struck]! > 0) {
          this.#skippedCount = skippedBefore;
          return false;
        }
        this.#addLocal(slot, found[part + parts.next]!);
        const changed = found[part + parts.version]!;
        if (changed !== unshared) this.#addVersion(transitionCache.clusterOf(slot), changed);
        const firstPost = part + partWords;
        part = firstPost + found[part + parts.postWords]!;
        for (let post = firstPost; post < part && found[post] === 0; post += 2)
          this.#addMessageId(words, at, found[post + 1]!);
      }
    }
    return true;
  }

  /** Forgets all notes, and has room for those of all that is known by now: nothing is found out for a question. */
  #beginQuestion(): void {
    const { locals, slots, slotTo } = this.#transitionCache;
    this.#localNotes = roomFor(this.#localNotes, noteWords * locals.count);
    this.#messageIdNotes = roomFor(this.#messageIdNotes, noteWords * slotTo.length);
    this.#slotNotes = roomFor(this.#slotNotes, slotWords * slots.count);
    if (++this.#question < questionsMax) return;
    this.#question = 1;
    for (const notes of [this.#localNotes, this.#messageIdNotes, this.#slotNotes]) notes.fill(0);
    for (const marks of [this.#clusterMark, this.#versionMark]) marks.length = 0;
  }

  #isMet(pairs: ArrayLike<number>, at: number): boolean {
    return (
      this.#transitionCache.knownRecord(pairs[at]!, pairs[at + 1]!, pairs[at + 2]!, pairs[at + 3]!) !==
      nothingKnown
    );
  }

  #gatherSkipped(): void {
    for (let i = 0; i < this.#skippedCount; i += unknownWords) {
      for (let word = 0; word < unknownWords; word++) this.#pair[word] = this.#skipped[i + word]!;
      this.#manySkipped.add(this.#pair, 0, unknownWords);
    }
    this.#skippedCount = 0;
  }

  /** Notes that a message can be delivered before the heads in question. What is in their channels cannot: it comes behind them. */
  #addMessageId(words: Uint32Array, at: number, messageId: number): void {
    const messageIdNotes = this.#messageIdNotes;
    const note = noteWords * messageId;
    if (messageIdNotes[note] === this.#question || this.#isHeld(messageId)) return;
    messageIdNotes[note] = this.#question;
    messageIdNotes[note + 1] = none;
    const slot = this.#transitionCache.slotTo[messageId]!;
    const slotNotes = this.#slotNotes;
    const ofSlot = slotWords * slot;
    if (slotNotes[ofSlot] === this.#question) {
      messageIdNotes[noteWords * slotNotes[ofSlot + lastMessageId]! + 1] = messageId;
    } else {
      const local = this.#answers.localAt(words, at, slot);
      this.#localNotes[noteWords * local] = this.#question;
      slotNotes[ofSlot] = this.#question;
      slotNotes[ofSlot + begins] = local;
      slotNotes[ofSlot + firstLocal] = none;
      slotNotes[ofSlot + firstMessageId] = messageId;
      this.#beginCluster(words, at, this.#transitionCache.clusterOf(slot));
    }
    slotNotes[ofSlot + lastMessageId] = messageId;
    this.#addPair(slotNotes[ofSlot + begins]!, messageId);
    for (let local = slotNotes[ofSlot + firstLocal]!; local !== none; local = this.#localAfter(local))
      this.#addPair(local, messageId);
  }

  #addLocal(slot: number, local: number): void {
    const localNotes = this.#localNotes;
    const note = noteWords * local;
    // An actor that failed does nothing any more.
    if (local === failed || localNotes[note] === this.#question) return;
    localNotes[note] = this.#question;
    localNotes[note + 1] = none;
    const slotNotes = this.#slotNotes;
    const ofSlot = slotWords * slot;
    if (slotNotes[ofSlot + firstLocal] === none) slotNotes[ofSlot + firstLocal] = local;
    else localNotes[noteWords * slotNotes[ofSlot + lastLocal]! + 1] = local;
    slotNotes[ofSlot + lastLocal] = local;
    for (
      let messageId = slotNotes[ofSlot + firstMessageId]!;
      messageId !== none;
      messageId = this.#messageIdAfter(messageId)
    )
      this.#addPair(local, messageId);
  }

  /** The local state, and the message, that was noted of the same slot after one. */
  #localAfter(local: number): number {
    return this.#localNotes[noteWords * local + 1]!;
  }

  #messageIdAfter(messageId: number): number {
    return this.#messageIdNotes[noteWords * messageId + 1]!;
  }

  /** Notes that actors which share something may find it as it is now. */
  #beginCluster(words: Uint32Array, at: number, cluster: number): void {
    if (cluster < 0 || this.#clusterMark[cluster] === this.#question) return;
    this.#clusterMark[cluster] = this.#question;
    const version = this.#answers.versionAt(words, at, cluster);
    this.#versionMark[version] = this.#question;
    this.#nextVersion[version] = none;
    this.#firstVersion[cluster] = version;
    this.#lastVersion[cluster] = version;
  }

  /** Notes that actors which share something may find it changed. */
  #addVersion(cluster: number, version: number): void {
    if (this.#versionMark[version] === this.#question) return;
    this.#versionMark[version] = this.#question;
    this.#nextVersion[version] = none;
    this.#nextVersion[this.#lastVersion[cluster]!] = version;
    this.#lastVersion[cluster] = version;
    const slotNotes = this.#slotNotes;
    const { slots } = this.#transitionCache;
    for (let slot = 0; slot < slots.count; slot++) {
      const ofSlot = slotWords * slot;
      if (slotNotes[ofSlot] !== this.#question || this.#transitionCache.clusterOf(slot) !== cluster) continue;
      for (
        let messageId = slotNotes[ofSlot + firstMessageId]!;
        messageId !== none;
        messageId = this.#messageIdAfter(messageId)
      ) {
        this.#push(slotNotes[ofSlot + begins]!, messageId, version);
        for (let local = slotNotes[ofSlot + firstLocal]!; local !== none; local = this.#localAfter(local))
          this.#push(local, messageId, version);
      }
    }
  }

  #addPair(local: number, messageId: number): void {
    if (!this.#shares) {
      this.#push(local, messageId, unshared);
      return;
    }
    const cluster = this.#transitionCache.clusterOf(this.#transitionCache.slotTo[messageId]!);
    if (cluster < 0) this.#push(local, messageId, unshared);
    else
      for (
        let version = this.#firstVersion[cluster]!;
        version !== none;
        version = this.#nextVersion[version]!
      )
        this.#push(local, messageId, version);
  }

  #push(local: number, messageId: number, version: number): void {
    this.#pairs[this.#pairCount++] = local;
    this.#pairs[this.#pairCount++] = messageId;
    this.#pairs[this.#pairCount++] = version;
  }

  #isHeld(messageId: number): boolean {
    const { channel } = this.#transitionCache;
    for (let i = 0; i < this.#headCount; i++)
      if (channel[this.#heads[i]!] === channel[messageId]) return true;
    return false;
  }

  /** True when a message can be exchanged with each of the heads in question. */
  #exchangeable(local: number, messageId: number, version: number): boolean {
    for (let i = 0; i < this.#headCount; i++)
      if (!this.#eitherOrder.isAlike(local, messageId, this.#heads[i]!, version)) return false;
    return true;
  }

  /** True when a fault with a budget may strike what the heads in question do in a local state: it is everybody's. */
  #headsStruck(local: number, version: number): boolean {
    if (this.#layout.budget === undefined) return false;
    for (let i = 0; i < this.#headCount; i++) {
      const record = this.#known(local, this.#heads[i]!, version);
      if (record === nothingKnown || this.#records.of(record).struck) return true;
    }
    return false;
  }

  /** Notes what observers look at when the heads in question come in a local state. False when that is not known. */
  #addHeads(local: number, version: number): boolean {
    for (let i = 0; i < this.#headCount; i++) {
      const record = this.#known(local, this.#heads[i]!, version);
      if (record === nothingKnown) return false;
      this.#overlap.add(heads, this.#records.of(record).footprint);
    }
    return true;
  }

  /** True when the heads in question may change what their actor shares, in a local state and a version. */
  #headsWrite(local: number, version: number): boolean {
    for (let i = 0; i < this.#headCount; i++) {
      const record = this.#known(local, this.#heads[i]!, version);
      if (record === nothingKnown || this.#records.of(record).writes) return true;
    }
    return false;
  }
}

/** Notes with room for so many words; a note that is not made yet is of no question. */
function roomFor(notes: Int32Array<ArrayBuffer>, words: number): Int32Array<ArrayBuffer> {
  if (words <= notes.length) return notes;
  const larger = new Int32Array(2 * words);
  larger.set(notes);
  return larger;
}
