import type { WrittenArgument, WrittenCall, WrittenStep } from '../../../machines/sunway/operations.ts';
import { memoryDigest } from './memory-digest.ts';

/** Bytes of each buffer in LDM, and of each of the places that a CPE has in main memory. */
export const bufferBytes = 256;
/** Places of each CPE in main memory that phases move bytes to and from. */
export const placesOfCpe = 4;
/** The buffers that every CPE has, in the order in which they are laid out. */
export const buffers = ['first', 'second', 'third', 'fourth'] as const;
/** What else is laid out: what is put into main memory in the end, and scratch. */
const tableName = 'table';
export const scratchName = 'scratch';
const kept = [...buffers, tableName] as const;
/** Where static data begin, and what they are multiples of (Sunway specification 2.3; buffers are 64-byte aligned). */
const firstStatic = 4096;

/** Words of main memory that are zero in the beginning, 8 bytes each. */
export const zeroWords = { turn: 0, userLock: 1, hostLock: 2, sum: 3, handlerLock: 4 } as const;
/** Bytes that every CPE may read, beside those words. */
const commonBytes = 512;
const wordsBytes = 128;

/** Reply words, and which call waits for each. */
const waitCalls = {
  moved: 'dma_wait_value',
  sent: 'rma_wait_value',
  come: 'rma_wait_value',
  copied: 'rma_wait_value',
  /** Counts one transfer of its CPE at a time. */
  alone: 'rma_wait_value',
} as const;
export type Reply = keyof typeof waitCalls;
const replies = Object.keys(waitCalls) as readonly Reply[];

/** How large a generated node is, and what it has. */
export interface Shape {
  readonly cgs: number;
  readonly cpes: number;
  /** Share mode, -1 without shared LDM; and the bytes that each CPE shares. */
  readonly shareMode: number;
  readonly shareBytes: number;
  /** How the buffer of each core group is filled. */
  readonly fills: readonly number[];
  /** What hosts do for each signal of their CPEs; nothing listens when absent. */
  readonly handling?: Handling | undefined;
  /** Whether hosts start the threads of their CPEs one by one, and wait for each. */
  readonly oneByOne?: boolean;
  /** Whether hosts halt their arrays in the end. */
  readonly halts?: boolean;
  /** Whether programs end before they are over. */
  readonly isCut?: boolean;
}

/** What a handler of signals does: calculates, reads main memory, holds a lock of its own, fetches a task, or meets CPE 0, which alone signals then. */
export const handlings = ['computes', 'reads', 'locks', 'fetches', 'meets'] as const;
export type Handling = (typeof handlings)[number];

type GroupStep = (cgn: number) => WrittenStep;
type Filter = (tid: number) => boolean;

/** Main memory and LDMs of one core group, as if its CPEs worked one after the other. */
export class GroupWorld {
  readonly memory: Uint8Array;
  /** Shared space, by the first member of its share group. */
  readonly shared = new Map<number, Uint8Array>();
  readonly #ldms: ReadonlyMap<string, readonly Uint8Array[]>;

  constructor(cpes: number, memory: Uint8Array) {
    this.memory = memory;
    this.#ldms = new Map(
      kept.map((name) => [name, Array.from({ length: cpes }, () => new Uint8Array(bufferBytes))]),
    );
  }

  /** A buffer of a CPE. */
  of(name: string, tid: number): Uint8Array {
    return this.#ldms.get(name)![tid]!;
  }

  /** The parallel table of a CPE. */
  table(tid: number): Uint8Array {
    return this.of(tableName, tid);
  }
}

/**
 * A program that grows phase by phase, and what main memory holds when all of it was carried out one CPE after the other.
 *
 * Details: a phase adds its operations, the same on every CPE, and does to the worlds what they mean (Sunway specification 12, P5).
 */
