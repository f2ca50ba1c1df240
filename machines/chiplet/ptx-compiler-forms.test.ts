import { describe, expect, test } from 'vitest';
import { compileKernels, compilePtx } from '../../actors/chiplet/ptx/program.ts';
import { runCase } from './gpu-case.ts';

/*
 * Forms that compilers write and that few programs have: constant expressions, registers of 128 bits, pairs of reals, reals of two widths, matrices of few bits
 * (PTX ISA 9.0), against values worked out from the manual.
 */

const head = '.version 9.0\n.target sm_100a\n.address_size 64\n';

/** Runs a body in `threads` threads; %in and %o are the addresses of 4 words of each, those at %o come back. */
function run(
  body: string,
  given: readonly number[] = [],
  { threads = 1, before = '' } = {},
): readonly number[] {
  const text = `${head}${before}
.visible .entry k(.param .u64 in, .param .u64 out)
{
  .reg .pred %p<4>; .reg .b16 %h<8>; .reg .b32 %t, %r<20>; .reg .f32 %f<9>; .reg .b64 %in, %o, %d<8>; .reg .b128 %q<6>;
  .shared .align 16 .b8 box[512];
  ld.param.u64 %in, [in]; ld.param.u64 %o, [out]; mov.u32 %t, %tid.x;
  mad.wide.u32 %in, %t, 16, %in; mad.wide.u32 %o, %t, 16, %o;
  ${body}
  ret;
}`;
  const program = compilePtx([{ file: 'forms.ptx', text }]);
  const outcome = runCase(program, program.kernels.get('k')!, {
    name: 'k',
    entry: 'k',
    grid: [1, 1, 1],
    block: [threads, 1, 1],
    params: [{ ptr: 'in' }, { ptr: 'out' }],
    buffers: {
      in: { type: 'u32', data: Array.from({ length: 8 + 4 * threads }, (_, at) => given[at] ?? 0) },
      out: { type: 'u32', data: Array.from({ length: 4 * threads }, () => 0) },
    },
  });
  const { out = [] } = outcome.buffers;
  return out;
}

const bits = (value: number): number => new Uint32Array(new Float32Array([value]).buffer)[0]!;

test.each([
  ['(1<<3)|2', 10],
  ['1 << 2 + 1', 8],
  ['0xff & 0x3c ^ 1 | 2', 0x3f],
  ['7 > 3 ? 5 * 4 + 1 : 9', 21],
  ['10 / 3 % 2', 1],
  ['~0 == -1 && !(2 >= 3)', 1],
  ['(.u64) -1 >> 60', 15],
  ['-1 >> 60', 0xffffffff],
  ['10 - 3 - 2', 5],
  ['WARP_SZ * 2', 64],
  ['(5)', 5],
  ['1.5 < 2.0 ? 3 : 4', 3],
])('a constant %s is %i, as an operand and as a value of a variable', (text, value) => {
  const body = `mov.u32 %r1, ${text}; ld.global.u32 %r2, [tab+4*(3-2)]; st.global.v2.u32 [%o], {%r1, %r2};`;
  const found = run(body, [], { before: `.global .u32 tab[1+1] = { 0, ${text} };` });

  expect(found.slice(0, 2)).toEqual([value, value]);
});

test('an address in a value has an offset behind generic; the offset of an operand is a sum', () => {
  const before = '.global .u32 far[4] = { 1, 2, 3, 4 }; .global .u64 at[2] = { generic(far)+8, far+(4*3) };';
  const body =
    'ld.global.u64 %d1, [at]; ld.u32 %r1, [%d1]; ld.global.u64 %d2, [at+8]; ld.u32 %r2, [%d2-4+4]; st.global.v2.u32 [%o], {%r1, %r2};';

  expect(run(body, [], { before }).slice(0, 2)).toEqual([3, 4]);
});

