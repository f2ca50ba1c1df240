import {
  multiplierDefaults,
  multiplierLetters,
  multiplierWords,
} from '../../../actors/grape/arithmetic/multiplier.ts';
import type {
  AddOp,
  AluOp,
  BmOp,
  Constant,
  IdpOp,
  Item,
  MultiplyOp,
  Program,
  Ref,
  RrnOp,
  SectionName,
  SimLine,
  Slot,
  Variable,
} from '../../../actors/grape/program.ts';
import { sectionNames } from '../../../actors/grape/program.ts';
import { type RoundPolicy, rounds } from './components.ts';

const sectionLines: Readonly<Record<Exclude<SectionName, 'preamble'>, string>> = {
  initialization: 'initialization',
  loopInitialization: 'loop initialization',
  loopBody: 'loop body',
  loopFinalization: 'loop finalization',
};

/**
 * A program as its canonical text (GRAPE specification 3.9).
 *
 * Details: assembling the text gives an equal program, line numbers and spellings of operands aside, and printing that gives the same text.
 * Items are in the order in which they were written, which numbers the constants (2.11), with a section line wherever the section changes.
 * Directives stand only where a value changes; operands are in `$` form, constants in hexadecimal. An address stands only in declarations
 * that had one: a variable placed by hand leaves the next free address where it is, on which the constants depend. `roundPolicy` is that under which the text is to be assembled: it decides what plain
 * `fmul` means.
 */
export function disassemble(program: Program, roundPolicy: RoundPolicy = 'anyShort'): string {
  const writer = new Writer(program, roundPolicy);
  writer.declarations();
  const items = sectionNames.flatMap((name) => program.sections[name].map((item) => ({ name, item })));
  let section: SectionName = 'preamble';
  for (const { name, item } of items.sort((a, b) => a.item.line - b.item.line)) {
    // Nothing leads back to the preamble; a program that was not assembled has it first, as its lines are equal.
    if (name !== section && name !== 'preamble') writer.line(sectionLines[name]);
    section = name;
    writer.item(item);
  }
  return writer.text;
}

class Writer {
  readonly #program: Program;
  readonly #lines: string[] = [];
  readonly #constants: ReadonlyMap<number, Constant>;
  #vlen = 4;
  #mi = 0;
  readonly #roundPolicy: RoundPolicy;

  constructor(program: Program, roundPolicy: RoundPolicy) {
    this.#roundPolicy = roundPolicy;
    this.#program = program;
    this.#constants = new Map(program.constants.map((one) => [one.addr, one]));
  }

  get text(): string {
    return `${this.#lines.join('\n')}\n`;
  }

  line(text: string): void {
    this.#lines.push(text);
  }

  declarations(): void {
    const { prefix, symbols, regions, aliases } = this.#program;
    if (prefix !== 'SING') this.line(`prefix ${prefix}`);
    for (const variable of symbols) this.line(declaration(variable));
    for (const { name, elt, count } of regions) this.line(`evar ${name} ${elt} ${count}`);
    for (const [name, register] of Object.entries(aliases)) this.line(`alias ${name} ${register}`);
  }

  item(item: Item): void {
    switch (item.kind) {
      case 'nop':
        this.#setVlen(item.vlen);
        this.line(item.count === 1 ? 'nop' : `nop ${item.count}`);
        return;
      case 'slot':
        this.#slot(item);
        return;
      default:
        for (const text of simulatorText(item)) this.line(text);
    }
  }

  #setVlen(vlen: number): void {
    if (vlen !== this.#vlen) this.line(`vlen ${vlen}`);
    this.#vlen = vlen;
  }

  #slot(slot: Slot): void {
    this.#setVlen(slot.vlen);
    if (slot.mi !== this.#mi) this.line(`mi ${slot.mi}`);
    this.#mi = slot.mi;
    if (slot.mof > 0) this.line(`mof ${slot.mof}`);
    if (slot.moi > 0) this.line(`moi ${slot.moi}`);
    const { mul, add, bm, idp, rrn } = slot;
    const components = [
      mul && this.#multiplication(mul),
      add && (add.unit === 'fadd' ? this.#addition(add) : this.#alu(add)),
      bm && this.#transfer(bm),
      idp && inputTransfer(idp),
      rrn && this.#reduction(rrn),
    ];
    this.line(components.filter((one) => one !== undefined).join(' ; '));
  }

  #operands(...refs: readonly Ref[]): string {
    return refs.map((ref) => this.#operand(ref)).join(' ');
  }

  #operand(ref: Ref): string {
    const { kind, addr, long, vector, stride, text } = ref;
    const l = long ? 'l' : '';
    const v = vector ? 'v' : '';
    switch (kind) {
      case 'grf':
        return `$${l}r${addr}${v}`;
      case 'lm': {
        const constant = /^[ifh]l?"/.test(text) ? this.#constants.get(addr) : undefined;
        if (constant) return constantText(constant);
        return `$${l}m${addr}${v}${vector && stride !== 1 ? stride : ''}`;
      }
      case 'bm':
        return `$${l}b${addr}${/v$/.test(text) || !text.startsWith('$') ? 'v' : ''}`;
      case 'ind':
        return long ? '$lt' : '$st';
      default:
        return `$${kind}`;
    }
  }

