/*
 * A VSM source as the plain chip carries it out, read from its text by GRAPE specification 2.11, 3 and 7.6 alone: nothing of the assembler is shared.
 * It reads sources that are right; what is wrong with a source is not its business.
 */

import { lettersOn, wordOfDouble } from './plain-arithmetic.ts';
import { valueOfExpression } from './plain-expression.ts';

/** Where an operand is: the place of its element k is `addr + k * step`, in short words. */
export interface Place {
  readonly kind: 'lm' | 'grf' | 'bm' | 't' | 'ti' | 'ind' | 'fb' | 'pe' | 'bb';
  readonly addr: number;
  readonly long: boolean;
  readonly step: number;
}

/** A variable with what goes between it and the host. */
export interface PlainVariable {
  readonly name: string;
  readonly space: 'lm' | 'bm';
  readonly addr: number;
  readonly long: boolean;
  readonly vector: boolean;
  readonly transfer?: {
    readonly kind: 'elt' | 'hlt' | 'rrn';
    readonly table: number;
    readonly conversion: string;
    readonly op: string;
    readonly options: string;
  };
}

/** A reduction and what becomes of its words. */
export interface PlainReduction {
  readonly op: string;
  readonly from: Place;
  readonly count: number;
  readonly rounds: boolean;
  readonly options: string;
  readonly conversion: string;
}

/** One machine instruction. */
export interface PlainSlot {
  readonly line: number;
  readonly vlen: number;
  readonly mask: number;
  /** Mask registers that take the flag of the adder, and of the ALU; 0 for none. */
  readonly floatFlag: number;
  readonly integerFlag: number;
  readonly mul?: { readonly on: string; readonly a: Place; readonly b: Place; readonly to: readonly Place[] };
  readonly add?: {
    readonly op: string;
    readonly flags: string;
    readonly short: boolean;
    readonly a: Place;
    readonly b: Place;
    readonly to: readonly Place[];
  };
  readonly alu?: {
    readonly op: string;
    readonly signed: boolean;
    readonly pattern?: bigint;
    readonly a?: Place;
    readonly b?: Place;
    readonly to: readonly Place[];
  };
  readonly bm?: { readonly toPe: boolean; readonly there: Place; readonly here: Place; readonly pe: number };
  readonly idp?: { readonly table: number; readonly mode: number; readonly block: number };
  readonly rrn?: PlainReduction;
}

/** A line that shows something or writes packets; it takes no time. */
export type PlainLook =
  | {
      readonly kind: 'IDP';
      readonly addr: number;
      readonly long: boolean;
      readonly count: number;
      readonly blocks: number;
      readonly mask: number;
      readonly each: boolean;
      readonly words: bigint[];
    }
  | { readonly kind: 'RRN'; readonly reduction: Omit<PlainReduction, 'conversion' | 'options'> }
  | {
      readonly kind: 'print';
      readonly block: number;
      readonly pe: number;
      readonly format: string;
      readonly place: Place;
      readonly count: number;
    }
  | {
      readonly kind: 'DBG';
      readonly of: string;
      readonly block: number;
      readonly pe: number;
      readonly from: number;
      readonly to: number;
    };

/** A line of a section. */
export type PlainItem =
  | { readonly kind: 'slot'; readonly slot: PlainSlot }
  | { readonly kind: 'nop'; readonly line: number; readonly vlen: number; readonly count: number }
  | { readonly kind: 'look'; readonly line: number; readonly what: string; readonly look: PlainLook };

/** Names of sections in the order in which they run alone. */
export const plainSections = [
  'preamble',
  'initialization',
  'loopInitialization',
  'loopBody',
  'loopFinalization',
] as const;

/** A source that was read. */
export interface PlainProgram {
  readonly type: 1 | 2;
  readonly variables: readonly PlainVariable[];
  readonly constants: readonly { readonly addr: number; readonly long: boolean; readonly word: bigint }[];
  readonly regions: readonly { readonly name: string; readonly table: number; readonly count: number }[];
  readonly sections: Readonly<Record<(typeof plainSections)[number], readonly PlainItem[]>>;
}

