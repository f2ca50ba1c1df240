import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Row } from '../reference-row.ts';
import {
  aloneRows,
  fullChipRows,
  headerRows,
  programRows,
  type ReadSource,
  sendingRows,
} from './programs.ts';
import { assemblyRows, macroRows } from './sources.ts';
import { type VectorTable, vectorKindOf, vectorRows } from './vectors.ts';

const own = new URL('../../properties/grape/golden/', import.meta.url);
// The manual's own listings are not part of the project.
const manual = new URL('../../../shared/golden/vsm/', import.meta.url);
const present = existsSync(manual);

const read = (folder: URL, name: string): string => readFileSync(new URL(name, folder), 'utf8');
// biome-ignore lint/suspicious/noExplicitAny: golden data of many forms
const json = (folder: URL, name: string): any => JSON.parse(read(folder, name));
const sources =
  (folder: URL): ReadSource =>
  (name) =>
    read(folder, name);

async function expectAll(rows: Iterable<Row> | AsyncIterable<Row>, count: number): Promise<void> {
  const failed: Row[] = [];
  let seen = 0;
  for await (const row of rows) {
    seen++;
    if (!row.passed) failed.push(row);
  }
  expect(failed).toEqual([]);
  expect(seen).toBe(count);
}

describe('the reference arithmetic gives the golden words (GRAPE specification 2)', () => {
  test.each([
    ['float_vectors', 2480],
    ['alu_vectors', 544],
    ['conversion_vectors', 566],
    ['reduction_vectors', 112],
  ])('%s', async (name, count) => {
    const table: VectorTable = json(own, `${name}.json`);
    await expectAll(vectorRows(vectorKindOf(table)!, table), count);
  });
});

test('the assembler accepts and refuses the golden sources (GRAPE specification 3)', async () => {
  await expectAll(assemblyRows(json(own, 'asm_cases.json')), 101);
});

test('macros expand as CRuby expands them (GRAPE specification 5)', async () => {
  await expectAll(macroRows(json(own, 'macro_cases.json')), 38);
});

describe('programs give the golden words', () => {
  test.each([
    ['matmul', 209],
    ['sph', 161],
  ])('%s', async (name, count) => {
    await expectAll(programRows(json(own, `${name}.expected.json`), sources(own)), count);
  });

  test.skipIf(!present).each([
    ['gravity_seed_driver', 113],
    ['gravity_nbody64', 209],
    ['gravity_selfzero', 77],
  ])("the manual's %s", async (name, count) => {
    await expectAll(programRows(json(manual, `${name}.expected.json`), sources(manual)), count);
  });

  test.skipIf(!present)("the manual's gravity on the full chip", { timeout: 60_000 }, async () => {
    await expectAll(fullChipRows(json(manual, 'gravity_fullchip.expected.json'), sources(manual)), 513);
  });

  test('rsqrt3 alone', async () => {
    const { runs } = json(own, 'rsqrt3.expected.json');
    const ours = runs.filter(({ program }: { program: string }) => program === 'rsqrt3.vsm');
    await expectAll(aloneRows({ runs: ours }, sources(own)), 14);
  });

  test.skipIf(!present)("the manual's x^(-3/2) alone", async () => {
    await expectAll(aloneRows(json(manual, 'rsqrt3.expected.json'), sources(manual)), 46);
  });

  test.skipIf(!present)("the manual's stride read, type II", async () => {
    await expectAll(sendingRows(json(manual, 'sreadtest.expected.json'), sources(manual)), 8);
  });
});

describe('generated C headers are the golden ones (GRAPE specification 7.1)', () => {
  test.each(['matmul_type1', 'sph_type1'])('%s', async (name) => {
    await expectAll(headerRows(read(own, `headers/${name}.h`), sources(own)), 1);
  });

  test.skipIf(!present).each(['gravity_type1', 'sreadtest_type2'])("the manual's %s", async (name) => {
    await expectAll(headerRows(read(manual, `headers/${name}.h`), sources(manual)), 1);
  });
});

test('a wrong word, a wrong line and a wrong digit are seen', async () => {
  const table: VectorTable = json(own, 'alu_vectors.json');
  const [first] = table.rows as [readonly unknown[]];
  const wrong = [...vectorRows('alu', { ...table, rows: [[...first.slice(0, 3), '000000000000000000', 1]] })];
  const [accepted] = json(own, 'asm_cases.json');
  const elsewhere = [...assemblyRows([{ ...accepted, expect: { ok: false, code: 'E_RANGE', line: 9 } }])];

  expect([...wrong, ...elsewhere].map(({ passed }) => passed)).toEqual([false, false]);
});
