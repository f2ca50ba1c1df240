import fc from 'fast-check';
import type { WrittenScenario } from '../../../scenarios/written.ts';
import { Draws } from '../draws.ts';

/*
 * Pairs of kernels of which the second does the same a few times more. How many cycles more that takes follows from a gpgpusim.config by the letter of the specification (7.3, 7.6), whatever the
 * rest of a launch costs.
 */

/** Before what a text says of its two kernels: the kind of pair, the class of its instruction, how many more there are, and how many share a unit or a bank. */
export const timedMark = '// more ';

/** Kinds of pairs. */
export type TimedKind = 'chain' | 'spread' | 'shared' | 'loads' | 'blocks';

/** Instructions by class: X is the result, S a source, which is X in a chain. */
export const timedInstructions = {
  intAdd: 'add.s32 X, S, %b1;',
  intMax: 'max.s32 X, S, %b1;',
  intMul: 'mul.lo.s32 X, S, %b1;',
  intMad: 'mad.lo.s32 X, S, %b1, %b2;',
  intDiv: 'div.s32 X, S, %b1;',
  floatAdd: 'add.f32 X, S, %f1;',
  floatMax: 'max.f32 X, S, %f1;',
  floatMul: 'mul.f32 X, S, %f1;',
  floatMad: 'fma.rn.f32 X, S, %f1, %f2;',
  floatDiv: 'div.rn.f32 X, S, %f1;',
  doubleAdd: 'add.f64 X, S, %d1;',
  doubleMax: 'max.f64 X, S, %d1;',
  doubleMul: 'mul.f64 X, S, %d1;',
  doubleMad: 'fma.rn.f64 X, S, %d1, %d2;',
  doubleDiv: 'div.rn.f64 X, S, %d1;',
  special: 'sin.approx.f32 X, S;',
  shuffle: 'shfl.sync.bfly.b32 X, S, 1, 31, -1;',
} as const;

/** Classes of a pair, in the order of their kinds. */
const classes = Object.keys(timedInstructions) as (keyof typeof timedInstructions)[];

const registerOf = (one: string): string =>
  one.startsWith('double') ? '%d' : one.startsWith('float') || one === 'special' ? '%f' : '%b';

const range = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at);

/** Registers of each type; the first three are operands. */
const registers = 48;

interface Pair {
  readonly kind: TimedKind;
  readonly of: string;
  readonly more: number;
  readonly sharing: number;
  /** Instructions of the first kernel and of the second, and their blocks and threads. */
  readonly bodies: readonly [string, string];
  readonly blocks: readonly [number, number];
  readonly threads: number;
}

/** A pair of kernels; `rooms` is how many of its blocks a core has room for. */
function pairOf(draws: Draws, rooms: number): Pair {
  const kind = draws.pick<TimedKind>(['chain', 'chain', 'spread', 'spread', 'shared', 'loads', 'blocks']);
  const [few, more] = [3 + draws.below(4), 1 + draws.below(12)];
  const [blocks, threads] = [[1, 1] as const, 32];
  const of = draws.pick(classes);
  const register = registerOf(of);
  const times = (one: string): readonly [string, string] => [one.repeat(few), one.repeat(few + more)];
  const chained = timedInstructions[of].replaceAll(/[XS]/g, `${register}3`);
  switch (kind) {
    case 'chain':
      return { kind, of, more, sharing: 1, bodies: times(chained), blocks, threads };
    case 'spread': {
      // So many that the unit has always something to do.
      const begun = few + 14;
      const all = range(begun + more).map((at) =>
        timedInstructions[of].replace('X', `${register}${4 + at}`).replace('S', `${register}3`),
      );
      const warps = draws.pick([1, 2, 4]);
      return {
        kind,
        of,
        more,
        sharing: warps,
        bodies: [all.slice(0, begun).join(' '), all.join(' ')],
        blocks,
        threads: 32 * warps,
      };
    }
    case 'shared': {
      const stride = draws.pick([0, 1, 1, 2, 3, 4, 8, 16]);
      const begin = `mov.u32 %b4, %tid.x; mul.lo.u32 %b4, %b4, ${4 * stride}; mov.u32 %b3, box; add.u32 %b3, %b3, %b4; st.shared.u32 [%b3], %b3; `;
      const [first, second] = times('ld.shared.u32 %b3, [%b3]; ');
      return {
        kind,
        of: 'shared',
        more,
        sharing: stride,
        bodies: [begin + first, begin + second],
        blocks,
        threads,
      };
    }
    case 'loads': {
      const begin = 'st.global.u64 [%d4], %d4; ld.global.u64 %d4, [%d4]; ';
      const [first, second] = times('ld.global.u64 %d4, [%d4]; ');
      return {
        kind,
        of: 'global',
        more,
        sharing: 1,
        bodies: [begin + first, begin + second],
        blocks,
        threads,
      };
    }
    case 'blocks': {
      const body = timedInstructions.intDiv.replaceAll(/[XS]/g, '%b3').repeat(20 * few);
      return {
        kind,
        of: 'intDiv',
        more: 20 * few,
        sharing: rooms,
        bodies: [body, body],
        blocks: [rooms, rooms + 1],
        threads,
      };
    }
  }
}

