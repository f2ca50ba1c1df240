import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../scenarios/testing/temporary-folder.ts';
import { called } from '../testing/called.ts';

const folder = temporaryFolder('ptx');

const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

const text = (store: string): string => `.version 7.0
.target sm_75
.visible .entry double(.param .u64 p)
{
  .reg .b32 %r<3>;
  .reg .b64 %rd<2>;
  mov.u32 %r1, %tid.x;
  ld.param.u64 %rd1, [p];
  mad.wide.u32 %rd1, %r1, 4, %rd1;
  ld.global.u32 %r2, [%rd1];
  shl.b32 %r2, %r2, 1;
  ${store}
  ret;
}
`;
const given = (last: number) => ({
  ptx: 'double.ptx',
  cases: [
    {
      name: 'four',
      entry: 'double',
      grid: [1, 1, 1],
      block: [4, 1, 1],
      params: [{ ptr: 'values' }],
      buffers: { values: { type: 'u32', data: [1, 2, 3, 4] } },
      expected: { values: [2, 4, 6, last] },
    },
  ],
});

describe('chiplet ptx', () => {
  test('hands over structures, textures and values of variables', async () => {
    const ptx = file(
      'given.ptx',
      `.version 7.0
.target sm_75
.const .align 4 .f32 factor;
.visible .entry k(.param .align 8 .b8 box[16], .param .u64 image)
{
  .reg .f32 %f<6>;
  .reg .b64 %x<3>;
  ld.param.u64 %x0, [box];
  ld.param.f32 %f0, [box+8];
  ld.param.u64 %x1, [image];
  tex.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%x1, {%f0}];
  ld.const.f32 %f5, [factor];
  mul.f32 %f1, %f1, %f5;
  st.global.f32 [%x0], %f1;
  ret;
}
`,
    );
    const one = {
      name: 'one',
      entry: 'k',
      grid: [1, 1, 1],
      block: [1, 1, 1],
      // 1.0 lies between the two texels.
      params: [
        { bytes: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 128, 63, 0, 0, 0, 0], pointers: [{ offset: 0, ptr: 'out' }] },
        { texture: 'line' },
      ],
      buffers: { out: { type: 'f32', data: [0] }, texels: { type: 'f32', data: [2, 4] } },
      textures: { line: { buffer: 'texels', channel: 'f32', width: 2, filter: 'linear' } },
      variables: { factor: { type: 'f32', data: [10] } },
      expected: { out: [30] },
    };
    const cases = file('given.json', JSON.stringify({ ptx: 'given.ptx', cases: [one] }));
    const { exitCode, out } = await called('chiplet', 'ptx', ptx, '--case', cases);

    expect([exitCode, out]).toEqual([0, expect.stringContaining('one k: ok')]);
  });

  test.each([
    ['--contraction', 'fuse'],
    ['--approximations', 'h100'],
  ])('compiles as it is told: %s %s', async (option, value) => {
    const ptx = file(
      'rules.ptx',
      text('').replace(
        'ld.global',
        '.reg .f32 %f<4>; mov.f32 %f1, 0f3F800001; mul.f32 %f2, %f1, %f1; sub.f32 %f3, %f2, 0f3F800002; st.global.f32 [%rd1], %f3; mov.f32 %f1, 0f40200000; div.approx.f32 %f1, %f1, 0f402DF854; st.global.f32 [%rd1+4], %f1; ld.global',
      ),
    );
    const one = {
      ...given(0).cases[0]!,
      block: [1, 1, 1],
      buffers: { values: { type: 'f32', data: [0, 0] } },
      expected: { values: value === 'fuse' ? [2 ** -46, 0.9196986556053162] : [0, 0.9196985960006714] },
    };
    const cases = file('rules.json', JSON.stringify({ ptx: 'rules.ptx', cases: [one] }));

    expect((await called('chiplet', 'ptx', ptx, '--case', cases, option, value)).out).toContain(': ok');
    expect((await called('chiplet', 'ptx', ptx, '--case', cases)).exitCode).toBe(1);
  });

  test('runs a case on a timed chiplet and compares its buffers', async () => {
    const ptx = file('double.ptx', text('st.global.u32 [%rd1], %r2;'));
    const cases = file('double.json', JSON.stringify(given(8)));
    const power = join(folder, 'power.txt');
    const { exitCode, out, err } = await called(
      'chiplet',
      'ptx',
      ptx,
      '--case',
      cases,
      '--json',
      '--power',
      power,
    );

    expect(exitCode).toBe(0);
    const { cases: found } = JSON.parse(out);
    // mov 0, ld.param 1, mad 5, ld.global 10, back after 18 + 120 + 100 cycles: shl 248, st 252, ret 253.
    expect(found[0]).toMatchObject({
      name: 'four',
      problems: [],
      cycles: 254,
      buffers: { values: [2, 4, 6, 8] },
    });
    expect(err).toMatch(/gpgpu_simulation_time = 0 days/);
    expect(readFileSync(power, 'utf8')).toContain('static_power_watts = 20\n');
  });

  test('ends with exit code 1 when a buffer differs', async () => {
    const ptx = file('double.ptx', text('st.global.u32 [%rd1], %r2;'));
    const cases = file('wrong.json', JSON.stringify(given(9)));
    const { exitCode, out } = await called('chiplet', 'ptx', ptx, '--case', cases);

    expect(exitCode).toBe(1);
    expect(out).toContain('four double: FAILED values[3] is 8, expected 9');
  });

  test('tells a mistake in the text with its place and the nearest name', async () => {
    const ptx = file('bad.ptx', text('st.globl.u32 [%rd1], %r2;'));
    const cases = file('double.json', JSON.stringify(given(8)));
    const { exitCode, err } = await called('chiplet', 'ptx', ptx, '--case', cases);

    expect(exitCode).toBe(2);
    expect(err).toContain('bad.ptx:12:3 E-PTX found "globl" in st.globl.u32');
    expect(err).toContain('did you mean "global"?');
  });

  test.each([
    [['--name', 'fore'], 'did you mean "four"?'],
    [['--config', 'none.config'], 'found no such file'],
  ])('refuses %j', async (args, help) => {
    const ptx = file('double.ptx', text('st.global.u32 [%rd1], %r2;'));
    const cases = file('double.json', JSON.stringify(given(8)));
    const { exitCode, err } = await called('chiplet', 'ptx', ptx, '--case', cases, ...args);

    expect(exitCode).toBe(2);
    expect(err).toContain(help);
  });

  test('reads a configuration and warns of what it does not know', async () => {
    const ptx = file('double.ptx', text('st.global.u32 [%rd1], %r2;'));
    const cases = file('double.json', JSON.stringify(given(8)));
    const config = file('gpgpusim.config', '-dram_latency 200\n-visualizer_enabled 0\n');
    const { out, err } = await called('chiplet', 'ptx', ptx, '--case', cases, '--config', config);

    expect(out).toContain('; 354 cycles,');
    expect(err).toContain(
      'gpgpusim.config:2 warning: keys without effect, what is counted, shown and recorded: -visualizer_enabled',
    );
  });
});

