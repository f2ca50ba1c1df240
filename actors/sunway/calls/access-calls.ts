import {
  type AccessType,
  accessBytes,
  type BlockViews,
  bytesOfValue,
  type ValueOf,
  viewOfBytes,
} from '../access-type.ts';
import { asks, asksAs, asksFor, bytesOfAnswer } from '../operation.ts';

/** Loads and stores, the same for programs of CPEs (specification 2.4) and of hosts, whose addresses are of main memory. */
export const accessCalls = {
  /** Loads a value. With `yield*` it has the type that was asked for. */
  ld: <T extends AccessType>(address: number, type: T) =>
    asksFor<ValueOf<T>>()({
      op: 'ld',
      address,
      type: type as AccessType,
      bytes: accessBytes[type],
      flag: false,
    }),
  /** Stores a value. */
  st: <T extends AccessType>(address: number, type: T, value: ValueOf<T>) =>
    asks({ op: 'st', address, data: bytesOfValue(type, value), flag: false }),
  /** Loads a 32-bit word that others use to signal: a race detector takes such accesses as synchronisation (specification 7.3). */
  ldFlag: (address: number) => asks({ op: 'ld', address, type: 'i32' as AccessType, bytes: 4, flag: true }),
  /** Stores such a word. */
  stFlag: (address: number, value: number) =>
    asks({ op: 'st', address, data: bytesOfValue('i32', value), flag: true }),
  /** Loads `count` elements at once, in one message. */
  ldBlock: <T extends AccessType>(address: number, type: T, count: number) =>
    asksAs({ op: 'ldBlock', address, bytes: count * accessBytes[type] }, (answer): BlockViews[T] =>
      viewOfBytes(type, bytesOfAnswer(answer)),
    ),
  /** Stores the bytes of a typed array at once, in one message. */
  stBlock: (address: number, block: ArrayBufferView) =>
    asks({
      op: 'stBlock',
      address,
      data: new Uint8Array(block.buffer, block.byteOffset, block.byteLength).slice(),
    }),
} as const;
