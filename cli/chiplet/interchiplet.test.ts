import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { main } from '../main.ts';
import { KeptTerminal } from '../terminal.ts';

// Real processes are started, so some of these take more than a second.
const folder = resolve('out/test-interchiplet');
const benches = 'scenarios/chiplet/interchiplet';

beforeAll(() => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
});

afterEach(() => {
  vi.unstubAllEnvs();
});

/** Writes a file of this test; scripts can be executed. */
function written(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  if (name.endsWith('.sh')) chmodSync(file, 0o755);
  return file;
}

async function interchiplet(bench: string, ...options: readonly string[]) {
  const terminal = new KeptTerminal();
  const cwd = join(folder, `cwd-${bench.replaceAll(/[^a-z0-9]+/gi, '-')}`);
  const exitCode = await main(
    ['chiplet', 'interchiplet', bench, '--cwd', cwd, '--json', '-e', '0.0001', ...options],
    terminal,
  );
  const result = terminal.stdout === '' ? {} : JSON.parse(terminal.stdout);
  return { exitCode, cwd, result, text: terminal.stderr };
}

const popnet = 'phase2:\n  - { cmd: popnet, args: [], clock_rate: 1 }\n';
const benchOf = (name: string, ...processes: readonly string[]): string =>
  written(name, `phase1:\n${processes.map((one) => `  - { clock_rate: 1, ${one} }\n`).join('')}${popnet}`);

describe('rounds', () => {
  const pingPong = [1323, 1331, 1331];

  test('of processes given as steps have the cycles of the reference', async () => {
    const { exitCode, cwd, result } = await interchiplet(`${benches}/scripts.yml`);

    expect(exitCode).toBe(0);
    expect(result).toMatchObject({ converged: true, warnings: [] });
    expect(result.rounds.map(({ cycles }: { cycles: number }) => cycles)).toEqual(pingPong);
    expect(readFileSync(join(cwd, 'bench.txt'), 'utf8')).toBe(
      '1000 500 0 0 0 1 11 0\n1315 1060 0 1 0 0 2 0\n',
    );
    expect(readFileSync(join(cwd, 'delayInfo.txt'), 'utf8')).toBe(
      '1000 0 0 0 1 0 2 10 15\n1315 0 1 0 0 0 2 1 6\n',
    );
    expect(readFileSync(join(cwd, 'proc_r3_p1_t0/ping.log'), 'utf8')).toBe(
      'send 0 1 640 1000 1010\nrecv 0 1 64 1060 1321\n',
    );
  });

  test('of real processes over named pipes are the same', async () => {
    const { exitCode, cwd, result, text } = await interchiplet(`${benches}/shell.yml`);

    expect(exitCode, text).toBe(0);
    expect(result.rounds.map(({ cycles }: { cycles: number }) => cycles)).toEqual(pingPong);
    expect(text).toContain('process 1 (worker.sh): 640\n');
    expect(readFileSync(join(cwd, 'proc_r1_p1_t0/host.log'), 'utf8')).toContain(
      '[INTERCMD] WRITE 1000 0 0 0 1 640 0',
    );
    expect(readdirSync(cwd).filter((name) => name.startsWith('buffer'))).toEqual([]);
  });

  test('of steps beside a real process are the same', async () => {
    const bench = benchOf(
      'mixed.yml',
      `script: ${resolve(benches, 'ping.yaml')}, args: ["0", "0"]`,
      `cmd: ${resolve(benches, 'worker.sh')}, args: ["0", "1"]`,
    );

    const { exitCode, result, text } = await interchiplet(bench, '--timeout', '2');

    expect(exitCode, text).toBe(0);
    expect(result.rounds.map(({ cycles }: { cycles: number }) => cycles)).toEqual(pingPong.slice(0, 2));
    expect(text).toContain('E-LIMIT the last of 2 rounds has not converged');
  });

  test('take delays from a real network', async () => {
    const network = written(
      'network.sh',
      '#!/bin/sh\nwhile read -r cycle _ sx sy dx dy flits desc; do echo "$cycle $sx $sy $dx $dy $desc 2 $((flits - 1)) $((flits + 39))"; done < "$1" > "$2"\n',
    );
    const file = written(
      'network.yml',
      readFileSync(`${benches}/scripts.yml`, 'utf8')
        .replaceAll(/script: (\w+)/g, (_, name) => `script: ${resolve(benches, name)}`)
        .replace(/cmd: popnet.*/, `cmd: ${network}, args: [../bench.txt, ../delayInfo.txt], clock_rate: 1 }`),
    );

    const { exitCode, cwd, result } = await interchiplet(file);

    expect(exitCode).toBe(0);
    // 1000 + 50, + 300 + 41, + 10.
    expect(result.cycles).toBe(1401);
    expect(readFileSync(join(cwd, 'delayInfo.txt'), 'utf8')).toBe(
      '1000 0 0 0 1 0 2 10 50\n1350 0 1 0 0 0 2 1 41\n',
    );
  });

  test('of the sample run with names of other simulators', async () => {
    vi.stubEnv('SIMULATOR_ROOT', '/simulators');

    const { exitCode, result } = await interchiplet(`${benches}/matmul.yml`);

    expect(exitCode).toBe(0);
    expect(result).toMatchObject({ converged: true, rounds: [{ transactions: 9 }, {}, {}, {}] });
  });
});

