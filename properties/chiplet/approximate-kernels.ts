import type { Draws } from './draws.ts';
import type { Told } from './told-kernels.arbitrary.ts';

/*
 * Kernels whose results depend on how texts are compiled: approximate functions keep to the errors that the PTX ISA allows, and products that meet their sums are rounded once. What they must come to
 * is worked out here with 64 bits.
 */

const lanes = 32;
const range = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at);
const reals = new Float32Array(1);
const bits = new Uint32Array(reals.buffer);
const bitsOf = (value: number): number => {
  reals[0] = value;
  return bits[0]!;
};
const realOf = (word: number): number => {
  bits[0] = word;
  return reals[0]!;
};

/** The nearest real of 32 bits that is not above a number, or not below it. */
function outward(value: number, side: -1 | 1): number {
  const nearest = Math.fround(value);
  if (!Number.isFinite(value) || side * (nearest - value) >= 0) return nearest;
  if (nearest === 0) return side * 2 ** -149;
  return realOf(bitsOf(nearest) + (side > 0 === nearest > 0 ? 1 : -1));
}

interface Approximate {
  /** With a second argument. */
  readonly divides?: boolean;
  readonly exact: (a: number, b: number) => number;
  /** Errors that are allowed: relative to the result, and absolute (PTX ISA, of each instruction). */
  readonly relative?: number;
  readonly absolute?: (a: number, result: number) => number;
  readonly argument: (draws: Draws) => number;
  /** Arguments at which results have no error, or are none. */
  readonly edges: readonly (number | readonly [number, number])[];
  readonly flushes?: boolean;
}

const fractionOf = (draws: Draws): number => 1 + (draws.below(4096) * 2048 + draws.below(2048)) / 2 ** 23;
const signOf = (draws: Draws): number => (draws.once(2) ? -1 : 1);
const scaled = (draws: Draws, from: number, to: number): number =>
  fractionOf(draws) * 2 ** (from + draws.below(to - from));
const [none, infinite] = [Number.NaN, Number.POSITIVE_INFINITY];
const positive = (draws: Draws): number => scaled(draws, draws.pick([-148, -20, -2]), draws.pick([1, 127]));
const angle = (draws: Draws): number =>
  signOf(draws) * (draws.once(3) ? scaled(draws, -30, 8) : scaled(draws, -5, 3));
const wave = (angleOf: number): number => (Math.abs(angleOf) <= 2 * Math.PI ? 2 ** -20.5 : 2 ** -14.7);
const two = (relative: number, most: number): Approximate => ({
  divides: true,
  exact: (a, b) => a / b,
  relative,
  argument: (draws) => signOf(draws) * scaled(draws, -60, most),
  edges: [
    [1, 0],
    [0, 0],
    [infinite, infinite],
    [3, infinite],
    [-3, 0],
    [infinite, 2],
    [0, 5],
    [7, none],
  ],
});

const functions: Readonly<Record<string, Approximate>> = {
  'rcp.approx': {
    exact: (a) => 1 / a,
    relative: 2 ** -23,
    argument: (draws) => signOf(draws) * scaled(draws, draws.pick([-126, -10]), draws.pick([10, 127])),
    edges: [0, -0, infinite, -infinite, none, 1, -2],
  },
  'sqrt.approx': {
    exact: Math.sqrt,
    relative: 2 ** -23,
    argument: positive,
    edges: [0, infinite, -1, none, 1, 4, 2 ** -148],
  },
  'rsqrt.approx': {
    exact: (a) => 1 / Math.sqrt(a),
    relative: 2 ** -22.4,
    argument: positive,
    edges: [0, infinite, -1, none, 1, 4, 2 ** -148],
  },
  'ex2.approx': {
    exact: (a) => 2 ** a,
    relative: 2 ** -22,
    argument: (draws) => signOf(draws) * scaled(draws, draws.pick([-30, -3]), 7),
    edges: [0, infinite, -infinite, none, 1, 128, -126, -1, -149, 127, 0.5],
  },
  'lg2.approx': {
    exact: Math.log2,
    relative: 2 ** -22,
    absolute: (a) => (a > 0.5 && a < 2 ? 2 ** -22 : 0),
    argument: positive,
    edges: [0, infinite, -1, none, 1, 2, 0.5, 2 ** -140],
  },
  'sin.approx': { exact: Math.sin, absolute: wave, argument: angle, edges: [0, infinite, none] },
  'cos.approx': { exact: Math.cos, absolute: wave, argument: angle, edges: [0, infinite, none] },
  'tanh.approx': {
    exact: Math.tanh,
    relative: 2 ** -11,
    argument: (draws) => signOf(draws) * scaled(draws, -20, 5),
    edges: [0, infinite, -infinite, none],
    flushes: false,
  },
  'div.approx': two(2 ** -22, 60),
  'div.full': two(2 ** -22, 100),
};

