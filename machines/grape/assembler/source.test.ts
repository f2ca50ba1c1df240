import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inputConversions } from '../../../actors/grape/arithmetic/conversions.ts';
import type { Word } from '../../../actors/grape/arithmetic/word.ts';
import { type HostValue, hostWords, wordOfHost } from '../../../actors/grape/host-words.ts';
import type { Program } from '../../../actors/grape/program.ts';
import { decoded, plain } from '../testing/image-reader.ts';
import { assemble } from './assemble.ts';
import { emitHeader } from './header.ts';
import { emitSource } from './source.ts';
import { imageOf, imageSections } from './source-image.ts';
import { emitTypes } from './types.ts';

const expanded = new URL('../../../properties/grape/golden/expanded/', import.meta.url);
const golden = (base: string): Program =>
  assemble(readFileSync(new URL(`${base}.vsm`, expanded), 'utf8')).program;

/** Every conversion of the host in one record, a table of each kind, and results of every conversion. */
const typeOne = assemble(`prefix all
bvar long a elt flt64to72
bvar short b elt flt64to36
bvar short c elt flt32to36
bvar long d elt fix64to72l
bvar long e elt fix64to72rs
bvar long f elt fix64to72ru
bvar short g elt fix64to36
bvar short h elt fix32to36l
bvar short k elt fix32to36rs
bvar short l elt fix32to36ru
bvar vector long m elt1 fix64to72rs
var vector long x hlt flt64to72
var vector short y hlt flt64to36
var vector short z hlt2 fix32to36rs
var vector long r rrn flt72to64 fadd
var vector long s rrn flt72to64 faddABO
var vector short t rrn flt36to64 fadd
var vector long u rrn fix72to64l uadd r
var vector long v rrn fix72to64r 1
var vector long w rrn fix72to64w umax
loop body
fadd $lr0v f"1.0" r
`).program;

const typeTwo = assemble(`prefix two
bvar vector long a elt flt64to72
bvar short b elt1 fix32to36rs
evar records 0 12
loop initialization
rrn faddO a flt72to64 first
loop body
idp records 1 -1
vlen 2
nop 3
mof 3
fsubA $lr0v $lr4v $t $lm8v2 ; dmul0 $lr4v $t $r20v
iimm 8000000ff $r8v $lt
bm $lr0v a 1
rrn umax a 3 fix72to64w
rrn uadd b ro flt36to64
rrn 1 b flt36to64 z
`).program;

/** The declarations of functions in a C text, without their ends. */
const functionsOf = (text: string, end: string): string[] =>
  [...text.matchAll(new RegExp(`^((?:int|void) \\w+\\([^;{]*\\))${end}$`, 'gm'))].map(([, one]) => one!);

describe('the C source of a host library', () => {
  test.each([
    ['matmul', golden('matmul')],
    ['sph', golden('sph')],
    ['all', typeOne],
    ['two', typeTwo],
  ])(
    'defines every function that the header of %s declares, and one to attach a machine',
    (base, program) => {
      const declared = functionsOf(emitHeader(program, base), ';');

      const defined = functionsOf(emitSource(program, base), '\\n\\{');

      expect(declared.length).toBeGreaterThan(6);
      expect([...defined].sort()).toEqual(
        [
          ...declared,
          `void ${program.prefix}_attach(const struct ${program.prefix}_machine *attached)`,
        ].sort(),
      );
    },
  );

  test('has in the layout of a pass what a pass sends: nothing of a reduction whose output is off', () => {
    const header = emitHeader(typeTwo, 'two');

    expect(/struct two_rrn_struct\{\n([^}]*)\}/.exec(header)![1]).toBe(
      '    long long rrn0[6];\n    double z;\n',
    );
    expect(emitTypes(typeTwo, 'two')).toMatch(/interface Result \{\n.*rrn0.*\n.*z.*\n\}/);
  });

  test('is a function of the program, the name and the path of the header alone', () => {
    const first = emitSource(golden('sph'), 'sph', '../include/density.h');
    const program = golden('sph');
    const before = structuredClone(program);

    expect(emitSource(program, 'sph', '../include/density.h')).toBe(first);
    expect(program).toEqual(before);
    expect(first).toContain('#include "../include/density.h"');
    expect(emitSource(program, 'sph')).toContain('#include "sph.h"');
  });

  test('has the symbols of sph with their addresses, transfers, conversions and reductions', () => {
    const text = emitSource(golden('sph'), 'sph');

    expect(text).toContain('{ "mj", sph_broadcast, 6, 0, 0, sph_elt, 0, 1, 0x00000000 },');
    expect(text).toContain('{ "hinv2", sph_local, 24, 1, 1, sph_hlt, 1, 0, 0x00000000 },');
    // unsigned add, conversion 3, output port and status register on
    expect(text).toContain('{ "nnb", sph_local, 42, 1, 1, sph_rrn, 0, 3, 0x06310000 },');
    expect(text).toContain('{ "const0", 58, 0, { 0x3ff000000ull, 0x000000000ull } },');
  });

  test.each([
    ['matmul', golden('matmul')],
    ['sph', golden('sph')],
    ['every part of an instruction', typeTwo],
  ])('holds the slots of %s in the form that its comment tells', (_, program) => {
    const text = emitSource(program, 'program');

    expect(decoded(tableOfText(text), sectionBegins(text))).toEqual(
      imageSections.map((name) => program.sections[name].map(plain)),
    );
    expect(tableOfText(text)).toEqual(imageOf(program).flat());
  });
});

