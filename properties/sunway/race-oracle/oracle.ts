import {
  type FoundPair,
  type LogLine,
  lineBytes,
  linesOf,
  type OpName,
  type OracleProgram,
  opName,
  type TransferOp,
} from './oracle-program.ts';

/*
 * Races from the letter of the specification (Sunway specification 7.1 to 7.3, 7.5), slow and plain: each event of a run with the set of all events
 * before it, and every pair of accesses looked at. It shares nothing with the detector but the kinds of findings.
 */

type Rules = 'lenient' | 'strict';

/** An event: the CPE that does it, -1 for what engines do, -2 for where several meet; and all events before it, itself included, a bit each. */
interface Event {
  readonly bit: bigint;
  readonly tid: number;
  past: bigint;
}
const [ofEngines, ofMeetings] = [-1, -2];

interface Access {
  readonly op: OpName;
  readonly tid: number;
  /** The tid of an LDM, -1 for main memory. */
  readonly space: number;
  readonly from: number;
  readonly to: number;
  readonly writes: boolean;
  readonly flag: boolean;
  readonly transfer: Transfer | undefined;
  /** `cached` is a store into a line, `line` what lies around such stores in a line that is written back. */
  readonly part: 'source' | 'copy' | 'plain' | 'cached' | 'line';
  /** It writes what is there already: a copy onto its source, the rest of a line. */
  readonly rewrites: boolean;
  readonly start: Event;
  /** Undefined while a store is in a cache alone. */
  end: Event | undefined;
  /** Behind these it counts as over, since it was told. */
  readonly told: Event[];
}

/** An access of a transfer. */
type Move = Access & { readonly end: Event };

/** A line of a data cache: when memory was read, and the stores that are in it alone. */
interface Line {
  readonly filled: Event;
  readonly stores: Access[];
}

interface Increment {
  readonly transfer: Transfer;
  readonly role: 'local' | 'remote';
  readonly owner: number;
  readonly word: number | string;
  readonly event: Event;
}

interface Transfer {
  readonly op: OpName;
  readonly tid: number;
  readonly index: number;
  readonly engine: 'dma' | 'rma';
  readonly putsToMemory: boolean;
  readonly issue: Event;
  readonly start: Event;
  readonly accesses: Move[];
  readonly increments: Increment[];
  /** Returns of waits that covered one of its increments. */
  readonly covered: Event[];
}

interface Word {
  base: number;
  readonly since: Increment[];
  stored: { readonly op: OpName; readonly event: Event } | undefined;
}

/** A finding, and whether the order that reports add explains that nobody told it. */
export interface OraclePair extends FoundPair {
  readonly explained: boolean;
  /** Which of the places that both operations touch. */
  readonly place: string;
}

/**
 * Judges one run by one set of rules. `reported` are pairs that count as told: what follows the second operation of one is behind the first one, so
 * that one fault is told once; a pair that is ordered by them alone is marked as explained.
 */
class Judgement {
  readonly pairs: OraclePair[] = [];
  readonly accesses: Access[] = [];
  readonly #program: OracleProgram;
  readonly #rules: Rules;
  readonly #reported: readonly FoundPair[];
  readonly #all: Event[] = [];
  readonly #last: Event[];
  readonly #transfers: Transfer[] = [];
  readonly #words = new Map<string, Word>();
  readonly #unlocked = new Map<number, Event>();
  readonly #flags = new Map<string, Event>();
  readonly #meetings = new Map<string, { readonly arrivals: Event[]; event?: Event; left: number }[]>();
  readonly #comings = new Map<string, number>();
  readonly #lines = new Map<string, Line>();
  #made: Event[] = [];

  constructor(program: OracleProgram, rules: Rules, reported: readonly FoundPair[]) {
    this.#program = program;
    this.#rules = rules;
    this.#reported = reported;
    const start = this.#event(ofMeetings, []);
    this.#last = program.map(() => start);
  }

  #event(tid: number, before: readonly Event[]): Event {
    const bit = 1n << BigInt(this.#all.length);
    const event = { bit, tid, past: before.reduce((past, one) => past | one.past, bit) };
    this.#made.push(event);
    this.#all.push(event);
    return event;
  }

