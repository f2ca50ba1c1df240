import fc from 'fast-check';
import { aluOps } from '../../actors/grape/arithmetic/alu.ts';
import { inputConversions, outputConversions } from '../../actors/grape/arithmetic/conversions.ts';
import { multiplierLetters } from '../../actors/grape/arithmetic/multiplier.ts';
import { chipSizes, sizeOf } from '../../machines/grape/assembler/symbols.ts';

/** A source that the assembler accepts, and the type of program it is to be read as. */
export interface GeneratedSource {
  readonly source: string;
  /** 1: nothing of it is `idp` or `rrn`. */
  readonly type: 1 | 2;
}

/** What a line is to be. */
const lineKinds = [
  'slot',
  'nop',
  'variable',
  'region',
  'alias',
  'prefix',
  'section',
  'vlen',
  'mask',
] as const;
const simulatorKinds = ['packet', 'reduction', 'dump', 'print'] as const;
type LineKind = (typeof lineKinds)[number] | (typeof simulatorKinds)[number] | 'remark';

/** A line before it is written: its kind, and numbers that decide everything else about it. */
interface RawLine {
  readonly kind: LineKind;
  readonly draws: readonly number[];
}

const rawLine = fc.record({
  kind: fc.oneof(
    { weight: 12, arbitrary: fc.constant<LineKind>('slot') },
    { weight: 3, arbitrary: fc.constant<LineKind>('variable') },
    { weight: 6, arbitrary: fc.constantFrom<LineKind[]>(...lineKinds) },
    { weight: 3, arbitrary: fc.constantFrom<LineKind[]>(...simulatorKinds) },
    { weight: 1, arbitrary: fc.constant<LineKind>('remark') },
  ),
  // As many as a slot needs, without a bias to small ones: few lines would have more than the first choices.
  draws: fc.noBias(fc.array(fc.nat(9_999), { minLength: 36, maxLength: 48, size: 'max' })),
});

/**
 * Valid VSM sources of all statements of the language (GRAPE specification 3.2, 7.6), both types of program.
 *
 * Details: sources are valid because they are written so, nothing is thrown away. At most 40 lines, so that
 * neither memory can overflow.
 * Failures shrink to few lines and to the first choice of each kind.
 */
export const arbitrarySource: fc.Arbitrary<GeneratedSource> = rawSource(40).map((raw) =>
  sourceFrom(raw, anyChip),
);

/** What a source that is carried out may name: the numbers of a chip. */
export interface ChipNumbers {
  readonly blocks: number;
  readonly pes: number;
  /** Regions have records for every pass, and no slot begins two transfers: nothing that the chip calls a fault. */
  readonly keepsToPorts: boolean;
}

const anyChip: ChipNumbers = { blocks: 16, pes: 32, keepsToPorts: false };

/** Lines before they are written: what they say depends on the chip they are for. */
export interface RawSource {
  readonly type: 1 | 2;
  readonly lines: readonly RawLine[];
}

/** Lines of a source of at most so many. */
export function rawSource(linesMax: number): fc.Arbitrary<RawSource> {
  return fc.record({
    type: fc.constantFrom(1 as const, 2 as const),
    lines: fc.array(rawLine, { minLength: 1, maxLength: linesMax, size: 'max' }),
  });
}

/** Writes lines for a chip. */
export function sourceFrom({ type, lines }: RawSource, chip: ChipNumbers): GeneratedSource {
  const writer = new SourceWriter(type, chip);
  for (const line of lines) writer.line(line);
  return { source: writer.text, type };
}

/** Takes the choices of one line one after another; when they are used up, always the first. */
class Draws {
  readonly #draws: readonly number[];
  #at = 0;
  constructor(draws: readonly number[]) {
    this.#draws = draws;
  }

