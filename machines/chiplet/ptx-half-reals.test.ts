import { describe, expect, test } from 'vitest';
import { deviceBase } from '../../actors/chiplet/ptx/address-space.ts';
import { DeviceMemory } from '../../actors/chiplet/ptx/device-memory.ts';
import { FunctionalGrid } from '../../actors/chiplet/ptx/functional-grid.ts';
import { launchOf } from '../../actors/chiplet/ptx/launch.ts';
import { compilePtx } from '../../actors/chiplet/ptx/program.ts';
import { effort } from '../../kernel/testing/effort.ts';

/*
 * Reals of 16 and 8 bits against fractions of whole numbers: a result is right when it is the number of its format that is nearest to what is exact, of two at the
 * same distance the even one. All 2^16 arguments of each conversion, and 2^20 operations: that takes some seconds.
 */

/** What `line` makes of the words a, b, c of each thread: the word %d. */
function results(line: string, ...sources: readonly Uint32Array[]): Uint32Array {
  const [first] = sources;
  const text = `.version 8.6
.target sm_90
.address_size 64
.visible .entry one(.param .u64 a, .param .u64 b, .param .u64 c, .param .u64 d)
{
  .reg .b16 %ha, %hb, %hc, %hd;
  .reg .b32 %t, %n, %a, %b, %c, %d;
  .reg .f32 %fa, %fb, %fd;
  .reg .pred %p, %q;
  .reg .b64 %x;
  mov.u32 %t, %ctaid.x;
  mov.u32 %n, %tid.x;
  mad.lo.u32 %t, %t, 1024, %n;
  ${['a', 'b', 'c'].map((name) => `ld.param.u64 %x, [${name}]; mad.wide.u32 %x, %t, 4, %x; ld.global.u32 %${name}, [%x]; cvt.u16.u32 %h${name}, %${name};`).join('\n  ')}
  mov.b32 %fa, %a;
  mov.b32 %fb, %b;
  mov.u32 %d, 0;
  mov.u16 %hd, 0;
  ${line}
  ld.param.u64 %x, [d];
  mad.wide.u32 %x, %t, 4, %x;
  st.global.u32 [%x], %d;
  ret;
}`;
  const program = compilePtx([{ file: 'one.ptx', text }]);
  const memory = new DeviceMemory(program.image);
  const places = [...sources, ...Array.from({ length: 4 - sources.length }, () => first!)].map((words) => {
    const at = memory.allocate(words.byteLength)!;
    memory.words.set(words, (at - deviceBase) / 4);
    return at;
  });
  const grid = new FunctionalGrid(
    launchOf(program.kernels.get('one')!, [first!.length / 1024, 1, 1], [1024, 1, 1], places),
    memory,
    { send: () => {}, receive: () => undefined },
  );
  grid.run();
  const from = (places[3]! - deviceBase) / 4;
  return new Uint32Array(memory.words.slice(from, from + first!.length));
}

/** A format by its definition: the patterns of its numbers from 0 up, as multiples of 2^-300. */
class Format {
  readonly sizes: readonly bigint[];
  /** Pattern of what comes behind the greatest number. */
  readonly beyond: number;

  constructor(
    readonly bits: number,
    fraction: number,
    least: number,
    count: number,
  ) {
    this.beyond = count;
    // One more than there are: the power of two that rounding compares with.
    this.sizes = Array.from({ length: count + 1 }, (_, pattern) => {
      const field = pattern >> fraction;
      const rest = BigInt(pattern & ((1 << fraction) - 1));
      const whole = field === 0 ? rest : rest + (1n << BigInt(fraction));
      return whole << BigInt(300 + least - fraction + Math.max(0, field - 1));
    });
  }

  get signBit(): number {
    return 1 << (this.bits - 1);
  }

  isNumber(pattern: number): boolean {
    return (pattern & (this.signBit - 1)) < this.beyond;
  }

  /** The number of a pattern, in units. */
  unitsOf(pattern: number): bigint {
    const size = this.sizes[pattern & (this.signBit - 1)]!;
    return pattern & this.signBit ? -size : size;
  }