  /** The next event of a CPE, behind its last one and others. */
  #next(tid: number, ...before: readonly (Event | undefined)[]): Event {
    const event = this.#event(tid, [this.#last[tid]!, ...before.filter((one) => one !== undefined)]);
    this.#last[tid] = event;
    return event;
  }

  take(line: LogLine): void {
    const { tid, index } = line;
    this.#made = [];
    if (line.what === 'ends') this.#ends(tid, index);
    else if (line.what === 'fills' || line.what === 'writesBack' || line.what === 'drops')
      this.#cache(opName(tid, index), tid, line.what, line.value!);
    else this.#does(line);
    this.#heed(tid, opName(tid, index));
  }

  #does({ tid, index, what, value = 0 }: LogLine): void {
    const op = this.#program[tid]![index]!;
    const name = opName(tid, index);
    switch (op.op) {
      case 'load':
      case 'store':
        this.#plain(name, tid, op.tid, op.at, op.bytes, op.op === 'store', false, this.#next(tid));
        return;
      case 'memoryLoad':
      case 'memoryStore':
        this.#plain(name, tid, -1, op.at, op.bytes, op.op === 'memoryStore', false, this.#next(tid));
        return;
      case 'cachedLoad':
        this.#stale(name, tid, op.at, op.bytes, this.#next(tid));
        return;
      case 'cachedStore':
        this.#storesInto(name, tid, op.at, op.bytes, this.#next(tid));
        return;
      case 'evict':
        return;
      case 'raise': {
        const event = this.#next(tid);
        this.#flags.set(`${op.tid} ${op.at}`, event);
        this.#plain(name, tid, op.tid, op.at, 4, true, true, event);
        return;
      }
      case 'look': {
        const event = this.#next(tid, this.#flags.get(`${op.tid} ${op.at}`));
        this.#plain(name, tid, op.tid, op.at, 4, false, true, event);
        return;
      }
      case 'add': {
        // An addition goes to the memory and comes back: it is a meeting with the one before.
        const before = this.#flags.get(`memory ${op.at}`);
        const event = this.#next(tid, before && this.#event(ofMeetings, [before]));
        this.#flags.set(`memory ${op.at}`, event);
        this.#plain(name, tid, -1, op.at, 4, true, true, event);
        return;
      }
      case 'lock': {
        const before = this.#unlocked.get(op.lock);
        this.#next(tid, before && this.#event(ofMeetings, [before]));
        return;
      }
      case 'unlock':
        this.#unlocked.set(op.lock, this.#next(tid));
        return;
      case 'set':
        this.#set(name, tid, op.word, op.value);
        return;
      case 'wait':
        this.#seen(tid, tid, op.word, op.value);
        return;
      case 'poll':
        if (what === 'finds') this.#seen(tid, op.tid, op.word, value);
        else this.#plain(name, tid, op.tid, op.word, 4, false, false, this.#next(tid));
        return;
      case 'order':
        this.#next(tid);
        return;
      case 'sync':
        this.#meets(tid, op.tids, what === 'arrives');
        return;
      default:
        if (what === 'finds') this.#seen(tid, tid, `own of ${name}`, 1);
        else this.#issue(name, tid, index, op);
    }
  }

  #plain(
    op: OpName,
    tid: number,
    space: number,
    from: number,
    bytes: number,
    writes: boolean,
    flag: boolean,
    event: Event,
  ): void {
    const what = { transfer: undefined, part: 'plain', rewrites: false, start: event, end: event } as const;
    this.#look({ op, tid, space, from, to: from + bytes, writes, flag, ...what, told: [] });
  }

  /** A line is read from memory, or written back whole: what was not stored to is overwritten with what memory held when it was read. */
  #cache(op: OpName, tid: number, what: 'fills' | 'writesBack' | 'drops', at: number): void {
    const key = `${tid} ${at}`;
    const event = this.#next(tid);
    if (what === 'fills') this.#lines.set(key, { filled: event, stores: [] });
    else if (what === 'drops') this.#lines.delete(key);
    else {
      const { filled, stores } = this.#lines.get(key)!;
      const common = { op, tid, space: -1, writes: true, flag: false, transfer: undefined } as const;
      const isStored = (byte: number): boolean => stores.some(({ from, to }) => from <= byte && byte < to);
      // Byte by byte, so that nothing is said of how they lie together.
      for (let byte = at; byte < at + lineBytes; byte++)
        if (!isStored(byte))
          this.#look({
            ...common,
            from: byte,
            to: byte + 1,
            part: 'line',
            rewrites: true,
            start: filled,
            end: event,
            told: [],
          });
      for (const store of stores.splice(0)) store.end = event;
    }
  }

  /** A store into lines: memory has it when they are written back. */
  #storesInto(op: OpName, tid: number, at: number, bytes: number, event: Event): void {
    const common = { op, tid, space: -1, writes: true, flag: false, transfer: undefined } as const;
    for (const line of linesOf(at, bytes)) {
      const [from, to] = [Math.max(at, line), Math.min(at + bytes, line + lineBytes)];
      const what = { part: 'cached', rewrites: false, start: event, end: undefined } as const;
      const store: Access = { ...common, from, to, ...what, told: [] };
      this.#look(store);
      this.#lines.get(`${tid} ${line}`)!.stores.push(store);
    }
  }

  /** A load from lines, which must be as new as every write by somebody else, or by a transfer, that it is behind. */
  #stale(op: OpName, tid: number, at: number, bytes: number, event: Event): void {
    for (const line of linesOf(at, bytes)) {
      const { filled } = this.#lines.get(`${tid} ${line}`)!;
      const [from, to] = [Math.max(at, line), Math.min(at + bytes, line + lineBytes)];
      for (const earlier of this.accesses) {
        if (earlier.space >= 0 || earlier.from >= to || earlier.to <= from) continue;
        if (!earlier.writes || earlier.rewrites || (earlier.tid === tid && !earlier.transfer)) continue;
        if (!this.#isOver(earlier, tid, event) || this.#isOver(earlier, tid, filled)) continue;
        const part = { op, from, to };
        if (this.#hasStoredSince(earlier, tid, part)) continue;
        const isReplaced = this.accesses.some(
          (newer) =>
            newer.writes &&
            (newer.tid !== tid || newer.transfer) &&
            (this.#isTold(newer, part) || this.#isOver(newer, tid, event)) &&
            this.#isOverwritten(earlier, newer, part),
        );
        this.#pair('StaleCacheRead', -1, earlier.op, op, '', isReplaced);
      }
    }
    this.#plain(op, tid, -1, at, bytes, false, false, event);
  }

  /** Whether all that a load shares with an earlier write was stored into the cache by its own CPE after that: it finds what is newer. */
  #hasStoredSince(earlier: Access, tid: number, { from, to }: Pick<Access, 'from' | 'to'>): boolean {
    const stores = this.accesses.filter(
      (one) => one.part === 'cached' && one.tid === tid && this.#isOver(earlier, tid, one.start),
    );
    for (let byte = Math.max(earlier.from, from); byte < Math.min(earlier.to, to); byte++)
      if (!stores.some((one) => one.from <= byte && byte < one.to)) return false;
    return true;
  }

  /** Issue -> read and write; read -> write; read or write -> the increments that announce it. */
  #issue(op: OpName, tid: number, index: number, what: TransferOp): void {
    const issue = this.#next(tid);
    const engine = what.op === 'get' || what.op === 'put' ? 'dma' : 'rma';
    const start = this.#event(ofEngines, [issue, ...this.#endsBefore(tid, index, engine)]);
    const transfer: Transfer = {
      op,
      tid,
      index,
      engine,
      putsToMemory: what.op === 'put',
      issue,
      start,
      accesses: [],
      increments: [],
      covered: [],
    };
    const read = this.#event(ofEngines, [start]);
    const { source, copies, words } = shapeOf(op, tid, what);
    const common = { op, tid, flag: false, transfer, start };
    const [space, from] = source;
    const to = from + what.bytes;
    const accesses: Move[] = [
      { ...common, space, from, to, writes: false, part: 'source', rewrites: false, end: read, told: [] },
      ...copies.map(([at, first]): Move => {
        const rewrites = at === space && first === from;
        const end = this.#event(ofEngines, [read]);
        return {
          ...common,
          space: at,
          from: first,
          to: first + what.bytes,
          writes: true,
          part: 'copy',
          rewrites,
          end,
          told: [],
        };
      }),
    ];
    for (const { owner, word, role, announces } of words) {
      const known = this.#wordOf(owner, word);
      const event = this.#event(ofEngines, [announces === 'source' ? read : accesses[1 + announces]!.end]);
      const increment = { transfer, role, owner, word, event };
      transfer.increments.push(increment);
      known.since.push(increment);
      if (known.stored && !isBefore(known.stored.event, issue))
        this.#pair('ReplyResetRace', owner, known.stored.op, op);
    }
    this.#transfers.push(transfer);
    for (const access of accesses) {
      this.#look(access);
      transfer.accesses.push(access);
    }
  }

  /** The ends of all earlier transfers that a barrier operation of the CPE keeps before one of this engine. */
  #endsBefore(tid: number, index: number, engine: 'dma' | 'rma'): readonly Event[] {
    return this.#transfers.flatMap((earlier) => {
      if (earlier.tid !== tid) return [];
      const parted = this.#program[tid]!.slice(earlier.index, index).some(
        (one) =>
          one.op === 'order' &&
          (one.engine === 'both' || (one.engine === engine && earlier.engine === engine)),
      );
      return parted
        ? [...earlier.accesses.map(({ end }) => end), ...earlier.increments.map((i) => i.event)]
        : [];
    });
  }

  #wordOf(owner: number, word: number | string): Word {
    const key = `${owner} ${word}`;
    const known = this.#words.get(key) ?? { base: 0, since: [], stored: undefined };
    this.#words.set(key, known);
    return known;
  }

  #set(op: OpName, tid: number, at: number, value: number): void {
    const word = this.#wordOf(tid, at);
    const event = this.#next(tid);
    for (const { transfer, event: counted } of word.since)
      if (!isBefore(counted, event)) this.#pair('ReplyResetRace', tid, transfer.op, op);
    this.#plain(op, tid, tid, at, 4, true, false, event);
    word.since.length = 0;
    word.base = value;
    word.stored = { op, event };
  }

  /** A wait has returned for a value, or a read has found it: behind which increments is the CPE now? */
  #seen(tid: number, owner: number, at: number | string, value: number): void {
    const { base, since } = this.#wordOf(owner, at);
    const covered = this.#coveredBy(since, value - base, this.#last[tid]!);
    const event = this.#next(tid, ...covered.map((one) => one.event));
    for (const { transfer } of covered) transfer.covered.push(event);
  }

  #coveredBy(since: readonly Increment[], reached: number, now: Event): readonly Increment[] {
    if (reached <= 0) return [];
    if (reached >= since.length) return since;
    const first = since.filter((one) => {
      const maybeBefore = since.filter(
        (other) => other !== one && !isBefore(one.event, other.transfer.start),
      );
      return maybeBefore.length < reached;
    });
    if (this.#rules === 'strict') return first;
    // The role rule: the increments of the local role, when all of them could have come.
    const open = since.filter((one) => !isBefore(one.event, now));
    const locals = open.filter(({ role }) => role === 'local');
    const left = reached - (since.length - open.length);
    return locals.length < open.length && left >= locals.length ? [...first, ...locals] : first;
  }

  #meets(tid: number, tids: readonly number[], arrives: boolean): void {
    const name = tids.join(' ');
    const key = `${arrives} ${name} ${tid}`;
    const count = this.#comings.get(key) ?? 0;
    this.#comings.set(key, count + 1);
    const meetings = this.#meetings.get(name) ?? [];
    this.#meetings.set(name, meetings);
    meetings[count] ??= { arrivals: [], left: 0 };
    const meeting = meetings[count];
    if (arrives) {
      meeting.arrivals.push(this.#next(tid));
      return;
    }
    meeting.event ??= this.#event(ofMeetings, [...meeting.arrivals, ...this.#whole(tids, meeting.arrivals)]);
    this.#next(tid, meeting.event);
  }

  /** The whole-transfer rule: what a group sync of both parties orders once one of them has covered an end. */
  #whole(tids: readonly number[], arrivals: readonly Event[]): readonly Event[] {
    if (this.#rules === 'strict') return [];
    const isKnown = (event: Event): boolean => arrivals.some((one) => isBefore(event, one));
    return this.#transfers.flatMap(({ tid, covered, accesses, increments, putsToMemory }) => {
      if (!tids.includes(tid) || !covered.some(isKnown)) return [];
      const isParty = (space: number): boolean => tids.includes(space < 0 ? tid : space);
      return [
        ...(putsToMemory ? [] : accesses.filter(({ space }) => isParty(space)).map(({ end }) => end)),
        ...increments.filter(({ owner }) => isParty(owner)).map(({ event }) => event),
      ];
    });
  }

  /** What others still move in the LDM of a thread that ends. */
  #ends(tid: number, index: number): void {
    const event = this.#next(tid);
    for (const transfer of this.#transfers) {
      if (transfer.tid === tid) continue;
      const left = transfer.accesses.filter(({ space, end }) => space === tid && !isBefore(end, event));
      if (left.length > 0) this.#pair('FreeWhileInFlight', tid, transfer.op, opName(tid, index));
    }
  }

  #look(access: Access): void {
    for (const earlier of this.accesses) {
      if (!conflict(earlier, access) || this.#isOrdered(earlier, access)) continue;
      const place = `${earlier.part} ${earlier.from} ${access.part} ${access.from}`;
      const explained = this.#isReplaced(earlier, access);
      this.#pair(kindOf(earlier, access), access.space, earlier.op, access.op, place, explained);
    }
    this.accesses.push(access);
  }

  #isOrdered(earlier: Access, later: Access): boolean {
    // A CPE sees its own stores through its cache; flags and additions go past it.
    if (earlier.tid === later.tid && !earlier.transfer && !later.transfer)
      return earlier.part !== 'cached' || !later.flag || this.#isOver(earlier, later.tid, later.start);
    return this.#isOver(earlier, later.tid, later.start);
  }

  /** Whether an access is over for an operation of a CPE that begins with an event. */
  #isOver(earlier: Access, tid: number, start: Event): boolean {
    if (earlier.end && isBefore(earlier.end, start)) return true;
    if (earlier.told.some((event) => isBefore(event, start))) return true;
    const { transfer } = earlier;
    if (!transfer?.putsToMemory || earlier.part !== 'copy') return false;
    // A put that was waited for is in memory for others that know of the wait, and for who has waited after a round trip (7.5).
    return transfer.covered.some((wait) => {
      if (!isBefore(wait, start)) return false;
      return wait.tid !== tid || this.#returns(wait, start);
    });
  }

  /** Whether a way leads from an event of a CPE over another one, or a place where several meet, to a later event of it. */
  #returns(from: Event, to: Event): boolean {
    return this.#all.some(
      (over) => over.tid !== ofEngines && over.tid !== from.tid && isBefore(from, over) && isBefore(over, to),
    );
  }

  /** Whether another access to the bytes, which was told with this one or behind which this one counts as told, says all that there is to say. */
  #isReplaced(earlier: Access, access: Access): boolean {
    return this.accesses.some(
      (between) =>
        between.space === access.space &&
        (between.writes || !earlier.writes) &&
        ((this.#isTold(between, access) &&
          ((earlier.end && between.end && isBefore(earlier.end, between.end)) ||
            this.#isOrdered(earlier, between))) ||
          (this.#isOver(between, access.tid, access.start) && this.#isOverwritten(earlier, between, access))),
    );
  }

  #isTold(earlier: Access, access: Pick<Access, 'op'>): boolean {
    return this.#reported.some(({ first, second }) => first === earlier.op && second === access.op);
  }

  /** Whether an access was over before another one to all that it shares with a third, or is a store into the same line. */
  #isOverwritten(earlier: Access, between: Access, access: Pick<Access, 'from' | 'to'>): boolean {
    const isSameLine = earlier.part === 'cached' && between.part === 'cached' && earlier.tid === between.tid;
    return (
      between.space === earlier.space &&
      between.from <= Math.max(earlier.from, access.from) &&
      between.to >= Math.min(earlier.to, access.to) &&
      (isSameLine
        ? isBefore(earlier.start, between.start)
        : this.#isOver(earlier, between.tid, between.start))
    );
  }

  #pair(kind: string, space: number, first: OpName, second: OpName, place = '', explained = false): void {
    this.pairs.push({ kind, space, first, second, place, explained });
  }

  /** What follows an operation is behind all that it was told with; and so is what its CPE has in its cache. */
  #heed(tid: number, second: OpName): void {
    const told = this.#reported.filter((pair) => pair.second === second);
    if (told.length === 0) return;
    const lines = [...this.#lines].flatMap(([key, { filled }]) =>
      key.startsWith(`${tid} `) ? [filled] : [],
    );
    const behind = [...this.#made, ...lines];
    for (const pair of told)
      for (const access of this.accesses)
        if (access.op === pair.first && access.space === pair.space) {
          if (access.end) for (const event of behind) event.past |= access.end.past;
          else access.told.push(...behind);
        }
  }
}

