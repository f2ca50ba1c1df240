import type { SystemAssembly, SystemGiven } from '../../../machines/chiplet/system.ts';
import { chipletStates } from '../../../machines/chiplet/system-result.ts';
import type { Reference } from '../../with-reference.ts';
import { type TimedKind, timedMark } from './timed-scenarios.ts';

/** As shipped (chiplet specification 7.3, 7.6). */
const shipped: Readonly<Record<string, string>> = {
  gpgpu_num_sched_per_core: '2',
  gpgpu_shmem_num_banks: '32',
  ptx_opcode_latency_int: '4,13,4,5,145',
  ptx_opcode_initiation_int: '1,2,2,1,8',
  ptx_opcode_latency_fp: '4,13,4,5,39',
  ptx_opcode_initiation_fp: '1,2,1,1,4',
  ptx_opcode_latency_dp: '8,19,8,8,330',
  ptx_opcode_initiation_dp: '8,16,8,8,130',
  ptx_opcode_latency_sfu: '39',
  ptx_opcode_initiation_sfu: '4',
  smem_latency: '24',
  l1_latency: '18',
  rop_latency: '120',
  dram_latency: '100',
  'gpgpu_cache:dl1': '32:128:4',
  gmem_skip_L1D: '0',
};

/** Names that stand for the same key. */
const sameAs: Readonly<Record<string, string>> = {
  gpgpu_smem_latency: 'smem_latency',
  gpgpu_l1_latency: 'l1_latency',
  gpgpu_l2_rop_latency: 'rop_latency',
  gpgpu_gmem_skip_L1D: 'gmem_skip_L1D',
};

/** The values of a configuration, key by key: what is in quotes may go over several lines, and of two values of a key the last one holds. */
function valuesIn(text: string): Readonly<Record<string, string>> {
  const values: Record<string, string> = { ...shipped };
  for (const [, key = '', quoted, plain = ''] of text
    .replaceAll(/#.*/g, '')
    .matchAll(/^-(\S+)[ \t]+(?:"([^"]*)"|(.*))$/gm))
    values[sameAs[key] ?? key] = (quoted ?? plain).replaceAll(/\s/g, '');
  return values;
}

const kinds = ['Add', 'Max', 'Mul', 'Mad', 'Div'];
const prefixes: Readonly<Record<string, string>> = { int: 'int', float: 'fp', double: 'dp' };

/** The number of a class in the lists of its type. */
function classNumber(
  values: Readonly<Record<string, string>>,
  what: 'latency' | 'initiation',
  of: string,
): number {
  if (of === 'special') return Number(values[`ptx_opcode_${what}_sfu`]);
  // Shuffles are the sixth of the integers, and as they are shipped where there is none.
  if (of === 'shuffle')
    return Number(values[`ptx_opcode_${what}_int`]!.split(',')[5] ?? (what === 'latency' ? 4 : 1));
  const [, type = '', kind = ''] = /^(int|float|double)(\w+)$/.exec(of) ?? [];
  return Number(values[`ptx_opcode_${what}_${prefixes[type]}`]!.split(',')[kinds.indexOf(kind)]);
}

/** The least and the most cycles that the second kernel of a pair takes more than the first. */
function boundsOf(
  [kind, of, more, sharing]: readonly [TimedKind, string, number, number],
  values: Readonly<Record<string, string>>,
): readonly [least: number, most: number] {
  const exactly = (cycles: number) => [cycles, cycles] as const;
  switch (kind) {
    case 'chain':
      return exactly(
        more * Math.max(classNumber(values, 'latency', of), classNumber(values, 'initiation', of)),
      );
    case 'spread': {
      const warpsOfScheduler = Math.ceil(sharing / Number(values['gpgpu_num_sched_per_core']));
      // The unit of special functions is one for all schedulers.
      const warps = of === 'special' ? sharing : warpsOfScheduler;
      return exactly(more * warps * classNumber(values, 'initiation', of));
    }
    case 'shared': {
      const banks = Number(values['gpgpu_shmem_num_banks']);
      const words = new Set(Array.from({ length: 32 }, (_, lane) => lane * sharing));
      const ways = Array.from(
        { length: banks },
        (_, bank) => [...words].filter((one) => one % banks === bank).length,
      );
      return exactly(more * (Number(values['smem_latency']) + Math.max(...ways) - 1));
    }
    case 'loads': {
      const hit = Number(values['l1_latency']);
      const isKept = values['gpgpu_cache:dl1'] !== 'none' && values['gmem_skip_L1D'] === '0';
      return exactly(
        more * (isKept ? hit : hit + Number(values['rop_latency']) + Number(values['dram_latency'])),
      );
    }
    case 'blocks': {
      const latency = classNumber(values, 'latency', 'intDiv');
      // Where units are busy for as long, blocks hold each other up.
      if (2 * sharing * classNumber(values, 'initiation', 'intDiv') > latency)
        return [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
      const alone = more * latency;
      return [0.5 * alone, 1.5 * alone + 100];
    }
  }
}

/** Launches of a pair: its first kernel, which leaves caches as it found them, then either kernel, each after one that settles schedulers. */
const launchesOfPair = 5;

/** Kernels that do a few instructions more take the cycles more that their configuration says (chiplet specification 7.3, 7.6). */
export const kernelsTakeConfiguredCycles: Reference = (run, given, assembly) => {
  const { config, programs } = given as SystemGiven;
  const text = programs.configs['own']?.text;
  const pairs = programs.kernels.flatMap(({ text: ptx = '' }) => {
    if (!ptx.startsWith(timedMark)) return [];
    const [kind, of, more, sharing] = ptx.slice(timedMark.length, ptx.indexOf('\n')).split(' ');
    return [[kind as TimedKind, of!, Number(more), Number(sharing)] as const];
  });
  if (text === undefined || pairs.length === 0) return undefined;
  return () => {
    const values = valuesIn(text);
    const [{ kernels } = { kernels: [] }] = chipletStates(run, (assembly as SystemAssembly).wired, config);
    for (const [at, pair] of pairs.entries()) {
      const [few, many] = [kernels[launchesOfPair * at + 2], kernels[launchesOfPair * at + 4]];
      if (!few || !many) return `of pair ${at} a kernel is missing`;
      const [least, most] = boundsOf(pair, values);
      const more = many.cycles - few.cycles;
      if (more < least || more > most)
        return `${pair[2]} more of ${pair[1]} (${pair[0]}) take ${more} cycles more, not ${least === most ? least : `${least} to ${most}`}`;
    }
    return undefined;
  };
};
