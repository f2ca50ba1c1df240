import { describe, expect, test } from 'vitest';
import { alignedSum } from '../../actors/chiplet/ptx/matrix-sum.ts';
import { compilePtx } from '../../actors/chiplet/ptx/program.ts';
import { runCase } from './gpu-case.ts';

/*
 * Matrix instructions against plain products of whole numbers, which are exact in every order of sums, with the fragments as the manual's tables have them by element.
 */

const head = '.version 7.8\n.target sm_90\n.address_size 64\n';

/** Runs one warp, or part of one; `%in` and `%out` are the addresses of the buffers, as words. */
function run(body: string, given: readonly number[], outWords: number, threads = 32): readonly number[] {
  const text = `${head}
.visible .entry k(.param .u64 in, .param .u64 out)
{
  .reg .b32 %t, %s, %a<8>, %b<8>, %c<8>, %d<8>;
  .reg .f64 %x<4>;
  .reg .b64 %in, %out, %p<6>;
  .shared .align 16 .b8 near[1024];
  ld.param.u64 %in, [in];
  ld.param.u64 %out, [out];
  mov.u32 %t, %tid.x;
  ${body}
  ret;
}`;
  const program = compilePtx([{ file: 'matrix.ptx', text }]);
  const { out = [] } = runCase(program, program.kernels.get('k')!, {
    name: 'k',
    entry: 'k',
    grid: [1, 1, 1],
    block: [threads, 1, 1],
    params: [{ ptr: 'in' }, { ptr: 'out' }],
    buffers: {
      in: { type: 'u32', data: given },
      out: { type: 'u32', data: Array.from({ length: outWords }, () => 0) },
    },
  }).buffers;
  return out;
}

type Matrix = readonly (readonly number[])[];

/** Small whole numbers that are not alike in rows and columns. */
const matrix = (rows: number, columns: number, seed: number, least = -3): Matrix =>
  Array.from({ length: rows }, (_, row) =>
    Array.from(
      { length: columns },
      (_, column) => ((row * 5 + column * 3 + row * column + seed) % 7) + least,
    ),
  );

const product = (a: Matrix, b: Matrix, c: Matrix): Matrix =>
  c.map((row, y) => row.map((value, x) => a[y]!.reduce((sum, one, k) => sum + one * b[k]![x]!, value)));

/** Elements as words, the low one first. Whole numbers below 256 in size have short fractions, so that f32 bits give all others. */
const f32Bits = (value: number): number => new Uint32Array(new Float32Array([value]).buffer)[0]!;
const encoders: Readonly<Record<string, (value: number) => number>> = {
  s8: (value) => value & 255,
  u8: (value) => value & 255,
  s32: (value) => value >>> 0,
  f32: f32Bits,
  tf32: f32Bits,
  bf16: (value) => f32Bits(value) >>> 16,
  f16: (value) => {
    if (value === 0) return 0;
    const bits = f32Bits(value);
    return ((bits >>> 16) & 0x8000) | ((((bits >>> 23) & 255) - 112) << 10) | ((bits >>> 13) & 0x3ff);
  },
};
const widths: Readonly<Record<string, number>> = {
  s8: 8,
  u8: 8,
  f16: 16,
  bf16: 16,
  tf32: 32,
  f32: 32,
  s32: 32,
};

function packed(type: string, values: readonly number[]): readonly number[] {
  const each = 32 / widths[type]!;
  return Array.from({ length: values.length / each }, (_, word) =>
    values
      .slice(word * each, (word + 1) * each)
      .reduce((bits, value, at) => (bits | (encoders[type]!(value) << (at * widths[type]!))) >>> 0, 0),
  );
}

type Place = (g: number, t: number, i: number) => readonly [number, number];

