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

  test('may have functions that call themselves', () => {
    const text = `${head}.func f() { call f; ret; }\n.visible .entry k() { call f; ret; }`;

    expect([...compiled(text).kernels.keys()]).toEqual(['k']);
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

describe('variables of a text', () => {
  const imageOf = (declarations: string) =>
    compiled(`${head}${declarations}\n.visible .entry k() { ret; }`).image;
  const bytesAt = (declarations: string, variable: number, count: number): readonly number[] => {
    const { bytes, allocations } = imageOf(declarations);
    const begin = allocations[variable]!.address - allocations[0]!.address;
    return [...bytes.slice(begin, begin + count)];
  };

  test('without a size are as long as their values', () => {
    const { allocations } = imageOf(
      '.global .align 4 .u16 a[] = {1, 2, 3}; .const .v2 .u32 b[] = {{1, 2}, {3, 4}, {5, 6}};',
    );

    expect(allocations.map(({ bytes }) => bytes)).toEqual([6, 24]);
  });

  test('hold values of every type, and zeros behind them', () => {
    expect(bytesAt('.global .u16 a[4] = {0x102, -2};', 0, 8)).toEqual([2, 1, 254, 255, 0, 0, 0, 0]);
    expect(bytesAt('.global .f32 a[2] = {0f3F800000, -0f40000000};', 0, 8)).toEqual([
      0, 0, 128, 63, 0, 0, 0, 192,
    ]);
    expect(bytesAt('.global .b32 a = 1.0; .global .b64 b = 0d4000000000000000;', 1, 8)).toEqual([
      0, 0, 0, 0, 0, 0, 0, 64,
    ]);
    expect(bytesAt('.global .f64 a = 2;', 0, 8)).toEqual([0, 0, 0, 0, 0, 0, 0, 64]);
    expect(bytesAt('.const .s64 a = -1; .const .b8 b[3][2] = {{1, 2}, {3, 4}};', 1, 6)).toEqual([
      1, 2, 3, 4, 0, 0,
    ]);
  });

  test('hold addresses of others, with a number added', () => {
    const { bytes, allocations } = imageOf('.global .u32 a[4]; .global .u64 b[3] = {a, a+8, generic(a)};');
    const [a, b] = allocations.map(({ address }) => address);
    const view = new DataView(bytes.buffer, b! - a!);

    expect([0, 8, 16].map((at) => Number(view.getBigUint64(at, true)))).toEqual([a, a! + 8, a]);
  });

  test('hold single bytes of addresses, as structures with pointers in them do', () => {
    const { bytes, allocations } = imageOf(
      '.global .b8 gap[300]; .global .b8 a[4]; .global .b8 b[5] = {7, 0xFF(a+2), 0xFF00(a+2), 0xFF0000(generic(a)), 0xff000000(a)};',
    );
    const [first, a, b] = allocations.map(({ address }) => address) as [number, number, number];
    const at = a + 2;

    expect([...bytes.subarray(b - first, b - first + 5)]).toEqual([
      7,
      at & 255,
      (at >> 8) & 255,
      at >> 16,
      0,
    ]);
  });

  test('lie where their type or .align says', () => {
    const { allocations } = imageOf(
      '.global .u8 a; .global .align 16 .b8 b[3]; .global .v4 .f32 c; .global .u64 d;',
    );

    expect(allocations.map(({ address }, at) => address % [4, 16, 16, 8][at]!)).toEqual([0, 0, 0, 0]);
  });

  test.each([
    ['.global .u32 a[2] = {1, 2, 3};', 'found 3 values for a, expected 2 at most'],
    ['.global .u32 a = 1.5;', 'found the real number 1.5 for a of .u32, expected a whole number'],
    ['.shared .u32 a = 1;', 'found values for a of .shared, expected them for .global or .const'],
    [
      '.global .u64 a = nobody;',
      'found a value "nobody" of a, expected a number, or the name of a variable or function',
    ],
    ['.global .u32 a; .global .u32 a;', 'found "a" declared twice'],
    ['.func f() { ret; } .func f() { ret; }', 'found "f" declared twice'],
    ['.visible .entry k() { ret; }', 'found "k" declared twice'],
    ['.visible .entry other(.param .u32 a, .param .u32 a) { ret; }', 'found "a" declared twice'],
    ['.global .u32 a', 'found'],
    ['.global .u33 a;', 'found the type ".u33"'],
  ])('with a mistake are refused: %s', (declarations, what) => {
    expect(errorOf(`${head}${declarations}\n.visible .entry k() { ret; }`).what).toContain(what);
  });

  test('may be declared .extern before they are there', () => {
    const text = `${head}.extern .global .u32 a[];\n.extern .func f();\n.global .u32 a[2] = {7};\n.func f() { ret; }\n.visible .entry k() { call f; ret; }`;

    expect(compiled(text).kernels.get('k')?.code).toHaveLength(3);
  });
});

test('a call with the wrong number of parameters or results is refused', () => {
  const text = (call: string) =>
    `${head}.func (.param .b32 r) f(.param .b32 a) { st.param.b32 [r], 1; ret; }\n.visible .entry k() { .reg .b32 %r<2>; .param .b32 p; .param .b8 q[8]; ${call} ret; }`;

  expect(errorOf(text('call (p), f;')).what).toBe('found 0 parameters of call, expected 1');
  expect(errorOf(text('call f, (p);')).what).toBe('found 0 results of call, expected 1');
  expect(errorOf(text('call (p), f, (nothing);')).what).toContain('found the name "nothing"');
  expect(errorOf(text('call (7), f, (p);')).what).toContain(
    'found another operand for r, expected a variable of .param',
  );
  expect(compiled(text('call (%r1), f, (7);')).kernels.get('k')?.code).toHaveLength(6);
});
