/**
 * Writes correct logs of small machines for the checker's tests. It shares nothing with the checker but the log's types, and nothing
 * at all with the model: a plain loop over cycles with a first-fit arbiter (Cell specification 8 and 17.2, etalon-ff).
 */
import type { EventKind, LogEvent, LogHeader } from './log.ts';

/** One entry of a timed list: cycle, operation, arguments (Cell specification 18.1). */
export type TimedInstruction =
  | readonly [cycle: number, op: 'r', addr: number]
  | readonly [cycle: number, op: 'w', addr: number, v: number]
  | readonly [cycle: number, op: 'g' | 'p', my: number, peer: number, addr: number, size: number]
  | readonly [cycle: number, op: 's', id: number]
  | readonly [cycle: number, op: 'x', why: string];

/** What the generator runs (Cell specification 18.1). */
export interface ReferenceWorkload {
  readonly name: string;
  readonly N: number;
  readonly K: number;
  readonly memSize: number;
  /** Cycles to run; absent for "until idle". */
  readonly cycles?: number;
  readonly memory?: LogHeader['memory'];
  readonly programs: readonly (readonly TimedInstruction[])[];
}

/** How the log is written. */
export interface ReferenceOptions {
  /** Seed of a free interleaving of phases S and D; absent for canonical order. */
  readonly freeSeed?: number;
  /** Jump over cycles in which nothing happens, and log uneventful stretches of transfers as BULK. */
  readonly skipIdle?: boolean;
  readonly bulk?: boolean;
  /** Planted fault: cycles by which the arbiter frees a segment too late (1) or too early (-1). */
  readonly freeShift?: number;
  /** Change of the header, for instance a waiting limit. */
  readonly header?: Partial<LogHeader>;
}

/** A finished log and the memories it ends with. */
export interface ReferenceLog {
  readonly header: LogHeader;
  readonly events: LogEvent[];
  readonly memories: readonly Uint8Array[];
}

interface Job {
  readonly spu: number;
  readonly id: number;
  readonly kind: 'get' | 'put';
  readonly src: number;
  readonly dst: number;
  readonly from: number;
  readonly to: number;
  readonly size: number;
  readonly issue: number;
  start: number;
  dir: number;
  ring: number;
  nodes: number[];
}

/** A small generator of pseudo-random numbers for tests: xorshift32, results 0..bound-1. */
export class TestRandom {
  private state: number;

  constructor(seed: number) {
    this.state = Math.imul(seed + 1, 0x9e3779b1) | 1;
  }

  below(bound: number): number {
    this.state ^= this.state << 13;
    this.state ^= this.state >>> 17;
    this.state ^= this.state << 5;
    return (this.state >>> 0) % bound;
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new RangeError('nothing to pick from');
    return item;
  }
}

/** Runs a workload and writes its log. */
export function referenceLog(workload: ReferenceWorkload, options: ReferenceOptions = {}): ReferenceLog {
  return new ReferenceRun(workload, options).run();
}

class ReferenceRun {
  private readonly workload: ReferenceWorkload;
  private readonly options: ReferenceOptions;
  private readonly header: LogHeader;
  private readonly events: LogEvent[] = [];
  private readonly memories: Uint8Array[];
  private readonly clocks: number[];
  private readonly jobs: Job[][];
  private readonly positions: number[];
  private readonly counts: number[];
  private readonly halted: boolean[];
  private readonly random: TestRandom | null;
  private pending: Job[] = [];
  private running: Job[] = [];
  /** Transfers that hold their segment: the running ones, unless the arbiter frees at the wrong time. */
  private holding: Job[] = [];
  private arrived: Job[] = [];
  private written = new Map<string, [number, number]>();
  private busClock = 0;
  private busHolder = -1;
  private t = 0;

  constructor(workload: ReferenceWorkload, options: ReferenceOptions) {
    const { N, K, memSize } = workload;
    this.workload = workload;
    this.options = options;
    this.header = {
      format: 'cell-log/1',
      name: workload.name,
      N,
      K,
      memSize,
      policy: 'etalon-ff',
      workConserving: true,
      selfTransfer: 'point',
      zeroSize: 'complete',
      boundedWait: null,
      cycles: workload.cycles ?? null,
      memory: workload.memory ?? 'pattern',
      waitLimit: null,
      interleaving: options.freeSeed === undefined ? 'ordered' : 'free',
      ...options.header,
    };
    this.memories = Array.from({ length: N }, (_, s) =>
      Uint8Array.from({ length: memSize }, (__, a) => {
        const { memory } = this.header;
        if (memory === 'zero') return 0;
        if (memory !== 'pattern' && memory !== 'recorded') return memory[s]?.[a] ?? 0;
        return s * 167 + a * 13 + Math.floor(a / 256) * 7 + 1;
      }),
    );
    this.clocks = new Array<number>(N).fill(0);
    this.jobs = Array.from({ length: N }, () => []);
    this.positions = new Array<number>(N).fill(0);
    this.counts = new Array<number>(N).fill(0);
    this.halted = new Array<boolean>(N).fill(false);
    this.random = options.freeSeed === undefined ? null : new TestRandom(options.freeSeed);
  }

