import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { instructionRows, tablePage, unlisted } from './ptx-table.ts';

const rows = instructionRows();

test('the table of the guide says what the compiler takes; npm run ptx-table writes it', () => {
  const page = readFileSync(new URL('../../docs/machines/ptx-instructions.md', import.meta.url), 'utf8');
  expect(page).toBe(tablePage(rows));
});

test('every instruction that the compiler knows is in it, and each that is taken has a test', () => {
  expect(unlisted()).toEqual([]);
  expect(
    rows.filter(({ taken, test }) => taken.length > 0 && test === undefined).map(({ name }) => name),
  ).toEqual([]);
});
