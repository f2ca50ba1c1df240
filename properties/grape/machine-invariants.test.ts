import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { add } from '../../actors/grape/arithmetic/adder.ts';
import { inputConversions, outputConversions } from '../../actors/grape/arithmetic/conversions.ts';
import { multiplierWords, multiply } from '../../actors/grape/arithmetic/multiplier.ts';
import { anyWord, nearWords } from '../../actors/grape/block/words.arbitrary.ts';
import type { HostCall } from '../../actors/grape/host-calls.ts';
import type { HostRecord } from '../../actors/grape/host-words.ts';
import { effort } from '../../kernel/testing/effort.ts';
import { assemble } from '../../machines/grape/assembler/assemble.ts';
import type { GrapeConfig } from '../../machines/grape/config.ts';
import { GrapeLibrary } from '../../machines/grape/library.ts';
import { treeOf } from './exact-words.ts';
import { trial } from './trial.ts';
import { given, kernelSource, workloads } from './workloads.ts';

const kernel = assemble(kernelSource).program;
const value = fc.double({ min: -1000, max: 1000, noNaN: true });
const record = fc.record({ xj: value, mj: value, nj: fc.integer({ min: -9, max: 9 }) });

interface KernelData {
  readonly nBB: number;
  readonly passes: number;
  readonly records: readonly HostRecord[];
  readonly particles: readonly HostRecord[];
}

const kernelData: fc.Arbitrary<KernelData> = fc
  .record({
    nBB: fc.integer({ min: 1, max: 5 }),
    passes: fc.nat(3),
    records: fc.array(record, { minLength: 15, maxLength: 15 }),
    particles: fc.array(fc.record({ xi: value }), { minLength: 1, maxLength: 24, size: 'max' }),
  })
  .map(({ nBB, passes, records, particles }) => ({
    nBB,
    passes,
    records: records.slice(0, nBB * passes),
    particles,
  }));

/** The words of the results of the kernel. */
function kernelWords(
  { nBB, passes, records, particles }: KernelData,
  config: Partial<GrapeConfig> = {},
): readonly Readonly<Record<string, bigint>>[] {
  const library = new GrapeLibrary(kernel, { nBB, nPE: 6, hostCall: 0, ...config });
  library.init();
  for (const [index, one] of records.entries()) library.sendJParticle(one, index);
  library.sendIParticle(particles);
  expect(library.run(passes)).toBe(0);
  return library.getWords().map(({ words }) => words);
}

test('invariant 3: the words of many blocks are the trees of those of one-block chips with their share of the data', () => {
  const operations: Readonly<Record<string, readonly [string, boolean]>> = {
    sum: ['fadd', false],
    low: ['fadd', true],
    exact: ['faddABO', false],
    times: ['uadd', false],
    last: ['upassb', false],
  };
  fc.assert(
    fc.property(kernelData, (data) => {
      const { nBB, records } = data;
      const whole = kernelWords(data);
      const alone = Array.from({ length: nBB }, (_, block) =>
        kernelWords({ ...data, nBB: 1, records: records.filter((_record, index) => index % nBB === block) }),
      );

      for (const [i, words] of whole.entries())
        for (const [name, [op, short]] of Object.entries(operations)) {
          const leaves = alone.map((one) => one[i]![name]!);
          expect(words[name]).toBe(treeOf(op, leaves, short));
        }
    }),
    { numRuns: effort({ short: 5, long: 25 }), seed: 1 },
  );
});

