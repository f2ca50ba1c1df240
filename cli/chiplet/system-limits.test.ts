import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../scenarios/testing/temporary-folder.ts';
import { called } from '../testing/called.ts';

const folder = temporaryFolder('limits');

interface Changes {
  readonly mode?: string;
  readonly rules?: string;
  readonly network?: string;
  readonly wanted?: number;
  readonly more?: string;
}

/** Two chiplets, of which one sends three values and, after a pause, a fourth one. */
function scenario({ mode = 'coupled', rules = '', network = '', wanted = 4, more = '' }: Changes): string {
  const file = join(folder, 'scenario.yaml');
  writeFileSync(
    file,
    `name: limits
machine: chiplet
config:
  mode: ${mode}
  network: { A: 2${network} }
  chiplets:
    - { x: 0, y: 0, kind: cpu, program: sends }
    - { x: 0, y: 1, kind: cpu, program: receives }
${rules}
programs:
  hosts:
    sends:
      steps:
        - { op: send, to: [0, 1], values: [1, 2, 3] }
        - { op: compute, instructions: 30 }
        - { op: send, to: [0, 1], values: [4] }
    receives: { steps: [{ op: receive, from: [0, 0], count: ${wanted}, as: got }, { op: output, name: got, values: got }] }
${more}
`,
  );
  return file;
}

async function lockstep(...words: string[]) {
  const { exitCode, out, err } = await called(...words);
  return { exitCode, err, result: out === '' ? undefined : JSON.parse(out) };
}

const chipletRun = (changes: Changes, ...words: string[]) =>
  lockstep('chiplet', 'run', scenario(changes), '--json', ...words);

describe('values that nobody has read', () => {
  test.each(['coupled', 'decoupled', 'iterative'])(
    'are told with receiver, sender and count: %s',
    async (mode) => {
      const { exitCode, err, result } = await chipletRun({ mode, wanted: 1 });

      expect(exitCode).toBe(0);
      expect(err).toContain('warning: W-UNREAD (0, 1) has 3 values of (0, 0) unread\n');
      expect(result).toMatchObject({ complete: true, messages: { sent: 4, unread: 3 } });
      expect(result.warnings).toHaveLength(1);
    },
  );

  test('nothing is said when all were read', async () => {
    expect((await chipletRun({})).result).toMatchObject({ complete: true, warnings: [] });
  });
});

describe('a limit that is reached is named with its key, and the result is marked incomplete', () => {
  test('the last cycle of the network, with those who wait: not a deadlock', async () => {
    const { exitCode, err, result } = await chipletRun({ network: ', T: 20' });

    expect(exitCode).toBe(1);
    expect(err).toContain(
      'warning: E-LIMIT cycle 20 of the network (config.network.T) was reached with 1 of 4 messages on their way\n',
    );
    expect(err).not.toContain('E-DEADLOCK');
    expect(err).toContain('blocked: Chip[0][1]: its host wants a value of (0, 0) since cycle');
    expect(result).toMatchObject({ complete: false, messages: { sent: 4, delivered: 3 } });
  });

  test('a deadlock before the last cycle is one', async () => {
    const { exitCode, err, result } = await chipletRun({ network: ', T: 2000', wanted: 5 });

    expect(exitCode).toBe(1);
    expect(err).toContain('E-DEADLOCK nobody can go on\n  Chip[0][1]: its host wants a value of (0, 0)');
    expect(result).toMatchObject({ complete: false, warnings: [] });
  });

  test('the network that runs on the trace', async () => {
    const { exitCode, err, result } = await chipletRun(
      { mode: 'decoupled', network: ', T: 10' },
      '--no-coupled',
    );

    expect(exitCode).toBe(0);
    expect(err).toMatch(
      /E-LIMIT cycle 10 of the network \(config\.network\.T\) was reached with \d of 4 messages/,
    );
    expect(result.complete).toBe(false);
  });

  test('the rounds', async () => {
    const { exitCode, err, result } = await chipletRun({
      mode: 'iterative',
      rules: '  rounds: 2\n  error: 0',
    });

    expect(exitCode).toBe(0);
    expect(err).toContain(
      'warning: E-LIMIT round 2, the last one (config.rounds), has not converged: cycles are its own\n',
    );
    expect(result.complete).toBe(false);
    expect(result.rounds).toHaveLength(2);
  });

  test.each(['coupled', 'iterative'])('the last tick of the scenario: %s', async (mode) => {
    const { exitCode, err, result } = await chipletRun({ mode, more: 'until: 25' });

    expect(exitCode).toBe(0);
    expect(err).toContain('warning: E-LIMIT the run was cut in cycle 13: its figures are those so far\n');
    expect(result.complete).toBe(false);
    expect(result.rounds ?? [1]).toHaveLength(1);
  });
});

describe('a network that loses packets', () => {
  test.each(['coupled', 'iterative'])('is refused where chiplets wait for its messages: %s', async (mode) => {
    const { exitCode, err } = await chipletRun({ mode, network: ', loss: true' });

    expect(exitCode).toBe(2);
    expect(err).toMatch(
      /scenario\.yaml:5:\d+ .*config\.network\.loss: found E-OPT true in a run that is \w+, expected false, or mode: decoupled/,
    );
  });

  test('counts what it has lost of a trace', async () => {
    const { exitCode, err, result } = await chipletRun({
      mode: 'decoupled',
      rules: '  flitRule: 9',
      network: ', V: 1, B: 1, O: 1, loss: true',
    });

    expect(exitCode).toBe(0);
    const { finished, lostPackets } = result.network;
    expect(finished + lostPackets).toBe(4);
    expect(err).toContain(`network: ${finished} packets, ${lostPackets} lost, average delay`);
    expect(err).toContain('coupled: not run: config.network.loss: found E-OPT true in a run that is coupled');
    expect(result.complete).toBe(true);
  });

  test('--mode is checked as the scenario is', async () => {
    const { exitCode, err } = await chipletRun(
      { mode: 'decoupled', network: ', loss: true' },
      '--mode',
      'coupled',
    );

    expect(exitCode).toBe(2);
    expect(err).toContain('--mode coupled: config.network.loss: found E-OPT true in a run that is coupled');
  });
});

describe('a program that throws', () => {
  test.each(['coupled', 'decoupled', 'iterative'])(
    'is told with its place, and is no defect of Lockstep: %s',
    async (mode) => {
      const module = join(folder, 'throws.ts');
      writeFileSync(
        module,
        "export function* throws() {\n  yield { op: 'compute', instructions: 4 };\n  throw new Error('no such block');\n}\n",
      );
      const file = scenario({ mode });
      const text = readFileSync(file, 'utf8').replace(
        /programs:[\s\S]*/,
        `programs:\n  hosts:\n    sends: { module: ${module}#throws }\n    receives: { module: ${module}#throws }\n`,
      );
      writeFileSync(file, text);
      const { exitCode, err } = await lockstep('chiplet', 'run', file, '--json');
      expect(err).toContain('"host.turn" threw: no such block');
      expect(err).toMatch(/thrown at .*throws\.ts:3:\d+/);
      expect(exitCode).toBe(1);
    },
  );
});
