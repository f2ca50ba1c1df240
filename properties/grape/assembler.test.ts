import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { assemble } from '../../machines/grape/assembler/assemble.ts';
import { AssemblyError } from '../../machines/grape/assembler/diagnostics.ts';

interface AssemblyCase {
  readonly name: string;
  readonly source: string;
  readonly legacy: boolean;
  readonly expect:
    | {
        readonly ok: true;
        readonly diagnostics: readonly object[];
        readonly lmWords: number;
        readonly bmWords: number;
      }
    | { readonly ok: false; readonly code: string; readonly line: number };
}

const cases: readonly AssemblyCase[] = JSON.parse(
  readFileSync(new URL('golden/asm_cases.json', import.meta.url), 'utf8'),
);

function outcome(source: string, legacy: boolean): object {
  try {
    const { diagnostics, used } = assemble(source, { legacy });
    const told = diagnostics.map(({ code, line }) => ({ code, line }));
    return { ok: true, diagnostics: told, lmWords: used.lm, bmWords: used.bm };
  } catch (error) {
    if (!(error instanceof AssemblyError)) throw error;
    return { ok: false, code: error.diagnostic.code, line: error.diagnostic.line };
  }
}

describe('the assembler accepts and refuses the golden sources (GRAPE specification 3)', () => {
  test.each(cases.map((one) => [one.name, one] as const))('%s', (_, { source, legacy, expect: expected }) => {
    expect(outcome(source, legacy)).toEqual(expected);
  });
});