export class Stage {
  readonly shape: Shape;
  readonly tids: readonly number[];
  readonly worlds: readonly GroupWorld[];
  readonly #steps: GroupStep[] = [];
  readonly #host: WrittenCall[] = [];
  readonly #counts: Record<Reply, number> = { moved: 0, sent: 0, come: 0, copied: 0, alone: 0 };
  /** Blocks that each CPE has allocated so far: the number of the next one. */
  blocks = 0;
  /** Whether calls that are refused return their codes, instead of ending the run. */
  returnsErrors = false;

  constructor(shape: Shape) {
    this.shape = shape;
    this.tids = Array.from({ length: shape.cpes }, (_, tid) => tid);
    this.worlds = shape.fills.map((fill) => {
      const memory = new Uint8Array(this.memoryBytes);
      if (fill > 0)
        for (let k = 0; k < this.#wordsAt; k++) memory[k] = (fill * k + Math.floor(k / 256)) % 251;
      const world = new GroupWorld(shape.cpes, memory);
      for (const tid of this.tids)
        for (const [k, name] of buffers.entries()) world.of(name, tid).set(this.placeOf(world, tid, k));
      return world;
    });
  }

  get memoryBytes(): number {
    return this.#wordsAt + wordsBytes;
  }

  /** First byte of what all CPEs may read and nobody changes. */
  get commonAt(): number {
    return this.shape.cpes * this.stride;
  }

  get #wordsAt(): number {
    return this.commonAt + commonBytes;
  }

  /** Bytes of main memory from the part of one CPE to that of the next: its places, and one for each buffer in the end. */
  get stride(): number {
    return (placesOfCpe + kept.length) * bufferBytes;
  }

  /** The bytes of a place in main memory. */
  placeOf({ memory }: GroupWorld, tid: number, place: number): Uint8Array {
    const at = tid * this.stride + place * bufferBytes;
    return memory.subarray(at, at + bufferBytes);
  }

  /** A place of the CPE itself, as an argument. */
  own(place: number, plus = 0): WrittenArgument {
    return { memory: place * bufferBytes + plus, perCpe: this.stride };
  }

  /** A word that is zero in the beginning, as an argument and as an offset in main memory. */
  word(name: keyof typeof zeroWords): WrittenArgument {
    return { memory: this.wordAt(name), perCpe: 0 };
  }
  wordAt(name: keyof typeof zeroWords): number {
    return this.#wordsAt + 8 * zeroWords[name];
  }

  /** The offset of a buffer in every LDM. */
  addressOf(name: (typeof kept)[number]): number {
    return firstStatic + bufferBytes * kept.indexOf(name);
  }

  /** Adds operations of every CPE. */
  add(...steps: readonly (WrittenStep | GroupStep)[]): void {
    this.#steps.push(...steps.map((step) => (typeof step === 'function' ? step : () => step)));
  }

  /** Adds them between barriers of the array, for what reaches into the LDM of others. */
  among(...steps: readonly (WrittenStep | GroupStep)[]): void {
    this.add(['ssync_array'], ...steps, ['ssync_array']);
  }

  /** Has every CPE wait until what it has put is written: a get behind a barrier operation begins then (7.2). */
  settle(): void {
    this.add(['dma_barrier'], ['dma_get', scratchName, this.own(0), 4]);
  }

  /** Adds calls of every host, which carries them out while its threads run. */
  host(...calls: readonly WrittenCall[]): void {
    this.#host.push(...calls);
  }

  /** Adds a signal of a CPE to its host (Sunway specification 5.6). */
  signal(tid: number, content: number): void {
    const meets = this.shape.handling === 'meets';
    const by = meets ? 0 : tid;
    this.add(
      ...this.only(
        (one) => one === by,
        ['ssig_host', content],
        ...(meets ? [['ssync_master_spe'] as const] : []),
      ),
    );
  }

