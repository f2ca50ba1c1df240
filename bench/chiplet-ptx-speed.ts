/** Usage: npx tsx bench/chiplet-ptx-speed.ts [--json] */
import { compilePtx } from '../actors/chiplet/ptx/program.ts';
import { type CaseOutcome, type GpuCase, runCase } from '../machines/chiplet/gpu-case.ts';
import { timedCase } from '../machines/chiplet/gpu-case-timed.ts';
import { measure, reportMeasurement, type Variant } from './measure.ts';

/*
 * Thread instructions a second of processor time on a product of two 256 x 256 matrices of reals in tiles of 16 x 16: without timing, and on a chiplet of actors with
 * 15 cores.
 */

const size = 256;
const tile = 16;

/** One product of a row and a column of the tiles at hand. */
const product = (k: number): string => `
  ld.shared.f32 %f1, [%r8+${4 * k}];
  ld.shared.f32 %f2, [%r9+${4 * tile * k}];
  fma.rn.f32 %f0, %f1, %f2, %f0;`;

const text = `
.version 7.0
.target sm_75
.address_size 64
.visible .entry tiled(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n)
{
  .reg .pred %p<2>;
  .reg .b32 %r<20>;
  .reg .f32 %f<4>;
  .reg .b64 %rd<12>;
  .shared .align 4 .b8 rows[${4 * tile * tile}];
  .shared .align 4 .b8 columns[${4 * tile * tile}];
  ld.param.u64 %rd1, [a];
  ld.param.u64 %rd2, [b];
  ld.param.u64 %rd3, [c];
  ld.param.u32 %r1, [n];
  mov.u32 %r2, %tid.x;
  mov.u32 %r3, %tid.y;
  mov.u32 %r4, %ctaid.x;
  mov.u32 %r5, %ctaid.y;
  shl.b32 %r4, %r4, 4;
  shl.b32 %r5, %r5, 4;
  add.s32 %r4, %r4, %r2;
  add.s32 %r5, %r5, %r3;
  mov.u32 %r6, rows;
  mov.u32 %r7, columns;
  shl.b32 %r10, %r3, 6;
  shl.b32 %r11, %r2, 2;
  add.s32 %r8, %r6, %r10;
  add.s32 %r9, %r7, %r11;
  add.s32 %r12, %r8, %r11;
  add.s32 %r13, %r9, %r10;
  mad.lo.s32 %r14, %r5, %r1, %r2;
  mad.lo.s32 %r15, %r3, %r1, %r4;
  shl.b32 %r16, %r1, 4;
  mov.f32 %f0, 0f00000000;
  mov.u32 %r17, 0;
again:
  mul.wide.s32 %rd4, %r14, 4;
  add.s64 %rd5, %rd1, %rd4;
  ld.global.f32 %f3, [%rd5];
  st.shared.f32 [%r12], %f3;
  mul.wide.s32 %rd6, %r15, 4;
  add.s64 %rd7, %rd2, %rd6;
  ld.global.f32 %f3, [%rd7];
  st.shared.f32 [%r13], %f3;
  bar.sync 0;${Array.from({ length: tile }, (_, k) => product(k)).join('')}
  bar.sync 0;
  add.s32 %r14, %r14, ${tile};
  add.s32 %r15, %r15, %r16;
  add.s32 %r17, %r17, ${tile};
  setp.lt.s32 %p1, %r17, %r1;
  @%p1 bra again;
  mad.lo.s32 %r18, %r5, %r1, %r4;
  mul.wide.s32 %rd8, %r18, 4;
  add.s64 %rd9, %rd3, %rd8;
  st.global.f32 [%rd9], %f0;
  ret;
}`;

const matrix = (of: (row: number, column: number) => number): readonly number[] =>
  Array.from({ length: size * size }, (_, at) => of(Math.floor(at / size), at % size));
const left = matrix((row, column) => ((row * 7 + column * 3) % 11) - 5);
const right = matrix((row, column) => ((row * 5 + column) % 13) - 6);

const program = compilePtx([{ file: 'tiled.ptx', text }]);
const kernel = program.kernels.get('tiled')!;
const given: GpuCase = {
  name: 'tiled',
  entry: 'tiled',
  grid: [size / tile, size / tile, 1],
  block: [tile, tile, 1],
  params: [{ ptr: 'a' }, { ptr: 'b' }, { ptr: 'c' }, { u32: size }],
  buffers: {
    a: { type: 'f32', data: left },
    b: { type: 'f32', data: right },
    c: { type: 'f32', data: matrix(() => 0) },
  },
};

/** Sums of small whole numbers are exact, so one wrong element is seen. */
function check({ buffers, counts }: CaseOutcome): number {
  const [row, column] = [size - 3, 17];
  let sum = 0;
  for (let k = 0; k < size; k++) sum += left[row * size + k]! * right[k * size + column]!;
  const { c } = buffers;
  const found = c?.[row * size + column];
  if (found !== sum) throw new Error(`element (${row}, ${column}) is ${found}, expected ${sum}`);
  return counts.threadInstructions;
}

const timed = (name: string, run: () => CaseOutcome): Variant => ({
  name,
  run: () => {
    const began = process.cpuUsage();
    const outcome = run();
    const { user, system } = process.cpuUsage(began);
    return { work: check(outcome), seconds: (user + system) / 1e6 };
  },
});

const measured = measure(
  [
    timed('functional', () => runCase(program, kernel, given)),
    timed('timed actors', () => {
      const one = timedCase(program, kernel, given);
      one.run.toEnd();
      return one.outcome();
    }),
  ],
  { unit: 'thread instructions', rounds: 3 },
);
console.log(reportMeasurement(measured, process.argv.includes('--json')));