describe('benchmarks of published packages', () => {
  /** A GPU chiplet at (1, 1) and a CPU chiplet at (0, 1) of a grid of two by two, whose network is a ring of nodes. */
  const ring = (cmd: string, args: string): string => {
    const [ping, pong] = [
      written('ring-ping.yaml', '- [send, 1, 1, 640]\n- [recv, 1, 1, 64]\n'),
      written('ring-pong.yaml', '- [recv, 0, 1, 640]\n- [send, 0, 1, 64]\n'),
    ];
    written(
      'ring.gv',
      'graph ring {\n  edge[weight=1]\n  node[pipeline_stage_delay=1]\n  0--1--3--2--0\n}\n',
    );
    return written(
      `ring-${cmd.replaceAll(/\W+/g, '-')}.yml`,
      `phase1:\n  - { script: ${ping}, args: [0, 1], clock_rate: 1 }\n  - { script: ${pong}, args: [1, 1], clock_rate: 1 }\nphase2:\n  - { cmd: ${cmd}, args: ${args}, clock_rate: 1 }\n`,
    );
  };
  const newer =
    '[-A, "36", -c, "1", -V, "3", -B, "12", -O, "12", -F, "2", -L, "1000", -T, "1000000000000000000000", -r, "1", -I, ../bench.txt, -G, ring.gv, -D, ../delayInfo.txt, -P]';

  test('of newer editions have nodes in traces, graphs and other flits', async () => {
    const { exitCode, cwd, text } = await interchiplet(
      ring('popnet', newer),
      '-w',
      '2',
      '-H',
      '2',
      '-f',
      '2',
    );

    expect(exitCode, text).toBe(0);
    // 640 bytes in flits of 16: 40 and a header; from node 0 + 1 * 2 to node 1 + 1 * 2, a hop of 6 cycles.
    expect(readFileSync(join(cwd, 'bench.txt'), 'utf8')).toBe('0 0 2 3 41 0\n46 40 3 2 5 0\n');
    expect(readFileSync(join(cwd, 'delayInfo.txt'), 'utf8')).toBe('0 2 3 0 2 40 46\n46 3 2 0 2 4 10\n');
    expect(text).toContain('-A 36 has no effect: the graph has 4 nodes');
  });

  test('of newer editions give a network of its own nodes, too', async () => {
    const network = written(
      'nodes.sh',
      '#!/bin/sh\nwhile read -r cycle _ s d flits desc; do echo "$cycle $s $d $desc 2 $((flits - 1)) $((flits + 5))"; done < ../bench.txt > ../delayInfo.txt\n',
    );

    const { exitCode, cwd, result } = await interchiplet(ring(network, '[]'), '-w', '2', '-f', '2');

    expect(exitCode).toBe(0);
    expect(readFileSync(join(cwd, 'bench.txt'), 'utf8')).toMatch(/^0 0 2 3 41 0\n46 /);
    expect(result.cycles).toBe(56);
  });

  test.each([
    [newer, [], 'E-OPT -c 1 without the width of the grid'],
    [newer.replace('-c, "1"', '-c, "2"').replace('36', '6'), ['-w', '2'], 'E-OPT -w 2 with -c 2'],
    [newer, ['-w', '1'], 'E-ADDR found the chiplet (1, 1) in a grid of 1 x any nodes'],
    [newer.replace('ring.gv', 'test/ring.gv'), ['-w', '2'], 'E-FILE found no file "test/ring.gv"'],
  ])('are refused when grid and network differ: %s %s', async (args, options, why) => {
    const { exitCode, text } = await interchiplet(ring('popnet', args), ...options);

    expect(text).toContain(why);
    expect(exitCode).toBe(2);
  });

  test('run executables before built-in programs of the same name', async () => {
    mkdirSync(join(folder, 'bin'), { recursive: true });
    const own = written('bin/matmul_cu', '#!/bin/sh\necho "[INTERCMD] CYCLE 4321"\n');
    chmodSync(own, 0o755);
    const processes = (cmd: string) => benchOf('own.yml', `cmd: ${cmd}, args: [0, 1], log: own.log`);

    const run = await interchiplet(processes(own), '-t', '1');
    expect(run.result.cycles).toBe(4321);
    expect(run.text).not.toContain('built-in');

    chmodSync(own, 0o644);
    const replaced = await interchiplet(processes(own), '-t', '1');
    expect(replaced.text).toContain(`"${own}" is not there: the built-in program matmul_cu takes its place`);
    expect((await interchiplet(processes('builtin:matmul_cu'), '-t', '1')).text).not.toContain('takes its');
    expect((await interchiplet(processes('builtin:matmul'), '-t', '1')).exitCode).toBe(2);
  });

  test('name the simulators of all programs that are not there', async () => {
    vi.stubEnv('SIMULATOR_ROOT', '/simulators');
    const bench = benchOf(
      'missing.yml',
      'cmd: $BENCHMARK_ROOT/bin/net_cu, args: ["0", "0"], pre_copy: "$SIMULATOR_ROOT/gpgpu-sim/configs/x/*"',
      'cmd: $BENCHMARK_ROOT/bin/net_cu, args: ["0", "1"]',
      'cmd: $SIMULATOR_ROOT/snipersim/run-sniper, args: ["--", "$BENCHMARK_ROOT/bin/net_c", "1", "0"]',
      'cmd: $BENCHMARK_ROOT/bin/mnsim, args: ["1", "1"]',
    );

    const { exitCode, text } = await interchiplet(bench);

    expect(exitCode).toBe(2);
    expect(text).toContain(
      'bin/net_cu", which is no built-in program and no file that can be executed; nor are there "net_c" (Sniper), "mnsim" (MNSIM)',
    );
    expect(text).toContain('programs of external simulators: GPGPU-Sim, Sniper, MNSIM');
  });

  test('copy all files of a folder', async () => {
    mkdirSync(join(folder, 'configs/a/deep'), { recursive: true });
    for (const name of ['a/one.config', 'a/two.xml', 'a/.hidden', 'a/deep/three'])
      writeFileSync(join(folder, 'configs', name), name);
    const file = written('lists.sh', '#!/bin/sh\nls -A > ../listed\n');

    const { exitCode, cwd } = await interchiplet(
      benchOf('lists.yml', `cmd: ${file}, args: [0, 0], pre_copy: "$BENCHMARK_ROOT/configs/?/*"`),
      '-t',
      '1',
    );

    expect(exitCode).toBe(0);
    expect(readFileSync(join(cwd, 'listed'), 'utf8')).toBe('deep\none.config\ntwo.xml\n');
  });
});

