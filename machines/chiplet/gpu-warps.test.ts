import { expect, test } from 'vitest';
import { defaultTiming } from '../../actors/chiplet/gpu/timing.ts';
import { compilePtx } from '../../actors/chiplet/ptx/program.ts';
import { timedCase } from './gpu-case-timed.ts';
import { soundChipletParts } from './gpu-chiplet.ts';

const kernelOf = (body: string) =>
  compilePtx([
    {
      file: 'k.ptx',
      text: `.version 7.0
.target sm_75
.global .align 4 .b32 word;
.visible .entry k()
{
  .reg .pred %p;
  .reg .b32 %r<4>;
  ${body}
  ret;
}`,
    },
  ]);

/** A kernel of two warps, each of them an actor, on one core. */
function twoWarps(body: string) {
  const program = kernelOf(body);
  const given = {
    name: 'k',
    entry: 'k',
    grid: [1, 1, 1],
    block: [64, 1, 1],
    params: [],
    buffers: {},
  } as const;
  const timing = { ...defaultTiming, cores: 1 };
  return timedCase(program, program.kernels.get('k')!, given, timing, {}, soundChipletParts, 'warp');
}

const inCore = (name: string): string => name.replace('Chip[0][0].Core[0].', '');

test('a deadlock names the warp at a barrier, and the one that has not come, with what that one waits for', () => {
  const { run } = twoWarps(
    'mov.u32 %r1, %warpid; setp.eq.u32 %p, %r1, 1; @%p addc.u32 %r2, 11, 0; bar.sync 0;',
  );
  const { deadlock } = run.toEnd();

  const waiting = deadlock!.waiting.map(({ actor, state, on }) => [inCore(actor), state, on.map(inCore)]);
  expect(waiting).toEqual(
    expect.arrayContaining([
      ['Warp[0]', 'waitingForBarrier', ['Block[0]']],
      ['Block[0]', 'gathering', ['Warp[1]']],
      ['Warp[1]', 'waitingForMessage', ['Chip[0][0].Mailbox']],
    ]),
  );
});

test('warps that wait for each other at different barriers are told as a circle', () => {
  const { run } = twoWarps('mov.u32 %r1, %warpid; bar.sync %r1, 64;');
  const { deadlock } = run.toEnd();

  expect(deadlock!.waiting.map(({ actor, state }) => [inCore(actor), state])).toEqual(
    expect.arrayContaining([
      ['Warp[0]', 'waitingForBarrier'],
      ['Warp[1]', 'waitingForBarrier'],
    ]),
  );
});

test('a warp that needs what it loads waits for the load, and the load for its channel', () => {
  const { run } = twoWarps('ld.global.u32 %r1, [word]; add.u32 %r1, %r1, 1;');
  run.until(20);

  const states = run.parts.map(({ name, value }) => [inCore(name), value]);
  expect(states).toEqual(
    expect.arrayContaining([
      ['Warp[0]', 'waitingForMemory'],
      ['Load[0]', 'awaitingSegments'],
    ]),
  );
});
