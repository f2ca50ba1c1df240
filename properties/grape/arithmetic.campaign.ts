/** Usage: npx tsx properties/grape/arithmetic.campaign.ts [--pairs 1000000] [--seed 1] [--operation NAME] */
import process from 'node:process';
import { setImmediate } from 'node:timers/promises';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { add, isNegative } from '../../actors/grape/arithmetic/adder.ts';
import { alu, aluOps } from '../../actors/grape/arithmetic/alu.ts';
import { multiplierWords, multiply } from '../../actors/grape/arithmetic/multiplier.ts';
import { longMask, type Word } from '../../actors/grape/arithmetic/word.ts';
import { LaneBlock } from '../../actors/grape/block/lane-block.ts';
import { WasmBlock } from '../../actors/grape/block/wasm-block.ts';
import type { Ref, Slot } from '../../actors/grape/program.ts';
import { assemble } from '../../machines/grape/assembler/assemble.ts';
import { transferSlot } from '../../machines/grape/chip.ts';
import { campaignWords } from '../words.campaign.ts';

const usage = `Random pairs of words through the lanes of a block and through the reference arithmetic: results and flags.

  npx tsx properties/grape/arithmetic.campaign.ts [options]

  --pairs N           pairs for each operation, rounded up to whole blocks of 128; default 1000000
  --seed N            seed of the pairs, default 1
  --operation NAME    one operation only, for example fsub, "faddAO, short", ilsr
  --engine NAME       wasm (default) or lanes: adder and multiplier in WebAssembly or in JavaScript

Operations are the words of the assembler; ", short" adds a short destination, which rounds to 25 bits.

Exit codes: 0 no difference, 1 a difference, 2 wrong usage, 130 interrupted.
`;

const { given, refuse, natural } = campaignWords(usage, {
  pairs: { type: 'string', default: '1000000' },
  seed: { type: 'string', default: '1' },
  operation: { type: 'string' },
  engine: { type: 'string', default: 'wasm' },
});

/** What the reference says: the word, and the bit for a mask register where the unit has one. */
interface Outcome {
  readonly word: Word;
  readonly flag?: boolean;
}

/** One operation of a unit, as a slot of the machine and by the reference arithmetic. */
interface Operation {
  readonly name: string;
  /** How the block works it: on whole rows of PEs, or word by word. */
  readonly path: 'rows' | 'words';
  readonly slot: Slot;
  readonly reference: (a: Word, b: Word) => Outcome;
}

/** The slot that the assembler makes of an operation word; its flag goes to mask register 1. */
function slotOf(word: string, directive: string, short: boolean): Slot {
  const source = `vlen 4\n${directive}\n${word} $lr0v $lr8v $lr16v${short ? ' $r24v' : ''}\n`;
  const slot = assemble(source).program.sections.preamble.find((item) => item.kind === 'slot');
  if (slot === undefined) throw new Error(`${word} assembles to no slot`);
  return slot;
}

/** Every set of some letters, each in the order of the letters. */
const subsets = (letters: string): string[] =>
  Array.from({ length: 2 ** letters.length }, (_, bits) =>
    [...letters].filter((_, at) => (bits >> at) & 1).join(''),
  );

/** `fadd` and `fsub` with every set of flags, to long and to short destinations (GRAPE specification 2.4). */
function adderOperations(): Operation[] {
  const words = [
    ...subsets('ABSO').map((flags) => `fadd${flags}`),
    ...subsets('ABO').map((flags) => `fsub${flags}`),
  ];
  return words.flatMap((word) =>
    [false, true].map((round): Operation => {
      const flags = word.slice('fadd'.length);
      const control = {
        normA: !flags.includes('A'),
        normB: !flags.includes('B'),
        normO: !flags.includes('O'),
        sub: word.startsWith('fsub') || flags.includes('S'),
        round,
      };
      return {
        name: round ? `${word}, short` : word,
        path: !control.normO || control.normA !== control.normB ? 'words' : 'rows',
        slot: slotOf(word, 'mof 1', round),
        reference: (a, b) => {
          const { word: sum } = add(a, b, control);
          return { word: sum, flag: isNegative(sum) };
        },
      };
    }),
  );
}