/** Approximate functions of many arguments: each thread says 1 where its result lies within its bounds, and else what it has. */
export const approximate = (draws: Draws): Told => {
  const name = draws.pick(Object.keys(functions));
  const {
    divides = false,
    exact,
    relative = 0,
    absolute,
    argument,
    edges,
    flushes = true,
  } = functions[name]!;
  const isFlushed = flushes && draws.once(2);
  const flush = (value: number): number => (isFlushed && Math.abs(value) < 2 ** -126 ? value * 0 : value);
  const words = range(lanes).flatMap((lane) => {
    const edge = lane % 3 === 0 ? draws.pick(edges) : argument(draws);
    const a = Math.fround(typeof edge === 'number' ? edge : edge[0]);
    const b = Math.fround(typeof edge === 'number' ? argument(draws) : edge[1]);
    const result = exact(flush(a), flush(b));
    const error = Math.abs(result) * relative + (absolute?.(a, result) ?? 0) + 2 ** -149;
    const isExact = !Number.isFinite(result) || result === 0;
    const [low, high] = isExact ? [result, result] : [result - error, result + error];
    // What is below the normal numbers may be a zero where it is flushed.
    const least = isFlushed && Math.abs(result) < 2 ** -125 ? 0 : low;
    return [a, b, Math.min(outward(low, -1), least), outward(Math.max(high, least), 1)].map(bitsOf);
  });
  return {
    compiled: { approximations: draws.pick(['h100', 'h100', 'exact']) },
    values: words,
    body: `mul.wide.u32 %d1, %g, 16; add.u64 %d1, %d1, %in; ld.global.v4.f32 {%f0, %f1, %f2, %f3}, [%d1]; ${name}${isFlushed ? '.ftz' : ''}.f32 %f0, %f0${divides ? ', %f1' : ''};
setp.ge.f32 %p2, %f0, %f2; setp.le.and.f32 %p2, %f0, %f3, %p2; setp.nan.f32 %p3, %f0, %f0; setp.nan.and.f32 %p3, %f2, %f2, %p3; or.pred %p2, %p2, %p3; mov.b32 %r4, %f0; selp.u32 %r4, 1, %r4, %p2; st.global.u32 [%own], %r4;`,
    leaves: () => range(lanes).map(() => 1),
  };
};

