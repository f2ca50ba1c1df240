import { aluOps } from '../../actors/grape/arithmetic/alu.ts';
import { multiplierWords } from '../../actors/grape/arithmetic/multiplier.ts';
import { type Program, type Slot, sectionNames } from '../../actors/grape/program.ts';
import { assemble } from '../../machines/grape/assembler/assemble.ts';
import type { RoundPolicy } from '../../machines/grape/assembler/components.ts';
import { disassemble } from '../../machines/grape/assembler/disassemble.ts';

/**
 * A program as JSON without what its text alone decides: lines, spellings, and the order of components in a slot.
 * Equal programs have equal texts.
 */
export const meaning = (program: Program): string =>
  JSON.stringify(
    program,
    (key, value) => {
      if (key === 'line' || key === 'text') return undefined;
      if (typeof value === 'bigint') return `0x${value.toString(16)}`;
      if (typeof value !== 'object' || Array.isArray(value)) return value;
      return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
    },
    1,
  );

/** How a program fared on its way to canonical text and back (GRAPE specification 3.9). */
export interface RoundTrip {
  readonly program: Program;
  readonly again: Program;
  /** The canonical text, and the canonical text of what it assembles to. */
  readonly text: string;
  readonly textAgain: string;
}

/** Assembles a source, prints it, assembles that. Errors: `AssemblyError` if either is refused. */
export function roundTrip(
  source: string,
  type?: 1 | 2,
  legacy = false,
  roundPolicy: RoundPolicy = 'anyShort',
): RoundTrip {
  const { program } = assemble(source, { legacy, roundPolicy, ...(type && { type }) });
  const text = disassemble(program, roundPolicy);
  const again = assemble(text, { legacy, roundPolicy, type: program.type }).program;
  return { program, again, text, textAgain: disassemble(again, roundPolicy) };
}

/**
 * What breaks the law "assembling the canonical text gives an equal program, and printing that gives the same
 * text", none of whose lines is idle (GRAPE specification 3.9); undefined when nothing does.
 */
export function brokenLaw({ program, again, text, textAgain }: RoundTrip): string | undefined {
  if (meaning(again) !== meaning(program)) return 'the canonical text is another program';
  if (textAgain !== text) return 'the canonical text of the canonical text is another one';
  const idle = idleLine(text);
  return idle && `"${idle}" in the canonical text changes nothing`;
}

/** A line of canonical text that sets a vector length or a mask to what it is (GRAPE specification 3.9): 4 elements and mask 0 at first. */
function idleLine(text: string): string | undefined {
  const set: Record<string, string> = { vlen: '4', mi: '0' };
  return text.split('\n').find((line) => {
    const [word = '', value = ''] = line.split(' ');
    if (!(word in set)) return false;
    if (set[word] === value) return true;
    set[word] = value;
    return false;
  });
}

const multipliers = ['fmul', 'dmul0', 'dmul1', 'fmul with flags'];
const transfers = ['bm to PE', 'bm to PE peid', 'bm to BM', 'idp 0', 'idp 1', 'idp 2'];
const reductions = ['fadd', 'block', 'add', 'max', 'min', 'and', 'or', 'xor', 'passa', 'passb'];
const simulator = [
  'IDP',
  'IDP SEQ',
  'RRN',
  'BM',
  'TREG',
  'GRF',
  'LM',
  'MREG',
  'print f',
  'print i',
  'print h',
];

/**
 * Everything a slot or a line of code can do, by name: units with their functions, transfers, reductions,
 * simulator lines, masks.
 */
export const operations: readonly string[] = [
  ...multipliers,
  ...['fadd', 'fsub'].flatMap((word) => [word, ...[...'ABO'].map((flag) => `${word} ${flag}`)]),
  ...[...aluOps, 'imm'].flatMap((op) => [`u${op}`, `i${op}`]),
  ...transfers,
  ...reductions.map((op) => `rrn ${op}`),
  ...simulator,
  ...['nop', 'mi', 'mof', 'moi'],
];

/** Those of `operations` that a program does. */
export function operationsOf(program: Program): ReadonlySet<string> {
  const found = new Set<string>();
  for (const item of sectionNames.flatMap((name) => program.sections[name]))
    switch (item.kind) {
      case 'slot':
        for (const name of slotOperations(item)) found.add(name);
        break;
      case 'nop':
      case 'RRN':
        found.add(item.kind);
        break;
      case 'IDP':
        found.add(item.seq ? 'IDP SEQ' : 'IDP');
        break;
      case 'DBG':
        found.add(item.of);
        break;
      case 'print':
        found.add(`print ${item.format}`);
        break;
      default:
        item satisfies never;
    }
  return found;
}

function slotOperations({ mul, add, bm, idp, rrn, mi, mof, moi }: Slot): string[] {
  const found: string[] = [];
  if (mul) {
    const { dmul0, dmul1, fmulShort, fmulLong } = multiplierWords;
    const names = new Map<number, string>([
      [dmul0, 'dmul0'],
      [dmul1, 'dmul1'],
      [fmulShort, 'fmul'],
      [fmulLong, 'fmul'],
    ]);
    found.push(names.get(mul.bits) ?? 'fmul with flags');
  }
  if (add?.unit === 'ialu') found.push(`${add.signed ? 'i' : 'u'}${add.op}`);
  if (add?.unit === 'fadd') {
    const word = add.sub ? 'fsub' : 'fadd';
    found.push(word);
    if (!add.normA) found.push(`${word} A`);
    if (!add.normB) found.push(`${word} B`);
    if (!add.normO) found.push(`${word} O`);
  }
  if (bm) found.push(bm.toPe ? (bm.peid === undefined ? 'bm to PE' : 'bm to PE peid') : 'bm to BM');
  if (idp) found.push(`idp ${idp.mode}`);
  if (rrn)
    found.push(`rrn ${/^\d/.test(rrn.op) ? 'block' : /^fadd/.test(rrn.op) ? 'fadd' : rrn.op.slice(1)}`);
  for (const [name, mask] of Object.entries({ mi, mof, moi })) if (mask > 0) found.push(name);
  return found;
}
