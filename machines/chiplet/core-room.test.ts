import { describe, expect, test } from 'vitest';
import { defaultTiming } from '../../actors/chiplet/gpu/timing.ts';
import { compilePtx } from '../../actors/chiplet/ptx/program.ts';
import { coreWithRoom } from './core-room.ts';
import type { GpuCase } from './gpu-case.ts';
import { timedCase } from './gpu-case-timed.ts';

/*
 * Whether a core has room for a block, and where its shared memory begins.
 */

const programOf = (body: string, target = 'sm_80', before = '') =>
  compilePtx([
    {
      file: 'room.ptx',
      text: `.version 8.0
.target ${target}
.address_size 64
.extern .shared .align 4 .b8 given[];
.visible .entry k(.param .u64 out)
{
  ${before}
  .reg .b32 %t, %r<80>;
  .reg .b64 %o;
  ld.param.u64 %o, [out];
  mov.u32 %t, %tid.x;
  mad.wide.u32 %o, %t, 4, %o;
  ${body}
  ret;
}`,
    },
  ]);

const launch = (given: Partial<GpuCase> = {}, threads = 4): GpuCase => ({
  name: 'k',
  entry: 'k',
  grid: [1, 1, 1],
  block: [threads, 1, 1],
  params: [{ ptr: 'out' }],
  buffers: { out: { type: 'u32', data: Array.from({ length: threads }, () => 0) } },
  ...given,
});

function outcomeOf(program: ReturnType<typeof programOf>, given: GpuCase, timing = defaultTiming) {
  const timed = timedCase(program, program.kernels.get('k')!, given, timing);
  timed.run.toEnd();
  return timed.outcome();
}

test('a block runs whose threads need more registers than a core has: a translator keeps what does not fit in local memory', () => {
  const many = Array.from({ length: 60 }, (_, at) => at);
  const body = `${many.map((at) => `ld.volatile.global.u32 %r${at}, [%o];`).join(' ')} ${many
    .slice(1)
    .map((at) => `add.u32 %r0, %r0, %r${at};`)
    .join(' ')} add.u32 %r0, %r0, %t; st.global.u32 [%o], %r0;`;
  const program = programOf(body);
  const { registersPerThread } = program.kernels.get('k')!;

  expect(registersPerThread * 1024).toBeGreaterThan(defaultTiming.registersPerCore);
  const outcome = outcomeOf(program, launch({}, 1024));
  expect(outcome.finished).toBe(true);
  expect(outcome.buffers['out']).toEqual(Array.from({ length: 1024 }, (_, at) => at));
});

describe('shared memory that is given at launch', () => {
  const store = programOf(
    'mov.u32 %r0, given; add.u32 %r0, %r0, 95000; st.shared.u32 [%r0], %t; ld.shared.u32 %r1, [%r0]; st.global.u32 [%o], %r1;',
  );
  const asked = launch({ dynamicSharedBytes: 96_000 }, 1);

  test('of more than a core as shipped has is refused, and what the core has is told', () => {
    const { outcome } = outcomeOf(store, asked);
    expect(outcome.violations.map(({ why }) => why)).toEqual([
      expect.stringMatching(
        /needs 1 warps and 96000 bytes of shared memory, a core has 48 warps, 8 blocks and 49152/,
      ),
    ]);
  });

  test('has room where GPUs of the target have it', () => {
    const room = coreWithRoom(defaultTiming, store.kernels.get('k')!, asked);
    expect(room.enlarged).toBe('96000 bytes of shared memory');
    expect(outcomeOf(store, asked, room.timing).finished).toBe(true);
  });

  test.each([
    ['sm_60', 49_153, false],
    ['sm_75', 64 * 1024, true],
    ['sm_75', 64 * 1024 + 1, false],
    ['sm_86', 99 * 1024 + 1, false],
    ['sm_90a', 227 * 1024, true],
    ['sm_90', 227 * 1024 + 1, false],
    ['sm_120', 100 * 1024, false],
  ])('on %s, %i bytes: %s', (target, dynamicSharedBytes, fits) => {
    const kernel = programOf('', target).kernels.get('k')!;
    const { timing, enlarged } = coreWithRoom(defaultTiming, kernel, launch({ dynamicSharedBytes }));
    expect(timing.sharedBytesPerCore >= dynamicSharedBytes).toBe(fits);
    expect(enlarged !== undefined).toBe(fits);
  });
});

test('a core has room for all blocks of a cluster', () => {
  const program = programOf('mov.u32 %r0, %cluster_ctarank; st.global.u32 [%o], %r0;', 'sm_90');
  const given = launch({ grid: [16, 1, 1], cluster: [16, 1, 1] }, 256);
  const room = coreWithRoom(defaultTiming, program.kernels.get('k')!, given);

  expect(room.enlarged).toBe('16 blocks and 128 warps');
  expect(outcomeOf(program, given).finished).toBe(false);
  expect(outcomeOf(program, given, room.timing).finished).toBe(true);
});

test('a core as shipped stays as it is for what it has room for', () => {
  const kernel = programOf('').kernels.get('k')!;
  expect(coreWithRoom(defaultTiming, kernel, launch())).toEqual({
    timing: defaultTiming,
    enlarged: undefined,
  });
});

test('what is reserved of shared memory is nobody else’s', () => {
  const registers = ['begin', 'end', 'cap', '0', '1'].map((one) => `%reserved_smem_offset_${one}`);
  const values = [...registers, '%total_smem_size', '%dynamic_smem_size', '%aggr_smem_size'];
  const told = values.map((name, at) => `mov.u32 %r1, ${name}; st.global.u32 [%o+${4 * at}], %r1;`).join(' ');
  // A word of its own, one that is given at launch, and one that is reserved.
  const program = programOf(
    `mov.u32 %r0, %reserved_smem_offset_1;
     st.shared.u32 [own], 1; st.shared.u32 [given], 2; st.shared.u32 [%r0], 3;
     ld.shared.u32 %r2, [own]; ld.shared.u32 %r3, [given]; ld.shared.u32 %r4, [%r0];
     mad.lo.u32 %r2, %r2, 10, %r3; mad.lo.u32 %r2, %r2, 10, %r4; ${told} st.global.u32 [%o+32], %r2;`,
    'sm_80',
    '.shared .align 4 .b8 own[8];',
  );
  const buffers = { out: { type: 'u32', data: Array.from({ length: 9 }, () => 7) } } as const;
  const { buffers: found } = outcomeOf(program, launch({ dynamicSharedBytes: 16, buffers }, 1));

  expect(found['out']).toEqual([0, 1024, 1024, 0, 512, 24, 16, 1048, 123]);
  // Where nobody asks for it nothing is reserved.
  expect(programOf('').kernels.get('k')!.sharedBytes).toBe(0);
});