/** The word that leaves the tree for a word of each block, by each opcode: what the machine makes of `a` of the blocks. */
function reduced(words: readonly bigint[], ops: readonly string[]): readonly bigint[] {
  const lines = ops.map((op) => `rrn ${op} a fix72to64w\nnop 9\n`).join('');
  // The host has 64 bits: the upper and the lower half go separately and are put together on the chip.
  const source = `bvar long h elt fix64to72rs\nbvar long l elt fix64to72rs\nbvar long a\nevar jdata 0 64\n`;
  const body =
    'loop body\nidp jdata\nnop 9\nvlen 1\nbm h $lr0\nbm l $lr2\nnop\nulsl $lr0 il"36" $t\nuor $ti $lr2 $lr4\nnop\nbm $lr4 a 0\nvlen 4\nnop\n';
  const library = new GrapeLibrary(assemble(source + body + lines).program, {
    nBB: words.length,
    nPE: 1,
    hostCall: 0,
  });
  library.init();
  for (const [index, word] of words.entries())
    library.sendEltData(0, { h: word >> 36n, l: word & 0xf_ffff_ffffn }, index);
  const out: (number | bigint)[] = [];
  expect(library.type2Run(1, out)).toBe(0);
  return ops.map((_, at) => ((out[2 * at] as bigint) << 36n) | (out[2 * at + 1] as bigint));
}

describe('invariant 4: the reduction tree', () => {
  const leaves = fc.array(anyWord, { minLength: 1, maxLength: 9 });
  const foldable = ['uadd', 'iadd', 'umax', 'imax', 'umin', 'imin', 'uand', 'uor', 'uxor'];

  test('of integers is a left fold, whatever the order of the blocks', () => {
    fc.assert(
      fc.property(leaves, fc.nat(), (words, by) => {
        const straight = reduced(words, foldable);
        const turned = words.map((_, at) => words[(at + by) % words.length]!);

        expect(straight).toEqual(
          foldable.map((op) => words.reduce((left, right) => treeOf(op, [left, right], false))),
        );
        expect(reduced(turned.reverse(), foldable)).toEqual(straight);
      }),
      { numRuns: effort({ short: 8, long: 40 }), seed: 2 },
    );
  });

  test('of floats is the defined tree, near the sum one after another, and of one block its word', () => {
    const exactOf = (word: bigint): bigint => {
      const e = (word >> 60n) & 0x7ffn;
      const magnitude = e === 0n ? 0n : ((1n << 60n) | (word & ((1n << 60n) - 1n))) << e;
      return word >> 71n ? -magnitude : magnitude;
    };
    const abs = (one: bigint) => (one < 0n ? -one : one);
    fc.assert(
      fc.property(leaves, (words) => {
        const [sum, aligned, last] = reduced(words, ['fadd', 'faddABO', String(words.length - 1)]);
        const overflow = words.some((word) => ((word >> 60n) & 0x7ffn) > 2000n);

        expect(sum).toBe(treeOf('fadd', words, false));
        expect(aligned).toBe(treeOf('faddABO', words, false));
        expect(last).toBe(words.at(-1));
        if (overflow) return;
        const terms = words.reduce((all, word) => all + abs(exactOf(word)), 0n);
        const error = abs(exactOf(sum!) - words.reduce((all, word) => all + exactOf(word), 0n));
        // A sum below the smallest word becomes zero: no more than that word is lost at each node.
        const lost = BigInt(words.length) << 61n;
        expect(error << 60n).toBeLessThanOrEqual(BigInt(words.length - 1) * terms + (lost << 60n));
      }),
      { numRuns: effort({ short: 12, long: 60 }), seed: 3 },
    );
  });
});

describe('invariant 7: cycle parameters of ports, tree and links change no result', () => {
  const timing = fc.record({
    slotMin: fc.integer({ min: 1, max: 6 }),
    idpHeader: fc.nat(3),
    idpLatency: fc.integer({ min: 1, max: 6 }),
    levelCycles: fc.integer({ min: 1, max: 3 }),
    outCycles: fc.integer({ min: 1, max: 3 }),
    emLatency: fc.nat(12),
    hostCall: fc.nat(9),
    hostWord: fc.nat(3),
    jPolicy: fc.constantFrom('overlap' as const, 'serial' as const),
  });

  test('of a type I program and its library calls', () => {
    fc.assert(
      fc.property(kernelData, timing, (data, changes) => {
        expect(kernelWords(data, changes)).toEqual(kernelWords(data));
      }),
      { numRuns: effort({ short: 12, long: 60 }), seed: 4 },
    );
  });

  test('of at least four cycles a slot takes no fewer than without a least', () => {
    const cyclesOf = (slotMin: number) =>
      trial(workloads.kernel({ slotMin })).result.calls.find(({ call }) => call === 'run')!.cycles;

    expect(cyclesOf(4)).toBeGreaterThanOrEqual(cyclesOf(1));
  });
});