/** Readings that change what a source means. */
export interface PlainReading {
  readonly type?: 1 | 2 | undefined;
  readonly roundPolicy: 'anyShort' | 'first' | 'allShort';
}

const inputNames = [
  'flt64to72',
  'flt64to36',
  'flt32to36',
  'fix64to72l',
  'fix64to72rs',
  'fix64to72ru',
  'fix64to36',
  'fix32to36l',
  'fix32to36rs',
  'fix32to36ru',
];
const outputNames = ['flt72to64', 'flt36to64', 'fix72to64l', 'fix72to64r', 'fix72to64w'];
const conversionNamed = (names: readonly string[], word: string): string =>
  /^\d+$/.test(word) ? names[Number(word)]! : word;

const specials: Readonly<Record<string, Place>> = {
  $t: { kind: 't', addr: 0, long: true, step: 0 },
  $ti: { kind: 'ti', addr: 0, long: true, step: 0 },
  $fb: { kind: 'fb', addr: 0, long: true, step: 0 },
  $pe: { kind: 'pe', addr: 0, long: true, step: 0 },
  $bb: { kind: 'bb', addr: 0, long: true, step: 0 },
  $lt: { kind: 'ind', addr: 0, long: true, step: 0 },
  $st: { kind: 'ind', addr: 0, long: false, step: 0 },
};

const widthOf = (long: boolean): number => (long ? 2 : 1);

