import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { foldByte, hexOf, readHashStart } from '../actors/cell/fnv.ts';
import type { TransferRow } from '../machines/cell/figures.ts';
import { type CellResult, fnv1a32, formatResult } from '../scenarios/cell/result.ts';
import { type CellPolicy, type CellWorkload, parseWorkload } from '../scenarios/cell/workload.ts';
import { measure, reportMeasurement } from './measure.ts';

/** What one run of the loop gives; the seconds are those of the cycles alone, without preparation and result line. */
export interface LoopRun {
  readonly result: CellResult;
  /** The result as the line of a `cell-result/1` file, newline included (Cell specification 18.2). */
  readonly line: string;
  readonly cycles: number;
  readonly bytes: number;
  readonly wallSeconds: number;
}

/**
 * Runs a workload in one loop over typed arrays, without actors and messages: the upper mark for the engines' speed
 * (Cell specification 24, peer b).
 *
 * Handles valid workloads under `etalon-hol`, `etalon-ff`, `fifo-both` and `sjf-detour`; throws an Error for another policy
 * and for cycles or memory beyond 2^31 - 1. `policyOverride` replaces the workload's policy, also in the result.
 */
export function runLoop(workload: CellWorkload, policyOverride?: CellPolicy): LoopRun {
  const policy = policyOverride ?? workload.policy;
  const loop = new Loop(workload, policy);
  const began = process.hrtime.bigint();
  loop.run();
  const wallSeconds = Number(process.hrtime.bigint() - began) / 1e9;
  const result = loop.result(workload.name, policy);
  return { result, line: formatResult(result), cycles: result.cycles, bytes: result.bytes, wallSeconds };
}

/**
 * The saturating load of the speed goals: 4 outstanding requests per SPU of 1..32 bytes and one local
 * read-modify-write per cycle (Cell specification 24); `requestsPerSpu` sets the length of the run.
 */
export function saturatingWorkload(
  N: number,
  K: number,
  requestsPerSpu: number,
  policy: CellPolicy = 'etalon-ff',
): CellWorkload {
  return {
    format: 'cell-workload/1',
    name: `saturate_N${N}_K${K}_x${requestsPerSpu}_s1`,
    N,
    K,
    memSize: 32768,
    policy,
    saturate: { outstanding: 4, perSpu: requestsPerSpu, sizeMin: 1, sizeMax: 32, seed: 1, localOps: 1 },
  };
}

/** A run that is almost only idle: SPU 0 puts 1 MiB into SPU 1 (Cell specification 24, idle skipping). */
export function oneTransferWorkload(): CellWorkload {
  const size = 1 << 20;
  return {
    format: 'cell-workload/1',
    name: 'one_transfer_1MiB',
    N: 2,
    K: 1,
    memSize: size,
    policy: 'etalon-ff',
    programs: [[[0, 'p', 0, 1, 0, size]], []],
  };
}

const READ = 0;
const WRITE = 1;
const GET = 2;
const PUT = 3;
const STATUS = 4;
const operationCodes = { r: READ, w: WRITE, g: GET, p: PUT, s: STATUS } as const;

/** Numbers of one timed operation: cycle, SPU, code, operands 1 to 4. */
const OPERATION_FIELDS = 7;

/** Later than any cycle the 32-bit arrays can hold. */
const NEVER = 0x7fffffff;

/** From this many idle cycles on, asking whether bytes may move in bulk is cheaper than moving them one by one. */
const BULK_CYCLES = 16;

/** Holes a waiting list may always have; a list of n places may have n / 8 more before it is written anew. */
const HOLES_LEAST = 16;

/**
 * One run. Requests are numbered in the order (issue, SPU, id), which is also the order of the result and the FIFO order of
 * the arbiter, so that most tables are indexed by request and only ever appended to.
 *
 * Methods copy the fields they use often into constants, because the compiler cannot know that a field stays the same.
 */
class Loop {
  private readonly N: number;
  private readonly K: number;
  private readonly rings: number;
  private readonly headBlocks: boolean;
  private readonly shortestFirst: boolean;
  private readonly shortDirectionFirst: boolean;
  private readonly limit: number;

  // Memories, one after another. Each SPU's block is longer than its memory, so that equal addresses of different SPUs do not
  // compete for the same cache lines.
  private readonly memory: Uint8Array;
  private readonly memSize: number;
  private readonly stride: number;

  // Requests.
  private requestCount = 0;
  private readonly spuOf: Int32Array;
  private readonly idOf: Int32Array;
  private readonly isPut: Uint8Array;
  private readonly peerOf: Int32Array;
  private readonly sizeOf: Int32Array;
  private readonly issueOf: Int32Array;
  /** First cycle of the transfer, -1 while not granted. */
  private readonly startOf: Int32Array;
  /** dir * K + ring, -1 while not granted and for size 0. */
  private readonly ringOf: Int32Array;
  /** Flat addresses of the first byte. */
  private readonly fromOf: Int32Array;
  private readonly toOf: Int32Array;
  /** Nodes of the segments in each direction. */
  private readonly nodesOf: readonly [Int32Array, Int32Array];
  /** The direction tried first. */
  private readonly firstDirOf: Uint8Array;

