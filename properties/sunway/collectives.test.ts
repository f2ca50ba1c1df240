import { describe, expect, test } from 'vitest';
import type { CpeContext } from '../../actors/sunway/cpe-context.ts';
import type { CpeProgram } from '../../actors/sunway/program.ts';
import { onArray, trial } from './trial.ts';

type RmaCollective = 'rma_bcast_coll' | 'rma_row_bcast_coll' | 'rma_col_bcast_coll';

/** Every CPE puts its number into a buffer, takes part in a broadcast from a root, and tells what the buffer holds then, or minus the code. */
const broadcast = (name: RmaCollective, rootOf: (c: CpeContext) => number): CpeProgram =>
  function* (c, out) {
    const buffer = c.ldmStatic('buffer', 8, 8);
    yield c.st(buffer, 'f64', c.tid);
    const code = yield c[name](buffer, buffer, 8, rootOf(c));
    const value = yield* c.ld(buffer, 'f64');
    yield c.st(buffer, 'f64', code === 0 ? value : -code);
    yield c.dma_put(out + 8 * c.tid, buffer, 8);
  };

const saidAfter = (program: CpeProgram, config: object = {}): readonly number[] => {
  const { told } = trial(onArray(program), { memoryMiB: 1, ...config });
  return Array.from({ length: 64 }, (_, tid) => Number(told[`${tid}`]));
};
const everyTid = Array.from({ length: 64 }, (_, tid) => tid);

describe('a collective broadcast', () => {
  test('gives the array, each row or each column the value of its root', () => {
    expect(saidAfter(broadcast('rma_bcast_coll', () => 21))).toEqual(everyTid.map(() => 21));
    expect(saidAfter(broadcast('rma_row_bcast_coll', () => 3))).toEqual(
      everyTid.map((tid) => (tid & ~7) + 3),
    );
    expect(saidAfter(broadcast('rma_col_bcast_coll', () => 6))).toEqual(
      everyTid.map((tid) => 48 + (tid & 7)),
    );
  });

  test('refuses all of a group whose members named different roots, and no other group', () => {
    const config = { onError: 'return' };

    const array = saidAfter(
      broadcast('rma_bcast_coll', ({ tid }) => (tid === 37 ? 1 : 0)),
      config,
    );
    const rows = saidAfter(
      broadcast('rma_row_bcast_coll', ({ tid }) => (tid === 37 ? 1 : 0)),
      config,
    );

    expect(array).toEqual(everyTid.map(() => -22));
    expect(rows).toEqual(everyTid.map((tid) => (tid >> 3 === 4 ? -22 : tid & ~7)));
  });
});