const isBefore = (one: Event, other: Event): boolean => (other.past & one.bit) !== 0n;

/** Whether the order of two accesses to shared bytes matters. */
function conflict(a: Access, b: Access): boolean {
  if (a.space !== b.space || a.from >= b.to || b.from >= a.to) return false;
  if (!a.writes && !b.writes) return false;
  if (a.transfer && a.transfer === b.transfer) return false;
  if (a.flag && b.flag) return false;
  return !(a.rewrites || b.rewrites) || (a.writes && b.writes);
}

/** The name of a pair, as the table of 7.3 has it. */
function kindOf(earlier: Access, later: Access): string {
  if (earlier.part === 'line' || later.part === 'line') return 'CacheClobber';
  if (earlier.space < 0) return 'MemoryConflict';
  if (earlier.transfer && later.transfer) {
    const refills = earlier.part === 'source' && earlier.tid === later.tid && earlier.tid === earlier.space;
    return refills ? 'OverwriteBeforeSent' : 'TransferOverlap';
  }
  if (!earlier.transfer && !later.transfer) return 'RemoteConflict';
  const [moved, access] = earlier.transfer ? [earlier, later] : [later, earlier];
  if (access.tid !== access.space) return 'RemoteConflict';
  if (moved.tid === access.tid) return moved.part === 'source' ? 'OverwriteBeforeSent' : 'ReadBeforeArrival';
  return moved === earlier && moved.part === 'copy' && !access.writes
    ? 'ReadBeforeArrival'
    : 'RemoteConflict';
}