  // Segments as bit masks of `words` words: those of (request, dir) at row 2 * request + dir, those of a ring at row ring.
  private readonly words: number;
  private readonly masks: Int32Array;
  private readonly busy: Int32Array;
  /** Per (ring, node) the cycle from which it is free; kept for `sjf-detour` only. */
  private readonly freeFrom: Int32Array;

  // Waiting requests, in FIFO order or in the order of sjf-detour. A FIFO list keeps the places of started requests as holes
  // (request -1, all bits set) until there are many, and has its own copy of the masks, so that a search reads memory in order.
  private readonly pending: Int32Array;
  private pendingEnd = 0;
  private holeCount = 0;
  private readonly pendingMasks: readonly [Int32Array, Int32Array];
  private readonly keyOf: Float64Array;
  /** Per request the node-cycles a detour costs more, infinite if both directions are short; for `sjf-detour`. */
  private readonly extraOf: Float64Array;
  /** The cycle from which all nodes of all rings are free. */
  private allFreeFrom = 0;
  /** First request of the current cycle. */
  private arrivalFirst = 0;
  /** Length of the list after the last decision: what a FIFO list has beyond it has never been tried. */
  private pendingBefore = 0;
  /** Starts of the last decision of `sjf-detour`, after which it may grant without an arrival or a completion. */
  private startedLastRound = false;

  // Rings that lost a transfer since the last decision.
  private readonly dirtyRings: Int32Array;
  private readonly isDirty: Uint8Array;
  private dirtyCount = 0;

  // Running transfers; for timed lists in the order (initiator, id). Addresses are those of cycle 0, so byte = base + cycle.
  private readonly active: Int32Array;
  private readonly activeFrom: Int32Array;
  private readonly activeTo: Int32Array;
  private readonly activeEnd: Int32Array;
  private activeCount = 0;
  private nextEnd = NEVER;

  // Timed lists, merged in the order (cycle, SPU, program order).
  private readonly operations: Int32Array;
  private operationCursor = 0;
  private readonly requestsFrom: Int32Array;
  private readonly requestsById: Int32Array;
  private readonly issuedBy: Int32Array;

  // The closed loop.
  private readonly saturate: CellWorkload['saturate'];
  private readonly randomOf: Int32Array;
  /** Request per (SPU, slot), -1 when empty. */
  private readonly slots: Int32Array;
  private readonly unfinishedOf: Int32Array;
  /** Whether a slot of the SPU may have become free; saves asking for the status of every slot in every cycle. */
  private readonly wantsSlots: Uint8Array;
  private wantsSlotsCount = 0;
  /** SPUs that have issued all their requests and have seen them finished. */
  private doneCount = 0;
  private isLooping = false;

  private cycles = 0;
  private bytes = 0;
  private readHash = readHashStart;

