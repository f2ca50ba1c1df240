import type { Hasher } from '../../../kernel/hash.ts';
import { sharedWindow } from '../ptx/address-space.ts';
import type { Instruction } from '../ptx/instruction.ts';
import { bankWays, lanesOnOneAddress, sectorsTouched, segmentsTouched } from '../ptx/touched.ts';
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

/** Who waits for a load. `age` tells warps apart that were in one slot. */
export interface LoadOwner {
  readonly slot: number;
  readonly age: number;
}

/** A load that is under way. */
interface Load extends LoadOwner {
  readonly results: readonly number[];
  /** Segments that have not come. */
  missing: number;
  /** The cycle in which what has come can be used. */
  done: number;
}

/** What goes from the unit to the memory. */
export interface MemoryTraffic {
  readonly reads: MemoryRequest[];
  readonly writes: { readonly segment: number; readonly cycle: number }[];
}

/** The unit of a core for shared memory, first-level cache and the way to the memory channels (chiplet specification 7.3). */
export class LoadStoreUnit {
  readonly #cache: L1Cache;
  /** Loads under way, and the loads that each request is for. */
  readonly #loads = new Map<number, Load>();
  readonly #requests = new Map<number, { readonly segment: number; readonly loads: number[] }>();
  #nextLoad = 0;
  #nextRequest = 0;
  /** First cycle in which it takes another instruction after the last `access`. Who asks keeps it: it is no part of the state. */
  free = 0;

  constructor(
    readonly timing: GpuTiming,
    { sets, ways }: { readonly sets: number; readonly ways: number },
    from?: LoadStoreUnit,
  ) {
    this.#cache = from ? from.#cache.fork() : new L1Cache(sets, ways);
    if (!from) return;
    for (const [key, load] of from.#loads) this.#loads.set(key, { ...load });
    for (const [key, { segment, loads }] of from.#requests)
      this.#requests.set(key, { segment, loads: [...loads] });
    this.#nextLoad = from.#nextLoad;
    this.#nextRequest = from.#nextRequest;
  }

  /** Begins an access that a warp has just made. Gives the cycle from which its result can be used, infinite when memory is asked. */
  access(
    owner: LoadOwner & { readonly warp: Warp },
    instruction: Instruction,
    cycle: number,
    lead: number,
    out: MemoryTraffic,
    statistics: CoreStatistics,
  ): number {
    const { classes, sharedAtomicCycles } = this.timing;
    const { latency } = classes[instruction.class];
    const { warp } = owner;
    const { scratch, active } = warp;
    this.free = cycle + 1;
    if (instruction.access === null || instruction.class === 'constant')
      return cycle + Math.max(1, latency - lead);
    const { space, what, bytes } = instruction.access;
    const near = space === 'shared' || (space === 'generic' && firstTouched(warp) >= sharedWindow);
    const busy = near
      ? bankWays(scratch, active, bytes, this.timing.sharedBanks)
      : segmentsTouched(scratch, active);
    this.free = cycle + busy;
    if (near) statistics.bankConflicts += busy - 1;
    if (what === 'atomic' && near && sharedAtomicCycles > 0) {
      const passes = lanesOnOneAddress(scratch, active) * sharedAtomicCycles;
      this.free = cycle + passes;
      return cycle + classes.shared.latency + passes;
    }
    if (what === 'atomic') {
      if (!near) statistics.segmentsWritten += busy;
      return cycle + classes.atomic.latency + lanesOnOneAddress(scratch, active);
    }
    if (near) return cycle + Math.max(1, classes.shared.latency + busy - 1 - lead);
    if (what === 'load')
      return this.#load(scratch.found, busy, owner, instruction, cycle, lead, out, statistics);
    statistics.segmentsWritten += busy;
    const { sectorCycles } = this.timing;
    if (sectorCycles > 0) this.free = cycle + Math.max(busy, sectorsTouched(scratch, active) * sectorCycles);
    for (let at = 0; at < busy; at++)
      out.writes.push({ segment: scratch.found[at]!, cycle: this.#atMemory(cycle, at) });
    return cycle + 1;
  }

  /** Takes the answer to a request, there from `cycle` on; gives the loads that are now complete. */
  answered(request: number, cycle: number): readonly Load[] {
    const known = this.#requests.get(request);
    if (known === undefined) return [];
    this.#requests.delete(request);
    this.#cache.filled(known.segment, request);
    const complete: Load[] = [];
    for (const key of known.loads) {
      const load = this.#loads.get(key)!;
      load.missing--;
      load.done = Math.max(load.done, cycle);
      if (load.missing > 0) continue;
      this.#loads.delete(key);
      complete.push(load);
    }
    return complete;
  }

  fork(): LoadStoreUnit {
    return new LoadStoreUnit(this.timing, this.timing.l1, this);
  }

  hash(into: Hasher): void {
    this.#cache.hash(into);
    into.value([...this.#loads]);
    into.value([...this.#requests]);
    into.number(this.#nextLoad);
    into.number(this.#nextRequest);
  }

  /** One segment a cycle: those in the cache can be used after a hit, the others are asked for, or waited for together with who asked before. */
  #load(
    segments: Float64Array,
    count: number,
    owner: LoadOwner,
    { results, schedule }: Instruction,
    cycle: number,
    lead: number,
    out: MemoryTraffic,
    statistics: CoreStatistics,
  ): number {
    const load: Load = { slot: owner.slot, age: owner.age, results, missing: 0, done: 0 };
    const key = this.#nextLoad;
    for (let at = 0; at < count; at++) {
      const segment = segments[at]!;
      const usual = this.#atMemory(cycle, at);
      load.done = Math.max(cycle + 1, usual - lead);
      const goesPast = schedule.volatile && this.timing.hoistsLoads;
      const line = goesPast ? -1 : this.#cache.find(segment);
      const filling = line < 0 ? -1 : this.#cache.fillOf(line);
      if (line >= 0) statistics.l1Hits++;
      else statistics.l1Misses++;
      if (line >= 0 && filling < 0) continue;
      load.missing++;
      if (filling >= 0) {
        this.#requests.get(filling)!.loads.push(key);
        continue;
      }
      const request = this.#nextRequest++;
      if (!goesPast) this.#cache.take(segment, request);
      this.#requests.set(request, { segment, loads: [key] });
      out.reads.push({ request, segment, cycle: load.done, lead: lead - (usual - load.done) });
    }
    if (load.missing === 0) return load.done;
    this.#nextLoad++;
    this.#loads.set(key, load);
    return Number.POSITIVE_INFINITY;
  }

  /** When the segment at a position of an access has passed the cache. */
  #atMemory(cycle: number, position: number): number {
    return cycle + position + this.timing.l1.hitCycles;
  }
}

const firstTouched = ({ touched, active }: Warp): number => touched[31 - Math.clz32(active & -active)]!;
