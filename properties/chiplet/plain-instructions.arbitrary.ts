import fc from 'fast-check';
import { Draws } from './draws.ts';
import { widthOf } from './plain/plain-values.ts';
import { exchanges, type Form, groups, matrices, smallGroups } from './plain-forms.ts';
import type { PlainKernel } from './plain-kernels.arbitrary.ts';

/*
 * Kernels that ask instructions one by one: each has operands from the edges of their types, other ones in every lane, and its result has a place of its own, so that
 * nothing is lost in what comes behind (chiplet specification 7.1).
 */

/** Values of each kind of operand; a lane takes those from its own number on. */
const poolValues = 64;
/** Lanes of a warp. */
export const warpLanes = 32;
const valueBytes = 8;

/** How a kind of operand is kept: its type in memory, the letter of its registers, and the format of a real. */
interface Kind {
  readonly type: string;
  readonly letter: 'h' | 'r' | 'd' | 'f' | 'g';
  readonly format?: RealFormat;
}

interface RealFormat {
  readonly exponentBits: number;
  readonly fractionBits: number;
}

const single: RealFormat = { exponentBits: 8, fractionBits: 23 };
const half: RealFormat = { exponentBits: 5, fractionBits: 10 };
const bfloat: RealFormat = { exponentBits: 8, fractionBits: 7 };

const kinds = {
  i16: { type: 'u16', letter: 'h' },
  i32: { type: 'u32', letter: 'r' },
  i64: { type: 'u64', letter: 'd' },
  amount: { type: 'u32', letter: 'r' },
  f32: { type: 'f32', letter: 'f', format: single },
  f64: { type: 'f64', letter: 'g', format: { exponentBits: 11, fractionBits: 52 } },
  f16: { type: 'u16', letter: 'h', format: half },
  bf16: { type: 'u16', letter: 'h', format: bfloat },
  f16x2: { type: 'u32', letter: 'r', format: half },
  bf16x2: { type: 'u32', letter: 'r', format: bfloat },
  tf32: { type: 'u32', letter: 'r', format: single },
} as const satisfies Readonly<Record<string, Kind>>;
type KindName = keyof typeof kinds;
const kindNames = Object.keys(kinds) as readonly KindName[];

/** The kind of an operand by its type. */
function kindOf(type: string): KindName {
  if (type in kinds) return type as KindName;
  if (type === 'n32') return 'amount';
  if (type.endsWith('16x2')) return 'i32';
  return type.endsWith('x2') ? 'i16' : (`i${widthOf(type)}` as KindName);
}

const amounts = [
  0, 1, 2, 7, 8, 15, 16, 17, 23, 24, 30, 31, 32, 33, 47, 48, 62, 63, 64, 65, 100, 128, 255, 256, 257, 288,
  0x8000_0000, 0xffff_ffff,
];

/** An integer of so many bits: mostly one at an edge. */
function wholeFrom(width: number, draw: number, other: number): bigint {
  const top = 1n << BigInt(width - 1);
  const one = 1n << BigInt(other % width);
  const edges = [
    0n,
    1n,
    -1n,
    top,
    top - 1n,
    top + 1n,
    -2n,
    BigInt(other % 20),
    one,
    one - 1n,
    -one,
    one + 1n,
    BigInt(other),
    0x80_7f_ff_01_80_7f_ff_01n,
    (BigInt(draw) << 33n) ^ (BigInt(other) << 11n) ^ BigInt(draw),
    (BigInt(other) << 35n) ^ BigInt(draw),
  ];
  return BigInt.asUintN(width, edges[draw % edges.length]!);
}

/** A real of a format: of all exponents those at the ends and around one, and fractions that lie between two of a shorter format. */
function realFrom({ exponentBits, fractionBits }: RealFormat, draw: number, other: number): bigint {
  const greatest = 2 ** exponentBits - 1;
  const middle = 2 ** (exponentBits - 1) - 1;
  const near = [
    -25, -15, -14, -12, -2, -1, -1, 0, 0, 0, 1, 1, 2, 3, 7, 8, 10, 11, 15, 16, 23, 24, 31, 32, 52, 63, 64,
  ];
  const exponents = [
    ...near.map((one) => Math.max(0, Math.min(greatest - 1, middle + one))),
    ...[0, 0, 0, 1, 2, greatest - 2, greatest - 1, greatest - 1, greatest, greatest],
  ];
  const all = (1n << BigInt(fractionBits)) - 1n;
  const dropped =
    1n <<
    BigInt([fractionBits - 1, fractionBits - 2, 13, 16, 29, other % fractionBits][other % 6]! % fractionBits);
  const fractions = [
    0n,
    0n,
    1n,
    2n,
    all,
    all - 1n,
    dropped >> 1n,
    (dropped >> 1n) + 1n,
    dropped - 1n,
    dropped,
    3n * (dropped >> 1n),
    3n * (dropped >> 1n) - 1n,
    BigInt(other),
    (BigInt(other) << 31n) ^ BigInt(draw),
  ];
  const exponent = exponents[draw % exponents.length]!;
  const given = fractions[Math.floor(draw / exponents.length) % fractions.length]! & all;
  // What is no number has its highest bit: others are changed on their way.
  const fraction = exponent === greatest && given !== 0n ? all : given;
  const sign = BigInt(Math.floor(draw / 1000) % 2);
  return (((sign << BigInt(exponentBits)) | BigInt(exponent)) << BigInt(fractionBits)) | fraction;
}