describe('chiplet ptx judges', () => {
  const ptx = () => file('double.ptx', text('st.global.u32 [%rd1], %r2;'));
  const outcomeOf = (change: object, ...args: string[]) => {
    const cases = file(
      'judged.json',
      JSON.stringify({ ...given(8), cases: [{ ...given(8).cases[0], ...change }] }),
    );
    return called('chiplet', 'ptx', ptx(), '--case', cases, ...args);
  };

  test.each<[string, object, string]>([
    [
      'counts',
      { stats: { globalLoadInstr: 1, threadInstructions: 29 } },
      'FAILED threadInstructions is 28, expected 29;',
    ],
    [
      'messages',
      { messagesSent: [{ src: [0, 0], dst: [0, 1], value: 7 }] },
      'FAILED message 0 sent is none, expected 7 from (0, 0) to (0, 1);',
    ],
    [
      'whole numbers that a number cannot hold',
      {
        buffers: { values: { type: 'u64', data: ['18446744073709551614', 2] } },
        expected: { values: ['18446744069414584317'] },
      },
      'FAILED values[0] is 18446744069414584316, expected 18446744069414584317;',
    ],
  ])('%s that are not as expected', async (_, change, told) => {
    const { exitCode, out } = await outcomeOf(change);

    expect([exitCode, out]).toEqual([1, expect.stringContaining(told)]);
  });

  test('nothing where nothing is expected, and says so', async () => {
    const { exitCode, out } = await outcomeOf({ expected: {} });

    expect([exitCode, out]).toEqual([
      0,
      expect.stringContaining('double: ended, nothing is expected of it;'),
    ]);
  });

  test.each<[string, object, string]>([
    ['a misspelt key', { expect: { values: [1] } }, 'unknown key "expect"'],
    [
      'a value that its type does not have',
      { buffers: { values: { type: 'u8', data: [1, 300] } } },
      'E-LAUNCH double: found 300 at values[1], expected a value of type u8',
    ],
    [
      'a whole number that JSON does not keep',
      { buffers: { values: { type: 'u64', data: [2 ** 60] } } },
      'found 1152921504606847000 at values[0], expected a value of type u64: write it in quotes',
    ],
  ])('refuses %s', async (_, change, told) => {
    const { exitCode, err } = await outcomeOf(change);

    expect([exitCode, err]).toEqual([2, expect.stringContaining(told)]);
  });

  test('values that JSON has no numbers for', async () => {
    const reals = { values: { type: 'f64', data: ['-Infinity', 'NaN', 1.5, '7'] } };
    const { exitCode, out } = await called(
      'chiplet',
      'ptx',
      file('nothing.ptx', text('').replace(/ {2}ld\.global[\s\S]*?ret/, '  ret')),
      '--case',
      file(
        'reals.json',
        JSON.stringify({
          ...given(8),
          cases: [{ ...given(8).cases[0], buffers: reals, expected: { values: reals.values.data } }],
        }),
      ),
      '--json',
    );

    expect(exitCode).toBe(0);
    expect(JSON.parse(out).cases[0].buffers.values).toEqual(['-Infinity', 'NaN', 1.5, 7]);
  });

  test('sums of 128 bits, as compilers write them, unless addc is told to be a message', async () => {
    const wide = file(
      'wide.ptx',
      text('add.cc.u32 %r2, %r2, -1; addc.u32 %r2, %r2, 5; st.global.u32 [%rd1], %r2;'),
    );
    const cases = file(
      'wide.json',
      JSON.stringify({
        ...given(8),
        cases: [{ ...given(8).cases[0], expected: { values: [7, 9, 11, 13] } }],
      }),
    );

    expect((await called('chiplet', 'ptx', wide, '--case', cases)).out).toContain('double: ok');
    const { exitCode, out } = await called('chiplet', 'ptx', wide, '--case', cases, '--message-opcode', 'on');
    expect([exitCode, out]).toEqual([1, expect.stringContaining('E-OPCODE')]);
  });
});