  constructor(workload: CellWorkload, policy: CellPolicy) {
    if (policy === 'sjf-plan') throw new Error('the loop has no policy sjf-plan');
    const { N, K, memSize, saturate } = workload;
    this.N = N;
    this.K = K;
    this.rings = 2 * K;
    this.headBlocks = policy === 'etalon-hol';
    this.shortestFirst = policy === 'sjf-detour';
    this.shortDirectionFirst = policy === 'fifo-both' || policy === 'sjf-detour';
    this.limit = workload.cycles ?? NEVER;

    this.memSize = memSize;
    this.stride = (Math.ceil(memSize / 64) + 1) * 64;
    if (this.stride * N > NEVER || this.limit > NEVER)
      throw new Error('the loop counts bytes and cycles in 31 bits');
    this.memory = new Uint8Array(this.stride * N);
    for (let spu = 0; spu < N; spu++) {
      const base = spu * this.stride;
      for (let address = 0; address < memSize; address++) {
        this.memory[base + address] = spu * 167 + address * 13 + (address >> 8) * 7 + 1;
      }
    }

    this.operations = mergedOperations(workload);
    this.requestsFrom = new Int32Array(N + 1);
    this.issuedBy = new Int32Array(N);
    this.saturate = saturate;
    for (let spu = 0; spu < N; spu++) {
      const program = workload.programs?.[spu] ?? [];
      const count =
        saturate?.perSpu ?? program.filter(([, letter]) => letter === 'g' || letter === 'p').length;
      this.requestsFrom[spu + 1] = this.requestsFrom[spu]! + count;
    }
    const requests = this.requestsFrom[N]!;
    this.requestsById = new Int32Array(requests);

    this.spuOf = new Int32Array(requests);
    this.idOf = new Int32Array(requests);
    this.isPut = new Uint8Array(requests);
    this.peerOf = new Int32Array(requests);
    this.sizeOf = new Int32Array(requests);
    this.issueOf = new Int32Array(requests);
    this.startOf = new Int32Array(requests).fill(-1);
    this.ringOf = new Int32Array(requests).fill(-1);
    this.fromOf = new Int32Array(requests);
    this.toOf = new Int32Array(requests);
    this.nodesOf = [new Int32Array(requests), new Int32Array(requests)];
    this.firstDirOf = new Uint8Array(requests);
    this.keyOf = new Float64Array(this.shortestFirst ? requests : 0);
    this.extraOf = new Float64Array(this.shortestFirst ? requests : 0);

    this.words = ((N - 1) >> 5) + 1;
    this.masks = new Int32Array(2 * requests * this.words);
    this.busy = new Int32Array(this.rings * this.words);
    this.freeFrom = new Int32Array(this.shortestFirst ? this.rings * N : 0);

    this.pending = new Int32Array(requests);
    const copied = this.shortestFirst ? 0 : requests * this.words;
    this.pendingMasks = [new Int32Array(copied), new Int32Array(copied)];
    this.dirtyRings = new Int32Array(this.rings);
    this.isDirty = new Uint8Array(this.rings);

    // At most one transfer per ring and node.
    const running = Math.min(requests, this.rings * N);
    this.active = new Int32Array(running);
    this.activeFrom = new Int32Array(running);
    this.activeTo = new Int32Array(running);
    this.activeEnd = new Int32Array(running);

    const outstanding = saturate?.outstanding ?? 0;
    this.randomOf = new Int32Array(N);
    this.slots = new Int32Array(N * outstanding).fill(-1);
    this.unfinishedOf = new Int32Array(N);
    this.wantsSlots = new Uint8Array(N);
    if (saturate) {
      this.isLooping = true;
      this.wantsSlotsCount = N;
      for (let spu = 0; spu < N; spu++) {
        this.wantsSlots[spu] = 1;
        this.randomOf[spu] = (Math.imul(saturate.seed + 1, 0x9e3779b1) ^ Math.imul(spu + 1, 0x85ebca6b)) | 1;
      }
    }
  }

  /** Runs every cycle: SPUs, bytes, arbiter (Cell specification 8), with stretches of equal cycles taken at once. */
  run(): void {
    const { operations, limit, shortestFirst } = this;
    const lastCycle = limit - 1;
    const localOps = this.saturate?.localOps ?? 0;
    let cycle = 0;
    for (;;) {
      if (this.isLooping) this.runClosedLoops(cycle);
      else this.runTimedLists(cycle);

      const hasArrivals = this.arrivalFirst < this.requestCount;
      let last = cycle;
      if (
        !hasArrivals &&
        !this.startedLastRound &&
        this.wantsSlotsCount === 0 &&
        (localOps === 0 || !this.isLooping)
      ) {
        const at = this.operationCursor;
        const nextOperation = at < operations.length ? operations[at]! : NEVER;
        last = Math.min(this.nextEnd, nextOperation - 1, lastCycle);
        if (last === NEVER - 1) last = cycle;
      }

      if (last === cycle) this.moveBytes(cycle);
      else this.moveStretch(cycle, last);
      this.bytes += this.activeCount * (last - cycle + 1);

      cycle = last;
      if (this.nextEnd === cycle) this.release(cycle);
      // What would start after the run does not start (Cell specification 11).
      if (cycle === lastCycle) break;
      if (hasArrivals || this.dirtyCount > 0 || this.startedLastRound) {
        if (shortestFirst) this.decideShortest(cycle + 1);
        else this.decideFifo(cycle + 1);
        this.dirtyCount = 0;
        this.arrivalFirst = this.requestCount;
        this.pendingBefore = this.pendingEnd;
      }
      if (this.activeCount === 0 && this.pendingEnd === this.holeCount && this.isHalted() && limit === NEVER)
        break;
      cycle++;
    }
    this.cycles = cycle + 1;
  }

  private isHalted(): boolean {
    return !this.isLooping && this.operationCursor === this.operations.length;
  }

  /** Executes the entries of one cycle of all timed lists. */
  private runTimedLists(cycle: number): void {
    const { operations, memory, stride } = this;
    let at = this.operationCursor;
    for (; at < operations.length && operations[at] === cycle; at += OPERATION_FIELDS) {
      const spu = operations[at + 1]!;
      const code = operations[at + 2]!;
      const a = operations[at + 3]!;
      const b = operations[at + 4]!;
      if (code === READ) this.logValue(memory[spu * stride + a]!);
      else if (code === WRITE) memory[spu * stride + a] = b;
      else if (code === STATUS) this.logValue(this.statusOf(spu, a, cycle));
      else {
        const mine = spu * stride + a;
        const theirs = b * stride + operations[at + 5]!;
        const size = operations[at + 6]!;
        if (code === GET) this.issue(cycle, spu, 0, b, theirs, mine, size);
        else this.issue(cycle, spu, 1, b, mine, theirs, size);
      }
    }
    this.operationCursor = at;
  }

