import { describe, expect, test } from 'vitest';
import { MacroError } from '../macros/errors.ts';
import { expandMacros } from '../macros/expand.ts';
import { type AssemblyOptions, assemble } from './assemble.ts';
import {
  AssemblyError,
  type Diagnostic,
  type DiagnosticCode,
  diagnosticCatalogue,
  isError,
  tellDiagnostic,
} from './diagnostics.ts';

/** A smallest source that makes the assembler say a code, and where: line and column as `2:7`. */
interface Sample {
  readonly source: string;
  readonly at: string;
  readonly options?: AssemblyOptions;
}

const sample = (source: string, at: string, options?: AssemblyOptions): Sample => ({
  source,
  at,
  ...(options && { options }),
});

/** One sample for each code. The compiler asks for all of them, a test that there are no others. */
const samples: Readonly<Record<DiagnosticCode, Sample>> = {
  E_SYNTAX: sample('prefix SING twice', '1:13'),
  E_NAME: sample('var long 9q', '1:10'),
  E_RESERVED: sample('var long elt3', '1:10'),
  E_REDEF: sample('var long x\nbvar long x', '2:11'),
  E_SPACE: sample('bvar long x\nvar long y x', '2:12'),
  E_ALIGN: sample('fadd $t $lr1v', '1:9'),
  E_RANGE: sample('fadd $t $r61v', '1:9'),
  E_OVERFLOW: sample('var long x 512', '1:10'),
  E_ELT_BVAR: sample('var vector long x elt flt64to72', '1:19'),
  E_VECTOR_REQUIRED: sample('var long x hlt flt64to72', '1:12'),
  E_CONV: sample('bvar long x elt flt64to80', '1:17'),
  E_CONV_WIDTH: sample('bvar long x elt flt64to36', '1:17'),
  E_RRNOP: sample('var vector long x rrn flt72to64', '1:1'),
  E_RRN_OP: sample('var vector long x rrn flt72to64 ulsl', '1:33'),
  E_RRN_OPT: sample('var vector long x rrn flt72to64 fadd q', '1:38'),
  E_RRN_BM: sample('rrn fadd $lr0v flt72to64', '1:10'),
  E_INDEX_SCALAR: sample('var long x\nfadd $t x[0]', '2:9'),
  E_UNDEF: sample('fadd $t x', '1:9'),
  E_OPERAND: sample('fadd $t $q3', '1:9'),
  E_DST: sample('fadd $t $t $fb', '1:12'),
  E_DST_IMM: sample('fadd $t $t f"1"', '1:12'),
  E_STRIDE: sample('fadd $t $r0v2', '1:9'),
  E_OPCODE: sample('add $t $t', '1:1'),
  E_ARITY: sample('fadd $t', '1:1'),
  E_UNIT_TWICE: sample('fadd $t $t ; uadd $t $t', '1:14'),
  E_NOP_ALONE: sample('fadd $t $t ; nop', '1:14'),
  E_PSEUDO_ALONE: sample('fadd $t $t ; vlen 1', '1:14'),
  E_IMM_PARALLEL: sample('fmul $t $t ; uimm 0 $t', '1:14'),
  E_IMM_RANGE: sample('uimm 1000000000 $t', '1:6'),
  E_CONST_RANGE: sample('uand $t h"1000000000"', '1:9'),
  E_CONST_EXPR: sample('fmul $t f"1 +"', '1:9'),
  E_VLEN: sample('vlen 5', '1:6'),
  E_MASK: sample('mi 8', '1:4'),
  E_SECTION: sample('loop middle', '1:6'),
  E_ALIAS: sample('alias a $lm0v', '1:9'),
  E_FB_PORT: sample('fadd $t $fb', '1:9'),
  E_LM_PORT: sample('fadd $lm0v f"1"', '1:12'),
  E_GRF_PORT: sample('fmul $r0v $r4v ; fadd $r8v $t', '1:23'),
  E_BM_PORT: sample('fadd $t $t ; bm $lr0v $lb0 0', '1:17'),
  E_BM_SIDES: sample('bm $lr0v $t', '1:10'),
  E_BM_PEID: sample('bm $lr0v $lb0', '1:4'),
  E_BM_SRC: sample('bm $t $lb0 0', '1:4'),
  E_BM_DST: sample('bm $lb0 $pe', '1:9'),
  E_BM_OPERAND: sample('fadd $t $lb0', '1:9'),
  E_EVAR_ELT: sample('\nevar e 5 16', '2:6'),
  E_IDP_REGION: sample('loop body\nidp 3', '2:5'),
  E_IDP_MODE: sample('idp 0 3', '1:7'),
  E_IDP_SHORT: sample('\nIDP 2 0 0 0\nHEX 0\n', '2:1'),
  E_IDP_DATA: sample('FLT 1', '1:1'),
  E_TYPE: sample('loop body\nnop\nrrn fadd $lb0 flt72to64', '3:1', { type: 1 }),
  E_MACRO: sample('\n<%= nosuch %>', '2:1'),
  W_WIDTH_DEFAULT: sample('var x', '1:5'),
  W_SCALAR_DST: sample('fadd $t $t $lr0', '1:12'),
  W_UNIT_OUT: sample('fmul $t $t $t ; fadd $t $t $t', '1:28'),
  W_MULTI_WRITE: sample('fadd $t $t $lr0v $lr8v', '1:18'),
  W_BM_SRC: sample('bm $t $lb0 0', '1:4', { legacy: true }),
  W_IDP_REGION: sample('loop body\nidp 3', '2:5', { legacy: true }),
  W_FLAG_REDUNDANT: sample('fsubS $t $t', '1:1'),
  W_MASK_OUT_UNUSED: sample('mof 1\nfmul $t $t', '2:1'),
  W_NAME_SHADOWS: sample('var long nop', '1:10'),
  H_LM_WR: sample('fadd $t $t $lm0v\nfadd $lm8v $t', '2:1'),
  H_T_STALE: sample('fadd $lr0v $lr0v $t\nfadd $t $lr0v', '2:1'),
  H_TI_IDLE: sample('nop\nfadd $ti $t', '2:1'),
  H_FB_IDLE: sample('nop\nfadd $fb $t', '2:1'),
  H_GRF_STALE: sample('fadd $t $t $lr0v\nfadd $r1 $t', '2:1'),
  H_MASK_STALE: sample('mof 3\nfadd $t $t\nmi 3\nfadd $t $t', '4:1'),
  H_BM_WR: sample('bm $lr0v $lb0 0\nbm $lb8 $lr8v', '2:1'),
};

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
