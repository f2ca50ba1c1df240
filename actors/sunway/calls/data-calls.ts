import {
  type AccessType,
  accessBytes,
  type BlockViews,
  bytesOfValue,
  type ValueOf,
  viewOfBytes,
} from '../access-type.ts';
import { asks, asksAs, asksFor, bytesOfAnswer } from '../operation.ts';

/**
 * Access to data and work (specification 2.4). An address says the space: own LDM, the LDM of another CPE, shared LDM, main memory, the cross
 * segment (specification 2.3).
 */
export const dataCalls = {
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
  /** Adds to a 32-bit word of main memory in one step; the answer is what it held before. */
  faa: (address: number, value: number) => asks({ op: 'faa', address, value }),
  /** Works for so many cycles. */
  compute: (cycles: number) => asks({ op: 'compute', cycles }),

  /** Reads a reply word. */
  rplyRead: (word: number) =>
    asks({ op: 'ld', address: word, type: 'i32' as AccessType, bytes: 4, flag: false }),
  /** Sets a reply word, normally to 0 before transfers that name it are issued (specification 3.3). */
  rplySet: (word: number, value: number) =>
    asks({ op: 'st', address: word, data: bytesOfValue('i32', value), flag: false }),
} as const;
