/*
 * Kernels of generated systems: one thread or one warp that sends or receives `count` values of an address, or adds to them.
 */

/** Loads the parameter of the message instruction into %r1 and the thread's own element into %at; threads from `count` on end. */
const begin = (operation: 0 | 1): string => `  .reg .pred %over;
  .reg .b32 %r<6>;
  .reg .b64 %at;
  ld.param.u32 %r1, [srcX];
  mul.lo.u32 %r1, %r1, 10000000;
  ld.param.u32 %r2, [srcY];
  mad.lo.u32 %r1, %r2, 100000, %r1;
  ld.param.u32 %r2, [dstX];
  mad.lo.u32 %r1, %r2, 1000, %r1;
  ld.param.u32 %r2, [dstY];
  mad.lo.u32 %r1, %r2, 10, %r1;
  add.u32 %r1, %r1, ${operation};
  mov.u32 %r4, %tid.x;
  ld.param.u32 %r3, [count];
  setp.ge.u32 %over, %r4, %r3;
  @%over ret;
  ld.param.u64 %at, [data];
  mad.wide.u32 %at, %r4, 4, %at;`;

const parameters =
  '(.param .u32 dstX, .param .u32 dstY, .param .u32 srcX, .param .u32 srcY, .param .u64 data, .param .u32 count)';

/** `pass` and `read` for a thread a value, in one warp or several; `add` adds 3 to each value of an array. */
export const exchangeKernels = `.version 7.0
.target sm_75
.visible .entry pass${parameters}
{
${begin(0)}
  ld.global.u32 %r2, [%at];
  addc.u32 %r5, %r1, %r2;
  st.global.u32 [%at], %r5;
  ret;
}
.visible .entry read${parameters}
{
${begin(1)}
  addc.u32 %r5, %r1, %r4;
  st.global.u32 [%at], %r5;
  ret;
}
.visible .entry add(.param .u64 data, .param .u32 count)
{
  .reg .pred %over;
  .reg .b32 %r<6>;
  .reg .b64 %at;
  mov.u32 %r4, %tid.x;
  ld.param.u32 %r3, [count];
  setp.ge.u32 %over, %r4, %r3;
  @%over ret;
  ld.param.u64 %at, [data];
  mad.wide.u32 %at, %r4, 4, %at;
  ld.global.u32 %r5, [%at];
  add.u32 %r5, %r5, 3;
  st.global.u32 [%at], %r5;
  ret;
}
`;
