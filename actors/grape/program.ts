import type { AluFunction } from './arithmetic/alu.ts';
import type { Word } from './arithmetic/word.ts';

/*
 * An assembled program (GRAPE specification 3.9): plain immutable data. Addresses are short-word addresses.
 */

/** The parts of a program, in the order in which they run (GRAPE specification 3.3). */
export const sectionNames = [
  'preamble',
  'initialization',
  'loopInitialization',
  'loopBody',
  'loopFinalization',
] as const;

/** A part of a program. */
export type SectionName = (typeof sectionNames)[number];

/** An assembled program. */
export interface Program {
  /** Prefix of generated names. */
  readonly prefix: string;
  /** 1: passes over j particles, driven by the library. 2: the program itself moves data with `idp` and `rrn`. */
  readonly type: 1 | 2;
  readonly symbols: readonly Variable[];
  readonly aliases: Readonly<Record<string, string>>;
  readonly constants: readonly Constant[];
  readonly regions: readonly Region[];
  readonly sections: Readonly<Record<SectionName, readonly Item[]>>;
}

/** A variable in local memory (`var`) or in broadcast memory (`bvar`). */
export interface Variable {
  readonly name: string;
  readonly space: 'lm' | 'bm';
  readonly addr: number;
  readonly long: boolean;
  /** Four words, one an element. */
  readonly vector: boolean;
  /** Its address was written; otherwise it lies behind the variables before it. */
  readonly placed: boolean;
  readonly transfer?: Transfer;
}

/** How the host reaches a variable (GRAPE specification 3.3). */
export interface Transfer {
  readonly kind: 'elt' | 'hlt' | 'rrn';
  /** Number of the table, 0 unless written. */
  readonly num: number;
  /** Name of the conversion. */
  readonly conv: string;
  /** Opcode of the reduction, of `rrn` only. */
  readonly redop?: string;
  readonly redopt?: string;
}

/** A constant in local memory; equal words of equal length share one place (GRAPE specification 2.11). */
export interface Constant {
  readonly name: string;
  readonly addr: number;
  readonly long: boolean;
  readonly word: Word;
  /** The known bug of the form `il`: only the lower half is brought in (GRAPE specification 0.1, C15). */
  readonly lowerOnly?: true;
}

/** A region of external memory: `count` records of all `elt` variables of one number. */
export interface Region {
  readonly name: string;
  readonly elt: number;
  readonly count: number;
}

/** A line of code. */
export type Item = Slot | Nop | SimLine;

/** One machine instruction: everything that is done in one slot (GRAPE specification 3.5). */
export interface Slot {
  readonly kind: 'slot';
  readonly line: number;
  /** Elements 0..vlen-1 take part, 1..4. */
  readonly vlen: number;
  /** Mask register under which it runs, and those that take the flags of adder and ALU; 0 for none. */
  readonly mi: number;
  readonly mof: number;
  readonly moi: number;
  readonly mul?: MultiplyOp;
  readonly add?: AddOp | AluOp;
  readonly bm?: BmOp;
  readonly idp?: IdpOp;
  readonly rrn?: RrnOp;
}

/** Slots in which nothing happens. */
export interface Nop {
  readonly kind: 'nop';
  readonly line: number;
  readonly vlen: number;
  readonly count: number;
}

/** Where a word comes from or goes to (GRAPE specification 3.4). */
export interface Ref {
  /** `ind`: local memory at the address in T; `t`: the T register; `ti`, `fb`: forwarded results; `pe`, `bb`: numbers. */
  readonly kind: 'lm' | 'grf' | 'bm' | 't' | 'ti' | 'ind' | 'fb' | 'pe' | 'bb';
  /** Short-word address of element 0; 0 where there is none. */
  readonly addr: number;
  readonly long: boolean;
  /** Element k has its own word; otherwise all elements share one. */
  readonly vector: boolean;
  /** Words of the operand's width from one element to the next. */
  readonly stride: number;
  /** As it was written. */
  readonly text: string;
}

/** A multiplication. */
export interface MultiplyOp {
  /** Ten control bits, u is bit 9 and O bit 0 (GRAPE specification 2.5). */
  readonly bits: number;
  readonly a: Ref;
  readonly b: Ref;
  readonly dst: readonly Ref[];
}

/** An addition or subtraction of floats. */
export interface AddOp {
  readonly unit: 'fadd';
  readonly normA: boolean;
  readonly normB: boolean;
  readonly sub: boolean;
  readonly normO: boolean;
  readonly round: boolean;
  readonly a: Ref;
  readonly b: Ref;
  readonly dst: readonly Ref[];
}

/** A function of the integer ALU; `imm` has its pattern and no sources. */
export interface AluOp {
  readonly unit: 'ialu';
  readonly op: AluFunction | 'imm';
  readonly signed: boolean;
  /** 36 bits. */
  readonly imm?: Word;
  readonly a?: Ref;
  readonly b?: Ref;
  readonly dst: readonly Ref[];
}

/** A transfer between broadcast memory and PEs (GRAPE specification 3.6). */
export interface BmOp {
  readonly toPe: boolean;
  readonly bm: Ref;
  readonly pe: Ref;
  readonly peid?: number;
}

/** A transfer from external memory into broadcast memories (GRAPE specification 3.7). */
export interface IdpOp {
  readonly elt: number;
  /** Name of the region, '' when it was given by number. */
  readonly region: string;
  readonly mode: 0 | 1 | 2;
  /** Block of modes 1 and 2; below 0 all of them. */
  readonly bbid: number;
}

/** A reduction over the blocks to the output port (GRAPE specification 3.7). */
export interface RrnOp {
  readonly op: string;
  readonly mem: Ref;
  readonly n: number;
  readonly round: boolean;
  readonly odpoe: boolean;
  readonly sregen: boolean;
  readonly conv: string;
  readonly name?: string;
}

/** A line for the stand-alone simulator; it takes no time (GRAPE specification 7.6). */
export type SimLine = IdpLine | RrnLine | DbgLine | PrintLine;

/** Words put into broadcast memories: a packet with its data. */
export interface IdpLine {
  readonly kind: 'IDP';
  readonly line: number;
  /** As it was written after `IDP`. */
  readonly what: string;
  /** Short-word address of the first word. */
  readonly addr: number;
  readonly long: boolean;
  /** Words a block. */
  readonly count: number;
  /** Blocks b with (b & mask) = (bbn & mask). */
  readonly bbn: number;
  readonly mask: number;
  /** Each block has words of its own, one block after another. */
  readonly seq: boolean;
  readonly words: readonly Word[];
}

/** A reduction that is printed. */
export interface RrnLine {
  readonly kind: 'RRN';
  readonly line: number;
  readonly what: string;
  readonly op: string;
  readonly mem: Ref;
  readonly n: number;
  readonly round: boolean;
}

/** A raw dump. */
export interface DbgLine {
  readonly kind: 'DBG';
  readonly line: number;
  readonly what: string;
  readonly of: 'BM' | 'TREG' | 'GRF' | 'LM' | 'MREG';
  readonly bb: number;
  /** Undefined for broadcast memory. */
  readonly pe?: number;
  /** First and last long-word address, inclusive; the number of the mask register in `from`. */
  readonly from: number;
  readonly to: number;
}

/** Values printed. */
export interface PrintLine {
  readonly kind: 'print';
  readonly line: number;
  readonly what: string;
  readonly bb: number;
  readonly pe: number;
  readonly format: 'f' | 'i' | 'h';
  readonly ref: Ref;
}
