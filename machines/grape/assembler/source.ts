import { inputConversions, outputConversions } from '../../../actors/grape/arithmetic/conversions.ts';
import { resultsOf, tableOf, tablesOf } from '../../../actors/grape/host-tables.ts';
import type { Program, RrnOp, SectionName, Variable } from '../../../actors/grape/program.ts';
import { conversionSource, hostWordsOf, takeName } from './source-conversions.ts';
import { imageForm, imageOf, imageSections, reductionWord } from './source-image.ts';
import { sizeOf } from './symbols.ts';

/**
 * The C source of a program's host library: defines what the header of `emitHeader` declares (GRAPE specification 2.9, 7.1, 7.3, 7.4).
 *
 * Details: C99, nothing but libc. The source holds the program as tables and talks to a machine through function pointers, so that a board and a
 * simulator are driven by the same text. `header` is the path by which it includes the header. A pure function of its arguments.
 */
export function emitSource(program: Program, base: string, header = `${base}.h`): string {
  const guard = `${program.prefix}_${base}`.toUpperCase().replace(/\W/g, '_');
  return `/* generated from ${base}.vsm by vsm -${program.type === 1 ? 'g' : 't'}; do not edit */
${transportText(program, guard)}
#ifndef ${guard}_TRANSPORT_ONLY

#include <string.h>

#include "${header}"

${imageText(program)}
${conversionsOf(program)}
${stateText(program)}
${functionsOf(program).join('\n')}
#endif /* ${guard}_TRANSPORT_ONLY */
`;
}

/** What a host has to know to attach a machine: the tables of a program, and the functions of a transport. */
function transportText({ prefix: P, type }: Program, guard: string): string {
  return `#ifndef ${guard}_TRANSPORT
#define ${guard}_TRANSPORT

/*
 * A machine for this library. A host that attaches one includes this file with ${guard}_TRANSPORT_ONLY
 * defined, for the declarations alone, fills in a struct ${P}_machine and calls ${P}_attach.
 *
 * Words of the chip travel as short words: 36 bits at the bottom of 64, a long word as its upper half and then
 * its lower half, as memory holds them. Addresses and counts are in short words.
 */

#include <stddef.h>
#include <stdint.h>

/* A constant in local memory of every PE. A short one has one short word. */
struct ${P}_constant {
    const char *name;
    int address, is_long;
    uint64_t shorts[2];
};

/* A variable. Its reduction has the form of an rrn instruction in the table of slots. */
struct ${P}_symbol {
    const char *name;
    enum { ${P}_local, ${P}_broadcast } space;
    int address, is_long, is_vector;
    enum { ${P}_internal, ${P}_elt, ${P}_hlt, ${P}_rrn } transfer;
    int table;          /* number of the table, of elt and hlt */
    int conversion;     /* its number, -1 for none */
    uint32_t reduction; /* of rrn */
};

/* A region of external memory: so many records of the elt variables of a table. */
struct ${P}_region {
    const char *name;
    int table;
    long long count;
};

/*
 * A program.
 *
${imageForm.replace(/^(?=.)/gm, ' * ').replace(/^$/gm, ' *')}
 */
struct ${P}_program {
    const char *prefix;
    int type; /* 1 or 2 */
    const uint32_t *slots;
    /* ${imageSections.join(', ')}, and the end of the last */
    size_t section_begin[${imageSections.length + 1}];
    const struct ${P}_constant *constants;
    size_t constant_count;
    const struct ${P}_symbol *symbols;
    size_t symbol_count;
    const struct ${P}_region *regions;
    size_t region_count;
};

/* The transport. Every function but the two numbers returns 0, or anything else for a fault of the machine. */
struct ${P}_machine {
    void *context; /* first argument of all */
    int (*number_of_pe)(void *context); /* PEs of a block */
    int (*number_of_bb)(void *context); /* blocks */
    /* Resets the machine, takes the program, brings in the constants, runs the section initialization. */
    int (*load)(void *context, const struct ${P}_program *program);
    /* Writes a record of a table to external memory: its variables in the order of the symbols. */
    int (*write_record)(void *context, int table, int record, const uint64_t *shorts, int count);
    /* Writes to local memory of one PE of every block; of all PEs for pe = -1. */
    int (*write_local)(void *context, int pe, int address, const uint64_t *shorts, int count);
${
  type === 1
    ? `    /* Puts a record of external memory into broadcast memory of every block. */
    int (*deliver)(void *context, int table, int record);
    /* Runs loop initialization, the loop body once a pass, loop finalization; block b has record
       pass * number_of_bb + b of table 0 in broadcast memory. */
    int (*run)(void *context, int passes);
    /* Reduces elements 0, 1, ... of a variable of one PE over the blocks: a word for each element. */
    int (*reduce)(void *context, int symbol, int pe, int elements, uint64_t *shorts);`
    : `    /* Runs loop initialization, the loop body once a pass, loop finalization. */
    int (*run)(void *context, int passes);
    /* Takes the next short words that reductions of the last run put out, in the order of their execution,
       before any conversion. */
    int (*receive)(void *context, uint64_t *shorts, int count);`
}
};

/* Makes a machine that of this library, which is not initialised then; copies the struct. None for NULL. */
void ${P}_attach(const struct ${P}_machine *machine);

#endif /* ${guard}_TRANSPORT */
`;
}

