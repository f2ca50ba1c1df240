import type { ExecutionMode } from '../../actors/grape/block/block.ts';
import { ReferenceBlock } from '../../actors/grape/block/reference-block.ts';
import type { GrapeResult } from '../../actors/grape/host-calls.ts';
import type { HostRecord } from '../../actors/grape/host-words.ts';
import type { Program, SectionName } from '../../actors/grape/program.ts';
import { type Assembled, assemble } from '../../machines/grape/assembler/assemble.ts';
import { emitHeader } from '../../machines/grape/assembler/header.ts';
import { type BlockMaker, Chip, type ChipSpec } from '../../machines/grape/chip.ts';
import { ChipLibrary } from '../../machines/grape/chip-library.ts';
import type { GrapeConfig } from '../../machines/grape/config.ts';
import { GrapeLibrary } from '../../machines/grape/library.ts';
import { expandMacros } from '../../machines/grape/macros/expand.ts';
import { equalRow, type Row } from '../reference-row.ts';

/** Reads the source of a program by the name that a file of expectations gives it. */
export type ReadSource = (name: string) => string;

/** What a type I program must give (golden `*.expected.json`). */
export interface ProgramCase {
  readonly program: string;
  readonly defines?: Readonly<Record<string, string | number>>;
  readonly config: { readonly nBB: number; readonly nPE: number };
  readonly symbols: Readonly<Record<string, object>>;
  readonly consts: readonly object[];
  readonly diagnostics: readonly object[];
  readonly slots: Readonly<Record<string, number>>;
  readonly cyclesSlot4: number;
  readonly cyclesVlen: number;
  readonly unitsPerBody: Readonly<Record<string, number>>;
  readonly tables: Readonly<Record<string, HostRecord>>;
  readonly i: readonly HostRecord[];
  readonly j: readonly HostRecord[];
  readonly run: number;
  readonly result: readonly Readonly<Record<string, string | number>>[];
  readonly truth: readonly Readonly<Record<string, number>>[];
  readonly tolerance: Readonly<Record<string, number>>;
}

/** What a program must print when it runs alone. */
export interface AloneCase {
  readonly runs: readonly {
    readonly program: string;
    readonly mode: ExecutionMode;
    readonly options: { readonly legacy: boolean };
    readonly config: { readonly nBB: number; readonly nPE: number };
    readonly diagnostics: readonly { readonly code: string; readonly line: number; readonly text: string }[];
    readonly slots: number;
    readonly output: readonly object[];
  }[];
}

/** What a type II program must send. */
export interface SendingCase {
  readonly program: string;
  readonly config: { readonly nBB: number; readonly nPE: number };
  readonly run: number;
  readonly runs: readonly {
    readonly defines: Readonly<Record<string, string | number>>;
    readonly out: readonly number[];
    readonly diagnostics: readonly object[];
  }[];
}

/** The words that the full chip must give for bodies whose places follow from a formula. */
export interface FullChipCase {
  readonly program: string;
  readonly config: { readonly nBB: number; readonly nPE: number };
  readonly run: number;
  readonly words: readonly (readonly string[])[];
  readonly order: readonly string[];
  readonly cyclesSlot4: number;
}

const modes = ['pipelined', 'functional'] as const;

const expanded = async (
  read: ReadSource,
  name: string,
  defines: Readonly<Record<string, string | number>> = {},
): Promise<string> => {
  const given = Object.fromEntries(Object.entries(defines).map(([key, value]) => [key, String(value)]));
  return (await expandMacros(read(name), given)).text;
};

const digits = (word: bigint, long: boolean): string => word.toString(16).padStart(long ? 18 : 9, '0');
const text = (value: unknown): string => JSON.stringify(value);

type ProgramData = Pick<ProgramCase, 'config' | 'tables' | 'i' | 'j' | 'run'>;

/** Sends everything to the machine, runs, and fetches the results of a type I program. */
export function runProgram(
  program: Program,
  { config, tables, i, j, run }: ProgramData,
  options: Partial<GrapeConfig> = {},
): { readonly results: readonly GrapeResult[]; readonly library: GrapeLibrary } {
  const library = new GrapeLibrary(program, { ...config, ...options });
  sendAll(library, { config, tables, i, j, run });
  library.run(run);
  return { results: library.getWords(), library };
}

/** The same on the chip without actors. */
export function runPlain(
  program: Program,
  { config, tables, i, j, run }: ProgramData,
  spec: Partial<ChipSpec> = {},
  makeBlock?: BlockMaker,
): { readonly results: readonly GrapeResult[]; readonly chip: Chip } {
  const chip = new Chip(program, { ...config, ...spec }, makeBlock);
  const library = new ChipLibrary(chip);
  sendAll(library, { config, tables, i, j, run });
  library.run(run);
  return { results: library.getResult(), chip };
}

