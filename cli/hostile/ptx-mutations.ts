import type { Draw } from './draw.ts';
import { damaged } from './mutations.ts';

/*
 * Texts of PTX that are wrong in one or a few places: what somebody who writes or generates PTX gets wrong, so that most of them are read, and many are carried out.
 */

type Way = (lines: string[], draw: Draw) => void;

const instruction = /^(\s*(?:@!?%\w+\s+)?)([a-z]\w*)((?:\.[\w:]+)*)(\s+)(.*);(.*)$/;
const operand = /\[[^\]]*\]|%\w+(?:\.[xyzw])?|\$\w+|0[fFdD][0-9a-fA-F]+|-?\b\d+\b/g;
const numbers = [
  '0',
  '1',
  '-1',
  '3',
  '31',
  '32',
  '63',
  '64',
  '255',
  '4095',
  '65536',
  '2147483647',
  '2147483648',
  '4294967295',
  '4294967296',
  '-2147483648',
  '9223372036854775807',
  '18446744073709551616',
  '0f7FC00000',
  '0f7F800000',
  '0d7FF0000000000000',
];

/** The places of lines that hold an instruction. */
const instructionsOf = (lines: readonly string[]): readonly number[] =>
  lines.flatMap((line, at) => (instruction.test(line) ? [at] : []));

/** Changes one drawn instruction. */
const inOne =
  (change: (parts: string[], lines: readonly string[], places: readonly number[], draw: Draw) => void): Way =>
  (lines, draw) => {
    const places = instructionsOf(lines);
    if (places.length === 0) return;
    const at = draw.of(places);
    // Guard, opcode, modifiers, blanks, operands, the rest.
    const parts = instruction.exec(lines[at]!)!.slice(1);
    change(parts, lines, places, draw);
    const [guard, opcode, modifiers, blanks, operands, rest] = parts;
    lines[at] = `${guard}${opcode}${modifiers}${blanks}${operands};${rest}`;
  };

/** Operands of a drawn instruction. */
const otherOperands = (lines: readonly string[], places: readonly number[], draw: Draw): readonly string[] =>
  instruction.exec(lines[draw.of(places)]!)![5]!.match(operand) ?? ['0'];