const hex = (value: number | bigint, digits: number): string =>
  `0x${value.toString(16).padStart(digits, '0')}`;

/** A table of C, and how it is named in the initialiser of the program; C has no empty arrays. */
function tableText(type: string, name: string, rows: readonly string[]): { text: string; use: string } {
  if (rows.length === 0) return { text: '', use: 'NULL' };
  return { text: `static const ${type} ${name}[] = {\n${rows.join('\n')}\n};\n\n`, use: name };
}

const wordsPerRow = 8;

function imageText(program: Program): string {
  const { prefix: P, type } = program;
  const sections = imageOf(program);
  const begins = [0];
  for (const words of sections) begins.push(begins.at(-1)! + words.length);
  const rows = sections.flatMap((words, at) => [
    ...(words.length > 0 ? [`    /* ${imageSections[at]} */`] : []),
    ...Array.from(
      { length: Math.ceil(words.length / wordsPerRow) },
      (_, row) =>
        `    ${words
          .slice(row * wordsPerRow, (row + 1) * wordsPerRow)
          .map((word) => `${hex(word, 8)},`)
          .join(' ')}`,
    ),
  ]);
  const slots = tableText('uint32_t', 'slots', rows);
  const constants = tableText(
    `struct ${P}_constant`,
    'constants',
    program.constants.map(({ name, addr, long, word }) => {
      const shorts = long ? [word >> 36n, word & 0xf_ffff_ffffn] : [word, 0n];
      const digits = shorts.map((one) => `${hex(one, 9)}ull`).join(', ');
      return `    { "${name}", ${addr}, ${Number(long)}, { ${digits} } },`;
    }),
  );
  const symbols = tableText(
    `struct ${P}_symbol`,
    'symbols',
    program.symbols.map((symbol) => `    { ${symbolFields(symbol, P)} },`),
  );
  const regions = tableText(
    `struct ${P}_region`,
    'regions',
    program.regions.map(({ name, elt, count }) => `    { "${name}", ${elt}, ${count} },`),
  );
  return `${slots.text}${constants.text}${symbols.text}${regions.text}static const struct ${P}_program program = {
    "${P}", ${type},
    ${slots.use}, { ${begins.join(', ')} },
    ${constants.use}, ${program.constants.length},
    ${symbols.use}, ${program.symbols.length},
    ${regions.use}, ${program.regions.length}
};
`;
}

function symbolFields({ name, space, addr, long, vector, transfer }: Variable, P: string): string {
  const conversions: readonly { readonly name: string; readonly number: number }[] =
    transfer?.kind === 'rrn' ? outputConversions : inputConversions;
  const number = conversions.find((one) => one.name === transfer?.conv)?.number ?? -1;
  const reduction =
    transfer?.kind === 'rrn' ? reductionOf(transfer.redop!, transfer.redopt ?? '', number, long) : 0;
  return [
    `"${name}"`,
    `${P}_${space === 'lm' ? 'local' : 'broadcast'}`,
    addr,
    Number(long),
    Number(vector),
    `${P}_${transfer?.kind ?? 'internal'}`,
    transfer?.num ?? 0,
    number,
    hex(reduction, 8),
  ].join(', ');
}

