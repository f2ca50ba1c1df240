import { describe, expect, test } from 'vitest';
import { MacroError } from '../macros/errors.ts';
import { expandMacros } from '../macros/expand.ts';
import { type Sample, samples } from '../testing/diagnostic-samples.ts';
import { type AssemblyOptions, assemble } from './assemble.ts';
import {
  AssemblyError,
  type Diagnostic,
  type DiagnosticCode,
  diagnosticCatalogue,
  isError,
  tellDiagnostic,
} from './diagnostics.ts';

const all = Object.entries(samples) as readonly (readonly [DiagnosticCode, Sample])[];
const refusing = all.filter(([code]) => isError(code) && code !== 'E_MACRO');
const accepting = all.filter(([code]) => !isError(code));
const hazards = accepting.filter(([code]) => code.startsWith('H_'));

function refusal(source: string, options?: AssemblyOptions): Diagnostic {
  try {
    assemble(source, options);
  } catch (error) {
    if (error instanceof AssemblyError) return error.diagnostic;
    throw error;
  }
  throw new Error('the source was accepted');
}

const told = ({ code, line, column }: Diagnostic): string => `${line}:${column} ${code}`;

test('the samples are those of the catalogue', () => {
  expect(Object.keys(samples).sort()).toEqual(Object.keys(diagnosticCatalogue).sort());
});

describe('errors stop the assembly at the word that is wrong (GRAPE specification 3.8)', () => {
  test.each(refusing)('%s', (code, { source, at, options }) => {
    expect(told(refusal(source, options))).toBe(`${at} ${code}`);
  });

  test('E_MACRO stops before the assembly, at the line of the template', async () => {
    const { source, at } = samples.E_MACRO;

    const failure = await expandMacros(source, {}, 'broken.vsm').catch((error: unknown) => error);

    expect(failure).toBeInstanceOf(MacroError);
    expect((failure as MacroError).message).toMatch(new RegExp(`^broken\\.vsm:${at} E_MACRO NameError: `));
  });
});

describe('warnings and hazards are said once and stop nothing (GRAPE specification 3.8, 4.3)', () => {
  test.each(accepting)('%s', (code, { source, at, options }) => {
    const { program, diagnostics } = assemble(source, options);

    expect(diagnostics.map(told)).toEqual([`${at} ${code}`]);
    expect(program.prefix).toBe('SING');
  });

  test.each(hazards)('%s stops the assembly where hazards are errors', (code, { source, at }) => {
    expect(told(refusal(source, { strictHazards: true }))).toBe(`${at} ${code}`);
  });
});

describe('a diagnostic is one line of place, code, finding, cause and cure', () => {
  test.each(all)('%s', (code) => {
    const [cause, cure] = diagnosticCatalogue[code];
    const somewhere = { code, line: 3, column: 9 };

    expect(tellDiagnostic('a.vsm', { ...somewhere, text: '$q3' })).toBe(
      `a.vsm:3:9 ${code} found "$q3": ${cause}; ${cure}`,
    );
    expect(tellDiagnostic('a.vsm', { ...somewhere, text: '' })).toBe(`a.vsm:3:9 ${code} ${cause}; ${cure}`);
  });
});

describe('where several checks apply, the first of the order speaks (GRAPE specification 3.8)', () => {
  test.each([
    ['syntax before names', 'fadd nosuch $q3', 'E_OPERAND'],
    ['names before ranges', 'fadd $lr1v nosuch', 'E_UNDEF'],
    ['ranges before the count of units', 'fadd $lr1v $t ; fadd $t $t', 'E_ALIGN'],
    ['the count of units before imm', 'uimm 0 $t ; fadd $t $t', 'E_UNIT_TWICE'],
    ['imm before ports', 'uimm 0 $t ; fmul $lm0v $lm8v', 'E_IMM_PARALLEL'],
    ['ports before hazards', 'fadd $t $t $lm0v\nfadd $lm0v $lm8v', 'E_LM_PORT'],
  ])('%s', (_, source, code) => {
    expect(refusal(source, { strictHazards: true }).code).toBe(code);
  });
});

describe('what only looks like a right word is refused', () => {
  test.each([
    ['a mode that is no single digit', 'idp 0 0x1', '1:7 E_IDP_MODE'],
    ['two counts of an rrn', 'rrn fadd $lb0 4 4 flt72to64', '1:15 E_RRN_OPT'],
    ['two counts of an RRN line', 'RRN fadd $lb0 1 2', '1:15 E_RRN_OPT'],
    ['words after DBG … TREG', 'DBG BB 0 0 TREG 4', '1:17 E_SYNTAX'],
    ['words after DBG … MREG', 'DBG BB 0 0 MREG 1 2', '1:19 E_SYNTAX'],
    ['a FIX line wider than the packet', 'bvar short x\nIDP x\nFIX 68719476736', '3:5 E_CONST_RANGE'],
    ['a name that every JavaScript object has', 'fadd constructor $t', '1:6 E_UNDEF'],
  ])('%s', (_, source, place) => {
    expect(told(refusal(source))).toBe(place);
  });

  test('a constant that no longer fits into local memory is refused where it is first used', () => {
    const full = `${Array.from({ length: 64 }, (_, k) => `var vector long x${k}`).join('\n')}\n`;

    expect(told(refusal(`${full}nop\nfadd $t f"1"`))).toBe('66:9 E_OVERFLOW');
  });

  test('a variable may have a name that every JavaScript object has', () => {
    const { program } = assemble('var vector long constructor 8\nfadd constructor $t');

    expect(program.sections.preamble).toMatchObject([{ add: { a: { kind: 'lm', addr: 8, vector: true } } }]);
  });
});