  private logValue(value: number): void {
    this.readHash = foldByte(this.readHash, value);
  }

  /** The exact status rule (Cell specification 3). */
  private statusOf(spu: number, id: number, cycle: number): number {
    if (id < 0 || id >= this.issuedBy[spu]!) return 0;
    const request = this.requestsById[this.requestsFrom[spu]! + id]!;
    const start = this.startOf[request]!;
    if (start < 0 || cycle < start) return 1;
    return cycle < start + this.sizeOf[request]! ? 2 : 3;
  }

  /**
   * One cycle of all closed loops (Cell specification 18.1).
   *
   * They halt together, when the last SPU has seen its last request finished: the golden results have the local operations of
   * the other SPUs until then.
   */
  private runClosedLoops(cycle: number): void {
    const { N, wantsSlots, memory, stride } = this;
    const localOps = this.saturate!.localOps;
    let readHash = this.readHash;
    for (let spu = 0, base = 0; spu < N; spu++, base += stride) {
      if (wantsSlots[spu] === 1) this.serveSlots(spu, cycle);
      for (let local = 0; local < localOps; local++) {
        const address = base + ((cycle + local) & 63);
        const value = (memory[address]! + spu + 1) & 255;
        memory[address] = value;
        readHash = foldByte(readHash, value);
      }
    }
    this.readHash = readHash;
    if (this.doneCount === N) this.isLooping = false;
  }

  /** Refills the finished slots of an SPU. */
  private serveSlots(spu: number, cycle: number): void {
    const { slots, startOf, sizeOf } = this;
    const { outstanding, perSpu } = this.saturate!;
    this.wantsSlots[spu] = 0;
    this.wantsSlotsCount--;
    for (let slot = spu * outstanding, end = slot + outstanding; slot < end; slot++) {
      const request = slots[slot]!;
      if (request >= 0) {
        const start = startOf[request]!;
        if (start < 0 || cycle < start + sizeOf[request]!) continue;
        slots[slot] = -1;
        this.unfinishedOf[spu]!--;
      }
      if (this.issuedBy[spu]! < perSpu) {
        this.unfinishedOf[spu]!++;
        slots[slot] = this.requestCount;
        this.issueRandom(spu, cycle, slot);
      }
    }
    if (this.unfinishedOf[spu] === 0 && this.issuedBy[spu] === perSpu) this.doneCount++;
  }

  /** Draws and issues one request of a closed loop. */
  private issueRandom(spu: number, cycle: number, slot: number): void {
    const { N, stride, memSize } = this;
    const { sizeMin, sizeMax } = this.saturate!;
    let random = nextRandom(this.randomOf[spu]!);
    let peer = (random >>> 0) % (N - 1);
    if (peer >= spu) peer++;
    random = nextRandom(random);
    const size = sizeMin + ((random >>> 0) % (sizeMax - sizeMin + 1));
    random = nextRandom(random);
    const isPut = random & 1;
    random = nextRandom(random);
    const half = memSize / 2;
    const source = 64 + ((random >>> 0) % (half - 64 - size + 1));
    const destination = half + slot * sizeMax;
    this.randomOf[spu] = random;
    if (isPut === 1)
      this.issue(cycle, spu, 1, peer, spu * stride + source, peer * stride + destination, size);
    else this.issue(cycle, spu, 0, peer, peer * stride + source, spu * stride + destination, size);
  }

  private issue(
    cycle: number,
    spu: number,
    isPut: number,
    peer: number,
    from: number,
    to: number,
    size: number,
  ): void {
    const request = this.requestCount++;
    const id = this.issuedBy[spu]!++;
    this.requestsById[this.requestsFrom[spu]! + id] = request;
    this.spuOf[request] = spu;
    this.idOf[request] = id;
    this.isPut[request] = isPut;
    this.peerOf[request] = peer;
    this.sizeOf[request] = size;
    this.issueOf[request] = cycle;
    this.fromOf[request] = from;
    this.toOf[request] = to;
    if (size === 0) {
      // Never goes to the arbiter; finished from the next cycle on (Cell specification 11).
      this.startOf[request] = cycle + 1;
      if (this.saturate) this.wantSlots(spu);
      return;
    }

    const { N } = this;
    const source = isPut === 1 ? spu : peer;
    const target = isPut === 1 ? peer : spu;
    const hops = (target - source + N) % N;
    const nodes0 = hops + 1;
    const nodes1 = hops === 0 ? 1 : N + 2 - nodes0;
    this.nodesOf[0][request] = nodes0;
    this.nodesOf[1][request] = nodes1;
    this.firstDirOf[request] = this.shortDirectionFirst && nodes1 < nodes0 ? 1 : 0;
    this.setMask(2 * request, source, target);
    this.setMask(2 * request + 1, target, source);
    if (this.shortestFirst) {
      this.extraOf[request] = nodes0 === nodes1 ? Number.POSITIVE_INFINITY : size * Math.abs(nodes0 - nodes1);
      this.insertByKey(request, 50 * size + cycle);
    } else {
      this.append(request);
    }
  }

