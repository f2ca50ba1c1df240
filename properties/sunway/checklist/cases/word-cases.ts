import { remoteAddress } from '../../../../actors/sunway/address/space.ts';
import { caller, firstWord, type SlaveCase } from '../function-case.ts';
import { fetchAndAdd, memoryAccess, remoteAccess } from '../unloaded.ts';

/** One column and three rows of clusters away. */
const [other, hops] = [53, 4];
const window = { formula: 'sldm.latency and four hops: 60 + 4 * 4', cycles: remoteAccess(hops) };

/** Where the lock lies in the memory of its case. */
const lockAt = 512;

/** Calls beside those of the manual: the window on other LDMs, flags, locks on words (specification 2.3, 6.3, 7.3). */
export const wordCases: readonly SlaveCase[] = [
  {
    name: 'stFlag',
    traced: 'st',
    by: 'one',
    means: 'stores a word in the LDM of another CPE through the window',
    *play(c, { a }) {
      yield c.stFlag(remoteAddress(other, a), 12);
      yield c.rma_get(a + 64, 4, other, a, null);
      return [yield c.ld(a + 64, 'i32'), yield c.ld(a, 'i32')];
    },
    gives: () => [12, 0],
    takes: window,
    fails: { with: 'CPE 64', call: (c, { a }) => c.stFlag(remoteAddress(64, a), 1), code: 'E_RANGE' },
  },
  {
    name: 'ldFlag',
    traced: 'ld',
    by: 'one',
    means: 'loads a word of the LDM of another CPE through the window',
    *play(c, { a }) {
      yield c.ldFlag(remoteAddress(other, a));
      yield c.st(a, 'i32', 13);
      yield c.rma_put(a, 4, other, a, null);
      yield c.compute(100);
      return [yield c.ldFlag(remoteAddress(other, a))];
    },
    gives: () => [13],
    takes: window,
    fails: { with: 'an odd address', call: (c, { a }) => c.ldFlag(remoteAddress(1, a + 1)), code: 'E_ALIGN' },
  },
  {
    name: 'user_lock',
    by: 'all',
    means: 'lets one CPE in: each finds the count that the one before it left',
    *play(c, { memory }) {
      if (c.tid > 3 && c.tid !== caller) return [];
      // The words of a case are not 0: who comes first clears the lock.
      if (c.tid === caller) yield c.st(memory + lockAt, 'i32', 0);
      else yield c.compute(5000);
      yield c.user_lock(memory + lockAt);
      const before = yield c.ld(memory, 'i32');
      yield c.st(memory, 'i32', before + 1);
      yield c.user_unlock(memory + lockAt);
      if (c.tid !== caller) return [];
      yield c.compute(100_000);
      return [(yield c.ld(memory, 'i32')) - firstWord, yield c.ld(memory + lockAt, 'i32')];
    },
    gives: (tid) => (tid === caller ? [5, 0] : []),
    takes: { formula: 'a free lock: one faa.latency, 430', cycles: fetchAndAdd },
    fails: { with: 'a word of LDM', call: (c, { a }) => c.user_lock(a), code: 'E_SPACE' },
  },
  {
    name: 'user_unlock',
    by: 'one',
    means: 'stores 0: the next fetch-and-add finds the lock free',
    *play(c, { memory }) {
      yield c.st(memory, 'i32', 3);
      yield c.user_unlock(memory);
      return [yield c.faa(memory, 1), yield c.faa(memory, 1)];
    },
    gives: () => [0, 1],
    takes: { formula: 'a store past the cache: gld.latency, 430', cycles: memoryAccess },
    fails: { with: 'an odd address', call: (c, { memory }) => c.user_unlock(memory + 1), code: 'E_ALIGN' },
  },
];
