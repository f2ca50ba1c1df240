/**
 * Points of a Himeno grid along its three axes; the last one is contiguous in memory (TCA specification 13).
 */
export interface GridSize {
  readonly imax: number;
  readonly jmax: number;
  readonly kmax: number;
}

/** The sizes of the benchmark by name (TCA specification 13). */
export const gridSizes = {
  XS: { imax: 32, jmax: 32, kmax: 64 },
  S: { imax: 64, jmax: 64, kmax: 128 },
  M: { imax: 128, jmax: 128, kmax: 256 },
  L: { imax: 256, jmax: 256, kmax: 512 },
  XL: { imax: 512, jmax: 512, kmax: 1024 },
} as const satisfies Readonly<Record<string, GridSize>>;

/** Bytes that one point occupies: 14 fields of 32-bit floats (TCA specification 13). */
export const bytesPerPoint = 56;

/** Bytes of one value. */
export const floatBytes = Float32Array.BYTES_PER_ELEMENT;

/** The arrays of the kernel under the names of the benchmark (TCA specification 13). */
export const fieldNames = [
  'p',
  'wrk2',
  'a0',
  'a1',
  'a2',
  'a3',
  'b0',
  'b1',
  'b2',
  'c0',
  'c1',
  'c2',
  'bnd',
  'wrk1',
] as const;

/** The name of an array of the kernel. */
export type FieldName = (typeof fieldNames)[number];

/** The arrays of a grid or of a block of one, all of the same size; index (i * jmax + j) * kmax + k. */
export type Fields = Readonly<Record<FieldName, Float32Array>>;

/** Arrays of zeros for a number of points. */
export function allocateFields(points: number): Fields {
  const fields = fieldNames.map((name) => [name, new Float32Array(points)] as const);
  return Object.fromEntries(fields) as Record<FieldName, Float32Array>;
}