  /** 0..count-1. */
  below(count: number): number {
    return (this.#draws[this.#at++] ?? 0) % count;
  }

  /** True once in `one` draws. */
  once(one: number): boolean {
    return this.below(one) === one - 1;
  }

  pick<T>(all: readonly T[]): T {
    return all[this.below(all.length)]!;
  }

  /** Some of the letters, each once, in any order. */
  letters(all: string): string {
    let text = '';
    for (const letter of all) if (this.once(3)) text = this.once(2) ? letter + text : text + letter;
    return text;
  }

  /** One to `count` hexadecimal digits. */
  hex(count: number): string {
    return Array.from({ length: 1 + this.below(count) }, () => this.below(16).toString(16)).join('');
  }
}

interface Declared {
  readonly name: string;
  readonly space: 'lm' | 'bm';
  readonly addr: number;
  readonly long: boolean;
  readonly vector: boolean;
}

/** An operand of broadcast memory and its width. */
interface BroadcastOperand {
  readonly text: string;
  readonly long: boolean;
}

/** Short words left free behind placed variables of broadcast memory: operands advance beyond a scalar. */
const behindBroadcast = 32;
const floatTexts = ['1.5', '0', '24.0 / 17', '-Math.sqrt(2)', 'Math::PI * 2', '1e-3', '2**3'];
const integerTexts = ['1', '-3', '60', '24/17', '-7 % 4', '(1 + 2) * 3'];
const reducing = ['add', 'max', 'min', 'and', 'or', 'xor', 'passa', 'passb'];

/** Writes lines, knows what was declared and never writes what the assembler would refuse. */
class SourceWriter {
  readonly #type: 1 | 2;
  readonly #chip: ChipNumbers;
  readonly #lines: string[] = [];
  readonly #variables: Declared[] = [];
  readonly #aliases: string[] = [];
  readonly #regions: { readonly name: string; readonly elt: number }[] = [];
  readonly #names = new Set<string>();
  readonly #elts: number[] = [];
  readonly #free = { lm: 0, bm: 0 };
  #vlen = 4;
  #draws = new Draws([]);

  constructor(type: 1 | 2, chip: ChipNumbers) {
    this.#type = type;
    this.#chip = chip;
  }

  get text(): string {
    return `${this.#lines.join('\n')}\n`;
  }

  line({ kind, draws }: RawLine): void {
    this.#draws = new Draws(draws);
    switch (kind) {
      case 'slot':
        this.#slot();
        break;
      case 'nop':
        this.#write('nop', ...(this.#draws.once(2) ? [String(1 + this.#draws.below(9))] : []));
        break;
      case 'variable':
        this.#variable();
        break;
      case 'region':
        this.#region();
        break;
      case 'alias':
        this.#alias();
        break;
      case 'prefix':
        this.#write('prefix', this.#draws.pick(['P', 'SING', 'gravity_2', 'prefix']));
        break;
      case 'section':
        this.#write(
          this.#draws.pick(['loop body', 'initialization', 'loop initialization', 'loop finalization']),
        );
        break;
      case 'vlen':
        this.#vlen = 1 + this.#draws.below(4);
        this.#write('vlen', String(this.#vlen));
        break;
      case 'mask':
        this.#write(this.#draws.pick(['mi', 'mof', 'moi']), String(this.#draws.below(8)));
        break;
      case 'packet':
        this.#packet();
        break;
      case 'reduction':
        this.#reductionLine();
        break;
      case 'dump':
        this.#dump();
        break;
      case 'print':
        this.#print();
        break;
      case 'remark':
        this.#lines.push(this.#draws.pick(['# a remark; with "quotes"', '', ' \t']));
        return;
      default:
        kind satisfies never;
    }
  }

