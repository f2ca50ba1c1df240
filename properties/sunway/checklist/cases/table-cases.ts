import type { CpeApi, CpeOperation } from '../../../../actors/sunway/cpe-api.ts';
import type { Given, SlaveCase, SlaveFailure } from '../function-case.ts';
import { ldmAccess, ldmBlock } from '../unloaded.ts';

const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, k) => k);
const lanes = (value: number): readonly number[] => upTo(16).map(() => value);

/** The table of the manual's example, and where its lanes look (specification 6.10). */
const table = [
  0x60, 0x2, 0x200, 0x202, 0x20000, 0x20002, 0x20200, 0x20202, 0x2000000, 0x2000002, 0x2000200, 0x2000202,
  0x2020000, 0x2020002, 0x2020200, 0x2020202,
];
const offsets = [4, 8, 12, 0, 4, 0, 16, 20, 24, 0, 28, 0, 36, 0, 0, 0];
const found = [
  0x2, 0x200, 0x202, 0x60, 0x2, 0x60, 0x20000, 0x20002, 0x20200, 0x60, 0x20202, 0x60, 0x2000002, 0x60, 0x60,
  0x60,
];

const refused = (
  wrong: string,
  code: 'E_ALIGN' | 'E_LEN',
  call: (c: CpeApi, given: Given) => CpeOperation,
): SlaveFailure => ({ with: wrong, call, code });

const lookup = { formula: 'ptab.lookup: 2', cycles: 2 };

/** Parallel table lookup (specification 6.10). Four rows of 16 entries are 256 bytes. */
export const tableCases: readonly SlaveCase[] = [
  {
    name: 'get_ptab_addr',
    by: 'one',
    means: 'every lane is (address >> 6) << 2',
    *play(c, { a }) {
      const base = yield* c.get_ptab_addr(a);
      return [base.length, ...base.map((lane) => lane - Math.floor(a / 64) * 4)];
    },
    gives: () => [16, ...lanes(0)],
    takes: { formula: 'registers: 1 cycle', cycles: 1 },
    fails: refused('a table that is no multiple of 64', 'E_ALIGN', (c, { a }) => c.get_ptab_addr(a + 4)),
  },
  {
    name: 'ptab_cpy',
    by: 'one',
    means: 'lane i holds table i, lanes that no table is given for keep what they have',
    *play(c, { a, b }) {
      const pair = upTo(8).map((k) => (k < 4 ? 20 + k : 30 + k));
      yield c.stBlock(b, Int32Array.from(pair));
      yield c.stBlock(a, new Int32Array(64).fill(9));
      yield c.ptab_cpy([b, b + 16], 4, 2, a);
      const rows = yield* c.ldBlock(a, 'i32', 64);
      return [rows[0]!, rows[1]!, rows[2]!, rows[48]!, rows[49]!, rows[50]!, rows[63]!];
    },
    gives: () => [20, 34, 9, 23, 37, 9, 9],
    takes: {
      formula: 'the rows loaded, each of two tables loaded, the rows stored: 7 + 2 * 4 + 7',
      cycles: ldmBlock(256) + 2 * ldmAccess + ldmBlock(256),
    },
    fails: refused('17 tables', 'E_LEN', (c, { a, b }) =>
      c.ptab_cpy(new Array<number>(17).fill(b), 1, 17, a),
    ),
  },
  {
    name: 'ptab_cpy16',
    by: 'one',
    means: 'all 16 lanes hold the table',
    *play(c, { a, b }) {
      yield c.stBlock(b, Int32Array.of(5, 6, 7, 8));
      const base = yield* c.ptab_cpy16(b, 4, a);
      const rows = yield* c.ldBlock(a, 'i32', 64);
      return [base[15]! - Math.floor(a / 64) * 4, ...rows];
    },
    gives: () => [0, ...[5, 6, 7, 8].flatMap(lanes)],
    takes: { formula: 'the table loaded, its rows stored: 4 + 7', cycles: ldmAccess + ldmBlock(256) },
    fails: refused('a table that is no multiple of 64', 'E_ALIGN', (c, { a, b }) =>
      c.ptab_cpy16(b, 4, a + 32),
    ),
  },
  {
    name: 'ptab_lookup',
    by: 'one',
    means: "each lane gives its entry: the manual's example of 16 entries",
    *play(c, { b }) {
      const parallel = c.ldmStatic('parallel', 1024, 64);
      yield c.stBlock(b, Int32Array.from(table));
      const base = yield* c.ptab_cpy16(b, 16, parallel);
      return [...(yield* c.ptab_lookup(offsets, base))];
    },
    gives: () => found,
    takes: lookup,
    fails: refused('offsets of 6', 'E_ALIGN', (c, { a }) => c.ptab_lookup(lanes(6), lanes((a / 64) * 4))),
  },
  {
    name: 'ptab_write',
    by: 'one',
    means: 'each lane stores its value, other rows keep theirs',
    *play(c, { a, b }) {
      yield c.stBlock(b, Int32Array.of(5, 6, 7, 8));
      const base = yield* c.ptab_cpy16(b, 4, a);
      yield c.ptab_write(lanes(4), base, upTo(16));
      return [...(yield* c.ptab_lookup(lanes(4), base)), ...(yield* c.ptab_lookup(lanes(8), base))];
    },
    gives: () => [...upTo(16), ...lanes(7)],
    takes: lookup,
    fails: refused('offsets of 6', 'E_ALIGN', (c, { a }) =>
      c.ptab_write(lanes(6), lanes((a / 64) * 4), lanes(0)),
    ),
  },
];