/** A value of a kind. */
function valueFrom(name: KindName, draw: number, other: number): bigint {
  const { format, type }: Kind = kinds[name];
  if (name === 'amount') return BigInt(amounts[draw % amounts.length]!);
  if (format === undefined) return wholeFrom(widthOf(type), draw, other);
  const one = realFrom(format, draw, other);
  return name.endsWith('x2') ? one | (realFrom(format, other, draw) << 16n) : one;
}

/** The words of 32 bits of all values of all kinds. */
function poolFrom(draws: readonly number[]): readonly number[] {
  return kindNames.flatMap((name, kind) =>
    Array.from({ length: poolValues }, (_, at) => {
      const first = kind * poolValues + at;
      const value = valueFrom(name, draws[first]!, draws[(first + 1) % draws.length]!);
      return [Number(value & 0xffff_ffffn), Number(value >> 32n)];
    }).flat(),
  );
}

const letterOf = (type: string): string =>
  type === '?' || type === 'pred' ? 'p' : kinds[kindOf(type)].letter;

/** Registers of a matrix: for each operand some of their own. */
const isVector = (type: string): boolean => /^\d/.test(type);
const vectorAt = (operand: number): number => 8 + 4 * operand;
const targetVector = 3;
/** Places that the result of an instruction takes. */
const placesOf = ([, target]: Form): number => (/^4/.test(target!) ? 2 : 1);

/** Writes the lines for each instruction. */
class InstructionWriter {
  readonly lines: string[] = [];
  readonly #draws: Draws;

  constructor(draws: readonly number[]) {
    this.#draws = new Draws(draws);
  }

  /** All predicates anew, by the values of a lane. */
  predicates(): void {
    for (let p = 0; p < 4; p++) {
      this.#line(`ld.global.u32 %r0, [%x1+${this.#placeOf('i32')}];`);
      this.#line(`setp.lt.s32 %p${p}, %r0, ${p - 1};`);
    }
  }

  /** An instruction whose result is kept in the place of this number. */
  instruction([name, target, ...sources]: Form, place: number): void {
    const draws = this.#draws;
    const shared = draws.once(6) ? draws.below(warpLanes) : undefined;
    const written = sources.map((type, k) =>
      this.#source(name, type, k, k === sources.length - 1 && k > 0, shared),
    );
    // The sign of what is no number is left open, so that a number is put in its place.
    const [, real] = /^copysign\.(f\d+)$/.exec(name) ?? [];
    if (real)
      this.#line(
        `min.${real} ${written[0]}, ${written[0]}, ${real === 'f32' ? '0f7F000000' : '0d7FE0000000000000'};`,
      );
    const into = this.#target(target!);
    const exchange = /^(shfl|vote|match|redux|mma)/.test(name);
    const guard = !exchange && draws.once(6) ? `@${draws.once(2) ? '!' : ''}%p${draws.below(4)} ` : '';
    this.#line(`${guard}${name} ${[into, ...written].join(', ')};`);
    this.#keep(target!, place);
  }

  #source(name: string, type: string, k: number, last: boolean, shared: number | undefined): string {
    const draws = this.#draws;
    if (type.startsWith('=')) return type.slice(1);
    if (type === '?' || type === 'pred') return `%p${draws.below(4)}`;
    if (type === '#') {
      if (name.startsWith('lop3')) return String(draws.below(256));
      return String(draws.once(4) ? draws.pick(amounts) : draws.below(66));
    }
    if (isVector(type)) return this.#vector(type, k);
    const [plain = '', part] = type.split('.');
    if (last && /^[us](32|64)$/.test(plain) && !part && draws.once(8))
      return draws.pick([
        '0',
        '1',
        '7',
        '0x7fffffff',
        ...(plain.startsWith('s') ? ['-1', '-2147483648'] : ['0xffffffff']),
      ]);
    const kind = kindOf(plain);
    const register = `%${kinds[kind].letter}${k}`;
    this.#line(`ld.global.${kinds[kind].type} ${register}, [%x1+${this.#placeOf(kind, shared)}];`);
    return part ? `${register}.${part}` : register;
  }

  /** Registers of a matrix, with values in them. */
  #vector(type: string, k: number): string {
    const kind = kindOf(type.slice(1));
    const registers = Array.from(
      { length: Number(type[0]) },
      (_, at) => `%${kinds[kind].letter}${vectorAt(k) + at}`,
    );
    for (const one of registers)
      this.#line(`ld.global.${kinds[kind].type} ${one}, [%x1+${this.#placeOf(kind)}];`);
    return `{${registers.join(', ')}}`;
  }

  /** A target that has a value before. */
  #target(type: string): string {
    if (isVector(type)) return this.#vector(type, targetVector);
    if (type === '??') {
      this.#line('mov.pred %p4, %p0;');
      this.#line('mov.pred %p5, %p1;');
      return '%p4|%p5';
    }
    if (type === '?' || type === 'pred') {
      this.#line('mov.pred %p4, %p0;');
      return '%p4';
    }
    const [plain = '', part] = type.split('.');
    const kind = kindOf(plain);
    const register = `%${kinds[kind].letter}4`;
    this.#line(`ld.global.${kinds[kind].type} ${register}, [%x1+${this.#placeOf(kind)}];`);
    return part ? `${register}.${part}` : register;
  }

  #keep(type: string, place: number): void {
    const at = `[%x2+${valueBytes * place}]`;
    if (type === '??' || type === '?' || type === 'pred') {
      this.#line('selp.u32 %r4, 1, 0, %p4;');
      if (type === '??') this.#line('selp.u32 %r5, 1, 0, %p5;');
      this.#line(type === '??' ? `st.global.v2.u32 ${at}, {%r4, %r5};` : `st.global.u32 ${at}, %r4;`);
      return;
    }
    if (isVector(type)) {
      const { type: kept, letter } = kinds[kindOf(type.slice(1))];
      for (let k = 0; k < Number(type[0]); k++)
        this.#line(
          `st.global.${kept} [%x2+${valueBytes * place + 4 * k}], %${letter}${vectorAt(targetVector) + k};`,
        );
      return;
    }
    const kind = kindOf(type.split('.')[0]!);
    this.#line(`st.global.${kinds[kind].type} ${at}, %${letterOf(type.split('.')[0]!)}4;`);
  }

  #placeOf(kind: KindName, shared?: number): number {
    const at = shared ?? this.#draws.below(poolValues - warpLanes + 1);
    return valueBytes * (kindNames.indexOf(kind) * poolValues + at);
  }

  #line(text: string): void {
    this.lines.push(`  ${text}`);
  }
}

