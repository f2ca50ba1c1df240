import { describe, expect, test } from 'vitest';
import { programOfSteps } from '../../actors/chiplet/gpu/host-steps.ts';
import { defaultTiming } from '../../actors/chiplet/gpu/timing.ts';
import { outside } from '../../actors/chiplet/outside.ts';
import { DeviceMemory } from '../../actors/chiplet/ptx/device-memory.ts';
import { launchOf } from '../../actors/chiplet/ptx/launch.ts';
import { compilePtx } from '../../actors/chiplet/ptx/program.ts';
import { decodeValues } from '../../actors/chiplet/ptx/typed-values.ts';
import { Run } from '../../kernel/run.ts';
import { Wiring } from '../../kernel/wiring.ts';
import { figuresOfCore } from './core-figures.ts';
import { type CaseOutcome, type GpuCase, prepareCase, runCase } from './gpu-case.ts';
import { timedCase } from './gpu-case-timed.ts';
import { wireGpuChiplet } from './gpu-chiplet.ts';

/*
 * What a launch gives to a kernel beside single numbers: structures, values of variables, parameters that are read by their address.
 */

const text = `.version 7.0
.target sm_75
.address_size 64
.const .align 4 .b8 table[16];
.global .align 4 .u32 scale = 7;
.func (.param .u32 sum) third(.param .align 4 .b8 given[12])
{
  .reg .b32 %r<2>;
  .reg .b64 %x<2>;
  mov.b64 %x0, given;
  ld.param.u32 %r0, [%x0+8];
  st.param.u32 [sum], %r0;
  ret;
}
.visible .entry k(.param .align 8 .b8 box[24], .param .u32 which)
{
  .reg .b32 %t, %r<10>;
  .reg .b64 %x<10>;
  mov.u32 %t, %tid.x;
  ld.param.u64 %x0, [box+8];
  mad.wide.u32 %x0, %t, 16, %x0;
  mov.b64 %x1, box;
  mad.wide.u32 %x2, %t, 4, %x1;
  ld.param.u32 %r0, [%x2];
  st.global.u32 [%x0], %r0;
  mov.u64 %x3, table;
  mad.wide.u32 %x3, %t, 4, %x3;
  ld.const.u32 %r1, [%x3];
  ld.global.u32 %r2, [scale];
  mul.lo.u32 %r1, %r1, %r2;
  st.global.u32 [%x0+4], %r1;
  {
    .param .align 4 .b8 a[12];
    .param .u32 b;
    st.param.u32 [a+0], %t;
    st.param.u32 [a+8], %r1;
    call.uni (b), third, (a);
    ld.param.u32 %r3, [b];
  }
  st.global.u32 [%x0+8], %r3;
  mov.u32 %r4, %envreg3;
  st.global.u32 [%x0+12], %r4;
  ret;
}`;
const program = compilePtx([{ file: 'launch.ptx', text }]);
const kernel = program.kernels.get('k')!;

const given: GpuCase = {
  name: 'two',
  entry: 'k',
  grid: [1, 1, 1],
  block: [2, 1, 1],
  params: [
    {
      bytes: [17, 1, 0, 0, 34, 0, 0, 0, ...Array.from({ length: 16 }, () => 255)],
      pointers: [{ offset: 8, ptr: 'out' }],
    },
    { u32: 1 },
  ],
  buffers: { out: { type: 'u32', data: Array.from({ length: 8 }, () => 9) } },
  variables: { table: { type: 'u32', data: [3, 5] } },
};

const outOf = ({ buffers: { out } }: CaseOutcome) => out;

