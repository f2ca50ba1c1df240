import type { CellConfig, CellPrograms } from '../../../machines/cell/config.ts';
import { ReferenceArbiter, type ReferenceGrant, type WaitingRequest } from './reference-arbiter.ts';
import { programOf, type ReferenceProgram } from './reference-program.ts';

/** A request from its issue to its end. */
interface Transfer extends WaitingRequest {
  readonly kind: 'get' | 'put';
  readonly from: number;
  readonly to: number;
  /** First cycle, -1 while unknown. */
  start: number;
  dir: number;
  ring: number;
}

/** What happens in one cycle, as texts that can be compared: who does what with which numbers. */
export interface ReferenceCycle {
  readonly happens: readonly string[];
  /** Whether what programs read, and what memories hold at the end of the cycle, is certain. */
  readonly certain: boolean;
  /** True when the run is over with this cycle. */
  readonly last: boolean;
}

/** What of a run's grants is asked for where the policy is not fixed exactly: those for a start cycle, as (SPU, id, direction, ring). */
export type GrantsSeen = (start: number) => readonly (readonly [number, number, 0 | 1, number])[];

/**
 * The Cell ring machine as one plain loop: what every cycle must bring (Cell specification 3, 6, 8, 9, 11, 17, 18.1).
 *
 * Details: knows timed lists and closed loops. Shares no code with the actors: lists and loops, a cycle after the other. Contents of memories are
 * certain in the canonical order, and in any order until two parties meet on a byte in one cycle, one of them writing (section 8).
 */
export class ReferenceMachine {
  readonly #config: CellConfig;
  readonly #ordered: boolean;
  readonly #arbiter: ReferenceArbiter;
  readonly #programs: readonly ReferenceProgram[];
  readonly #tables: readonly Transfer[][];
  readonly #memories: readonly Map<number, number>[];
  readonly #halted: boolean[];
  readonly #executed: number[];
  #running: Transfer[] = [];
  #certain = true;
  /** The hash of the values that count (18.2). */
  #logged = hashStart;
  #moved = 0;
  #t = -1;
  #happens: string[] = [];
  /** Who read and wrote a byte in this cycle. */
  #accesses = new Map<string, { readonly who: Set<string>; written: boolean }>();

  constructor(config: CellConfig, programs: CellPrograms, ordered: boolean) {
    const { N } = config;
    this.#config = config;
    this.#ordered = ordered;
    this.#arbiter = new ReferenceArbiter(config);
    const each = <T>(make: (spu: number) => T): T[] => Array.from({ length: N }, (_, spu) => make(spu));
    this.#programs = each((spu) => programOf(config, programs, spu));
    this.#tables = each(() => []);
    this.#memories = each(() => new Map());
    this.#halted = each(() => false);
    this.#executed = each(() => 0);
  }

