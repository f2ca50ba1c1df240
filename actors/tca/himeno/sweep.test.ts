import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Block, createBlock } from './block.ts';
import { decompose } from './decomposition.ts';
import { type FieldName, fieldNames, type GridSize } from './grid.ts';
import { sweep } from './sweep.ts';

/** A cell whose every write rounds to a 32-bit float. */
const cell = new Float32Array(1);
const f32 = (value: number): number => {
  cell[0] = value;
  return cell[0]!;
};
const times = (a: number, b: number) => f32(a * b);
const plus = (a: number, b: number) => f32(a + b);
const minus = (a: number, b: number) => f32(a - b);

/**
 * The formulas of TCA specification 13, one after the other, on a whole grid; gives the new p and both
 * residuals.
 */
function transcribed({ imax, jmax, kmax }: GridSize, fields: Block['fields']) {
  const next = fields.p.slice();
  let [gosaF32Seq, gosaF64] = [0, 0];
  for (let i = 1; i <= imax - 2; i++)
    for (let j = 1; j <= jmax - 2; j++)
      for (let k = 1; k <= kmax - 2; k++) {
        const of = (name: FieldName, di = 0, dj = 0, dk = 0) =>
          fields[name][((i + di) * jmax + j + dj) * kmax + k + dk]!;
        const p = (di: number, dj: number, dk: number) => of('p', di, dj, dk);
        let s = times(of('a0'), p(1, 0, 0));
        s = plus(s, times(of('a1'), p(0, 1, 0)));
        s = plus(s, times(of('a2'), p(0, 0, 1)));
        const b0 = plus(minus(minus(p(1, 1, 0), p(1, -1, 0)), p(-1, 1, 0)), p(-1, -1, 0));
        s = plus(s, times(of('b0'), b0));
        const b1 = plus(minus(minus(p(0, 1, 1), p(0, -1, 1)), p(0, 1, -1)), p(0, -1, -1));
        s = plus(s, times(of('b1'), b1));
        const b2 = plus(minus(minus(p(1, 0, 1), p(-1, 0, 1)), p(1, 0, -1)), p(-1, 0, -1));
        s = plus(s, times(of('b2'), b2));
        s = plus(s, times(of('c0'), p(-1, 0, 0)));
        s = plus(s, times(of('c1'), p(0, -1, 0)));
        s = plus(s, times(of('c2'), p(0, 0, -1)));
        s = plus(s, of('wrk1'));
        const ss = times(minus(times(s, of('a3')), p(0, 0, 0)), of('bnd'));
        gosaF32Seq = plus(gosaF32Seq, times(ss, ss));
        gosaF64 += times(ss, ss);
        next[(i * jmax + j) * kmax + k] = plus(p(0, 0, 0), times(f32(0.8), ss));
      }
  return { p: next, gosaF32Seq, gosaF64 };
}

const sizes = fc.record({
  imax: fc.integer({ min: 3, max: 6 }),
  jmax: fc.integer({ min: 3, max: 6 }),
  kmax: fc.integer({ min: 3, max: 8 }),
});

/** One block of a whole grid whose every field holds random values of many magnitudes. */
const randomBlocks = sizes.chain((size) => {
  const points = size.imax * size.jmax * size.kmax;
  const value = fc.float({ noNaN: true, min: -1024, max: 1024 });
  const values = fc.array(value, { minLength: points, maxLength: points });
  return fc.tuple(...fieldNames.map(() => values)).map((columns) => {
    const block = createBlock(decompose(size, 1, 1), 0, 'classic');
    for (const [index, name] of fieldNames.entries()) block.fields[name].set(columns[index]!);
    return block;
  });
});

describe('a sweep', () => {
  test('gives bit for bit what the formulas of the specification give, on random fields', () => {
    fc.assert(
      fc.property(randomBlocks, (block) => {
        const expected = transcribed(block.allocated, block.fields);

        const residual = sweep(block);

        expect(new Uint32Array(block.fields.p.buffer)).toEqual(new Uint32Array(expected.p.buffer));
        expect(residual).toEqual({ gosaF32Seq: expected.gosaF32Seq, gosaF64: expected.gosaF64 });
      }),
      { seed: 13, numRuns: 200 },
    );
  });

  test('changes nothing but p and wrk2, and neither on the surface of the grid', () => {
    const block = createBlock(decompose({ imax: 5, jmax: 6, kmax: 7 }, 1, 1), 0, 'mixed');
    const before = structuredClone(block.fields);

    sweep(block);

    const constant = fieldNames.filter((name) => name !== 'p' && name !== 'wrk2');
    for (const name of constant) expect(block.fields[name]).toEqual(before[name]);
    const { p } = block.fields;
    const changed = [...p.keys()].filter((at) => p[at] !== before.p[at]);
    const inside = changed.filter((at) => {
      const [i, j, k] = [Math.floor(at / 42), Math.floor(at / 7) % 6, at % 7];
      return i >= 1 && i <= 3 && j >= 1 && j <= 4 && k >= 1 && k <= 5;
    });
    expect(changed.length).toBeGreaterThan(0);
    expect(inside).toEqual(changed);
  });

  test('leaves every point alone where bnd is 0', () => {
    const block = createBlock(decompose({ imax: 4, jmax: 4, kmax: 4 }, 1, 1), 0, 'mixed');
    block.fields.bnd.fill(0);
    const before = block.fields.p.slice();

    const residual = sweep(block);

    expect(block.fields.p).toEqual(before);
    expect(residual).toEqual({ gosaF32Seq: 0, gosaF64: 0 });
  });
});