/** Operands are there before the barrier, or a warp that got them later would begin when another one is through. */
const kernelOf = (name: string, body: string): string => `.visible .entry ${name}(.param .u64 at)
{
  .reg .b32 %b<${registers}>;
  .reg .f32 %f<${registers}>;
  .reg .b64 %d<${registers}>;
  .shared .align 4 .b8 box[2048];
  ld.param.u64 %d4, [at];
  mov.u32 %b1, 3; mov.u32 %b2, 5; mov.u32 %b3, 1000000007;
  mov.f32 %f1, 0f3F800001; mov.f32 %f2, 0f3F900000; mov.f32 %f3, 0f3F900000;
  mov.f64 %d1, 0d3FF0000000000001; mov.f64 %d2, 0d3FF2000000000000; mov.f64 %d3, 0d3FF2000000000000;
  mov.u32 %b${registers - 1}, %b3; mov.f32 %f${registers - 1}, %f3; mov.f64 %d${registers - 1}, %d3;
  bar.sync 0;
  ${body}
  ret;
}
`;

/** The kernel before each that is measured: its warps end one after the other, so that schedulers go on from the same warp, whatever came before. */
const settling = `.version 8.6
.target sm_90
.address_size 64
.visible .entry settle()
{
  .reg .pred %p<1>;
  .reg .b32 %b<2>;
  mov.u32 %b0, %tid.x;
again:
  sub.s32 %b0, %b0, 1; setp.ge.s32 %p0, %b0, 0;
  @%p0 bra again;
  ret;
}
`;

/** Lines of a configuration, each its key and its value. */
function linesOf(draws: Draws): {
  readonly lines: readonly (readonly [string, string])[];
  readonly rooms: number;
} {
  const numbers = (count: number, most: number): string =>
    range(count)
      .map(() => 1 + draws.below(most))
      .join(',');
  const blocks = 1 + draws.below(4);
  const warps = draws.pick([8, 48]);
  const sharedBytes = draws.pick([49_152, 4 * 2048]);
  const lines: (readonly [string, string])[] = [
    ['gpgpu_n_clusters', '1'],
    ['gpgpu_n_cores_per_cluster', '1'],
    ['gpgpu_shader_cta', String(blocks)],
    ['gpgpu_shader_core_pipeline', `${32 * warps}:32`],
    ['gpgpu_shmem_size', String(sharedBytes)],
    ['gpgpu_num_sched_per_core', draws.pick(['1', '2', '4'])],
    ['gpgpu_scheduler', draws.pick(['gto', 'lrr'])],
    ['gpgpu_shmem_num_banks', draws.pick(['8', '16', '32'])],
    ['ptx_opcode_latency_int', numbers(5 + draws.below(2), 40)],
    ['ptx_opcode_initiation_int', numbers(5, 5)],
    ['ptx_opcode_latency_fp', numbers(5, 40)],
    ['ptx_opcode_initiation_fp', numbers(5, 5)],
    ['ptx_opcode_latency_dp', numbers(5, 40)],
    ['ptx_opcode_initiation_dp', numbers(5, 9)],
    ['ptx_opcode_latency_sfu', numbers(1, 40)],
    ['ptx_opcode_initiation_sfu', numbers(1, 9)],
    [draws.pick(['gpgpu_smem_latency', 'smem_latency']), numbers(1, 40)],
    [draws.pick(['gpgpu_l1_latency', 'l1_latency']), numbers(1, 60)],
    [draws.pick(['rop_latency', 'gpgpu_l2_rop_latency']), numbers(1, 200)],
    ['dram_latency', numbers(1, 200)],
    ['gpgpu_cache:dl1', draws.pick(['32:128:4,L:L:m:N,A:32:8,8', 'S:64:128:6', 'N:4:128:1', 'none'])],
    [draws.pick(['gmem_skip_L1D', 'gpgpu_gmem_skip_L1D']), draws.pick(['0', '0', '1'])],
    ['gpgpu_kernel_launch_latency', draws.pick(['0', '77'])],
  ];
  // What is not said is as shipped, and what is said twice holds as it was said last.
  const kept = lines.filter((_, at) => at < 7 || !draws.once(5));
  const again = kept.filter(([key]) => key.startsWith('ptx_') && draws.once(8));
  return {
    lines: [
      ...again.map(([key, value]) => [key, value.replace(/\d+/, (one) => String(Number(one) + 1))] as const),
      ...kept,
    ],
    rooms: Math.min(blocks, warps, Math.floor(sharedBytes / 2048)),
  };
}

