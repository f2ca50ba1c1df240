import { describe, expect, test } from 'vitest';
import { compilePtx } from './program.ts';
import { PtxError } from './ptx-error.ts';

const head = '.version 7.0\n.target sm_75\n.address_size 64\n';
const kernel = (body: string): string =>
  `${head}.visible .entry k(.param .u64 p)\n{\n.reg .pred %p<2>;\n.reg .b32 %r<4>;\n.reg .b64 %rd<3>;\n${body}\nret;\n}`;
const compiled = (text: string) => compilePtx([{ file: 'k.ptx', text }]);

function errorOf(text: string): PtxError {
  try {
    compiled(text);
  } catch (error) {
    if (error instanceof PtxError) return error;
    throw error;
  }
  throw new Error('the text was accepted');
}

describe('a text with a mistake', () => {
  test.each([
    ['ad.s32 %r1, %r2, %r3;', 'found the instruction "ad", expected a known one', 'add'],
    ['add.s32 %r1, %r2, %r9;', 'found the name "%r9", expected a declared one', '%r1'],
    ['bra nowhere;', 'found a branch to "nowhere", expected a label of k', undefined],
    ['add.s32 %r1, %r2;', 'found 2 operands of add.s32, expected 3', undefined],
    ['add.s33 %r1, %r2, %r3;', 'found "s33" in add.s33, expected one of', 's32'],
    ['add.s32 %rd1, %r2, %r3;', 'add.s32: found %rd1 of .b64, expected a register of 32 bits', undefined],
    ['setp.lt.s32 %r1, %r2, %r3;', 'found %r1 of .b32, expected a predicate', undefined],
    ['setp.s32 %p1, %r2, %r3;', 'found setp.s32, expected setp for .s32 with one of eq, ne', undefined],
    ['@%r1 bra nowhere;', 'found the guard "%r1", expected a predicate', undefined],
    ['mov.u32 %tid.x, %r1;', 'found %tid.x, expected a register that can be written', undefined],
    [
      'st.const.u32 [%rd1], %r1;',
      'found an address of .const, expected memory that can be written',
      undefined,
    ],
    ['call nobody;', 'found a call of "nobody", expected a function with a body in this text', undefined],
    [
      'brx.idx %r1, table;',
      'found the table "table", expected a label with .branchtargets before it',
      undefined,
    ],
    ['ld.global.v2.u32 %r1, [%rd1];', 'found a register, expected 2 registers in braces', undefined],
    ['.reg .x32 %x;', 'found the type ".x32"', undefined],
    ['add.s32 %r1, %r2 %r3;', 'found "%", expected', undefined],
    ['add.s32 %r1, %r2, %r3', 'found "r", expected', undefined],
  ])('%s is told with its place', (line, what, name) => {
    const error = errorOf(kernel(`  ${line}`));

    expect(error.message).toContain('k.ptx:');
    expect(error.what).toContain(what);
    expect(error.at.line).toBeGreaterThanOrEqual(9);
    expect(error.message).toContain('\n  help: ');
    if (name !== undefined) expect(error.names?.known).toContain(name);
  });

  test('is told with line, column and the text of the line', () => {
    const { at, text, code } = errorOf(kernel('  foo.s32 %r1, %r2;'));

    expect({ at, text, code }).toEqual({
      at: { line: 9, column: 3 },
      text: '  foo.s32 %r1, %r2;',
      code: 'E-PTX',
    });
  });

  test('may call itself, which is refused', () => {
    const text = `${head}.func f() { call f; ret; }\n.visible .entry k() { call f; ret; }`;

    expect(errorOf(text).what).toContain('found a call of f within itself');
  });
});

describe('a text in the old style', () => {
  test('has directives without semicolons, registers in blocks, arrays with values and comments', () => {
    const { kernels, image } = compiled(`
	.version 1.4
	.target sm_10, map_f64_to_f32
	/* compiled long ago */
	.file	1	"sample.cu"
	.const .align 4 .b8 table[8] = {1, 0, 0, 0, 2};
	.global .s32 start = -3;
	.global .u64 where[2] = {table, start};
	.entry old (
		.param .u64 __cudaparm_old_out)
	{
	.reg .u16 %rh<3>;
	.reg .u32 %r<3>;
	.reg .u64 %rd<3>;
	.loc	1	3	0
$LDWbegin_old:
	{
	.reg .u32 %inner;
	mov.u16 	%rh1, %ctaid.x;
	cvt.u32.u16 	%inner, %tid.x;
	mov.u32 	%r1, %inner;
	}
	exit;
$LDWend_old:
	} // old
`);

    expect([...kernels.keys()]).toEqual(['old']);
    expect(kernels.get('old')?.code).toHaveLength(5);
    const [table, start, where] = image.allocations;
    expect([...image.bytes.slice(0, 8)]).toEqual([1, 0, 0, 0, 2, 0, 0, 0]);
    const view = new DataView(image.bytes.buffer);
    expect(view.getInt32(start!.address - table!.address, true)).toBe(-3);
    expect(view.getBigUint64(where!.address - table!.address, true)).toBe(BigInt(table!.address));
  });

  test('puts shared memory of a size given at launch behind the other', () => {
    const { kernels } = compiled(`${head}
.extern .shared .align 16 .b8 open[];
.visible .entry k()
{
  .shared .align 4 .b8 fixed[20];
  .reg .b32 %r<3>;
  mov.u32 %r1, fixed;
  mov.u32 %r2, open;
  ret;
}`);

    expect(kernels.get('k')?.sharedBytes).toBe(32);
  });
});

test('registers of a core are those whose values are wanted at one time', () => {
  const lines = Array.from({ length: 20 }, (_, at) => `add.s32 %x${at + 1}, %x${at}, 1;`).join('\n');
  const text = `${head}.visible .entry k(.param .u64 p)\n{\n.reg .b32 %x<22>;\n.reg .b64 %d;\nmov.u32 %x0, 1;\n${lines}\nld.param.u64 %d, [p];\nst.global.u32 [%d], %x20;\nret;\n}`;

  expect(compiled(text).kernels.get('k')?.registersPerThread).toBe(3);
});