const ways: Readonly<Record<string, Way>> = {
  otherOpcode: inOne((parts, lines, places, draw) => {
    parts[1] = instruction.exec(lines[draw.of(places)]!)![2]!;
  }),
  otherForm: inOne((parts, lines, places, draw) => {
    [, , parts[1], parts[2]] = instruction.exec(lines[draw.of(places)]!) as unknown as [
      string,
      string,
      string,
      string,
    ];
  }),
  otherModifier: inOne((parts, lines, places, draw) => {
    const own = parts[2]!.split('.').slice(1);
    const others = instruction.exec(lines[draw.of(places)]!)![3]!.split('.').slice(1);
    if (own.length > 0 && others.length > 0) own[draw.below(own.length)] = draw.of(others);
    parts[2] = own.map((one) => `.${one}`).join('');
  }),
  lessModifier: inOne((parts, _lines, _places, draw) => {
    const own = parts[2]!.split('.').slice(1);
    own.splice(draw.below(own.length), 1);
    parts[2] = own.map((one) => `.${one}`).join('');
  }),
  moreModifier: inOne((parts, lines, places, draw) => {
    parts[2] += instruction.exec(lines[draw.of(places)]!)![3]!;
  }),
  otherOperand: inOne((parts, lines, places, draw) => {
    const own = parts[4]!.match(operand) ?? [];
    if (own.length > 0)
      parts[4] = parts[4]!.replace(draw.of(own), () => draw.of(otherOperands(lines, places, draw)));
  }),
  otherNumber: inOne((parts, _lines, _places, draw) => {
    const own = parts[4]!.match(operand) ?? [];
    if (own.length > 0) parts[4] = parts[4]!.replace(draw.of(own), () => draw.of(numbers));
  }),
  otherOffset: inOne((parts, _lines, _places, draw) => {
    parts[4] = parts[4]!.replace(/(?:\+-?\d+)?\]/, () => `+${draw.of(numbers)}]`);
  }),
  lessOperand: inOne((parts, _lines, _places, draw) => {
    const own = parts[4]!.split(',');
    own.splice(draw.below(own.length), 1);
    parts[4] = own.join(',');
  }),
  moreOperand: inOne((parts, lines, places, draw) => {
    parts[4] += `, ${draw.of(otherOperands(lines, places, draw))}`;
  }),
  swappedOperands: inOne((parts) => {
    parts[4] = parts[4]!.split(',').reverse().join(',');
  }),
  otherTarget: inOne((parts, lines, _places, draw) => {
    const labels = lines.flatMap((line) => /^\s*(\$\w+):/.exec(line)?.[1] ?? []);
    if (labels.length > 0) parts[4] = draw.of(labels);
    if (labels.length > 0) [parts[1], parts[2]] = ['bra', draw.of(['', '.uni'])];
  }),
  otherGuard: inOne((parts, lines, _places, draw) => {
    const predicates = [...new Set(lines.flatMap((line) => line.match(/%p\d+/g) ?? []))];
    const guard = /^(\s*)@(!?)(%\w+)/.exec(parts[0]!);
    if (guard && draw.onceIn(2))
      parts[0] = draw.onceIn(2) ? guard[1]! : parts[0]!.replace(/@!?/, guard[2] ? '@' : '@!');
    else if (predicates.length > 0) parts[0] = `@${draw.of(['', '!'])}${draw.of(predicates)} `;
  }),
  moreInstruction: (lines, draw) => {
    const places = instructionsOf(lines);
    if (places.length > 0) lines.splice(draw.of(places), 0, lines[draw.of(places)]!);
  },
  lessInstruction: (lines, draw) => {
    const places = instructionsOf(lines);
    if (places.length > 0) lines.splice(draw.of(places), 1);
  },
  swappedInstructions: (lines, draw) => {
    const places = instructionsOf(lines);
    if (places.length === 0) return;
    const [one, other] = [draw.of(places), draw.of(places)];
    [lines[one], lines[other]] = [lines[other]!, lines[one]!];
  },
  /** Barriers and waits where they do not belong. */
  wait: (lines, draw) => {
    const places = instructionsOf(lines);
    const waits = [
      'bar.sync 0;',
      'barrier.sync 1, 64;',
      'bar.warp.sync 1;',
      'trap;',
      'ret;',
      'exit;',
      'brkpt;',
    ];
    if (places.length > 0) lines.splice(draw.of(places), 0, draw.of(waits));
  },
  declaration: (lines, draw) => {
    const places = lines.flatMap((line, at) =>
      /^\s*\.(?:reg|shared|local|global|const|param|visible|entry|func|maxntid|target|version|callprototype)|\.param/.test(
        line,
      )
        ? [at]
        : [],
    );
    if (places.length === 0) return;
    const at = draw.of(places);
    const types = ['.b8', '.u16', '.b32', '.f32', '.b64', '.f64', '.pred', '.b128', '.f16x2'];
    const changed = [
      (line: string) => line.replace(/\.[bfus](?:8|16|32|64)\b|\.pred/, draw.of(types)),
      (line: string) =>
        line.replace(/([<[(])\d+([>\])])/, (_, open, close) => `${open}${draw.of(numbers)}${close}`),
      (line: string) => line.replace(/\.align \d+/, `.align ${draw.of(numbers)}`),
      (line: string) =>
        line.replace(/\.(?:shared|local|global|const)/, draw.of(['.shared', '.local', '.global', '.const'])),
      () => '',
      (line: string) => `${line}\n${line}`,
    ];
    lines[at] = draw.of(changed)(lines[at]!);
  },
};

const names = Object.keys(ways);

/** A damaged text, and in which ways: three of four times as a program, else as any text. */
export function damagedPtx(text: string, draw: Draw): { readonly text: string; readonly how: string } {
  if (draw.onceIn(4)) {
    const { text: bytes, how } = damaged(Buffer.from(text), draw);
    return { text: bytes.toString(), how };
  }
  const lines = text.split('\n');
  const how = Array.from({ length: draw.of([1, 1, 1, 2, 3, 5]) }, () => draw.of(names));
  for (const one of how) ways[one]!(lines, draw);
  return { text: lines.join('\n'), how: how.join(' ') };
}
