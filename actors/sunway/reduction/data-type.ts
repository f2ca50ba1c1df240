/** How one lane of an element is stored. */
export type Lane = 'i32' | 'u32' | 'i64' | 'u64' | 'f32' | 'f64';

/** A data type of reductions (Sunway specification 6.11). */
export interface DataType {
  readonly code: number;
  readonly name: string;
  /** Bytes of an element. */
  readonly bytes: number;
  readonly lane: Lane;
}

const list: readonly DataType[] = [
  { code: 0x0, name: 'CRTS_int', bytes: 4, lane: 'i32' },
  { code: 0x1, name: 'CRTS_uint', bytes: 4, lane: 'u32' },
  { code: 0x2, name: 'CRTS_long', bytes: 8, lane: 'i64' },
  { code: 0x3, name: 'CRTS_ulong', bytes: 8, lane: 'u64' },
  { code: 0x4, name: 'CRTS_float', bytes: 4, lane: 'f32' },
  { code: 0x5, name: 'CRTS_double', bytes: 8, lane: 'f64' },
  { code: 0xc, name: 'CRTS_intv16', bytes: 64, lane: 'i32' },
  { code: 0xd, name: 'CRTS_uintv16', bytes: 64, lane: 'u32' },
  { code: 0xe, name: 'CRTS_int512', bytes: 64, lane: 'i64' },
  { code: 0xf, name: 'CRTS_uint512', bytes: 64, lane: 'u64' },
  { code: 0x10, name: 'CRTS_floatv8', bytes: 32, lane: 'f32' },
  { code: 0x11, name: 'CRTS_doublev8', bytes: 64, lane: 'f64' },
];

/** The data types by their codes. */
export const dataTypes: ReadonlyMap<number, DataType> = new Map(list.map((type) => [type.code, type]));

/** The codes by the names that programs use. */
export const dataTypeCodes: Readonly<Record<string, number>> = Object.fromEntries(
  list.map(({ name, code }) => [name, code]),
);
