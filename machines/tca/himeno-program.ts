import { type Gasnet, gasnetProgram } from '../../actors/tca/gasnet/gasnet.ts';
import type { Handle } from '../../actors/tca/gasnet/handle.ts';
import type { Task } from '../../actors/tca/gasnet/task.ts';
import { type Block, createBlock } from '../../actors/tca/himeno/block.ts';
import { calculationNs, pointsOf } from '../../actors/tca/himeno/calculation.ts';
import { type Checksums, checksumsOf } from '../../actors/tca/himeno/checksums.ts';
import { nodeOfRank, rankCount } from '../../actors/tca/himeno/decomposition.ts';
import { type ExchangePhase, exchangePhases } from '../../actors/tca/himeno/faces.ts';
import { arrayBytes, ownRows, type Placement, placementOf } from '../../actors/tca/himeno/placement.ts';
import { sweep } from '../../actors/tca/himeno/sweep.ts';
import type { NodeProgram } from '../../actors/tca/node-program.ts';
import { type HimenoSetting, settingOf } from './himeno-setting.ts';

/** When an iteration of a rank began and when each of its parts ended, in nanoseconds since the beginning of the run. */
export interface HimenoIteration {
  readonly begun: number;
  readonly calculated: number;
  readonly exchanged: number;
  readonly converged: number;
}

/** What the ranks tell whoever runs them. */
export interface HimenoListener {
  /** An iteration of a rank is over. */
  iteration?(rank: number, times: HimenoIteration): void;
  /** Rank 0 has the whole p, and the residual of the last iteration. */
  result?(
    checksums: Checksums,
    residual: { readonly gosaF64: number; readonly gosaF32Seq?: number },
    p: Float32Array,
  ): void;
}

/** What a run may change about the program: which faces are moved, for faults to be planted. */
export interface HimenoVariation {
  readonly phases?: typeof exchangePhases;
}

/** The rank that a node runs. */
interface Rank {
  readonly gasnet: Gasnet;
  readonly setting: HimenoSetting;
  readonly rank: number;
  readonly block: Block;
  readonly place: Placement;
  readonly phases: readonly ExchangePhase[];
  /** Beginning of the GPU memory of the node of a rank. */
  readonly baseOf: (rank: number) => number;
  readonly nodeOf: (rank: number) => number;
  /** Puts of each rank to this one, up to the phase at hand. */
  readonly putsFrom: number[];
}

/**
 * The Himeno benchmark as the program of every node under GASNet (TCA specification 13); the environment of the job says which problem.
 *
 * Details: a rank has p in GPU memory, sweeps it with a kernel, puts its faces into the halos of its neighbours, waits for theirs, and adds up the
 * residual with all others. At the end all parts are put to rank 0, which ends the job with code 0, or with 1 when the checksum is not the one that
 * was expected. Rank r runs on node `nodeOfRank(r)`; nodes without a rank take part in barriers only.
 */
export const himenoProgram = (listener: HimenoListener = {}, variation: HimenoVariation = {}): NodeProgram =>
  gasnetProgram(function* (gasnet) {
    const setting = settingOf(gasnet.environment, gasnet.nodes);
    const { decomposition, order } = setting;
    const nodeOf = (rank: number): number => nodeOfRank(decomposition, rank);
    const ranks = rankCount(decomposition);
    const phases = (variation.phases ?? exchangePhases)(decomposition, order);
    yield* gasnet.init();
    yield* gasnet.attach();
    if (gasnet.rank >= ranks) yield* lookOn(gasnet, setting, phases);
    // The placement is its own inverse.
    const rank = nodeOf(gasnet.rank);
    const here: Rank = {
      gasnet,
      setting,
      rank,
      block: createBlock(decomposition, rank, setting.data),
      place: placementOf(decomposition),
      phases,
      baseOf: (other) => gasnet.segment(nodeOf(other), 'gpu').base,
      nodeOf,
      putsFrom: new Array<number>(ranks).fill(0),
    };
    const base = here.baseOf(rank);
    yield* gasnet.write(base + here.place.p, raw(here.block.fields.p));
    yield* gasnet.barrier();
    let gosaF64 = 0;
    let gosaF32Seq = 0;
    for (let iteration = 0; iteration < setting.iterations; iteration++) {
      const begun = yield* gasnet.now();
      ({ gosaF32Seq } = yield* calculate(here));
      const calculated = yield* gasnet.now();
      for (const [index, phase] of phases.entries()) {
        if (isBehindAnother(phases, index)) yield* gasnet.barrier();
        yield* exchange(here, phase);
      }
      const exchanged = yield* gasnet.now();
      gosaF64 = yield* residualOfAll(gasnet, base + here.place.residual);
      listener.iteration?.(rank, { begun, calculated, exchanged, converged: yield* gasnet.now() });
    }
    yield* gather(here);
    if (rank !== 0) yield* endOfJob(gasnet);
    const whole = yield* gasnet.read(base + here.place.whole, arrayBytes(decomposition.size));
    const checksums = checksumsOf(floats(whole), decomposition.size);
    listener.result?.(checksums, { gosaF64, ...(ranks === 1 && { gosaF32Seq }) }, floats(whole));
    yield* gasnet.exit(setting.crc32 === undefined || setting.crc32 === checksums.pCrc32 ? 0 : 1);
  });