  /** The pattern nearest to so many units; `negative` is the sign of a zero. */
  nearest(units: bigint, negative = units < 0n): number {
    const size = units < 0n ? -units : units;
    let [low, high] = [0, this.sizes.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.sizes[middle]! <= size) low = middle;
      else high = middle;
    }
    if (low < this.beyond) {
      const [below, above] = [size - this.sizes[low]!, this.sizes[low + 1]! - size];
      if (above < below || (above === below && low % 2 === 1)) low++;
    }
    return (negative ? this.signBit : 0) | low;
  }
}

const half = new Format(16, 10, -14, 0x7c00);
const bfloat = new Format(16, 7, -126, 0x7f80);
const e4m3 = new Format(8, 3, -6, 0x7f);
const e5m2 = new Format(8, 2, -14, 0x7c);

/** The units of an f32, by its definition. */
function unitsOfSingle(bits: number): bigint {
  const field = (bits >>> 23) & 255;
  const rest = BigInt(bits & 0x7fffff);
  const whole = field === 0 ? rest : rest + (1n << 23n);
  const size = whole << BigInt(300 - 149 + Math.max(0, field - 1));
  return bits < 0 || bits > 0x7fffffff ? -size : size;
}

const isSingleNumber = (bits: number): boolean => ((bits >>> 23) & 255) < 255;

const all16 = Uint32Array.from({ length: 65536 }, (_, at) => at);

/** Words that look arbitrary, always the same ones. */
function words(count: number, begin: number): Uint32Array {
  let state = begin;
  return Uint32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return (state ^ (state >>> 15)) >>> 0;
  });
}

const firstWrong = (found: Uint32Array, wanted: (at: number) => number | undefined) => {
  for (let at = 0; at < found.length; at++) {
    const right = wanted(at);
    if (right !== undefined && found[at] !== right >>> 0) return { at, found: found[at], right: right >>> 0 };
  }
  return undefined;
};

const sixteen = [
  ['f16', half],
  ['bf16', bfloat],
] as const;

