import { expect, test } from 'vitest';
import { compilePtx } from '../../actors/chiplet/ptx/program.ts';
import { runCase } from './gpu-case.ts';

/** Every lane takes a lock in a loop of its own, adds 1 and gives it back. */
const text = `
.version 7.0
.target sm_75
.visible .entry lock(.param .u64 words)
{
  .reg .pred %p; .reg .b32 %r<4>; .reg .b64 %x;
  ld.param.u64 %x, [words];
again:
  atom.global.cas.b32 %r0, [%x], 0, 1;
  setp.ne.u32 %p, %r0, 0;
  @%p bra again;
  membar.gl;
  ld.volatile.global.u32 %r1, [%x+4];
  add.u32 %r1, %r1, 1;
  st.volatile.global.u32 [%x+4], %r1;
  membar.gl;
  atom.global.exch.b32 %r2, [%x], 0;
  ret;
}`;

test('lanes that only wait for memory soon let others of their warp go on', () => {
  const program = compilePtx([{ file: 'lock.ptx', text }]);
  const { buffers, counts } = runCase(program, program.kernels.get('lock')!, {
    name: 'lock',
    entry: 'lock',
    grid: [2, 1, 1],
    block: [64, 1, 1],
    params: [{ ptr: 'words' }],
    buffers: { words: { type: 'u32', data: [0, 0] } },
  });

  expect(buffers['words']).toEqual([0, 128]);
  // A lane waits for at most as many turns as it takes to see that nothing changes, not until lanes of any loop are parted.
  expect(counts.warpInstructions).toBeLessThan(500_000);
});

/** Every lane draws a ticket, waits until it is called, adds 1 and calls the next one, some times over. */
const tickets = `
.version 7.0
.target sm_75
.visible .entry tickets(.param .u64 words)
{
  .reg .pred %p; .reg .b32 %r<6>; .reg .b64 %x;
  ld.param.u64 %x, [words];
  mov.u32 %r5, 0;
draw:
  atom.global.add.u32 %r0, [%x], 1;
wait:
  ld.volatile.global.u32 %r1, [%x+4];
  setp.ne.u32 %p, %r1, %r0;
  @%p bra wait;
  membar.gl;
  ld.volatile.global.u32 %r2, [%x+8];
  add.u32 %r2, %r2, 1;
  st.volatile.global.u32 [%x+8], %r2;
  membar.gl;
  atom.global.add.u32 %r3, [%x+4], 1;
  add.u32 %r5, %r5, 1;
  setp.lt.u32 %p, %r5, 8;
  @%p bra draw;
  ret;
}`;

test('of 32 lanes that wait for each other in turn, each of the others is asked soon whether it goes on', () => {
  const program = compilePtx([{ file: 'tickets.ptx', text: tickets }]);
  const { buffers, counts } = runCase(program, program.kernels.get('tickets')!, {
    name: 'tickets',
    entry: 'tickets',
    grid: [1, 1, 1],
    block: [32, 1, 1],
    params: [{ ptr: 'words' }],
    buffers: { words: { type: 'u32', data: [0, 0, 0] } },
  });

  expect(buffers['words']).toEqual([256, 256, 256]);
  // With 256 turns for each of 31 lanes that wait one hand-over alone takes 24,000.
  expect(counts.warpInstructions / 256).toBeLessThan(500);
});