/** A node that has no part of the grid takes part in what all nodes do together, with nothing to add. */
function* lookOn(
  gasnet: Gasnet,
  { decomposition, iterations }: HimenoSetting,
  phases: readonly ExchangePhase[],
): Task<never> {
  const residual = gasnet.segment(gasnet.rank, 'gpu').base + placementOf(decomposition).residual;
  yield* gasnet.barrier();
  for (let iteration = 0; iteration < iterations; iteration++) {
    for (const index of phases.keys()) if (isBehindAnother(phases, index)) yield* gasnet.barrier();
    yield* gasnet.write(residual, bytesOf(0));
    yield* residualOfAll(gasnet, residual);
  }
  yield* gasnet.barrier();
  return yield* endOfJob(gasnet);
}

/** Waits at a barrier to which rank 0 does not come: it ends the job on all nodes. */
function* endOfJob(gasnet: Gasnet): Task<never> {
  yield* gasnet.barrier();
  throw new Error('found rank 0 at a barrier, expected it to end the job');
}

/** Adds up the residuals of all nodes, in the GPU memory of each (TCA specification 12.6). */
function* residualOfAll(gasnet: Gasnet, address: number): Task<number> {
  yield* gasnet.collectives.allreduceSum(address, 1, 'double');
  const bytes = yield* gasnet.read(address, 8);
  return new DataView(bytes.buffer, bytes.byteOffset).getFloat64(0, true);
}

function bytesOf(value: number): Uint8Array {
  const data = new Uint8Array(8);
  new DataView(data.buffer).setFloat64(0, value, true);
  return data;
}

/**
 * Whether faces were moved before those of this phase: all of them must have arrived at all ranks, or a late one would overwrite an edge that a
 * neighbour has brought already.
 */
const isBehindAnother = (phases: readonly ExchangePhase[], index: number): boolean =>
  phases[index]!.length > 0 && phases.slice(0, index).some((phase) => phase.length > 0);

/**
 * One sweep as a kernel of the GPU: it works on what memory has when it begins, and what it has found is there when it ends.
 *
 * Details: it writes the points that the rank owns. For an exchange from one snapshot it leaves all of p in a second array, with the halo that it worked
 * with: what neighbours put meanwhile does not get into the faces.
 */
function* calculate({ gasnet, setting, rank, block, place, baseOf }: Rank): Task<{ gosaF32Seq: number }> {
  const { p } = block.fields;
  const base = baseOf(rank);
  p.set(floats(yield* gasnet.read(base + place.p, p.byteLength)));
  const { gosaF32Seq, gosaF64 } = sweep(block);
  yield* gasnet.kernel(calculationNs(pointsOf(setting.decomposition, rank)));
  const bytes = raw(p);
  const { from, shape } = ownRows(block);
  for (let row = 0; row < shape.count; row++) {
    const first = from + row * shape.srcStride;
    yield* gasnet.write(base + place.p + first, bytes.slice(first, first + shape.size));
  }
  if (setting.order === 'concurrent') yield* gasnet.write(base + place.snapshot, bytes.slice());
  yield* gasnet.write(base + place.residual, bytesOf(gosaF64));
  return { gosaF32Seq };
}

/** Puts the faces of a rank into the halos of its neighbours, and waits for theirs. */
function* exchange(
  { gasnet, setting, rank, place, baseOf, nodeOf, putsFrom }: Rank,
  phase: ExchangePhase,
): Task<void> {
  const begun: Handle[] = [];
  const array = setting.order === 'concurrent' ? place.snapshot : place.p;
  for (const { source, target, from, to } of phase) {
    if (target === rank) putsFrom[source]!++;
    if (source !== rank) continue;
    const dst = baseOf(target) + place.p + to.offsetBytes;
    const { blockBytes, count, pitchBytes } = from;
    const shape = { size: blockBytes, count, srcStride: pitchBytes, dstStride: to.pitchBytes };
    const src = baseOf(rank) + array + from.offsetBytes;
    begun.push(yield* gasnet.putBlocksNb(dst, src, shape, { bulk: true }));
  }
  for (const [source, count] of putsFrom.entries()) yield* gasnet.awaitPuts(nodeOf(source), count);
  // The next kernel changes what these puts read.
  yield* gasnet.waitAll(begun);
}

/** Puts what the rank owns to its place in the whole p of rank 0. */
function* gather({ gasnet, setting, rank, block, place, baseOf, nodeOf, putsFrom }: Rank): Task<void> {
  const { from, to, shape } = ownRows(block);
  const src = baseOf(rank) + place.p + from;
  const dst = baseOf(0) + place.whole + to;
  yield* gasnet.putBlocks(dst, src, shape);
  if (rank === 0)
    for (let other = 1; other < rankCount(setting.decomposition); other++)
      yield* gasnet.awaitPuts(nodeOf(other), putsFrom[other]! + 1);
  yield* gasnet.barrier();
}

const raw = (values: Float32Array): Uint8Array =>
  new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
const floats = (bytes: Uint8Array): Float32Array => new Float32Array(bytes.slice().buffer);
