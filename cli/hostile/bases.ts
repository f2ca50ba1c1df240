import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { main } from '../main.ts';
import { KeptTerminal } from '../terminal.ts';

/** A command line that is right, and the files that it names: what is damaged for a case. */
export interface Base {
  readonly args: readonly string[];
  /** Contents by name, relative to the folder of the case. */
  readonly files: Readonly<Record<string, Buffer>>;
  /** The files that may be damaged. */
  readonly targets: readonly string[];
}

const read = (file: string): Buffer => readFileSync(file);
const text = (contents: unknown): Buffer =>
  Buffer.from(typeof contents === 'string' ? contents : JSON.stringify(contents, null, 1));

/** Scenarios that are run in less than half a second. */
const scenarios = [
  'cell/worked-wait',
  'cell/get-against-put',
  'cell/fault-dropped-grant',
  'cell/fault-random-losses',
  'cell/hazard',
  'cell/never-granted',
  'cell/limited-outstanding',
  'cell/fixed-cycles',
  'cell/cellbe-hot-spot',
  'grape/stride',
  'grape/power',
  'chiplet/ring-pipeline',
  'chiplet/deadlock',
  'chiplet/system-deadlock',
  'chiplet/system-in-step',
  'chiplet/interchiplet-lock-order',
  'tca/block-stride',
  'tca/ping-pong',
  'sunway/task-farm',
  'sunway/task-search',
  'sunway/table-lookup',
  'sunway/operations',
  'protocols/two-phase-commit',
  'protocols/peterson',
  'protocols/recoverable-commit',
  'protocols/register',
];

/** Of these, those with so many orders in one tick that no check comes to its end. */
const searchedLong = [
  'cell/get-against-put',
  'cell/cellbe-hot-spot',
  'cell/worked-wait',
  'chiplet/ring-pipeline',
];

const short = ['--until', '3000'];

/** The files that a scenario names in its folder. */
const namedIn = (folder: string, scenario: string): readonly string[] => [
  ...new Set(
    [...scenario.matchAll(/[\w./-]+\.(?:ts|vsm|ptx|txt)/g)]
      .map(([name]) => name)
      .filter((name) => !name.includes('..') && existsSync(join(folder, name))),
  ),
];

/** A text in which a module names others of the project from where they lie. */
function moduleOf(folder: string, file: string): Buffer {
  const path = join(folder, file);
  return text(
    read(path)
      .toString()
      .replaceAll(/from '(\.[^']*)'/g, (_, module: string) => `from '${join(dirname(path), module)}'`),
  );
}

/** A scenario and the files that it names, by name, the scenario first. */
function filesOf(project: string, name: string): Readonly<Record<string, Buffer>> {
  const path = join(project, 'scenarios', `${name}.yaml`);
  const [folder, own] = [dirname(path), basename(path)];
  const beside = namedIn(folder, read(path).toString());
  return Object.fromEntries([own, ...beside].map((file) => [file, moduleOf(folder, file)]));
}

function scenarioBases(project: string): readonly Base[] {
  return scenarios.flatMap((name): Base[] => {
    const files = filesOf(project, name);
    const [own, ...beside] = Object.keys(files) as [string, ...string[]];
    const made = (args: readonly string[]): Base => ({ args, files, targets: [own, own, own, ...beside] });
    return [
      made(['run', own, '--json', ...short]),
      made(['run', own, '--no-record', '--schedule', 'random', ...short]),
      made(['run', own, '--export', 'csv=x.csv', '--export', 'vcd=x.vcd', '--record', 'x.json', ...short]),
      ...(searchedLong.includes(name) ? [] : [made(['check', own, '--json', '--max-states', '300'])]),
      made(['fuzz', own, '--runs', '3', '--json']),
    ];
  });
}