describe('a deadlock is told with who waits for what', () => {
  test('of steps', async () => {
    const steps = written('two-locks.yaml', '- [lock, 1]\n- [barrier, 9, 2]\n');
    const bench = benchOf('locks.yml', `script: ${steps}, args: [0, 0]`, `script: ${steps}, args: [0, 1]`);

    const { exitCode, text } = await interchiplet(bench);

    expect(exitCode).toBe(1);
    expect(text).toContain('E-DEADLOCK in round 1');
    expect(text).toContain('Process[0,0] waits for RESULT of BARRIER 9: 1 of 2 are there');
    expect(text).toContain('Process[0,1] waits for RESULT of LOCK 1, which (0,0) holds');
  });

  test('of real processes at the coordinator', async () => {
    const file = written('barrier.sh', '#!/bin/sh\necho "[INTERCMD] BARRIER $1 $2 7 3"\nread -r answer\n');
    const bench = benchOf('barrier.yml', `cmd: ${file}, args: [0, 0]`, `cmd: ${file}, args: [0, 1]`);

    const { exitCode, text } = await interchiplet(bench);

    expect(exitCode).toBe(1);
    expect(text).toContain('process 1 (barrier.sh) waits for RESULT of BARRIER 7: 2 of 3 are there');
  });

  test('of real processes in a pipe of nobody', async () => {
    const bench = benchOf('pipe.yml', `cmd: ${resolve(benches, 'worker.sh')}, args: [0, 1]`);

    const { exitCode, text } = await interchiplet(bench, '--stall', '1');

    expect(exitCode).toBe(1);
    expect(text).toContain('process 0 (worker.sh) waits for data at buffer0_0_0_1: nobody sends there');
  });
});

