import { describe, expect, test } from 'vitest';
import { compilePtx } from '../../actors/chiplet/ptx/program.ts';
import { runCase } from '../../machines/chiplet/gpu-case.ts';
import { toldKernel, toldKinds, toldMark } from './told-kernels.arbitrary.ts';

/** Numbers that look arbitrary, always the same ones. */
function numbers(seed: number): readonly number[] {
  let state = seed;
  return Array.from({ length: 1500 }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state >>> 8) % 100_000;
  });
}

describe.each(Array.from({ length: toldKinds }, (_, kind) => kind))('a kernel of kind %i', (kind) => {
  test('leaves what it says', () => {
    for (let seed = 1; seed <= 12; seed++) {
      const { text, grid, block, cluster, blocks, threads, values, compiled, outBytes } = toldKernel(
        'plain',
        kind,
        numbers(seed * 7919 + kind),
      );
      const program = compilePtx(
        [{ file: 'k.ptx', text: `.version 8.6\n.target sm_90\n.address_size 64\n${text}\n` }],
        { messageOpcode: 'off', ...compiled },
      );
      const { out } = runCase(program, program.kernels.get('plain')!, {
        name: 'plain',
        entry: 'plain',
        grid,
        block,
        ...(cluster && { cluster }),
        params: [{ ptr: 'in' }, { ptr: 'out' }, { ptr: 'sums' }],
        buffers: {
          in: { type: 'u32', data: values },
          out: { type: 'u32', data: new Array<number>((blocks * threads * outBytes) / 4).fill(0) },
          sums: { type: 'u32', data: [0] },
        },
      }).buffers;
      const [first = ''] = text.split('\n');

      expect(out!.map((word) => word >>> 0)).toEqual(first.slice(toldMark.length).split(' ').map(Number));
    }
  });
});
