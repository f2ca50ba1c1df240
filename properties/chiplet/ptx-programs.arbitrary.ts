import fc from 'fast-check';

/*
 * Kernels with any flow of control: blocks that change an accumulator and go on to one of two others by its value, for as long as there is fuel. Each
 * thread has its own number and so its own way.
 */

/** One block: what it does, and where it goes on. */
export interface FlowBlock {
  readonly work: string;
  readonly bit: number;
  readonly taken: number;
  readonly other: number;
  /** What ends the block: a branch and another, a guarded exit first, or a table. */
  readonly end: 'branch' | 'exit' | 'table';
}

const work = fc.constantFrom(
  'mad.lo.s32 %a, %a, 5, 3;',
  'xor.b32 %a, %a, %t;',
  'add.s32 %a, %a, %f;',
  '@%p add.s32 %a, %a, 1000;',
  '@!%p shr.u32 %a, %a, 1;',
  'brev.b32 %a, %a;',
  'setp.lt.s32 %p, %a, 0;',
  'rem.u32 %a, %a, 1009;',
);

const block = (count: number): fc.Arbitrary<FlowBlock> =>
  fc.record({
    work: fc.array(work, { maxLength: 3 }).map((lines) => lines.join('\n  ')),
    bit: fc.nat(6),
    taken: fc.nat(count),
    other: fc.nat(count),
    end: fc.constantFrom('branch', 'branch', 'branch', 'exit', 'table'),
  });

/** Flows of 1 to 8 blocks. A target equal to their number is the end. */
export const anyFlow: fc.Arbitrary<readonly FlowBlock[]> = fc
  .integer({ min: 1, max: 8 })
  .chain((count) => fc.array(block(count), { minLength: count, maxLength: count }));

const label = (target: number, count: number): string => (target === count ? 'END' : `B${target}`);

/** The text of a flow: thread t of the launch, counted from parameter `first`, stores what it comes to at place t of the buffer. */
export function flowText(blocks: readonly FlowBlock[], fuel: number): string {
  const count = blocks.length;
  const body = blocks.map(({ work: lines, bit, taken, other, end }, at) => {
    const ways = `setp.ne.u32 %p, %b, 0;\n  @%p bra ${label(taken, count)};\n  bra.uni ${label(other, count)};`;
    const leave =
      '@%q st.global.u32 [%o], %a;\n  setp.eq.and.u32 %q, %b, 0, %p;\n  @%q st.global.u32 [%o], %a;\n  @%q exit;';
    const table = `T${at}: .branchtargets ${label(taken, count)}, ${label(other, count)};\n  brx.idx %b, T${at};`;
    const tail = end === 'branch' ? ways : end === 'exit' ? `${leave}\n  ${ways}` : table;
    return `B${at}:
  sub.s32 %f, %f, 1;
  setp.lt.s32 %q, %f, 0;
  @%q bra END;
  ${lines}
  shr.u32 %b, %a, ${bit};
  and.b32 %b, %b, 1;
  ${tail}`;
  });
  return `
.version 7.0
.target sm_75
.visible .entry flow(.param .u64 out, .param .u32 first)
{
  .reg .pred %p, %q;
  .reg .b32 %t, %a, %b, %f, %n;
  .reg .b64 %o;
  mov.u32 %t, %tid.x;
  mov.u32 %a, %ctaid.x;
  mov.u32 %b, %ntid.x;
  ld.param.u32 %n, [first];
  mad.lo.s32 %t, %a, %b, %t;
  add.s32 %t, %t, %n;
  ld.param.u64 %o, [out];
  mad.wide.u32 %o, %t, 4, %o;
  mul.lo.s32 %a, %t, 40503;
  mov.u32 %f, ${fuel};
  setp.ne.u32 %p, %t, 3;
  setp.ne.u32 %q, %t, %t;
${body.join('\n')}
END:
  st.global.u32 [%o], %a;
  ret;
}`;
}