function sendAll(library: GrapeLibrary | ChipLibrary, { tables, i, j }: ProgramData): void {
  library.init();
  for (const [num, record] of Object.entries(tables)) library.sendHltData(Number(num), record);
  library.registerIParticleConversion();
  for (const [at, record] of j.entries()) library.sendJParticle(record, at);
  library.sendIParticle(i);
}

/** Compares a type I program: where it lies, its slots and cycles, every word of its results in both modes, and how far they are from the truth. */
export async function* programRows(
  expected: ProgramCase,
  read: ReadSource,
  options: Partial<GrapeConfig> = {},
): AsyncIterable<Row> {
  const source = await expanded(read, expected.program, expected.defines);
  const assembled = assemble(source, { file: expected.program, type: 1 });
  yield* layoutRows(assembled, expected);
  for (const mode of modes) {
    const { results } = runProgram(assembled.program, expected, { ...options, mode });
    yield* resultRows(mode, results, expected);
    const plain = runPlain(assembled.program, expected, { mode }, (spec) => new ReferenceBlock(spec));
    yield equalRow(
      `${mode} engines`,
      'words of the plain engine',
      text(wordsOf(results)),
      text(wordsOf(plain.results)),
    );
  }
  for (const [name, slotMin] of [
    ['cyclesSlot4', 4],
    ['cyclesVlen', 1],
  ] as const) {
    const { chip } = runPlain(assembled.program, expected, { slotMin });
    yield equalRow(name, `cycles, at least ${slotMin} a slot`, expected[name], chip.cycles);
  }
}

const wordsOf = (results: readonly GrapeResult[]): readonly object[] =>
  results.map(({ words }) =>
    Object.fromEntries(Object.entries(words).map(([name, word]) => [name, digits(word, true)])),
  );

function* layoutRows({ program, diagnostics }: Assembled, expected: ProgramCase): Iterable<Row> {
  const symbols = Object.fromEntries(
    program.symbols.map(({ name, space, addr, long, vector }) => [name, { space, addr, long, vector }]),
  );
  const consts = program.constants.map(({ name, addr, long, word }) => ({
    name,
    addr,
    long,
    word: digits(word, long),
  }));
  yield equalRow('symbols', 'addresses of the variables', text(expected.symbols), text(symbols));
  yield equalRow('consts', 'addresses and words of the constants', text(expected.consts), text(consts));
  yield equalRow('diagnostics', 'what the assembler says', text(expected.diagnostics), text(diagnostics));
  for (const [section, count] of Object.entries(expected.slots))
    yield equalRow(
      `slots ${section}`,
      'slots of the section',
      count,
      slotsOf(program, section as SectionName),
    );
  for (const [unit, count] of Object.entries(expected.unitsPerBody))
    yield equalRow(`units ${unit}`, 'uses of the unit in the loop body', count, usesOf(program, unit));
}

function slotsOf(program: Program, section: SectionName): number {
  return program.sections[section].reduce(
    (sum, item) => sum + (item.kind === 'nop' ? item.count : item.kind === 'slot' ? 1 : 0),
    0,
  );
}

function usesOf({ sections: { loopBody } }: Program, unit: string): number {
  return loopBody.reduce((sum, item) => {
    if (item.kind === 'nop') return sum + (unit === 'nop' ? item.count : 0);
    if (item.kind !== 'slot') return sum;
    const uses = {
      fmul: item.mul !== undefined,
      fadd: item.add?.unit === 'fadd',
      ialu: item.add?.unit === 'ialu',
      bm: item.bm !== undefined,
    };
    return sum + (uses[unit as keyof typeof uses] ? 1 : 0);
  }, 0);
}

function* resultRows(mode: string, results: readonly GrapeResult[], expected: ProgramCase): Iterable<Row> {
  yield equalRow(`${mode} results`, 'number of results', expected.result.length, results.length);
  for (const [at, row] of expected.result.entries()) {
    for (const [key, value] of Object.entries(row)) {
      if (!key.endsWith('#w')) continue;
      const name = key.slice(0, -2);
      const word = results[at]?.words[name];
      yield equalRow(
        `${mode} ${name}[${at}]`,
        'word',
        value,
        word === undefined ? undefined : digits(word, true),
      );
      if (mode === 'pipelined') yield truthRow(name, at, results, expected);
    }
  }
}

/** How far a result may be from the mathematical answer, as a share of it or of the scale that is given. */
function truthRow(name: string, at: number, results: readonly GrapeResult[], expected: ProgramCase): Row {
  const truth = expected.truth[at]![name]!;
  const scale = expected.truth[at]![`${name}#scale`] ?? truth;
  const tolerance = expected.tolerance[name] ?? 0;
  const found = Number(results[at]?.values[name]);
  return {
    id: `truth ${name}[${at}]`,
    what: 'value, within the tolerance of its scale',
    expected: truth,
    found,
    tolerance,
    passed: Math.abs(found - truth) <= tolerance * Math.abs(scale),
  };
}