  /** Carries out the next cycle. */
  cycle(seen: GrantsSeen): ReferenceCycle {
    const t = ++this.#t;
    this.#happens = [];
    this.#accesses = new Map();
    const issued: Transfer[] = [];
    for (let spu = 0; spu < this.#config.N; spu++) this.#runSpu(spu, t, issued);
    this.#moveBytes(t);
    for (const { who, written } of this.#accesses.values())
      if (written && who.size > 1 && !this.#ordered) this.#certain = false;
    this.#running = this.#running.filter(({ start, size }) => start + size - 1 > t);
    this.#arbiter.add(issued.filter(({ size }) => size > 0));
    this.#decide(t, seen);
    const last = this.#isLast(t);
    return { happens: this.#happens, certain: this.#certain, last };
  }

  /** A byte of a memory as it is at the end of the cycle. */
  byte(spu: number, address: number): number {
    const initial =
      this.#config.memory === 'zero'
        ? 0
        : (spu * 167 + address * 13 + Math.floor(address / 256) * 7 + 1) % 256;
    return this.#memories[spu]!.get(address) ?? initial;
  }

  /** The figures of the run so far, as the result has them (14, 18.2); the hashes are left out where bytes are not certain. */
  result(): object {
    const cycles = this.#t + 1;
    const { memSize, N } = this.#config;
    const rows = this.#tables.flat().map(({ spu, id, kind, src, dst, size, issue, start: granted }) => {
      const start = size > 0 && granted >= cycles ? -1 : granted;
      return [spu, id, kind, src, dst, size, issue, start, start < 0 ? 0 : start - (issue + 1)] as const;
    });
    rows.sort((a, b) => a[6] - b[6] || a[0] - b[0] || a[1] - b[1]);
    const waits = rows.map((row) => row[8]);
    let memory = hashStart;
    const hashes = this.#certain && N * memSize <= hashedMax;
    if (hashes)
      for (let spu = 0; spu < N; spu++)
        for (let address = 0; address < memSize; address++) memory = folded(memory, this.byte(spu, address));
    return {
      cycles,
      bytes: this.#moved,
      commands: this.#moved,
      totalWait: waits.reduce((sum, wait) => sum + wait, 0),
      maxWait: Math.max(0, ...waits),
      transfers: rows,
      ...(hashes && { memHash: hexOf(memory) }),
      ...(this.#certain && { readHash: hexOf(this.#logged) }),
    };
  }

  #isLast(t: number): boolean {
    const { run } = this.#config;
    if (run !== 'untilIdle') return t + 1 >= run.cycles;
    const over = this.#programs.every((program, spu) => this.#halted[spu] || program.content);
    return over && this.#arbiter.pending.length === 0 && this.#running.length === 0;
  }

  #runSpu(spu: number, t: number, issued: Transfer[]): void {
    if (this.#halted[spu]) return;
    const program = this.#programs[spu]!;
    let inCycle = 0;
    for (let next = program.next(t); ; next = program.next(t)) {
      if (next === 'end of cycle') return;
      if (next === 'over') {
        this.#halt(spu);
        return;
      }
      const { op } = next;
      inCycle++;
      const refused = inCycle > this.#config.maxInstrPerCycle || this.#refuses(spu, next);
      if (refused) {
        this.#happens.push(`EXC spu ${spu} k ${this.#executed[spu]}`);
        this.#halt(spu);
        return;
      }
      if (op === 'read') {
        const value = this.#read(spu, next.address);
        if (next.logged) this.#logged = folded(this.#logged, value);
        program.done(value);
      } else if (op === 'write') {
        this.#access(spu, next.address, `spu ${spu}`, next.value);
        this.#observe(spu, 'write', null);
        program.done(0);
      } else if (op === 'status') {
        const value = this.#status(spu, t, next.id);
        if (next.logged) this.#logged = folded(this.#logged, value);
        program.done(value);
      } else {
        const { maxOutstanding } = this.#config;
        const unfinished = this.#tables[spu]!.filter((one) => statusOf(one, t) !== 3).length;
        if (maxOutstanding !== null && unfinished >= maxOutstanding) return;
        const { my, peer, address, size } = next;
        const id = this.#tables[spu]!.length;
        const get = op === 'get';
        const transfer: Transfer = {
          spu,
          id,
          kind: op,
          src: get ? peer : spu,
          dst: get ? spu : peer,
          from: get ? address : my,
          to: get ? my : address,
          size,
          issue: t,
          start: size === 0 ? t + 1 : -1,
          dir: -1,
          ring: -1,
        };
        this.#tables[spu]!.push(transfer);
        issued.push(transfer);
        this.#happens.push(`REQ spu ${spu} id ${id} ${op} ${my} ${peer} ${address} ${size}`);
        this.#observe(spu, op, id);
        program.done(id);
      }
    }
  }

  #halt(spu: number): void {
    this.#halted[spu] = true;
    this.#happens.push(`HALT spu ${spu}`);
  }

  #read(spu: number, address: number): number {
    const value = this.#access(spu, address, `spu ${spu}`, undefined);
    this.#observe(spu, 'read', value);
    return value;
  }