test('a constant without a value is an error with its line, in its kernel only', () => {
  const text = `${head}.visible .entry bad() { .reg .b32 %r<2>;\nmov.u32 %r1, 4/0; ret; }\n.visible .entry good() { ret; }`;

  const { kernels, refused } = compileKernels([{ file: 'forms.ptx', text }]);

  expect([...kernels.keys()]).toEqual(['good']);
  expect(refused.get('bad')!.message).toMatch(
    /^forms\.ptx:5:\d+ E-PTX .*expected a constant that has a value/,
  );
});

describe('a body that cannot be read', () => {
  const text = `${head}
.func (.reg .b32 r) broken(.reg .b32 a) { mov.b32 r a; ret; }
.visible .entry first(.param .u64 p) { .reg .q9 %r; ret; }
.visible .entry second(.param .u64 p) { .reg .b32 %r; call (%r), broken, (%r); ret; }
.visible .entry third(.param .u64 p) { /* } */ .pragma "}"; { ld.global.u32; }} ; ret; }
`;

  test('is refused with its line, and so are those that call it; the others are compiled', () => {
    const { kernels, refused } = compileKernels([
      { file: 'forms.ptx', text: `${text.replace('}} ;', '+ }')}.visible .entry fourth() { ret; }` },
    ]);

    expect([...kernels.keys()]).toEqual(['fourth']);
    expect([...refused].map(([name, { at }]) => [name, at.line])).toEqual([
      ['first', 6],
      ['second', 5],
      ['third', 8],
    ]);
  });

  test('whose braces do not match is an error of the text', () => {
    expect(() => compileKernels([{ file: 'forms.ptx', text }])).toThrow(/^forms\.ptx:\d+:\d+ E-PTX /);
  });
});

test('a function is called by its alias', () => {
  const before =
    '.func (.param .b32 r) f(.param .b32 x) { .reg .b32 %a; ld.param.b32 %a, [x]; add.s32 %a, %a, 1; st.param.b32 [r], %a; ret; } .func (.param .b32 r) g(.param .b32 x); .alias g, f;';
  const body =
    '.param .b32 x; .param .b32 y; st.param.b32 [x], 41; call.uni (y), g, (x); ld.param.b32 %r1, [y]; st.global.u32 [%o], %r1;';

  expect(run(body, [], { before })[0]).toBe(42);
  expect(() => run('', [], { before: '.alias g, h;' })).toThrow('found an alias of "h"');
});

describe('128 bits', () => {
  const given = [1, 0x80000002, 3, 0xfffffffc, 5, 6, 7, 8];

  test.each([
    [
      'loaded, moved and stored',
      'ld.global.b128 %q1, [%in]; mov.b128 %q2, %q1; st.global.b128 [%o], %q2;',
      given.slice(0, 4),
    ],
    [
      'made of two halves',
      'ld.global.v2.u64 {%d1, %d2}, [%in]; mov.b128 %q1, {%d2, %d1}; st.global.b128 [%o], %q1;',
      [3, 0xfffffffc, 1, 0x80000002],
    ],
    [
      'made of four words, and taken apart',
      'mov.b128 %q1, {9, 8, 7, 6}; mov.b128 {%d1, %d2}, %q1; st.global.v2.u64 [%o], {%d2, %d1};',
      [7, 6, 9, 8],
    ],
    [
      'kept in shared memory',
      'ld.global.b128 %q1, [%in+16]; st.shared.b128 [box+16], %q1; ld.shared.v4.u32 {%r1,%r2,%r3,%r4}, [box+16]; st.global.v4.u32 [%o], {%r1,%r2,%r3,%r4};',
      [5, 6, 7, 8],
    ],
    [
      'exchanged',
      'ld.global.b128 %q1, [%in]; atom.global.exch.b128 %q2, [%in+16], %q1; st.global.b128 [%o], %q2;',
      [5, 6, 7, 8],
    ],
    [
      'swapped where they are as expected',
      'ld.global.b128 %q1, [%in]; ld.global.b128 %q2, [%in+16]; atom.relaxed.gpu.global.cas.b128 %q1, [%in], %q1, %q2; ld.global.b128 %q3, [%in]; st.global.b128 [%o], %q3;',
      [5, 6, 7, 8],
    ],
    [
      'left where they are not',
      'ld.global.b128 %q2, [%in+16]; atom.global.cas.b128 %q2, [%in], %q2, %q2; st.global.b128 [%o], %q2; ld.global.b128 %q3, [%in]; st.global.b128 [%o], %q3;',
      given.slice(0, 4),
    ],
  ])('are %s', (_, body, expected) => {
    expect(run(body, given)).toEqual(expected.map((one) => one >>> 0));
  });

  test('each lane has its own', () => {
    const body =
      'cvt.u64.u32 %d1, %t; mov.b128 %q1, {%d1, %d1}; mov.b128 %q2, %q1; st.global.b128 [%o], %q2;';
    const found = run(body, [], { threads: 32 });
    expect(found).toEqual(Array.from({ length: 128 }, (_, at) => (at % 2 === 0 ? at >> 2 : 0)));
  });

  test.each([
    'ld.global.b128 %d1, [%in];',
    'mov.b128 %q1, {%r1, %r2, %r3};',
    'atom.global.add.b128 %q1, [%in], %q2;',
    'xor.b128 %q1, %q2, %q3;',
  ])('have no %s', (body) => expect(() => run(body)).toThrow('E-PTX'));
});