test('a process that ends badly ends the round, and its folder is named', async () => {
  const file = written('bad.sh', '#!/bin/sh\necho hello\nexit 4\n');

  const { exitCode, cwd, text } = await interchiplet(
    benchOf('bad.yml', `cmd: ${file}, args: [0, 0], log: bad.log`),
  );

  expect(exitCode).toBe(1);
  expect(text).toContain(
    `process 0 (bad.sh) ended with exit code 4; its working directory is ${cwd}/proc_r1_p1_t0`,
  );
  expect(readFileSync(join(cwd, 'proc_r1_p1_t0/bad.log'), 'utf8')).toBe('hello\n');
});

describe('what users write wrongly is refused at its place', () => {
  const steps = () => written('steps.yaml', '- [compute, 1]\n');
  test.each<[string, () => string, string]>([
    ['no lists', () => 'bench_file: x\n', '1:1 E-YAML missing key "phase1"'],
    [
      'no clock',
      () => `phase1:\n  - { cmd: matmul_c, args: [0, 0] }\n${popnet}`,
      '2:5 E-YAML missing key "clock_rate" in phase1[0]',
    ],
    [
      'a clock that stands',
      () => `phase1:\n  - { cmd: matmul_c, args: [0, 0], clock_rate: 0 }\n${popnet}`,
      '2:48 E-YAML phase1[0].clock_rate: found 0',
    ],
    ['not YAML', () => 'phase1: [\n', '2:1 E-YAML '],
    [
      'a program of nobody',
      () => `phase1:\n  - { cmd: matmul_cx, args: [0, 0], clock_rate: 1 }\n${popnet}`,
      '2:12 E-PROG found "matmul_cx"',
    ],
    [
      'no chiplet',
      () => `phase1:\n  - { cmd: matmul_c, args: [a], clock_rate: 1 }\n${popnet}`,
      '2:5 E-YAML found the arguments ["a"]',
    ],
    [
      'neither program nor steps',
      () => `phase1:\n  - { args: [0, 0], clock_rate: 1 }\n${popnet}`,
      '2:5 E-YAML found neither "cmd" nor "script"',
    ],
    [
      'a root of nobody',
      () => `phase1:\n  - { cmd: $SIMULATOR_ROOT/a, args: [0, 0], clock_rate: 1 }\n${popnet}`,
      '2:12 E-YAML found $SIMULATOR_ROOT',
    ],
    [
      'one place twice',
      () =>
        `phase1:\n  - { script: ${steps()}, args: [0, 0], clock_rate: 1 }\n  - { script: ${steps()}, args: [0, 0], clock_rate: 1 }\n${popnet}`,
      '3:5 E-PROG found a second process at (0,0)',
    ],
    [
      'two networks',
      () =>
        `phase1:\n  - { script: ${steps()}, args: [0, 0], clock_rate: 1 }\n${popnet}${popnet.split('\n')[1]}\n`,
      '5:5 E-YAML found a second network',
    ],
    [
      'a file to copy that is not there',
      () =>
        `phase1:\n  - { script: ${steps()}, args: [0, 0], pre_copy: nothing.cfg, clock_rate: 1 }\n${popnet}`,
      '2:5 E-FILE found no file',
    ],
  ])('%s', async (name, text, place) => {
    const file = written(`wrong-${name.replaceAll(' ', '-')}.yml`, text());

    const { exitCode, text: told } = await interchiplet(file);

    expect(told.split('\n')[0]).toContain(`lockstep: ${file}:${place}`);
    expect(told).toMatch(/\n {2}help: /);
    expect(told).not.toMatch(/\n\s+at /);
    expect(exitCode).toBe(2);
  });

  test('steps', async () => {
    const wrong = written('wrong.yaml', '- [compute, 5]\n- [sendd, 0, 1, 64]\n');

    const { exitCode, text } = await interchiplet(benchOf('steps.yml', `script: ${wrong}, args: [0, 0]`));

    expect(text).toContain(`lockstep: ${wrong}:2:`);
    expect(exitCode).toBe(2);
  });

  test.each([
    ['READY', 'found "READY", expected one of CYCLE, SEND'],
    ['SEND 0 0 0', 'found 3 arguments, expected SEND src_x src_y dst_x dst_y'],
    ['WRITE 5 0 0 0 1 0 0', 'found "0" as nbytes, expected WRITE cycle'],
  ])('a process that says %s', async (command, why) => {
    const name = command.replaceAll(' ', '-');
    const file = written(
      `says-${name}.sh`,
      `#!/bin/sh\necho log\necho "[INTERCMD] ${command}"\nread -r answer\n`,
    );

    const { exitCode, text } = await interchiplet(benchOf(`says-${name}.yml`, `cmd: ${file}, args: [0, 0]`));

    expect(text).toContain(`E-PROG process 0 (says-${name}.sh), line 2 of its output: ${why}`);
    expect(exitCode).toBe(2);
  });

  test('a network that leaves no delays', async () => {
    const bench = written(
      'silent.yml',
      `phase1:\n  - { script: ${steps()}, args: [0, 0], clock_rate: 1 }\nphase2:\n  - { cmd: "true", args: [], clock_rate: 1 }\n`,
    );

    const { exitCode, text } = await interchiplet(bench);

    expect(text).toMatch(/E-FILE found no .*delayInfo\.txt after phase 2/);
    expect(exitCode).toBe(2);
  });
});

test('Ctrl-C ends the processes and keeps the files', async () => {
  const file = written('sleeper.sh', '#!/bin/sh\necho $$ > pid\necho begun\nsleep 60\n');
  const bench = benchOf('sleeper.yml', `cmd: ${file}, args: [0, 0], log: sleeper.log`);
  const cwd = join(folder, 'cwd-interrupted');
  const command = spawn('node', ['cli/lockstep.mjs', 'chiplet', 'interchiplet', bench, '--cwd', cwd]);
  await begun(join(cwd, 'proc_r1_p1_t0/sleeper.log'), command);
  const pid = Number(readFileSync(join(cwd, 'proc_r1_p1_t0/pid'), 'utf8'));

  command.kill('SIGINT');
  const exitCode = await new Promise((done) => command.on('close', done));

  expect(exitCode).toBe(130);
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  expect(existsSync(join(cwd, 'proc_r1_p1_t0/sleeper.log'))).toBe(true);
});

/** Waits until a file is there. */
async function begun(file: string, command: ChildProcess): Promise<void> {
  while (!existsSync(file)) {
    expect(command.exitCode).toBeNull();
    await new Promise((done) => setTimeout(done, 20));
  }
}
