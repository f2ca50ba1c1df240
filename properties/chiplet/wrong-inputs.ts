import type { Inputs, WrongInput } from '../refused-inputs.ts';

/*
 * What machines of chiplets must refuse, and where (chiplet specification 13).
 */

const packets = [[0, 0, 0, 1, 1, 2]];
const tree = 'graph g { 0--1 1--2 }';
const graph = {
  'config.network.R': 4,
  'config.network.c': 1,
  'config.network.A': 3,
  'config.network.graphText': tree,
  programs: { packets: [[0, 0, 2, 1]] },
};
/** A graph with this said first, or otherwise. */
const onGraph = (first: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => ({
  ...first,
  ...Object.fromEntries(Object.entries(graph).filter(([key]) => !(key in first))),
});
const dot = (text: string) => onGraph({ 'config.network.graphText': text });
const periods = (text: string) =>
  onGraph({ 'config.network.reconfigurationText': text, 'config.network.R': 5 });
const trace = (text: string): Readonly<Record<string, unknown>> => ({ programs: { file: 'a.trace', text } });

/** Of networks (E-OPT, E-ADDR, E-TRACE; 5.1, 5.7). */
export const networkInputs: Inputs = {
  right: { config: { network: { A: 3 } }, programs: { packets } },
  wrong: [
    [{ 'config.network.c': 1 }, 'c = 1 with R = 0'],
    [{ 'config.network.c': 4 }, 'c = 4 with R = 0'],
    [{ 'config.network.c': 3, programs: { packets: [[0, 0, 0, 0, 1, 1, 1, 2]] } }, ''],
    [{ 'config.network.A': 256 }, ''],
    [{ 'config.network.A': 257 }, '66049 routers'],
    [{ 'config.network.V': 1 }, ''],
    [{ 'config.network.V': 1, 'config.network.R': 1 }, 'V = 1 with R = 1'],
    [{ 'config.network.V': 1, 'config.network.R': 2, 'config.network.c': 4 }, 'V = 1 with R = 2'],
    [{ 'config.network.V': 1, 'config.network.R': 3, 'config.network.c': 4 }, 'V = 1 with R = 3'],
    [{ 'config.network.c': 2, 'config.network.R': 2 }, 'c = 2 with R = 2'],
    [{ 'config.network.c': 2, 'config.network.R': 3 }, 'c = 2 with R = 3'],
    [{ 'config.network.A': 5, 'config.network.R': 3, 'config.network.c': 4, programs: { packets: [] } }, ''],
    [{ 'config.network.A': 2, 'config.network.R': 3, 'config.network.c': 4, programs: { packets: [] } }, ''],
    [{ 'config.network.A': 6, 'config.network.R': 3, 'config.network.c': 4 }, 'A = 6 with R = 3'],
    [{ 'config.network.A': 1, 'config.network.R': 3, 'config.network.c': 4 }, 'A = 1 with R = 3'],
    [{ 'config.network.correctWires': true }, 'true with R = 0'],
    [{ 'config.network.random': 'perRouter' }, ''],
    [{ 'config.network.random': 'perRouter', 'config.network.ties': 'heap' }, 'perRouter with ties heap'],
    [
      { 'config.network.random': 'perRouter', 'config.network.ties': 'legosim' },
      'perRouter with ties legosim',
    ],
    [{ 'config.network.ties': 'heap', 'config.network.loss': true }, 'heap with loss'],
    [{ 'config.network.graphText': tree }, 'a graph with R = 0'],
    [
      { 'config.network.graphText': undefined, 'config.network.R': 4, 'config.network.c': 1 },
      'no graph with R = 4',
    ],
    [{ 'config.network.reconfigurationText': '1 9 0 0' }, 'reconfigurations with R = 0'],
    [
      onGraph({ 'config.network.reconfigurationText': undefined, 'config.network.R': 5 }),
      'no reconfigurations with R = 5',
    ],
    [onGraph({ 'config.network.reconfigurationText': '1 9 0 0' }), 'reconfigurations with R = 4'],
    [graph, ''],
    [onGraph({ 'config.network.A': 4 }), 'A = 4, 3 nodes in the graph'],
    [dot('graph { 0--1 2 }'), 'nodes that no way joins'],
    [dot('graph { 0--1; 1--2 [weight=2.5], }'), ''],
    [
      { 'config.network.ties': 'heap', ...dot('graph { node[pipeline_stage_delay=2] 0--1--2 }') },
      'heap with a pipeline_stage_delay that is not 1',
    ],
    [dot('graph { node[pipeline_stage_delay=2] 0--1--2 }'), ''],
    [dot('tree { 0--1--2 }'), '"tree" in line 1'],
    [dot('graph {\n0--1--2'), 'the end of the text in line 2'],
    [dot('graph {\n0--1\n1--1 }'), 'an edge from 1 to itself in line 3'],
    [dot('graph {\n0--1 0--3 }'), 'no node 2 in line 2'],
    [dot('graph { }'), 'no node in line 1'],
    [dot('graph { 0--4096 }'), '"4096" in line 1'],
    [dot('graph { 0--b }'), '"b" in line 1'],
    [dot('graph { edge[weight=-1]\n 0--1 }'), 'weight -1 in line 2'],
    [dot('graph { edge[weight=heavy] 0--1 }'), 'weight=heavy in line 1'],
    [dot('graph { edge[weight=""] 0--1 }'), 'weight= in line 1'],
    [dot('graph { edge[weight 3] 0--1 }'), '"3" in line 1'],
    [dot('graph { node[pipeline_stage_delay=0] 0--1 }'), 'pipeline_stage_delay 0 in line 1'],
    [dot('graph { 1 [pipeline_stage_delay=1.5] 0--1 }'), 'pipeline_stage_delay 1.5 in line 1'],
    [dot('graph { 0--1\n// none { \n1--2 }'), ''],
    [periods('2 9 2 0 2\n1 0 2 0\n0'), ''],
    [periods('0 9 0'), '"0" in line 1'],
    [periods('1 0 0 0'), '"0" in line 1'],
    [periods('1 9 -1'), '"-1" in line 1'],
    [periods('1 9 1 3 0'), '"3" in line 1'],
    [periods('1 9 2 0 2\n1 0 1 1'), '"1" in line 2'],
    [periods('1 9 2 0 2\n1 1 0 1'), '"1" in line 2'],
    [periods('1 9 2 0 2\n1 0 0 1'), 'an edge from 0 to itself in line 2'],
    [periods('1 9 2 0 2\n1 0 2 -1'), '"-1" in line 2'],
    [periods('1 9 2 0 2\n1 0 2 far'), '"far" in line 2'],
    [periods('1 9 2 0 2\n-1'), '"-1" in line 2'],
    [periods('1 9 2 0 2\n1 0 2'), 'the end of the text in line 2'],
    [periods('1 9 2 0 2\n0\n7'), '"7" after 1 periods in line 3'],
    [trace('0 0 0 1 1 2\n\n1.5 2 2 0 0 1\n'), ''],
    [trace('0 0 0 1 1 2\n0 0 0 1 1\n'), 'E-TRACE a.trace:2: 5 fields', 'programs.file'],
    [trace('0'), 'E-TRACE a.trace:1: 1 field', 'programs.file'],
    [trace('0 0 0 1 b 2'), 'E-TRACE a.trace:1: "b"', 'programs.file'],
    [trace('-1 0 0 1 1 2'), 'E-TRACE a.trace:1: time -1', 'programs.file'],
    [trace('0 0 0 1 1 0'), 'E-TRACE a.trace:1: 0 flits', 'programs.file'],
    [trace('0 0 0 1 1 1.5'), 'E-TRACE a.trace:1: 1.5 flits', 'programs.file'],
    [trace('0 0 0 1 3 1'), 'E-ADDR a.trace:1: coordinate 3', 'programs.file'],
    [trace('0 -1 0 1 1 1'), 'E-ADDR a.trace:1: coordinate -1', 'programs.file'],
    [trace('0 0 0.5 1 1 1'), 'E-ADDR a.trace:1: coordinate 0.5', 'programs.file'],
    [trace('2 0 0 1 1 1\n1 0 0 1 1 1'), 'E-TRACE a.trace:2: time 1 after 2', 'programs.file'],
    [trace('0 0 0 1 1 536870912'), ''],
    [
      trace('0 0 0 1 1 536870911\n0 0 0 1 1 2'),
      'E-TRACE a.trace:2: 536870913 flits up to here',
      'programs.file',
    ],
    [{ programs: { packets: [...packets, [0, 0, 0, 1, 1]] } }, 'E-TRACE 5 fields', 'programs.packets.1'],
    [
      {
        programs: {
          packets: [
            [2, 0, 0, 1, 1, 1],
            [1, 0, 0, 1, 1, 1],
          ],
        },
      },
      'E-TRACE time 1 after 2',
      'programs.packets.1',
    ],
    [
      {
        programs: {
          packets: [
            [0, 0, 0, 1, 1, 536870911],
            [0, 0, 0, 1, 1, 2],
          ],
        },
      },
      'E-TRACE 536870913 flits',
      'programs.packets.1',
    ],
    [{ programs: { packets: [[0, 3, 0, 1, 1, 1]] } }, 'E-ADDR coordinate 3', 'programs.packets.0'],
    [{ programs: { pattern: 'uniform' } }, ''],
    [
      { ...graph, programs: { pattern: 'uniform' } },
      'a pattern with 1 numbers in an address',
      'programs.pattern',
    ],
  ],
};

const cpu = { x: 0, y: 0, kind: 'cpu', program: 'host' };
const gpu = { x: 0, y: 1, kind: 'gpu', program: 'device' };
const kernel = (body: string): string =>
  `.version 7.0\n.target sm_75\n.address_size 64\n.visible .entry k()\n{\n${body}\nret;\n}`;
const step = (one: object, host = 'device'): Readonly<Record<string, unknown>> => ({
  [`programs.hosts.${host}.steps`]: [one],
});
const setting = (line: string, found: string): WrongInput => [
  { 'programs.configs': { own: { file: 'own.config', text: `\n${line}` } } },
  found && `own.config:2: ${found}`,
  'programs.configs.own',
];
const least = (key: string, expected: string, ...values: readonly string[]): readonly WrongInput[] =>
  values.map((value) => setting(`-${key} ${value}`, `-${key}: found "${value}", expected ${expected}`));

/** Of systems (E-OPT, E-ADDR, E-PROG, E-PTX, E-FILE; 7.6, 12). */
export const systemInputs: Inputs = {
  right: {
    config: { network: { A: 2 }, chiplets: [cpu, gpu] },
    programs: {
      kernels: [{ name: 'k.ptx', text: kernel('') }],
      hosts: { host: { steps: [] }, device: { steps: [] } },
      data: {},
      configs: {},
    },
  },
  wrong: [
    [{ 'config.network.c': 3 }, 'E-OPT c = 3'],
    [{ 'config.network.V': 1, 'config.network.R': 1 }, 'V = 1 with R = 1'],
    [{ 'config.network.ties': 'heap' }, 'E-OPT heap in a coupled run'],
    [{ 'config.network.ties': 'heap', 'config.mode': 'decoupled' }, ''],
    [{ 'config.network.ties': 'heap', 'config.mode': 'iterative' }, ''],
    [{ 'config.network.loss': true }, 'E-OPT true in a run that is coupled'],
    [{ 'config.network.loss': true, 'config.mode': 'iterative' }, 'E-OPT true in a run that is iterative'],
    [{ 'config.network.loss': true, 'config.mode': 'decoupled' }, ''],
    [{ 'config.chiplets.1.clockRate': 0.0015 }, 'E-OPT 0.0015'],
    [
      { 'config.chiplets.1.clockRate': 0.5 },
      'E-OPT true with different clock rates',
      'config.trustKernelSource',
    ],
    [{ 'config.chiplets.1.clockRate': 0.5, 'config.trustKernelSource': false }, ''],
    [
      {
        'config.chiplets.0.clockRate': 0.997,
        'config.chiplets.1.clockRate': 0.991,
        'config.trustKernelSource': false,
      },
      'E-OPT clock rates 0.997, 0.991',
      'config.chiplets',
    ],
    [{ 'config.chiplets.1.x': 2 }, 'E-ADDR coordinate 2'],
    [{ 'config.chiplets.1.y': 2 }, 'E-ADDR coordinate 2'],
    [
      { 'config.chiplets.1.y': 0 },
      'E-ADDR a second chiplet at (0, 0), the first is number 0',
      'config.chiplets.1',
    ],
    [{ 'config.chiplets.1.x': 1, ...graph, programs: undefined }, 'E-ADDR coordinate 1'],
    [{ 'config.chiplets.1.program': 'none' }, 'E-PROG no program "none"'],
    [{ 'config.chiplets.1.config': 'none' }, 'no config "none"'],
    [{ 'programs.kernels.0.text': kernel('add.u32 %r1, 1, 2;') }, 'E-PTX k.ptx:6:', 'programs.kernels.0'],
    [
      {
        'programs.kernels': [
          { name: 'k.ptx', text: kernel('') },
          { name: 'l.ptx', text: kernel('nothing;').replace(' k(', ' l(') },
        ],
      },
      'E-PTX l.ptx:6:',
      'programs.kernels.1',
    ],
    [step({ op: 'malloc', as: 'a', bytes: 8 }), ''],
    [
      step({ op: 'malloc', as: 'a', bytes: 8 }, 'host'),
      'E-PROG malloc in the program of the CPU chiplet (0, 0)',
      'programs.hosts.host.steps.0',
    ],
    [step({ op: 'launch', kernel: 'k' }, 'host'), 'E-PROG launch in', 'programs.hosts.host.steps.0'],
    [step({ op: 'symbol', as: 'a', name: 'b' }, 'host'), 'E-PROG symbol in', 'programs.hosts.host.steps.0'],
    [step({ op: 'compute', instructions: 1 }, 'host'), ''],
    [step({ op: 'send', to: [0, 0], values: [1] }), ''],
    [
      step({ op: 'send', to: [1, 1], values: [1] }),
      'E-ADDR (1, 1), where no chiplet is',
      'programs.hosts.device.steps.0.to',
    ],
    [
      step({ op: 'receive', from: [0, 2], count: 1, as: 'a' }),
      'E-ADDR (0, 2), outside a network of 2 routers in each dimension',
      'programs.hosts.device.steps.0.from',
    ],
    [
      step({ op: 'free', of: 'a' }),
      'step 0: found the name "a", expected an allocation of an earlier step: none',
      'programs.hosts.device.steps',
    ],
    [
      step({ op: 'copyIn', to: 'a', values: [1] }),
      'step 0: found the name "a"',
      'programs.hosts.device.steps',
    ],
    [
      step({ op: 'copyOut', from: 'a', count: 1, as: 'b' }),
      'step 0: found the name "a"',
      'programs.hosts.device.steps',
    ],
    [
      step({ op: 'launch', kernel: 'k', args: [{ ptr: 'a' }] }),
      'step 0: found the name "a"',
      'programs.hosts.device.steps',
    ],
    [
      step({ op: 'output', name: 'a', values: 'b' }),
      'step 0: found the name "b", expected values of an earlier step: none',
      'programs.hosts.device.steps',
    ],
    [
      {
        'programs.hosts.device.steps': [
          { op: 'malloc', as: 'a', bytes: 8 },
          { op: 'send', to: [0, 0], values: 'a' },
        ],
      },
      'step 1: found the name "a", expected values of an earlier step: none',
    ],
    [
      {
        'programs.hosts.device.steps': [
          { op: 'receive', from: [0, 0], count: 1, as: 'a' },
          { op: 'output', name: 'b', values: 'a' },
        ],
      },
      '',
    ],
    [{ 'programs.data': { d: { file: 'd.txt', text: '1, -2\n4294967295 -2147483648\n' } } }, ''],
    [{ 'programs.data': { d: { file: 'd.txt', text: '1\n2 x' } } }, 'E-FILE d.txt:2: "x"', 'programs.data.d'],
    [{ 'programs.data': { d: { file: 'd.txt', text: '1.5' } } }, 'E-FILE d.txt:1: "1.5"', 'programs.data.d'],
    [
      { 'programs.data': { d: { file: 'd.txt', text: '4294967296' } } },
      'E-FILE d.txt:1: "4294967296"',
      'programs.data.d',
    ],
    [
      { 'programs.data': { d: { file: 'd.txt', text: '-2147483649' } } },
      'E-FILE d.txt:1: "-2147483649"',
      'programs.data.d',
    ],
    setting('rop_latency 3', 'found "rop_latency 3", expected a line "-name value"'),
    setting('-gpgpu_scheduler two_level_active:6:0:1', ''),
    setting('-nothing_known 3', ''),
    setting('-gpgpu_n_clusters "4', 'found "-gpgpu_n_clusters "4", expected a line'),
    ...[
      'gpgpu_n_clusters',
      'gpgpu_n_cores_per_cluster',
      'gpgpu_shader_cta',
      'gpgpu_shmem_size',
      'gpgpu_num_sched_per_core',
      'rop_latency',
      'dram_latency',
      'gpgpu_l1_latency',
      'gpgpu_max_insn_issue_per_warp',
    ].flatMap((key) => [
      ...least(key, 'a whole number of at least 1', '0', '-1', '1.5', 'x'),
      setting(`-${key} 1`, ''),
    ]),
    ...['gpgpu_kernel_launch_latency', 'gpgpu_gmem_skip_L1D'].flatMap((key) => [
      ...least(key, 'a whole number of at least 0', '-1', 'x'),
      setting(`-${key} 0`, ''),
    ]),
    ...least('gpgpu_shmem_num_banks', '1, 2, 4, 8, 16 or 32', '0', '3', '33', '64'),
    setting('-gpgpu_shmem_num_banks 1', ''),
    setting('-gpgpu_shmem_num_banks 32', ''),
    ...least('gpgpu_scheduler', 'gto or lrr', 'any', ''),
  ],
};

const script = (...steps: readonly (readonly unknown[])[]): Readonly<Record<string, unknown>> => ({
  'programs.0.script': steps,
});

/** Of coordinators (E-YAML; 9.4, 9.6). */
export const coordinatorInputs: Inputs = {
  right: {
    config: {},
    programs: [
      { x: 0, y: 0, script: [] },
      { x: 0, y: 1, script: [] },
    ],
  },
  wrong: [
    [{ 'programs.1.y': 0 }, 'a second process at (0,0), the first is number 0', 'programs.1'],
    [script(['send', 0, 1, 8], ['recv', 0, 1, 8], ['launch', 0, 1], ['compute', 3]), ''],
    [
      script(['compute', 3], ['send', 1, 1, 8]),
      'send with (1,1), where no process is',
      'programs.0.script.1',
    ],
    [script(['recv', 2, 0, 8]), 'recv with (2,0), where no process is', 'programs.0.script.0'],
    [script(['launch', 1, 0]), 'launch with (1,0), where no process is', 'programs.0.script.0'],
    [{ 'config.delay': ['10 0 0 0 1 0 2 7 9'] }, ''],
    [{ 'config.delay': ['10 0 0 0 1 0 2 7 9', '10 0 0 0'] }, '"10 0 0 0"', 'config.delay.1'],
    [{ 'config.delay': ['10 0 0 0 1 0 2 7 x'] }, '"10 0 0 0 1 0 2 7 x"', 'config.delay.0'],
    [{ 'config.delay': ['-1 0 0 0 1 0 2 7 9'] }, '"-1 0 0 0 1 0 2 7 9"', 'config.delay.0'],
    [{ 'config.delay': ['10 0 0.5 0 1 0 2 7 9'] }, '"10 0 0.5 0 1 0 2 7 9"', 'config.delay.0'],
  ],
};
