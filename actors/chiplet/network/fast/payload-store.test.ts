import { expect, test } from 'vitest';
import { Hasher } from '../../../../kernel/hash.ts';
import { flitOf } from '../flit.ts';
import { PayloadStore } from './payload-store.ts';

const pageFlits = 1024;
/** The only flit of a packet. */
const flit = (number: number): number => flitOf(number, 0, 1);

const hashOf = (store: PayloadStore): string => {
  const into = new Hasher();
  store.hash(into);
  return into.digest();
};

/** A store in which so many packets of one flit have written their words. */
function filled(packets: number): PayloadStore {
  const store = new PayloadStore(1);
  for (let number = 0; number < packets; number++)
    store.write(flit(number), number, Int32Array.of(number, 7));
  return store;
}

test('a page goes when all its flits have left, and not before', () => {
  const store = filled(pageFlits + 1);
  store.release(0, pageFlits - 1);
  expect(store.packetOf(flit(5))).toBe(5);
  store.release(pageFlits - 1, 1);

  expect(store.pageOf(flit(5))).toBeUndefined();
  expect(store.packetOf(flit(pageFlits))).toBe(pageFlits);
});

test('flits leave once, also those of a packet on two pages', () => {
  const store = filled(2 * pageFlits);
  store.release(0, pageFlits - 3);
  store.release(pageFlits - 3, 6);

  expect(store.pageOf(flit(0))).toBeUndefined();
  expect(store.pageOf(flit(pageFlits))).toBeDefined();
  expect(() => store.release(pageFlits, pageFlits)).toThrow('no flit leaves the network twice');
});

test('a copy is on its own, and two with other words have other hashes', () => {
  const store = filled(2);
  const copy = store.fork();
  expect(hashOf(copy)).toBe(hashOf(store));
  copy.write(flit(1), 1, Int32Array.of(9, 9));

  expect(hashOf(copy)).not.toBe(hashOf(store));
  expect(store.pageOf(flit(1))[store.offsetOf(flit(1)) + 2]).toBe(1);
});
