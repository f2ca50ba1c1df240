import { type AccessType, accessBytes, type BlockViews, type ValueOf } from '../access-type.ts';
import { hostCalls } from './host-calls.ts';

/**
 * Main memory from an address on as elements of one type, for a host program (specification 2.4).
 *
 * Details: each of these is an operation to be yielded, since memory is simulated: a view holds no bytes. `yield*` gives loads their type. Indices
 * count elements; the element `k` lies `k` times its size behind the address.
 */
export interface MemoryView<T extends AccessType> {
  /** Loads one element. */
  get(index?: number): ReturnType<typeof hostCalls.ld<T>>;
  /** Stores one element. */
  set(index: number, value: ValueOf<T>): ReturnType<typeof hostCalls.st<T>>;
  /** Loads `count` elements from `index` on, as a typed array of the program's own. */
  read(index: number, count: number): ReturnType<typeof hostCalls.ldBlock<T>>;
  /** Stores all elements of a typed array from `index` on. */
  write(index: number, values: BlockViews[T]): ReturnType<typeof hostCalls.stBlock>;
}

/** Views of main memory by the type of their elements. */
export type HostMemory = { readonly [T in AccessType]: (address: number) => MemoryView<T> };

const viewOf =
  <T extends AccessType>(type: T) =>
  (address: number): MemoryView<T> => {
    const at = (index: number): number => address + accessBytes[type] * index;
    return {
      get: (index = 0) => hostCalls.ld(at(index), type),
      set: (index, value) => hostCalls.st(at(index), type, value),
      read: (index, count) => hostCalls.ldBlock(at(index), type, count),
      write: (index, values) => hostCalls.stBlock(at(index), values),
    };
  };

/** `h.mem.f64(address)` and its kin. */
export const hostMemory: HostMemory = {
  i32: viewOf('i32'),
  u32: viewOf('u32'),
  i64: viewOf('i64'),
  u64: viewOf('u64'),
  f32: viewOf('f32'),
  f64: viewOf('f64'),
};