/** Recordings of runs that failed, and of one that did not. */
async function recordingBases(project: string, folder: string): Promise<readonly Base[]> {
  const bases: Base[] = [];
  for (const name of [
    'cell/planted-fault',
    'cell/never-granted',
    'cell/fault-dropped-grant',
    'chiplet/system-deadlock',
    'protocols/peterson-swapped',
    'protocols/forgotten-promise',
  ]) {
    const own = filesOf(project, name);
    const [scenario, recording] = [join(folder, basename(name)), join(folder, 'recording.json')];
    for (const [file, contents] of Object.entries(own)) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), contents);
    }
    const verb = name.includes('protocols') ? ['check'] : ['run', '--schedule', 'random'];
    const made = [verb[0]!, `${scenario}.yaml`, ...verb.slice(1), '--record', recording];
    await main(made, new KeptTerminal());
    const files = { ...own, 'r.json': read(recording) };
    const targets = ['r.json'];
    bases.push(
      { args: ['replay', 'r.json', '--json'], files, targets },
      { args: ['explain', 'r.json', '--json'], files, targets },
      { args: ['run', `${basename(name)}.yaml`, '--tape', 'r.json', ...short], files, targets },
      ...(name === 'cell/planted-fault'
        ? [{ args: ['view', 'r.json', '--html', 'page.html'], files, targets }]
        : []),
    );
  }
  return bases;
}

const kernel = `.version 7.0
.target sm_75
.visible .entry twice(.param .u64 p)
{
  .reg .b32 %r<3>;
  .reg .b64 %rd<2>;
  .reg .pred %p<2>;
  mov.u32 %r1, %tid.x;
  ld.param.u64 %rd1, [p];
  mad.wide.u32 %rd1, %r1, 4, %rd1;
  ld.global.u32 %r2, [%rd1];
  shl.b32 %r2, %r2, 1;
  setp.eq.u32 %p1, %r1, 3;
  @%p1 bra END;
  st.global.u32 [%rd1], %r2;
END:
  bar.sync 0;
  ret;
}
`;
const launches = {
  ptx: 'k.ptx',
  cases: [
    {
      name: 'four',
      entry: 'twice',
      grid: [1, 1, 1],
      block: [4, 1, 1],
      params: [{ ptr: 'values' }],
      buffers: { values: { type: 'u32', data: [1, 2, 3, 4] } },
      expected: { values: [2, 4, 6, 4] },
      stats: { threadInstructions: 28 },
    },
  ],
};

const workload = {
  format: 'cell-workload/1',
  name: 'w',
  N: 2,
  K: 1,
  memSize: 256,
  policy: 'sjf-detour',
  programs: [
    [
      [0, 'p', 0, 1, 64, 8],
      [1, 'w', 3, 7],
      [9, 's', 0],
    ],
    [
      [2, 'g', 0, 0, 128, 4],
      [3, 'r', 5],
    ],
  ],
};
const saturated = {
  format: 'cell-workload/1',
  name: 's',
  N: 2,
  K: 1,
  memSize: 1024,
  policy: 'etalon-ff',
  saturate: { outstanding: 2, perSpu: 4, sizeMin: 1, sizeMax: 8, seed: 3, localOps: 1 },
};
const instances = {
  format: 'cell-arb/1',
  set: 'x',
  instances: [
    {
      name: 'a',
      N: 4,
      K: 1,
      requests: [
        [0, 0, 2, 8],
        [1, 1, 3, 4],
        [2, 3, 0, 4],
      ],
      best: {
        totalWait: 4,
        optimal: true,
        placements: [
          [0, 0, 1],
          [1, 0, 9],
          [2, 1, 3],
        ],
      },
      lowerBound: 4,
      policies: { 'etalon-ff': 9 },
    },
  ],
};
/** A type II program: it sends while it runs. */
const sending = `prefix sends
bvar vector long index elt fix64to72rs
bvar vector long outdata
<%= 8.times.map { |i| "var vector long a#{i} hlt flt64to72\\n" }.join %>
evar jdata 0 64
vlen 4
loop body
idp jdata 1 -1
nop 2
upassa $lm<%=first%>v<%=stride%> $lr0v $lr0v
nop
bm $lr0v outdata 0
nop
rrn umin outdata 4 flt72to64
nop 3
`;
/** The launch of `kernel` with the bytes that it answers. */
const measured = {
  file: 'k',
  name: 'four',
  entry: 'twice',
  grid: [1, 1, 1],
  block: [4, 1, 1],
  dynamicSharedBytes: 0,
  params: [{ ptr: 'values' }],
  buffers: { values: { type: 'u32', bytes: 16, base64: 'AQAAAAIAAAADAAAABAAAAA==' } },
  compare: ['values'],
  tags: [],
  expected: { 'ptx/k.c75.ptx': { deterministic: true, outputs: { values: 'AgAAAAQAAAAGAAAABAAAAA==' } } },
};
/** What a client and a server say that are a run of `single-copy`. */
const register = [
  { at: 'Client[0]', event: 'operation.invoked', operation: ['write', 'A'], time: 1 },
  { at: 'Client[0]', event: 'operation.returned', result: null, time: 2 },
]
  .map((line) => `${JSON.stringify(line)}\n`)
  .join('');