/** Sums that take a product, each its text and whether both are rounded once. `%ma` times `%mb`, and `%mc` that is about as large, or its negative in `%mn`. */
const sums: readonly (readonly [
  text: string,
  isFused: boolean,
  sign: (p: number, c: number) => readonly [number, number],
])[] = [
  ['mul.f32 %mp, %ma, %mb; add.f32 %mr, %mp, %mc;', true, (p, c) => [p, c]],
  ['mul.f32 %mp, %ma, %mb; add.f32 %mr, %mc, %mp;', true, (p, c) => [p, c]],
  ['mul.f32 %mp, %ma, %mb; sub.f32 %mr, %mp, %mn;', true, (p, c) => [p, c]],
  ['mul.f32 %mp, %ma, %mb; sub.f32 %mr, %mn, %mp;', true, (p, c) => [-p, -c]],
  ['mul.ftz.f32 %mp, %ma, %mb; add.ftz.f32 %mr, %mp, %mc;', true, (p, c) => [p, c]],
  // What has a rounding modifier stays as it is.
  ['mul.rn.f32 %mp, %ma, %mb; add.f32 %mr, %mp, %mc;', false, (p, c) => [p, c]],
  ['mul.f32 %mp, %ma, %mb; add.rn.f32 %mr, %mp, %mc;', false, (p, c) => [p, c]],
  // So does a product that somebody else takes as well, one that is not flushed as its sum is, and one whose factor is no longer what it was.
  ['mul.f32 %mp, %ma, %mb; add.f32 %mr, %mp, %mc; st.shared.f32 [%r3], %mp;', false, (p, c) => [p, c]],
  ['mul.ftz.f32 %mp, %ma, %mb; add.f32 %mr, %mp, %mc;', false, (p, c) => [p, c]],
  [
    'mov.f32 %mq, %ma; mul.f32 %mp, %mq, %mb; add.f32 %mq, %mq, %mq; add.f32 %mr, %mp, %mc;',
    false,
    (p, c) => [p, c],
  ],
  // And one of another block.
  ['mul.f32 %mp, %ma, %mb; @%p6 bra over; add.f32 %mr, %mp, %mc; over:', false, (p, c) => [p, c]],
  ['mul.f32 %mp, %ma, %mb; mov.f32 %mr, %mc; @!%p6 add.f32 %mr, %mp, %mc;', false, (p, c) => [p, c]],
  ['@!%p6 mul.f32 %mp, %ma, %mb; add.f32 %mr, %mp, %mc;', false, (p, c) => [p, c]],
  // Behind what is left out, jumps go where they went.
  [
    'mul.f32 %mp, %ma, %mb; add.f32 %mr, %mp, %mc; mov.u32 %r5, 0; again: add.u32 %r5, %r5, 1; setp.lt.u32 %p2, %r5, 3; @%p2 bra again; setp.ne.u32 %p2, %r5, 3; @%p2 mov.f32 %mr, 0f3F800000;',
    true,
    (p, c) => [p, c],
  ],
  // Of two products the first is fused.
  ['mul.f32 %mp, %ma, %mb; mul.f32 %mq, %mc, 0f3F800000; add.f32 %mr, %mp, %mq;', true, (p, c) => [p, c]],
];

/** Products that meet their sums, with or without being compiled to multiply-adds. */
export const fused = (draws: Draws): Told => {
  const [text, isFused, sign] = draws.pick(sums);
  const contraction = draws.pick(['fuse', 'fuse', 'none'] as const);
  const given = range(lanes).map(() => {
    const [a, b] = [0, 1].map(() => 2 ** 23 + 2 * draws.below(99_999) * (1 + draws.below(40)) + 1) as [
      number,
      number,
    ];
    const c = -Math.fround(a * b) + 2 ** 24 * draws.below(4);
    return [a, b, c] as const;
  });
  return {
    compiled: { contraction },
    values: given.flatMap(([a, b, c]) => [a, b, c, -c].map(bitsOf)),
    body: `.reg .f32 %ma, %mb, %mc, %mn, %mp, %mq, %mr; mul.wide.u32 %d1, %g, 16; add.u64 %d1, %d1, %in; ld.global.v4.f32 {%ma, %mb, %mc, %mn}, [%d1];
${text} mov.b32 %r4, %mr; st.global.u32 [%own], %r4;`,
    leaves: () =>
      given.map(([a, b, c]) => {
        const [product, sum] = sign(a * b, c);
        const isOnce = isFused && contraction === 'fuse';
        return bitsOf((isOnce ? product : Math.fround(product)) + sum);
      }),
  };
};
