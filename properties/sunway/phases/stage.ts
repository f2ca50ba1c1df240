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
/** A static variable for transfers of many blocks, and what each CPE has of main memory for what it puts from there. */
export const longName = 'long';
export const longBytes = 4096;
/** Bytes of main memory that all may read and nobody changes: addresses so far apart share a set of a data cache of 32 KiB. */
export const cacheSpan = 8192;
export const wideBytes = 6 * cacheSpan;
/** Where static data begin, and what they are multiples of (Sunway specification 2.3; buffers are 64-byte aligned). */
const firstStatic = 4096;

/** Words of main memory that are zero in the beginning, 8 bytes each. */
export const zeroWords = {
  turn: 0,
  userLock: 1,
  hostLock: 2,
  sum: 3,
  handlerLock: 4,
  userTurn: 5,
  arrayTurn: 6,
} as const;
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
  /** Whether blocks and packets move one by one: then few do. */
  readonly isFine?: boolean;
  /** Whether CPEs have data caches, of 32 KiB in which lines may crowd each other. */
  readonly cached?: boolean;
  readonly crowds?: boolean;
  /** Whether there is room for transfers of many blocks. */
  readonly hasLong?: boolean;
  /** How often the threads run, one after the other; whether caches keep dirty lines between. */
  readonly spawns?: number;
  readonly noFlush?: boolean;
  /** After so many cycles hosts halt their arrays, whose threads run; undefined for never. */
  readonly haltAfter?: number | undefined;
  /** Whether the last call of a thread is a collective one. */
  readonly endsTogether?: boolean;
  /** Who may call the barriers of half columns (Sunway specification 15, C1). */
  readonly halves?: 'manual' | 'header';
  /** Whether programs end before they are over. */
  readonly isCut?: boolean;
}

/** What a handler of signals does: calculates, reads main memory, holds a lock of its own, fetches a task, meets CPE 0, which alone signals then, or the other hosts. */
export const handlings = ['computes', 'reads', 'locks', 'fetches', 'meets', 'meets hosts'] as const;
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
  readonly #host: ((cgn: number) => WrittenCall)[] = [];
  readonly #counts: Record<Reply, number> = { moved: 0, sent: 0, come: 0, copied: 0, alone: 0 };
  /** Blocks that each CPE has allocated so far: the number of the next one. */
  blocks = 0;
  /** Whether calls that are refused return their codes, instead of ending the run. */
  returnsErrors = false;
  /** Whether something is done that is right on this machine, but that its race detector reports. */
  isUnordered = false;

  constructor(shape: Shape) {
    this.shape = shape;
    this.tids = Array.from({ length: shape.cpes }, (_, tid) => tid);
    this.worlds = shape.fills.map((fill) => {
      const memory = new Uint8Array(this.memoryBytes);
      if (fill > 0)
        for (let k = 0; k < this.memoryBytes; k++) memory[k] = (fill * k + Math.floor(k / 256)) % 251;
      memory.fill(0, this.#wordsAt, this.#wordsAt + wordsBytes);
      return new GroupWorld(shape.cpes, memory);
    });
    this.#begin();
  }

  /** Buffers begin as places in main memory. */
  #begin(): void {
    this.atCpes((world, tid) => {
      for (const [k, name] of buffers.entries()) world.of(name, tid).set(this.placeOf(world, tid, k));
    });
  }

  /** Every CPE puts its buffers where nothing else was put. */
  #end(): void {
    this.atCpes((world, tid) => {
      for (const [k, name] of kept.entries())
        this.placeOf(world, tid, placesOfCpe + k).set(world.of(name, tid));
    });
  }

  /** Carries out phases, once for each time that the threads run: their operations are the same every time. */
  perform(phases: readonly Phase[]): void {
    for (let time = 0; time < (this.shape.spawns ?? 1); time++) {
      if (time > 0) this.#begin();
      const [steps, host] = [this.#steps.length, this.#host.length];
      this.blocks = 0;
      for (const name of replies) this.#counts[name] = 0;
      for (const one of phases) one(this);
      this.#end();
      if (time === 0) continue;
      this.#steps.length = steps;
      this.#host.length = host;
    }
  }

  get memoryBytes(): number {
    return this.longAt + (this.shape.hasLong ? this.shape.cpes * longBytes : 0);
  }

  /** First byte of what all may read and nobody changes, where there is room for transfers of many blocks; and of what each CPE puts there. */
  get wideAt(): number {
    return this.#wordsAt + wordsBytes;
  }
  get longAt(): number {
    return this.wideAt + (this.shape.hasLong ? wideBytes : 0);
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
    // What nobody else writes before the end.
    this.add(['dma_barrier'], ['dma_get', scratchName, this.own(placesOfCpe), 4]);
  }

  /** Adds calls of every host, which carries them out while its threads run. */
  host(...calls: readonly WrittenCall[]): void {
    this.hostEach(...calls.map((call) => () => call));
  }

  /**
   * Adds calls with which hosts wait for each other; none where their handlers do so, too: a host that is interrupted while it meets the others would
   * meet them twice at once, and one that is interrupted with a lock would keep it from those that it meets.
   */
  amongHosts(...calls: readonly WrittenCall[]): void {
    if (this.shape.handling !== 'meets hosts') this.host(...calls);
  }

  /** Adds calls that depend on the core group. */
  hostEach(...calls: readonly ((cgn: number) => WrittenCall)[]): void {
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
      case 'meets hosts':
        return [['sync_node']];
    }
  }

  /** Has the threads of a core group run, and its host do something meanwhile. */
  #threads(meanwhile: readonly WrittenCall[], cgn: number): readonly WrittenCall[] {
    const { halts, oneByOne, spawns = 1, noFlush, haltAfter } = this.shape;
    const spawn = noFlush ? 'athread_spawn_noflush' : 'athread_spawn';
    const start: readonly WrittenCall[] = oneByOne
      ? this.tids.map((tid) => ['athread_create', tid])
      : [[spawn]];
    const end: readonly WrittenCall[] = oneByOne
      ? this.tids.map((tid) => ['athread_wait', tid])
      : [['athread_join']];
    // One after the other: those who wait for a group learn that it is gone.
    if (haltAfter !== undefined)
      return [...start, ...meanwhile, ['compute', haltAfter * (1 + cgn)], ['athread_halt']];
    return [
      ...Array.from({ length: spawns }, () => [...start, ...meanwhile, ...end]).flat(),
      ...(halts ? [['athread_halt'] as const] : []),
    ];
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
    const { hasLong } = this.shape;
    const statics = {
      ...Object.fromEntries([...kept, scratchName].map((name) => [name, bufferBytes])),
      ...(hasLong && { [longName]: longBytes }),
    };

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
        ...(this.shape.endsTogether ? [['rma_bcast_coll', scratchName, scratchName, 4, 0] as const] : []),
      ],
      host: [
        // The pattern goes over the words as well.
        ...Array.from(
          { length: wordsBytes / 8 },
          (_, k): WrittenCall => ['st', { memory: this.#wordsAt + 8 * k, perCpe: 0 }, 'i64', 0],
        ),
        ...this.#threads(
          this.#host.map((call) => call(cgn)),
          cgn,
        ),
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
