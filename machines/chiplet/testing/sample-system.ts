import type { HostProgram } from '../../../actors/chiplet/gpu/host-operations.ts';
import { programOfSteps } from '../../../actors/chiplet/gpu/host-steps.ts';
import type { MailboxMode } from '../../../actors/chiplet/gpu/mailbox-store.ts';
import { defaultTiming } from '../../../actors/chiplet/gpu/timing.ts';
import type { ChipletAddress } from '../../../actors/chiplet/ptx/message-code.ts';
import { compilePtx } from '../../../actors/chiplet/ptx/program.ts';
import type { Address } from '../../../kernel/message.ts';
import { Run } from '../../../kernel/run.ts';
import { Wiring } from '../../../kernel/wiring.ts';
import { wireCpuChiplet } from '../cpu-chiplet.ts';
import { wireGpuChiplet } from '../gpu-chiplet.ts';
import { instantCarrier } from './instant-carrier.ts';

/*
 * One CPU chiplet and three GPU chiplets joined at once (chiplet specification 11), with kernels of our own that do what those of the sample do.
 */

const text = `.version 7.0
.target sm_75
.visible .entry pass(.param .u32 dx, .param .u32 dy, .param .u32 sx, .param .u32 sy, .param .u64 data, .param .u32 n)
{
  .reg .pred %p;
  .reg .b32 %r<9>;
  .reg .b64 %d;
  ld.param.u32 %r1, [sx];
  mul.lo.s32 %r1, %r1, 10000000;
  ld.param.u32 %r2, [sy];
  mad.lo.s32 %r1, %r2, 100000, %r1;
  ld.param.u32 %r2, [dx];
  mad.lo.s32 %r1, %r2, 1000, %r1;
  ld.param.u32 %r2, [dy];
  mad.lo.s32 %r1, %r2, 10, %r1;
  ld.param.u64 %d, [data];
  ld.param.u32 %r3, [n];
next:
  setp.eq.u32 %p, %r3, 0;
  @%p ret;
  ld.global.u32 %r4, [%d];
  addc.u32 %r5, %r1, %r4;
  st.global.u32 [%d], %r5;
  add.s64 %d, %d, 4;
  sub.u32 %r3, %r3, 1;
  bra next;
}
.visible .entry read(.param .u32 dx, .param .u32 dy, .param .u32 sx, .param .u32 sy, .param .u64 data, .param .u32 n)
{
  .reg .pred %p;
  .reg .b32 %r<9>;
  .reg .b64 %d;
  ld.param.u32 %r1, [sx];
  mul.lo.s32 %r1, %r1, 10000000;
  ld.param.u32 %r2, [sy];
  mad.lo.s32 %r1, %r2, 100000, %r1;
  ld.param.u32 %r2, [dx];
  mad.lo.s32 %r1, %r2, 1000, %r1;
  ld.param.u32 %r2, [dy];
  mad.lo.s32 %r1, %r2, 10, %r1;
  add.s32 %r1, %r1, 1;
  ld.param.u64 %d, [data];
  ld.param.u32 %r3, [n];
  mov.u32 %r4, 0;
next:
  setp.ge.u32 %p, %r4, %r3;
  @%p ret;
  addc.u32 %r5, %r1, %r4;
  st.global.u32 [%d], %r5;
  add.s64 %d, %d, 4;
  add.u32 %r4, %r4, 1;
  bra next;
}
.visible .entry product(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 width)
{
  .reg .pred %p;
  .reg .b32 %r<12>;
  .reg .b64 %d<6>;
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %tid.y;
  mov.u32 %r9, %ntid.x;
  ld.param.u32 %r3, [width];
  ld.param.u64 %d1, [a];
  ld.param.u64 %d2, [b];
  mul.lo.s32 %r4, %r2, %r3;
  mad.wide.u32 %d1, %r4, 4, %d1;
  mad.wide.u32 %d2, %r1, 4, %d2;
  mul.wide.u32 %d3, %r3, 4;
  mov.u32 %r5, 0;
  mov.u32 %r8, 0;
next:
  ld.global.u32 %r6, [%d1];
  ld.global.u32 %r7, [%d2];
  mad.lo.s32 %r5, %r6, %r7, %r5;
  add.s64 %d1, %d1, 4;
  add.s64 %d2, %d2, %d3;
  add.s32 %r8, %r8, 1;
  setp.lt.s32 %p, %r8, %r3;
  @%p bra next;
  mad.lo.s32 %r10, %r2, %r9, %r1;
  ld.param.u64 %d4, [c];
  mad.wide.u32 %d4, %r10, 4, %d4;
  st.global.u32 [%d4], %r5;
  ret;
}`;

const ptx = compilePtx([{ file: 'sample.ptx', text }]);
export const width = 6;
export const left = Array.from({ length: width * width }, (_, at) => (at * 7) % 11);
export const right = Array.from({ length: width * width }, (_, at) => (at * 5) % 13);
export const productOf = (a: readonly number[], b: readonly number[]): readonly number[] =>
  a.map((_, at) => {
    const [row, column] = [Math.floor(at / width), at % width];
    let sum = 0;
    for (let k = 0; k < width; k++) sum += a[row * width + k]! * b[k * width + column]!;
    return sum;
  });

export const gpus: readonly ChipletAddress[] = [
  [0, 1],
  [1, 0],
  [1, 1],
];

export const gpuProgram = programOfSteps([
  { op: 'malloc', as: 'A', bytes: 4 * width * width },
  { op: 'malloc', as: 'B', bytes: 4 * width * width },
  { op: 'malloc', as: 'C', bytes: 4 * width * width },
  ...(['A', 'B'] as const).map((name) => ({
    op: 'launch' as const,
    kernel: 'read',
    grid: [1, 1, 1] as const,
    block: [1, 1, 1] as const,
    args: [
      { number: 0 },
      { number: 0 },
      { own: 'x' },
      { own: 'y' },
      { ptr: name },
      { number: width * width },
    ] as const,
  })),
  {
    op: 'launch',
    kernel: 'product',
    grid: [1, 1, 1],
    block: [width, width, 1],
    args: [{ ptr: 'A' }, { ptr: 'B' }, { ptr: 'C' }, { number: width }],
  },
  {
    op: 'launch',
    kernel: 'pass',
    grid: [1, 1, 1],
    block: [1, 1, 1],
    args: [{ number: 0 }, { number: 0 }, { own: 'x' }, { own: 'y' }, { ptr: 'C' }, { number: width * width }],
  },
  { op: 'free', of: 'A' },
]);

/** The chiplets with these programs, ready to run. */
export function wired(cpu: HostProgram, gpu: HostProgram, mode: MailboxMode = 'queue') {
  const wiring = new Wiring();
  const carrier = wiring.reserve('Carrier');
  const files = { left, right };
  const timing = { ...defaultTiming, cores: 2 };
  const main = wireCpuChiplet(wiring, { at: [0, 0], program: cpu, carrier, mode, files });
  const others = gpus.map((at) => wireGpuChiplet(wiring, { at, program: gpu, carrier, mode, ptx, timing }));
  const mailboxes: Record<string, Address> = { '0,0': main.mailbox };
  for (const [index, at] of gpus.entries()) mailboxes[at.join(',')] = others[index]!.mailbox;
  wiring.place(carrier, instantCarrier, { mailboxes });
  const run = new Run(wiring);
  const contextOf = <C>(address: Address): C => run.part(address).context as unknown as C;
  return { wiring, run, main, others, contextOf };
}