  /** One line; blanks between its words and a remark behind them are as users set them. */
  #write(...words: readonly string[]): void {
    const gap = this.#draws.pick([' ', ' ', '  ', '\t']);
    this.#lines.push(`${words.join(gap)}${this.#draws.pick(['', '', ' # nop ; "', '  '])}`);
  }

  #newName(): string {
    const fixed = ['x', 'nop', 'fadd', 'constructor', 'const0', 'vector', 'v', 'y_2', 'long', 'flt72to64'];
    const wanted = this.#draws.pick(fixed);
    const name = this.#names.has(wanted) ? `a${this.#names.size}v` : wanted;
    this.#names.add(name);
    return name;
  }

  #variable(): void {
    const draws = this.#draws;
    const space = draws.pick(['bm', 'lm'] as const);
    const vector = draws.once(2);
    const name = this.#newName();
    const shape = { vector, long: !draws.once(2) };
    // Without the width a name such as "long" would be read as the width.
    const width = shape.long && /^a\d+v$/.test(name) && draws.once(2) ? [] : [shape.long ? 'long' : 'short'];
    const { addr, words } = this.#place(space, shape);
    this.#write(
      space === 'lm' ? 'var' : 'bvar',
      ...(vector ? ['vector'] : []),
      ...width,
      name,
      ...words,
      ...this.#transfer(space, shape),
    );
    this.#variables.push({ name, space, addr, ...shape });
    if (words.length === 0) this.#free[space] = addr + sizeOf(shape);
  }

  #place(
    space: 'lm' | 'bm',
    shape: { readonly long: boolean; readonly vector: boolean },
  ): { readonly addr: number; readonly words: readonly string[] } {
    const draws = this.#draws;
    const most =
      space === 'lm'
        ? chipSizes.lmShort - sizeOf(shape)
        : chipSizes.bmShort - sizeOf(shape) - behindBroadcast;
    const fits = ({ addr, ...one }: Declared) =>
      one.space === space && addr <= most && !(shape.long && addr % 2 === 1);
    const others = this.#variables.filter(fits);
    if (draws.once(5) && others.length > 0) {
      const { name, addr } = draws.pick(others);
      return { addr, words: [name] };
    }
    if (draws.once(5)) {
      const addr = draws.below(most + 1);
      const even = shape.long ? addr - (addr % 2) : addr;
      return { addr: even, words: [String(even)] };
    }
    const free = this.#free[space];
    return { addr: shape.long ? free + (free % 2) : free, words: [] };
  }

  #transfer(
    space: 'lm' | 'bm',
    { long, vector }: { readonly long: boolean; readonly vector: boolean },
  ): readonly string[] {
    const draws = this.#draws;
    if (draws.once(3) || (space === 'lm' && !vector)) return [];
    if (space === 'lm' && draws.once(2)) {
      const { name, number } = draws.pick(outputConversions.filter((one) => one.long === long));
      const option = draws.letters('ros');
      const conversion = draws.once(4) ? String(number) : name;
      return ['rrn', conversion, this.#reductionWord(), ...(option === '' ? [] : [option])];
    }
    const { name, number } = draws.pick(inputConversions.filter((one) => one.long === long));
    const table = draws.below(4);
    if (space === 'bm') this.#elts.push(table);
    const kind = space === 'bm' ? 'elt' : 'hlt';
    const numbered = table === 0 ? [kind] : draws.once(2) ? [kind, String(table)] : [`${kind}${table}`];
    return [...numbered, draws.once(4) ? String(number) : name];
  }

  /** A region of a table that has variables; before there are any, a variable that makes one. */
  #region(): void {
    if (this.#elts.length === 0) {
      const name = this.#newName();
      this.#write('bvar', 'vector', 'long', name, '0', 'elt', 'flt64to72');
      this.#variables.push({ name, space: 'bm', addr: 0, long: true, vector: true });
      this.#elts.push(0);
      return;
    }
    const elt = this.#draws.pick(this.#elts);
    const name = this.#newName();
    this.#write(
      'evar',
      name,
      String(elt),
      String((this.#chip.keepsToPorts ? 100 : 0) + this.#draws.below(500)),
    );
    this.#regions.push({ name, elt });
  }

  #alias(): void {
    const register = this.#register();
    const name = this.#newName();
    this.#write('alias', name, register);
    this.#aliases.push(name);
  }

  /** A register that exists for every vector length. */
  #register(): string {
    const long = this.#draws.once(2);
    const addr = this.#draws.below(long ? 29 : 61);
    return `$${long ? `lr${2 * addr}` : `r${addr}`}${this.#draws.once(3) ? '' : 'v'}`;
  }

  /** A word of local memory, written out, with a stride that fits the vector length. */
  #memory(): string {
    const draws = this.#draws;
    const long = draws.once(2);
    const words = long ? chipSizes.lmShort / 2 : chipSizes.lmShort;
    const addr = draws.below(words);
    const text = long ? `$lm${2 * addr}` : `$m${addr}`;
    const strideMax = this.#vlen === 1 ? 99 : Math.floor((words - 1 - addr) / (this.#vlen - 1));
    if (strideMax < 1 || draws.once(3)) return text;
    return `${text}v${draws.once(3) ? draws.below(strideMax + 1) : ''}`;
  }

  #variableOf(space: 'lm' | 'bm'): Declared | undefined {
    const all = this.#variables.filter((one) => one.space === space);
    return all.length === 0 ? undefined : this.#draws.pick(all);
  }

  #named({ name, vector }: Declared): string {
    return vector && this.#draws.once(3) ? `${name}[${this.#draws.below(4)}]` : name;
  }

  /** Something in local memory: a variable, written out, or by the address in T. */
  #local(): string {
    const variable = this.#variableOf('lm');
    if (variable && !this.#draws.once(3)) return this.#named(variable);
    return this.#draws.once(4) ? this.#draws.pick(['$lt', '$st']) : this.#memory();
  }

  #constant(): string {
    const draws = this.#draws;
    const l = draws.once(2) ? 'l' : '';
    switch (draws.pick(['f', 'i', 'h'])) {
      case 'f':
        return `f${l}"${draws.pick(floatTexts)}"`;
      case 'i':
        return `i${l}"${draws.pick([...integerTexts, String(draws.below(9999))])}"`;
      default:
        return `h${l}"${draws.hex(l === '' ? 9 : 18)}"`;
    }
  }

  #broadcast(): BroadcastOperand {
    const draws = this.#draws;
    const variable = this.#variableOf('bm');
    if (variable && !draws.once(3)) return { text: this.#named(variable), long: variable.long };
    const long = !draws.once(2);
    const addr = draws.below((chipSizes.bmShort - behindBroadcast) / 2);
    return { text: `$${long ? 'lb' : 'b'}${2 * addr}${draws.once(2) ? 'v' : ''}`, long };
  }

  #reductionWord(): string {
    const draws = this.#draws;
    switch (draws.below(3)) {
      case 0:
        return `fadd${draws.letters('ABO')}`;
      case 1:
        return draws.pick(['i', 'u']) + draws.pick(reducing);
      default:
        return String(draws.below(this.#chip.blocks));
    }
  }

  /** Where a result goes. */
  #destination(): string {
    switch (this.#draws.below(4)) {
      case 0:
        return this.#draws.once(4) ? '$ti' : '$t';
      case 1:
        return this.#local();
      case 2:
        return this.#aliases.length > 0 ? this.#draws.pick(this.#aliases) : this.#register();
      default:
        return this.#register();
    }
  }

  #destinations(least: number): readonly string[] {
    return Array.from({ length: least + this.#draws.below(3) }, () => this.#destination());
  }

  /** A slot of one to five components. All units choose among the same sources, few enough for the ports. */
  #slot(): void {
    const draws = this.#draws;
    const streaming = this.#type === 2 && draws.once(3);
    if (!streaming && draws.once(9)) {
      this.#write(draws.pick(['uimm', 'iimm']), draws.hex(9), ...this.#destinations(1));
      return;
    }
    const registers = [
      this.#register(),
      this.#aliases.length > 0 ? draws.pick(this.#aliases) : this.#register(),
    ];
    const local = draws.once(3) ? this.#constant() : this.#local();
    const sources = ['$t', '$ti', local, ...registers];
    const multiplies = draws.once(2);
    const adds = draws.once(2);
    const moves = draws.once(3);
    const components: string[][] = [];
    if (multiplies) components.push(this.#multiplication(sources));
    const stored = moves && draws.once(2) ? registers[0]! : undefined;
    if (adds) components.push(this.#addition(sources, stored));
    if (moves) components.push(stored === undefined ? this.#load() : this.#store(stored));
    const feeds = streaming && this.#regions.length > 0 && draws.once(2);
    if (feeds) components.push(this.#input());
    const reads = streaming && draws.once(2);
    if (reads && !(feeds && this.#chip.keepsToPorts)) components.push(this.#reduction());
    if (components.length === 0) components.push(this.#multiplication(sources));
    const first = draws.below(components.length);
    const turned = [...components.slice(first), ...components.slice(0, first)];
    const separator = draws.pick([[';'], [';'], ['', ';', '']]);
    this.#write(...turned.flatMap((words, at) => (at === 0 ? words : [...separator, ...words])));
  }

  #multiplication(sources: readonly string[]): string[] {
    const draws = this.#draws;
    const word = draws.pick(['fmul', 'fmul', 'dmul0', 'dmul1', `fmul${draws.letters(multiplierLetters)}`]);
    return [word, draws.pick(sources), draws.pick(sources), ...this.#destinations(0)];
  }

  /** An operation of adder or ALU. What the slot stores to broadcast memory is one of its sources. */
  #addition(sources: readonly string[], stored: string | undefined): string[] {
    const draws = this.#draws;
    const words = [
      `fadd${draws.letters('ABSO')}`,
      `fsub${draws.letters('ABSO')}`,
      `u${draws.pick(aluOps)}`,
      `i${draws.pick(aluOps)}`,
    ];
    const word = draws.pick(words);
    const b = draws.pick([...sources, '$pe', '$bb']);
    const a = stored ?? draws.pick([...sources, '$pe', '$bb', '$fb']);
    return [word, a, b, ...this.#destinations(0)];
  }

  #load(): string[] {
    const { text } = this.#broadcast();
    const target = this.#destination();
    return ['bm', text, target === '$ti' ? '$t' : target, ...(this.#draws.once(3) ? [this.#peId()] : [])];
  }

  #store(source: string): string[] {
    return ['bm', source, this.#broadcast().text, this.#peId()];
  }

  #peId(): string {
    return String(this.#draws.below(this.#chip.pes));
  }

  #input(): string[] {
    const draws = this.#draws;
    const { name, elt } = draws.pick(this.#regions);
    const region = draws.once(2) ? name : String(elt);
    const mode = draws.once(3) ? [] : [String(draws.below(3))];
    const block = mode.length === 0 || draws.once(3) ? [] : [String(draws.below(this.#chip.blocks + 2) - 2)];
    return ['idp', region, ...mode, ...block];
  }

  #reduction(): string[] {
    const draws = this.#draws;
    const { text, long } = this.#broadcast();
    const conversion = draws.pick(outputConversions.filter((one) => one.long === long));
    const name = draws.once(2) ? [draws.pick(['sum', 'total_1', 'nop'])] : [];
    return ['rrn', this.#reductionWord(), text, ...this.#reductionOptions(), conversion.name, ...name];
  }

  /** A count and letters, in one word or in two. */
  #reductionOptions(): readonly string[] {
    const count = this.#draws.once(2) ? String(1 + this.#draws.below(8)) : '';
    const letters = this.#draws.letters('ros');
    const words = [count, letters].filter((word) => word !== '');
    return words.length === 2 && this.#draws.once(2) ? [words.join('')] : words;
  }

  #packet(): void {
    const draws = this.#draws;
    const variable = this.#variableOf('bm');
    const named = variable !== undefined && !draws.once(2);
    const long = named ? variable.long : true;
    const count = named ? (variable.vector ? 4 : 1) : 1 + draws.below(4);
    const blocks = [String(draws.below(16)), String(draws.below(16))];
    const each = draws.once(3);
    this.#write(
      'IDP',
      ...(named
        ? [variable.name, ...blocks.slice(0, draws.below(3))]
        : [String(count), String(draws.below(chipSizes.bmShort / 2 - 4)), ...blocks]),
      ...(each ? [draws.pick(['SEQ', 'seq'])] : []),
    );
    const wordCount = count * (each ? 1 + draws.below(3) : 1);
    for (let word = 0; word < wordCount; word++) this.#data(long);
  }

  #data(long: boolean): void {
    const draws = this.#draws;
    switch (draws.below(3)) {
      case 0:
        this.#write('HEX', draws.hex(long ? 18 : 9));
        break;
      case 1:
        this.#write('FIX', draws.pick(['-', '+', '']) + String(draws.below(9999)));
        break;
      default:
        this.#write('FLT', draws.pick(['1.5', '-2', '3e-4', '0.1']));
        break;
    }
  }

  #reductionLine(): void {
    this.#write('RRN', this.#reductionWord(), this.#broadcast().text, ...this.#reductionOptions());
  }

  #dump(): void {
    const draws = this.#draws;
    const range = (short: number) => {
      const from = draws.below(short / 2);
      return [String(from), String(from + draws.below(short / 2 - from))];
    };
    const block = String(draws.below(this.#chip.blocks));
    const pe = ['BB', block, this.#peId()];
    switch (draws.below(5)) {
      case 0:
        this.#write('DBG', 'BM', block, ...range(chipSizes.bmShort));
        break;
      case 1:
        this.#write('DBG', ...pe, 'TREG');
        break;
      case 2:
        this.#write('DBG', ...pe, 'GRF', ...range(chipSizes.grfShort));
        break;
      case 3:
        this.#write('DBG', ...pe, 'LM', ...range(chipSizes.lmShort));
        break;
      default:
        this.#write('DBG', ...pe, 'MREG', String(draws.below(8)));
        break;
    }
  }

  /** Values are printed for four elements, whatever the vector length, so that their places must exist. */
  #print(): void {
    const draws = this.#draws;
    const local = this.#variableOf('lm');
    const what = draws.pick([
      '$t',
      local === undefined ? `$lm${2 * draws.below(200)}v2` : this.#named(local),
      this.#register(),
      this.#broadcast().text,
    ]);
    this.#write(
      'print',
      String(draws.below(this.#chip.blocks)),
      this.#peId(),
      draws.pick(['f', 'i', 'h']),
      what,
    );
  }
}