/** Compares what programs print and what the assembler says of them, run alone. */
export async function* aloneRows(
  { runs }: AloneCase,
  read: ReadSource,
  changes: Partial<GrapeConfig> = {},
): AsyncIterable<Row> {
  for (const { program: name, mode, options, config, diagnostics, slots, output } of runs) {
    const assembled = assemble(await expanded(read, name), { file: name, ...options });
    const library = new GrapeLibrary(assembled.program, { ...config, ...changes, mode });
    library.runAlone();
    const { outputs } = library;
    const id = `${name} ${mode}`;
    // Of warnings about a line as a whole the file has no text.
    const said = assembled.diagnostics.map(({ code, line, text: operand }) => ({
      code,
      line,
      text: code.startsWith('H_') ? operand : '',
    }));
    yield equalRow(`${id} diagnostics`, 'what the assembler says', text(diagnostics), text(said));
    yield equalRow(`${id} slots`, 'slots', slots, slotsOf(assembled.program, 'preamble'));
    for (const [at, one] of output.entries())
      yield equalRow(`${id} output ${at}`, 'what is printed', text(one), text(outputs[at]));
    yield equalRow(`${id} outputs`, 'lines printed', output.length, outputs.length);
  }
}

/** Compares what a type II program sends, for every set of macro variables. */
export async function* sendingRows(
  expected: SendingCase,
  read: ReadSource,
  options: Partial<GrapeConfig> = {},
): AsyncIterable<Row> {
  const particle = (r: number): HostRecord =>
    Object.fromEntries(Array.from({ length: 64 }, (_, k) => [`a${k}`, 1000 * k + r + 1]));
  for (const { defines, out, diagnostics } of expected.runs) {
    const source = await expanded(read, expected.program, defines);
    const assembled = assemble(source, { file: expected.program, type: 2 });
    const library = new GrapeLibrary(assembled.program, { ...expected.config, ...options });
    library.init();
    library.sendEltData(0, {}, 0);
    library.sendIParticle(Array.from({ length: 8 }, (_, r) => particle(r)));
    const found: (number | bigint)[] = [];
    library.type2Run(expected.run, found);
    const id = Object.entries(defines)
      .map(([name, value]) => `${name}=${value}`)
      .join(' ');
    yield equalRow(
      `${id} diagnostics`,
      'what the assembler says',
      text(diagnostics),
      text(assembled.diagnostics),
    );
    yield equalRow(`${id} out`, 'values sent', text(out), text(found));
  }
}

/** Compares the words of the full chip, for 128 bodies under the gravity of 256. */
export async function* fullChipRows(
  expected: FullChipCase,
  read: ReadSource,
  options: Partial<GrapeConfig> = {},
): AsyncIterable<Row> {
  const { program } = assemble(await expanded(read, expected.program), { file: expected.program, type: 1 });
  const body = (k: number) => [
    ((73 * k + 11) % 1021) / 1021 - 0.5,
    ((311 * k + 57) % 1019) / 1019 - 0.5,
    ((997 * k + 5) % 1013) / 1013 - 0.5,
  ];
  const i = Array.from({ length: 128 }, (_, k) => {
    const [xi, yi, zi] = body(k) as [number, number, number];
    return { xi, yi, zi };
  });
  const j = Array.from({ length: 256 }, (_, k) => {
    const [xj, yj, zj] = body(k) as [number, number, number];
    return { xj, yj, zj, mj: 1 / 256, eps2: 1 / 4096 };
  });
  const { results } = runProgram(program, { ...expected, tables: {}, i, j }, options);
  const { chip } = runPlain(program, { ...expected, tables: {}, i, j });
  for (const [at, words] of expected.words.entries())
    for (const [column, name] of expected.order.entries())
      yield equalRow(`${name}[${at}]`, 'word', words[column], digits(results[at]!.words[name]!, true));
  yield equalRow('cyclesSlot4', 'cycles', expected.cyclesSlot4, chip.cycles);
}

/** Compares a generated C header with a golden one, whose first line names its program and type. */
export async function* headerRows(header: string, read: ReadSource): AsyncIterable<Row> {
  const [, base, letter] = headerLine.exec(header) as unknown as [string, string, 'g' | 't'];
  const type = letter === 'g' ? 1 : 2;
  const source = await expanded(read, `${base}.vsm`);
  const found = emitHeader(assemble(source, { file: `${base}.vsm`, type }).program, base, type);
  yield equalRow(base, 'text of the header', header, found);
}

/** The first line of a generated header. */
export const headerLine = /^\/\* generated from (\w+)\.vsm by vsm -([gt]); do not edit \*\//;
