import { describe, expect, test } from 'vitest';
import type { CpeApi } from '../../actors/sunway/cpe-api.ts';
import type { CpeProgram } from '../../actors/sunway/program.ts';
import { onArray, trial } from './trial.ts';

type RmaCollective = 'rma_bcast_coll' | 'rma_row_bcast_coll' | 'rma_col_bcast_coll';

/** Every CPE puts its number into a buffer, takes part in a broadcast from a root, and tells what the buffer holds then, or minus the code. */
const broadcast = (name: RmaCollective, rootOf: (c: CpeApi) => number): CpeProgram =>
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

describe('a DMA broadcast', () => {
  /** The issuers fetch the number that the host has stored, all of their groups wait for it. */
  const fetched = (group: 'array' | 'row' | 'column', collective: boolean): CpeProgram =>
    function* (c, out) {
      const buffer = c.ldmStatic('buffer', 8, 8);
      const reply = c.rply();
      const leads = group === 'array' ? c.tid === 0 : group === 'row' ? c.cid === 0 : c.rid === 0;
      const source = out + 8 * 64;
      if (c.tid === 0) {
        yield c.st(buffer, 'f64', 7.5);
        yield c.dma_put(source, buffer, 8);
      }
      yield c.ssync_array();
      yield c.st(buffer, 'f64', -1);
      yield c.rplySet(reply, 0);
      yield c.ssync_array();
      if (collective) {
        if (group === 'array') yield c.dma_bcast_coll(buffer, source, 8);
        else if (group === 'row') yield c.dma_row_bcast_coll(buffer, source, 8);
        else yield c.dma_col_bcast_coll(buffer, source, 8);
      } else {
        if (leads && group === 'array') yield c.dma_ibcast(buffer, source, 8, reply);
        else if (leads && group === 'row') yield c.dma_row_ibcast(buffer, source, 8, reply);
        else if (leads) yield c.dma_col_ibcast(buffer, source, 8, reply);
        yield c.dma_wait_value(reply, 1);
      }
      const counted = yield c.rplyRead(reply);
      const value = yield* c.ld(buffer, 'f64');
      yield c.st(buffer, 'f64', 100 * Number(counted) + value);
      yield c.dma_put(out + 8 * c.tid, buffer, 8);
    };

  test.each(['array', 'row', 'column'] as const)('to the %s counts once at every receiver', (group) => {
    expect(saidAfter(fetched(group, false))).toEqual(everyTid.map(() => 107.5));
    expect(saidAfter(fetched(group, true))).toEqual(everyTid.map(() => 7.5));
  });
});

describe('shared LDM', () => {
  test('gives every member the ranges that it asks for, over parts of several owners', () => {
    const program: CpeProgram = function* (c, out) {
      const own = c.ldmStatic('own', 1024, 8);
      const answer = c.ldmStatic('answer', 8, 8);
      const words = Float64Array.from({ length: 128 }, (_, word) => 1000 * c.spc_tid + word);
      yield c.stBlock(2 ** 44 + 1024 * c.spc_tid, words);
      const first = 1024 * (c.spc_tid % 63) + 512;
      yield c.sldm_get(own, 2 ** 44 + first, 1024);
      const got = yield* c.ldBlock(own, 'f64', 128);
      const right = got.filter((value, word) => {
        const at = first / 8 + word;
        return value === 1000 * Math.floor(at / 128) + (at % 128);
      });
      yield c.st(answer, 'f64', right.length);
      yield c.dma_put(out + 8 * c.tid, answer, 8);
    };

    expect(saidAfter(program, { sldm: { mode: 4, sizeKiB: 1 } })).toEqual(everyTid.map(() => 128));
  });
});
