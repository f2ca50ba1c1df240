import type { RaceStory } from './race-story.ts';

/**
 * An operation of a small program for two CPEs. Buffers and words are indices; every CPE has its own, memory has slots.
 *
 * Details: `remotePut` goes from a buffer to the same buffer of the other CPE and counts in words of both.
 */
export type SmallOperation =
  | { readonly op: 'load' | 'store'; readonly buffer: number }
  | { readonly op: 'get' | 'put'; readonly buffer: number; readonly slot: number; readonly word: number }
  | { readonly op: 'remotePut'; readonly buffer: number; readonly word: number; readonly far: number }
  | { readonly op: 'wait'; readonly word: number; readonly value: number }
  | { readonly op: 'sync' }
  | { readonly op: 'order'; readonly engine: 'dma' | 'rma' | 'both' };

type TransferOperation = Extract<SmallOperation, { readonly op: 'get' | 'put' | 'remotePut' }>;

/** How far a transfer is. It touches its source until `read`, and what it writes until `written`. */
type Phase = 'held' | 'started' | 'read' | 'written';

interface Moving {
  readonly cpe: number;
  readonly what: TransferOperation;
  /** Transfers that a barrier operation puts before it. */
  readonly after: readonly number[];
  phase: Phase;
}

/** Places are named by strings: `0.1` is buffer 1 of CPE 0, `m0` a slot of memory. */
interface Touch {
  readonly place: string;
  readonly writes: boolean;
}

/** A move that the machine can make: the next operation of a CPE, or the next phase of a transfer. */
export type Move = { readonly cpe: number } | { readonly transfer: number };

const engineOf = ({ op }: TransferOperation): 'dma' | 'rma' => (op === 'remotePut' ? 'rma' : 'dma');

/**
 * Two CPEs with engines that take their time: what the ordering rules promise of the hardware and nothing more.
 *
 * Details: a model of its own, without clocks: two operations race where one happens while the other's bytes may still move. Under the lenient
 * rules a synchronisation takes longer than what a remote put that has left still needs; a put to memory that has left always arrives before.
 */
export class SmallMachine {
  readonly #programs: readonly (readonly SmallOperation[])[];
  readonly #lenient: boolean;
  readonly #at: number[];
  readonly #words: Map<string, number>;
  readonly #transfers: Moving[];
  /** True when two operations met that nothing keeps apart. */
  raced = false;

  constructor(programs: readonly (readonly SmallOperation[])[], lenient: boolean, copied?: SmallMachine) {
    this.#programs = programs;
    this.#lenient = lenient;
    this.#at = copied ? [...copied.#at] : programs.map(() => 0);
    this.#words = new Map(copied ? copied.#words : []);
    this.#transfers = copied ? copied.#transfers.map((one) => ({ ...one })) : [];
  }

  copy(): SmallMachine {
    return new SmallMachine(this.#programs, this.#lenient, this);
  }

  /** Equal for states with the same future. */
  get key(): string {
    const words = [...this.#words].sort(([a], [b]) => (a < b ? -1 : 1));
    const transfers = this.#transfers
      .map((one) => `${one.cpe}${one.phase}${JSON.stringify(one.what)}`)
      .sort();
    return JSON.stringify([this.#at, words, transfers]);
  }

  /** What can happen next. */
  get moves(): readonly Move[] {
    const moves: Move[] = [];
    this.#programs.forEach((_, cpe) => {
      if (this.#canStep(cpe)) moves.push({ cpe });
    });
    this.#transfers.forEach(({ phase, after }, transfer) => {
      if (phase === 'written') return;
      if (phase === 'held' && after.some((other) => this.#transfers[other]!.phase !== 'written')) return;
      moves.push({ transfer });
    });
    return moves;
  }

  /** Makes a move; tells what CPEs do to a story when there is one. */
  make(move: Move, story?: RaceStory): void {
    if ('transfer' in move) this.#advance(this.#transfers[move.transfer]!);
    else this.#step(move.cpe, story);
  }

  #next(cpe: number): SmallOperation | undefined {
    return this.#programs[cpe]![this.#at[cpe]!];
  }

  #canStep(cpe: number): boolean {
    const next = this.#next(cpe);
    if (!next) return false;
    if (next.op === 'wait') return this.#value(cpe, next.word) >= next.value;
    // The last to come lets both go on; the first one does not move before.
    if (next.op === 'sync') return this.#next(1 - cpe)?.op === 'sync' && cpe === 0;
    return true;
  }

  #value(cpe: number, word: number): number {
    return this.#words.get(`${cpe}.${word}`) ?? 0;
  }

