import { expect, test } from 'vitest';
import { compilePtx } from '../../../actors/chiplet/ptx/program.ts';
import { runCase } from '../../../machines/chiplet/gpu-case.ts';
import { bitsOfNumber, smallResult } from './plain-small-reals.ts';

test.each(['f16', 'bf16'])('min.xorsign.abs.%s of what is no number has no sign', (type) => {
  const text = `.version 8.6
.target sm_90
.address_size 64
.visible .entry k(.param .u64 at)
{
  .reg .b16 %h<3>;
  .reg .b64 %x;
  ld.param.u64 %x, [at];
  ld.global.b16 %h0, [%x];
  ld.global.b16 %h1, [%x+2];
  min.xorsign.abs.${type} %h2, %h0, %h1;
  st.global.b16 [%x+4], %h2;
  ret;
}`;
  const program = compilePtx([{ file: 'k.ptx', text }]);
  const plain = (a: number, b: number) =>
    Number(smallResult('min', ['xorsign', 'abs'], [type], [BigInt(a), BigInt(b)]));
  const of = (a: number, b: number) =>
    runCase(program, program.kernels.get('k')!, {
      name: 'k',
      entry: 'k',
      grid: [1, 1, 1],
      block: [1, 1, 1],
      params: [{ ptr: 'at' }],
      buffers: { at: { type: 'u16', data: [a, b, 0] } },
    }).buffers['at']![2];
  const one = Number(bitsOfNumber(type, 1));

  expect(bitsOfNumber(type, Number.NaN)).toBe(0x7fffn);
  for (const result of [of, plain]) {
    expect(result(0x7fff, 0xffff)).toBe(0x7fff);
    expect(result(0x7fff, one + 0x8000)).toBe(one + 0x8000);
  }
});