  /** What a host does for each signal. */
  #handler(): readonly WrittenCall[] {
    switch (this.shape.handling) {
      case undefined:
        return [];
      case 'computes':
        return [['compute', 9]];
      case 'reads':
        return [['ld', { memory: this.commonAt, perCpe: 0 }, 'i32']];
      case 'locks':
        return [
          ['mutex_lock', this.word('handlerLock')],
          ['mutex_unlock', this.word('handlerLock')],
        ];
      case 'fetches':
        return [['task_fetch', 'pool', 7, 2]];
      case 'meets':
        return [['sync_master_spe', 0]];
    }
  }

  /** Starts the threads of a core group; `end` waits for them. */
  #threads(): { readonly start: readonly WrittenCall[]; readonly end: readonly WrittenCall[] } {
    const { halts, oneByOne } = this.shape;
    const last: readonly WrittenCall[] = halts ? [['athread_halt']] : [];
    if (!oneByOne) return { start: [['athread_spawn']], end: [['athread_join'], ...last] };
    return {
      start: this.tids.map((tid) => ['athread_create', tid]),
      end: [...this.tids.map((tid): WrittenCall => ['athread_wait', tid]), ...last],
    };
  }

  /** Operations of some CPEs alone; none when nobody is meant. */
  only(filter: Filter, ...calls: readonly WrittenCall[]): readonly WrittenStep[] {
    const on = this.tids.filter(filter);
    return on.length === 0 ? [] : [{ on, do: calls }];
  }

  /** CPEs of higher numbers come later. */
  late(cycles: number): void {
    if (cycles > 0) this.add(['compute', { number: 1, perCpe: cycles }]);
  }

  /** Waits for one more count of every CPE's own word, or for several. */
  counted(word: Reply, more = 1): WrittenCall {
    this.#counts[word] += more;
    return [waitCalls[word], word, this.#counts[word]];
  }

  /** Does something in every core group. */
  inGroups(change: (world: GroupWorld, cgn: number) => void): void {
    for (const [cgn, world] of this.worlds.entries()) change(world, cgn);
  }

  /** Does something at every CPE. */
  atCpes(change: (world: GroupWorld, tid: number, cgn: number) => void): void {
    this.inGroups((world, cgn) => {
      for (const tid of this.tids) change(world, tid, cgn);
    });
  }

  /** The program of every core group, in order: it ends when each CPE has put its buffers where nothing else was put. */
  programs(): readonly object[] {
    this.atCpes((world, tid) => {
      for (const [k, name] of kept.entries())
        this.placeOf(world, tid, placesOfCpe + k).set(world.of(name, tid));
    });
    const { start, end } = this.#threads();
    const statics = Object.fromEntries([...kept, scratchName].map((name) => [name, bufferBytes]));

    return this.worlds.map(({ memory }, cgn) => ({
      memory: {
        bytes: this.memoryBytes,
        fill: this.shape.fills[cgn],
        ...(!this.shape.isCut && { after: memoryDigest(memory) }),
      },
      statics,
      replies,
      slave: [
        // Everybody asks where it is.
        ['smng_get_spc_tid'],
        ['smng_get_spcn'],
        ...replies.map((word): WrittenCall => ['rplySet', word, 0]),
        ...buffers.map((name, k): WrittenCall => ['dma_get', name, this.own(k), bufferBytes]),
        ['ssync_array'],
        ...this.#steps.map((step) => step(cgn)),
        ['ssync_array'],
        ...kept.map((name, k): WrittenCall => ['dma_put', this.own(placesOfCpe + k), name, bufferBytes]),
      ],
      host: [
        // The pattern goes over the words as well.
        ...Array.from(
          { length: wordsBytes / 8 },
          (_, k): WrittenCall => ['st', { memory: this.#wordsAt + 8 * k, perCpe: 0 }, 'i64', 0],
        ),
        ...start,
        ...this.#host,
        ...end,
      ],
      handler: this.#handler(),
    }));
  }
}

/** One phase of a generated program. */
export type Phase = (stage: Stage) => void;

/** Two different buffers: the second is so many further than the first. */
export const pairOf = ({
  from,
  to,
}: {
  readonly from: number;
  readonly to: number;
}): readonly [string, string] => [buffers[from]!, buffers[(from + to) % buffers.length]!];