  private wantSlots(spu: number): void {
    if (this.wantsSlots[spu] === 0) this.wantsSlotsCount++;
    this.wantsSlots[spu] = 1;
  }

  /** Writes the mask of the nodes from `first` upwards to `last`, round the ring if need be. */
  private setMask(row: number, first: number, last: number): void {
    if (first <= last) {
      this.addNodes(row, first, last);
    } else {
      this.addNodes(row, first, this.N - 1);
      this.addNodes(row, 0, last);
    }
  }

  private addNodes(row: number, first: number, last: number): void {
    const base = row * this.words;
    for (let word = first >> 5; word <= last >> 5; word++) {
      const from = word === first >> 5 ? first & 31 : 0;
      const to = word === last >> 5 ? last & 31 : 31;
      this.masks[base + word]! |= (-1 << from) & (-1 >>> (31 - to));
    }
  }

  private append(request: number): void {
    const { masks, words } = this;
    const [masks0, masks1] = this.pendingMasks;
    const at = this.pendingEnd++;
    this.pending[at] = request;
    const row = 2 * request * words;
    for (let word = 0; word < words; word++) {
      masks0[at * words + word] = masks[row + word]!;
      masks1[at * words + word] = masks[row + words + word]!;
    }
  }

  /** The key of `sjf-detour` without the part that is the same for all requests of a cycle keeps its order for ever. */
  private insertByKey(request: number, key: number): void {
    const { pending, keyOf } = this;
    keyOf[request] = key;
    let at = this.pendingEnd++;
    for (; at > 0 && keyOf[pending[at - 1]!]! > key; at--) pending[at] = pending[at - 1]!;
    pending[at] = request;
  }

  /** Moves one byte of each running transfer (Cell specification 4). */
  private moveBytes(cycle: number): void {
    const { memory, activeFrom, activeTo, activeCount } = this;
    for (let index = 0; index < activeCount; index++) {
      memory[activeTo[index]! + cycle] = memory[activeFrom[index]! + cycle]!;
    }
  }

  /** Moves the bytes of the cycles `first` to `last`, in which nothing else happens. */
  private moveStretch(first: number, last: number): void {
    const { memory, activeFrom, activeTo, activeCount } = this;
    const cycles = last - first + 1;
    if (cycles < BULK_CYCLES || this.hasOverlap(cycles)) {
      for (let cycle = first; cycle <= last; cycle++) this.moveBytes(cycle);
      return;
    }
    for (let index = 0; index < activeCount; index++) {
      const from = activeFrom[index]! + first;
      memory.copyWithin(activeTo[index]! + first, from, from + cycles);
    }
  }

  /** Whether a byte that one running transfer writes in so many cycles is touched by it or another one again. */
  private hasOverlap(cycles: number): boolean {
    const { activeFrom, activeTo, activeCount } = this;
    for (let writer = 0; writer < activeCount; writer++) {
      const to = activeTo[writer]!;
      for (let other = 0; other < activeCount; other++) {
        if (Math.abs(to - activeFrom[other]!) < cycles) return true;
        if (other !== writer && Math.abs(to - activeTo[other]!) < cycles) return true;
      }
    }
    return false;
  }

  /** Frees the segments of the transfers whose last byte moved in `cycle` (Cell specification 6, step 1). */
  private release(cycle: number): void {
    const { active, activeFrom, activeTo, activeEnd, ringOf, isDirty, masks, busy, words } = this;
    const count = this.activeCount;
    let nextEnd = NEVER;
    let kept = 0;
    for (let index = 0; index < count; index++) {
      const end = activeEnd[index]!;
      const request = active[index]!;
      if (end === cycle) {
        const ring = ringOf[request]!;
        const dir = ring < this.K ? 0 : 1;
        const row = (2 * request + dir) * words;
        isDirty[ring] = 1;
        for (let word = 0; word < words; word++) busy[ring * words + word]! &= ~masks[row + word]!;
        if (this.saturate) this.wantSlots(this.spuOf[request]!);
        continue;
      }
      if (end < nextEnd) nextEnd = end;
      active[kept] = request;
      activeFrom[kept] = activeFrom[index]!;
      activeTo[kept] = activeTo[index]!;
      activeEnd[kept] = end;
      kept++;
    }
    this.activeCount = kept;
    this.nextEnd = nextEnd;
    this.listDirtyRings();
  }

  private listDirtyRings(): void {
    const { isDirty, dirtyRings, rings } = this;
    let count = 0;
    for (let ring = 0; ring < rings; ring++) {
      if (isDirty[ring] === 0) continue;
      isDirty[ring] = 0;
      dirtyRings[count++] = ring;
    }
    this.dirtyCount = count;
  }