  run(): ReferenceLog {
    for (;;) {
      this.cycle();
      const over =
        this.workload.cycles === undefined
          ? this.halted.every(Boolean) && this.pending.length + this.running.length === 0
          : this.t + 1 >= this.workload.cycles;
      const next = over ? this.t + 1 : this.nextCycle();
      this.emit('BARRIER', next > this.t + 1 ? { gen: this.t, next } : { gen: this.t });
      this.t = next;
      if (over || (this.workload.cycles !== undefined && next >= this.workload.cycles)) break;
      if (this.options.bulk === true) this.bulk();
      if (this.t === this.workload.cycles) break;
    }
    const cycles = this.t;
    this.t = cycles - 1;
    this.emit('STOP', { cycles });
    return { header: this.header, events: this.events, memories: this.memories };
  }

  private cycle(): void {
    const { N } = this.workload;
    const threads: Generator<void>[] = [];
    for (let s = 0; s < N; s++) threads.push(this.program(s));
    const jobs = this.running.toSorted((a, b) => a.spu - b.spu || a.id - b.id);
    const left = new Array<number>(N).fill(0);
    for (const job of jobs) left[job.spu] = (left[job.spu] ?? 0) + 1;
    for (let s = 0; s < N; s++)
      if (left[s] === 0 && this.random !== null) threads.push(this.report('dma', s));
    for (const job of jobs) threads.push(this.byte(job, left));
    this.interleave(threads);
    if (this.random === null) for (let s = 0; s < N; s++) this.emit('DONE', { who: 'dma', id: s });
    this.arbitrate();
    this.emit('DONE', { who: 'arb', id: 0 });
    const memories = new Map<number, [number, number][]>();
    for (const [mem, a] of this.written.values())
      memories.set(mem, [...(memories.get(mem) ?? []), [a, this.memories[mem]?.[a] ?? 0]]);
    for (const [mem, bytes] of memories) this.emit('MEM', { mem, bytes });
    this.written = new Map();
  }

  /** Canonical order runs each thread to its end; a free interleaving picks the next step each time. */
  private interleave(threads: Generator<void>[]): void {
    let alive = threads;
    while (alive.length > 0) {
      const thread = this.random === null ? alive[0] : this.random.pick(alive);
      if (thread?.next().done === true) alive = alive.filter((other) => other !== thread);
    }
  }

  private *program(s: number): Generator<void> {
    const list = this.workload.programs[s] ?? [];
    for (;;) {
      const position = this.positions[s] ?? 0;
      const entry = list[position];
      if (entry === undefined || entry[0] !== this.t || this.halted[s] === true) break;
      this.positions[s] = position + 1;
      yield* this.instruction(s, entry);
      yield;
    }
    if ((this.positions[s] ?? 0) >= list.length && this.halted[s] !== true) this.halt(s);
    yield* this.report('spu', s);
  }

