import { inputConversions, outputConversions } from '../../../actors/grape/arithmetic/conversions.ts';
import { resultsOf, sentReductionsOf, tableOf, tablesOf } from '../../../actors/grape/host-tables.ts';
import type { Program, Variable } from '../../../actors/grape/program.ts';

const typeNames = { double: 'number', float: 'number', int64: 'bigint', int32: 'number' } as const;

const inputType = (conv: string): string =>
  typeNames[inputConversions.find(({ name }) => name === conv)!.cType];

function outputType(conv: string, words: number): string {
  const { cType, hostWords } = outputConversions.find(({ name }) => name === conv)!;
  return arrayType(typeNames[cType], words * hostWords);
}

const arrayType = (name: string, length: number): string =>
  length === 1 ? name : `readonly [${new Array<string>(length).fill(name).join(', ')}]`;

const member = (name: string, type: string): string => `  readonly ${name}: ${type};\n`;

function record(name: string, purpose: string, variables: readonly Variable[], arrays: boolean): string {
  const members = variables.map((one) =>
    member(one.name, arrayType(inputType(one.transfer!.conv), arrays && one.vector ? 4 : 1)),
  );
  return `/** ${purpose} */\nexport interface ${name} {\n${members.join('')}}\n`;
}

/** The records of a program's host interface as TypeScript (GRAPE specification 7.2): j, i and result records, and those of its tables. */
export function emitTypes(program: Program, base: string): string {
  const further = (kind: 'elt' | 'hlt') =>
    tablesOf(program, kind)
      .filter((num) => num > 0)
      .map((num) =>
        record(
          `${kind === 'elt' ? 'Elt' : 'Hlt'}Record${num}`,
          `A record of table ${kind}${num}.`,
          tableOf(program, kind, num),
          true,
        ),
      );
  const results =
    program.type === 1
      ? resultsOf(program).map(({ name, transfer }) => member(name, outputType(transfer!.conv, 1)))
      : sentReductionsOf(program).map(({ op, name }) => member(name, outputType(op.conv, op.n)));
  return [
    `// Generated from ${base}.vsm; do not edit.\n`,
    record('JParticle', 'A j record: what external memory holds.', tableOf(program, 'elt', 0), true),
    record('IParticle', 'An i particle: what local memory holds.', tableOf(program, 'hlt', 0), false),
    ...further('elt'),
    ...further('hlt'),
    `/** ${program.type === 1 ? 'The result of an i particle.' : 'What one pass sends.'} */\nexport interface Result {\n${results.join('')}}\n`,
  ].join('\n');
}