  /**
   * The FIFO policies (Cell specification 17.2).
   *
   * A request that did not fit before can only fit on a ring that has lost a transfer since; a new one is tried on all.
   */
  private decideFifo(start: number): void {
    const { pending, pendingEnd, pendingBefore, headBlocks, dirtyCount } = this;
    if (headBlocks) {
      if (dirtyCount === 0 && pendingBefore > this.holeCount) return;
    } else {
      // A ring on which the request fits is dirty, so the search through all rings finds the first dirty one.
      for (let at = this.nextFitting(0); at < pendingBefore; at = this.nextFitting(at + 1)) {
        if (pending[at]! >= 0) this.startAt(at, this.firstFreeRing(pending[at]!), start);
      }
    }
    for (let at = headBlocks ? 0 : pendingBefore; at < pendingEnd; at++) {
      if (pending[at]! < 0) continue;
      const ring = this.firstFreeRing(pending[at]!);
      if (ring >= 0) this.startAt(at, ring, start);
      else if (headBlocks) break;
    }
    if (this.holeCount > HOLES_LEAST + (pendingEnd >> 3)) this.closeHoles();
  }

  private startAt(at: number, ring: number, start: number): void {
    const { words } = this;
    const [masks0, masks1] = this.pendingMasks;
    this.start(this.pending[at]!, ring, start);
    this.pending[at] = -1;
    this.holeCount++;
    for (let word = at * words; word < (at + 1) * words; word++) {
      masks0[word] = -1;
      masks1[word] = -1;
    }
  }

  private closeHoles(): void {
    const { pending, pendingEnd } = this;
    this.pendingEnd = 0;
    this.holeCount = 0;
    for (let at = 0; at < pendingEnd; at++) if (pending[at]! >= 0) this.append(pending[at]!);
  }

  /** The first position from `from` on, among the requests tried before, whose masks fit on a dirty ring. */
  private nextFitting(from: number): number {
    const { dirtyRings, dirtyCount, K } = this;
    let first = this.pendingBefore;
    for (let index = 0; index < dirtyCount; index++) {
      const ring = dirtyRings[index]!;
      first = this.nextFittingOn(ring, this.pendingMasks[ring < K ? 0 : 1], from, first);
    }
    return first;
  }

  /** The loop in which a saturated run spends most of its time, written out for one and two words. */
  private nextFittingOn(ring: number, masks: Int32Array, from: number, to: number): number {
    const { busy, words } = this;
    let at = from;
    if (words === 1) {
      const word0 = busy[ring]!;
      while (at < to && (masks[at]! & word0) !== 0) at++;
    } else if (words === 2) {
      const word0 = busy[2 * ring]!;
      const word1 = busy[2 * ring + 1]!;
      // One test for both words: alone, each would succeed too often to be predicted.
      while (at < to && ((masks[2 * at]! & word0) | (masks[2 * at + 1]! & word1)) !== 0) at++;
    } else {
      while (at < to && !fitsWords(masks, at * words, busy, ring * words, words)) at++;
    }
    return at;
  }

  /** The first ring in the order of the FIFO policies on which a request fits, -1 if there is none. */
  private firstFreeRing(request: number): number {
    const { K } = this;
    const first = this.firstDirOf[request]!;
    for (let turn = 0; turn < 2; turn++) {
      const dir = first ^ turn;
      for (let ring = dir * K; ring < (dir + 1) * K; ring++)
        if (this.fits(2 * request + dir, ring)) return ring;
    }
    return -1;
  }

  private fits(row: number, ring: number): boolean {
    const { words } = this;
    return fitsWords(this.masks, row * words, this.busy, ring * words, words);
  }

  /**
   * The policy `sjf-detour` (Cell specification 17.3).
   *
   * A round that follows one without starts, with neither an arrival nor a completion between them, would grant nothing:
   * the benefit of each detour has shrunk by one cycle and the number of competitors is the same. `run` leaves it out.
   */
  private decideShortest(start: number): void {
    const { N, K, pending, pendingEnd, arrivalFirst, nodesOf, firstDirOf, extraOf } = this;
    let gainMost = 5 * N * K * (this.allFreeFrom - start);
    let waiting = pendingEnd;
    let kept = 0;
    for (let at = 0; at < pendingEnd; at++) {
      const request = pending[at]!;
      const price = extraOf[request]! * (5 * (waiting - 1) + K);
      // What did not fit before fits only on a ring that has lost a transfer since, or as a detour now allowed.
      if (gainMost <= price && request < arrivalFirst && !this.fitsDirty(request)) {
        pending[kept++] = request;
        continue;
      }
      const short = firstDirOf[request]!;
      const isEven = nodesOf[0][request] === nodesOf[1][request];
      // Two directions of equal length are both short.
      let chosen = isEven
        ? this.tightestRing(request, 0, 2 * K, start)
        : this.tightestRing(request, short * K, (short + 1) * K, start);
      if (chosen < 0 && gainMost > price) chosen = this.detourRing(request, short, price, start);
      if (chosen >= 0) {
        this.start(request, chosen, start);
        // A start may raise the benefit of later detours in the same round, because their short segment is free later.
        gainMost = 5 * N * K * (this.allFreeFrom - start);
        waiting--;
      } else {
        pending[kept++] = request;
      }
    }
    this.startedLastRound = kept < pendingEnd;
    this.pendingEnd = kept;
  }