/** The word of a declared reduction; a short variable is rounded in the tree as well (GRAPE specification 2.10). */
function reductionOf(op: string, options: string, conversion: number, long: boolean): number {
  const bit = (on: boolean, at: number): number => (on ? 2 ** at : 0);
  return (
    reductionWord(op) +
    conversion * 2 ** 20 +
    bit(options.includes('r') || !long, 24) +
    bit(!options.includes('o'), 25) +
    bit(!options.includes('s'), 26)
  );
}

/** The reductions of a section whose output port is on, in the order of their execution. */
const outputsOf = ({ sections }: Program, name: SectionName): readonly RrnOp[] =>
  sections[name].flatMap((item) => (item.kind === 'slot' && item.rrn?.odpoe ? [item.rrn] : []));

const outputSections = ['loopInitialization', 'loopBody', 'loopFinalization'] as const;

/** Variables that some function of the library sends. */
const sentOf = (program: Program): readonly Variable[] =>
  (['elt', 'hlt'] as const).flatMap((kind) => {
    const tables = new Set([
      ...(program.type === 1 || kind === 'hlt' ? [0] : []),
      ...tablesOf(program, kind),
    ]);
    return [...tables].flatMap((num) => tableOf(program, kind, num));
  });

function conversionsOf(program: Program): string {
  const taken =
    program.type === 1
      ? resultsOf(program).map(({ transfer }) => takeName(transfer!.conv, transfer!.redop!))
      : outputSections.flatMap((name) => outputsOf(program, name).map(({ conv, op }) => takeName(conv, op)));
  return conversionSource(new Set(sentOf(program).map(({ transfer }) => transfer!.conv)), new Set(taken));
}

function stateText(program: Program): string {
  const { prefix: P, type } = program;
  const countsElements =
    tableOf(program, 'hlt', 0).length > 0 || (type === 1 && resultsOf(program).length > 0);
  return `enum { done = 0, not_initialised = -1, bad_count = -2, not_registered = -3, machine_fault = -4 };

static struct ${P}_machine machine;
static int is_attached = 0;
static int is_running = 0;
/* The conversion table in use: -1 before initialisation, 0 that of i particles, else that of a table. */
static int table = -1;
${type === 1 ? 'static int particles = 0;\n' : ''}
static int outcome(int fault)
{
    return fault == 0 ? done : machine_fault;
}
${
  countsElements
    ? `
/* Elements of a PE among n particles, four a PE. */
static int elements_of(int n, int pe)
{
    return n - 4 * pe < 4 ? n - 4 * pe : 4;
}
`
    : ''
}
void ${P}_attach(const struct ${P}_machine *attached)
{
    is_attached = attached != NULL;
    if (is_attached)
        machine = *attached;
    is_running = 0;
    table = -1;
}

void ${P}_grape_init()
{
    table = -1;
${type === 1 ? '    particles = 0;\n' : ''}    if (is_attached && machine.load(machine.context, &program) == 0)
        table = 0;
}

int ${P}_number_of_pe()
{
    return is_attached ? machine.number_of_pe(machine.context) : not_initialised;
}

int ${P}_number_of_bb()
{
    return is_attached ? machine.number_of_bb(machine.context) : not_initialised;
}
`;
}

function functionsOf(program: Program): string[] {
  const { prefix: P, type } = program;
  const elt = tablesOf(program, 'elt');
  const hlt = tablesOf(program, 'hlt').filter((num) => num > 0);
  const record = (num: number): string => `struct ${P}_elt_struct${num} *jp`;
  const writes =
    type === 1
      ? [
          recordText(
            program,
            0,
            `${P}_send_j_particle(struct grape_j_particle_struct *jp, int index_in_EM)`,
            true,
          ),
          ...elt
            .filter((num) => num > 0)
            .map((num) => recordText(program, num, `${P}_send_elt_data${num}(${record(num)})`, false)),
        ]
      : elt.map((num) =>
          recordText(program, num, `${P}_send_elt_data${num}(${record(num)}, int index_in_EM)`, true),
        );
  return [
    ...writes,
    particlesText(program),
    ...hlt.map((num) => localTableText(program, num)),
    `int ${P}_register_i_particle_conversion()
{
    if (table < 0)
        return not_initialised;
    table = 0;
    return done;
}
`,
    ...(type === 1 ? [runText(program), resultText(program)] : typeTwoRun(program)),
  ];
}

