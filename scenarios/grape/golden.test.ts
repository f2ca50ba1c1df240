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
import { vectorKindOf, vectorRows } from './vectors.ts';

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

const fileOf = (table: unknown) => ({ path: 'table.json', text: JSON.stringify(table), json: table });

describe('the reference arithmetic gives the golden words (GRAPE specification 2)', () => {
  test.each([
    ['float_vectors', 2480],
    ['alu_vectors', 544],
    ['conversion_vectors', 566],
    ['reduction_vectors', 112],
  ])('%s', async (name, count) => {
    const table = json(own, `${name}.json`);
    await expectAll(vectorRows(vectorKindOf(table)!, fileOf(table)), count);
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

test.each([
  ['alu', 4, [], 'rows[0][4]: found an empty list, expected an integer'],
  ['alu', 1, 'xyz', 'rows[0][1]: found "xyz"'],
  ['float', 1, 7, 'rows[0][1]: found 7, expected'],
  ['conversion', 2, null, 'rows[0][2]: found nothing'],
  ['reduction', 2, [], 'rows[0][2]: found an empty list'],
  ['reduction', 3, {}, 'rows[0][3]: found an empty mapping'],
] as const)('a table of %s with column %i damaged is told with its place', (kind, column, value, told) => {
  const table = json(own, `${kind}_vectors.json`);
  const rows = [table.rows[0].with(column, value)];

  expect(() => [...vectorRows(kind, fileOf({ ...table, rows }))]).toThrow(told);
});

test('a wrong word, a wrong line and a wrong digit are seen', async () => {
  const table = json(own, 'alu_vectors.json');
  const [first] = table.rows;
  const rows = [[...first.slice(0, 3), '000000000000000000', 1]];
  const wrong = [...vectorRows('alu', fileOf({ ...table, rows }))];
  const [accepted] = json(own, 'asm_cases.json');
  const elsewhere = [...assemblyRows([{ ...accepted, expect: { ok: false, code: 'E_RANGE', line: 9 } }])];

  expect([...wrong, ...elsewhere].map(({ passed }) => passed)).toEqual([false, false]);
});