/** The words of the table of slots in a source. */
function tableOfText(text: string): number[] {
  const body = /slots\[\] = \{\n([^}]*)\n\};/.exec(text)![1]!;
  return [...body.matchAll(/0x([0-9a-f]{8}),/g)].map(([, digits]) => Number.parseInt(digits!, 16));
}

const sectionBegins = (text: string): number[] =>
  /\n {4}slots, \{ ([\d, ]+) \},/.exec(text)![1]!.split(', ').map(Number);

const compiler = ['cc', 'gcc', 'clang', 'tcc'].find((name) => spawnSync(name, ['-v']).error === undefined);

/** Words that the transport of the tests answers to `reduce` and `receive`, short word k of a call. */
const answered = [
  0x400123456n,
  0xfedcba980n,
  0xc01800000n,
  0x800000001n,
  0n,
  0x7n,
  0x7fefffffffn,
  0xfffffffffn,
];
const answers = answered.map((word) => word & 0xf_ffff_ffffn);

const recorder = (P: string, type: 1 | 2): string => `
static int quiet = 0;
static void tell(const char *what, int x, int y, const uint64_t *shorts, int count)
{
    int k;
    if (quiet) return;
    printf("%s %d %d", what, x, y);
    for (k = 0; k < count; k++) printf(" %09llx", (unsigned long long)shorts[k]);
    printf("\\n");
}
static const uint64_t answers[] = { ${answers.map((word) => `${word}ull`).join(', ')} };
static int faulty = 0;
static int pes(void *context) { (void)context; return 2; }
static int blocks(void *context) { (void)context; return 3; }
static int load(void *context, const struct ${P}_program *program)
{ (void)context; tell("load", (int)program->symbol_count, (int)program->section_begin[4], NULL, 0); return faulty; }
static int write_record(void *context, int table, int record, const uint64_t *shorts, int count)
{ (void)context; tell("record", table, record, shorts, count); return faulty; }
static int write_local(void *context, int pe, int address, const uint64_t *shorts, int count)
{ (void)context; tell("local", pe, address, shorts, count); return faulty; }
static int run(void *context, int passes)
{
    tell("run", passes, ${P}_${type === 1 ? 'grape_run(1)' : 'type2_run(1, NULL)'}, NULL, 0);
    (void)context;
    return faulty;
}
${
  type === 1
    ? `static int deliver(void *context, int table, int record)
{ (void)context; tell("deliver", table, record, NULL, 0); return faulty; }
static int reduce(void *context, int symbol, int pe, int elements, uint64_t *shorts)
{
    (void)context;
    tell("reduce", symbol, pe, NULL, 0);
    memcpy(shorts, answers, (size_t)elements * 2 * sizeof *shorts);
    return faulty;
}
static const struct ${P}_machine recorder =
    { NULL, pes, blocks, load, write_record, write_local, deliver, run, reduce };`
    : `static int receive(void *context, uint64_t *shorts, int count)
{ (void)context; tell("receive", count, 0, NULL, 0); memcpy(shorts, answers, (size_t)count * sizeof *shorts); return faulty; }
static const struct ${P}_machine recorder =
    { NULL, pes, blocks, load, write_record, write_local, run, receive };`
}
static double real(uint64_t bits) { double value; memcpy(&value, &bits, sizeof value); return value; }
static void show(const void *value)
{ unsigned long long bits; memcpy(&bits, value, sizeof bits); printf("%016llx\\n", bits); }
`;

