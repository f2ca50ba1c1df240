/** The text of a kernel `k` in which each thread has four words of `in` as %x0 to %x3 (reals %f0 to %f3), and stores %r0 to %r3 to `out`; `parameters` come behind these two. */
export const fourWordKernel = (
  version: string,
  body: string,
  head = '',
  parameters = '',
): string => `${version}
.address_size 64
${head}
.visible .entry k(.param .u64 in, .param .u64 out${parameters ? `, ${parameters}` : ''})
{
  .reg .pred %p;
  .reg .b16 %h<4>;
  .reg .b32 %t, %x<4>, %r<4>;
  .reg .f32 %f<4>, %v<4>;
  .reg .b64 %in, %out, %tex, %l<4>;
  mov.u32 %t, %tid.x;
  ld.param.u64 %in, [in];
  mad.wide.u32 %in, %t, 16, %in;
  ld.param.u64 %out, [out];
  mad.wide.u32 %out, %t, 16, %out;
  ld.global.v4.u32 {%x0, %x1, %x2, %x3}, [%in];
  ld.global.v4.f32 {%f0, %f1, %f2, %f3}, [%in];
  mov.u32 %r0, 0; mov.u32 %r1, 0; mov.u32 %r2, 0; mov.u32 %r3, 0;
  ${body}
  st.global.v4.u32 [%out], {%r0, %r1, %r2, %r3};
  ret;
}
`;
