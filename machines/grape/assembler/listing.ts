import { type Item, type Program, sectionNames } from '../../../actors/grape/program.ts';
import type { Assembled } from './assemble.ts';
import { tellDiagnostic } from './diagnostics.ts';
import { sizeOf } from './symbols.ts';

/**
 * An assembled source for people: variables with their addresses, constants, then every line of code with its slot numbers and the units it
 * uses, and what there was to say (GRAPE specification 3.9).
 */
export function listing(source: string, file: string, { program, diagnostics, used }: Assembled): string {
  const lines = source.split('\n');
  const said = diagnostics.map((one) => tellDiagnostic(file, one));
  return [
    `${file}: prefix ${program.prefix}, type ${program.type === 1 ? 'I' : 'II'}, ${used.lm} short words of local memory, ${used.bm} of broadcast memory`,
    '',
    ...symbolLines(program),
    ...sectionNames.flatMap((name) => sectionLines(name, program.sections[name], lines)),
    ...(said.length === 0 ? ['no diagnostics'] : said),
    '',
  ].join('\n');
}

function symbolLines({ symbols, constants }: Program): string[] {
  const rows = [
    ...symbols.map((one) => ({
      space: one.space,
      addr: one.addr,
      size: sizeOf(one),
      name: one.name,
      what: [
        one.vector ? 'vector' : '',
        one.long ? 'long' : 'short',
        one.transfer ? `${one.transfer.kind}${one.transfer.num || ''} ${one.transfer.conv}` : '',
        one.transfer?.redop ?? '',
      ],
    })),
    ...constants.map(({ name, addr, long, word }) => ({
      space: 'lm',
      addr,
      size: long ? 2 : 1,
      name,
      what: [long ? 'long' : 'short', word.toString(16).padStart(long ? 18 : 9, '0')],
    })),
  ];
  const width = Math.max(4, ...rows.map(({ name }) => name.length));
  return rows.length === 0
    ? []
    : [
        ...rows.map(({ space, addr, size, name, what }) => {
          const place = `${space} ${String(addr).padStart(4)}..${String(addr + size - 1).padEnd(4)}`;
          return `${place} ${name.padEnd(width)}  ${what.filter(Boolean).join(' ')}`;
        }),
        '',
      ];
}

function sectionLines(name: string, items: readonly Item[], source: readonly string[]): string[] {
  if (items.length === 0) return [];
  let slot = 0;
  const rows = items.map((item) => {
    const text = (source[item.line - 1] ?? '').trim();
    const number = item.kind === 'slot' || item.kind === 'nop' ? String(slot).padStart(4) : '    ';
    slot += item.kind === 'nop' ? item.count : item.kind === 'slot' ? 1 : 0;
    return `${number}  ${unitsOf(item).padEnd(5)} ${String(item.line).padStart(5)}  ${text}`;
  });
  return [`${name}: ${slot} slots`, 'slot  units  line', ...rows, ''];
}

/** M multiplier, A adder, I integer ALU, B broadcast transfer, P input port, R reduction; n for nothing. */
function unitsOf(item: Item): string {
  if (item.kind === 'nop') return 'n';
  if (item.kind !== 'slot') return '';
  const { mul, add, bm, idp, rrn } = item;
  const letters = [mul && 'M', add && (add.unit === 'fadd' ? 'A' : 'I'), bm && 'B', idp && 'P', rrn && 'R'];
  return letters.filter(Boolean).join('');
}

/** A program as JSON that keeps every bit: words as hexadecimal text. */
export const programJson = (program: Program): string =>
  JSON.stringify(program, (_key, value) => (typeof value === 'bigint' ? `0x${value.toString(16)}` : value));