describe.skipIf(compiler === undefined)('compiled by a C compiler, which is in PATH', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'lockstep-source-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Compiles header and source, both as one who delivers them would. */
  function compile(program: Program, base: string): void {
    writeFileSync(join(folder, `${base}.h`), emitHeader(program, base));
    writeFileSync(join(folder, `${base}.c`), emitSource(program, base));
    execFileSync(compiler!, ['-std=c99', '-Wall', '-Werror', '-c', `${base}.c`, '-o', `${base}.o`], {
      cwd: folder,
      stdio: 'pipe',
    });
  }

  /** What a host program prints that uses the library with a transport that tells of every call. */
  function hosted(program: Program, base: string, main: string): string[] {
    compile(program, base);
    const guard = `${program.prefix}_${base}`.toUpperCase();
    const text = `#define ${guard}_TRANSPORT_ONLY
#include "${base}.c"
#include "${base}.h"
#include <stdio.h>
#include <string.h>
${recorder(program.prefix, program.type)}
int main(void)
{
${main}
    return 0;
}
`;
    writeFileSync(join(folder, 'main.c'), text);
    execFileSync(
      compiler!,
      ['-std=c99', '-Wall', '-Wno-unused-function', 'main.c', `${base}.o`, '-o', 'host'],
      {
        cwd: folder,
        stdio: 'pipe',
      },
    );
    return execFileSync(join(folder, 'host'), { encoding: 'utf8' }).trimEnd().split('\n');
  }

  test.each([
    ['matmul', golden('matmul')],
    ['sph', golden('sph')],
    ['all', typeOne],
    ['two', typeTwo],
    ['no-variables', assemble('prefix none\nloop body\nfadd $lr0v $lr8v $t\n').program],
    ['no-code', assemble('prefix none\n', { type: 2 }).program],
  ])('%s gives no warnings', (base, program) => {
    expect(() => compile(program, base)).not.toThrow();
  });

  test.each([
    ['all', typeOne],
    ['two', typeTwo],
    ['no-variables', assemble('prefix none\nloop body\nfadd $lr0v $lr8v $t\n').program],
    ['no-code', assemble('prefix none\n', { type: 2 }).program],
  ])('the header of %s stands alone, and a host can name every struct of it', (base, program) => {
    const P = program.prefix;
    writeFileSync(join(folder, `${base}.h`), emitHeader(program, base));
    writeFileSync(
      join(folder, 'alone.c'),
      `#include "${base}.h"
#include "${base}.h"
int none(void);
int none(void) { struct ${program.type === 1 ? 'grape_i_particle_struct' : `${P}_hlt_struct0`} *ip = 0; return ${P}_send_i_particle(ip, 0); }
int same(struct grape_i_particle_struct *ip);
int same(struct grape_i_particle_struct *ip) { return ${P}_send_i_particle(ip, 0); }
`,
    );

    const flags = ['-std=c99', '-Wall', '-Wextra', '-Werror', '-fsyntax-only'];
    const { status, stderr } = spawnSync(compiler!, [...flags, 'alone.c'], { cwd: folder, encoding: 'utf8' });

    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  test('values of every type arrive as the words that the library in TypeScript makes of them', () => {
    const doubles = [
      1,
      -2.5,
      0,
      -0,
      5e-324,
      Number.MAX_VALUE,
      Number.POSITIVE_INFINITY,
      1 / 3,
      -1.9999999999999998,
    ];
    const halves = [1 + 2 ** -25, 1 + 3 * 2 ** -25, 2 - 2 ** -26, 1 + 2 ** -25 + 2 ** -50];
    const integers = [0n, 1n, -1n, 0x7fff_ffff_ffff_ffffn, -0x8000_0000_0000_0000n, 0x1234_5678_9abc_def0n];
    const rows = Array.from({ length: 13 }, (_, at) => {
      const real = [...doubles, ...halves][at]!;
      const integer = integers[at % integers.length]!;
      return { real, single: Math.fround([0.1, 1e-45, -1e30, Infinity][at % 4]!), integer };
    });
    const values = rows.map(({ real, single, integer }): Record<string, HostValue> => {
      const narrow = Number(BigInt.asIntN(32, integer));
      return {
        a: real,
        b: real,
        c: single,
        d: integer,
        e: integer,
        f: integer,
        g: integer,
        h: narrow,
        k: narrow,
        l: narrow,
      };
    });
    const main = values
      .map((one, at) => {
        const set = Object.entries(one).map(([name, value]) => `        jp.${name} = ${literal(value)};`);
        return `    {\n        struct grape_j_particle_struct jp;\n${set.join('\n')}\n        all_send_j_particle(&jp, ${at});\n    }`;
      })
      .join('\n');

    const [, ...told] = hosted(typeOne, 'all', `    all_attach(&recorder);\n    all_grape_init();\n${main}`);

    expect(told).toEqual(
      values.map((one, at) => ['record', 0, at, ...recordShorts(typeOne, 'elt', 0, one)].join(' ')),
    );
  });

  test('particles, tables and results go where they belong, and results are converted as the output port does', () => {
    const told = hosted(
      typeOne,
      'all',
      `    struct grape_i_particle_struct ip[5];
    struct all_elt_struct1 ep = { { 1, -2, 3, -4 } };
    struct all_hlt_struct2 hp = { { 5, -6, 7, -8 } };
    struct grape_result_struct rp[5];
    int i;
    for (i = 0; i < 5; i++) { ip[i].x = i + 0.1; ip[i].y = -i - 0.1; }
    all_attach(&recorder);
    all_grape_init();
    printf("%d %d\\n", all_number_of_pe(), all_number_of_bb());
    all_send_elt_data1(&ep);
    all_send_hlt_data2(&hp, 0);
    printf("%d\\n", all_send_i_particle(ip, 5));
    all_register_i_particle_conversion();
    printf("%d\\n", all_send_i_particle(ip, 5));
    all_grape_run(7);
    quiet = 1;
    all_get_result(rp);
    for (i = 0; i < 5; i++) {
        show(&rp[i].r); show(&rp[i].s); show(&rp[i].t); show(&rp[i].u); show(&rp[i].v);
        show(&rp[i].w[0]); show(&rp[i].w[1]);
    }`,
    );

    const x = [0, 1, 2, 3, 4].map((i) => shorts(wordOfHost('flt64to72', i + 0.1), true));
    const y = [0, 1, 2, 3, 4].map((i) => shorts(wordOfHost('flt64to36', -i - 0.1), false));
    const place = (name: string): number => typeOne.symbols.find((one) => one.name === name)!.addr;
    expect(told.slice(0, 12)).toEqual([
      `load ${typeOne.symbols.length} ${imageOf(typeOne).flat().length}`,
      '2 3',
      [
        'record 1 0',
        ...[1n, -2n, 3n, -4n].flatMap((one) => shorts(wordOfHost('fix64to72rs', one), true)),
      ].join(' '),
      'deliver 1 0',
      [
        `local -1 ${place('z')}`,
        ...[5, -6, 7, -8].flatMap((one) => shorts(wordOfHost('fix32to36rs', one), false)),
      ].join(' '),
      '-3',
      [`local 0 ${place('x')}`, ...x.slice(0, 4).flat()].join(' '),
      [`local 0 ${place('y')}`, ...y.slice(0, 4).flat()].join(' '),
      [`local 1 ${place('x')}`, ...x.slice(4).flat()].join(' '),
      [`local 1 ${place('y')}`, ...y.slice(4).flat()].join(' '),
      '0',
      'run 7 -2',
    ]);
    const expected = [0, 1, 2, 3, 0].flatMap((k) => {
      const long = (answers[2 * k]! << 36n) | answers[2 * k + 1]!;
      const short = answers[k]! << 36n;
      return [
        ...hostWords('flt72to64', 'fadd', long),
        ...hostWords('flt72to64', 'faddABO', long),
        ...hostWords('flt36to64', 'fadd', short),
        ...hostWords('fix72to64l', 'uadd', long),
        ...hostWords('fix72to64r', '1', long),
        ...hostWords('fix72to64w', 'umax', long),
      ];
    });
    expect(told.slice(12)).toEqual(expected.map((bits) => bits.toString(16).padStart(16, '0')));
  });

  test('calls return what is wrong: no machine, not initialised, a bad count or index, a fault', () => {
    const told = hosted(
      typeOne,
      'all',
      `    struct grape_j_particle_struct jp = { 0 };
    struct grape_i_particle_struct ip[9] = { { 0 } };
    struct all_hlt_struct2 hp = { { 0 } };
    struct grape_result_struct rp[9];
    quiet = 1;
    all_grape_init();
    printf("%d %d\\n", all_number_of_pe(), all_number_of_bb());
    printf("%d %d %d\\n", all_send_j_particle(&jp, 0), all_grape_run(1), all_get_result(rp));
    all_attach(&recorder);
    printf("%d %d\\n", all_send_i_particle(ip, 1), all_register_i_particle_conversion());
    all_grape_init();
    printf("%d %d\\n", all_send_i_particle(ip, 8), all_send_i_particle(ip, 9));
    printf("%d %d\\n", all_send_j_particle(&jp, -1), all_send_hlt_data2(&hp, 1));
    printf("%d %d\\n", all_grape_run(0), all_grape_run(-1));
    faulty = 1;
    printf("%d %d %d\\n", all_send_j_particle(&jp, 0), all_grape_run(1), all_get_result(rp));
    all_grape_init();
    printf("%d\\n", all_grape_run(1));
    all_attach(NULL);
    printf("%d\\n", all_number_of_pe());`,
    );

    expect(told).toEqual(['-1 -1', '-1 -1 -1', '-1 -1', '0 -2', '-2 -2', '0 -2', '-4 -4 -4', '-1', '-1']);
  });

  test('a type II program puts out 8 bytes a word in the order in which its reductions were executed', () => {
    const told = hosted(
      typeTwo,
      'two',
      `    unsigned long long out[21];
    int i;
    for (i = 0; i < 21; i++) out[i] = 0x5555;
    two_attach(&recorder);
    two_grape_init();
    two_type2_run(2, out);
    for (i = 0; i < 21; i++) show(&out[i]);
    (void)real;`,
    );

    const longs = [0, 1, 2, 3].map((k) => (answers[2 * k]! << 36n) | answers[2 * k + 1]!);
    const first = longs.flatMap((word) => hostWords('flt72to64', 'faddO', word));
    const pass = [
      ...longs.slice(0, 3).flatMap((word) => hostWords('fix72to64w', 'umax', word)),
      ...hostWords('flt36to64', '1', answers[0]! << 36n),
    ];
    expect(told.slice(1, 7)).toEqual([
      'run 2 -2',
      'receive 8 0',
      'receive 6 0',
      'receive 1 0',
      'receive 6 0',
      'receive 1 0',
    ]);
    const bits = [...first, ...pass, ...pass, 0x5555n, 0x5555n, 0x5555n];
    expect(told.slice(7)).toEqual(bits.map((one) => one.toString(16).padStart(16, '0')));
  });
});

/** A value in C, bit for bit. */
function literal(value: HostValue): string {
  if (typeof value === 'bigint') return `(long long)${BigInt.asUintN(64, value)}ull`;
  if (Number.isInteger(value) && Math.abs(value) < 2 ** 32 && !Object.is(value, -0))
    return `(int)${value >>> 0}u`;
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  return `real(${view.getBigUint64(0)}ull)`;
}

const hexShort = (word: bigint): string => word.toString(16).padStart(9, '0');
const shorts = (word: Word, long: boolean): string[] =>
  long ? [hexShort(word >> 36n), hexShort(word & 0xf_ffff_ffffn)] : [hexShort(word)];

/** The short words of a record, by the library in TypeScript. */
function recordShorts(
  program: Program,
  kind: 'elt',
  num: number,
  values: Record<string, HostValue>,
): string[] {
  return program.symbols
    .filter(({ transfer }) => transfer?.kind === kind && transfer.num === num)
    .flatMap(({ name, long, transfer }) => {
      expect(inputConversions.map((one) => one.name)).toContain(transfer!.conv);
      return shorts(wordOfHost(transfer!.conv, values[name]!), long);
    });
}