/** Multiplications whose control words the rows serve, and the halves of a long one (GRAPE specification 2.5, 2.6). */
const multiplierOperations = (): Operation[] =>
  (
    [
      ['fmul', false, 'fmulLong'],
      ['fmul', true, 'fmulShort'],
      ['fmulwz', false, 'fmulShort'],
      ['fmulwz', true, 'fmulShort'],
      ['fmulwzR', false, 'fmulLong'],
      ['fmulwzR', true, 'fmulLong'],
      ['dmul0', false, 'dmul0'],
      ['dmul1', false, 'dmul1'],
    ] as const
  ).map(([word, short, control]) => ({
    name: short ? `${word}, short` : word,
    path: 'rows',
    slot: slotOf(word, 'mof 0', short),
    reference: (a, b) => ({ word: multiply(a, b, multiplierWords[control]).word }),
  }));

/** Every function of the ALU, signed and unsigned (GRAPE specification 2.7). */
const aluOperations = (): Operation[] =>
  aluOps.flatMap((op) =>
    [false, true].map((signed): Operation => {
      const word = `${signed ? 'i' : 'u'}${op}`;
      return {
        name: word,
        path: 'rows',
        slot: slotOf(word, 'moi 1', false),
        reference: (a, b) => {
          const result = alu(op, signed, a, b);
          return { word: result, flag: result === 0n };
        },
      };
    }),
  );

/** Pairs of words where adders, multipliers and shifters have their corners, and plain random ones between them. */
class Pairs {
  readonly #random;

  constructor(seed: number) {
    this.#random = xoroshiro128plus(seed);
  }