describe('two reals at once', () => {
  const given = [1.5, -3, 2.25, 1e38].map(bits);
  const load = 'ld.global.v2.u64 {%d1, %d2}, [%in];';

  test.each([
    ['add.rn.f32x2 %d3, %d1, %d2', [3.75, 1e38]],
    ['add.f32x2 %d3, %d1, %d1', [3, -6]],
    ['sub.rn.f32x2 %d3, %d1, %d2', [-0.75, -1e38]],
    ['mul.rn.f32x2 %d3, %d1, %d2', [3.375, -3e38]],
    ['mul.rz.f32x2 %d3, %d2, %d2', [5.0625, 3.4028234663852886e38]],
    ['fma.rn.f32x2 %d3, %d1, %d2, %d1', [4.875, -3e38]],
    ['fma.rn.ftz.f32x2 %d3, %d1, %d1, %d1', [3.75, 6]],
  ])('%s', (line, [low, high]) => {
    expect(run(`${load} ${line}; st.global.u64 [%o], %d3;`, given).slice(0, 2)).toEqual(
      [low!, high!].map(bits),
    );
  });

  test.each(['add.sat.f32x2 %d1, %d1, %d1;', 'add.f32x2 %r1, %r2, %r3;', 'div.rn.f32x2 %d1, %d1, %d1;'])(
    '%s is none',
    (body) => expect(() => run(body)).toThrow('E-PTX'),
  );
});

test.each([
  // 1.5 as f16 and as bf16, and reals.
  ['add.f32.f16 %f3, %h1, %f1', 3.75],
  ['add.rz.sat.f32.bf16 %f3, %h2, %f2', 0.5],
  ['sub.f32.bf16 %f3, %h2, %f1', -0.75],
  ['fma.rn.f32.f16 %f3, %h1, %h1, %f1', 4.5],
  ['fma.rn.sat.f32.bf16 %f3, %h2, %h2, %f1', 1],
  ['max.f32 %f3, %f1, %f2, 0f41200000', 10],
  ['min.f32 %f3, %f1, %f2, 0f41200000', -1],
  ['max.abs.f32 %f3, %f2, 0f3F000000, 0f3E800000', 1],
  ['min.abs.f32 %f3, %f2, %f1, %f2', 1],
  ['max.f32 %f3, %f2, 0f7FFFFFFF, %f1', 2.25],
  ['max.NaN.f32 %f3, %f2, 0f7FFFFFFF, %f1', Number.NaN],
])('%s is %f', (line, value) => {
  const body = `mov.b16 %h1, 0x3e00; mov.b16 %h2, 0x3fc0; mov.f32 %f1, 0f40100000; mov.f32 %f2, 0fBF800000; ${line}; st.global.f32 [%o], %f3;`;

  expect(run(body)[0]).toBe(Number.isNaN(value) ? 0x7fffffff : bits(value));
});

