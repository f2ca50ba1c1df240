import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Program } from '../../actors/grape/program.ts';
import { assemble } from '../../machines/grape/assembler/assemble.ts';
import { disassemble } from '../../machines/grape/assembler/disassemble.ts';

/** A program without what its text alone decides: lines and spellings. */
const meaning = (program: Program): unknown =>
  JSON.parse(
    JSON.stringify(program, (key, value) => {
      if (key === 'line' || key === 'text' || key === 'what') return undefined;
      return typeof value === 'bigint' ? `0x${value.toString(16)}` : value;
    }),
  );

function expectRoundTrip(source: string, legacy = false): void {
  const { program } = assemble(source, { legacy });
  const text = disassemble(program);
  const again = assemble(text, { legacy, type: program.type }).program;

  expect(meaning(again)).toEqual(meaning(program));
  expect(disassemble(again)).toBe(text);
}

const own = new URL('golden/expanded/', import.meta.url);
const manual = new URL('../../../shared/golden/vsm/', import.meta.url);

describe('assembling the canonical text of a program gives the program (GRAPE specification 3.9)', () => {
  test.each(readdirSync(own))('%s', (name) => {
    expectRoundTrip(readFileSync(new URL(name, own), 'utf8'));
  });

  test.skipIf(!existsSync(manual)).each(['gravity.vsm', 'rsqrt3_seed.vsm', 'expanded/sreadtest_2_10.vsm'])(
    "the manual's listing %s",
    (name) => {
      expectRoundTrip(readFileSync(new URL(name, manual), 'utf8'), true);
    },
  );

  test('every accepted golden source', () => {
    const cases = JSON.parse(readFileSync(new URL('golden/asm_cases.json', import.meta.url), 'utf8'));
    for (const { source, legacy, expect: expected } of cases)
      if (expected.ok) expectRoundTrip(source, legacy);
  });
});