  #step(cpe: number, story: RaceStory | undefined): void {
    const next = this.#next(cpe)!;
    this.#at[cpe]!++;
    if (story) tell(story, cpe, next);
    switch (next.op) {
      case 'load':
      case 'store':
        this.#meet(undefined, [{ place: `${cpe}.${next.buffer}`, writes: next.op === 'store' }]);
        break;
      case 'get':
      case 'put':
      case 'remotePut':
        this.#issue(cpe, next);
        break;
      case 'sync':
        this.#at[1]!++;
        for (const one of this.#transfers)
          if (
            one.phase === 'read' &&
            (one.what.op === 'put' || (one.what.op === 'remotePut' && this.#lenient))
          )
            this.#advance(one);
        break;
      default:
        break;
    }
  }

  #issue(cpe: number, what: TransferOperation): void {
    const operations = this.#programs[cpe]!;
    const now = this.#at[cpe]! - 1;
    const own = this.#transfers.flatMap((one, index) => (one.cpe === cpe ? [{ one, index }] : []));
    let transfersBefore = 0;
    const after: number[] = [];
    operations.slice(0, now).forEach((operation, at) => {
      if (operation.op !== 'get' && operation.op !== 'put' && operation.op !== 'remotePut') return;
      const { index } = own[transfersBefore++]!;
      const between = operations.slice(at, now);
      const parted = between.some(
        (one) =>
          one.op === 'order' &&
          (one.engine === 'both' || (one.engine === engineOf(operation) && one.engine === engineOf(what))),
      );
      if (parted) after.push(index);
    });
    const moving: Moving = { cpe, what, after, phase: 'held' };
    this.#transfers.push(moving);
    if (after.every((other) => this.#transfers[other]!.phase === 'written')) this.#advance(moving);
  }

  #advance(moving: Moving): void {
    const { cpe, what } = moving;
    const count = (owner: number, word: number) =>
      this.#words.set(`${owner}.${word}`, this.#value(owner, word) + 1);
    if (moving.phase === 'held') {
      moving.phase = 'started';
      this.#meet(moving, touches(moving));
    } else if (moving.phase === 'started') {
      moving.phase = 'read';
      if (what.op !== 'get') count(cpe, what.word);
    } else {
      moving.phase = 'written';
      if (what.op === 'get') count(cpe, what.word);
      if (what.op === 'remotePut') count(1 - cpe, what.far);
    }
  }

  #meet(self: Moving | undefined, mine: readonly Touch[]): void {
    for (const other of this.#transfers)
      if (other !== self && other.phase !== 'held')
        for (const theirs of touches(other))
          for (const touch of mine)
            if (touch.place === theirs.place && (touch.writes || theirs.writes)) this.raced = true;
  }
}

/** What a transfer still touches. */
function touches({ cpe, what, phase }: Moving): readonly Touch[] {
  if (phase === 'written') return [];
  const buffer = `${cpe}.${what.buffer}`;
  const slot = what.op === 'remotePut' ? `${1 - cpe}.${what.buffer}` : `m${what.slot}`;
  const [source, target] = what.op === 'get' ? [slot, buffer] : [buffer, slot];
  return [
    ...(phase === 'started' ? [{ place: source, writes: false }] : []),
    { place: target, writes: true },
  ];
}

const memory = 0x5000_0000_0000;
const [buffers, words] = [0x1000, 0x8000];

function tell(story: RaceStory, cpe: number, next: SmallOperation): void {
  switch (next.op) {
    case 'load':
    case 'store':
      story[next.op](cpe, buffers + 64 * next.buffer, 64);
      break;
    case 'get':
      story.get(cpe, buffers + 64 * next.buffer, memory + 64 * next.slot, 64, words + 4 * next.word);
      break;
    case 'put':
      story.put(cpe, memory + 64 * next.slot, buffers + 64 * next.buffer, 64, words + 4 * next.word);
      break;
    case 'remotePut': {
      const at = buffers + 64 * next.buffer;
      story.remotePut(cpe, at, 64, 1 - cpe, at, words + 4 * next.word, words + 4 * next.far);
      break;
    }
    case 'wait':
      story.wait(cpe, words + 4 * next.word, next.value);
      break;
    case 'sync':
      story.sync([0, 1]);
      break;
    case 'order':
      story.order(cpe, next.engine);
      break;
  }
}

/** True when some schedule lets two operations meet. */
export function racesInSomeSchedule(
  programs: readonly (readonly SmallOperation[])[],
  lenient: boolean,
): boolean {
  const seen = new Set<string>();
  const open = [new SmallMachine(programs, lenient)];
  for (let machine = open.pop(); machine; machine = open.pop()) {
    if (machine.raced) return true;
    for (const move of machine.moves) {
      const next = machine.copy();
      next.make(move);
      if (next.raced) return true;
      const { key } = next;
      if (!seen.has(key)) {
        seen.add(key);
        open.push(next);
      }
    }
  }
  return false;
}
