import { addressOf } from '../../actors/tca/address-map.ts';
import { calculationNs } from '../../actors/tca/himeno/calculation.ts';
import {
  blockExtents,
  type Decomposition,
  decompose,
  nodeOfRank,
  rankCount,
} from '../../actors/tca/himeno/decomposition.ts';
import { exchangePhases, type FaceTransfer } from '../../actors/tca/himeno/faces.ts';
import { floatBytes, gridSizes } from '../../actors/tca/himeno/grid.ts';
import type { Split } from '../../actors/tca/split.ts';
import { haloOverGasnetNs } from './gasnet-halo.ts';
import { configFor, reported, type TcaSettings, tunedPut } from './measure.ts';
import {
  type FaceMove,
  haloPrograms,
  type Move,
  onlyOn,
  type Shape,
  type StopDetection,
} from './transfers.ts';

/** The decompositions of figure 7: blocks along i and j of the Himeno grid S (TCA specification 14). */
export const decompositions = {
  '2x1x1': [2, 1],
  '1x2x1': [1, 2],
  '4x1x1': [4, 1],
  '1x4x1': [1, 4],
  '2x2x1': [2, 2],
} as const;

/** The name of a decomposition of figure 7. */
export type DecompositionName = keyof typeof decompositions;

function decomposed(name: DecompositionName): Decomposition {
  const [A, B] = decompositions[name];
  return decompose(gridSizes.S, A, B);
}

/** Nodes that a decomposition needs. */
export const nodesOf = (name: DecompositionName): number => rankCount(decomposed(name));

/** A face without the halo of the other axis (TCA specification 13): its shape, and where it begins in the array of source and target. */
function ownFace(decomposition: Decomposition, { axis, source, target, from, to }: FaceTransfer) {
  const across = axis === 'i' ? 'j' : 'i';
  const { ownFirst, ownEnd } = blockExtents(decomposition, source)[across];
  const rowBytes = decomposition.size.kmax * floatBytes;
  const skipped = (rank: number, pitchBytes: number): number =>
    (ownFirst - blockExtents(decomposition, rank)[across].allocatedFirst) *
    (axis === 'i' ? rowBytes : pitchBytes);
  const planes = ownEnd - ownFirst;
  const shape: Shape =
    axis === 'i'
      ? { size: planes * rowBytes, count: 1, srcStride: 0, dstStride: 0 }
      : { size: rowBytes, count: planes, srcStride: from.pitchBytes, dstStride: to.pitchBytes };
  return {
    shape,
    readAt: from.offsetBytes + skipped(source, from.pitchBytes),
    writtenAt: to.offsetBytes + skipped(target, to.pitchBytes),
  };
}

/** A face as a put from the memory of one node to that of another. */
export interface FacePut extends Move {
  readonly source: number;
  readonly target: number;
}

/** The puts of an exchange of own faces: by node low i, high i, low j, high j. */
function facePuts(decomposition: Decomposition): readonly FacePut[] {
  return exchangePhases(decomposition, 'concurrent')
    .flat()
    .map((transfer) => {
      const [source, target] = [transfer.source, transfer.target].map((rank) =>
        nodeOfRank(decomposition, rank),
      ) as [number, number];
      const { shape, readAt, writtenAt } = ownFace(decomposition, transfer);
      const [src, dst] = [addressOf(source, 'gpu', readAt), addressOf(target, 'gpu', writtenAt)];
      return { source, target, shape, src, dst };
    });
}

/** Nanoseconds of one halo exchange of Himeno S as the runtime of GASNet does it (TCA specification 14, figure 7). */
export function gasnetHaloNs(
  name: DecompositionName,
  channels: readonly number[],
  stop: 'counter' | 'ideal',
): number {
  const decomposition = decomposed(name);
  const { imax, jmax, kmax } = decomposition.size;
  const bytes = imax * jmax * kmax * floatBytes;
  return haloOverGasnetNs(facePuts(decomposition), rankCount(decomposition), bytes, channels, stop);
}

/** The shapes that a decomposition moves, in the order of their puts. */
export const haloShapes = (name: DecompositionName): readonly Shape[] =>
  exchangePhases(decomposed(name), 'concurrent')
    .flat()
    .map((transfer) => ownFace(decomposed(name), transfer).shape);

/**
 * Nanoseconds of one halo exchange of Himeno S (TCA specification 14, figure 7): until the last rank has sent and received everything.
 *
 * Details: faces are split as the tuning of their shape alone ended; each rank sends low i, high i, low j, high j.
 */
export function haloNs(
  name: DecompositionName,
  channels: readonly number[],
  stop: StopDetection,
  settings: TcaSettings = {},
): number {
  const decomposition = decomposed(name);
  const nodes = rankCount(decomposition);
  const splits = new Map<string, Split>();
  const splitOf = (shape: Shape): Split => {
    const key = JSON.stringify(shape);
    const split =
      splits.get(key) ??
      (channels.length === 1 ? onlyOn(channels[0]!, shape) : tunedPut(shape, channels, settings).tuned.split);
    splits.set(key, split);
    return split;
  };
  const faces = facePuts(decomposition).map(
    ({ source, target, ...move }): FaceMove => ({ source, target, move, split: splitOf(move.shape) }),
  );
  const { imax, jmax, kmax } = decomposition.size;
  const config = configFor(imax * jmax * kmax * floatBytes, {
    ...settings,
    topology: nodes === 2 ? 'pair' : 'ring',
    nodes,
    stopDetect: stop === 'counter' ? 'counter' : 'ideal',
  });
  return Math.max(...reported(config, (report) => haloPrograms(config, faces, stop, report)).values());
}

const convergenceNs = { loopback: 2000, step: 900 };

/** Nanoseconds of an iteration of Himeno S beside its halo: the calculation on the GPU, and the sum of one float over all nodes (TCA specification 13). */
export function calculationAndConvergenceNs(name: DecompositionName): {
  readonly calculation: number;
  readonly convergence: number;
} {
  const { imax, jmax, kmax } = gridSizes.S;
  const points = ((imax - 2) * (jmax - 2) * (kmax - 2)) / nodesOf(name);
  return {
    calculation: calculationNs(points),
    convergence: 2 * convergenceNs.loopback + Math.log2(nodesOf(name)) * convergenceNs.step,
  };
}