test.each([
  'add.ftz.f32.f16 %f1, %h1, %f2;',
  'mul.f32.f16 %f1, %h1, %f2;',
  'fma.rn.f64.f16 %f1, %h1, %h2, %f2;',
  'max.xorsign.abs.f32 %f1, %f2, %f3, %f4;',
  'max.s32 %r1, %r2, %r3, %r4;',
  'add.f32 %f1, %f2, %f3, %f4;',
])('%s is none', (body) => expect(() => run(body)).toThrow('E-PTX'));

test.each([
  ['min', -3],
  ['max', 9],
  ['max.abs', 9],
  ['min.NaN', Number.NaN],
])('redux.sync.%s.f32 of all lanes', (what, value) => {
  const reals = Array.from({ length: 128 }, (_, at) =>
    at === 8 ? -3 : at === 12 ? 9 : at === 16 ? Number.NaN : 1,
  );
  const body = `ld.global.f32 %f1, [%in]; redux.sync.${what}.f32 %f2, %f1, -1; st.global.f32 [%o], %f2;`;

  const found = run(body, reals.map(bits), { threads: 32 });

  expect(found[124]).toBe(Number.isNaN(value) ? 0x7fffffff : bits(value));
});

test('isspacep.const knows variables of .const, and isspacep.global those of .global', () => {
  const body =
    'mov.u64 %d1, kept; cvta.const.u64 %d1, %d1; isspacep.const %p1, %d1; isspacep.const %p2, %o; isspacep.global %p3, %d1; selp.u32 %r1, 1, 0, %p1; selp.u32 %r2, 1, 0, %p2; selp.u32 %r3, 1, 0, %p3; isspacep.global %p3, %o; selp.u32 %r4, 1, 0, %p3; st.global.v4.u32 [%o], {%r1,%r2,%r3,%r4};';

  expect(run(body, [], { before: '.const .u32 kept[2];' })).toEqual([1, 0, 0, 1]);
});

