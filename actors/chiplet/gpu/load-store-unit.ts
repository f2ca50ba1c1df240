import type { Hasher } from '../../../kernel/hash.ts';
import { sharedWindow } from '../ptx/address-space.ts';
import type { Instruction } from '../ptx/instruction.ts';
import {
  addressesTouched,
  bankWays,
  lanesOnOneAddress,
  sectorsTouched,
  segmentsTouched,
} from '../ptx/touched.ts';
import type { Warp } from '../ptx/warp.ts';
import { L1Cache } from './l1-cache.ts';
import type { CoreStatistics } from './statistics.ts';
import type { GpuTiming } from './timing.ts';

/** A segment that is asked for; it is at the memory in `cycle`. */
export interface MemoryRequest {
  readonly request: number;
  readonly segment: number;
  readonly cycle: number;
  /** Cycles by which it could have been asked for before. */
  readonly lead: number;
}

/** What goes from the unit to the memory. */
export interface MemoryTraffic {
  readonly reads: MemoryRequest[];
  readonly writes: { readonly segment: number; readonly cycle: number }[];
}

/** A segment that was asked for, and the loads that wait for it. */
interface SegmentRequest {
  readonly segment: number;
  readonly loads: number[];
}

const none: readonly number[] = [];

/** The cache of constants: 2 KiB (CUDA programming guide: 8 KiB of it in all serve a core, nearer levels less). */
const constantSets = 4;
const constantWays = 4;

/** The unit of a core for shared memory, first-level cache and the way to the memory channels (chiplet specification 7.3). */
export class LoadStoreUnit {
  readonly #cache: L1Cache;
  /** The lines of constants that it has. */
  readonly #constants: L1Cache;
  /** The loads that each request is for. */
  readonly #requests = new Map<number, SegmentRequest>();
  #nextRequest = 0;
  /** First cycle in which it takes another instruction after the last `access`. Who asks keeps it and what follows: it is no part of the state. */
  free = 0;
  /** Segments that the load of the last `access` waits for, and the cycle in which the others can be used. */
  missing: readonly number[] = none;
  done = 0;

