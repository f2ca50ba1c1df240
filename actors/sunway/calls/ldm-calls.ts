import { asks, asksAs } from '../operation.ts';

/** What `pldm_malloc_max` gives: a block and its size, 0 and 0 when nothing is free. */
export interface LargestBlock {
  readonly address: number;
  readonly size: number;
}

const malloc = (size: number) => asks({ op: 'pldm_malloc', size });
const free = (address: number, size: number) => asks({ op: 'pldm_free', address, size });
const freeSize = () => asks({ op: 'pldm_get_free_size' });
const freeAll = () => asks({ op: 'pldm_free_all' });
// Address and size come back in one number: an address has 18 bits.
const mallocMax = () =>
  asksAs({ op: 'pldm_malloc_max' }, (answer): LargestBlock => {
    const both = answer as number;
    return { address: both % 2 ** 18, size: Math.floor(both / 2 ** 18) };
  });

/** Private LDM (specification 6.4). Addresses 0 stand for NULL. */
export const ldmCalls = {
  get_free_addr: () => asks({ op: 'get_free_addr' }),
  pldm_get_free_size: freeSize,
  get_allocatable_size: freeSize,
  pldm_malloc: malloc,
  ldm_malloc: malloc,
  pldm_free: free,
  ldm_free: free,
  /** Allocates the largest block; `yield*` gives its address and size. */
  pldm_malloc_max: mallocMax,
  ldm_malloc_max: mallocMax,
  pldm_free_all: freeAll,
  ldm_free_all: freeAll,
} as const;
