import { describe, expect, test } from 'vitest';
import { compileKernels, compilePtx } from '../../actors/chiplet/ptx/program.ts';
import { RandomChoices } from '../../kernel/choices.ts';
import { type GpuCase, runCase } from './gpu-case.ts';

/*
 * Video instructions, integers of 16 bits in pairs, fns, lop3 with a predicate (PTX ISA 9.0): against typed arrays, element by element.
 */

const text = (line: string): string => `.version 9.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 words, .param .u64 out)
{
  .reg .pred %p<4>;
  .reg .b32 %d, %a, %b, %c, %t;
  .reg .b64 %x, %o;
  ld.param.u64 %x, [words]; ld.param.u64 %o, [out];
  mov.u32 %t, %tid.x; mad.wide.u32 %x, %t, 16, %x; mad.wide.u32 %o, %t, 4, %o;
  ld.global.v4.u32 {%a, %b, %c, %d}, [%x];
  ${line}
  st.global.u32 [%o], %d;
  ret;
}`;

const random = new RandomChoices(7);
const special = [0, -1, 1, 0x7fffffff, -2147483648, 0x00ff00ff, 0x80008000 | 0, 0x7fff8000];
const words = Array.from({ length: 4 * 64 }, () =>
  random.pick('kind', 3) === 0
    ? special[random.pick('special', special.length)]!
    : random.pick('high', 65536) * 65536 + random.pick('low', 65536) - 2 ** 31,
);

/** What a line makes of each a, b, c. */
function resultsOf(line: string): readonly number[] {
  const program = compilePtx([{ file: 'k.ptx', text: text(line) }]);
  const given: GpuCase = {
    name: 'k',
    entry: 'k',
    grid: [1, 1, 1],
    block: [64, 1, 1],
    params: [{ ptr: 'words' }, { ptr: 'out' }],
    buffers: {
      words: { type: 's32', data: words },
      out: { type: 's32', data: Array.from({ length: 64 }, () => 0) },
    },
  };
  return runCase(program, program.kernels.get('k')!, given).buffers['out']!;
}

const expectEach = (line: string, of: (a: number, b: number, c: number) => number): void => {
  const wanted = Array.from(
    { length: 64 },
    (_, at) => of(words[4 * at]!, words[4 * at + 1]!, words[4 * at + 2]!) | 0,
  );
  expect(resultsOf(line)).toEqual(wanted);
};

/** The parts of a word, and a word of parts. */
const views = {
  u8: Uint8Array,
  s8: Int8Array,
  u16: Uint16Array,
  s16: Int16Array,
} as const;
const partsOf = (word: number, type: keyof typeof views): readonly number[] => [
  ...new views[type](new Int32Array([word]).buffer),
];
const wordOf = (parts: readonly number[], type: keyof typeof views): number =>
  new Int32Array(new views[type](parts).buffer)[0]!;
const clamped = (value: number, least: number, most: number): number =>
  Math.max(least, Math.min(most, value));

const steps: Readonly<Record<string, (a: number, b: number) => number>> = {
  vadd: (a, b) => a + b,
  vsub: (a, b) => a - b,
  vabsdiff: (a, b) => Math.abs(a - b),
  vmin: (a, b) => (a < b ? a : b),
  vmax: (a, b) => (a > b ? a : b),
  vavrg: (a, b) => (a + b >= 0 ? (a + b + 1) >> 1 : (a + b) >> 1),
};

