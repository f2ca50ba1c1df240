import {
  classesOf,
  defaultTiming,
  type GpuTiming,
  type SchedulerKind,
} from '../../actors/chiplet/gpu/timing.ts';

/*
 * `gpgpusim.config`: lines `-name value`, comments from `#` (chiplet specification 3.4, 7.6).
 */

/** Something about a line of a configuration that its reader should know. */
export interface ConfigFinding {
  readonly line: number;
  /** `error`: the value cannot be used. `warning`: the line is ignored. */
  readonly kind: 'error' | 'warning';
  readonly what: string;
}

/** What a configuration says. */
export interface GpgpusimConfig {
  readonly timing: GpuTiming;
  readonly findings: readonly ConfigFinding[];
}

/** Changes a chiplet by the value of a key; gives what was expected when the value does not fit. */
interface Key {
  readonly expected: string;
  read(value: string, timing: Draft): boolean;
}

type Draft = { -readonly [K in keyof GpuTiming]: GpuTiming[K] };

const whole = (text: string | undefined, least = 1): number | undefined =>
  text !== undefined && /^\d+$/.test(text) && Number(text) >= least && Number.isSafeInteger(Number(text))
    ? Number(text)
    : undefined;

const list = (value: string, separator: RegExp | string): readonly (number | undefined)[] =>
  value.split(separator).map((one) => whole(one.trim()));

const isWhole = (values: readonly (number | undefined)[], count: number): values is readonly number[] =>
  values.length >= count && values.slice(0, count).every((one) => one !== undefined);

/** A key with one whole number. */
const number = (put: (timing: Draft, value: number) => void, least = 1): Key => ({
  expected: `a whole number of at least ${least}`,
  read: (value, timing) => {
    const found = whole(value, least);
    if (found !== undefined) put(timing, found);
    return found !== undefined;
  },
});

/** Latencies or initiation intervals of add, max, mul, mad, div of one type. */
const opcodes = (prefix: 'int' | 'float' | 'double', field: 'latency' | 'interval'): Key => ({
  expected: 'five whole numbers with commas between them: add, max, mul, mad, div',
  read: (value, timing) => {
    const found = list(value, ',');
    if (!isWhole(found, 5)) return false;
    const before = timing.classes;
    const changed = Object.entries(classesOf(prefix, found, found)).map(([name, given]) => [
      name,
      { ...before[name as keyof typeof before], [field]: given[field] },
    ]);
    timing.classes = { ...before, ...Object.fromEntries(changed) };
    return true;
  },
});

/** Clusters times cores a cluster: put together when all lines are read. */
interface Clusters {
  clusters: number;
  coresPerCluster: number;
}

const keys = (clusters: Clusters): Readonly<Record<string, Key>> => ({
  gpgpu_n_clusters: number((_, value) => {
    clusters.clusters = value;
  }),
  gpgpu_n_cores_per_cluster: number((_, value) => {
    clusters.coresPerCluster = value;
  }),
  gpgpu_n_mem: number((timing, channels) => {
    timing.memory = { ...timing.memory, channels };
  }),
  gpgpu_clock_domains: {
    expected: 'four frequencies in megahertz with colons between them: core, network, L2, memory',
    read: (value, timing) => {
      const found = value.split(':').map((one) => (/^\d+(\.\d*)?$/.test(one.trim()) ? Number(one) : 0));
      if (found.length !== 4 || found.some((one) => !(one > 0))) return false;
      timing.clockMegahertz = found[0]!;
      return true;
    },
  },
  gpgpu_shader_registers: number((timing, value) => {
    timing.registersPerCore = value;
  }),
  gpgpu_shader_core_pipeline: {
    expected: 'threads of a core and of a warp with a colon between them, warps of 32',
    read: (value, timing) => {
      const [threads, warp] = list(value, ':');
      if (threads === undefined || warp !== 32 || threads < 32) return false;
      timing.warpsPerCore = Math.floor(threads / 32);
      return true;
    },
  },
  gpgpu_shader_cta: number((timing, value) => {
    timing.blocksPerCore = value;
  }),
  gpgpu_shmem_size: number((timing, value) => {
    timing.sharedBytesPerCore = value;
  }),
  gpgpu_shmem_num_banks: {
    expected: '1, 2, 4, 8, 16 or 32',
    read: (value, timing) => {
      const banks = whole(value);
      if (banks === undefined || banks > 32 || 32 % banks !== 0) return false;
      timing.sharedBanks = banks;
      return true;
    },
  },
  gpgpu_num_sched_per_core: number((timing, value) => {
    timing.schedulersPerCore = value;
  }),
  gpgpu_scheduler: {
    expected: 'gto or lrr',
    read: (value, timing) => {
      if (value !== 'gto' && value !== 'lrr') return false;
      timing.scheduler = value satisfies SchedulerKind;
      return true;
    },
  },
  gpgpu_max_insn_issue_per_warp: {
    expected: '1: a warp issues one instruction a cycle',
    read: (value) => value === '1',
  },
  ptx_opcode_latency_int: opcodes('int', 'latency'),
  ptx_opcode_initiation_int: opcodes('int', 'interval'),
  ptx_opcode_latency_fp: opcodes('float', 'latency'),
  ptx_opcode_initiation_fp: opcodes('float', 'interval'),
  ptx_opcode_latency_dp: opcodes('double', 'latency'),
  ptx_opcode_initiation_dp: opcodes('double', 'interval'),
  'gpgpu_cache:dl1': {
    expected: 'sets:128:ways, then anything',
    read: (value, timing) => {
      const [sets, line, ways] = list(value.split(',')[0] ?? '', ':');
      if (sets === undefined || line !== 128 || ways === undefined) return false;
      timing.l1 = { ...timing.l1, sets, ways };
      return true;
    },
  },
  rop_latency: number((timing, ropCycles) => {
    timing.memory = { ...timing.memory, ropCycles };
  }),
  dram_latency: number((timing, dramCycles) => {
    timing.memory = { ...timing.memory, dramCycles };
  }),
});

/** The keys that are read. */
export const gpgpusimKeys: readonly string[] = Object.keys(keys({ clusters: 1, coresPerCluster: 1 }));

/** Reads a configuration; what it does not say is as shipped (chiplet specification 7.6). A key twice: the last one counts. */
export function readGpgpusimConfig(text: string): GpgpusimConfig {
  const timing: Draft = { ...defaultTiming };
  const clusters: Clusters = { clusters: defaultTiming.cores, coresPerCluster: 1 };
  const known = keys(clusters);
  const findings: ConfigFinding[] = [];
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const line = index + 1;
    const written = raw.replace(/#.*$/, '').trim();
    if (written === '') continue;
    const [, name, value = ''] = /^-(\S+)\s*(.*)$/.exec(written) ?? [];
    if (name === undefined) {
      findings.push({ line, kind: 'error', what: `found "${written}", expected a line "-name value"` });
      continue;
    }
    const key = Object.hasOwn(known, name) ? known[name] : undefined;
    if (key === undefined) findings.push({ line, kind: 'warning', what: `unknown key -${name} is ignored` });
    else if (!key.read(value.trim(), timing))
      findings.push({ line, kind: 'error', what: `-${name}: found "${value}", expected ${key.expected}` });
  }
  timing.cores = clusters.clusters * clusters.coresPerCluster;
  return { timing, findings };
}
