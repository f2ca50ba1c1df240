import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { ExecutionMode } from '../../actors/grape/block/block.ts';
import { assemble } from '../../machines/grape/assembler/assemble.ts';
import { Chip } from '../../machines/grape/chip.ts';
import { GrapeLibrary, type HostRecord } from '../../machines/grape/library.ts';

const golden = new URL('golden/', import.meta.url);
const manual = new URL('../../../shared/golden/vsm/', import.meta.url);
const present = existsSync(manual);

interface Expected {
  readonly config: { readonly nBB: number; readonly nPE: number };
  readonly symbols: Readonly<Record<string, object>>;
  readonly consts: readonly object[];
  readonly slots: Readonly<Record<string, number>>;
  readonly cyclesSlot4: number;
  readonly cyclesVlen: number;
  readonly tables: Readonly<Record<string, HostRecord>>;
  readonly i: readonly HostRecord[];
  readonly j: readonly HostRecord[];
  readonly run: number;
  readonly result: readonly Readonly<Record<string, string | number>>[];
}

const json = (url: URL): Expected => JSON.parse(readFileSync(url, 'utf8'));

function run(source: string, expected: Expected, mode: ExecutionMode, slotMin = 4) {
  const { program, diagnostics } = assemble(source, { type: 1 });
  const library = new GrapeLibrary(new Chip(program, { ...expected.config, mode, slotMin }));
  library.init();
  for (const [num, record] of Object.entries(expected.tables)) library.sendHltData(Number(num), record);
  library.registerIParticleConversion();
  for (const [at, record] of expected.j.entries()) library.sendJParticle(record, at);
  library.sendIParticle(expected.i);
  library.run(expected.run);
  return { program, diagnostics, library };
}

const cases = [
  ['matmul', new URL('expanded/matmul.vsm', golden), new URL('matmul.expected.json', golden)],
  ['sph', new URL('expanded/sph.vsm', golden), new URL('sph.expected.json', golden)],
  ...(present
    ? (['seed_driver', 'nbody64', 'selfzero'] as const).map(
        (name) =>
          [
            `gravity ${name}`,
            new URL('gravity.vsm', manual),
            new URL(`gravity_${name}.expected.json`, manual),
          ] as const,
      )
    : []),
] as const;

describe.each(cases)('%s', (_name, source, file) => {
  const text = readFileSync(source, 'utf8');
  const expected = json(file);

  test.each(['pipelined', 'functional'] as const)('gives the golden words, %s', (mode) => {
    const { library } = run(text, expected, mode);
    const words = library.getResult().map(({ words }) => words);

    expect(words).toHaveLength(expected.result.length);
    for (const [at, row] of expected.result.entries())
      for (const [key, value] of Object.entries(row))
        if (key.endsWith('#w'))
          expect([at, key, words[at]![key.slice(0, -2)]!.toString(16).padStart(18, '0')]).toEqual([
            at,
            key,
            value,
          ]);
  });

  test('lies where the golden program lies, in as many slots', () => {
    const { program, diagnostics, library } = run(text, expected, 'pipelined');

    expect(diagnostics).toEqual([]);
    expect(
      Object.fromEntries(
        program.symbols.map(({ name, space, addr, long, vector }) => [name, { space, addr, long, vector }]),
      ),
    ).toEqual(expected.symbols);
    expect(
      program.constants.map(({ name, addr, long, word }) => ({
        name,
        addr,
        long,
        word: word.toString(16).padStart(long ? 18 : 9, '0'),
      })),
    ).toEqual(expected.consts);
    for (const [section, count] of Object.entries(expected.slots)) {
      const items = program.sections[section as 'loopBody'];
      expect(items.reduce((sum, item) => sum + (item.kind === 'nop' ? item.count : 1), 0)).toBe(count);
    }
    expect(library.chip.cycles).toBe(expected.cyclesSlot4);
    expect(run(text, expected, 'pipelined', 1).library.chip.cycles).toBe(expected.cyclesVlen);
  });
});

interface AloneRun {
  readonly program: string;
  readonly mode: ExecutionMode;
  readonly options: { readonly legacy: boolean };
  readonly config: { readonly nBB: number; readonly nPE: number };
  readonly diagnostics: readonly { readonly code: string; readonly line: number; readonly text: string }[];
  readonly output: readonly object[];
}

describe('the stand-alone simulator', () => {
  const { runs }: { runs: readonly AloneRun[] } = JSON.parse(
    readFileSync(new URL('rsqrt3.expected.json', golden), 'utf8'),
  );
  const readable = runs.filter(({ program }) => present || program === 'rsqrt3.vsm');

  test.each(readable.map((one) => [one.program, one.mode, one] as const))(
    'prints what the golden run of %s prints, %s',
    (name, mode, { options, config, diagnostics, output }) => {
      const url = name === 'rsqrt3.vsm' ? new URL('expanded/rsqrt3.vsm', golden) : new URL(name, manual);
      const assembled = assemble(readFileSync(url, 'utf8'), options);
      const chip = new Chip(assembled.program, { ...config, mode });
      chip.loadConstants();
      chip.runSection('preamble');

      expect(chip.outputs).toEqual(output);
      // The golden file leaves the text out where a warning is about the line as a whole.
      const told = assembled.diagnostics.map(({ code, line, text }) => ({
        code,
        line,
        text: code.startsWith('H_') ? text : '',
      }));
      expect(told).toEqual(diagnostics);
    },
  );
});

describe.skipIf(!present)("the manual's stride read, type II", () => {
  const expected = present
    ? JSON.parse(readFileSync(new URL('sreadtest.expected.json', manual), 'utf8'))
    : { runs: [] };

  test.each(
    (expected.runs as readonly { defines: { stride: number; first: number }; out: readonly number[] }[]).map(
      (one) => [one.defines.stride, one.defines.first, one.out] as const,
    ),
  )('stride %i, first %i', (stride, first, out) => {
    const source = readFileSync(new URL(`expanded/sreadtest_${stride}_${first}.vsm`, manual), 'utf8');
    const library = new GrapeLibrary(new Chip(assemble(source, { type: 2 }).program, expected.config));
    library.init();
    const particle = (r: number): HostRecord =>
      Object.fromEntries(Array.from({ length: 64 }, (_, k) => [`a${k}`, 1000 * k + r + 1]));
    library.sendEltData(0, { index: [0n, 0n, 0n, 0n] }, 0);
    library.sendIParticle(Array.from({ length: 8 }, (_, r) => particle(r)));
    const found: (number | bigint)[] = [];
    library.type2Run(expected.run, found);

    expect(found).toEqual(out);
  });
});