/** The text of a configuration: with remarks, quotes, values over several lines and keys that have no effect. */
function textOf(lines: readonly (readonly [string, string])[], draws: Draws): string {
  const written = lines.map(([key, value]) => {
    const quoted = draws.once(4);
    const broken = quoted && value.includes(',') ? value.replace(',', ',\n  ') : value;
    return `-${key} ${quoted ? `"${broken}"` : value}${!quoted && draws.once(4) ? ` # not ${key} 999` : ''}`;
  });
  return ['# generated', ...written, '-gpgpu_deadlock_detect 1', '-visualizer_enabled 0', ''].join('\n');
}

/** A GPU chiplet of one core with a configuration, and pairs of kernels. */
export const timedScenarios: fc.Arbitrary<WrittenScenario> = fc
  .tuple(
    fc.integer({ min: 1, max: 5 }),
    fc.constantFrom('auto' as const, 'core' as const),
    fc.noBias(fc.array(fc.nat(99_999), { minLength: 160, maxLength: 160, size: 'max' })),
  )
  .map(([count, coreDetail, numbers]) => {
    const draws = new Draws(numbers);
    const { lines, rooms } = linesOf(draws);
    const pairs = range(count).map(() => pairOf(draws, rooms));
    const launch = (kernel: string, blocks: number, threads: number) => ({
      op: 'launch',
      kernel,
      grid: [blocks, 1, 1],
      block: [threads, 1, 1],
      args: [{ ptr: 'room' }],
    });
    const settle = { op: 'launch', kernel: 'settle', grid: [1, 1, 1], block: [128, 1, 1], args: [] };
    const rest = { op: 'compute', instructions: 2000 };
    return {
      name: 'generated: timed kernels',
      config: {
        coreDetail,
        messageOpcode: 'off',
        network: { A: 2, F: 1 },
        chiplets: [{ x: 0, y: 0, kind: 'gpu', program: 'pairs', config: 'own' }],
      },
      programs: {
        kernels: [
          { name: 'settle.ptx', text: settling },
          ...pairs.map(({ kind, of, more, sharing, bodies }, at) => ({
            name: `timed${at}.ptx`,
            text: `${timedMark}${[kind, of, more, sharing].join(' ')}
.version 8.6
.target sm_90
.address_size 64
${kernelOf(`few${at}`, bodies[0])}${kernelOf(`many${at}`, bodies[1])}`,
          })),
        ],
        hosts: {
          pairs: {
            steps: [
              { op: 'malloc', as: 'room', bytes: 256 },
              // The first launch leaves caches as the others find them, and between launches units become free.
              ...pairs.flatMap(({ blocks, threads }, at) =>
                [
                  launch(`few${at}`, blocks[0], threads),
                  settle,
                  launch(`few${at}`, blocks[0], threads),
                  settle,
                  launch(`many${at}`, blocks[1], threads),
                ].flatMap((one) => [one, rest]),
              ),
            ],
          },
        },
        configs: { own: { file: 'own.config', text: textOf(lines, draws) } },
      },
    };
  });
