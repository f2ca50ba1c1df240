import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { hostCalls } from '../../../actors/sunway/calls/host-calls.ts';
import { cpeCalls } from '../../../actors/sunway/cpe-api.ts';
import { hostCases, slaveCases } from './cases/cases.ts';
import { casesOf, checklistText } from './checklist-text.ts';
import { featureRows } from './feature-rows.ts';
import { provedElsewhere } from './proved-elsewhere.ts';
import { resolutions, workedExamples } from './resolutions.ts';

const root = new URL('../../../', import.meta.url);
const written = new URL('machines/sunway/CHECKLIST.md', root);

/** What a context offers beside the runtime: access to data, work, results, and hardware primitives (specification 2.4, 6.2). */
const beside = ['ld', 'st', 'ldBlock', 'stBlock', 'faa', 'compute', 'rplyRead', 'rplySet', 'tell'];
const primitives = ['synr', 'sync', 'synp'];

const functions = featureRows.slice(0, 135);
const names = [...hostCases, ...slaveCases].map(({ name }) => name);

describe('the checklist', () => {
  test('is what its cases say', () => {
    const text = checklistText();
    if (process.env['CHECKLIST'] === 'write') writeFileSync(written, text);

    expect(readFileSync(written, 'utf8')).toBe(text);
    expect(featureRows).toHaveLength(144);
  });

  test('has one case for each of 22 functions of hosts and 113 of CPEs', () => {
    expect(functions.filter(({ side }) => side === 'host')).toHaveLength(22);
    expect(functions.filter(({ side }) => side === 'slave')).toHaveLength(113);
    for (const { name } of functions) expect(names.filter((one) => one === name)).toEqual([name]);
  });

  test('proves every other row by cases or by tests that are there', () => {
    for (const row of featureRows.slice(135)) {
      const tests = provedElsewhere.get(row.id) ?? [];

      expect(casesOf(row).length + tests.length, row.id).toBeGreaterThan(0);
      for (const { file, title } of tests)
        expect(readFileSync(new URL(file, root), 'utf8'), file).toContain(`'${title}'`);
    }
  });

  test('says of every contradiction, unreadable spot and worked example what shows it', () => {
    expect(resolutions.map(({ id }) => id)).toEqual([
      ...Array.from({ length: 14 }, (_, k) => `C${k + 1}`),
      ...Array.from({ length: 11 }, (_, k) => `U${k + 1}`),
    ]);
    for (const { id, rows = [], tests = [], because } of [...resolutions, ...workedExamples]) {
      expect(rows.length + tests.length + (because === undefined ? 0 : 1), id).toBeGreaterThan(0);
      for (const row of rows)
        expect(casesOf(featureRows.find((one) => one.id === row)!), row).not.toEqual([]);
      for (const { file, title } of tests)
        expect(readFileSync(new URL(file, root), 'utf8'), file).toContain(`'${title}'`);
    }
  });

  test('has a row for every function of both contexts, and every name of a row is one of theirs', () => {
    const known = featureRows.flatMap(({ name, aliases }) => [name, ...aliases]);
    const offered = [...Object.keys(hostCalls), ...Object.keys(cpeCalls)];

    expect(offered.filter((name) => ![...known, ...beside, ...primitives].includes(name))).toEqual([]);
    expect(
      functions.flatMap(({ name, aliases }) => [name, ...aliases]).filter((name) => !offered.includes(name)),
    ).toEqual([]);
  });

  test('has the sixteen older names of the manual', () => {
    // Functions named athread_... are called by their older name here, since names go without CRTS_.
    const threads = functions.filter(({ name }) => name.startsWith('athread_'));
    const others = functions.flatMap(({ aliases }) => aliases).filter((name) => name !== 'scoll_reduce');

    expect(threads.length + others.length).toBe(16);
  });
});