describe('on half words and bytes', () => {
  const names = [
    ['vadd', 'vadd2', 'vadd4'],
    ['vsub', 'vsub2', 'vsub4'],
    ['vabsdiff', 'vabsdiff2', 'vabsdiff4'],
    ['vmin', 'vmin2', 'vmin4'],
    ['vmax', 'vmax2', 'vmax4'],
    ['vavrg', 'vavrg2', 'vavrg4'],
  ] as const;
  const forms = names.flatMap(([step, ...both]) =>
    both.flatMap((name) => (['u32', 's32'] as const).map((type) => [name, step, type] as const)),
  );

  test.each(forms)('%s as %s of .%s', (name, step, type) => {
    const count = name.endsWith('2') ? 2 : 4;
    const part = `${type[0]}${32 / count}` as keyof typeof views;
    const each = (a: number, b: number): readonly number[] =>
      partsOf(a, part).map((one, at) => steps[step]!(one, partsOf(b, part)[at]!));
    const line = (rest: string): string => `${name}.${type}.${type}.${type}${rest} %d, %a, %b, %c;`;
    const bits = 32 / count;
    const [least, most] = type === 's32' ? [-(2 ** (bits - 1)), 2 ** (bits - 1) - 1] : [0, 2 ** bits - 1];

    expectEach(line(''), (a, b) => wordOf(each(a, b), part));
    expectEach(line('.sat'), (a, b) =>
      wordOf(
        each(a, b).map((one) => clamped(one, least!, most!)),
        part,
      ),
    );
    expectEach(line('.add'), (a, b, c) => each(a, b).reduce((sum, one) => (sum + one) | 0, c));
  });

  test('vset4 counts the bytes for which a comparison holds', () => {
    expectEach('vset4.u32.u32.lt.add %d, %a, %b, %c;', (a, b, c) =>
      partsOf(a, 'u8').reduce((sum, one, at) => sum + (one < partsOf(b, 'u8')[at]! ? 1 : 0), c),
    );
    expectEach('vset2.s32.u32.ge %d, %a, %b, %c;', (a, b) =>
      wordOf(
        partsOf(a, 's16').map((one, at) => (one >= partsOf(b, 'u16')[at]! ? 1 : 0)),
        'u16',
      ),
    );
  });
});

describe('on words', () => {
  const u = (value: number): number => value >>> 0;

  test.each([
    [
      'vadd.s32.u32.s32.sat %d, %a, %b;',
      (a: number, b: number) => clamped(u(a) + b, -(2 ** 31), 2 ** 31 - 1),
    ],
    ['vsub.u32.u32.u32.sat %d, %a, %b;', (a: number, b: number) => clamped(u(a) - u(b), 0, 2 ** 32 - 1)],
    [
      'vsub.s32.s32.s32 %d, %a, %b;',
      (a: number, b: number) => Number(BigInt.asIntN(32, BigInt(a) - BigInt(b))),
    ],
    [
      'vabsdiff.u32.s32.s32 %d, %a, %b;',
      (a: number, b: number) => Number(BigInt.asIntN(32, BigInt(Math.abs(a - b)))),
    ],
    [
      'vmin.s32.s32.u32 %d, %a, %b;',
      (a: number, b: number) => Number(BigInt.asIntN(32, BigInt(Math.min(a, u(b))))),
    ],
    [
      'vadd.u32.u32.u32.add %d, %a.b1, %b.h1, %c;',
      (a: number, b: number, c: number) => partsOf(a, 'u8')[1]! + partsOf(b, 'u16')[1]! + c,
    ],
    [
      'vmax.s32.s32.s32.min %d, %a.h0, %b.b3, %c;',
      (a: number, b: number, c: number) => Math.min(Math.max(partsOf(a, 's16')[0]!, partsOf(b, 's8')[3]!), c),
    ],
    [
      'vadd.u32.u32.u32.sat %d.b2, %a.b0, %b.b0, %c;',
      (a: number, b: number, c: number) => {
        const parts = [...partsOf(c, 'u8')];
        parts[2] = clamped((a & 255) + (b & 255), 0, 255);
        return wordOf(parts, 'u8');
      },
    ],
    ['vshl.u32.u32.u32.wrap %d, %a, %b;', (a: number, b: number) => a << (b & 31)],
    ['vshr.s32.s32.u32.clamp %d, %a, %b;', (a: number, b: number) => a >> Math.min(31, u(b))],
    ['vshr.u32.u32.u32.clamp %d, %a, %b;', (a: number, b: number) => (u(b) > 31 ? 0 : u(a) >>> u(b))],
    ['vset.u32.u32.lt %d, %a, %b;', (a: number, b: number) => (u(a) < u(b) ? 1 : 0)],
    ['vset.s32.s32.ne.add %d, %a, %b, %c;', (a: number, b: number, c: number) => (a !== b ? 1 : 0) + c],
    [
      'vmad.s32.s32.u32.sat.shr7 %d, %a.h0, %b.h1, %c;',
      (a: number, b: number, c: number) =>
        Number(
          BigInt.asIntN(
            32,
            (BigInt(partsOf(a, 's16')[0]!) * BigInt(partsOf(b, 'u16')[1]!) + BigInt(c)) >> 7n,
          ),
        ),
    ],
    // The sum has a sign when a factor has one, whatever the type for the result (PTX ISA, vmad).
    [
      'vmad.u32.u32.s32.sat %d, %a.b0, %b.h1, %c;',
      (a: number, b: number, c: number) =>
        clamped((a & 255) * partsOf(b, 's16')[1]! + c, -(2 ** 31), 2 ** 31 - 1),
    ],
    [
      'vmad.s32.u32.u32.shr15 %d, %a.b0, %b.b1, %c;',
      (a: number, b: number, c: number) => Math.floor(((a & 255) * partsOf(b, 'u8')[1]! + u(c)) / 2 ** 15),
    ],
    [
      'vmad.u32.u32.u32.po %d, %a, %b, %c;',
      (a: number, b: number, c: number) =>
        Number(BigInt.asIntN(32, BigInt(u(a)) * BigInt(u(b)) + BigInt(u(c)) + 1n)),
    ],
  ] as const)('%s', (line, of) => expectEach(line, of));
});

