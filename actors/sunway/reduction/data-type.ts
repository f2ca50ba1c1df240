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

/** The codes by the names that programs use. */
export const dataTypeCodes = {
  CRTS_int: 0x0,
  CRTS_uint: 0x1,
  CRTS_long: 0x2,
  CRTS_ulong: 0x3,
  CRTS_float: 0x4,
  CRTS_double: 0x5,
  CRTS_intv16: 0xc,
  CRTS_uintv16: 0xd,
  CRTS_int512: 0xe,
  CRTS_uint512: 0xf,
  CRTS_floatv8: 0x10,
  CRTS_doublev8: 0x11,
} as const;

type DataTypeName = keyof typeof dataTypeCodes;

const stored: Readonly<Record<DataTypeName, Pick<DataType, 'bytes' | 'lane'>>> = {
  CRTS_int: { bytes: 4, lane: 'i32' },
  CRTS_uint: { bytes: 4, lane: 'u32' },
  CRTS_long: { bytes: 8, lane: 'i64' },
  CRTS_ulong: { bytes: 8, lane: 'u64' },
  CRTS_float: { bytes: 4, lane: 'f32' },
  CRTS_double: { bytes: 8, lane: 'f64' },
  CRTS_intv16: { bytes: 64, lane: 'i32' },
  CRTS_uintv16: { bytes: 64, lane: 'u32' },
  CRTS_int512: { bytes: 64, lane: 'i64' },
  CRTS_uint512: { bytes: 64, lane: 'u64' },
  CRTS_floatv8: { bytes: 32, lane: 'f32' },
  CRTS_doublev8: { bytes: 64, lane: 'f64' },
};

/** The data types by their codes. */
export const dataTypes: ReadonlyMap<number, DataType> = new Map(
  Object.entries(dataTypeCodes).map(([name, code]) => [
    code,
    { code, name, ...stored[name as DataTypeName] },
  ]),
);