describe('matrices of few bits', () => {
  /** Element of A (row, k) and B (k, column), any numbers of so many bits. */
  const element = (seed: number, at: number, of: number, width: number): number =>
    (Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(at * 131 + of, 0x85ebca6b)) >>> (32 - width);
  const signed = (value: number, width: number): number => (value << (32 - width)) >> (32 - width);

  /** The words that lane 4g + t has of A or B: `packed` neighbours of row (or column) g from 't', then those behind all t (PTX ISA, fragments of mma.m8n8k32 and others). */
  const words = (seed: number, lane: number, width: number, rows: number, k: number): readonly number[] => {
    const packed = 32 / width;
    const [g, t] = [lane >> 2, lane & 3];
    const list: number[] = [];
    for (let from = 0; from < k; from += 4 * packed)
      for (let down = 0; down < rows; down += 8) {
        let word = 0;
        for (let at = 0; at < packed; at++)
          word |= element(seed, g + down, from + t * packed + at, width) << (at * width);
        list.push(word >>> 0);
      }
    return list;
  };

  test.each([
    ['m8n8k32', 's4', 's4', 4, 8, 32],
    ['m8n8k32', 'u4', 's4', 4, 8, 32],
    ['m16n8k32', 'u4', 'u4', 4, 16, 32],
    ['m16n8k64', 's4', 'u4', 4, 16, 64],
    ['m8n8k128', 'b1', 'b1', 1, 8, 128],
    ['m16n8k256', 'b1', 'b1', 1, 16, 256],
  ] as const)('mma.%s of %s and %s', (shape, a, b, width, m, k) => {
    const lanes = Array.from({ length: 32 }, (_, lane) => lane);
    const [countA, countB] = [words(0, 0, width, m, k).length, words(1, 0, width, 8, k).length];
    const table = lanes.flatMap((lane) => [...words(0, lane, width, m, k), ...words(1, lane, width, 8, k)]);
    const list = (from: number, count: number): string =>
      Array.from({ length: count }, (_, at) => `%r${from + at}`).join(',');
    const results = m === 16 ? 4 : 2;
    for (const how of width === 1 ? ['.xor.popc', '.and.popc'] : ['']) {
      const loads = Array.from(
        { length: countA + countB },
        (_, at) => `ld.global.u32 %r${at}, [%d1+${4 * at}];`,
      ).join(' ');
      const body = `mov.u64 %d1, table; mad.wide.u32 %d1, %t, ${4 * (countA + countB)}, %d1; ${loads}
        mma.sync.aligned.${shape}.row.col.s32.${a}.${b}.s32${how} {${list(10, results)}}, {${list(0, countA)}}, {${list(countA, countB)}}, {${Array.from({ length: results }, () => '%t').join(',')}};
        ${Array.from({ length: results }, (_, at) => `st.global.u32 [%o+${4 * at}], %r${10 + at};`).join(' ')}`;
      const found = run(body, [], { threads: 32, before: `.global .u32 table[] = { ${table.join(', ')} };` });
      const sum = (row: number, column: number): number => {
        let all = 0;
        for (let at = 0; at < k; at++) {
          const [x, y] = [element(0, row, at, width), element(1, column, at, width)];
          if (how === '.xor.popc') all += x ^ y;
          else all += (a === 's4' ? signed(x, 4) : x) * (b === 's4' ? signed(y, 4) : y);
        }
        return all;
      };
      for (const lane of lanes)
        for (let at = 0; at < results; at++)
          expect(found[4 * lane + at]! | 0).toBe(
            sum((lane >> 2) + 8 * (at >> 1), 2 * (lane & 3) + (at & 1)) + lane,
          );
    }
  });

  test.each([
    ['s4', 'm8n8k32', 32, ''],
    ['u4', 'm8n8k32', 32, ''],
    ['b1', 'm8n8k128', 128, 'xor.popc.'],
    ['b1', 'm8n8k128', 128, 'and.popc.'],
  ])(
    'wmma of %s: rows of A and columns of B lie in memory, the first element in the lowest bits',
    (type, shape, k, how) => {
      const width = type === 'b1' ? 1 : 4;
      const rowWords = (k * width) / 32;
      const packed = 32 / width;
      const matrix = (seed: number): readonly number[] =>
        Array.from({ length: 8 * rowWords }, (_, at) => {
          let word = 0;
          for (let index = 0; index < packed; index++)
            word |=
              element(seed, Math.floor(at / rowWords), (at % rowWords) * packed + index, width) <<
              (index * width);
          return word >>> 0;
        });
      const body = `mov.u64 %d1, ma; mov.u64 %d2, mb; ld.param.u64 %d3, [out];
      wmma.load.a.sync.aligned.row.${shape}.global.${type} {%r0}, [%d1], ${k};
      wmma.load.b.sync.aligned.col.${shape}.global.${type} {%r1}, [%d2], ${k};
      wmma.mma.${how}sync.aligned.row.col.${shape}.s32.${type}.${type}.s32 {%r2, %r3}, {%r0}, {%r1}, {7, 7};
      wmma.store.d.sync.aligned.row.${shape}.global.s32 [%d3], {%r2, %r3}, 8;`
        .replace('{7, 7}', '{%r4, %r5}')
        .replace('wmma.load.a', 'mov.u32 %r4, 7; mov.u32 %r5, 7; wmma.load.a');
      const found = run(body, [], {
        threads: 32,
        before: `.global .align 16 .u32 ma[] = { ${matrix(0).join(', ')} }; .global .align 16 .u32 mb[] = { ${matrix(1).join(', ')} };`,
      });
      for (let row = 0; row < 8; row++)
        for (let column = 0; column < 8; column++) {
          let sum = 7;
          for (let at = 0; at < k; at++) {
            const [x, y] = [element(0, row, at, width), element(1, column, at, width)];
            sum += how.startsWith('xor') ? x ^ y : type === 's4' ? signed(x, 4) * signed(y, 4) : x * y;
          }
          expect(found[8 * row + column]! | 0).toBe(sum);
        }
    },
  );

  test.each([
    'mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32 {%r1,%r2}, {%r3}, {%r4}, {%r5,%r6};',
    'mma.sync.aligned.m8n8k32.row.col.s32.s4.s4.s32.xor.popc {%r1,%r2}, {%r3}, {%r4}, {%r5,%r6};',
    'mma.sync.aligned.m8n8k32.row.col.s32.s4.s8.s32 {%r1,%r2}, {%r3}, {%r4}, {%r5,%r6};',
  ])('%s is none', (body) => expect(() => run(body)).toThrow('E-PTX'));
});