  private *instruction(s: number, entry: TimedInstruction): Generator<void> {
    const { N, memSize } = this.workload;
    const k = this.counts[s] ?? 0;
    const fail = (why: string) => {
      this.emit('EXC', { spu: s, k, why });
      this.halt(s);
    };
    if (entry[1] === 'x') return fail(entry[2]);
    this.counts[s] = k + 1;
    if (entry[1] === 'r' || entry[1] === 'w') {
      if (entry[2] < 0 || entry[2] >= memSize) return fail('address out of range');
      if (entry[1] === 'r') {
        const value = this.access('RD', s, entry[2], 0, 'spu', s, -1);
        yield;
        this.emit('OBS', { spu: s, k, op: 'read', value });
      } else {
        this.access('WR', s, entry[2], entry[3], 'spu', s, -1);
        yield;
        this.emit('OBS', { spu: s, k, op: 'write', value: null });
      }
      return;
    }
    if (entry[1] === 's') {
      const [status, dir, ring] = this.answer(s, entry[2]);
      this.emit('STATUS', { spu: s, id: entry[2], status, dir, ring });
      yield;
      this.emit('OBS', { spu: s, k, op: 'status', value: status });
      return;
    }
    const [, op, my, peer, addr, size] = entry;
    if (peer < 0 || peer >= N || my < 0 || addr < 0 || my + size > memSize || addr + size > memSize)
      return fail('address out of range');
    const kind = op === 'g' ? 'get' : 'put';
    const id = this.jobs[s]?.length ?? 0;
    const get = kind === 'get';
    const job: Job = {
      spu: s,
      id,
      kind,
      src: get ? peer : s,
      dst: get ? s : peer,
      from: get ? addr : my,
      to: get ? my : addr,
      size,
      issue: this.t,
      start: size === 0 ? this.t + 1 : -1,
      dir: -1,
      ring: -1,
      nodes: [],
    };
    this.jobs[s]?.push(job);
    if (size > 0) this.arrived.push(job);
    this.emit('REQ', { spu: s, id, kind, my, peer, addr, size });
    yield;
    this.emit('OBS', { spu: s, k, op: kind, value: id });
  }

  private halt(s: number): void {
    this.halted[s] = true;
    this.positions[s] = this.workload.programs[s]?.length ?? 0;
    this.emit('HALT', { spu: s });
  }

  private answer(s: number, id: number): [number, number, number] {
    const job = this.jobs[s]?.[id];
    if (job === undefined) return [0, -1, -1];
    if (job.start < 0 || this.t < job.start) return [1, -1, -1];
    return this.t < job.start + job.size ? [2, job.dir, job.ring] : [3, -1, -1];
  }

  private *byte(job: Job, left: number[]): Generator<void> {
    if (job.start === this.t) this.emit('XSTART', { spu: job.spu, id: job.id, dir: job.dir, ring: job.ring });
    yield;
    while (this.busHolder >= 0) yield;
    this.busHolder = job.spu;
    const acquired = this.busClock++;
    yield;
    const dest = job.spu === job.src ? job.dst : job.src;
    this.emit('CMD', { spu: job.spu, dest, cmd: job.kind, q: this.busClock++ });
    yield;
    const release = () => {
      this.emit('BUS', { spu: job.spu, in: acquired, out: this.busClock++ });
      this.busHolder = -1;
    };
    // The module may let the bus go before it moves the byte or after.
    const early = this.random === null || this.random.below(2) === 0;
    if (early) release();
    const i = this.t - job.start;
    yield;
    const value = this.access('RD', job.src, job.from + i, 0, 'dma', job.spu, job.id);
    yield;
    this.access('WR', job.dst, job.to + i, value, 'dma', job.spu, job.id);
    if (!early) release();
    if (i === job.size - 1) this.emit('XEND', { spu: job.spu, id: job.id });
    left[job.spu] = (left[job.spu] ?? 0) - 1;
    if (this.random !== null && left[job.spu] === 0) yield* this.report('dma', job.spu);
  }

  private *report(who: 'spu' | 'dma', id: number): Generator<void> {
    yield;
    this.emit('DONE', { who, id });
  }

  private access(
    ev: 'RD' | 'WR',
    mem: number,
    a: number,
    v: number,
    by: string,
    spu: number,
    id: number,
  ): number {
    const memory = this.memories[mem];
    if (memory === undefined) throw new RangeError(`no memory ${mem}`);
    if (ev === 'WR') {
      memory[a] = v;
      this.written.set(`${mem}:${a}`, [mem, a]);
    }
    const value = memory[a] ?? 0;
    const stamp = this.clocks[mem] ?? 0;
    this.clocks[mem] = stamp + 2;
    this.emit(ev, { mem, a, v: value, by, spu, id, in: stamp, out: stamp + 1 });
    return value;
  }