/** Room for the words of some variables; C has no empty arrays. */
const roomOf = (shorts: number): number => Math.max(1, shorts);

const putText = ({ name, transfer }: Variable, value: string): string =>
  `at = put_${transfer!.conv}(at, ${value}${name}`;

/** A function that writes a record of external memory; without an index it is record 0, and delivered at once. */
function recordText(program: Program, num: number, declared: string, indexed: boolean): string {
  const variables = tableOf(program, 'elt', num);
  const shorts = variables.reduce((sum, one) => sum + sizeOf(one), 0);
  const lines = variables.flatMap((variable) =>
    variable.vector
      ? [`    for (k = 0; k < 4; k++)`, `        ${putText(variable, 'jp->')}[k]);`]
      : [`    ${putText(variable, 'jp->')});`],
  );
  const write = `machine.write_record(machine.context, ${num}, ${indexed ? 'index_in_EM' : '0'}, record, ${shorts})`;
  return `int ${declared}
{
    uint64_t record[${roomOf(shorts)}] = { 0 };
${variables.length > 0 ? '    uint64_t *at = record;\n' : ''}${variables.some(({ vector }) => vector) ? '    int k;\n' : ''}    if (table < 0)
        return not_initialised;
${indexed ? '    if (index_in_EM < 0)\n        return bad_count;\n' : ''}${variables.length > 0 ? lines.join('\n') : '    (void)jp;'}
${
  indexed
    ? `    return outcome(${write});`
    : `    if (${write} != 0)
        return machine_fault;
    return outcome(machine.deliver(machine.context, ${num}, 0));`
}
}
`;
}

/** Particle i goes to element i mod 4 of PE i / 4 of every block (GRAPE specification 7.3). */
function particlesText(program: Program): string {
  const { prefix: P, type } = program;
  const variables = tableOf(program, 'hlt', 0);
  const struct = type === 1 ? 'grape_i_particle_struct' : `${P}_hlt_struct0`;
  const blocks = variables.map(
    (variable) => `        at = words;
        for (k = 0; k < elements; k++)
            ${putText(variable, 'ip[4 * pe + k].')});
        if (machine.write_local(machine.context, pe, ${variable.addr}, words, (int)(at - words)) != 0)
            return machine_fault;
`,
  );
  const locals =
    blocks.length === 0
      ? ''
      : `    uint64_t words[8];
    uint64_t *at;
    int pe, k;
`;
  const loop =
    blocks.length === 0
      ? '    (void)ip;\n'
      : `    for (pe = 0; 4 * pe < n; pe++) {
        int elements = elements_of(n, pe);
${blocks.join('')}    }
`;
  return `int ${P}_send_i_particle(struct ${struct} *ip, int n)
{
${locals}    if (table < 0)
        return not_initialised;
    if (table != 0)
        return not_registered;
    if (n < 0 || n > 4 * ${P}_number_of_pe())
        return bad_count;
${loop}${type === 1 ? '    particles = n;\n' : ''}    return done;
}
`;
}

function localTableText(program: Program, num: number): string {
  const { prefix: P } = program;
  const writes = tableOf(program, 'hlt', num).map(
    (variable) => `    at = words;
    for (k = 0; k < 4; k++)
        ${putText(variable, 'ip->')}[k]);
    if (machine.write_local(machine.context, -1, ${variable.addr}, words, (int)(at - words)) != 0)
        return machine_fault;
`,
  );
  return `int ${P}_send_hlt_data${num}(struct ${P}_hlt_struct${num} *ip, int peindex)
{
    uint64_t words[8];
    uint64_t *at;
    int k;
    if (table < 0)
        return not_initialised;
    if (peindex != 0)
        return bad_count;
${writes.join('')}    table = ${num};
    return done;
}
`;
}