describe.each(sixteen)('.%s', { timeout: 120_000 }, (type, format) => {
  test('becomes .f32 without a change, for all arguments', () => {
    const found = results(`cvt.f32.${type} %fd, %ha; mov.b32 %d, %fd;`, all16);

    const wrong = firstWrong(found, (at) => {
      if (!format.isNumber(at)) return undefined;
      const isRight = unitsOfSingle(found[at]!) === format.unitsOf(at) && found[at]! >>> 31 === at >>> 15;
      return isRight ? found[at] : -1;
    });
    expect(wrong).toBeUndefined();
    const infinity = format.beyond;
    expect([found[infinity], found[infinity | 0x8000]]).toEqual([0x7f800000, 0xff800000]);
    expect(Number.isNaN(new Float32Array(found.buffer)[infinity + 1])).toBe(true);
  });

  test.each([
    ['rn', 0],
    ['rz', 1],
  ])('comes of .f32 by %s, for all upper halves', (way, cut) => {
    for (const low of effort({
      short: [0x7fff, 0x8000],
      long: [0, 1, 0x1000, 0x7fff, 0x8000, 0x8001, 0xffff],
    })) {
      const given = all16.map((upper) => ((upper << 16) | low) >>> 0);
      const found = results(`cvt.${way}.${type}.f32 %hd, %fa; cvt.u32.u16 %d, %hd;`, given);

      const wrong = firstWrong(found, (at) => {
        const bits = given[at]!;
        if (!isSingleNumber(bits)) {
          const infinite = (bits & 0x7fffff) === 0;
          return infinite ? ((bits >>> 16) & 0x8000) | format.beyond : 0x7fff;
        }
        const units = unitsOfSingle(bits);
        const near = format.nearest(units, bits >>> 31 === 1);
        if (cut === 0) return near;
        const size = near & 0x7fff;
        const over = format.sizes[size]! > (units < 0n ? -units : units);
        return over || size === format.beyond ? near - 1 : near;
      });
      expect(wrong).toBeUndefined();
    }
  });

  const count = effort({ short: 1 << 13, long: 1 << 17 });
  const arguments16 = [words(count, 1), words(count, 2), words(count, 3)].map((row) =>
    row.map((one) => one & 0xffff),
  );
  const [a, b, c] = arguments16 as unknown as readonly [Uint32Array, Uint32Array, Uint32Array];
  const exact = {
    add: (x: bigint, y: bigint) => x + y,
    sub: (x: bigint, y: bigint) => x - y,
    mul: (x: bigint, y: bigint) => x * y,
    fma: (x: bigint, y: bigint, z: bigint) => x * y + (z << 300n),
  };
  // Products are multiples of 2^-600: a format whose units are that small, with the same patterns.
  const products = {
    nearest: (units: bigint, negative: boolean): number => {
      const size = units < 0n ? -units : units;
      // What is cut off decides only when it is not nothing: one more bit stands for it.
      const short = ((size >> 298n) << 1n) | (size % (1n << 298n) === 0n ? 0n : 1n);
      return nearestShort(format, short, negative);
    },
  };

  test.each(Object.keys(exact))(`%s is rounded once, for ${count} pairs`, (name) => {
    const way = name === 'fma' ? 'fma.rn' : name;
    const operands = name === 'fma' ? '%hd, %ha, %hb, %hc' : '%hd, %ha, %hb';
    const found = results(`${way}.${type} ${operands}; cvt.u32.u16 %d, %hd;`, a, b, c);
    const double = new Float64Array(1);

    const wrong = firstWrong(found, (at) => {
      const [p, q, r] = [a[at]!, b[at]!, name === 'fma' ? c[at]! : 0];
      if (![p, q, r].every((one) => format.isNumber(one))) return undefined;
      const [x, y, z] = [p, q, r].map((one) => format.unitsOf(one)) as [bigint, bigint, bigint];
      const units = exact[name as keyof typeof exact](x, y, z);
      if (units === 0n) {
        // The sign of nothing is that of the same operation on signs.
        const sign = (one: number): number => (one & 0x8000 ? -0 : 0);
        const product = (p ^ q) & 0x8000 ? -0 : 0;
        if (name === 'add') double[0] = x === 0n ? sign(p) + sign(q) : 0;
        else if (name === 'sub') double[0] = x === 0n ? sign(p) - sign(q) : 0;
        else if (name === 'mul') double[0] = product;
        else double[0] = x === 0n || y === 0n ? product + sign(r) : 0;
        return Object.is(double[0], -0) ? 0x8000 : 0;
      }
      return name === 'mul' || name === 'fma'
        ? products.nearest(units, units < 0n)
        : format.nearest(units, units < 0n);
    });
    expect(wrong).toBeUndefined();
  });

  test('two in a register are calculated like one and one', () => {
    const [x, y, z] = [words(4096, 7), words(4096, 8), words(4096, 9)] as const;
    for (const line of ['add', 'sub', 'mul', 'fma.rn', 'min', 'max', 'abs', 'neg']) {
      const names = line === 'fma.rn' ? ['a', 'b', 'c'] : ['abs', 'neg'].includes(line) ? ['a'] : ['a', 'b'];
      const two = results(`${line}.${type}x2 %d, ${names.map((one) => `%${one}`).join(', ')};`, x, y, z);
      const one = (shift: number): Uint32Array =>
        results(
          `${line}.${type} %hd, ${names.map((name) => `%h${name}`).join(', ')}; cvt.u32.u16 %d, %hd;`,
          ...[x, y, z].map((row) => row.map((word) => (word >>> shift) & 0xffff)),
        );
      const [low, high] = [one(0), one(16)];

      expect(firstWrong(two, (at) => low[at]! | (high[at]! << 16))).toBeUndefined();
    }
  });

  test('is compared as its values are, and what is no number with nothing', () => {
    const [x, y] = [words(4096, 11), words(4096, 12)].map((row) => row.map((one) => one & 0xffff)) as [
      Uint32Array,
      Uint32Array,
    ];
    const found = results(`setp.lt.${type} %p, %ha, %hb; selp.u32 %d, 1, 0, %p;`, x, y);

    const order = (one: number): number => (one & 0x8000 ? -(one & 0x7fff) : one);
    const isSomething = (one: number): boolean => (one & 0x7fff) <= format.beyond;
    expect(
      firstWrong(found, (at) =>
        isSomething(x[at]!) && isSomething(y[at]!) && order(x[at]!) < order(y[at]!) ? 1 : 0,
      ),
    ).toBeUndefined();
  });
});