test('mma of 8-bit reals: products of both formats are added as those of other tensor cores', () => {
  // All of A are 1.5 (e4m3 0x3c), all of B 2 (e5m2 0x40): 32 products of 3, and 1.
  const body =
    'mov.u32 %r0, 0x3c3c3c3c; mov.u32 %r1, 0x40404040; mov.f32 %f1, 0f3F800000; mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32 {%f2,%f3,%f4,%f5}, {%r0,%r0,%r0,%r0}, {%r1,%r1}, {%f1,%f1,%f1,%f1}; st.global.f32 [%o], %f2; st.global.f32 [%o+4], %f5;';

  expect(run(body, [], { threads: 32 }).slice(0, 2)).toEqual([97, 97].map(bits));
});

test('mma of 8-bit reals with sums of 16 bits, and with a word for its kind', () => {
  // 32 products of 3, and 1, in f16: 97 is 0x5610.
  const body = (kind: string) =>
    `mov.u32 %r0, 0x3c3c3c3c; mov.u32 %r1, 0x40404040; mov.u32 %r2, 0x3c003c00; mma.sync.aligned.m16n8k32.row.col${kind}.f16.e4m3.e5m2.f16 {%r3,%r4}, {%r0,%r0,%r0,%r0}, {%r1,%r1}, {%r2,%r2}; st.global.u32 [%o], %r3; st.global.u32 [%o+4], %r4;`;

  for (const kind of ['', '.kind::f8f6f4'])
    expect(run(body(kind), [], { threads: 32 }).slice(0, 2)).toEqual([0x56105610, 0x56105610]);
});

test('what assemblers take beside the order of the manual: words behind the type, one register in braces', () => {
  const body =
    'mov.f32 %f1, 0f41000000; lg2.approx.f32.ftz %f2, %f1; st.b32.global [%o], {%f2}; ld.global.b32 {%r1}, [%o]; mul.f32.rn.ftz %f2, %f1, %f1; st.global.v2.b32 [%o], {%r1, %f2}; mov.u32 %r3, 1; mov.b32 %r2, {%r3}; st.global.u32 [%o+8], %r2;';

  expect(run(body, []).slice(0, 3)).toEqual([3, 64].map(bits).concat(1));
});

