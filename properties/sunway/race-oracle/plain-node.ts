import {
  type LogLine,
  linesOf,
  type OracleOp,
  type OracleProgram,
  type TransferOp,
} from './oracle-program.ts';

type Phase = 'held' | 'started' | 'read' | 'written';

interface Moving {
  readonly tid: number;
  readonly what: TransferOp;
  readonly name: string;
  /** Transfers that must be written before it starts. */
  readonly after: readonly Moving[];
  phase: Phase;
  /** Copies that are not in place. */
  readonly copies: number[];
}

/** A number below `count`. */
export type Pick = (count: number) => number;

/** One read in so many is made of a word or flag that has not come so far. */
const earlyReads = 12;
/** One line in so many that are filled takes the place of another one. */
const fewPlaces = 6;

/**
 * CPEs that work at random speeds, with engines that take any time that the ordering rules allow (Sunway specification 7.1, 7.2): what comes of a
 * program is a log, nothing is moved.
 */
export class PlainNode {
  readonly log: LogLine[] = [];
  readonly #program: OracleProgram;
  readonly #pick: Pick;
  readonly #at: number[];
  readonly #ended: boolean[];
  /** CPEs that have issued a blocking transfer and wait for it. */
  readonly #blocked: boolean[];
  readonly #arrived: boolean[];
  readonly #words = new Map<string, number>();
  readonly #flags = new Map<string, number>();
  readonly #locked = new Set<number>();
  /** By CPE: lines of its cache, and whether they have been stored to. */
  readonly #lines: readonly Map<number, boolean>[];
  readonly #moving: Moving[] = [];
  readonly #all: { readonly moving: Moving; readonly index: number }[] = [];

  constructor(program: OracleProgram, pick: Pick) {
    this.#program = program;
    this.#pick = pick;
    this.#at = program.map(() => 0);
    this.#ended = program.map(() => false);
    this.#blocked = program.map(() => false);
    this.#lines = program.map(() => new Map());
    this.#arrived = program.map(() => false);
  }

  /** Runs to the end, or until nobody can go on. */
  run(): readonly LogLine[] {
    // Engines are as fast as CPEs, or much slower, or much faster.
    const engineShare = 1 + this.#pick(3);
    for (;;) {
      const cpes = this.#program.flatMap((_, tid) => (this.#canStep(tid) ? [tid] : []));
      const engines = this.#moving.filter((one) => this.#canMove(one));
      if (cpes.length === 0 && engines.length === 0) return this.log;
      const engine = cpes.length === 0 || (engines.length > 0 && this.#pick(4) < engineShare);
      if (engine) this.#advance(engines[this.#pick(engines.length)]!);
      else this.#step(cpes[this.#pick(cpes.length)]!);
    }
  }

  #next(tid: number): OracleOp | undefined {
    return this.#program[tid]![this.#at[tid]!];
  }