/** The pattern nearest to a magnitude in units of 2^-303, whose lowest bit may stand for more below it. */
function nearestShort(format: Format, size: bigint, negative: boolean): number {
  let [low, high] = [0, format.sizes.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (format.sizes[middle]! << 3n <= size) low = middle;
    else high = middle;
  }
  if (low < format.beyond) {
    const [below, above] = [size - (format.sizes[low]! << 3n), (format.sizes[low + 1]! << 3n) - size];
    if (above < below || (above === below && low % 2 === 1)) low++;
  }
  return (negative ? 0x8000 : 0) | low;
}

describe.each([
  ['e4m3', e4m3, 0x7e],
  ['e5m2', e5m2, 0x7b],
] as const)('.%s', (type, format, greatest) => {
  test('comes of .f32 and is held at its greatest number, for all upper halves', () => {
    for (const low of [0, 1, 0x7fff, 0x8000]) {
      const given = all16.map((upper) => ((upper << 16) | low) >>> 0);
      const found = results(
        `cvt.rn.satfinite.${type}x2.f32 %hd, 0f3F800000, %fa; cvt.u32.u16 %d, %hd;`,
        given,
      );

      const one = type === 'e4m3' ? 0x38 : 0x3c;
      const wrong = firstWrong(found, (at) => {
        const bits = given[at]!;
        const upper = one << 8;
        if (!isSingleNumber(bits)) {
          const infinite = (bits & 0x7fffff) === 0;
          return upper | (infinite ? ((bits >>> 24) & 0x80) | greatest : 0x7f);
        }
        const near = format.nearest(unitsOfSingle(bits), bits >>> 31 === 1);
        return upper | (near & 0x80) | Math.min(near & 0x7f, greatest);
      });
      expect(wrong).toBeUndefined();
    }
  });

  test('becomes .f16 without a change, for all pairs', () => {
    const found = results(`cvt.rn.f16x2.${type}x2 %d, %ha;`, all16);

    const wrong = firstWrong(found, (at) => {
      const part = (byte: number, word: number): boolean => {
        if (!format.isNumber(byte)) return true;
        return half.unitsOf(word) === format.unitsOf(byte) && word >>> 15 === byte >>> 7;
      };
      return part(at & 255, found[at]! & 0xffff) && part(at >>> 8, found[at]! >>> 16) ? found[at] : -1;
    });
    expect(wrong).toBeUndefined();
  });
});

test('an integer becomes .bf16 with one rounding', () => {
  // 2^24 + 2^16 + 1 lies above the middle of two numbers of 8 bits: rounded to 24 bits first it would lie on it.
  const found = results(
    'cvt.rn.bf16.u32 %hd, %a; cvt.u32.u16 %d, %hd;',
    new Uint32Array(1024).fill(0x1010001),
  );

  expect(found[0]).toBe(bfloat.nearest(0x1010001n << 300n));
});

test('.tf32 has ten bits of fraction, ties go away from zero', () => {
  const given = new Uint32Array(1024);
  given.set([0x3f801000, 0x3f800fff, 0xbf801000, 0x7f7fffff, 0x7f800001, 0x00001000]);
  const found = results('cvt.rna.tf32.f32 %d, %fa;', given);

  expect([...found.slice(0, 6)]).toEqual([
    0x3f802000, 0x3f800000, 0xbf802000, 0x7f800000, 0x7f800000, 0x2000,
  ]);
  // What is no number keeps the bits that there is room for, as on an H100.
  expect(results('cvt.rna.tf32.f32 %d, %fa;', given.fill(0xffffffff))[0]).toBe(0xffffe000);
  expect(results('cvt.rn.tf32.f32 %d, %fa;', given)[0]).toBe(0x7fffe000);
});
