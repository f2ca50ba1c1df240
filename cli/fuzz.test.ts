import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { effort } from '../kernel/testing/effort.ts';
import { temporaryFolder } from '../scenarios/testing/temporary-folder.ts';
import { calledAt } from './testing/called.ts';

const command = fileURLToPath(new URL('./lockstep.mjs', import.meta.url));
const folder = temporaryFolder('fuzz');

const at = (...names: string[]): string => join(folder, ...names);

/** A memory without a lock, and two who use it in one cycle. */
const racy = `name: unlocked
machine: cell
config: { N: 3, K: 1, memSize: 64 }
programs:
  - [[0, put, 0, 1, 32, 2]]
  - [[0, get, 10, 0, 8, 2], [1, read, 32]]
`;

function scenario(name: string, more = ''): string {
  writeFileSync(at(`${name}.yaml`), racy + more);
  return at(`${name}.yaml`);
}

const textOf = (name: string): string => readFileSync(at(name, 'ledger.json'), 'utf8');

const called = calledAt(80);

describe('a campaign without failures', () => {
  test('tells of runs, ends and strategies, and exits with 0', async () => {
    const file = scenario('sound');

    const { exitCode, out, err } = await called(
      'fuzz',
      file,
      '--runs',
      '40',
      '--strategy',
      'random,fifo',
      '--out',
      at('sound'),
      '--json',
    );

    expect(exitCode).toBe(0);
    expect(err).toMatch(/: no failure in 40 runs\nseed 1; [\d,]+ deliveries; /);
    expect(err).toMatch(/\n {2}random +20 {2}nothing\n {2}fifo +20 {2}nothing\n/);
    expect(JSON.parse(out)).toMatchObject({
      subject: file,
      machine: 'cell',
      seed: 1,
      verdict: 'ok',
      runs: 40,
      ends: {
        exact: true,
        different: expect.any(Number),
        once: expect.any(Number),
        unseen: expect.any(Number),
      },
      strategies: [
        { strategy: 'random', runs: 20 },
        { strategy: 'fifo', runs: 20 },
      ],
      findings: [],
      interrupted: false,
      workers: 1,
    });
  });

  test('names the properties of which nothing that they look at came, also when it goes on and when it is merged', async () => {
    const file = scenario('idle');
    const [ledger, merged] = [at('idle', 'ledger.json'), at('idle-merged')];
    const idle = [
      'status answers are exact',
      'with bounded waiting every urgent request starts by its bound',
      'no program raises an exception',
    ];
    const told = 'of the properties, what they look at came in no run:';
    const words = ['fuzz', file, '--strategy', 'random', '--out', at('idle'), '--json'];

    const some = await called(...words, '--runs', '3');
    const threads = await called(...words, '--runs', '20', '--workers', '2');
    const put = await called('merge', ledger, '--out', merged, '--json');

    for (const { out, err } of [some, threads, put]) {
      expect(JSON.parse(out).idle.toSorted()).toEqual(idle.toSorted());
      for (const sentence of idle) expect(err.split(told)[1]).toContain(`\n  ${sentence}`);
    }
    const { judged } = JSON.parse(readFileSync(ledger, 'utf8'));
    expect(judged).toMatchObject({ 'no program raises an exception': 0, 'ring segments never overlap': 20 });
  });

  test('tells how many runs were cut where they left the boundary, also when it goes on and when it is merged', async () => {
    const [ledger, merged] = [at('cut', 'ledger.json'), at('cut-merged')];
    const narrow = at('narrow.yaml');
    writeFileSync(narrow, 'name: narrow\nmachine: raft\nconfig: { servers: 3, terms: 1, commands: 1 }\n');
    const words = ['fuzz', narrow, '--strategy', 'random', '--out', at('cut'), '--json'];

    const some = await called(...words, '--runs', '10');
    const threads = await called(...words, '--runs', '40', '--workers', '2');
    const put = await called('merge', ledger, '--out', merged, '--json');

    const { cut } = JSON.parse(readFileSync(ledger, 'utf8'));
    // Servers stand for a second term sooner or later, but for those of which nothing is under way before.
    expect(cut).toBeGreaterThan(20);
    expect(JSON.parse(some.out).cut).toBeLessThanOrEqual(10);
    for (const { out, err } of [threads, put]) {
      expect(JSON.parse(out).cut).toBe(cut);
      expect(err).toContain(`${cut} of the 40 runs were cut where they left the boundary`);
    }
  });

  test('tells nothing of cuts where it goes on with a ledger that does not know', async () => {
    const ledger = at('cut', 'ledger.json');
    const { cut, ...older } = JSON.parse(readFileSync(ledger, 'utf8'));
    writeFileSync(ledger, JSON.stringify(older));

    const { out, err } = await called(
      ...['fuzz', at('narrow.yaml'), '--strategy', 'random', '--out', at('cut'), '--json', '--runs', '45'],
    );

    expect(cut).toBeDefined();
    expect(JSON.parse(out)).not.toHaveProperty('cut');
    expect(err).not.toContain('were cut');
  });

  test('calls nothing idle when it goes on with a ledger that does not know what was judged', async () => {
    const file = scenario('older');
    const ledger = at('older', 'ledger.json');
    const words = ['fuzz', file, '--strategy', 'random', '--out', at('older'), '--json'];
    await called(...words, '--runs', '3');
    const { judged, hash: _, ...older } = JSON.parse(readFileSync(ledger, 'utf8'));
    writeFileSync(ledger, JSON.stringify(older));

    const { out, err } = await called(...words, '--runs', '6');

    expect(judged).toBeDefined();
    expect(JSON.parse(out)).toMatchObject({ runs: 6, idle: [] });
    expect(err).not.toContain('came in no run');
  });

  test('does not call idle what an early failure kept from coming', async () => {
    const file = scenario('early', 'faults: [{ mutant: M-26 }]\n');

    const { out, err } = await called('fuzz', file, '--runs', '40', '--out', at('early'), '--json');

    expect(JSON.parse(out)).toMatchObject({ verdict: 'failed', idle: [] });
    expect(err).not.toContain('came in no run');
  });

  test('over generated scenarios of a machine exits with 0, too', async () => {
    const { exitCode, out } = await called(
      'fuzz',
      'cell',
      '--runs',
      '12',
      '--strategy',
      'random',
      '--out',
      at('generated'),
      '--json',
    );

    expect(exitCode).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ subject: 'cell', runs: 12, ends: { different: 12 } });
  });
});