  constructor(
    readonly timing: GpuTiming,
    { sets, ways }: { readonly sets: number; readonly ways: number },
    from?: LoadStoreUnit,
  ) {
    this.#cache = from ? from.#cache.fork() : new L1Cache(sets, ways);
    this.#constants = from ? from.#constants.fork() : new L1Cache(constantSets, constantWays);
    if (!from) return;
    for (const [key, { segment, loads }] of from.#requests)
      this.#requests.set(key, { segment, loads: [...loads] });
    this.#nextRequest = from.#nextRequest;
  }

  /** Begins an access that a warp has just made, which is called `load` if it has to wait. Gives the cycle from which its result can be used, infinite when memory is asked. It could have issued `lead` cycles before. */
  access(
    warp: Warp,
    load: number,
    instruction: Instruction,
    cycle: number,
    lead: number,
    out: MemoryTraffic,
    statistics: CoreStatistics,
  ): number {
    const { classes, sharedAtomicCycles, sharedLoopCycles, atomicLaneCycles, sectorCycles } = this.timing;
    const { scratch, active } = warp;
    this.missing = none;
    this.free = cycle + 1;
    if (instruction.access === null || instruction.class === 'constant') {
      const { latency } = classes[instruction.class];
      return cycle + Math.max(1, latency - lead) + this.#constantCycles(warp, instruction, cycle);
    }
    const { space, what, bytes } = instruction.access;
    const near = space === 'shared' || (space === 'generic' && firstTouched(warp) >= sharedWindow);
    const busy = near
      ? bankWays(scratch, active, bytes, this.timing.sharedBanks)
      : segmentsTouched(scratch, active);
    this.free = cycle + busy;
    if (near) statistics.bankConflicts += busy - 1;
    const { tries, together } = instruction.schedule;
    const lanes =
      what !== 'atomic' ? 0 : together && this.timing.hoistsLoads ? 1 : lanesOnOneAddress(scratch, active);
    if (what === 'atomic' && near && sharedAtomicCycles > 0) {
      const passes = tries === null ? (lanes - 1) * sharedAtomicCycles : lanes * sharedLoopCycles;
      this.free = cycle + Math.max(1, passes);
      return cycle + classes.shared.latency + passes;
    }
    if (what === 'atomic') {
      if (!near) statistics.segmentsWritten += busy;
      const lane = tries === 'anywhere' && sharedLoopCycles > 0 ? classes.atomic.latency : atomicLaneCycles;
      return cycle + classes.atomic.latency + lanes * lane;
    }
    if (near) return cycle + Math.max(1, classes.shared.latency + busy - 1 - lead);
    const { volatile } = instruction.schedule;
    if (what === 'load') return this.#load(scratch.found, busy, load, volatile, cycle, lead, out, statistics);
    statistics.segmentsWritten += busy;
    if (sectorCycles > 0) this.free = cycle + busy + sectorsTouched(scratch, active) * sectorCycles;
    for (let at = 0; at < busy; at++)
      out.writes.push({ segment: scratch.found[at]!, cycle: this.#atMemory(cycle, at) });
    return cycle + 1;
  }

  /** More cycles of a load of constants: one that its cache has not comes from memory, and addresses come one after the other. */
  #constantCycles({ scratch, active }: Warp, { access }: Instruction, cycle: number): number {
    const { constantAddressCycles, l1, memory } = this.timing;
    if (constantAddressCycles === 0 || access?.space !== 'const') return 0;
    const more = constantAddressCycles * (addressesTouched(scratch, active) - 1);
    this.free = cycle + 1 + more;
    const lines = segmentsTouched(scratch, active);
    let misses = 0;
    for (let at = 0; at < lines; at++) {
      if (this.#constants.find(scratch.found[at]!) >= 0) continue;
      this.#constants.take(scratch.found[at]!, -1);
      misses++;
    }
    return misses > 0 ? more + l1.hitCycles + memory.ropCycles + memory.dramCycles : more;
  }

  /** Takes the answer to a request; gives its segment and the loads that wait for it, undefined when nobody has asked. */
  answered(request: number): SegmentRequest | undefined {
    const known = this.#requests.get(request);
    if (known === undefined) return undefined;
    this.#requests.delete(request);
    this.#cache.filled(known.segment, request);
    return known;
  }

  fork(): LoadStoreUnit {
    return new LoadStoreUnit(this.timing, this.timing.l1, this);
  }

  hash(into: Hasher): void {
    this.#cache.hash(into);
    this.#constants.hash(into);
    into.value([...this.#requests]);
    into.number(this.#nextRequest);
  }

  /** One segment a cycle: those in the cache can be used after a hit, the others are asked for, or waited for together with who asked before. */
  #load(
    segments: Float64Array,
    count: number,
    load: number,
    volatile: boolean,
    cycle: number,
    lead: number,
    out: MemoryTraffic,
    statistics: CoreStatistics,
  ): number {
    const missing: number[] = [];
    for (let at = 0; at < count; at++) {
      const segment = segments[at]!;
      const usual = this.#atMemory(cycle, at);
      this.done = Math.max(cycle + 1, usual - lead);
      const goesPast = volatile && this.timing.hoistsLoads;
      const line = goesPast ? -1 : this.#cache.find(segment);
      const filling = line < 0 ? -1 : this.#cache.fillOf(line);
      if (line >= 0) statistics.l1Hits++;
      else statistics.l1Misses++;
      if (line >= 0 && filling < 0) continue;
      missing.push(segment);
      if (filling >= 0) {
        this.#requests.get(filling)!.loads.push(load);
        continue;
      }
      const request = this.#nextRequest++;
      if (!goesPast) this.#cache.take(segment, request);
      this.#requests.set(request, { segment, loads: [load] });
      out.reads.push({ request, segment, cycle: this.done, lead: lead - (usual - this.done) });
    }
    if (missing.length === 0) return this.done;
    this.missing = missing;
    return Number.POSITIVE_INFINITY;
  }

  /** When the segment at a position of an access has passed the cache. */
  #atMemory(cycle: number, position: number): number {
    return cycle + position + this.timing.l1.hitCycles;
  }
}

const firstTouched = ({ touched, active }: Warp): number => touched[31 - Math.clz32(active & -active)]!;