  #multiplication({ bits, a, b, dst }: MultiplyOp): string {
    const plain = rounds(dst, this.#roundPolicy) ? multiplierWords.fmulShort : multiplierWords.fmulLong;
    const word =
      bits === plain
        ? 'fmul'
        : bits === multiplierWords.dmul0
          ? 'dmul0'
          : bits === multiplierWords.dmul1
            ? 'dmul1'
            : `fmul${flagsOf(bits)}`;
    return `${word} ${this.#operands(a, b, ...dst)}`;
  }

  #addition({ normA, normB, sub, normO, a, b, dst }: AddOp): string {
    const flags = `${normA ? '' : 'A'}${normB ? '' : 'B'}${normO ? '' : 'O'}`;
    return `${sub ? 'fsub' : 'fadd'}${flags} ${this.#operands(a, b, ...dst)}`;
  }

  #alu({ op, signed, imm, a, b, dst }: AluOp): string {
    const word = `${signed ? 'i' : 'u'}${op}`;
    if (imm !== undefined) return `${word} ${imm.toString(16)} ${this.#operands(...dst)}`;
    return `${word} ${this.#operands(a!, b!, ...dst)}`;
  }

  #transfer({ toPe, bm, pe, peid }: BmOp): string {
    const sides = toPe ? this.#operands(bm, pe) : this.#operands(pe, bm);
    return `bm ${sides}${peid === undefined ? '' : ` ${peid}`}`;
  }

  #reduction({ op, mem, n, round, odpoe, sregen, conv, name }: RrnOp): string {
    const options = `${n}${round ? 'r' : ''}${odpoe ? '' : 'o'}${sregen ? '' : 's'}`;
    return `rrn ${op} ${this.#operand(mem)} ${options} ${conv}${name === undefined ? '' : ` ${name}`}`;
  }
}

/** The letters that differ from the defaults, in the order of the bits. No flag at all would mean plain `fmul`. */
function flagsOf(bits: number): string {
  return [...multiplierLetters].filter((_, at) => ((bits ^ multiplierDefaults) >> (9 - at)) & 1).join('');
}

const constantText = ({ long, word }: Constant): string =>
  long ? `hl"${word.toString(16).padStart(18, '0')}"` : `h"${word.toString(16).padStart(9, '0')}"`;

function declaration({ name, space, addr, long, vector, placed, transfer }: Variable): string {
  const words = [
    space === 'lm' ? 'var' : 'bvar',
    ...(vector ? ['vector'] : []),
    long ? 'long' : 'short',
    name,
    ...(placed ? [String(addr)] : []),
  ];
  if (transfer) {
    const { kind, num, conv, redop, redopt } = transfer;
    words.push(`${kind}${num === 0 ? '' : num}`, conv);
    if (redop !== undefined) words.push(redop);
    if (redopt !== undefined) words.push(redopt);
  }
  return words.join(' ');
}

function inputTransfer({ elt, region, mode, bbid }: IdpOp): string {
  return `idp ${region === '' ? elt : region} ${mode} ${bbid}`;
}

function simulatorText(item: SimLine): string[] {
  switch (item.kind) {
    case 'IDP': {
      const digits = item.long ? 18 : 9;
      return [
        `IDP ${item.what}`,
        ...item.words.map((word) => `HEX ${word.toString(16).padStart(digits, '0')}`),
      ];
    }
    case 'RRN':
      return [`RRN ${item.op} ${item.what} ${item.n}${item.round ? 'r' : ''}`];
    case 'DBG':
      return [`DBG ${item.what}`];
    case 'print':
      return [`print ${item.bb} ${item.pe} ${item.format} ${item.what}`];
  }
}
