/*
 * Himeno by the letter of TCA specification 13, point by point on one array, for small grids: it shares nothing with the kernel and the blocks of the machine.
 */

/** A problem of Himeno. */
export interface HimenoProblem {
  /** Points along i, j and k. */
  readonly size: readonly [imax: number, jmax: number, kmax: number];
  /** Blocks along i and j. */
  readonly blocks: readonly [alongI: number, alongJ: number];
  readonly data: 'classic' | 'mixed';
  readonly order: 'sequential' | 'concurrent';
  readonly iterations: number;
}

/** What must be left of a problem. */
export interface HimenoEnd {
  readonly p: Float32Array;
  /** The residual of the last iteration, to 1e-12 of itself. */
  readonly gosa: number;
  readonly crc32: string;
}

const { fround: f, imul } = Math;

/** U(q, s) of the data set `mixed`. */
function uniform(q: number, s: number): number {
  let h = (imul(q, 2654435761) + imul(s, 40503)) >>> 0;
  h = (h ^ (h >>> 15)) >>> 0;
  h = imul(h, 2246822519) >>> 0;
  h = (h ^ (h >>> 13)) >>> 0;
  return Math.floor(h / 256) / 16777216;
}

/** The block that a plane belongs to, of so many along an axis. */
function blockOf(plane: number, planes: number, blocks: number): number {
  let block = 0;
  while (plane >= Math.floor(((block + 1) * planes) / blocks)) block++;
  return block;
}

/** The planes that a block owns, of so many along an axis. */
export const planesOf = (
  block: number,
  planes: number,
  blocks: number,
): readonly [first: number, end: number] => [
  Math.floor((block * planes) / blocks),
  Math.floor(((block + 1) * planes) / blocks),
];

/** Interior points that a block owns. */
export function interiorPointsOf(
  { size: [imax, jmax, kmax], blocks: [A, B] }: HimenoProblem,
  rank: number,
): number {
  const along = (block: number, planes: number, blocks: number): number => {
    const [first, end] = planesOf(block, planes, blocks);
    let count = 0;
    for (let plane = first; plane < end; plane++) if (plane >= 1 && plane <= planes - 2) count++;
    return count;
  };
  return along(Math.floor(rank / B), imax, A) * along(rank % B, jmax, B) * (kmax - 2);
}

/** Solves a problem. */
export function himenoEnd(problem: HimenoProblem): HimenoEnd {
  const { size, blocks, data, order, iterations } = problem;
  const [imax, jmax, kmax] = size;
  const at = (i: number, j: number, k: number): number => (i * jmax + j) * kmax + k;
  const mixed = data === 'mixed';
  const near1 = (q: number, s: number): number => (mixed ? f(1 + (uniform(q, s) - 0.5) / 16) : 1);
  const near0 = (q: number, s: number): number => (mixed ? f((uniform(q, s) - 0.5) / 16) : 0);
  let p = new Float32Array(imax * jmax * kmax);
  for (let i = 0; i < imax; i++)
    for (let j = 0; j < jmax; j++)
      for (let k = 0; k < kmax; k++) {
        const q = at(i, j, k);
        const classic = f(f(i * i) / f((imax - 1) * (imax - 1)));
        p[q] = mixed ? classic + uniform(q, 1) / 128 : classic;
      }
  // What the edges of halos hold when all faces leave at once: p as it was one iteration before.
  let before = p;
  let gosa = 0;
  for (let iteration = 0; iteration < iterations; iteration++) {
    gosa = 0;
    const next = p.slice();
    for (let i = 1; i < imax - 1; i++)
      for (let j = 1; j < jmax - 1; j++)
        for (let k = 1; k < kmax - 1; k++) {
          const q = at(i, j, k);
          const point = (di: number, dj: number, dk: number): number => {
            const isEdge =
              order === 'concurrent' &&
              blockOf(i + di, imax, blocks[0]) !== blockOf(i, imax, blocks[0]) &&
              blockOf(j + dj, jmax, blocks[1]) !== blockOf(j, jmax, blocks[1]);
            return (isEdge ? before : p)[at(i + di, j + dj, k + dk)]!;
          };
          let s = f(near1(q, 2) * point(1, 0, 0));
          s = f(s + f(near1(q, 3) * point(0, 1, 0)));
          s = f(s + f(near1(q, 4) * point(0, 0, 1)));
          const ij = f(f(f(point(1, 1, 0) - point(1, -1, 0)) - point(-1, 1, 0)) + point(-1, -1, 0));
          s = f(s + f(near0(q, 5) * ij));
          const jk = f(f(f(point(0, 1, 1) - point(0, -1, 1)) - point(0, 1, -1)) + point(0, -1, -1));
          s = f(s + f(near0(q, 6) * jk));
          const ik = f(f(f(point(1, 0, 1) - point(-1, 0, 1)) - point(1, 0, -1)) + point(-1, 0, -1));
          s = f(s + f(near0(q, 7) * ik));
          s = f(s + f(near1(q, 8) * point(-1, 0, 0)));
          s = f(s + f(near1(q, 9) * point(0, -1, 0)));
          s = f(s + f(near1(q, 10) * point(0, 0, -1)));
          s = f(s + (mixed ? f((uniform(q, 11) - 0.5) / 1024) : 0));
          const bound = mixed && (7 * i + 3 * j + k) % 29 === 0 ? 0 : 1;
          const ss = f(f(f(s * f(1 / 6)) - p[q]!) * bound);
          gosa += f(ss * ss);
          next[q] = f(p[q]! + f(f(0.8) * ss));
        }
    [before, p] = [p, next];
  }
  return { p, gosa, crc32: crc32Of(p) };
}

/** CRC-32 of the little-endian bytes, bit by bit. */
function crc32Of(values: Float32Array): string {
  const bytes = new DataView(new ArrayBuffer(4 * values.length));
  for (const [k, value] of values.entries()) bytes.setFloat32(4 * k, value, true);
  let rest = 0xffffffff;
  for (let k = 0; k < bytes.byteLength; k++) {
    rest ^= bytes.getUint8(k);
    for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
  }
  return `0x${(~rest >>> 0).toString(16).padStart(8, '0')}`;
}