describe('invariant 10: arithmetic', () => {
  const plain = { normA: true, normB: true, normO: true } as const;
  const sum = (a: bigint, b: bigint, sub = false, round = false) => add(a, b, { ...plain, sub, round }).word;
  const product = (a: bigint, b: bigint, bits: number = multiplierWords.fmulShort) =>
    multiply(a, b, bits).word;
  const normal = anyWord.filter((word) => ((word >> 60n) & 0x7ffn) !== 0n);
  const short = normal.map((word) => (word >> 36n) << 36n);
  const pair = fc.oneof(nearWords, fc.tuple(normal, normal));
  const negated = (word: bigint) => word ^ (1n << 71n);
  const isZero = (word: bigint) => ((word >> 60n) & 0x7ffn) === 0n;

  test('sums commute, zero changes nothing, a word less itself is +0', () => {
    fc.assert(
      fc.property(pair, fc.boolean(), ([a, b], round) => {
        expect(sum(a, b, false, round)).toBe(sum(b, a, false, round));
        expect(sum(a, 0n)).toBe(isZero(a) ? 0n : a);
        expect(sum(a, a, true)).toBe(0n);
        const both = sum(a, b, false, round);
        if (both !== 0n) expect(sum(negated(a), negated(b), false, round)).toBe(negated(both));
      }),
      { numRuns: effort({ short: 200, long: 1000 }), seed: 5 },
    );
  });

  test('rounding is monotone', () => {
    const order = (word: bigint) => {
      const magnitude = isZero(word) ? 0n : word & ((1n << 71n) - 1n);
      return word >> 71n ? -magnitude : magnitude;
    };
    fc.assert(
      fc.property(pair, normal, fc.boolean(), ([a, other], b, round) => {
        const [low, high] = order(a) <= order(other) ? [a, other] : [other, a];

        expect(order(sum(low, b, false, round))).toBeLessThanOrEqual(order(sum(high, b, false, round)));
      }),
      { numRuns: effort({ short: 200, long: 1000 }), seed: 6 },
    );
  });

  test('products commute, keep signs apart, by 1.0 are the word, of short words are exact in a long one', () => {
    const one = 0x3ffn << 60n;
    const significand = (word: bigint) => (1n << 24n) | ((word >> 36n) & 0xff_ffffn);
    fc.assert(
      fc.property(short, short, (a, b) => {
        expect(product(a, b)).toBe(product(b, a));
        expect(product(negated(a), b)).toBe(negated(product(a, b)));
        expect(product(a, one)).toBe(a);
        const long = product(a, b, multiplierWords.fmulLong);
        const e = (long >> 60n) & 0x7ffn;
        if (e === 0n || e === 2047n) return;
        const exact = significand(a) * significand(b);
        const shift = 60n - BigInt(exact.toString(2).length - 1);
        expect((1n << 60n) | (long & ((1n << 60n) - 1n))).toBe(exact << shift);
      }),
      { numRuns: effort({ short: 200, long: 1000 }), seed: 7 },
    );
  });

  test('invariant 11: the double product by two partial products is within 2^-49', () => {
    const inRange = fc
      .tuple(fc.boolean(), fc.integer({ min: 700, max: 1300 }), fc.bigInt({ min: 0n, max: (1n << 60n) - 1n }))
      .map(([negative, e, f]) => (BigInt(negative) << 71n) | (BigInt(e) << 60n) | f);
    const magnitude = (word: bigint) => (1n << 60n) | (word & ((1n << 60n) - 1n));
    fc.assert(
      fc.property(inRange, inRange, (a, b) => {
        const [upper, lower] = [0b0101000100, 0b0101101000].map((bits) => product(a, b, bits));
        const word = add(upper!, lower!, {
          normA: false,
          normB: false,
          normO: true,
          sub: false,
          round: false,
        }).word;
        const exponent = (one: bigint) => Number((one >> 60n) & 0x7ffn);

        const exact = magnitude(a) * magnitude(b);
        const shift = exponent(word) + 60 + 1023 - exponent(a) - exponent(b);
        const found = magnitude(word) << BigInt(shift);
        const error = found > exact ? found - exact : exact - found;
        expect(word >> 71n).toBe((a ^ b) >> 71n);
        expect(error << 49n).toBeLessThanOrEqual(exact);
      }),
      { numRuns: effort({ short: 200, long: 1000 }), seed: 8 },
    );
  });
});