describe('a launch', () => {
  test('hands over structures with pointers in them and values of variables; parameters are found by their address', () => {
    expect(outOf(runCase(program, kernel, given))).toEqual([273, 21, 21, 0, 34, 35, 35, 0]);
  });

  test('does so on a timed chiplet', () => {
    const timed = timedCase(program, kernel, given);
    timed.run.toEnd();

    expect(outOf(timed.outcome())).toEqual([273, 21, 21, 0, 34, 35, 35, 0]);
  });

  test('may follow a host that asks for the address of a variable', () => {
    const wiring = new Wiring();
    const carrier = wiring.place('Outside', outside, undefined);
    const memory = new DeviceMemory(program.image);
    const address = memory.allocate(32)!;
    const launch = prepareCase(program, kernel, given);
    const box = launch.args[0] as { readonly bytes: readonly number[] };
    const bytes = Uint8Array.from(box.bytes);
    new DataView(bytes.buffer).setBigUint64(8, BigInt(address), true);
    const setting = programOfSteps([
      { op: 'symbol', as: 'here', name: 'table' },
      { op: 'copyIn', to: 'here', type: 'u32', values: [3, 5] },
    ]);
    const chiplet = wireGpuChiplet(wiring, {
      at: [0, 0],
      program: function* (x, y) {
        yield* setting(x, y);
        yield {
          op: 'launch',
          kernel: 'k',
          grid: [1, 1, 1],
          block: [2, 1, 1],
          args: [{ bytes: [...bytes] }, 1],
        };
      },
      carrier,
      ptx: program,
      timing: defaultTiming,
      memory,
    });
    const run = new Run(wiring, {});
    run.toEnd();
    const { memory: left } = figuresOfCore(run, chiplet.cores[0]!);

    expect(decodeValues(left, address, 'u32', 8)).toEqual([273, 21, 21, 0, 34, 35, 35, 0]);
  });

  test('sets variables of .global, too, and leaves what no value is given for', () => {
    const variables = { scale: { type: 'u32', data: [10] } } as const;

    expect(outOf(runCase(program, kernel, { ...given, variables }))).toEqual([273, 0, 0, 0, 34, 0, 0, 0]);
  });

  test.each([
    [
      { variables: { tabel: { type: 'u32', data: [1] } } },
      'found the variable "tabel", expected one of .global or .const: table, scale',
    ],
    [
      { variables: { table: { type: 'u32', data: [1, 2, 3, 4, 5] } } },
      'found 20 bytes for the variable table, expected 16 at most',
    ],
    [
      {
        params: [
          { bytes: Array.from({ length: 24 }, () => 0), pointers: [{ offset: 20, ptr: 'out' }] },
          { u32: 1 },
        ],
      },
      'found a pointer at byte 20 of parameter 0, expected it within its 24 bytes',
    ],
    [{ params: [{ bytes: [1, 2] }, { u32: 1 }] }, 'found 2 bytes for box, expected 24'],
  ] as const)('that cannot be is told: %j', (wrong, finding) => {
    expect(() => runCase(program, kernel, { ...given, ...(wrong as Partial<GpuCase>) })).toThrow(finding);
  });

  test('a parameter read behind the last one is a fault with its line', () => {
    const beyond = compilePtx([{ file: 'launch.ptx', text: text.replace('[%x2]', '[%x2+4000]') }]);

    expect(() => runCase(beyond, beyond.kernels.get('k')!, given)).toThrow(/parameter memory/);
  });
});

describe('a number', () => {
  const typed = compilePtx([
    {
      file: 'typed.ptx',
      text: `.version 8.3
.target sm_70
.address_size 64
.visible .entry t(.param .u64 to, .param .f64 d, .param .f32 f, .param .s32 i, .param .b32 bits)
{
  .reg .b64 %x<3>;
  .reg .b32 %r<4>;
  ld.param.u64 %x0, [to];
  ld.param.b64 %x1, [d];
  st.global.b64 [%x0], %x1;
  ld.param.b32 %r0, [f];
  ld.param.b32 %r1, [i];
  ld.param.b32 %r2, [bits];
  st.global.b32 [%x0+8], %r0;
  st.global.b32 [%x0+12], %r1;
  st.global.b32 [%x0+16], %r2;
  ret;
}`,
    },
  ]);
  const entry = typed.kernels.get('t')!;
  const right: GpuCase['params'] = [
    { ptr: 'out' },
    { f64: 1.5 },
    { f32: -2 },
    { u32: 2 ** 32 - 1 },
    { f32: 0.5 },
  ];
  const outcome = (params: GpuCase['params']) =>
    runCase(typed, entry, {
      name: 'typed',
      entry: 't',
      grid: [1, 1, 1],
      block: [1, 1, 1],
      params,
      buffers: { out: { type: 'u32', data: [0, 0, 0, 0, 0] } },
    });

  test('is handed over as the kernel declares it, plain bits as they are given', () => {
    expect(outOf(outcome(right))).toEqual([0, 0x3f_f8_00_00, 0xc0_00_00_00, 0xff_ff_ff_ff, 0x3f_00_00_00]);
  });

  test.each([
    [1, { f32: 1.5 }, 'found the f32 1.5 for d, expected f64 as the kernel declares it'],
    [1, { u64: 1 }, 'found the u64 1 for d, expected f64 as the kernel declares it'],
    [2, { f64: 2 }, 'found the f64 2 for f, expected f32 as the kernel declares it'],
    [3, { f32: 1 }, 'found the f32 1 for i, expected s32 as the kernel declares it'],
    [3, { s64: 1 }, 'found the s64 1 for i, expected s32 as the kernel declares it'],
    [3, { s32: 2 ** 32 }, 'found 4294967296 for i, expected a whole number of 32 bits'],
    [3, { s32: -(2 ** 31) - 1 }, 'found -2147483649 for i, expected a whole number of 32 bits'],
    [4, { u64: 1 }, 'found the u64 1 for bits, expected b32 as the kernel declares it'],
  ] as const)('that parameter %i cannot be is told: %j', (at, wrong, finding) => {
    expect(() => outcome(right.with(at, wrong))).toThrow(finding);
  });
});

test('a parameter of 128 bits is a whole number of as many bits', () => {
  const wide = compilePtx([
    {
      file: 'wide.ptx',
      text: '.version 8.3\n.target sm_70\n.address_size 64\n.visible .entry w(.param .b128 one) { ret; }',
    },
  ]).kernels.get('w')!;
  const bytesOf = (value: bigint | number) =>
    Buffer.from(launchOf(wide, [1, 1, 1], [1, 1, 1], [value]).parameters.bytes.slice(0, 16)).toString('hex');

  expect(bytesOf(0x0102030405060708090a0b0c0d0e0f10n)).toBe('100f0e0d0c0b0a090807060504030201');
  expect(bytesOf(5)).toBe(`05${'00'.repeat(15)}`);
  expect(bytesOf(-1n)).toBe('ff'.repeat(16));
});