  private fitsDirty(request: number): boolean {
    const { dirtyRings, dirtyCount, K } = this;
    for (let index = 0; index < dirtyCount; index++) {
      const ring = dirtyRings[index]!;
      if (this.fits(2 * request + (ring < K ? 0 : 1), ring)) return true;
    }
    return false;
  }

  /** The free ring of `from..to-1` with the smallest gap score, -1 if none is free (Cell specification 17.3, 2a). */
  private tightestRing(request: number, from: number, to: number, start: number): number {
    const { K } = this;
    let best = -1;
    let bestScore = NEVER;
    for (let ring = from; ring < to; ring++) {
      if (!this.fits(2 * request + (ring < K ? 0 : 1), ring)) continue;
      const score = this.gapScore(request, ring, start);
      if (score < bestScore) {
        best = ring;
        bestScore = score;
      }
    }
    return best;
  }

  /** Free nodes directly after and before the segment a request would take on a ring. */
  private gapScore(request: number, ring: number, start: number): number {
    const { N, freeFrom, spuOf, peerOf, isPut } = this;
    const spu = spuOf[request]!;
    const peer = peerOf[request]!;
    const isDirection0 = ring < this.K;
    // The segment's ends in ascending order round the ring, whatever the direction of the transfer.
    const [low, high] = (isPut[request] === 1) === isDirection0 ? [spu, peer] : [peer, spu];
    const others = N - this.nodesOf[isDirection0 ? 0 : 1][request]!;
    const base = ring * N;
    let score = 0;
    for (let step = 1, node = high; step <= others; step++) {
      node = node + 1 === N ? 0 : node + 1;
      if (freeFrom[base + node]! > start) break;
      score++;
    }
    for (let step = 1, node = low; step <= others; step++) {
      node = node === 0 ? N - 1 : node - 1;
      if (freeFrom[base + node]! > start) break;
      score++;
    }
    return score;
  }

  /** The ring of the long direction a request may take, -1 if none is free or worth it (Cell specification 17.3, 2b). */
  private detourRing(request: number, short: number, price: number, start: number): number {
    const { N, K } = this;
    const from = short === 1 ? 0 : K;
    const chosen = this.tightestRing(request, from, from + K, start);
    if (chosen < 0) return -1;
    const benefit = this.shortFreeFrom(request, short) - start;
    return 5 * N * K * benefit > price ? chosen : -1;
  }

  /** The cycle from which the segment in the short direction is free on some ring, as far as is known. */
  private shortFreeFrom(request: number, short: number): number {
    const { N, K, freeFrom } = this;
    const nodes = this.nodesOf[short]![request]!;
    const spu = this.spuOf[request]!;
    const peer = this.peerOf[request]!;
    const low = (this.isPut[request] === 1) === (short === 0) ? spu : peer;
    let earliest = NEVER;
    for (let ring = short * K; ring < (short + 1) * K; ring++) {
      let free = 0;
      for (let step = 0, node = low; step < nodes; step++) {
        free = Math.max(free, freeFrom[ring * N + node]!);
        node = node + 1 === N ? 0 : node + 1;
      }
      earliest = Math.min(earliest, free);
    }
    return earliest;
  }

  /** Occupies the segment and lets the transfer run from cycle `start` on (Cell specification 9). */
  private start(request: number, ring: number, start: number): void {
    const { N, K, masks, busy, words } = this;
    const dir = ring < K ? 0 : 1;
    const row = (2 * request + dir) * words;
    const end = start + this.sizeOf[request]! - 1;
    this.startOf[request] = start;
    this.ringOf[request] = ring;
    for (let word = 0; word < words; word++) busy[ring * words + word]! |= masks[row + word]!;
    const nodes = this.nodesOf[dir]![request]!;
    if (this.shortestFirst) {
      const isFromSpu = (this.isPut[request] === 1) === (dir === 0);
      let node = isFromSpu ? this.spuOf[request]! : this.peerOf[request]!;
      for (let step = 0; step < nodes; step++) {
        this.freeFrom[ring * N + node] = end + 1;
        node = node + 1 === N ? 0 : node + 1;
      }
    }
    if (end < this.nextEnd) this.nextEnd = end;
    if (end >= this.allFreeFrom) this.allFreeFrom = end + 1;

    const at = this.placeOfActive(request);
    this.active[at] = request;
    this.activeFrom[at] = this.fromOf[request]! - start;
    this.activeTo[at] = this.toOf[request]! - start;
    this.activeEnd[at] = end;
  }