describe('a failure', () => {
  test('of a given scenario ends the campaign and leaves a recording that replays', async () => {
    const file = scenario('unlocked', 'faults: [{ mutant: M-26 }]\n');

    const { exitCode, out, err } = await called(
      'fuzz',
      file,
      '--out',
      at('unlocked'),
      '--strategy',
      'random',
      '--json',
    );

    expect(exitCode).toBe(1);
    const { findings, runs } = JSON.parse(out);
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatchObject({
      verdict: 'violated',
      what: 'CK-19 accesses to one memory exclude each other',
      run: runs - 1,
      by: [{ strategy: 'random', first: runs - 1, failures: 1, afterRuns: runs }],
      recording: at('unlocked', 'failure-1.recording.json'),
      complete: true,
    });
    expect(findings[0].picks.left).toBeLessThan(findings[0].picks.found);
    expect(err).toContain(`replay it: npx lockstep replay ${findings[0].recording}\n`);
    expect(err).toContain(`watch it in a browser: npx lockstep view ${findings[0].recording}\n`);
    expect(err).toContain(readFileSync(findings[0].explanation, 'utf8'));
    const replay = JSON.parse((await called('replay', findings[0].recording, '--json')).out);
    expect(replay).toMatchObject({ same: true, toEnd: true, verdict: 'violated' });
  });

  test('of a fault in generated scenarios is made simple, and its explanation tells the fault', async () => {
    const { exitCode, out } = await called(
      ...['fuzz', 'register', '--fault', 'drop: { type: register.write }', '--no-coverage'],
      ...['--strategy', 'random', '--out', at('faulty'), '--json'],
    );

    expect(exitCode).toBe(1);
    const [{ scenario: left, verdict, explanation }] = JSON.parse(out).findings;
    expect(verdict).toBe('deadlock');
    expect(readFileSync(left, 'utf8')).toContain('clients: 1');
    expect(readFileSync(explanation, 'utf8').replaceAll(/\s+/g, ' ')).toContain(
      'a fault struck: drop of register.write',
    );
  });

  test('with a fault that the machine does not know, or that a scenario should have, is refused', async () => {
    const crash = await called('fuzz', 'register', '--fault', 'crash: { actor: "**" }');
    const file = await called('fuzz', scenario('fault'), '--fault', 'drop');

    expect([crash.exitCode, file.exitCode]).toEqual([2, 2]);
    expect(crash.err).toContain('no actor of register may crash');
    expect(file.err).toContain('faults: [{ drop:');
  });

  test('of a generated scenario is made simple and left as a scenario that runs', async () => {
    const { exitCode, out } = await called(
      'fuzz',
      'cell',
      '--mutant',
      'M-05',
      '--out',
      at('mutant'),
      '--json',
    );

    expect(exitCode).toBe(1);
    const [{ scenario: left, what, recording }] = JSON.parse(out).findings;
    expect(left).toBe(at('mutant', 'failure-1.yaml'));
    // One transfer is all it takes.
    expect(readFileSync(left, 'utf8').match(/\b(get|put)\b/g)).toHaveLength(1);
    const run = JSON.parse((await called('run', left, '--no-record', '--json')).out);
    expect(run.violations.map(({ property }: { property: string }) => property)).toContain(what);
    expect(JSON.parse((await called('replay', recording, '--json')).out)).toMatchObject({ same: true });
  });

  test('does not end a campaign that keeps going, and each kind is written down once', async () => {
    const file = scenario('keep going', 'faults: [{ mutant: M-26 }]\n');

    const { exitCode, out, err } = await called(
      'fuzz',
      file,
      '--keep-going',
      '--runs',
      '30',
      '--out',
      at('kinds'),
      '--json',
    );

    expect(exitCode).toBe(1);
    const { findings, runs } = JSON.parse(out);
    expect(runs).toBe(30);
    expect(findings[0].by[0].failures).toBeGreaterThan(1);
    expect(new Set(findings.map((one: { what: string }) => one.what)).size).toBe(findings.length);
    expect(err).toContain(' times)');
  });

  test('is the same with two workers', async () => {
    const file = scenario('two', 'faults: [{ mutant: M-26 }]\n');
    const found = async (workers: string) => {
      const { out } = await called(
        'fuzz',
        file,
        '--keep-going',
        '--runs',
        effort({ short: '12', long: '24' }),
        '--workers',
        workers,
        '--out',
        at(`workers-${workers}`),
        '--json',
      );
      return JSON.parse(out).findings.map(
        ({ recording, explanation, ...finding }: { recording: string; explanation: string }) => [
          finding,
          readFileSync(recording, 'utf8'),
        ],
      );
    };

    expect(await found('2')).toEqual(await found('1'));
  });
});