  #status(spu: number, t: number, id: number): number {
    const transfer = this.#tables[spu]![id];
    const status = transfer ? statusOf(transfer, t) : 0;
    const [dir, ring] = status === 2 ? [transfer!.dir, transfer!.ring] : [-1, -1];
    this.#happens.push(`STATUS spu ${spu} id ${id} is ${status} ${dir} ${ring}`);
    this.#observe(spu, 'status', status);
    return status;
  }

  #observe(spu: number, op: string, value: number | null): void {
    this.#happens.push(`OBS spu ${spu} k ${this.#executed[spu]} ${op} ${value}`);
    this.#executed[spu]!++;
  }

  #refuses(spu: number, next: Exclude<ReturnType<ReferenceProgram['next']>, string>): boolean {
    const { N, memSize, selfTransfer, zeroSize } = this.#config;
    const within = (address: number, size: number) =>
      Number.isInteger(address) && address >= 0 && address + size <= memSize;
    if (next.op === 'status') return false;
    if (next.op === 'read') return !within(next.address, 1);
    if (next.op === 'write')
      return !within(next.address, 1) || !Number.isInteger(next.value) || next.value < 0 || next.value > 255;
    const { my, peer, address, size } = next;
    if (!Number.isInteger(size) || size < 0) return true;
    if (!Number.isInteger(peer) || peer < 0 || peer >= N) return true;
    if (peer === spu && selfTransfer === 'reject') return true;
    if (size === 0 && zeroSize === 'reject') return true;
    return !within(my, size) || !within(address, size);
  }

  #access(spu: number, address: number, who: string, value: number | undefined): number {
    const key = `${spu} ${address}`;
    const access = this.#accesses.get(key) ?? { who: new Set(), written: false };
    access.who.add(who);
    access.written ||= value !== undefined;
    this.#accesses.set(key, access);
    if (value !== undefined) this.#memories[spu]!.set(address, value);
    return this.byte(spu, address);
  }

  /** One byte of each running transfer, in the canonical order. */
  #moveBytes(t: number): void {
    for (const { spu, id, start, src, dst, from, to } of this.#running) {
      this.#moved++;
      const who = `transfer ${spu}:${id}`;
      const value = this.#access(src, from + t - start, who, undefined);
      this.#access(dst, to + t - start, who, value);
    }
  }

  #decide(t: number, seen: GrantsSeen): void {
    const arbiter = this.#arbiter;
    const idle = arbiter.idleAt(t + 1);
    const urgent = arbiter.decide(t + 1);
    const grants = arbiter.exact ? urgent : [...urgent, ...this.#accepted(t + 1, seen(t + 1))];
    // A policy that is free in its choice may not choose nothing for ever.
    if (idle && grants.length === 0 && arbiter.pending.length > 0 && !arbiter.exact)
      this.#happens.push('GRANT of some request, since all rings are idle');
    for (const { request, dir, ring } of grants) {
      const transfer = request as Transfer;
      Object.assign(transfer, { start: t + 1, dir, ring });
      this.#running.push(transfer);
      this.#happens.push(`GRANT spu ${transfer.spu} id ${transfer.id} dir ${dir} ring ${ring}`);
    }
    this.#running.sort((a, b) => a.spu - b.spu || a.id - b.id);
  }

  /** The grants of a policy that is free in its choice: those that keep the rules. */
  #accepted(start: number, seen: ReturnType<GrantsSeen>): readonly ReferenceGrant[] {
    const arbiter = this.#arbiter;
    const accepted: ReferenceGrant[] = [];
    for (const [spu, id, dir, ring] of seen) {
      const request = arbiter.pending.find((one) => one.spu === spu && one.id === id);
      if (!request || arbiter.mistakeOf({ request, dir, ring }, start)) continue;
      arbiter.start({ request, dir, ring }, start);
      accepted.push({ request, dir, ring });
    }
    return accepted;
  }
}

/** 3: the exact status rule. */
function statusOf({ start, size }: Transfer, t: number): number {
  if (start < 0 || t < start) return 1;
  return t <= start + size - 1 ? 2 : 3;
}

/** FNV-1a (18.2). */
const hashStart = 0x811c9dc5;
const folded = (hash: number, byte: number): number => Math.imul(hash ^ byte, 0x01000193) >>> 0;
const hexOf = (hash: number): string => hash.toString(16).padStart(8, '0');
/** Bytes of all memories up to which they are hashed. */
const hashedMax = 2 ** 20;