test('chiplet ptx warns of values that nobody reads and of barriers that part lanes', async () => {
  const store = 'setp.eq.u32 %q, %r1, 0; @%q bra meet; bar.sync 0; meet: st.global.u32 [%rd1], %r2;';
  const ptx = file('part.ptx', text(store).replace('.reg .b32', '.reg .pred %q; .reg .b32'));
  const waiting = { src: [0, 0], dst: [1, 1], values: [3, 4] };
  const { cases, ...rest } = given(8);
  const path = file(
    'part.json',
    JSON.stringify({ ...rest, cases: cases.map((one) => ({ ...one, inbox: [waiting] })) }),
  );
  const { exitCode, err } = await called('chiplet', 'ptx', ptx, '--case', path);

  expect(exitCode).toBe(0);
  expect(err).toContain('four warning: W-UNREAD 2 values from (0, 0) were never read');
  expect(err).toContain('four warning: E-BARDIV warps came 1 times');
});

test.each([
  [
    'an operation that is none',
    'mov.u32 %r1, 1010102; addc.u32 %r2, %r1, %r2;',
    1,
    'E-OPCODE found the operation 2',
  ],
  [
    'a coordinate of three digits',
    'mov.u32 %r1, 1000000000; addc.u32 %r2, %r1, %r2;',
    1,
    'E-ADDR found the coordinate 100',
  ],
  [
    'an address outside allocations',
    'ld.global.u32 %r2, [%rd1+4096];',
    1,
    'E-MEM found an access of 4 bytes',
  ],
  ['an address that is not aligned', 'ld.global.u32 %r2, [%rd1+2];', 1, 'expected a multiple of its 4 bytes'],
  [
    'a receive that nobody serves',
    'mov.u32 %r1, 1010001; addc.u32 %r2, %r1, %r2;',
    1,
    'E-DEADLOCK the kernel never ends: its warps wait at\n    kernel ',
  ],
  [
    'a barrier to which not enough threads come',
    'bar.sync 1, 64;',
    1,
    /E-DEADLOCK the kernel never ends: its warps wait at\n {4}kernel \w+, block 0, thread 0, pc \d+, \S+fault\.ptx:\d+: bar\.sync 1, 64; \(waits at barrier 1\)/,
  ],
])('chiplet ptx tells of %s', async (_, store, code, told) => {
  const ptx = file('fault.ptx', text(store));
  const cases = file('double.json', JSON.stringify(given(8)));
  const { exitCode, err, out } = await called('chiplet', 'ptx', ptx, '--case', cases);

  expect(`${out}${err}`).toEqual(
    told instanceof RegExp ? expect.stringMatching(told) : expect.stringContaining(told),
  );
  expect(exitCode).toBe(code);
});

