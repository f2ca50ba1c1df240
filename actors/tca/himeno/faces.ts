import { allocatedSize } from './block.ts';
import { blockExtents, type Decomposition, rankAt, rankCount } from './decomposition.ts';
import { floatBytes } from './grid.ts';

/**
 * How the faces of one iteration are exchanged (TCA specification 13).
 *
 * Details: `sequential` moves the i-faces, waits until all have arrived, then moves the j-faces, so that the
 * edges of the halo come by way of a neighbour; `concurrent` moves all faces from one snapshot, so that the
 * edges of the halo are one iteration old, which is right only while the coefficients b0..b2 are 0.
 *
 * Gotchas: a machine that moves faces in `concurrent` order out of living memory reads edges that other
 * transfers write, and gets old or new ones as the timing has it. The golden checksum is that of the
 * snapshot.
 */
export const exchangeOrders = ['sequential', 'concurrent'] as const;

/** The name of an order of exchange. */
export type ExchangeOrder = (typeof exchangeOrders)[number];

/** Bytes of the p array of one block, as a DMA engine is told them; a contiguous face is one single block. */
export interface Face {
  /** From the first byte of the p array, its halo included. */
  readonly offsetBytes: number;
  readonly blockBytes: number;
  /** Blocks. */
  readonly count: number;
  /** From the start of one block to the start of the next one. */
  readonly pitchBytes: number;
}

/** One face on its way from the rank that owns it to the halo of a neighbour. */
export interface FaceTransfer {
  readonly axis: 'i' | 'j';
  readonly source: number;
  readonly target: number;
  /** In the p array of the source. */
  readonly from: Face;
  /** In the p array of the target; its pitch is another one when the target has more or fewer rows. */
  readonly to: Face;
}

/** Transfers that may run at the same time; all of them have arrived before those of the next phase begin. */
export type ExchangePhase = readonly FaceTransfer[];

/**
 * Every transfer of one exchange: by phase, then i before j, then by source, then towards the lower neighbour
 * first.
 *
 * Details: faces reach over the full extent of the other axis, its halo included, in both orders: golden data
 * holds the checksum that `concurrent` must give, and it is that of full extents. In that order the edges of
 * a halo are written twice, with the same values of the iteration before, so the transfers of a phase may
 * arrive in any order. The transfers that a rank sends are those with its number as `source`, those that it
 * waits for have it as `target`.
 */
export function exchangePhases(decomposition: Decomposition, order: ExchangeOrder): readonly ExchangePhase[] {
  const [alongI, alongJ] = [transfersAlong(decomposition, 'i'), transfersAlong(decomposition, 'j')];
  switch (order) {
    case 'sequential':
      return [alongI, alongJ];
    case 'concurrent':
      return [[...alongI, ...alongJ]];
  }
}

function transfersAlong(decomposition: Decomposition, axis: 'i' | 'j'): ExchangePhase {
  const transfers: FaceTransfer[] = [];
  for (let source = 0; source < rankCount(decomposition); source++)
    for (const step of [-1, 1]) {
      const target = neighbour(decomposition, source, axis, step);
      if (target === undefined) continue;
      const extents = blockExtents(decomposition, source)[axis];
      const plane = step < 0 ? extents.ownFirst : extents.ownEnd - 1;
      const [from, to] = [source, target].map((rank) => faceOf(decomposition, rank, axis, plane)) as [
        Face,
        Face,
      ];
      transfers.push({ axis, source, target, from, to });
    }
  return transfers;
}

/** The next rank along an axis; undefined where the grid ends. */
function neighbour(
  decomposition: Decomposition,
  rank: number,
  axis: 'i' | 'j',
  step: number,
): number | undefined {
  const { A, B } = decomposition;
  const { x, y } = blockExtents(decomposition, rank);
  const [toX, toY] = axis === 'i' ? [x + step, y] : [x, y + step];
  return toX < 0 || toX >= A || toY < 0 || toY >= B ? undefined : rankAt(decomposition, toX, toY);
}

/** Where a rank, as owner or as halo, has a plane of the whole grid. */
function faceOf(decomposition: Decomposition, rank: number, axis: 'i' | 'j', plane: number): Face {
  const { imax, jmax, kmax } = allocatedSize(decomposition, rank);
  const local = plane - blockExtents(decomposition, rank)[axis].allocatedFirst;
  const rowBytes = kmax * floatBytes;
  const planeBytes = jmax * rowBytes;
  return axis === 'i'
    ? { offsetBytes: local * planeBytes, blockBytes: planeBytes, count: 1, pitchBytes: planeBytes }
    : { offsetBytes: local * rowBytes, blockBytes: rowBytes, count: imax, pitchBytes: planeBytes };
}