  next(): readonly [Word, Word] {
    const a = this.#word();
    switch (this.#below(8)) {
      case 0:
        return [a, this.#bits72()];
      case 1:
        return [a, this.#near(a)];
      case 2:
        return [this.#edge(), this.#edge()];
      case 3:
        // Counts of shifts, and a few that are just too large.
        return [a, BigInt(this.#below(80))];
      case 4: {
        const b = this.#below(2) === 0 ? a : a ^ longMask;
        return [a, (b + BigInt(this.#below(5) - 2)) & longMask];
      }
      case 5:
        return [a, this.#withExponent(a, this.#distance())];
      case 6: {
        const edge = this.#edge();
        return [edge, this.#withExponent(edge, this.#distance())];
      }
      default:
        return [a, this.#word()];
    }
  }

  #below(count: number): number {
    return (this.#random.next() >>> 0) % count;
  }

  #bits72(): Word {
    return wordOfParts(this.#below(4096), this.#below(2 ** 30), this.#below(2 ** 30));
  }

  #word(): Word {
    switch (this.#below(4)) {
      case 0:
        return this.#bits72();
      case 1:
        return this.#edge();
      default:
        return wordOfParts(
          (this.#below(2) << 11) | (900 + this.#below(250)),
          this.#below(2 ** 30),
          this.#below(2 ** 30),
        );
    }
  }

  #edge(): Word {
    const exponents = [0, 1, 2, 1022, 1023, 1024, 2045, 2046, 2047, this.#below(2048)];
    const exponent = exponents[this.#below(exponents.length)]!;
    return (BigInt((this.#below(2) << 11) | exponent) << 60n) | this.#fraction();
  }

  /** A difference of exponents: often one at which a significand crosses a limb or the last place of a result. */
  #distance(): number {
    const corners = [0, 1, 2, 24, 25, 26, 29, 30, 31, 59, 60, 61, 62, 89, 90, 91];
    const size = this.#below(2) === 0 ? corners[this.#below(corners.length)]! : this.#below(100);
    return this.#below(2) === 0 ? size : -size;
  }

  /** One bit of a fraction: often at the end of a limb or of a short word. */
  #bit(): bigint {
    const ends = [0, 1, 29, 30, 31, 34, 35, 36, 37, 59];
    return 1n << BigInt(this.#below(2) === 0 ? ends[this.#below(ends.length)]! : this.#below(60));
  }

  /** Powers of two and words of few zeros, halves of the last place of short words, and random ones. */
  #fraction(): bigint {
    const bit = this.#bit();
    const all = (1n << 60n) - 1n;
    switch (this.#below(9)) {
      case 0:
        return 0n;
      case 1:
        return all;
      case 2:
        return bit;
      case 3:
        return all ^ bit;
      case 4:
        return all ^ (bit - 1n);
      case 5:
        return (BigInt(this.#below(2 ** 24)) << 36n) | (1n << 35n);
      case 6:
        return bit | this.#bit();
      case 7:
        return BigInt(this.#below(2 ** 30)) << 30n;
      default:
        return (BigInt(this.#below(2 ** 30)) << 30n) | BigInt(this.#below(2 ** 30));
    }
  }

  /** A word of the other sign and all but the same size: what cancels. */
  #near(word: Word): Word {
    const distance = 1n << BigInt(this.#below(62));
    const other = this.#below(2) === 0 ? word + distance : word - distance;
    return (other ^ (BigInt(this.#below(2)) << 71n)) & longMask;
  }

  /** Another word whose exponent is so far from that of a word. */
  #withExponent(word: Word, distance: number): Word {
    const exponent = (Number((word >> 60n) & 0x7ffn) + distance + 2048) % 2048;
    return (BigInt((this.#below(2) << 11) | exponent) << 60n) | this.#fraction();
  }
}

const wordOfParts = (se: number, high: number, low: number): Word =>
  (BigInt(se) << 60n) | (BigInt(high) << 30n) | BigInt(low);

const nPE = 32;
const elements = 4;
const longShorts = 2;
const pairsPerBlock = nPE * elements;
const operandShorts = elements * longShorts;
const register = (addr: number): Ref => ({
  kind: 'grf',
  addr,
  long: true,
  vector: true,
  stride: 1,
  text: `$lr${addr}v`,
});
const result = register(2 * operandShorts);
const flagRegister = 1;

const engines = { wasm: WasmBlock, lanes: LaneBlock } as const;
const isEngine = (name: string): name is keyof typeof engines => Object.hasOwn(engines, name);
const engine = isEngine(given.engine)
  ? given.engine
  : refuse(`--engine is "${given.engine}", expected one of ${Object.keys(engines).join(', ')}`);

/** A block of PEs that works one operation on many pairs at once: operands in registers, as programs have them. */
class Bench {
  readonly #block = new engines[engine]({
    nPE,
    number: 0,
    lmShort: operandShorts,
    grfShort: 4 * operandShorts,
    bmShort: nPE * 2 * operandShorts,
    mode: 'pipelined',
  });
  readonly #loads: readonly Slot[] = Array.from({ length: 2 * nPE }, (_, at) =>
    transferSlot(
      {
        toPe: true,
        bm: { kind: 'bm', addr: at * operandShorts, long: true, vector: true, stride: 1, text: '$lbv' },
        pe: register((at % 2) * operandShorts),
        peid: Math.floor(at / 2),
      },
      elements,
    ),
  );

  /** Works a slot on pairs, four a PE. */
  run(slot: Slot, pairs: readonly (readonly [Word, Word])[]): void {
    const block = this.#block;
    for (const [at, pair] of pairs.entries()) {
      const base = Math.floor(at / elements) * 2 * operandShorts + (at % elements) * longShorts;
      for (const [side, word] of pair.entries())
        block.writeBroadcast(base + side * operandShorts, true, word);
    }
    for (const load of this.#loads) block.issue(load);
    block.drain();
    block.issue(slot);
    block.drain();
  }

  wordOf(at: number): Word {
    return this.#block.peek(Math.floor(at / elements), result, at % elements);
  }

  flagOf(at: number): boolean {
    return ((this.#block.peekMask(Math.floor(at / elements), flagRegister) >> (at % elements)) & 1) === 1;
  }
}

/** A pair on which the two paths part. */
interface Difference {
  readonly a: Word;
  readonly b: Word;
  readonly found: Outcome;
  readonly expected: Outcome;
}

/** What became of an operation. */
interface Tally {
  readonly operation: Operation;
  pairs: number;
  differences: number;
  seconds: number;
  first?: Difference;
}

function compare(tally: Tally, bench: Bench, pairs: readonly (readonly [Word, Word])[]): void {
  const { slot, reference } = tally.operation;
  bench.run(slot, pairs);
  for (const [at, [a, b]] of pairs.entries()) {
    const expected = reference(a, b);
    const word = bench.wordOf(at);
    const flag = expected.flag === undefined ? undefined : bench.flagOf(at);
    if (word === expected.word && flag === expected.flag) continue;
    tally.differences++;
    tally.first ??= { a, b, found: { word, ...(flag !== undefined && { flag }) }, expected };
  }
  tally.pairs += pairs.length;
}

const hex = (word: Word): string => word.toString(16).padStart(18, '0');
const told = ({ word, flag }: Outcome): string =>
  `${hex(word)}${flag === undefined ? '' : `, flag ${flag ? 1 : 0}`}`;

function report(tallies: readonly Tally[]): string {
  const rows = tallies.map(({ operation, pairs, differences, seconds }) => [
    operation.name,
    operation.path,
    String(pairs),
    String(differences),
    seconds.toFixed(1),
  ]);
  const head = ['operation', 'path', 'pairs', 'differences', 'seconds'];
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]!.length)),
  );
  const line = (row: readonly string[]): string =>
    row.map((cell, at) => (at < 2 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!))).join('  ');
  const found = tallies.flatMap(({ operation, first }) =>
    first === undefined
      ? []
      : [
          `${operation.name} differs on ${hex(first.a)} and ${hex(first.b)}:`,
          `  block     ${told(first.found)}`,
          `  reference ${told(first.expected)}`,
        ],
  );
  const sum = (of: (tally: Tally) => number): number =>
    tallies.reduce((total, tally) => total + of(tally), 0);
  const total = `${rows.length} operations, ${sum(({ pairs }) => pairs)} pairs, ${sum(({ differences }) => differences)} differences`;
  const rule = widths.map((width) => '-'.repeat(width));
  return `${[line(head), line(rule), ...rows.map(line), '', total, ...found].join('\n')}\n`;
}

const pairsMin = natural(given.pairs, 'pairs', 1);
const seed = natural(given.seed, 'seed', 0);
const known = [...adderOperations(), ...multiplierOperations(), ...aluOperations()];
const chosen = given.operation === undefined ? known : known.filter(({ name }) => name === given.operation);
if (chosen.length === 0)
  refuse(
    `--operation is "${given.operation}", expected one of\n  ${known.map(({ name }) => name).join('; ')}`,
  );

let interrupted = false;
process.on('SIGINT', () => {
  interrupted = true;
});
const secondsSince = (start: bigint): number => Number((process.hrtime.bigint() - start) / 1_000_000n) / 1000;
const progress = (text: string): void => {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
};

const bench = new Bench();
const tallies: Tally[] = [];
const blocksPerLook = 100;
for (const operation of chosen) {
  if (interrupted) break;
  const tally: Tally = { operation, pairs: 0, differences: 0, seconds: 0 };
  tallies.push(tally);
  // Every operation begins with the same pairs, so that one alone can be tried again.
  const source = new Pairs(seed);
  const start = process.hrtime.bigint();
  for (let blocks = 1; tally.pairs < pairsMin && !interrupted; blocks++) {
    compare(
      tally,
      bench,
      Array.from({ length: pairsPerBlock }, () => source.next()),
    );
    if (blocks % blocksPerLook !== 0) continue;
    progress(`${operation.name}: ${tally.pairs} of ${pairsMin} pairs, ${tallies.length} of ${chosen.length}`);
    // Lets an interrupt through.
    await setImmediate();
  }
  tally.seconds = secondsSince(start);
}
progress('');

process.stdout.write(`Lanes (${engine}) against reference arithmetic, seed ${seed}\n\n${report(tallies)}`);
if (interrupted) process.stdout.write('interrupted: the rest was not tried\n');
process.exitCode = interrupted ? 130 : tallies.some(({ differences }) => differences > 0) ? 1 : 0;