/** The words of a line by component: blanks separate, quotes keep together, `#` ends. */
function componentsOf(line: string): readonly (readonly string[])[] {
  const bare = /^(?:[^"#]|"[^"]*")*/.exec(line)![0];
  const components: string[][] = [[]];
  for (const [word] of bare.matchAll(/;|(?:[^\s;"]|"[^"]*")+/g))
    if (word === ';') components.push([]);
    else components.at(-1)!.push(word);
  return components;
}

/** Reads a source without macros. */
export function plainProgram(source: string, reading: PlainReading): PlainProgram {
  const reader = new Reader(reading);
  for (const [at, line] of source.split(/\r\n|\n|\r/).entries()) reader.line(at + 1, componentsOf(line));
  return reader.end();
}

class Reader {
  readonly #reading: PlainReading;
  readonly #variables = new Map<string, PlainVariable>();
  readonly #aliases = new Map<string, string>();
  readonly #regions: { name: string; table: number; count: number }[] = [];
  readonly #free = { lm: 0, bm: 0 };
  /** Constants in the order in which they appear; their places follow the last variable. */
  readonly #constants: { readonly long: boolean; readonly word: bigint; readonly place: { addr: number } }[] =
    [];
  readonly #sections = {
    preamble: [] as PlainItem[],
    initialization: [] as PlainItem[],
    loopInitialization: [] as PlainItem[],
    loopBody: [] as PlainItem[],
    loopFinalization: [] as PlainItem[],
  };
  #section: keyof PlainProgram['sections'] = 'preamble';
  #vlen = 4;
  #mask = 0;
  #floatFlag = 0;
  #integerFlag = 0;
  #packet: { readonly long: boolean; readonly words: bigint[] } | undefined;
  #streams = false;
  #line = 0;
  /** `idp` by name or number, looked up when all regions are known. */
  readonly #inputs: { readonly word: string; readonly idp: { table: number } }[] = [];

  constructor(reading: PlainReading) {
    this.#reading = reading;
  }

  line(number: number, components: readonly (readonly string[])[]): void {
    const [words] = components as [readonly string[]];
    const [first, ...rest] = words;
    if (first === undefined) return;
    this.#line = number;
    switch (first) {
      case 'var':
      case 'bvar':
        this.#declare(first === 'var' ? 'lm' : 'bm', [...rest]);
        return;
      case 'evar':
        this.#regions.push({ name: rest[0]!, table: Number(rest[1]), count: Number(rest[2]) });
        return;
      case 'alias':
        this.#aliases.set(rest[0]!, rest[1]!);
        return;
      case 'prefix':
        return;
      case 'vlen':
        this.#vlen = Number(rest[0]);
        return;
      case 'mi':
        this.#mask = Number(rest[0]);
        return;
      case 'mof':
        this.#floatFlag = Number(rest[0]);
        return;
      case 'moi':
        this.#integerFlag = Number(rest[0]);
        return;
      case 'initialization':
        this.#section = 'initialization';
        return;
      case 'loop':
        this.#section = (
          {
            initialization: 'loopInitialization',
            body: 'loopBody',
            finalization: 'loopFinalization',
          } as const
        )[rest[0] as 'body'];
        return;
      case 'nop':
        this.#add({ kind: 'nop', line: number, vlen: this.#vlen, count: Number(rest[0] ?? 1) });
        return;
      case 'FLT':
        this.#packet!.words.push(wordOfDouble(Number(rest[0]), this.#packet!.long));
        return;
      case 'FIX': {
        const all = 1n << (this.#packet!.long ? 72n : 36n);
        this.#packet!.words.push((BigInt(rest[0]!) + all) % all);
        return;
      }
      case 'HEX':
        this.#packet!.words.push(BigInt(`0x${rest[0]}`));
        return;
      case 'IDP':
      case 'RRN':
      case 'DBG':
      case 'print':
        this.#add({
          kind: 'look',
          line: number,
          what: this.#whatOf(first, rest),
          look: this.#look(first, rest),
        });
        return;
      default:
        this.#slot(components);
    }
  }

  end(): PlainProgram {
    for (const { long, place } of this.#constants) {
      place.addr = this.#next('lm', long);
      this.#free.lm = place.addr + widthOf(long);
    }
    for (const { word, idp } of this.#inputs)
      idp.table = /^\d+$/.test(word) ? Number(word) : this.#regions.find(({ name }) => name === word)!.table;
    return {
      type: this.#reading.type ?? (this.#streams ? 2 : 1),
      variables: [...this.#variables.values()],
      constants: this.#constants.map(({ long, word, place: { addr } }) => ({ addr, long, word })),
      regions: this.#regions,
      sections: this.#sections,
    };
  }

  #add(item: PlainItem): void {
    this.#sections[this.#section].push(item);
  }

  #next(space: 'lm' | 'bm', long: boolean): number {
    const free = this.#free[space];
    return long ? Math.ceil(free / 2) * 2 : free;
  }

  #declare(space: 'lm' | 'bm', rest: string[]): void {
    const vector = rest[0] === 'vector';
    if (vector) rest.shift();
    const long = rest[0] !== 'short';
    if (rest[0] === 'short' || rest[0] === 'long') rest.shift();
    const name = rest.shift()!;
    const placed = rest[0] !== undefined && !/^(elt|hlt|rrn)\d*$/.test(rest[0]);
    let addr = this.#next(space, long);
    if (placed) {
      const where = rest.shift()!;
      addr = /^\d+$/.test(where) ? Number(where) : this.#variables.get(where)!.addr;
    } else this.#free[space] = addr + widthOf(long) * (vector ? 4 : 1);
    const word = rest.shift();
    const shape = { name, space, addr, long, vector };
    if (word === undefined) {
      this.#variables.set(name, shape);
      return;
    }
    const kind = word.slice(0, 3) as 'elt' | 'hlt' | 'rrn';
    let table = Number(word.slice(3) || 0);
    if (kind !== 'rrn' && word.length === 3 && rest.length > 1) table = Number(rest.shift());
    const conversion = conversionNamed(kind === 'rrn' ? outputNames : inputNames, rest[0]!);
    const [, op = '', options = ''] = rest;
    this.#variables.set(name, { ...shape, transfer: { kind, table, conversion, op, options } });
  }

  /** A place by its text. In `bm` and reductions broadcast memory always advances (GRAPE specification 0.1, C12). */
  #place(text: string): Place {
    // A name may be that of anything that objects have.
    if (Object.hasOwn(specials, text)) return specials[text]!;
    const constant = /^([ifh])(l?)"(.*)"$/.exec(text);
    if (constant) return this.#constant(constant[1]!, constant[2] === 'l', constant[3]!);
    const written = /^\$(l?)([rmb])(\d+)(v?)(\d*)$/.exec(text);
    if (written) {
      const long = written[1] === 'l';
      const kind = ({ r: 'grf', m: 'lm', b: 'bm' } as const)[written[2] as 'r' | 'm' | 'b'];
      const advances = kind === 'bm' || written[4] === 'v';
      const stride = written[5] === '' ? 1 : Number(written[5]);
      return { kind, addr: Number(written[3]), long, step: advances ? stride * widthOf(long) : 0 };
    }
    const alias = this.#aliases.get(text);
    if (alias !== undefined) return this.#place(alias);
    const [, name, index] = /^(\w+)(?:\[(\d)\])?$/.exec(text)!;
    const { space, addr, long, vector } = this.#variables.get(name!)!;
    const width = widthOf(long);
    const advances = space === 'bm' || (vector && index === undefined);
    return { kind: space, addr: addr + Number(index ?? 0) * width, long, step: advances ? width : 0 };
  }

  #constant(letter: string, long: boolean, text: string): Place {
    const all = 1n << (long ? 72n : 36n);
    const word =
      letter === 'h'
        ? BigInt(`0x${text}`)
        : letter === 'f'
          ? wordOfDouble(Number(valueOfExpression(text)), long)
          : ((valueOfExpression(text) as bigint) + all) % all;
    const known = this.#constants.find((one) => one.long === long && one.word === word);
    // The address comes when the last variable is known: the place is the very object that is filled then.
    const place = (known?.place ?? { kind: 'lm', addr: -1, long, step: 0 }) as Place & { addr: number };
    if (!known) this.#constants.push({ long, word, place });
    return place;
  }

  #targets(words: readonly string[]): readonly Place[] {
    return words.map((word) => this.#place(word === '$ti' ? '$t' : word));
  }

  /** Whether a result is rounded to 25 bits (GRAPE specification 2.4). */
  #rounds(to: readonly Place[]): boolean {
    switch (this.#reading.roundPolicy) {
      case 'first':
        return to[0]?.long === false;
      case 'allShort':
        return to.length > 0 && to.every(({ long }) => !long);
      default:
        return to.some(({ long }) => !long);
    }
  }

  #slot(components: readonly (readonly string[])[]): void {
    const parts: { -readonly [K in keyof PlainSlot]?: PlainSlot[K] } = {};
    for (const [word, ...rest] of components as readonly (readonly [string, ...string[]])[])
      this.#unit(parts, word, rest);
    const works = parts.mul || parts.add || parts.alu || parts.bm;
    this.#add({
      kind: 'slot',
      slot: {
        line: this.#line,
        vlen: this.#vlen,
        mask: this.#mask,
        floatFlag: parts.add ? this.#floatFlag : 0,
        integerFlag: parts.alu ? this.#integerFlag : 0,
        ...parts,
      },
    });
    if (!works) return;
    // Both belong to the next instruction of the PEs and to no other (GRAPE specification 2.8).
    this.#floatFlag = 0;
    this.#integerFlag = 0;
  }

  #unit(
    parts: { -readonly [K in keyof PlainSlot]?: PlainSlot[K] },
    word: string,
    rest: readonly string[],
  ): void {
    if (word === 'bm') {
      const [from, to] = [this.#place(rest[0]!), this.#place(rest[1]!)];
      const toPe = from.kind === 'bm';
      const pe = rest[2] === undefined ? -1 : Number(rest[2]);
      parts.bm = { toPe, there: toPe ? from : to, here: toPe ? to : from, pe };
      return;
    }
    if (word === 'idp') {
      this.#streams = true;
      const idp = { table: 0, mode: Number(rest[1] ?? 0), block: Number(rest[2] ?? -1) };
      this.#inputs.push({ word: rest[0]!, idp });
      parts.idp = idp;
      return;
    }
    if (word === 'rrn') {
      this.#streams = true;
      parts.rrn = this.#reduction(rest);
      return;
    }
    if (/^[iu]imm$/.test(word)) {
      const pattern = BigInt(`0x${rest[0]}`);
      parts.alu = { op: 'imm', signed: word[0] === 'i', pattern, to: this.#targets(rest.slice(1)) };
      return;
    }
    const [a, b] = [this.#place(rest[0]!), this.#place(rest[1]!)];
    const to = this.#targets(rest.slice(2));
    const float = /^(fadd|fsub)([ABSO]*)$/.exec(word);
    if (float) {
      const flags = float[2]! + (float[1] === 'fsub' ? 'S' : '');
      parts.add = { op: float[1]!, flags, short: this.#rounds(to), a, b, to };
      return;
    }
    if (/^[iu]/.test(word)) {
      parts.alu = { op: word.slice(1), signed: word[0] === 'i', a, b, to };
      return;
    }
    const dmul = ({ dmul0: 'vAB', dmul1: 'vAxz' } as Readonly<Record<string, string>>)[word];
    const plain = this.#rounds(to) ? 'wAzBRO' : 'wAzBO';
    const on = dmul ?? (word === 'fmul' ? plain : lettersOn(word.slice('fmul'.length)));
    parts.mul = { on, a, b, to };
  }

  #reduction(words: readonly string[]): PlainReduction {
    const [op, mem, ...rest] = words as [string, string, ...string[]];
    const from = this.#place(mem);
    const at = rest.findIndex(
      (word) => outputNames.includes(word) || (/^\d+$/.test(word) && rest.length === 1),
    );
    const text = rest.slice(0, at).join('');
    const count = /^\d+/.exec(text)?.[0];
    const options = text.replace(/^\d+/, '');
    return {
      op,
      from,
      count: count === undefined ? this.#wordsAt(mem) : Number(count),
      rounds: options.includes('r') || !from.long,
      options,
      conversion: conversionNamed(outputNames, rest[at]!),
    };
  }

  /** Four words for a vector, one for a scalar (GRAPE specification 3.7). */
  #wordsAt(text: string): number {
    const variable = this.#variables.get(text);
    return (variable?.vector ?? /^\$.*v$/.test(text)) ? 4 : 1;
  }

  #whatOf(first: string, rest: readonly string[]): string {
    if (first === 'RRN') return rest[1]!;
    return first === 'print' ? rest[3]! : rest.join(' ');
  }

  #look(first: string, rest: readonly string[]): PlainLook {
    switch (first) {
      case 'IDP': {
        const each = /^seq$/i.test(rest.at(-1)!);
        const given = each ? rest.slice(0, -1) : rest;
        const variable = this.#variables.get(given[0]!);
        const words: bigint[] = [];
        if (!variable) {
          const [count, at, blocks, mask] = given.map(Number) as [number, number, number, number];
          this.#packet = { long: true, words };
          return { kind: 'IDP', addr: 2 * at, long: true, count, blocks, mask, each, words };
        }
        const { addr, long, vector } = variable;
        const [blocks, mask] = [Number(given[1] ?? 0), Number(given[2] ?? 0)];
        this.#packet = { long, words };
        return { kind: 'IDP', addr, long, count: vector ? 4 : 1, blocks, mask, each, words };
      }
      case 'RRN': {
        const [op, mem, ...options] = rest as [string, string, ...string[]];
        const from = this.#place(mem);
        const text = options.join('');
        const count = /^\d+/.exec(text)?.[0];
        const rounds = text.includes('r') || !from.long;
        return {
          kind: 'RRN',
          reduction: { op, from, count: count === undefined ? this.#wordsAt(mem) : Number(count), rounds },
        };
      }
      case 'print': {
        const [block, pe, format, text] = rest as [string, string, string, string];
        const place = this.#place(text);
        const scalar = this.#variables.get(text)?.vector === false || text.endsWith(']');
        const spread = place.kind === 't' || (place.step > 0 && !scalar) || /^\$.*v\d*$/.test(text);
        const count = spread ? 4 : 1;
        return { kind: 'print', block: Number(block), pe: Number(pe), format, place, count };
      }
      default: {
        if (rest[0] === 'BM') {
          const [block, from, to] = rest.slice(1).map(Number) as [number, number, number];
          return { kind: 'DBG', of: 'BM', block, pe: 0, from, to };
        }
        const [block, pe] = [Number(rest[1]), Number(rest[2])];
        const of = rest[3]!;
        const from = Number(rest[4] ?? 0);
        const to = of === 'TREG' ? 3 : Number(rest[5] ?? from);
        return { kind: 'DBG', of, block, pe, from, to };
      }
    }
  }
}
