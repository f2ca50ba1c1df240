/** MPI over InfiniBand, contiguous, microseconds one way by bytes (public measurements, TCA specification 14). */
const mpiContiguousUs: readonly (readonly [number, number])[] = [
  [2048, 4.58],
  [4096, 5.57],
  [8192, 7.78],
  [16_384, 11.45],
  [32_768, 17.2],
  [65_536, 28.5],
  [131_072, 50.3],
  [524_288, 184.5],
];

/** Microseconds of MPI over InfiniBand for a contiguous transfer: the table, log-linear between its points; undefined outside of it. */
export function mpiUs(bytes: number): number | undefined {
  const above = mpiContiguousUs.findIndex(([size]) => size >= bytes);
  const upper = mpiContiguousUs[above];
  if (upper === undefined) return undefined;
  if (upper[0] === bytes) return upper[1];
  const lower = mpiContiguousUs[above - 1];
  if (lower === undefined) return undefined;
  const share = Math.log(bytes / lower[0]) / Math.log(upper[0] / lower[0]);
  return Math.exp(Math.log(lower[1]) + share * Math.log(upper[1] / lower[1]));
}

/** The same for a block-stride transfer: packing and unpacking on the GPU come on top (TCA specification 14). */
export function mpiBlockStrideUs(bytes: number): number | undefined {
  const us = mpiUs(bytes);
  return us === undefined ? undefined : us + 30.2 + bytes / 45_000;
}
