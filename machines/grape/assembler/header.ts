import { inputConversions, outputConversions } from '../../../actors/grape/arithmetic/conversions.ts';
import { resultsOf, sentReductionsOf, tableOf, tablesOf } from '../../../actors/grape/host-tables.ts';
import type { Program, Variable } from '../../../actors/grape/program.ts';

/** A member of a struct: its C type, its name, its number of elements when it is an array. */
export interface Member {
  readonly cType: string;
  readonly name: string;
  readonly length?: number;
}

/** A struct of the generated interface. */
export interface Struct {
  readonly name: string;
  readonly members: readonly Member[];
}

const cNames = { double: 'double', float: 'float', int64: 'long long', int32: 'int' } as const;

const inputType = (conv: string): string => cNames[inputConversions.find(({ name }) => name === conv)!.cType];

/** `elt` vectors and everything of tables are arrays; i particles have one element each (GRAPE specification 7.1). */
function inputStruct(name: string, variables: readonly Variable[], arrays: boolean): Struct {
  return {
    name,
    members: variables.map((variable) => ({
      cType: inputType(variable.transfer!.conv),
      name: variable.name,
      ...(arrays && variable.vector && { length: 4 }),
    })),
  };
}

function resultMember(name: string, conv: string, words: number): Member {
  const conversion = outputConversions.find((one) => one.name === conv)!;
  const length = words * conversion.hostWords;
  return { cType: cNames[conversion.cType], name, ...(length > 1 && { length }) };
}

const structText = ({ name, members }: Struct): string =>
  [
    `struct ${name}{`,
    ...members.map(
      ({ cType, name: member, length }) =>
        `    ${cType} ${member}${length === undefined ? '' : `[${length}]`};`,
    ),
    '};',
    '',
    '',
  ].join('\n');

const renamed = (macro: string, name: string): string => `#undef ${macro}\n#define ${macro} ${name}\n\n`;

/** The C header of a program's host interface; `base` is the file's name without its ending (GRAPE specification 7.1). */
export function emitHeader(program: Program, base: string, type: 1 | 2 = program.type): string {
  const guard = `${program.prefix}_${base}_h`.toUpperCase().replace(/\W/g, '_');
  const text = type === 1 ? typeOne(program) : typeTwo(program);
  return `/* generated from ${base}.vsm by vsm -${type === 1 ? 'g' : 't'}; do not edit */
#ifndef ${guard}
#define ${guard}

${text}
#endif /* ${guard} */
`;
}

function typeOne(program: Program): string {
  const P = program.prefix;
  const elt = tablesOf(program, 'elt').filter((num) => num > 0);
  const hlt = tablesOf(program, 'hlt').filter((num) => num > 0);
  const structs = [
    inputStruct('grape_j_particle_struct', tableOf(program, 'elt', 0), true),
    ...elt.map((num) => inputStruct(`${P}_elt_struct${num}`, tableOf(program, 'elt', num), true)),
    inputStruct('grape_i_particle_struct', tableOf(program, 'hlt', 0), false),
    ...hlt.map((num) => inputStruct(`${P}_hlt_struct${num}`, tableOf(program, 'hlt', num), true)),
    {
      name: 'grape_result_struct',
      members: resultsOf(program).map(({ name, transfer }) => resultMember(name, transfer!.conv, 1)),
    },
  ];
  return [
    ...structs.map(structText),
    `void ${P}_grape_init();
int ${P}_number_of_pe();
int ${P}_number_of_bb();
int ${P}_send_j_particle(struct grape_j_particle_struct *jp, int index_in_EM);
`,
    ...elt.map((num) => `int ${P}_send_elt_data${num}(struct ${P}_elt_struct${num} *jp);\n`),
    `int ${P}_send_i_particle(struct grape_i_particle_struct *ip, int n);\n`,
    ...hlt.map((num) => `int ${P}_send_hlt_data${num}(struct ${P}_hlt_struct${num} *ip, int peindex);\n`),
    `int ${P}_register_i_particle_conversion();
int ${P}_grape_run(int n);
int ${P}_get_result(struct grape_result_struct *rp);
`,
  ].join('');
}

function typeTwo(program: Program): string {
  const P = program.prefix;
  const elt = tablesOf(program, 'elt');
  const hlt = tablesOf(program, 'hlt');
  return [
    ...elt.map(
      (num) =>
        structText(inputStruct(`${P}_elt_struct${num}`, tableOf(program, 'elt', num), true)) +
        (num === 0 ? renamed('grape_j_particle_struct', `${P}_elt_struct0`) : ''),
    ),
    ...hlt.map(
      (num) =>
        structText(inputStruct(`${P}_hlt_struct${num}`, tableOf(program, 'hlt', num), num > 0)) +
        (num === 0 ? renamed('grape_i_particle_struct', `${P}_hlt_struct0`) : ''),
    ),
    // The struct is named below in any case; without table 0 nobody can make one, so that its name is enough.
    ...(hlt.includes(0)
      ? []
      : [`struct ${P}_hlt_struct0;\n\n`, renamed('grape_i_particle_struct', `${P}_hlt_struct0`)]),
    structText({
      name: `${P}_rrn_struct`,
      members: sentReductionsOf(program).map(({ op, name }) => resultMember(name, op.conv, op.n)),
    }),
    `void ${P}_grape_init();
int ${P}_number_of_pe();
int ${P}_number_of_bb();
`,
    ...elt.map(
      (num) => `int ${P}_send_elt_data${num}(struct ${P}_elt_struct${num} *jp, int index_in_EM);
#define ${P}_elt_data${num} ${P}_send_elt_data${num}
`,
    ),
    `int ${P}_send_i_particle(struct ${P}_hlt_struct0 *ip, int n);\n`,
    ...hlt
      .filter((num) => num > 0)
      .map((num) => `int ${P}_send_hlt_data${num}(struct ${P}_hlt_struct${num} *ip, int peindex);\n`),
    `int ${P}_register_i_particle_conversion();
int ${P}_type2_run(int n, void *outp);
`,
  ].join('');
}