const passesText = `    if (table < 0)
        return not_initialised;
    if (is_running || n < 0)
        return bad_count;
    is_running = 1;
    fault = machine.run(machine.context, n);
    is_running = 0;
`;

const runText = ({ prefix: P }: Program): string => `int ${P}_grape_run(int n)
{
    int fault;
${passesText}    return outcome(fault);
}
`;

function resultText(program: Program): string {
  const { prefix: P, symbols } = program;
  const reads = resultsOf(program).map((variable) => {
    const { name, long, transfer } = variable;
    const { conv, redop } = transfer!;
    const take = `take_${takeName(conv, redop!)}`;
    const word = long ? 'words + 2 * k' : 'words + k';
    const assigned =
      hostWordsOf(conv) === 1
        ? `            rp[4 * pe + k].${name} = ${take}(${word});\n        }\n`
        : `            rp[4 * pe + k].${name}[0] = ${take}(${word});
            rp[4 * pe + k].${name}[1] = ${take}(${word} + 1);
        }
`;
    return `        if (machine.reduce(machine.context, ${symbols.indexOf(variable)}, pe, elements, words) != 0)
            return machine_fault;
        for (k = 0; k < elements; k++) {
${assigned}`;
  });
  const body =
    reads.length === 0
      ? `    (void)rp;
    return table < 0 ? not_initialised : done;
`
      : `    uint64_t words[8];
    int pe, k;
    if (table < 0)
        return not_initialised;
    for (pe = 0; 4 * pe < particles; pe++) {
        int elements = elements_of(particles, pe);
${reads.join('')}    }
    return done;
`;
  return `int ${P}_get_result(struct grape_result_struct *rp)\n{\n${body}}\n`;
}

/** The run of a type II program, and a function for each section that puts words out: 8 bytes a word (GRAPE specification 7.1). */
function typeTwoRun(program: Program): string[] {
  const { prefix: P } = program;
  const sending = outputSections.filter((name) => outputsOf(program, name).length > 0);
  const calls = (name: SectionName, indent: string): string =>
    sending.some((one) => one === name)
      ? `${indent}if (receive_${name}(&out) != 0)\n${indent}    return machine_fault;\n`
      : '';
  const body = calls('loopBody', '        ');
  const receives = [
    calls('loopInitialization', '    '),
    body === '' ? '' : `    for (pass = 0; pass < n; pass++) {\n${body}    }\n`,
    calls('loopFinalization', '    '),
  ].join('');
  return [
    ...sending.map((name) => receiveText(outputsOf(program, name), name)),
    `int ${P}_type2_run(int n, void *outp)
{
    int fault;
${sending.length > 0 ? '    unsigned char *out = outp;\n' : ''}${body === '' ? '' : '    int pass;\n'}${passesText}    if (fault != 0)
        return machine_fault;
${receives === '' ? '    (void)outp;\n' : receives}    return outcome(fault);
}
`,
  ];
}

function receiveText(reductions: readonly RrnOp[], name: SectionName): string {
  const shortsOf = ({ n, mem }: RrnOp): number => n * (mem.long ? 2 : 1);
  const doubles = reductions.some(({ conv }) => conv.startsWith('flt'));
  const integers = reductions.some(({ conv }) => conv.startsWith('fix'));
  const parts = reductions.map((op) => {
    const host = op.conv.startsWith('flt') ? 'real' : 'integer';
    // A word that the host sees as two is taken short word by short word.
    const step = op.mem.long && hostWordsOf(op.conv) === 1 ? 2 : 1;
    return `    if (machine.receive(machine.context, words, ${shortsOf(op)}) != 0)
        return machine_fault;
    for (k = 0; k < ${shortsOf(op)}; k += ${step}) {
        ${host} = take_${takeName(op.conv, op.op)}(words + k);
        memcpy(*out, &${host}, sizeof ${host});
        *out += sizeof ${host};
    }
`;
  });
  return `static int receive_${name}(unsigned char **out)
{
    uint64_t words[${Math.max(1, ...reductions.map(shortsOf))}];
    int k;
${doubles ? '    double real;\n' : ''}${integers ? '    long long integer;\n' : ''}${parts.join('')}    return done;
}
`;
}