  private arbitrate(): void {
    const { N, K } = this.workload;
    const last = (job: Job) => job.start + job.size - 1;
    this.running = this.running.filter((job) => last(job) > this.t);
    this.holding = this.holding.filter((job) => {
      if (last(job) + (this.options.freeShift ?? 0) > this.t) return true;
      this.emit('FREE', { spu: job.spu, id: job.id, dir: job.dir, ring: job.ring, nodes: job.nodes });
      return false;
    });
    this.pending.push(...this.arrived.sort((a, b) => a.spu - b.spu || a.id - b.id));
    this.arrived = [];
    this.pending = this.pending.filter((job) => {
      for (let dir = 0; dir < 2; dir++)
        for (let ring = 0; ring < K; ring++) {
          const nodes = walk(N, dir, job.src, job.dst);
          const taken = this.holding.some(
            (other) =>
              other.dir === dir && other.ring === ring && other.nodes.some((node) => nodes.includes(node)),
          );
          if (taken) continue;
          Object.assign(job, { start: this.t + 1, dir, ring, nodes });
          this.running.push(job);
          this.holding.push(job);
          this.emit('GRANT', { spu: job.spu, id: job.id, start: job.start, dir, ring, nodes });
          return false;
        }
      return true;
    });
  }

  private nextCycle(): number {
    if (this.options.skipIdle !== true || this.running.length + this.pending.length > 0) return this.t + 1;
    const entries = this.workload.programs.flatMap((list, s) => list[this.positions[s] ?? 0]?.[0] ?? []);
    // An SPU that is not halted yet halts in its next cycle.
    const idle = this.halted.every((halted, s) => halted || (this.workload.programs[s]?.length ?? 0) > 0);
    const next = idle ? Math.min(...entries, this.workload.cycles ?? Number.POSITIVE_INFINITY) : this.t + 1;
    return Number.isFinite(next) ? Math.max(next, this.t + 1) : this.t + 1;
  }

  /** Stretches in which transfers only run become one record. */
  private bulk(): void {
    const from = this.t;
    const entries = this.workload.programs.flatMap((list, s) => list[this.positions[s] ?? 0]?.[0] ?? []);
    const ends = this.running.map((job) => job.start + job.size - 1);
    const starts = this.running.map((job) => job.start);
    if (this.running.length === 0 || Math.max(...starts) >= from) return;
    const to = Math.min(...entries, ...ends, this.workload.cycles ?? Number.POSITIVE_INFINITY) - 1;
    if (to < from) return;
    for (let t = from; t <= to; t++)
      for (const job of this.running.toSorted((a, b) => a.spu - b.spu || a.id - b.id)) {
        const source = this.memories[job.src];
        const target = this.memories[job.dst];
        if (source === undefined || target === undefined) continue;
        target[job.to + t - job.start] = source[job.from + t - job.start] ?? 0;
      }
    this.t = to;
    this.emit('BULK', { from, to });
    this.t = to + 1;
  }

  private emit(ev: EventKind, fields: object): void {
    // The fields are written next to their kind above; the round trip through the parser in the tests checks them.
    this.events.push({ t: this.t, n: this.events.length, ev, ...fields } as unknown as LogEvent);
  }
}

function walk(N: number, dir: number, from: number, to: number): number[] {
  const nodes = [from];
  for (let node = from; node !== to; ) {
    node = dir === 0 ? (node + 1) % N : (node + N - 1) % N;
    nodes.push(node);
  }
  return nodes;
}

/** A random small workload with collisions, by the recipe of Cell specification 21.1. */
export function randomWorkload(random: TestRandom): ReferenceWorkload {
  const N = random.pick([1, 2, 2, 3, 3, 4, 5, 6, 7, 8, 8, 9]);
  const K = 1 + random.below(3);
  const memSize = 1 + random.below(64);
  let previous = 0;
  const programs = Array.from({ length: N }, (_, s) => {
    const list: TimedInstruction[] = [];
    let ids = 0;
    const cycles = random.below(13);
    for (let t = 0; t < cycles; t++)
      for (let count = random.below(5); count > 0; count--) {
        const address = () => random.below(Math.min(memSize, random.pick([2, 4, 64])));
        const op = random.below(5);
        if (op === 0) list.push([t, 'r', address()]);
        else if (op === 1) list.push([t, 'w', address(), random.below(256)]);
        else if (op === 2) list.push([t, 's', random.below(ids + 2) - (random.below(9) === 0 ? 1 : 0)]);
        else {
          const size = Math.min(memSize, random.pick([0, 1, 1, 2, 2, 3, 5, 9, memSize]));
          const place = () => Math.min(address(), memSize - size);
          previous = random.pick([s, (s + 1) % N, (s + Math.floor(N / 2)) % N, previous, random.below(N)]);
          list.push([t, op === 3 ? 'g' : 'p', place(), previous, place(), size]);
          ids++;
        }
      }
    return list;
  });
  const cycles = random.below(4) === 0 ? { cycles: 1 + random.below(20) } : {};
  return { name: 'random', N, K, memSize, programs, ...cycles };
}
