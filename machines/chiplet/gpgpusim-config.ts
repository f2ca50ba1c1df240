import {
  classesOf,
  defaultTiming,
  type GpuTiming,
  type SchedulerKind,
} from '../../actors/chiplet/gpu/timing.ts';
import type { InstructionClass } from '../../actors/chiplet/ptx/instruction.ts';

/*
 * `gpgpusim.config`: lines `-name value`, comments from `#`, values in quotes over several lines (chiplet specification 3.4, 7.6; GPGPU-Sim and Accel-Sim publish
 * such files for a dozen GPUs).
 */

/** Something about a line of a configuration that its reader should know. */
export interface ConfigFinding {
  readonly line: number;
  /** `error`: the value cannot be used. `warning`: the line, or a part of it, has no effect. */
  readonly kind: 'error' | 'warning';
  readonly what: string;
}

/** What a configuration says. */
export interface GpgpusimConfig {
  readonly timing: GpuTiming;
  readonly findings: readonly ConfigFinding[];
}

/** Changes a chiplet by the value of a key; false when the value does not fit, a sentence when a part of it has no effect. */
interface Key {
  readonly expected: string;
  read(value: string, timing: Draft): boolean | string;
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

type Field = 'latency' | 'interval';

/** Sets latencies or initiation intervals of classes. */
function setClasses(
  timing: Draft,
  field: Field,
  values: Readonly<Partial<Record<InstructionClass, number>>>,
): void {
  const before = timing.classes;
  const changed = Object.entries(values).map(([name, value]) => [
    name,
    { ...before[name as InstructionClass], [field]: value },
  ]);
  timing.classes = { ...before, ...Object.fromEntries(changed) };
}

/** Latencies or initiation intervals of add, max, mul, mad, div of one type, and behind those of integers of shuffles. */
const opcodes = (prefix: 'int' | 'float' | 'double', field: Field): Key => ({
  expected: 'five whole numbers with commas between them: add, max, mul, mad, div; a sixth is for shuffles',
  read: (value, timing) => {
    const found = list(value, ',');
    if (!isWhole(found, Math.max(5, found.length)) || found.length > 6) return false;
    const given = Object.entries(classesOf(prefix, found, found)).map(([name, one]) => [name, one[field]]);
    setClasses(timing, field, Object.fromEntries(given));
    if (found.length === 6) setClasses(timing, field, { shuffle: found[5]! });
    return true;
  },
});

/** The latency or the initiation interval of one class. */
const classNumber = (name: InstructionClass, field: Field): Key =>
  number((timing, value) => setClasses(timing, field, { [name]: value }));

/** Bytes of a line of the first-level cache here: a segment. */
const lineBytes = 128;

/**
 * The first-level data cache: `sets:line:ways`, before it perhaps `N:` or `S:` (a cache of sectors), behind it policies and queues; or `none`.
 *
 * Details: a cache with other lines becomes one of the same size and ways with lines of 128 bytes.
 */
const dataCache: Key = {
  expected: 'sets:line:ways, perhaps with N: or S: before it and policies behind it, or none',
  read: (value, timing) => {
    if (value === 'none') {
      timing.l1 = { ...timing.l1, sets: 1, ways: 0 };
      return true;
    }
    const [shape = ''] = value.split(',');
    const [sets, line, ways, ...more] = list(shape.replace(/^[NS]:/, ''), ':');
    if (sets === undefined || line === undefined || ways === undefined || more.length > 0) return false;
    timing.l1 = { ...timing.l1, sets: Math.max(1, Math.floor((sets * line) / lineBytes)), ways };
    if (line !== lineBytes) return `lines of ${line} bytes are modelled as lines of ${lineBytes}`;
    return shape.startsWith('S:') ? 'a miss brings a whole line, not a sector' : true;
  },
};

/** Rules for schedulers that are not modelled: the default takes their place. */
const otherSchedulers = /^(?:two_level_active:\d+:\d+:\d+|rrr|old|oldest_first|warp_limiting:\d+:\d+)$/;

/** What is put together when all lines are read: clusters times cores a cluster, and whether accesses go past the first-level cache. */
interface Whole {
  clusters: number;
  coresPerCluster: number;
  skipsL1: boolean;
}

const keys = (all: Whole): Readonly<Record<string, Key>> => ({
  gpgpu_n_clusters: number((_, value) => {
    all.clusters = value;
  }),
  gpgpu_n_cores_per_cluster: number((_, value) => {
    all.coresPerCluster = value;
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
      if (otherSchedulers.test(value)) {
        timing.scheduler = 'gto';
        return 'is not modelled, gto takes its place';
      }
      if (value !== 'gto' && value !== 'lrr') return false;
      timing.scheduler = value satisfies SchedulerKind;
      return true;
    },
  },
  gpgpu_max_insn_issue_per_warp: number((timing, value) => {
    timing.issuesPerWarp = value;
  }),
  ptx_opcode_latency_int: opcodes('int', 'latency'),
  ptx_opcode_initiation_int: opcodes('int', 'interval'),
  ptx_opcode_latency_fp: opcodes('float', 'latency'),
  ptx_opcode_initiation_fp: opcodes('float', 'interval'),
  ptx_opcode_latency_dp: opcodes('double', 'latency'),
  ptx_opcode_initiation_dp: opcodes('double', 'interval'),
  ptx_opcode_latency_sfu: classNumber('special', 'latency'),
  ptx_opcode_initiation_sfu: classNumber('special', 'interval'),
  'gpgpu_cache:dl1': dataCache,
  gpgpu_gmem_skip_L1D: number((_, value) => {
    all.skipsL1 = value > 0;
  }, 0),
  gpgpu_l1_latency: number((timing, hitCycles) => {
    timing.l1 = { ...timing.l1, hitCycles };
  }),
  gpgpu_smem_latency: classNumber('shared', 'latency'),
  gpgpu_kernel_launch_latency: number((timing, launchCycles) => {
    timing.launchCycles = launchCycles;
  }, 0),
  rop_latency: number((timing, ropCycles) => {
    timing.memory = { ...timing.memory, ropCycles };
  }),
  dram_latency: number((timing, dramCycles) => {
    timing.memory = { ...timing.memory, dramCycles };
  }),
});

/** Names that editions have for the same key. */
const otherNames: Readonly<Record<string, string>> = {
  gmem_skip_L1D: 'gpgpu_gmem_skip_L1D',
  l1_latency: 'gpgpu_l1_latency',
  smem_latency: 'gpgpu_smem_latency',
  gpgpu_l2_rop_latency: 'rop_latency',
};

/** Keys of published files that have no effect here, by what they are about; the first that fits counts. */
const withoutEffect: readonly (readonly [about: string, names: RegExp])[] = [
  ['what is counted, shown and recorded', /stat|visualizer|power|wattch|trace|aerial|cflog/],
  [
    'memory chips and their queues',
    /dram|^gpgpu_mem_|bus_interface|write_queue|n_mem_per_ctrlr|perfect_mem/i,
  ],
  [
    'the second-level cache and the ways to it',
    /:dl2|l2_queue|memory_partition|n_sub_partition|perf_sim_memcpy|lrc_|icnt|inct|network_mode|inter_config|ejection|chiplet/,
  ],
  [
    'caches for instructions, constants and textures',
    /:il1|^gpgpu_(?:tex|const)_cache|inst_fetch|perfect_inst/,
  ],
  [
    'how first-level cache and shared memory share their room',
    /shmem_|adaptive|unified_l1d|flush_l[12]|l1_(?:banks|cache)|dl1Pref|mem_unit_ports|coalesce_arch|local_mem_map|cache:dl1/,
  ],
  [
    'pipelines, register files and tensor units',
    /pipeline_widths|num_\w+_units|operand_collector|opndcoll|reg_|registers_per_block|simd_model|sub_core|dual_issue|occupancy|tensor|tesnor|clock_gated|specialized|ldst_response|ignore_resources|deadlock_detect/,
  ],
  [
    'the functional simulator and limits of the host',
    /^gpgpu_ptx|_limit$|compute_capability|concurrent_kernel|TB_launch|save_embedded|liveness|max_(?:cycle|insn|cta)$/,
  ],
];

/** The keys that are read. */
export const gpgpusimKeys: readonly string[] = Object.keys(
  keys({ clusters: 1, coresPerCluster: 1, skipsL1: false }),
);

/** What keys without effect are about. */
export const gpgpusimTopicsWithoutEffect: readonly string[] = withoutEffect.map(([about]) => about);

/** A line with its number; a value in quotes may go over several. */
interface Written {
  readonly line: number;
  readonly text: string;
}

/** The lines that say something, without comments. */
function writtenLines(text: string): readonly Written[] {
  const lines: { line: number; text: string }[] = [];
  let open: (typeof lines)[number] | undefined;
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const own = raw.replace(/#.*$/, '').trim();
    if (open) open.text += own;
    else if (own !== '') lines.push({ line: index + 1, text: own });
    const last = open ?? lines.at(-1);
    open = last && (last.text.match(/"/g)?.length ?? 0) % 2 === 1 ? last : undefined;
  }
  return lines;
}

/** Reads a configuration; what it does not say is as shipped (chiplet specification 7.6). A key twice: the last one counts. */
export function readGpgpusimConfig(text: string): GpgpusimConfig {
  const timing: Draft = { ...defaultTiming };
  const all: Whole = { clusters: defaultTiming.cores, coresPerCluster: 1, skipsL1: false };
  const known = keys(all);
  const findings: ConfigFinding[] = [];
  const unused = new Map<string, { readonly line: number; readonly names: string[] }>();
  for (const { line, text: written } of writtenLines(text)) {
    const [, name, quoted = ''] = /^-(\S+)\s*(.*)$/.exec(written) ?? [];
    if (name === undefined || (quoted.match(/"/g)?.length ?? 0) % 2 === 1) {
      const found = written.length > 60 ? `${written.slice(0, 60)}…` : written;
      findings.push({ line, kind: 'error', what: `found "${found}", expected a line "-name value"` });
      continue;
    }
    const own = Object.hasOwn(otherNames, name) ? otherNames[name]! : name;
    const key = Object.hasOwn(known, own) ? known[own] : undefined;
    if (key === undefined) {
      const [about] = withoutEffect.find(([, names]) => names.test(name)) ?? [];
      if (about === undefined)
        findings.push({ line, kind: 'warning', what: `unknown key -${name} is ignored` });
      else if (unused.has(about)) unused.get(about)!.names.push(name);
      else unused.set(about, { line, names: [name] });
      continue;
    }
    const value = quoted.replaceAll('"', '').trim();
    const read = key.read(value, timing);
    if (typeof read === 'string')
      findings.push({ line, kind: 'warning', what: `-${name} ${value.slice(0, 60)}: ${read}` });
    else if (!read)
      findings.push({ line, kind: 'error', what: `-${name}: found "${value}", expected ${key.expected}` });
  }
  for (const [about, { line, names }] of unused)
    findings.push({
      line,
      kind: 'warning',
      what: `keys without effect, ${about}: ${names.map((name) => `-${name}`).join(' ')}`,
    });
  timing.cores = all.clusters * all.coresPerCluster;
  if (all.skipsL1) timing.l1 = { ...timing.l1, sets: 1, ways: 0 };
  return { timing, findings };
}