test('a parameter that names no buffer is told, with those that there are', async () => {
  const ptx = file('double.ptx', text('st.global.u32 [%rd1], %r2;'));
  const [one] = given(8).cases;
  const cases = file(
    'unknown.json',
    JSON.stringify({ ...given(8), cases: [{ ...one, params: [{ ptr: 'value' }] }] }),
  );
  const told = 'found the buffer "value" for p, expected one of the case: values';

  const { err } = await called('chiplet', 'ptx', ptx, '--case', cases);
  expect(err).toContain(`E-LAUNCH double: ${told}`);
  const measured = file(
    'measured.json',
    JSON.stringify({
      format: 'lockstep-gpu/1',
      gpu: 'none',
      driverApi: 0,
      compiler: 'none',
      cases: [
        {
          ...one,
          file: 'double',
          dynamicSharedBytes: 0,
          params: [{ ptr: 'value' }],
          buffers: { values: { type: 'u32', bytes: 16, base64: 'AQAAAAIAAAADAAAABAAAAA==' } },
          compare: ['values'],
          tags: [],
          expected: {
            'double.ptx': { deterministic: true, outputs: { values: 'AQAAAAIAAAADAAAABAAAAA==' } },
          },
        },
      ],
    }),
  );
  expect((await called('verify', measured)).err).toContain(`E-LAUNCH double: ${told}`);
});

describe('verify', () => {
  test('compares cases with what both ways of running them give', async () => {
    file('double.ptx', text('st.global.u32 [%rd1], %r2;'));
    const [one] = given(8).cases;
    const counted = { ...one, stats: { threadInstructions: 28, globalLoadInstr: 1 } };
    const cases = file('double.json', JSON.stringify({ ...given(8), cases: [counted] }));
    const { exitCode, err } = await called('verify', cases);

    expect(err).toContain('double.json (ptx kernels): 6 of 6 rows');
    expect(exitCode).toBe(0);
  });

  const golden = new URL('../../../shared/golden/ptx', import.meta.url).pathname;
  test.skipIf(!existsSync(golden))('agrees with the reference kernels', async () => {
    const { exitCode, err } = await called('verify', golden);

    expect(err).toContain('11 files compared, 12 skipped: 443 rows passed, 0 failed');
    expect(exitCode).toBe(0);
  });

  test('a kernel that cannot be compiled is told only when a case wants it', async () => {
    const bad = '.visible .entry bad()\n{\n  nonsense.u32 1;\n  ret;\n}\n';
    const ptx = file('two.ptx', `${text('st.global.u32 [%rd1], %r2;')}${bad}`);
    const cases = file('two.json', JSON.stringify(given(8)));
    const [one] = given(8).cases;
    const asked = file(
      'bad.json',
      JSON.stringify({ ptx: 'two.ptx', cases: [{ ...one, entry: 'bad', params: [] }] }),
    );

    expect((await called('chiplet', 'ptx', ptx, '--case', cases)).exitCode).toBe(0);
    const { exitCode, err } = await called('chiplet', 'ptx', ptx, '--case', asked);
    expect(exitCode).toBe(2);
    expect(err).toMatch(/two\.ptx:\d+:\d+ E-PTX found the instruction "nonsense"/);
  });

  test('a kernel that does not end is stopped at the limit of cycles, which is named', async () => {
    const ptx = file('spin.ptx', text('on: add.u32 %r2, %r2, 1; bra on;'));
    const cases = file('spin.json', JSON.stringify({ ...given(8), ptx: 'spin.ptx' }));

    const { exitCode, out } = await called('chiplet', 'ptx', ptx, '--case', cases, '--cycles', '21000');
    expect(exitCode).toBe(1);
    expect(out).toMatch(
      /E-LIMIT the kernel has not ended after --cycles 21000 cycles; its warps are at\n {4}kernel \w+, block 0, thread 0, pc \d+, \S+spin\.ptx:\d+: /,
    );
    expect(out).not.toContain('E-DEADLOCK');
  });

  test.each([[[1, 65_536, 1]], [[1, 1, 65_536]], [[2 ** 31, 1, 1]]])(
    'a grid of %j blocks is larger than any',
    async (grid) => {
      const ptx = file('wide.ptx', text('st.global.u32 [%rd1], %r2;'));
      const [one] = given(8).cases;
      const cases = file('wide.json', JSON.stringify({ ptx: 'wide.ptx', cases: [{ ...one, grid }] }));

      const { exitCode, err } = await called('chiplet', 'ptx', ptx, '--case', cases);
      expect(exitCode).toBe(2);
      expect(err).toContain(`E-LAUNCH double: found a grid of ${grid.join(' x ')} blocks, expected at most`);
    },
  );

  test('shows what a kernel prints', async () => {
    const head = `.extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);
.global .align 1 .b8 format[] = {104, 105, 10, 0};
.visible .entry double`;
    const print = `.param .b64 f; .param .b64 a; .param .b32 r; .reg .pred %q; .reg .b64 %y;
  mov.u64 %y, format; cvta.global.u64 %y, %y; st.param.b64 [f], %y; st.param.b64 [a], %y;
  setp.eq.u32 %q, %r1, 2; @%q call.uni (r), vprintf, (f, a);`;
    const ptx = file(
      'print.ptx',
      text(`${print} st.global.u32 [%rd1], %r2;`).replace('.visible .entry double', head),
    );
    const cases = file('print.json', JSON.stringify({ ...given(8), ptx: 'print.ptx' }));

    const { exitCode, out } = await called('chiplet', 'ptx', ptx, '--case', cases);
    expect(out).toMatch(/^hi\nfour double: ok/);
    expect(exitCode).toBe(0);
  });
});

