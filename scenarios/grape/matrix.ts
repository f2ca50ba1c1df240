import type { HostAnswer, HostCall } from '../../actors/grape/host-calls.ts';

const columns = [0, 1, 2, 3];
const inner = 8;
const rows = 16;

const a = (i: number, k: number): number => Math.sin(i + 1.5 * k) + i;
const b = (k: number, n: number): number => Math.cos(2.5 * k - n);

/** Short-word address of element e of the vector that holds column k of A: eight short words a vector. */
const addressOf = (k: number, element: number): bigint => BigInt(8 * k + 2 * element);

/**
 * The product of a matrix of 16 rows and 8 columns with one of 8 rows and 4 columns, on a chip of 4 PEs a block and any number of blocks that
 * divides 8. Errors: throws when an element is further from the sum in double precision than 1e-14 of its scale.
 */
export function* product(): Generator<HostCall, void, HostAnswer> {
  yield { call: 'init' };
  const particles = Array.from({ length: rows }, (_, i) =>
    Object.fromEntries(Array.from({ length: inner }, (_, k) => [`a${k}`, a(i, k)])),
  );
  yield { call: 'sendIParticle', particles };
  for (let k = 0; k < inner; k++) {
    const where = [0, 1, 2, 3].map((element) => addressOf(k, element));
    yield { call: 'sendEltData', num: 0, record: { where, row: columns.map((n) => b(k, n)) }, index: k };
  }
  yield { call: 'run', n: inner / 2 };
  const { results } = yield { call: 'getResult' };
  for (const [i, { values }] of results!.entries())
    for (const n of columns) {
      const terms = Array.from({ length: inner }, (_, k) => a(i, k) * b(k, n));
      const exact = terms.reduce((sum, term) => sum + term, 0);
      const scale = terms.reduce((sum, term) => sum + Math.abs(term), 0);
      const error = Math.abs(Number(values[`c${n}`]) - exact);
      if (error > 1e-14 * scale) throw new Error(`c${n} of row ${i} is off by ${error}`);
    }
}