/** The tables of the manual: row and column of element i of lane 4 g + t. */
interface Table {
  readonly a: Place;
  readonly b: Place;
  readonly counts: readonly [a: number, b: number, c: number];
}
const tall: Place = (g, t, i) => [i < 2 ? g : g + 8, 2 * t + (i & 1)];
const tables: Readonly<Record<string, Table>> = {
  'm16n8k8 16': { a: tall, b: (g, t, i) => [2 * t + i, g], counts: [4, 2, 4] },
  'm16n8k16 16': {
    a: (g, t, i) => [i < 2 || (i >= 4 && i < 6) ? g : g + 8, 2 * t + (i & 1) + (i >= 4 ? 8 : 0)],
    b: (g, t, i) => [2 * t + (i & 1) + (i >= 2 ? 8 : 0), g],
    counts: [8, 4, 4],
  },
  'm16n8k4 32': { a: (g, t, i) => [i === 0 ? g : g + 8, t], b: (g, t) => [t, g], counts: [2, 1, 4] },
  'm16n8k8 32': {
    a: (g, t, i) => [i === 0 || i === 2 ? g : g + 8, i < 2 ? t : t + 4],
    b: (g, t, i) => [i === 0 ? t : t + 4, g],
    counts: [4, 2, 4],
  },
  'm8n8k16 8': { a: (g, t, i) => [g, 4 * t + i], b: (g, t, i) => [4 * t + i, g], counts: [4, 4, 2] },
  'm16n8k16 8': {
    a: (g, t, i) => [i < 4 ? g : g + 8, 4 * t + (i & 3)],
    b: (g, t, i) => [4 * t + i, g],
    counts: [8, 4, 4],
  },
  'm16n8k32 8': {
    a: (g, t, i) => [i < 4 || (i >= 8 && i < 12) ? g : g + 8, 4 * t + (i & 3) + (i >= 8 ? 16 : 0)],
    b: (g, t, i) => [4 * t + (i & 3) + (i >= 4 ? 16 : 0), g],
    counts: [16, 8, 4],
  },
};

const sizes = (shape: string): readonly number[] => [...shape.matchAll(/\d+/g)].map(([text]) => Number(text));
const names = (letter: string, count: number): string =>
  `{${Array.from({ length: count }, (_, at) => `%${letter}${at}`).join(', ')}}`;
const loads = (letter: string, count: number, from: number): string =>
  Array.from({ length: count }, (_, at) => `ld.global.u32 %${letter}${at}, [%p0+${4 * (from + at)}];`).join(
    ' ',
  );