describe('pairs of 16 bits and patterns', () => {
  const pair = (type: 'u16' | 's16', of: (a: number, b: number) => number) => (a: number, b: number) =>
    wordOf(
      partsOf(a, type).map((one, at) => of(one, partsOf(b, type)[at]!)),
      type,
    );

  test.each([
    ['add.u16x2 %d, %a, %b;', pair('u16', (a, b) => a + b)],
    ['add.s16x2 %d, %a, %b;', pair('s16', (a, b) => a + b)],
    ['min.u16x2 %d, %a, %b;', pair('u16', Math.min)],
    ['max.s16x2 %d, %a, %b;', pair('s16', Math.max)],
    ['max.relu.s16x2 %d, %a, %b;', pair('s16', (a, b) => Math.max(a, b, 0))],
    ['min.relu.s16x2 %d, %a, %b;', pair('s16', (a, b) => Math.max(Math.min(a, b), 0))],
    ['min.relu.s32 %d, %a, %b;', (a: number, b: number) => Math.max(Math.min(a, b), 0)],
    [
      'mad24.hi.sat.s32 %d, %a, %b, %c;',
      (a: number, b: number, c: number) =>
        clamped(Number((BigInt((a << 8) >> 8) * BigInt((b << 8) >> 8)) >> 16n) + c, -(2 ** 31), 2 ** 31 - 1),
    ],
  ] as const)('%s', (line, of) => expectEach(line, of));

  test('fns finds the n-th bit that is set, upwards and downwards', () => {
    expectEach(
      'and.b32 %b, %b, 31; and.b32 %c, %c, 7; sub.s32 %c, %c, 3; fns.b32 %d, %a, %b, %c;',
      (a, b, c) => {
        const base = b & 31;
        const offset = (c & 7) - 3;
        const bits = Array.from({ length: 32 }, (_, at) => at).filter((at) => (a >>> at) & 1);
        if (offset === 0) return bits.includes(base) ? base : -1;
        const found =
          offset > 0 ? bits.filter((at) => at >= base) : bits.filter((at) => at <= base).reverse();
        return found[Math.abs(offset) - 1] ?? -1;
      },
    );
  });

  test.each([
    ['or', (any: boolean, q: boolean) => any || q],
    ['and', (any: boolean, q: boolean) => any && q],
  ] as const)('lop3.%s joins whether a bit is set with a predicate', (word, join) => {
    const line = `setp.lt.s32 %p2, %c, 0; lop3.${word}.b32 %d|%p1, %a, %b, %c, 0x80, %p2; selp.b32 %d, 1, 2, %p1;`;
    expectEach(line, (a, b, c) => (join((a & b & c) !== 0, c < 0) ? 1 : 2));
  });
});