const small = `import type { GlobalState } from '@GLOBAL@';
export const few = (state: GlobalState): boolean => state.messages.length < 4;
`;

/** Of files whose names differ in numbers alone, the first. */
const oneOfEach = (names: readonly string[]): readonly string[] => [
  ...new Map(names.map((name) => [name.replaceAll(/\d+/g, '0'), name])).values(),
];

async function verbBases(project: string, folder: string): Promise<readonly Base[]> {
  const at = (file: string): Buffer => read(join(project, file));
  const made = (args: string, files: Readonly<Record<string, Buffer>>): Base => ({
    args: args.split(' '),
    files,
    targets: Object.keys(files),
  });
  const log = join(folder, 'cell.log');
  const coverage = join(folder, 'coverage.json');
  const ran = [
    'run',
    join(project, 'scenarios/cell/get-against-put.yaml'),
    '--export',
    `log=${log}`,
    '--coverage',
    coverage,
  ];
  await main(ran, new KeptTerminal());
  await main(
    [
      'fuzz',
      join(project, 'scenarios/cell/get-against-put.yaml'),
      '--runs',
      '4',
      '--out',
      join(folder, 'fuzz'),
    ],
    new KeptTerminal(),
  );
  await main(
    [
      'chiplet',
      'run',
      join(project, 'scenarios/chiplet/system-pipeline.yaml'),
      '--mode',
      'decoupled',
      '--out',
      join(folder, 'dir'),
    ],
    new KeptTerminal(),
  );
  const ledgers = {
    'chiplet schedules --systems 2 --schedules 2': 'l.json',
    'sunway races --only S1 --schedules 2': 'l.json',
    'tca conformance --case C01 --nodes 2 --channels 0 --schedules 1': 'l.json',
  };
  for (const [index, command] of Object.keys(ledgers).entries())
    await main([...command.split(' '), '--ledger', join(folder, `ledger-${index}.json`)], new KeptTerminal());
  const popnet = JSON.parse(at('properties/chiplet/golden/popnet/golden.json').toString());
  const extensions = JSON.parse(at('properties/chiplet/golden/popnet/ext.json').toString());
  const rounds = JSON.parse(at('properties/chiplet/golden/interchiplet/golden.json').toString());
  const traces = { 't.txt': text('0 0 0 0 1 1\n3 0 1 1 1 5\n7.5 1 1 0 0 9\n20 1 0 0 1 2\n') };
  const dir = Object.fromEntries(
    readdirSync(join(folder, 'dir'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [`dir/${path.slice(join(folder, 'dir').length + 1)}`, read(path)]),
  );
  const gv = at('properties/chiplet/golden/popnet/ext/gring8.gv');
  const interchiplet = 'scenarios/chiplet/interchiplet';
  const bench = {
    'b.yml': at(`${interchiplet}/scripts.yml`),
    'ping.yaml': at(`${interchiplet}/ping.yaml`),
    'pong.yaml': at(`${interchiplet}/pong.yaml`),
  };
  const rsqrt = { 'a.vsm': at('properties/grape/golden/rsqrt3.vsm') };
  const sph = {
    'a.vsm': at('properties/grape/golden/sph.vsm'),
    'c.json': at('properties/grape/golden/sph.expected.json'),
  };
  const template = (file: string): Buffer =>
    text(
      at(`templates/typescript/${file}`)
        .toString()
        .replaceAll(/'(fast-check|zod|xstate)'/g, (_, name: string) => `'${import.meta.resolve(name)}'`),
    );
  const copy = at('scenarios/protocols/single-copy.yaml');
  const cases = { 'k.ptx': text(kernel), 'c.json': text(launches) };
  return [
    made('cell workload w.json --json', { 'w.json': text(workload) }),
    made('cell workload w.json --detail step', { 'w.json': text(workload) }),
    made('cell workload w.json', { 'w.json': text(saturated) }),
    made('cell arb a.json --json', { 'a.json': text(instances) }),
    made('verify a.json --json', { 'a.json': text(instances) }),
    made('cell check l.log --json', { 'l.log': read(log) }),
    made('cell check l.log', { 'l.log': read(log) }),
    made('coverage c.json --json', { 'c.json': read(coverage) }),
    made('diagram cell/dma-module --coverage c.json', { 'c.json': read(coverage) }),
    made('coverage c.json', { 'c.json': read(join(folder, 'fuzz/ledger.json')) }),
    made('fuzz s.yaml --runs 5 --out .', {
      'ledger.json': read(join(folder, 'fuzz/ledger.json')),
      's.yaml': at('scenarios/cell/get-against-put.yaml'),
    }),
    made('run s.yaml --tape t.json --until 3000', {
      't.json': text([0, 1, 2, 0, 1]),
      's.yaml': at('scenarios/cell/get-against-put.yaml'),
    }),
    made('grape asm a.vsm --json', rsqrt),
    made('grape asm a.vsm --schedule --listing', rsqrt),
    made('grape lint a.vsm', rsqrt),
    made('grape disasm a.vsm', rsqrt),
    made('grape asm a.vsm', { 'a.vsm': at('scenarios/grape/stride.vsm') }),
    made('grape asm a.vsm --expand', {
      'a.vsm': text(`<% n = 4 %>\n${rsqrt['a.vsm']}# <%= [1, n].map { |v| v * 2 }.join(" ") %>\n`),
    }),
    made('grape run a.vsm', { 'a.vsm': at('scenarios/grape/stride.vsm') }),
    made('grape run a.vsm --case c.json --mode functional', sph),
    made('chiplet ptx k.ptx --case c.json --json', cases),
    made('chiplet ptx k.ptx --case c.json --power p.txt', cases),
    made('chiplet popnet -A 2 -T 500 -I t.txt --json', traces),
    made('chiplet popnet -A 2 -T 500 -I t.txt -D d.txt -P', {
      't.txt': text('0 0 0 1 1 1 2 9\n5 5 1 1 0 0 2 9\n'),
    }),
    made('chiplet popnet -A 8 -c 1 -R 4 -G g.gv -T 500 -I t.txt', {
      'g.gv': gv,
      't.txt': text('0 0 1 1\n3 2 5 4\n'),
    }),
    made('chiplet interchiplet b.yml --stall 1 -t 2 --json', bench),
    { ...made('chiplet combine dir -A 3 --json', dir), targets: oneOfEach(Object.keys(dir)) },
    made('sunway readmid m.mid --json', { 'm.mid': Buffer.from([0, 1, 1, 0]) }),
    made('sunway run s.yaml --files files --until 3000', {
      's.yaml': at('scenarios/sunway/slow-transfers.yaml'),
      'slow-transfers.ts': moduleOf(project, 'scenarios/sunway/slow-transfers.ts'),
      'files/a.bin': text('abc'),
    }),
    ...Object.keys(ledgers).map((command, index) =>
      made(`${command} --ledger l.json`, { 'l.json': read(join(folder, `ledger-${index}.json`)) }),
    ),
    made('check s.yaml --max-states 300 --trace t.txt --graph g.dot --constraint small.ts#few', {
      's.yaml': at('scenarios/protocols/peterson-swapped.yaml'),
      'small.ts': text(small.replace('@GLOBAL@', join(project, 'kernel/global-state.ts'))),
    }),
    made('check s.yaml --symmetry --keep-going --coverage --json', {
      's.yaml': at('scenarios/protocols/two-phase-commit.yaml'),
    }),
    made('explain r.json --mermaid m.txt --svg s.svg --simplified t.json', {
      'r.json': read(join(folder, 'recording.json')),
    }),
    made('chiplet ptx k.ptx --case c.json --config g.config', {
      ...cases,
      'g.config': text('-gpgpu_n_clusters 4\n-gpgpu_n_mem 2\n-gpgpu_clock_domains 1000:1000:1000:2000\n'),
    }),
    made('chiplet popnet -A 4 -c 1 -T 500 -R 5 -G g.gv -I t.txt -C p.txt', {
      'g.gv': text('graph { 0 -- 1; 1 -- 3; 3 -- 2; 2 -- 0 }\n'),
      'p.txt': text('2 100\n4 0 1 2 3\n1\n0 3 1\n1\n1 2 1\n'),
      't.txt': text('0 0 1 1\n3 2 3 4\n'),
    }),
    made('chiplet run system-pipeline.yaml --json', filesOf(project, 'chiplet/system-pipeline')),
    made(
      'chiplet run system-pipeline.yaml --mode decoupled --out d',
      filesOf(project, 'chiplet/system-pipeline'),
    ),
    made('sunway bsignal 34 job', { 'job/.lockstep-job': text(`${process.pid}\n`) }),
    made('grape leapfrog a.vsm --schedule --bodies 4 --steps 1 --blocks 1 --pes 1', {
      'a.vsm': at('scenarios/grape/gravity.vsm'),
    }),
    made('schema cell --out s.json', { 's.json': text('{}') }),
    ...['conversion_vectors.json', 'reduction_vectors.json', 'float_vectors.json', 'macro_cases.json'].map(
      (file) => made(`verify ${file}`, { [file]: at(`properties/grape/golden/${file}`) }),
    ),
    made('verify matmul.expected.json', {
      'matmul.expected.json': at('properties/grape/golden/matmul.expected.json'),
      'matmul.vsm': at('properties/grape/golden/matmul.vsm'),
    }),
    made('verify eib_anchors.json --json', {
      'eib_anchors.json': at('properties/cell/golden/eib_anchors.json'),
    }),
    made('verify himeno.json', { 'himeno.json': at('properties/tca/golden/himeno.json') }),
    made('verify public-measurements.json reference-predictions.json', {
      'public-measurements.json': at('properties/tca/golden/public-measurements.json'),
      'reference-predictions.json': at('properties/tca/golden/reference-predictions.json'),
    }),
    made('verify golden.json --json', {
      'golden.json': text({
        ...popnet,
        rows: popnet.rows.filter(({ trace }: { trace: string }) => trace === 'zero4'),
      }),
      'traces/zero4.txt': at('properties/chiplet/golden/popnet/traces/zero4.txt'),
      'delays/zero4-default.txt': at('properties/chiplet/golden/popnet/delays/zero4-default.txt'),
    }),
    made('verify ext.json', {
      'ext.json': text({ rows: extensions.rows.slice(0, 1) }),
      'ext/chipmesh_zero.txt': at('properties/chiplet/golden/popnet/ext/chipmesh_zero.txt'),
    }),
    made('verify golden.json', { 'golden.json': text({ ...rounds, cases: rounds.cases.slice(0, 1) }) }),
    made('verify curve.json', {
      'curve.json': text({
        rows: [
          { packetSize: 5, V: 1, B: 2, offeredFlitRate: 0.02, acceptedFlitRate: 0.02, avgDelayFinished: 20 },
        ],
      }),
    }),
    made('verify c.json', { 'c.json': text({ ptx: 'k.ptx', cases: launches.cases }), 'k.ptx': text(kernel) }),
    ...['alu_vectors.json', 'asm_cases.json', 'macro_cases.json'].map((file) =>
      made(`verify ${file} --json`, { [file]: at(`properties/grape/golden/${file}`) }),
    ),
    made('verify sph.expected.json --json', {
      'sph.expected.json': at('properties/grape/golden/sph.expected.json'),
      'sph.vsm': at('properties/grape/golden/sph.vsm'),
    }),
    made('verify ex1.workload.json', {
      'ex1.workload.json': at('properties/cell/golden/machine/ex1.workload.json'),
      'ex1.result.json': at('properties/cell/golden/machine/ex1.result.json'),
    }),
    made('verify small-case.json --json', {
      'small-case.json': text({
        format: 'lockstep-gpu/1',
        gpu: 'none',
        driverApi: 0,
        compiler: 'none',
        cases: [measured],
      }),
      'ptx/k.c75.ptx': text(kernel),
    }),
    made('verify sends.json', {
      'sends.json': text({
        program: 'sends.vsm',
        interface: 'type2',
        config: { nBB: 2, nPE: 2 },
        iData: 'a<k> of particle r = 1000*k + r + 1 (r = 0..7)',
        run: 2,
        runs: [
          { defines: { stride: 1, first: 0 }, out: [1, 2, 3, 4, 1001, 1002, 1003, 1004], diagnostics: [] },
        ],
      }),
      'sends.vsm': text(sending),
    }),
    made('verify stride.json', {
      'stride.json': text({
        runs: [
          {
            program: 'stride.vsm',
            mode: 'functional',
            options: { legacy: false },
            config: { nBB: 1, nPE: 4 },
            diagnostics: [],
            slots: 1,
            output: [],
          },
        ],
      }),
      'stride.vsm': at('scenarios/grape/stride.vsm'),
    }),
    made('verify full.json', {
      'full.json': text({
        program: 'gravity.vsm',
        config: { nBB: 16, nPE: 32 },
        run: 16,
        order: ['accx', 'accy', 'accz', 'pot'],
        cyclesSlot4: 1,
        words: [['3fed8ea3d64fb98100', '3feed03c900e7335af', '3ff060ff21c5b0ff5a', '3ff7d1632af70bda0c']],
      }),
      'gravity.vsm': at('scenarios/grape/gravity.vsm'),
    }),
    made('verify headers/sph_type1.h', {
      'headers/sph_type1.h': at('properties/grape/golden/headers/sph_type1.h'),
      'sph.vsm': sph['a.vsm'],
    }),
    made('verify mesh.json', {
      'mesh.json': text({
        tool: 'BookSim 2',
        rows: [
          {
            traffic: 'uniform',
            vcs: 1,
            buf: 2,
            packetSize: 5,
            flitRate: 0.1,
            acceptedFlitRate: 0.1,
            packetLatencyAvg: 40,
            unstable: false,
          },
        ],
      }),
    }),
    made('trace s.yaml l.jsonl --ignore time --json', { 's.yaml': copy, 'l.jsonl': text(register) }),
    made('trace s.yaml l.jsonl --map m.ts#toEvent', {
      's.yaml': copy,
      'l.jsonl': text(register),
      'm.ts': text(
        'export const toEvent = ({ time, ...event }: { time?: number }): object | undefined => time === 0 ? undefined : event;\n',
      ),
    }),
    made('check s.yaml --refines spec.yaml --max-states 300', {
      's.yaml': at('scenarios/protocols/abd.yaml'),
      'spec.yaml': copy,
    }),
    made('check s.yaml --refines spec.ts#transaction --map spec.ts#resourceManagers --max-states 300', {
      's.yaml': at('scenarios/protocols/two-phase-commit.yaml'),
      'spec.ts': moduleOf(project, 'properties/protocols/specifications.ts'),
    }),
    ...['check', 'run'].map((verb) =>
      made(`${verb} scenarios/hasty-server.yaml`, {
        ...Object.fromEntries(
          ['machine.ts', 'protocol.ts', 'lockstep.config.ts'].map((file) => [file, template(file)]),
        ),
        'scenarios/hasty-server.yaml': at('templates/common/scenarios/hasty-server.yaml'),
      }),
    ),
    made('fuzz machine.ts#lockServer --runs 3 --mutant hasty-server --junit j.xml --sarif j.sarif', {
      'machine.ts': template('machine.ts'),
      'protocol.ts': template('protocol.ts'),
    }),
    { args: ['init', 'made'], files: { 'made/other': text('there\n') }, targets: ['made/other'] },
    made('verify paper-claims.json', { 'paper-claims.json': at('properties/tca/golden/paper-claims.json') }),
  ];
}

/** The right command lines; some of their files are made by the command itself, in `folder`. */
export async function basesOf(project: string, folder: string): Promise<readonly Base[]> {
  return [
    ...scenarioBases(project),
    ...(await recordingBases(project, folder)),
    ...(await verbBases(project, folder)),
  ];
}

/** Keeps command lines in a file, so that other processes need not make them. */
export function saveBases(file: string, bases: readonly Base[]): void {
  const plain = bases.map((base) => ({
    ...base,
    files: Object.entries(base.files).map(([name, contents]) => [name, contents.toString('base64')]),
  }));
  writeFileSync(file, JSON.stringify(plain));
}

/** Command lines that `saveBases` kept. */
export function loadBases(file: string): readonly Base[] {
  type Plain = Omit<Base, 'files'> & { readonly files: readonly [string, string][] };
  return (JSON.parse(readFileSync(file, 'utf8')) as readonly Plain[]).map((base) => ({
    ...base,
    files: Object.fromEntries(base.files.map(([name, contents]) => [name, Buffer.from(contents, 'base64')])),
  }));
}