describe('mma', () => {
  test.each([
    ['m16n8k8', 'f16', 'f16', 'f32'],
    ['m16n8k16', 'f16', 'f16', 'f32'],
    ['m16n8k16', 'f16', 'f16', 'f16'],
    ['m16n8k8', 'bf16', 'bf16', 'f32'],
    ['m16n8k16', 'bf16', 'bf16', 'f32'],
    ['m16n8k4', 'tf32', 'tf32', 'f32'],
    ['m16n8k8', 'tf32', 'tf32', 'f32'],
    ['m8n8k16', 's8', 's8', 's32'],
    ['m16n8k16', 's8', 'u8', 's32'],
    ['m16n8k32', 'u8', 's8', 's32'],
  ])('%s of %s and %s into %s', (shape, typeA, typeB, sums) => {
    const [m = 0, n = 0, k = 0] = sizes(shape);
    const a = matrix(m, k, 1, typeA === 'u8' ? 249 : -3);
    const b = matrix(k, n, 4, typeB === 'u8' ? 249 : -3);
    const c = matrix(m, n, 2);
    const table = tables[`${shape} ${widths[typeA]}`]!;
    const fragment = (of: Matrix, type: string, place: Place, count: number, lane: number) =>
      packed(
        type,
        Array.from({ length: count }, (_, i) => {
          const [row, column] = place(lane >> 2, lane & 3, i);
          return of[row]![column]!;
        }),
      );
    const lanes = Array.from({ length: 32 }, (_, lane) => [
      fragment(a, typeA, table.a, table.counts[0], lane),
      fragment(b, typeB, table.b, table.counts[1], lane),
      fragment(c, sums, tall, table.counts[2], lane),
    ]);
    const [na = 0, nb = 0, nc = 0] = lanes[0]!.map((one) => one.length);
    const found = run(
      `mad.wide.u32 %p0, %t, ${4 * (na + nb + nc)}, %in;
       ${loads('a', na, 0)} ${loads('b', nb, na)} ${loads('c', nc, na + nb)}
       mma.sync.aligned.${shape}.row.col.${sums}.${typeA}.${typeB}.${sums} ${names('d', nc)}, ${names('a', na)}, ${names('b', nb)}, ${names('c', nc)};
       mad.wide.u32 %p1, %t, ${4 * nc}, %out;
       ${Array.from({ length: nc }, (_, at) => `st.global.u32 [%p1+${4 * at}], %d${at};`).join(' ')}`,
      lanes.flat(2),
      32 * nc,
    );
    const expected = product(a, b, c);

    expect(found).toEqual(
      Array.from({ length: 32 }, (_, lane) => fragment(expected, sums, tall, table.counts[2], lane)).flat(),
    );
  });

  test('m8n8k4 of f64', () => {
    const [a, b, c] = [matrix(8, 4, 1), matrix(4, 8, 4), matrix(8, 8, 2)];
    const lanes = Array.from({ length: 32 }, (_, lane) => {
      const [g, t] = [lane >> 2, lane & 3];
      return [a[g]![t]!, b[t]![g]!, c[g]![2 * t]!, c[g]![2 * t + 1]!];
    });
    const words = [...new Uint32Array(new Float64Array(lanes.flat()).buffer)];
    const found = run(
      `mad.wide.u32 %p0, %t, 32, %in;
       ld.global.f64 %x0, [%p0]; ld.global.f64 %x1, [%p0+8]; ld.global.v2.f64 {%x2, %x3}, [%p0+16];
       mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%x2, %x3}, {%x0}, {%x1}, {%x2, %x3};
       mad.wide.u32 %p1, %t, 16, %out;
       st.global.v2.f64 [%p1], {%x2, %x3};`,
      words,
      128,
    );

    // Lane 4 g + t holds columns 2 t and 2 t + 1 of row g: all rows one after the other.
    expect([...new Float64Array(Uint32Array.from(found).buffer)]).toEqual(product(a, b, c).flat());
  });

  test('sums of integers wrap, or are held with satfinite', () => {
    const line = (end: string) =>
      run(
        `mov.b32 %a0, 0x7f7f7f7f; mov.b32 %c0, 0x7fffffff;
         mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32${end} {%d0, %d1}, {%a0}, {%a0}, {%c0, %c0};
         mad.wide.u32 %p1, %t, 4, %out; st.global.u32 [%p1], %d0;`,
        [0],
        32,
      )[0];

    expect([line(''), line('.satfinite')]).toEqual([(0x7fffffff + 16 * 127 * 127) >>> 0, 0x7fffffff]);
  });

  test('addends are cut off two bits behind an f32 of the largest, the sum at an f32', () => {
    const small = (share: number) => Float64Array.from({ length: 4 }, () => share);
    const ones = small(1);

    expect(alignedSum(ones, small(2 ** -26), 1)).toBe(1);
    expect(alignedSum(ones, small(2 ** -25), 1)).toBe(1 + 2 ** -23);
    expect(alignedSum(ones, small(-(2 ** -25)), 1)).toBe(1 - 2 ** -23);
    expect(alignedSum(ones, small(1.75 * 2 ** -24), 1)).toBe(1 + 3 * 2 ** -23);
    expect(alignedSum(ones, small(Number.POSITIVE_INFINITY), 1)).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('wmma', () => {
  test.each([
    ['m16n16k16', 'f16', 'f32', 8, 8, 8],
    ['m8n32k16', 'f16', 'f16', 8, 8, 4],
    ['m32n8k16', 'bf16', 'f32', 8, 2, 8],
    ['m16n16k16', 's8', 's32', 2, 2, 8],
    ['m8n32k16', 'u8', 's32', 1, 4, 8],
    ['m16n16k8', 'tf32', 'f32', 4, 4, 8],
  ])('%s of %s into %s, in rows and in columns', (shape, type, sums, na, nb, nc) => {
    const [m = 0, n = 0, k = 0] = sizes(shape);
    const least = type === 'u8' ? 0 : -3;
    const [a, b, c] = [matrix(m, k, 1, least), matrix(k, n, 4, least), matrix(m, n, 2)];
    const turned = b[0]!.map((_, x) => b.map((row) => row[x]!));
    // A lies in rows that are 32 elements apart, B in columns, C in rows.
    const wide = a.map((row) => [...row, ...Array.from({ length: 32 - k }, () => 0)]);
    const parts = [packed(type, wide.flat()), packed(type, turned.flat()), packed(sums, c.flat())];
    const types = type === 'f16' ? `${sums}.${sums}` : `${sums}.${type}.${type}.${sums}`;
    const found = run(
      `add.u64 %p0, %in, ${4 * parts[0]!.length}; add.u64 %p1, %p0, ${4 * parts[1]!.length}; mov.u32 %s, ${k};
       wmma.load.a.sync.aligned.row.${shape}.global.${type} ${names('a', na)}, [%in], 32;
       wmma.load.b.sync.aligned.col.${shape}.${type} ${names('b', nb)}, [%p0], %s;
       wmma.load.c.sync.aligned.row.${shape}.global.${sums} ${names('c', nc)}, [%p1];
       wmma.mma.sync.aligned.row.col.${shape}.${types} ${names('d', nc)}, ${names('a', na)}, ${names('b', nb)}, ${names('c', nc)};
       wmma.store.d.sync.aligned.col.${shape}.global.${sums} [%out], ${names('d', nc)}, ${m};`,
      parts.flat(),
      parts[2]!.length,
    );
    const expected = product(a, b, c);

    expect(found).toEqual(
      packed(
        sums,
        expected[0]!.flatMap((_, x) => expected.map((row) => row[x]!)),
      ),
    );
  });
});

describe('ldmatrix and stmatrix', () => {
  test.each(['', '.trans'])('move matrices of 8 by 8 halves%s', (trans) => {
    // Half `at` of shared memory is `at`: matrix q has 64 of them, row r lies at 64 q + 8 r.
    const found = run(
      `mov.u32 %s, near; mad.lo.u32 %a0, %t, 16, %s;
       mad.wide.u32 %p0, %t, 16, %in;
       ld.global.v4.u32 {%b0, %b1, %b2, %b3}, [%p0];
       st.shared.v4.u32 [%a0], {%b0, %b1, %b2, %b3};
       bar.sync 0;
       ldmatrix.sync.aligned.m8n8.x4${trans}.shared.b16 {%d0, %d1, %d2, %d3}, [%a0];
       mad.wide.u32 %p1, %t, 16, %out;
       st.global.v4.u32 [%p1], {%d0, %d1, %d2, %d3};
       add.u32 %a1, %a0, 512;
       stmatrix.sync.aligned.m8n8.x4${trans}.shared.b16 [%a1], {%d0, %d1, %d2, %d3};
       bar.sync 0;
       ld.shared.v4.u32 {%b0, %b1, %b2, %b3}, [%a1];
       st.global.v4.u32 [%p1+512], {%b0, %b1, %b2, %b3};`,
      Array.from({ length: 128 }, (_, word) => (2 * word + 1) * 65536 + 2 * word),
      256,
    );
    const halves = [...new Uint16Array(Uint32Array.from(found).buffer)];
    const expected = Array.from({ length: 32 }, (_, lane) =>
      [0, 1, 2, 3].flatMap((q) =>
        [0, 1].map((one) => {
          const [row, column] = [lane >> 2, 2 * (lane % 4) + one];
          return 64 * q + (trans === '' ? 8 * row + column : 8 * column + row);
        }),
      ),
    ).flat();

    expect(halves.slice(0, 256)).toEqual(expected);
    expect(halves.slice(256)).toEqual(Array.from({ length: 256 }, (_, at) => at));
  });
});

test('movmatrix has rows as columns', () => {
  const found = run(
    'mad.wide.u32 %p0, %t, 4, %in; ld.global.u32 %b0, [%p0]; movmatrix.sync.aligned.m8n8.trans.b16 %d0, %b0; mad.wide.u32 %p1, %t, 4, %out; st.global.u32 [%p1], %d0;',
    Array.from({ length: 32 }, (_, word) => (2 * word + 1) * 65536 + 2 * word),
    32,
  );
  const halves = [...new Uint16Array(Uint32Array.from(found).buffer)];

  expect(halves).toEqual(Array.from({ length: 64 }, (_, at) => 8 * (at % 8) + Math.floor(at / 8)));
});

describe('what cannot be is told', () => {
  const sound = 'mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%d0, %d1}, {%a0}, {%b0}, {%c0, %c1};';

  test('a warp of which lanes are missing', () => {
    expect(() => run(sound, [0], 1, 16)).toThrow('not all 32 lanes carry out');
  });

  test.each([
    [sound.replace('m8n8k16', 'm8n8k4'), 'mma of s8 with one of m8n8k16, m16n8k16, m16n8k32'],
    [sound.replace('{%a0}', '{%a0, %a1}'), 'found 2 registers, expected 1 of them'],
    [sound.replace('.s32.s8', '.f32.s8'), 'one of s32 for C and D'],
    [sound.replace('.row', ''), 'mma with .row'],
    [sound.replace('.col', '.row'), 'found "row" and "row"'],
    [
      'wmma.load.a.sync.aligned.row.col.m16n16k16.s8 {%a0, %a1}, [%in];',
      'wmma.load of a, b or c, wmma.store of d, each in rows or columns',
    ],
    [
      'wmma.mma.sync.aligned.row.m16n16k16.f16.f16 {%a0, %a1, %a2, %a3}, {%b0}, {%b0}, {%b0};',
      'the layouts of A and B',
    ],
    [
      'wmma.load.a.sync.aligned.row.m16n16k8.f16 {%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7}, [%in], 16;',
      'a shape and type of wmma that go together',
    ],
    ['ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%d0, %d1}, [near+8];', 'expected a multiple of its 16 bytes'],
  ])('%s', (line, finding) => {
    expect(() => run(line, [0], 1)).toThrow(finding);
  });
});