  /** Makes room among the running transfers: in canonical order (Cell specification 8), or last in a closed loop. */
  private placeOfActive(request: number): number {
    const { active, activeFrom, activeTo, activeEnd, spuOf } = this;
    let at = this.activeCount++;
    // The order shows only where transfers race, and closed loops are race free by construction.
    if (this.saturate) return at;
    const spu = spuOf[request]!;
    for (; at > 0; at--) {
      const other = active[at - 1]!;
      // Requests of one SPU are numbered in the order of their ids.
      if (spuOf[other]! < spu || (spuOf[other] === spu && other < request)) break;
      active[at] = other;
      activeFrom[at] = activeFrom[at - 1]!;
      activeTo[at] = activeTo[at - 1]!;
      activeEnd[at] = activeEnd[at - 1]!;
    }
    return at;
  }

  /** The result of a run that has ended (Cell specification 18.2). */
  result(name: string, policy: string): CellResult {
    const transfers: TransferRow[] = [];
    let totalWait = 0;
    let maxWait = 0;
    let isCut = false;
    for (let request = 0; request < this.requestCount; request++) {
      const spu = this.spuOf[request]!;
      const peer = this.peerOf[request]!;
      const size = this.sizeOf[request]!;
      const issue = this.issueOf[request]!;
      const start = this.startOf[request]!;
      const place = this.ringOf[request]!;
      const dir = place < 0 ? -1 : place < this.K ? 0 : 1;
      const wait = start < 0 ? 0 : start - (issue + 1);
      totalWait += wait;
      maxWait = Math.max(maxWait, wait);
      isCut ||= start < 0 || start + size > this.cycles;
      const [kind, src, dst] =
        this.isPut[request] === 1 ? (['put', spu, peer] as const) : (['get', peer, spu] as const);
      const ring = dir === 1 ? place - this.K : place;
      transfers.push([spu, this.idOf[request]!, kind, src, dst, size, issue, start, dir, ring, wait]);
    }
    let memHash: number = readHashStart;
    for (let spu = 0; spu < this.N; spu++) {
      const base = spu * this.stride;
      memHash = fnv1a32(this.memory.subarray(base, base + this.memSize), memHash);
    }
    return {
      format: 'cell-result/1',
      name,
      policy,
      cycles: this.cycles,
      bytes: this.bytes,
      // One command precedes each byte (Cell specification 7).
      commands: this.bytes,
      totalWait,
      maxWait,
      memHash: hexOf(memHash),
      readHash: hexOf(this.readHash),
      ...(isCut ? { incomplete: true } : {}),
      transfers,
    };
  }
}

/** Whether a segment and the busy nodes of a ring have no bit in common. */
function fitsWords(masks: Int32Array, mine: number, busy: Int32Array, taken: number, words: number): boolean {
  let common = 0;
  // No early end: each word alone is free too often for the end to be predicted.
  for (let word = 0; word < words; word++) common |= masks[mine + word]! & busy[taken + word]!;
  return common === 0;
}

/** One step of xorshift32 (Cell specification 18.1). */
function nextRandom(state: number): number {
  state ^= state << 13;
  state ^= state >>> 17;
  return state ^ (state << 5);
}

/** All timed lists in one, in the order (cycle, SPU, program order), as rows of {@link OPERATION_FIELDS} numbers. */
function mergedOperations(workload: CellWorkload): Int32Array {
  const rows: number[][] = [];
  for (const [spu, program] of (workload.programs ?? []).entries()) {
    for (const [cycle, letter, ...operands] of program) {
      if (cycle >= NEVER) throw new Error('the loop counts bytes and cycles in 31 bits');
      // Of the operands only an id may be negative or large; such an id was never issued.
      const fitting = operands.map((operand) => (operand > NEVER ? -1 : Math.max(-1, operand)));
      rows.push([cycle, spu, operationCodes[letter], ...fitting]);
    }
  }
  rows.sort((a, b) => a[0]! - b[0]!);
  const merged = new Int32Array(rows.length * OPERATION_FIELDS);
  for (const [index, row] of rows.entries()) merged.set(row, index * OPERATION_FIELDS);
  return merged;
}

/** Rounds in which each workload is measured once. */
const ROUNDS = 7;

function main(words: readonly string[]): void {
  const files = words.filter((word) => !word.startsWith('--'));
  const workloads =
    files.length > 0
      ? files.map((file) => ({
          name: basename(file),
          workload: parseWorkload(readFileSync(file, 'utf8'), file),
        }))
      : [saturatingWorkload(8, 2, 20000), saturatingWorkload(64, 4, 2000), oneTransferWorkload()].map(
          (workload) => ({
            name: workload.name,
            workload,
          }),
        );
  const variants = workloads.map(({ name, workload }) => ({
    name,
    run: () => {
      const { cycles, wallSeconds } = runLoop(workload);
      return { work: cycles, seconds: wallSeconds };
    },
  }));
  const measurement = measure(variants, { unit: 'cycles', rounds: ROUNDS });
  console.log(reportMeasurement(measurement, words.includes('--json')));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2));