describe('invariant 12: conversions', () => {
  const into = (name: string, bits: bigint) =>
    inputConversions.find((one) => one.name === name)!.convert(bits, { narrowMode: 'nearest' });
  const outOf = (name: string, word: bigint) =>
    outputConversions.find((one) => one.name === name)!.convert(word);
  const view = new DataView(new ArrayBuffer(8));
  const bitsOf = (one: number) => {
    view.setFloat64(0, one);
    return view.getBigUint64(0);
  };

  test('a double goes to the chip and back bit for bit, one too small as a signed zero', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true }), (one) => {
        const bits = bitsOf(one);
        const tiny = ((bits >> 52n) & 0x7ffn) === 0n;

        expect(outOf('flt72to64', into('flt64to72', bits))).toEqual([tiny ? (bits >> 63n) << 63n : bits]);
      }),
      { numRuns: effort({ short: 200, long: 1000 }), seed: 9 },
    );
    expect(outOf('flt72to64', into('flt64to72', bitsOf(Number.NaN)))).toEqual([bitsOf(Infinity)]);
  });

  test('conversions of floats never turn an order round', () => {
    const order = (word: bigint, width: bigint) => {
      const sign = word >> (width - 1n);
      const magnitude = word & ((1n << (width - 1n)) - 1n);
      return sign ? -magnitude : magnitude;
    };
    fc.assert(
      fc.property(fc.double({ noNaN: true }), fc.double({ noNaN: true }), (one, two) => {
        const [low, high] = one < two ? [one, two] : [two, one];
        for (const [name, width] of [
          ['flt64to72', 72n],
          ['flt64to36', 36n],
        ] as const)
          expect(order(into(name, bitsOf(low)), width)).toBeLessThanOrEqual(
            order(into(name, bitsOf(high)), width),
          );
      }),
      { numRuns: effort({ short: 200, long: 1000 }), seed: 10 },
    );
  });

  test('the parts of a word come as the host can put them together', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: (1n << 72n) - 1n }), (word) => {
        const [high, low] = outOf('fix72to64w', word) as [bigint, bigint];

        expect((high << 36n) | low).toBe(word);
        expect(outOf('fix72to64r', word)).toEqual([word & ((1n << 64n) - 1n)]);
        expect(outOf('fix72to64l', word)).toEqual([word >> 8n]);
      }),
      { numRuns: effort({ short: 60, long: 300 }), seed: 11 },
    );
  });
});

const transfers = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('idp' as const), mode: fc.nat(2), bbid: fc.integer({ min: -1, max: 2 }) }),
    fc.record({
      kind: fc.constant('rrn' as const),
      op: fc.constantFrom('uadd', 'fadd', '0'),
      n: fc.integer({ min: 1, max: 4 }),
    }),
    fc.record({ kind: fc.constant('nop' as const), n: fc.integer({ min: 1, max: 3 }) }),
  ),
  { minLength: 1, maxLength: 8 },
);