describe('a campaign in a folder of its own', () => {
  test('goes on when it is called again, and comes to what one call comes to', async () => {
    const file = scenario('goes on', 'faults: [{ mutant: M-26 }]\n');
    const call = (out: string, runs: string) =>
      called('fuzz', file, '--keep-going', '--runs', runs, '--out', at(out), '--json');

    const [runs, runsBefore] = effort({ short: [12, 5], long: [25, 10] });

    await call('once', String(runs));
    await call('twice', String(runsBefore));
    const { out, err } = await call('twice', String(runs));

    expect(err).toContain(`ledger.json: goes on after ${runsBefore} runs\n`);
    expect(JSON.parse(out)).toMatchObject({ runs, runsBefore });
    expect(textOf('twice')).toBe(textOf('once'));

    const less = await call('twice', '1');
    expect(less.err).toContain(`ledger.json: has ${runs} runs already, and 1 are asked for`);
    expect(JSON.parse(less.out)).toMatchObject({ runs, runsBefore: runs });
    expect(textOf('twice')).toBe(textOf('once'));
  });

  test('refuses the ledger of another seed at its place', async () => {
    const file = scenario('seeds');
    await called('fuzz', file, '--runs', '2', '--out', at('seeds'));

    const { exitCode, err } = await called('fuzz', file, '--runs', '2', '--seed', '2', '--out', at('seeds'));

    expect(exitCode).toBe(2);
    expect(err).toMatch(
      /seeds\/ledger\.json:8:11 found the ledger of another campaign: seed 1, expected 2\n {2}help: /,
    );
  });

  test('refuses a ledger whose last run no longer ends as it did', async () => {
    const file = scenario('changed');
    await called('fuzz', file, '--runs', '2', '--out', at('changed'));
    const ledger = at('changed', 'ledger.json');
    writeFileSync(
      ledger,
      readFileSync(ledger, 'utf8')
        .replace(/"lastEnd": "./, '"lastEnd": "0')
        .replace(/,\s*"hash": "\w+"/, ''),
    );

    const { exitCode, err } = await called('fuzz', file, '--runs', '4', '--out', at('changed'));

    expect(exitCode).toBe(2);
    expect(err).toMatch(
      /ledger\.json:\d+:13 found that run 1 ends in \w{16} now, expected 0\w{15}: the machine/,
    );
  });

  test('refuses a ledger in which anything was damaged, as `merge` and `coverage` do', async () => {
    const file = scenario('damaged');
    await called('fuzz', file, '--runs', '5', '--out', at('damaged'));
    const ledger = at('damaged', 'ledger.json');
    const whole = readFileSync(ledger, 'utf8');
    const digits = [...whole.matchAll(/\d/g)].map(({ index }) => index);
    const told = /ledger\.json:\d+:\d+ (found|campaign|format|hash|runs|ends|lastEnd)/;

    for (const at of Array.from(
      { length: 25 },
      (_, one) => digits[Math.floor((one * digits.length) / 25)]!,
    )) {
      writeFileSync(ledger, whole.slice(0, at) + ((Number(whole[at]) + 1) % 10) + whole.slice(at + 1));
      for (const words of [
        ['coverage', ledger],
        ['merge', ledger, '--out', join(folder, 'damaged-merged')],
        ['fuzz', file, '--runs', '10', '--out', join(folder, 'damaged')],
      ]) {
        const { exitCode, err } = await called(...words);
        expect([exitCode, err], `${words[0]}, place ${at}`).toEqual([2, expect.stringMatching(told)]);
      }
    }
  });

  test('keeps what it has when it is interrupted, and says how to go on', async () => {
    const file = scenario('interrupted');
    const args = ['fuzz', file, '--runs', '1000000', '--workers', '2', '--out', at('interrupted')];
    const child = spawn('node', [command, ...args, '--json'], { cwd: folder });
    // The ledger is begun when there is something to interrupt.
    const begun = setInterval(() => {
      if (!existsSync(at('interrupted', 'ledger.json'))) return;
      clearInterval(begun);
      child.kill('SIGINT');
    }, 20);

    const { exitCode, out, err } = await ended(child);

    expect(exitCode).toBe(130);
    const { runs, interrupted } = JSON.parse(out);
    expect(interrupted).toBe(true);
    expect(JSON.parse(textOf('interrupted')).runs).toBe(runs);
    expect(err).toContain(`go on with: npx lockstep fuzz ${file} --out ${at('interrupted')} --seed 1 `);
  });
});

describe('what cannot be fuzzed', () => {
  test('is a campaign whose folder cannot be written', async () => {
    const file = scenario('no folder');

    const { exitCode, err } = await called('fuzz', file, '--out', join(file, 'below'));

    expect(exitCode).toBe(2);
    expect(err).toContain(`lockstep: --out: ${file}/below/ledger.json cannot be written: `);
  });

  test.each([
    [
      ['cel'],
      'lockstep: found "cel", which is no machine and no file, expected one of them\n  help: did you mean "cell"',
    ],
    [['no-such.yaml'], 'no-such.yaml:1:1 SCN001 found no such file'],
    [
      ['cell', '--mutant', 'M-99'],
      'lockstep: --mutant: found "M-99", expected an id of the fault catalogue of cell',
    ],
    [
      ['scenarios/cell/worked-trace.yaml', '--mutant', 'M-05'],
      'lockstep: found --mutant with a scenario file',
    ],
    [['cell', '--strategy', 'random,pcr'], 'lockstep: --strategy: found "pcr", expected some of '],
    [['cell', '--workers', '0'], 'lockstep: --workers: found "0", expected at least 1'],
    [['cell', '--runs', 'many'], 'lockstep: --runs: found "many", expected a whole number'],
    [['recoverable-commit'], 'lockstep: found no generated scenarios for the machine recoverable-commit'],
  ])('is refused: %j', async (args, message) => {
    const { exitCode, out, err } = await called('fuzz', ...args);

    expect([exitCode, out]).toEqual([2, '']);
    expect(err.startsWith(message)).toBe(true);
  });
});

/** What a process wrote and how it ended. */
async function ended(
  child: ChildProcessWithoutNullStreams,
): Promise<{ exitCode: number | null; out: string; err: string }> {
  let [out, err] = ['', ''];
  child.stdout.on('data', (data) => (out += data));
  child.stderr.on('data', (data) => (err += data));
  const exitCode = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { exitCode, out, err };
}