  #value(tid: number, word: number | string): number {
    return this.#words.get(`${tid} ${word}`) ?? 0;
  }

  #canStep(tid: number): boolean {
    const op = this.#next(tid);
    if (!op) return !this.#ended[tid];
    switch (op.op) {
      case 'wait':
        return this.#value(tid, op.word) >= op.value;
      case 'poll':
        return this.#value(op.tid, op.word) >= op.value || this.#pick(earlyReads) === 0;
      case 'look':
        return (this.#flags.get(`${op.tid} ${op.at}`) ?? 0) >= op.value || this.#pick(earlyReads) === 0;
      case 'lock':
        return !this.#locked.has(op.lock);
      case 'sync': {
        if (!this.#arrived[tid]) return true;
        const { tids } = op;
        const passed = this.#passed(tid, tids);
        return tids.every((one) => this.#isAt(one, tids, passed)) && !this.#comesTo(tids);
      }
      default:
        return !this.#blocked[tid] || this.#value(tid, ownWord(tid, this.#at[tid]!)) > 0;
    }
  }

  /** Whether a CPE has come to the barrier of a group so many times, and whether it has been there before. */
  #isAt(tid: number, tids: readonly number[], times: number): boolean {
    const passed = this.#passed(tid, tids);
    if (passed > times) return true;
    const op = this.#next(tid);
    return passed === times && op?.op === 'sync' && this.#arrived[tid]! && String(op.tids) === String(tids);
  }

  /**
   * Whether something that an RMA of a member has read is on its way to a member's LDM: it takes fewer cycles than a group takes to meet (Sunway specification 9.3),
   * and the lenient rules order what comes after the meeting behind it (7.3, whole-transfer rule).
   */
  #comesTo(tids: readonly number[]): boolean {
    return this.#moving.some(
      ({ tid, what, phase, copies }) =>
        engineOf(what) === 'rma' &&
        phase === 'read' &&
        tids.includes(tid) &&
        copies.some((to) => tids.includes(to)),
    );
  }

  #passed(tid: number, tids: readonly number[]): number {
    const before = this.#program[tid]!.slice(0, this.#at[tid]!);
    return before.filter((one) => one.op === 'sync' && String(one.tids) === String(tids)).length;
  }

  #say(tid: number, what: LogLine['what'], value?: number): void {
    this.log.push({ tid, index: this.#at[tid]!, what, ...(value !== undefined && { value }) });
  }

  #step(tid: number): void {
    const op = this.#next(tid);
    if (!op) {
      this.#ended[tid] = true;
      // A thread that ends writes back and empties its cache (2.2.4).
      for (const line of this.#lines[tid]!.keys()) this.#leaves(tid, line);
      this.#say(tid, 'ends');
      return;
    }
    switch (op.op) {
      case 'sync':
        this.#say(tid, this.#arrived[tid] ? 'leaves' : 'arrives');
        this.#arrived[tid] = !this.#arrived[tid];
        if (!this.#arrived[tid]) this.#at[tid]!++;
        return;
      case 'wait':
        this.#say(tid, 'finds', op.value);
        break;
      case 'poll': {
        const found = this.#value(op.tid, op.word);
        this.#say(tid, 'does');
        this.#say(tid, 'finds', found);
        if (found < op.value) return;
        break;
      }
      case 'look':
        this.#say(tid, 'does');
        if ((this.#flags.get(`${op.tid} ${op.at}`) ?? 0) < op.value) return;
        break;
      case 'raise':
        this.#say(tid, 'does');
        this.#flags.set(`${op.tid} ${op.at}`, op.value);
        break;
      case 'set':
        this.#say(tid, 'does');
        this.#words.set(`${tid} ${op.word}`, op.value);
        break;
      case 'lock':
        this.#say(tid, 'does');
        this.#locked.add(op.lock);
        break;
      case 'unlock':
        this.#say(tid, 'does');
        this.#locked.delete(op.lock);
        break;
      case 'cachedLoad':
      case 'cachedStore':
        this.#holds(tid, linesOf(op.at, op.bytes), op.op === 'cachedStore');
        this.#say(tid, 'does');
        break;
      case 'evict':
        for (const line of linesOf(op.at, op.bytes)) this.#leaves(tid, line);
        break;
      case 'load':
      case 'store':
      case 'memoryLoad':
      case 'memoryStore':
      case 'add':
      case 'order':
        this.#say(tid, 'does');
        break;
      default:
        if (this.#blocked[tid]) {
          this.#say(tid, 'finds', 1);
          this.#blocked[tid] = false;
          break;
        }
        this.#issue(tid, op);
        if ('blocking' in op && op.blocking) {
          this.#blocked[tid] = true;
          return;
        }
    }
    this.#at[tid]!++;
  }

  /** Lines are in the cache; another one may have to go. */
  #holds(tid: number, wanted: readonly number[], stores: boolean): void {
    const lines = this.#lines[tid]!;
    for (const line of wanted) {
      if (!lines.has(line)) {
        const others = [...lines.keys()].filter((one) => !wanted.includes(one));
        if (others.length > 0 && this.#pick(fewPlaces) === 0)
          this.#leaves(tid, others[this.#pick(others.length)]!);
        this.#say(tid, 'fills', line);
      }
      lines.set(line, stores || lines.get(line) === true);
    }
  }

  /** A line leaves the cache; it is written back first where it has been stored to. */
  #leaves(tid: number, line: number): void {
    const dirty = this.#lines[tid]!.get(line);
    if (dirty === undefined) return;
    if (dirty) this.#say(tid, 'writesBack', line);
    this.#say(tid, 'drops', line);
    this.#lines[tid]!.delete(line);
  }

  #issue(tid: number, what: TransferOp): void {
    this.#say(tid, 'does');
    const index = this.#at[tid]!;
    const after = this.#all.flatMap(({ moving, index: earlier }) =>
      moving.tid === tid && this.#parts(tid, earlier, index, moving.what, what) ? [moving] : [],
    );
    const copies = what.op === 'broadcast' ? [...what.tids] : [targetOf(tid, what)];
    const moving: Moving = { tid, what, name: ownWord(tid, index), after, phase: 'held', copies };
    this.#moving.push(moving);
    this.#all.push({ moving, index });
  }

  #parts(tid: number, from: number, to: number, earlier: TransferOp, later: TransferOp): boolean {
    const engine = engineOf(later);
    return this.#program[tid]!.slice(from, to).some(
      (one) =>
        one.op === 'order' &&
        (one.engine === 'both' || (one.engine === engine && engineOf(earlier) === engine)),
    );
  }

  #canMove({ phase, after }: Moving): boolean {
    return phase !== 'held' || after.every((one) => one.phase === 'written');
  }

  #advance(moving: Moving): void {
    const { tid, what, name, copies } = moving;
    const own = 'blocking' in what && what.blocking ? name : undefined;
    if (moving.phase === 'held') {
      moving.phase = 'started';
      return;
    }
    if (moving.phase === 'started') {
      moving.phase = 'read';
      if (what.op === 'put') this.#count(tid, own ?? what.word);
      else if (what.op === 'remoteGet') this.#count(what.tid, what.remote);
      else if (what.op === 'remotePut') this.#count(tid, own ?? what.local);
      else if (what.op === 'broadcast') this.#count(tid, what.local);
    } else {
      const [target] = copies.splice(this.#pick(copies.length), 1);
      if (what.op === 'get') this.#count(tid, own ?? what.word);
      else if (what.op === 'remoteGet') this.#count(tid, own ?? what.local);
      else if (what.op === 'remotePut' || what.op === 'broadcast') this.#count(target!, what.remote);
    }
    if (moving.phase === 'read' && copies.length === 0) {
      moving.phase = 'written';
      this.#moving.splice(this.#moving.indexOf(moving), 1);
    }
  }

  #count(tid: number, word: number | string | null): void {
    if (word !== null) this.#words.set(`${tid} ${word}`, this.#value(tid, word) + 1);
  }
}

const ownWord = (tid: number, index: number): string => `own of ${tid}.${index}`;
const engineOf = ({ op }: TransferOp): 'dma' | 'rma' => (op === 'get' || op === 'put' ? 'dma' : 'rma');
const targetOf = (tid: number, what: TransferOp): number => (what.op === 'remotePut' ? what.tid : tid);