/** A type II program of transfers alone, whose ports wait for each other. */
const transferSource = (
  list: readonly { kind: string; mode?: number; bbid?: number; op?: string; n?: number }[],
) =>
  [
    'bvar vector long v elt fix64to72rs',
    'evar jdata 0 500',
    'loop body',
    ...list.map(({ kind, mode, bbid, op, n }) =>
      kind === 'idp'
        ? `idp jdata ${mode} ${bbid}`
        : kind === 'rrn'
          ? `rrn ${op} v ${n} fix72to64r`
          : `nop ${n}`,
    ),
    'nop',
  ].join('\n');

const transferCalls = (passes: number): readonly HostCall[] => [
  { call: 'init' },
  ...Array.from(
    { length: 30 },
    (_, index): HostCall => ({
      call: 'sendEltData',
      num: 0,
      record: { v: [index, index + 100, index + 200, index + 300] },
      index,
    }),
  ),
  { call: 'type2Run', n: passes },
];

test('invariants 13, 14: records once and in order, no port busy beside another, every announced word delivered once', () => {
  fc.assert(
    fc.property(transfers, fc.nat(3), fc.integer({ min: 1, max: 4 }), (list, passes, nBB) => {
      const there = list.map((step) =>
        step.kind === 'idp' ? { ...step, bbid: Math.min(step.bbid, nBB - 1) } : step,
      );
      const one = given('transfers', transferSource(there), transferCalls(passes), {
        nBB,
        portPolicy: 'stall',
        hostCall: 0,
      });
      const { run, raised } = trial(one);
      const moved = list.map(({ kind, ...rest }) =>
        kind !== 'idp' || !('mode' in rest) || rest.mode === 2 ? 0 : rest.mode === 0 ? nBB : 1,
      );
      const { pointers } = run.part('ExternalMemory').context as unknown as { pointers: readonly number[] };

      expect(raised).toEqual([]);
      expect(pointers).toEqual([passes * moved.reduce<number>((all, step) => all + step, 0)]);
    }),
    { numRuns: effort({ short: 16, long: 80 }), seed: 12 },
  );
});

describe('invariant 18: runs one after another', () => {
  const keepingSource = kernelSource.replace(/loop initialization\n[\s\S]*?loop body/, (text) =>
    text.replace('loop initialization', 'initialization'),
  );

  function library(source: string, { nBB, records, particles }: KernelData) {
    const one = new GrapeLibrary(assemble(source).program, { nBB, nPE: 6, hostCall: 0 });
    one.init();
    for (const [index, j] of records.entries()) one.sendJParticle(j, index);
    one.sendIParticle(particles);
    return one;
  }
  const wordsOf = (one: GrapeLibrary) => one.getWords().map(({ words }) => words);

  test('a kernel that clears its sums begins anew each time', () => {
    fc.assert(
      fc.property(kernelData, (data) => {
        const one = library(kernelSource, data);
        one.run(data.passes);
        const first = wordsOf(one);
        one.run(data.passes);

        expect(wordsOf(one)).toEqual(first);
      }),
      { numRuns: effort({ short: 4, long: 20 }), seed: 13 },
    );
  });

  test('a kernel that keeps its sums goes on with the same records', () => {
    fc.assert(
      fc.property(kernelData, (data) => {
        const twice = library(keepingSource, data);
        twice.run(data.passes);
        twice.run(data.passes);
        const doubled = library(keepingSource, { ...data, records: [...data.records, ...data.records] });
        doubled.run(2 * data.passes);

        expect(wordsOf(twice)).toEqual(wordsOf(doubled));
      }),
      { numRuns: effort({ short: 4, long: 20 }), seed: 14 },
    );
  });

  test('a run of no pass keeps what local memory was sent', () => {
    fc.assert(
      fc.property(kernelData, (data) => {
        const idle = library(kernelSource, data);
        idle.run(0);
        idle.run(data.passes);

        expect(wordsOf(idle)).toEqual(kernelWords(data));
      }),
      { numRuns: effort({ short: 4, long: 20 }), seed: 15 },
    );
  });
});