const prologue = (bytes: number): string => `  .reg .pred %p<6>;
  .reg .b16 %h<5>;
  .reg .b32 %r<24>;
  .reg .b64 %d<5>;
  .reg .b64 %x<3>;
  .reg .f32 %f<24>;
  .reg .f64 %g<5>;
  mov.u32 %r0, %tid.x;
  ld.param.u64 %x1, [in];
  mad.wide.u32 %x1, %r0, ${valueBytes}, %x1;
  ld.param.u64 %x2, [out];
  mad.wide.u32 %x2, %r0, ${bytes}, %x2;
`;

/** Numbers that the values of a kernel are made from. */
export const poolDraws = poolValues * kindNames.length;

/** A kernel of a name that asks these instructions, in so many lanes of a warp; the operands are drawn. */
export function instructionKernel(
  name: string,
  forms: readonly Form[],
  threads: number,
  draws: readonly number[],
  pool: readonly number[],
): PlainKernel {
  const writer = new InstructionWriter(draws);
  let place = 0;
  for (const [at, form] of forms.entries()) {
    if (at % 12 === 0) writer.predicates();
    writer.instruction(form, place);
    place += placesOf(form);
  }
  const outBytes = valueBytes * place;
  const head = `.visible .entry ${name}(.param .u64 in, .param .u64 out, .param .u64 sums)\n{\n`;
  return {
    text: `${head}${prologue(outBytes)}${writer.lines.join('\n')}\n  ret;\n}`,
    blocks: 1,
    threads,
    grid: [1, 1, 1],
    block: [threads, 1, 1],
    values: poolFrom(pool),
    sums: [0],
    outBytes,
  };
}

/** Most instructions of a kernel. */
const instructionsMost = 48;

const drawn = (count: number, most: number) =>
  fc.noBias(fc.array(fc.nat(most), { minLength: count, maxLength: count, size: 'max' }));

/** A kernel of a name that asks some instructions of all kinds. */
export const instructionKernelNamed = (name: string): fc.Arbitrary<PlainKernel> =>
  fc
    .record({
      threads: fc.constantFrom(warpLanes, warpLanes, 17),
      // Mostly as many as there may be.
      count: fc
        .noBias(fc.integer({ min: 1, max: 3 * instructionsMost }))
        .map((count) => Math.min(count, instructionsMost)),
      choices: drawn(2 * instructionsMost, 99_999),
      draws: drawn(900, 99_999),
      pool: drawn(poolDraws, 0x7fff_ffff),
    })
    .map(({ threads, count, choices, draws, pool }): PlainKernel => {
      const choice = new Draws(choices);
      // Who exchanges something needs all lanes.
      const known = [...groups, ...smallGroups, ...(threads === warpLanes ? [exchanges, matrices] : [])];
      const forms = Array.from({ length: count }, () => choice.pick(choice.pick(known)));
      return instructionKernel(name, forms, threads, draws, pool);
    });