test.each([
  'vadd4.u32.u32.u32 %d, %a, %b;',
  'vadd.u32.u32.u32 %d.b0, %a, %b;',
  'vadd.u32.u32.u32 %d, %a, %b, %c;',
  'vset.u32.u32 %d, %a, %b;',
  'vshl.u32.u32.u32 %d, %a, %b;',
  'vadd2.u32.u32.u32.sat.add %d, %a, %b, %c;',
  'add.u32 %d, %a.b0, %b;',
  'add.sat.u16x2 %d, %a, %b;',
  'min.relu.u32 %d, %a, %b;',
  'min.relu.f32 %d, %a, %b;',
  'min.relu.f16x2 %d, %a, %b;',
  'mad24.lo.sat.s32 %d, %a, %b, %c;',
  'lop3.b32 %d|%p1, %a, %b, %c, 0x80;',
  'lop3.or.b32 %d, %a, %b, %c, 0x80, %p1;',
])('%s is refused with its line', (line) => {
  const { refused } = compileKernels([{ file: 'k.ptx', text: text(line) }]);
  expect([...refused.values()].map(({ at }) => at.line)).toEqual([12]);
});

test('the parts of two words that a selector names, and those of the result that are made', () => {
  const halves = (word: number) => partsOf(word, 'u16');
  expectEach('vadd2.u32.u32.u32 %d.h1, %a.h31, %b.h02, %c;', (a, b, c) => {
    const both = [...halves(a), ...halves(b)];
    return wordOf([halves(c)[0]!, both[3]! + both[0]!], 'u16');
  });
  expectEach('vsub4.u32.u32.u32 %d.b20, %a.b7654, %b.b0123, %c;', (a, b, c) => {
    const both = [...partsOf(a, 'u8'), ...partsOf(b, 'u8')];
    const [, second, , fourth] = partsOf(c, 'u8');
    return wordOf([both[4]! - both[3]!, second!, both[6]! - both[1]!, fourth!], 'u8');
  });
});

test('vmad with the opposite of a factor or of the sum', () => {
  const product = (a: number, b: number): bigint => BigInt(a) * BigInt(b);
  const low = (value: bigint): number => Number(BigInt.asIntN(32, value));
  expectEach('vmad.s32.s32.s32 %d, -%a, %b, %c;', (a, b, c) => low(BigInt(c) - product(a, b)));
  expectEach('vmad.s32.s32.s32 %d, %a, %b, -%c;', (a, b, c) => low(product(a, b) - BigInt(c)));
});

test.each([
  ['vmad.s32.s32.s32 %d, -%a, -%b, %c;'],
  ['vmad.s32.s32.s32.po %d, -%a, %b, %c;'],
  ['vadd2.u32.u32.u32 %d, %a.h4, %b, %c;'],
  ['vadd2.u32.u32.u32 %d, %a.b3210, %b, %c;'],
  ['vadd.u32.u32.u32 %d, %a.b4, %b;'],
  ['add.s32 %d, -%a, %b;'],
])('%s is refused', (line) => {
  expect(compileKernels([{ file: 'k.ptx', text: text(line) }]).refused.size).toBe(1);
});

test('cvt.pack holds integers within few bits and puts them side by side', () => {
  expectEach('cvt.pack.sat.s16.s32 %d, %a, %b;', (a, b) =>
    wordOf([clamped(b, -32768, 32767), clamped(a, -32768, 32767)], 's16'),
  );
  expectEach('cvt.pack.sat.u8.s32.b32 %d, %a, %b, %c;', (a, b, c) =>
    wordOf([clamped(b, 0, 255), clamped(a, 0, 255), ...partsOf(c, 'u8').slice(0, 2)], 'u8'),
  );
  expectEach(
    'cvt.pack.sat.s2.s32.b32 %d, %a, %b, %c;',
    (a, b, c) => (c << 4) | ((clamped(a, -2, 1) & 3) << 2) | (clamped(b, -2, 1) & 3),
  );
});
