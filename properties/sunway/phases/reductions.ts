import fc from 'fast-check';
import type { WrittenCall } from '../../../machines/sunway/operations.ts';
import { buffer, further, now } from './drawn.ts';
import { bufferBytes, type GroupWorld, type Phase, pairOf, type Stage, scratchName } from './stage.ts';

type Lane = 'i32' | 'u32' | 'i64' | 'u64' | 'f32' | 'f64';

/** The data types by code, with the bytes of an element and what its lanes are (Sunway specification 6.11). */
const dataTypes: readonly { readonly code: number; readonly bytes: number; readonly lane: Lane }[] = [
  { code: 0x0, bytes: 4, lane: 'i32' },
  { code: 0x1, bytes: 4, lane: 'u32' },
  { code: 0x2, bytes: 8, lane: 'i64' },
  { code: 0x3, bytes: 8, lane: 'u64' },
  { code: 0x4, bytes: 4, lane: 'f32' },
  { code: 0x5, bytes: 8, lane: 'f64' },
  { code: 0xc, bytes: 64, lane: 'i32' },
  { code: 0xd, bytes: 64, lane: 'u32' },
  { code: 0xe, bytes: 64, lane: 'i64' },
  { code: 0xf, bytes: 64, lane: 'u64' },
  { code: 0x10, bytes: 32, lane: 'f32' },
  { code: 0x11, bytes: 64, lane: 'f64' },
];

const laneBytes: Readonly<Record<Lane, number>> = { i32: 4, u32: 4, i64: 8, u64: 8, f32: 4, f64: 8 };
const isReal = (lane: Lane): boolean => lane === 'f32' || lane === 'f64';
/** Add, minimum and maximum are for every type, and, or, xor and eqv (2 to 5) for integers alone. */
const operations = [1, 2, 3, 4, 5, 6, 7] as const;
const ofReals = [1, 6, 7] as const;
/** Lanes of reals that are stored first: buffers hold bytes that may be no number. */
const realsMax = 8;

const leastOf = <T extends number | bigint>(a: T, b: T): T => (a < b ? a : b);
const mostOf = <T extends number | bigint>(a: T, b: T): T => (a < b ? b : a);

function wholes(operation: number, a: bigint, b: bigint): bigint {
  switch (operation) {
    case 1:
      return a + b;
    case 2:
      return a & b;
    case 3:
      return a | b;
    case 4:
      return a ^ b;
    case 5:
      return ~(a ^ b);
    case 6:
      return leastOf(a, b);
    default:
      return mostOf(a, b);
  }
}

/** One lane of two operands at a time, the left one first. */
function combineLane(lane: Lane, operation: number, left: DataView, right: DataView, at: number): void {
  switch (lane) {
    case 'f32':
    case 'f64': {
      const get = lane === 'f32' ? 'getFloat32' : 'getFloat64';
      const [a, b] = [left[get](at, true), right[get](at, true)];
      const value = operation === 1 ? a + b : operation === 6 ? leastOf(a, b) : mostOf(a, b);
      left[lane === 'f32' ? 'setFloat32' : 'setFloat64'](at, value, true);
      return;
    }
    case 'i64':
      left.setBigInt64(at, wholes(operation, left.getBigInt64(at, true), right.getBigInt64(at, true)), true);
      return;
    case 'u64':
      left.setBigUint64(
        at,
        BigInt.asUintN(64, wholes(operation, left.getBigUint64(at, true), right.getBigUint64(at, true))),
        true,
      );
      return;
    case 'i32':
      left.setInt32(
        at,
        Number(
          BigInt.asIntN(
            32,
            wholes(operation, BigInt(left.getInt32(at, true)), BigInt(right.getInt32(at, true))),
          ),
        ),
        true,
      );
      return;
    default:
      left.setUint32(
        at,
        Number(
          BigInt.asUintN(
            32,
            wholes(operation, BigInt(left.getUint32(at, true)), BigInt(right.getUint32(at, true))),
          ),
        ),
        true,
      );
  }
}

/** The total of a range over all CPEs: three steps over columns, then three over rows, the lower number always left (6.11). */
function totalOf(
  { cpes }: Stage['shape'],
  world: GroupWorld,
  from: string,
  bytes: number,
  lane: Lane,
  operation: number,
): Uint8Array {
  const parts = Array.from({ length: cpes }, (_, tid) => world.of(from, tid).slice(0, bytes));
  const viewOf = (tid: number): DataView => new DataView(parts[tid]!.buffer);
  for (const step of [1, 2, 4, 8, 16, 32])
    for (let tid = 0; tid < cpes; tid += 2 * step)
      if (tid + step < cpes)
        for (let at = 0; at < bytes; at += laneBytes[lane])
          combineLane(lane, operation, viewOf(tid), viewOf(tid + step), at);
  return parts[0]!;
}

/** A reduction over the array, of every type and operation, with scratch for some of the elements or all (6.11). */
export const reductions: fc.Arbitrary<Phase> = fc
  .record({
    type: now(dataTypes[0]!, ...dataTypes),
    operation: fc.nat(operations.length - 1),
    from: buffer,
    to: further,
    inPlace: now(false, true),
    units: fc.integer({ min: 1, max: 16 }),
    scratchUnits: fc.integer({ min: 1, max: 16 }),
    value: fc.nat(1000),
  })
  .map((drawn) => (stage) => {
    const { type, inPlace, value } = drawn;
    const { lane, bytes: unitBytes, code } = type;
    const [from, other] = pairOf(drawn);
    const to = inPlace ? from : other;
    const fits = Math.floor((isReal(lane) ? realsMax * laneBytes[lane] : bufferBytes) / unitBytes);
    const units = Math.max(1, Math.min(drawn.units, fits));
    const scratchUnits = Math.min(drawn.scratchUnits, bufferBytes / unitBytes);
    const kinds = isReal(lane) ? ofReals : operations;
    const operation = kinds[drawn.operation % kinds.length]!;
    const bytes = units * unitBytes;
    if (isReal(lane))
      for (let at = 0; at < bytes; at += laneBytes[lane]) {
        // Sums of thirds depend on the order of the tree.
        const number = (value + 7 * at) / 3;
        const call: WrittenCall = [
          'st',
          { of: from, plus: at, perCpe: 0 },
          lane,
          { number, perCpe: 3 - (at % 7) },
        ];
        stage.add(call);
        stage.atCpes((world, tid) => {
          const view = new DataView(world.of(from, tid).buffer);
          view[lane === 'f32' ? 'setFloat32' : 'setFloat64'](at, number + (3 - (at % 7)) * tid, true);
        });
      }
    stage.among(['scoll_redurt', from, to, units, code, operation, scratchName, scratchUnits]);
    stage.inGroups((world) => {
      const total = totalOf(stage.shape, world, from, bytes, lane, operation);
      for (const tid of stage.tids) world.of(to, tid).set(total);
    });
  });
