import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { main } from '../main.ts';
import { KeptTerminal } from '../terminal.ts';

const folder = 'scenarios/grape/broken';

/** What users write wrongly: the source, and where and as what it is refused. */
const refused: readonly (readonly [name: string, place: string])[] = [
  ['opcode-misspelt', '9:1 E_OPCODE'],
  ['opcode-without-prefix', '8:1 E_OPCODE'],
  ['opcode-in-capitals', '8:1 E_OPCODE'],
  ['flag-unknown', '8:1 E_OPCODE'],
  ['flag-twice', '8:1 E_OPCODE'],
  ['register-without-dollar', '8:6 E_UNDEF'],
  ['register-misspelt', '8:6 E_OPERAND'],
  ['comma-between-operands', '8:6 E_OPERAND'],
  ['comment-with-slashes', '8:1 E_SYNTAX'],
  ['semicolon-at-the-end', '8:1 E_SYNTAX'],
  ['variable-not-declared', '8:12 E_UNDEF'],
  ['variable-declared-too-late', '2:9 E_UNDEF'],
  ['variable-twice', '7:11 E_REDEF'],
  ['name-with-a-dash', '1:17 E_NAME'],
  ['name-missing', '1:1 E_NAME'],
  ['name-reserved', '1:10 E_RESERVED'],
  ['two-names-in-one-declaration', '1:20 E_UNDEF'],
  ['elt-in-local-memory', '1:20 E_ELT_BVAR'],
  ['hlt-without-vector', '1:13 E_VECTOR_REQUIRED'],
  ['conversion-misspelt', '1:24 E_CONV'],
  ['conversion-of-another-width', '1:19 E_CONV_WIDTH'],
  ['result-without-operation', '1:1 E_RRNOP'],
  ['result-with-operation-that-cannot-reduce', '1:35 E_RRN_OP'],
  ['alias-of-a-variable', '7:10 E_ALIAS'],
  ['region-without-variables', '7:6 E_EVAR_ELT'],
  ['placed-in-the-other-memory', '7:16 E_SPACE'],
  ['long-variable-at-odd-address', '1:10 E_ALIGN'],
  ['long-register-odd', '8:6 E_ALIGN'],
  ['register-beyond-the-file', '8:12 E_RANGE'],
  ['stride-beyond-local-memory', '8:9 E_RANGE'],
  ['stride-on-a-register', '8:9 E_STRIDE'],
  ['local-memory-full', '65:17 E_OVERFLOW'],
  ['index-beyond-the-vector', '8:9 E_RANGE'],
  ['index-on-a-scalar', '8:9 E_INDEX_SCALAR'],
  ['two-local-memory-operands', '8:9 E_LM_PORT'],
  ['constant-beside-a-variable', '8:9 E_LM_PORT'],
  ['three-registers', '8:28 E_GRF_PORT'],
  ['two-adder-operations', '8:20 E_UNIT_TWICE'],
  ['broadcast-operand-in-adder', '8:6 E_BM_OPERAND'],
  ['feedback-as-second-operand', '9:9 E_FB_PORT'],
  ['transfer-beside-the-adder', '8:23 E_BM_PORT'],
  ['transfer-without-pe-number', '8:4 E_BM_PEID'],
  ['transfer-from-local-memory', '8:4 E_BM_SRC'],
  ['transfer-within-the-pe', '8:7 E_BM_SIDES'],
  ['transfer-into-a-constant', '8:7 E_BM_DST'],
  ['operand-missing', '8:1 E_ARITY'],
  ['result-into-a-constant', '8:12 E_DST_IMM'],
  ['result-into-the-pe-number', '8:12 E_DST'],
  ['constant-without-letter', '8:9 E_OPERAND'],
  ['constant-not-closed', '8:9 E_OPERAND'],
  ['constant-with-unknown-name', '8:9 E_CONST_EXPR'],
  ['constant-with-missing-parenthesis', '8:9 E_CONST_EXPR'],
  ['constant-divided-by-zero', '8:9 E_CONST_EXPR'],
  ['constant-float-as-integer', '8:9 E_CONST_EXPR'],
  ['constant-too-wide', '8:9 E_CONST_RANGE'],
  ['imm-too-wide', '8:6 E_IMM_RANGE'],
  ['imm-with-0x', '8:6 E_OPERAND'],
  ['vlen-too-long', '7:6 E_VLEN'],
  ['mask-beyond-the-last', '8:4 E_MASK'],
  ['section-misspelt', '7:6 E_SECTION'],
  ['section-word-missing', '7:1 E_SECTION'],
  ['nop-beside-an-operation', '8:17 E_NOP_ALONE'],
  ['vlen-beside-an-operation', '8:1 E_PSEUDO_ALONE'],
  ['region-not-declared', '8:5 E_IDP_REGION'],
  ['region-mode', '9:11 E_IDP_MODE'],
  ['reduction-of-local-memory', '8:10 E_RRN_BM'],
  ['reduction-without-conversion', '8:13 E_CONV'],
  ['packet-too-short', '2:1 E_IDP_SHORT'],
  ['data-too-many', '4:1 E_IDP_DATA'],
  ['print-without-block', '7:1 E_ARITY'],
  ['macro-name-unknown', '2:1 E_MACRO'],
  ['macro-without-end', '2:1 E_MACRO'],
  ['macro-divided-by-zero', '2:1 E_MACRO'],
  ['macro-text-plus-number', '1:1 E_MACRO'],
  ['macro-makes-a-wrong-register', '3:12 E_RANGE'],
];

test('every source of the folder is in the table', () => {
  const files = readdirSync(folder).sort();

  expect(files).toEqual(refused.map(([name]) => `${name}.vsm`).sort());
});

test.each(refused)('grape asm refuses %s at %s', async (name, place) => {
  const file = `${folder}/${name}.vsm`;
  const terminal = new KeptTerminal();

  const exitCode = await main(['grape', 'asm', file], terminal);

  expect(terminal.stderr.split('\n')[0]!.startsWith(`lockstep: ${file}:${place} `), terminal.stderr).toBe(
    true,
  );
  expect(terminal.stderr).not.toMatch(/\n\s+at /);
  expect({ exitCode, out: terminal.stdout }).toEqual({ exitCode: 2, out: '' });
});