test('a kernel that cannot be read keeps no case of another from being run', async () => {
  const ptx = file(
    'some.ptx',
    `.version 7.0
.target sm_90
.visible .entry good()
{
  ret;
}
.visible .entry first()
{
  wgmma.fence.sync.aligned;
  ret;
}
.visible .entry second()
{
  nothing.u32 1;
  ret;
}
`,
  );
  const one = (name: string) => ({
    name,
    entry: name,
    grid: [1, 1, 1],
    block: [1, 1, 1],
    params: [],
    buffers: {},
  });
  const cases = (...names: readonly string[]) =>
    file(`${names.join('-')}.json`, JSON.stringify({ ptx: 'some.ptx', cases: names.map(one) }));

  const all = await called('chiplet', 'ptx', ptx, '--case', cases('first', 'good', 'second'));
  expect(all.exitCode).toBe(2);
  expect(all.out).toMatch(/^good good: ended/m);
  expect(all.out).toMatch(/^first first: REFUSED .*some\.ptx:9:3 E-PTX found the instruction "wgmma"/m);
  expect(all.out).toMatch(/^second second: REFUSED .*some\.ptx:14:3 E-PTX/m);

  const told = JSON.parse(
    (await called('chiplet', 'ptx', ptx, '--case', cases('first', 'good'), '--json')).out,
  );
  expect(told.cases).toEqual([
    expect.objectContaining({ name: 'good', finished: true }),
    { name: 'first', entry: 'first', refused: expect.stringContaining('E-PTX') },
  ]);

  const alone = await called('chiplet', 'ptx', ptx, '--case', cases('second'));
  expect(alone.exitCode).toBe(2);
  expect(alone.err).toContain('some.ptx:14:3 E-PTX');
});

test('a chiplet as shipped grows for what every GPU of the target has, and says so', async () => {
  const ptx = file('shared.ptx', '.version 8.0\n.target sm_90\n.visible .entry k()\n{\n  ret;\n}\n');
  const cases = file(
    'shared.json',
    JSON.stringify({
      ptx: 'shared.ptx',
      cases: [
        {
          name: 'k',
          entry: 'k',
          grid: [1, 1, 1],
          block: [1, 1, 1],
          params: [],
          buffers: {},
          dynamicSharedBytes: 96_000,
        },
      ],
    }),
  );
  const grown = await called('chiplet', 'ptx', ptx, '--case', cases);
  expect(grown.exitCode).toBe(0);
  expect(grown.err).toContain('k warning: it ran on a core with 96000 bytes of shared memory, more than');

  const config = file('own.config', '-gpgpu_shmem_size 49152\n');
  const kept = await called('chiplet', 'ptx', ptx, '--case', cases, '--config', config);
  expect(kept.exitCode).toBe(1);
  expect(kept.out).toContain('needs 1 warps and 96000 bytes of shared memory, a core has 48 warps');
});