interface NamedWord {
  readonly owner: number;
  readonly word: number | string;
  readonly role: 'local' | 'remote';
  readonly announces: 'source' | number;
}

type Place = readonly [space: number, from: number];

/** Where a transfer reads and writes, and what it counts (Sunway specification 3.3, 4.2). */
function shapeOf(
  op: OpName,
  tid: number,
  what: TransferOp,
): { readonly source: Place; readonly copies: readonly Place[]; readonly words: readonly NamedWord[] } {
  const word = (
    owner: number,
    named: number | string | null,
    role: NamedWord['role'],
    announces: NamedWord['announces'],
  ): readonly NamedWord[] => (named === null ? [] : [{ owner, word: named, role, announces }]);
  const own = 'blocking' in what && what.blocking ? `own of ${op}` : undefined;
  switch (what.op) {
    case 'get':
      return {
        source: [-1, what.memory],
        copies: [[tid, what.ldm]],
        words: word(tid, own ?? what.word, 'local', 0),
      };
    case 'put':
      return {
        source: [tid, what.ldm],
        copies: [[-1, what.memory]],
        words: word(tid, own ?? what.word, 'local', 'source'),
      };
    case 'remoteGet':
      return {
        source: [what.tid, what.other],
        copies: [[tid, what.own]],
        words: [
          ...word(tid, own ?? what.local, 'local', 0),
          ...word(what.tid, what.remote, 'remote', 'source'),
        ],
      };
    case 'remotePut':
      return {
        source: [tid, what.own],
        copies: [[what.tid, what.other]],
        words: [
          ...word(tid, own ?? what.local, 'local', 'source'),
          ...word(what.tid, what.remote, 'remote', 0),
        ],
      };
    case 'broadcast':
      return {
        source: [tid, what.from],
        copies: what.tids.map((one) => [one, what.to]),
        words: [
          ...word(tid, what.local, 'local', 'source'),
          ...what.tids.flatMap((one, copy) => word(one, what.remote, 'remote', copy)),
        ],
      };
  }
}

type PairsByPolicy = Readonly<Record<Rules, readonly OraclePair[]>>;

/** Every race of a run by both policies, in the order of the log; with what counts as reported, those that this explains are marked. */
export function oraclePairs(
  program: OracleProgram,
  log: readonly LogLine[],
  reported: readonly FoundPair[] = [],
): PairsByPolicy {
  const judged = (rules: Rules): readonly OraclePair[] => {
    const judgement = new Judgement(program, rules, reported);
    for (const line of log) judgement.take(line);
    return judgement.pairs;
  };
  const lenient = judged('lenient');
  const key = ({ kind, space, first, second, place }: OraclePair): string =>
    `${kind} ${space} ${first} ${second} ${place}`;
  const alsoLenient = new Set(lenient.map(key));
  const strict = judged('strict').flatMap((one): readonly OraclePair[] => {
    if (one.kind === 'ReplyResetRace' || one.kind === 'StaleCacheRead' || alsoLenient.has(key(one)))
      return [one];
    // A thread that ends is held against the lenient rules alone.
    return one.kind === 'FreeWhileInFlight' ? [] : [{ ...one, kind: 'UnwaitedRemoteArrival' }];
  });
  return { lenient, strict };
}
