/** A code of the assembler's catalogue. */
export type DiagnosticCode = keyof typeof diagnosticCatalogue;

/** Something the assembler has to say about a line. */
export interface Diagnostic {
  readonly code: DiagnosticCode;
  /** From 1, in the text after macro expansion. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
  /** The operand or word it is about, '' for the line as a whole. */
  readonly text: string;
}

/** Everything the assembler can say: errors E_, warnings W_, hazards H_ (GRAPE specification 3.8, 4.3), with cause and cure. */
export const diagnosticCatalogue = {
  E_SYNTAX: [
    'the line is not a statement',
    'see the grammar: one statement a line, components separated by ";"',
  ],
  E_NAME: ['this is no name', 'a name is a letter followed by letters, digits and underscores'],
  E_RESERVED: ['elt, hlt and rrn, also with digits, are reserved', 'take another name'],
  E_REDEF: ['the name is declared already', 'take another name'],
  E_SPACE: ['a variable can be placed only on one of its own memory', 'place var on var and bvar on bvar'],
  E_ALIGN: ['a long word begins at an even short-word address', 'use an even number'],
  E_RANGE: ['the last word of the operand does not exist', 'use a smaller address, stride or vector length'],
  E_OVERFLOW: ['the memory is full', 'declare fewer or shorter variables and constants'],
  E_ELT_BVAR: ['elt moves data to broadcast memory', 'declare the variable with bvar'],
  E_VECTOR_REQUIRED: ['hlt and rrn need a vector in local memory', 'declare it as var vector'],
  E_CONV: ['no conversion has this name', 'see the table of conversions: flt64to72, flt64to36, flt72to64, …'],
  E_CONV_WIDTH: [
    'the conversion makes words of another width',
    'use a conversion for the width of the variable',
  ],
  E_RRNOP: ['rrn needs the operation of the reduction', 'add fadd, umax, a block number, …'],
  E_RRN_OP: [
    'this operation cannot reduce',
    'use fadd, or i/u with add, max, min, and, or, xor, passa, passb',
  ],
  E_RRN_OPT: ['options of rrn are a count and the letters r, o, s', 'write for example 4r'],
  E_RRN_BM: ['rrn reads broadcast memory', 'name a bvar or $b'],
  E_INDEX_SCALAR: ['only vectors have elements', 'leave the index out'],
  E_UNDEF: ['nothing has this name', 'declare it before it is used'],
  E_OPERAND: [
    'this is no operand here',
    'see the table of operands: $r, $lr, $m, $lm, $t, $ti, constants, names',
  ],
  E_DST: ['this cannot be written', 'write to a register, to local memory or to $t'],
  E_DST_IMM: ['a constant cannot be written', 'write to a register, to local memory or to $t'],
  E_STRIDE: ['only vectors in local memory have a stride', 'write it as $lm0v2'],
  E_OPCODE: ['there is no such operation', 'see the grammar; the ALU wants a prefix i or u'],
  E_ARITY: ['operands are missing or too many', 'see the grammar of the operation'],
  E_UNIT_TWICE: ['a unit does one thing a slot', 'put the second operation into the next slot'],
  E_NOP_ALONE: ['nop stands alone on its line', 'give it a line of its own'],
  E_PSEUDO_ALONE: ['this statement stands alone on its line', 'give it a line of its own'],
  E_IMM_PARALLEL: ['imm stands alone on its line', 'give it a line of its own'],
  E_IMM_RANGE: ['imm takes at most 36 bits', 'write up to nine hexadecimal digits'],
  E_CONST_RANGE: ['the constant is too wide', 'write a long constant (l), or a smaller number'],
  E_CONST_EXPR: [
    'the text of the constant is no expression',
    'use numbers, + - * / ** %, parentheses, Math.sqrt, Math::PI',
  ],
  E_VLEN: ['the vector length is 1..4', 'write vlen 1, 2, 3 or 4'],
  E_MASK: ['mask registers are 0..7', 'write a number from 0 to 7'],
  E_SECTION: [
    'there is no such section',
    'write initialization, or loop initialization, body or finalization',
  ],
  E_ALIAS: ['an alias stands for a register', 'write $r or $lr, a number and perhaps v'],
  E_FB_PORT: [
    '$fb enters at port A of adder and ALU only',
    'make it the first operand of fadd, fsub or an ALU operation',
  ],
  E_LM_PORT: [
    'a slot reads one operand of local memory, constants included',
    'copy one of them to a register before',
  ],
  E_GRF_PORT: ['a slot reads two operands of the register file', 'use $t or local memory for the third'],
  E_BM_PORT: [
    'a transfer to broadcast memory shares the input of adder and ALU',
    'transfer one of their operands',
  ],
  E_BM_SIDES: ['bm has exactly one side in broadcast memory', 'name one bvar or $b'],
  E_BM_PEID: ['a transfer to broadcast memory needs the number of the PE', 'write it at the end'],
  E_BM_SRC: ['a transfer to broadcast memory comes from the register file', 'copy the word to $r before'],
  E_BM_DST: ['bm cannot write this', 'write to a register, to local memory or to $t'],
  E_BM_OPERAND: ['broadcast memory is reached by bm and rrn only', 'bring the word to a PE with bm before'],
  E_EVAR_ELT: ['no bvar has this elt number', 'declare one: bvar long name elt1 flt64to72'],
  E_IDP_REGION: ['there is no such region', 'declare it: evar name number count'],
  E_IDP_MODE: ['the modes of idp are 0, 1 and 2', 'write 0, 1 or 2'],
  E_IDP_SHORT: ['the packet has fewer data lines than words', 'add FLT, FIX or HEX lines'],
  E_IDP_DATA: ['a data line belongs to no packet', 'write an IDP line before it, or drop it'],
  E_TYPE: ['a type I program moves data by itself', 'leave idp and rrn out, or assemble as type II (-t)'],
  E_MACRO: ['the macro text cannot be evaluated', 'see the message'],
  W_WIDTH_DEFAULT: ['the width is not written: long', 'write long or short'],
  W_SCALAR_DST: [
    'every element writes the same word; the last one stays',
    'write to a vector, or set vlen 1',
  ],
  W_UNIT_OUT: ['two units write the same memory in one slot', 'separate them'],
  W_MULTI_WRITE: ['one unit writes two places of one memory', 'write one of them in another slot'],
  W_BM_SRC: [
    'a transfer to broadcast memory comes from the register file (legacy: let through)',
    'copy the word to $r before',
  ],
  W_IDP_REGION: ['there is no such region (legacy: transfers nothing)', 'declare it with evar'],
  W_FLAG_REDUNDANT: ['S on fsub changes nothing', 'leave it out'],
  W_MASK_OUT_UNUSED: [
    'the instruction does not use the unit whose flag was to be stored',
    'move mof or moi before one that does',
  ],
  W_NAME_SHADOWS: ['the name is a word of the language', 'take another name'],
  H_LM_WR: ['local memory is read right after a slot that wrote it', 'put a slot between them'],
  H_T_STALE: [
    '$t is read right after a slot that wrote it: the old value',
    'read $ti, or put a slot between them',
  ],
  H_TI_IDLE: ['$ti is read after a slot that did not produce T', 'read $t'],
  H_FB_IDLE: ['$fb is read after a slot without a multiplication', 'put the multiplication right before'],
  H_GRF_STALE: ['a register is read right after it was written: the old value', 'put a slot between them'],
  H_MASK_STALE: ['the mask was written in the slot before: the old one counts', 'put a slot between them'],
  H_BM_WR: [
    'broadcast memory is read right after a slot that wrote it: the old value',
    'put a slot between them',
  ],
} as const satisfies Readonly<Record<string, readonly [cause: string, cure: string]>>;

/** True for codes that stop the assembly. */
export const isError = (code: DiagnosticCode): boolean => code.startsWith('E_');

/** A diagnostic as one line: place, code, finding, cause, cure. */
export function tellDiagnostic(file: string, { code, line, column, text }: Diagnostic): string {
  const [cause, cure] = diagnosticCatalogue[code];
  const found = text === '' ? '' : ` found "${text}":`;
  return `${file}:${line}:${column} ${code}${found} ${cause}; ${cure}`;
}

/** The first error of a source; nothing of it was assembled. */
export class AssemblyError extends Error {
  override readonly name = 'AssemblyError';
  readonly diagnostic: Diagnostic;
  constructor(file: string, diagnostic: Diagnostic) {
    super(tellDiagnostic(file, diagnostic));
    this.diagnostic = diagnostic;
  }
}
