import { type AccessType, bytesOfValue } from '../access-type.ts';
import { asks } from '../operation.ts';
import { accessCalls } from './access-calls.ts';

/**
 * Access to data and work (specification 2.4). An address says the space: own LDM, the LDM of another CPE, shared LDM, main memory, the cross
 * segment (specification 2.3).
 */
export const dataCalls = {
  ...accessCalls,
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
