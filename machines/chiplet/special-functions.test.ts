import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { compilePtx } from '../../actors/chiplet/ptx/program.ts';
import { runCase } from './gpu-case.ts';

/*
 * Approximate instructions with `approximations: h100` against what an H100 answered: zeros, subnormal numbers, limits, infinities, all exponents, random bits.
 */

const file = new URL('../../properties/chiplet/golden/gpu/special-functions.json', import.meta.url);
const { gpu, what, ...answers } = JSON.parse(readFileSync(file, 'utf8')) as Record<
  string,
  { readonly x: string; readonly y: string }
>;
const wordsOf = (text: string): number[] => [
  ...new Uint32Array(Uint8Array.from(Buffer.from(text, 'base64')).buffer),
];
const isNumber = (word: number): boolean => (word & 0x7fffffff) <= 0x7f800000;

/** Results of an instruction that takes `count` arguments, a thread each. */
function results(instruction: string, given: readonly number[], count: number): readonly number[] {
  const threads = given.length / count;
  const text = `.version 7.0\n.target sm_75\n.address_size 64
.visible .entry k(.param .u64 in, .param .u64 out)
{
  .reg .b32 %t, %n, %b; .reg .f32 %f<3>; .reg .b64 %x, %y, %w; .reg .pred %p;
  ld.param.u64 %x, [in]; ld.param.u64 %y, [out];
  mov.u32 %t, %tid.x; mov.u32 %n, %ntid.x; mov.u32 %b, %ctaid.x; mad.lo.u32 %t, %b, %n, %t;
  setp.ge.u32 %p, %t, ${threads}; @%p ret;
  mad.wide.u32 %x, %t, ${4 * count}, %x; mad.wide.u32 %y, %t, 4, %y;
  ld.global.f32 %f1, [%x]; ${count === 2 ? 'ld.global.f32 %f2, [%x+4];' : ''}
  ${instruction} %f0, %f1${count === 2 ? ', %f2' : ''};
  st.global.f32 [%y], %f0;
  ret;
}`;
  const program = compilePtx([{ file: 'functions.ptx', text }], { approximations: 'h100' });
  const { buffers } = runCase(program, program.kernels.get('k')!, {
    name: 'k',
    entry: 'k',
    grid: [Math.ceil(threads / 128), 1, 1],
    block: [128, 1, 1],
    params: [{ ptr: 'in' }, { ptr: 'out' }],
    buffers: {
      in: { type: 'u32', data: given },
      out: { type: 'u32', data: new Array<number>(threads).fill(0) },
    },
  });
  const { out = [] } = buffers;
  return out;
}

describe('as an H100', () => {
  test.each(Object.keys(answers))('%s', (instruction) => {
    const { x, y } = answers[instruction]!;
    const wanted = wordsOf(y);
    const given = wordsOf(x);
    const count = given.length / wanted.length;
    const found = results(instruction, given, count);
    const differing = wanted.flatMap((word, at) =>
      word === found[at]! >>> 0 || (!isNumber(word) && !isNumber(found[at]!))
        ? []
        : [{ given: given.slice(at * count, (at + 1) * count), word, found: found[at]! >>> 0 }],
    );

    expect(differing).toEqual([]);
  });
});
