import { caller, type SlaveCase } from '../function-case.ts';

const toTheLdm = { formula: 'to the LDM and back: 2', cycles: 2 };
const everything = 262_144;

/** The allocator of private LDM (specification 6.4). */
export const ldmCases: readonly SlaveCase[] = [
  {
    name: 'get_free_addr',
    by: 'one',
    means: 'is where the next block will lie',
    *play(c) {
      const free = yield c.get_free_addr();
      const block = yield c.pldm_malloc(64);
      yield c.pldm_free(block, 64);
      return [block - free, free % 64];
    },
    gives: () => [0, 0],
    takes: toTheLdm,
    fails: { never: 'takes no arguments; where nothing is free, it is the end of the area' },
  },
  {
    name: 'pldm_get_free_size',
    by: 'one',
    means: 'is the size of the largest block, which an allocation makes smaller by whole granules of 64',
    *play(c) {
      const before = yield c.pldm_get_free_size();
      const block = yield c.pldm_malloc(100);
      const between = yield c.pldm_get_free_size();
      yield c.pldm_free(block, 100);
      return [before - between, (yield c.pldm_get_free_size()) - before];
    },
    gives: () => [128, 0],
    takes: toTheLdm,
    fails: { never: 'takes no arguments; 0 when nothing is free' },
  },
  {
    name: 'pldm_malloc',
    by: 'one',
    means: 'first fit: a freed block of 64 bytes is given out again before the area behind it',
    *play(c) {
      const first = yield c.pldm_malloc(64);
      const second = yield c.pldm_malloc(100);
      yield c.pldm_free(first, 64);
      const again = yield c.pldm_malloc(4);
      const large = yield c.pldm_malloc(65);
      yield c.pldm_free_all();
      return [second - first, again - first, large - first];
    },
    gives: () => [64, 0, 64 + 128],
    takes: toTheLdm,
    fails: {
      when: 'more than is free, or nothing, is asked for: NULL',
      *play(c) {
        return [yield c.pldm_malloc(everything), yield c.pldm_malloc(0)];
      },
      gives: [0, 0],
    },
  },
  {
    name: 'pldm_free',
    by: 'one',
    means: 'gives a block back, and its neighbours are one area with it',
    *play(c) {
      const whole = yield c.pldm_get_free_size();
      const blocks = [yield c.pldm_malloc(64), yield c.pldm_malloc(64), yield c.pldm_malloc(64)];
      for (const k of [0, 2, 1]) yield c.pldm_free(blocks[k]!, 64);
      return [(yield c.pldm_get_free_size()) - whole];
    },
    gives: () => [0],
    takes: toTheLdm,
    fails: {
      when: 'the size is another one',
      *play(c) {
        const block = yield c.pldm_malloc(256);
        yield c.pldm_free(block, 128);
        return [];
      },
      report: /BadFree: no block of 128 bytes begins at/,
    },
  },
  {
    name: 'pldm_malloc_max',
    by: 'one',
    means: 'allocates the largest block and tells its size',
    *play(c) {
      const free = yield c.pldm_get_free_size();
      const { address, size } = yield* c.pldm_malloc_max();
      const left = yield c.pldm_get_free_size();
      yield c.pldm_free(address, size);
      return [size - free, left, (yield c.get_free_addr()) - address];
    },
    gives: () => [0, 0, 0],
    takes: toTheLdm,
    fails: {
      when: 'nothing is free: NULL and 0',
      *play(c) {
        yield* c.pldm_malloc_max();
        const { address, size } = yield* c.pldm_malloc_max();
        yield c.pldm_free_all();
        return [address, size];
      },
      gives: [0, 0],
    },
  },
  {
    name: 'pldm_free_all',
    by: 'one',
    means: 'frees every block',
    *play(c) {
      const whole = yield c.pldm_get_free_size();
      for (let times = 0; times < 3; times++) yield c.pldm_malloc(100);
      yield c.pldm_free_all();
      return [(yield c.pldm_get_free_size()) - whole, c.tid];
    },
    gives: () => [0, caller],
    takes: toTheLdm,
    fails: { never: 'takes no arguments; nothing is done where nothing is held' },
  },
];