describe('the stack of a thread', () => {
  test('grows by what is asked for, each lane its own, and is given back', () => {
    const body = `shl.b32 %r1, %t, 2; add.u32 %r1, %r1, 4; alloca.u32 %r2, %r1; stacksave.u64 %d1; alloca.u32 %r3, 100, 64; stackrestore.u64 %d1; alloca.u32 %r4, 8;
      st.local.u32 [%r2], 7; st.local.u32 [%r4], %t; ld.local.u32 %r5, [%r2]; st.global.v4.u32 [%o], {%r2, %r3, %r4, %r5};`;

    const found = run(body, [], { threads: 3 });

    // 4, 8 and 12 bytes are taken; the next ones lie at multiples of 64 and of 8.
    expect(found).toEqual([0, 64, 8, 7, 0, 64, 8, 7, 0, 64, 16, 7]);
  });

  test('is given back when a function returns, also one that calls itself', () => {
    const before = `.func (.param .b32 r) f(.param .b32 n) { .reg .pred %p; .reg .b32 %a, %b, %n; .reg .b64 %l; ld.param.b32 %n, [n]; alloca.u64 %l, 16; st.local.u32 [%l], %n; cvt.u32.u64 %a, %l;
      setp.eq.u32 %p, %n, 0; @%p bra end; sub.u32 %b, %n, 1; { .param .b32 x; .param .b32 y; st.param.b32 [x], %b; call.uni (y), f, (x); ld.param.b32 %b, [y]; } add.u32 %a, %a, %b; ld.local.u32 %b, [%l]; mad.lo.u32 %a, %b, 1000, %a;
      end: st.param.b32 [r], %a; ret; }
      .func g(.param .b32 n) { .reg .b64 %l; alloca.u64 %l, 4096; ret; }`;
    const body = `.param .b32 x; .param .b32 y; st.param.b32 [x], 2; call.uni (y), f, (x); ld.param.b32 %r1, [y]; call.uni g, (x); call.uni g, (x); call.uni g, (x); alloca.u32 %r2, 8; st.global.v2.u32 [%o], {%r1, %r2};`;

    // Addresses 0, 16 and 32; 2000 and 1000 are what the outer two kept.
    expect(run(body, [], { before }).slice(0, 2)).toEqual([3048, 0]);
  });

  test('has an end: more is a fault with its place', () => {
    expect(() => run('alloca.u32 %r1, 8000; alloca.u32 %r2, 400;')).toThrow(
      'found alloca of 400 bytes where 8000 are taken, expected at most 8192 in all',
    );
    expect(() => run('alloca.u32 %r1, 8, 3;')).toThrow('expected a power of two');
  });
});

test.each([
  // 1 + 2^-11 and 1 + 3 * 2^-11: ties of the last bit that tf32 keeps.
  ['rna', 0x3f801000, 0x3f802000],
  ['rn', 0x3f801000, 0x3f800000],
  ['rn', 0x3f803000, 0x3f804000],
  ['rz', 0x3f803fff, 0x3f802000],
  ['rz.relu', 0xbf803fff, 0],
  ['rn.satfinite', 0x7f7fffff, 0x7f7fe000],
])('cvt.%s.tf32.f32 of 0x%s', (words, from, to) => {
  expect(
    run(`ld.global.f32 %f1, [%in]; cvt.${words}.tf32.f32 %r1, %f1; st.global.u32 [%o], %r1;`, [from])[0],
  ).toBe(to);
});

test('launches of kernels from kernels are refused by name, in their kernel only', () => {
  const text = `${head}.extern .func (.param .b64 r) cudaGetParameterBufferV2(.param .b64 f);
.visible .entry child() { ret; }
.visible .entry parent() { .reg .b64 %d;\nmov.u64 %d, child; ret; }
.visible .entry other() { .param .b64 r; .param .b64 f;\ncall.uni (r), cudaGetParameterBufferV2, (f); ret; }`;

  const { kernels, refused } = compileKernels([{ file: 'forms.ptx', text }]);

  expect([...kernels.keys()]).toEqual(['child']);
  expect([...refused.values()].map(({ what }) => what)).toEqual([
    'found "child", which a kernel needs to launch another, expected launches by the host',
    'found "cudaGetParameterBufferV2", which a kernel needs to launch another, expected launches by the host',
  ]);
});
