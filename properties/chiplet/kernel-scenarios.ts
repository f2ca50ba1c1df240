import fc from 'fast-check';
import type { WrittenScenario } from '../../scenarios/written.ts';
import { instructionKernelNamed } from './plain-instructions.arbitrary.ts';
import { type PlainKernel, plainKernelNamed } from './plain-kernels.arbitrary.ts';
import { toldKernelNamed } from './told-kernels.arbitrary.ts';

/*
 * One or two GPU chiplets, each with kernels of all instructions, whose results do not depend on the order of warps; some say what they leave.
 */

const rules = fc.record({
  warpScheduler: fc.constantFrom('gto' as const, 'lrr' as const, 'any' as const),
  cores: fc.integer({ min: 1, max: 2 }),
  /** Whether addc goes on with a carry: always, or where one was kept before. */
  messageOpcode: fc.constantFrom('off' as const, 'auto' as const),
  mode: fc.constantFrom('coupled' as const, 'decoupled' as const),
  /** An actor for each warp, as usual in a campaign, or one for each core. */
  coreDetail: fc.constantFrom('auto' as const, 'core' as const),
});

const stepsOf = (
  name: string,
  { blocks, threads, grid, block, cluster, values, sums, outBytes }: PlainKernel,
): readonly object[] => {
  const words = (blocks * threads * outBytes) / 4;
  return [
    { op: 'malloc', as: `${name}.in`, bytes: 4 * values.length },
    { op: 'malloc', as: `${name}.out`, bytes: 4 * words },
    { op: 'malloc', as: `${name}.sums`, bytes: 4 * sums.length },
    { op: 'copyIn', to: `${name}.in`, type: 'u32', values },
    { op: 'copyIn', to: `${name}.sums`, type: 'u32', values: sums },
    {
      op: 'launch',
      kernel: name,
      grid,
      block,
      ...(cluster && { cluster }),
      args: [{ ptr: `${name}.in` }, { ptr: `${name}.out` }, { ptr: `${name}.sums` }],
    },
    ...(['out', 'sums'] as const).flatMap((buffer) => {
      const as = `${name}-${buffer}`;
      const count = buffer === 'out' ? words : sums.length;
      return [
        { op: 'copyOut', from: `${name}.${buffer}`, type: 'u32', count, as },
        { op: 'output', name: as, values: as },
      ];
    }),
    ...['in', 'out', 'sums'].map((buffer) => ({ op: 'free', of: `${name}.${buffer}` })),
  ];
};

type Rules = typeof rules extends fc.Arbitrary<infer T> ? T : never;

/** A scenario of kernels that have the name `plain` in their text. */
export function kernelScenario({ cores, ...given }: Rules, kernels: readonly PlainKernel[]): WrittenScenario {
  const named = kernels.map((kernel, at) => ({
    ...kernel,
    name: `plain${at}`,
    text: kernel.text.replace('.entry plain(', `.entry plain${at}(`),
  }));
  return {
    name: 'generated: kernels',
    config: {
      ...given,
      ...Object.assign({}, ...kernels.map(({ compiled }) => compiled)),
      network: { A: 2, F: 1 },
      chiplets: [{ x: 0, y: 0, kind: 'gpu', program: 'all', cores }],
    },
    programs: {
      kernels: named.map(({ name, text }) => ({
        name: `${name}.ptx`,
        text: `.version 8.6\n.target sm_90\n.address_size 64\n${text}\n`,
      })),
      hosts: { all: { steps: named.flatMap((kernel) => stepsOf(kernel.name, kernel)) } },
    },
  };
}

/** Generated kernels (chiplet specification 7). */
export const kernelScenarios: fc.Arbitrary<WrittenScenario> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .tuple(
        rules,
        fc.option(plainKernelNamed('plain', true), { nil: undefined, freq: 2 }),
        fc.option(instructionKernelNamed('plain'), { nil: undefined, freq: 5 }),
        fc.array(toldKernelNamed('plain'), { minLength: 1, maxLength: 5 }),
      )
      .map(([given, flowing, asking, told]) =>
        kernelScenario(given, [...(flowing ? [flowing] : []), ...(asking ? [asking] : []), ...told]),
      ),
  },
  // All kernels of a system are compiled in one way.
  fc
    .tuple(rules, toldKernelNamed('plain', false), fc.array(toldKernelNamed('plain'), { maxLength: 3 }))
    .map(([given, own, told]) => kernelScenario(given, [own, ...told])),
);
