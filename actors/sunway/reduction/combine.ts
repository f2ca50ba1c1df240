import { invariant } from '../../../kernel/errors.ts';
import type { DataType, Lane } from './data-type.ts';
import { type Operation, operationCodes, operationFits } from './operation.ts';

/**
 * Combines two arrays of elements of one type, element by element and lane by lane (Sunway specification 6.11).
 *
 * Details: integer addition wraps, `CRTS_float` rounds each sum to single precision, a NaN wins against any number. Both arrays have the
 * same number of bytes, a multiple of the element's. Bytes are in little-endian order.
 */
export function combine(
  left: Uint8Array,
  right: Uint8Array,
  operation: Operation,
  type: DataType,
): Uint8Array {
  invariant(left.length === right.length, 'combined arrays have the same length');
  invariant(left.length % type.bytes === 0, 'combined arrays hold whole elements');
  invariant(operationFits(operation, type), `the operation ${operation} is not for ${type.name}`);
  const result = left.slice();
  switch (type.lane) {
    case 'i64':
    case 'u64':
      combineLong(lanesOfLong(type.lane, result), lanesOfLong(type.lane, right.slice()), operation);
      break;
    case 'f32':
    case 'f64':
      combineFloat(lanesOf(type.lane, result), lanesOf(type.lane, right.slice()), operation);
      break;
    default:
      combineWord(lanesOf(type.lane, result), lanesOf(type.lane, right.slice()), operation);
  }
  return result;
}

type WordLanes = Int32Array | Uint32Array;
type FloatLanes = Float32Array | Float64Array;
type LongLanes = BigInt64Array | BigUint64Array;

/** Typed arrays reduce what is stored to their width, which makes integer sums wrap and bits have the right sign. */
function combineWord(into: WordLanes, right: WordLanes, operation: Operation): void {
  for (let lane = 0; lane < into.length; lane++)
    into[lane] = wordResult(into[lane]!, right[lane]!, operation);
}

function wordResult(a: number, b: number, operation: Operation): number {
  switch (operation) {
    case operationCodes.add:
      return a + b;
    case operationCodes.and:
      return a & b;
    case operationCodes.or:
      return a | b;
    case operationCodes.xor:
      return a ^ b;
    case operationCodes.eqv:
      return ~(a ^ b);
    case operationCodes.min:
      return Math.min(a, b);
    case operationCodes.max:
      return Math.max(a, b);
  }
}

/** Only addition, minimum and maximum get here; Math.min and Math.max give NaN when either side is one. */
function combineFloat(into: FloatLanes, right: FloatLanes, operation: Operation): void {
  for (let lane = 0; lane < into.length; lane++) {
    const a = into[lane]!;
    const b = right[lane]!;
    if (operation === operationCodes.add) into[lane] = a + b;
    else into[lane] = operation === operationCodes.min ? Math.min(a, b) : Math.max(a, b);
  }
}

function combineLong(into: LongLanes, right: LongLanes, operation: Operation): void {
  for (let lane = 0; lane < into.length; lane++)
    into[lane] = longResult(into[lane]!, right[lane]!, operation);
}

function longResult(a: bigint, b: bigint, operation: Operation): bigint {
  switch (operation) {
    case operationCodes.add:
      return a + b;
    case operationCodes.and:
      return a & b;
    case operationCodes.or:
      return a | b;
    case operationCodes.xor:
      return a ^ b;
    case operationCodes.eqv:
      return ~(a ^ b);
    case operationCodes.min:
      return a < b ? a : b;
    case operationCodes.max:
      return a > b ? a : b;
  }
}

function lanesOf(lane: 'i32' | 'u32', bytes: Uint8Array): WordLanes;
function lanesOf(lane: 'f32' | 'f64', bytes: Uint8Array): FloatLanes;
function lanesOf(lane: Exclude<Lane, 'i64' | 'u64'>, { buffer }: Uint8Array): WordLanes | FloatLanes {
  switch (lane) {
    case 'i32':
      return new Int32Array(buffer);
    case 'u32':
      return new Uint32Array(buffer);
    case 'f32':
      return new Float32Array(buffer);
    case 'f64':
      return new Float64Array(buffer);
  }
}

const lanesOfLong = (lane: 'i64' | 'u64', { buffer }: Uint8Array): LongLanes =>
  lane === 'i64' ? new BigInt64Array(buffer) : new BigUint64Array(buffer);
