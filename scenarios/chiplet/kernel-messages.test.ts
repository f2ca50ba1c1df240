import { describe, expect, test } from 'vitest';
import type { SystemResult } from '../../machines/chiplet/system.ts';
import { systemMachine } from '../../machines/chiplet/system.ts';
import { parseScenario } from '../load.ts';
import { simulate } from '../simulate.ts';

/** Two GPU chiplets: (0, 0) sends `sent` values by a kernel that names `source`, (0, 1) runs the kernels given. */
async function run(config: string, source: string, receiver: readonly string[], sent = 3) {
  const text = `
name: kernels and messages
machine: chiplet
config:
  network: { A: 2 }
  ${config}
  chiplets:
    - { x: 0, y: 0, kind: gpu, program: sends, cores: 1 }
    - { x: 0, y: 1, kind: gpu, program: receives, cores: 1 }
programs:
  kernels:
    - { file: system/messages.ptx }
    - name: backwards.ptx
      text: |
        .version 7.0
        .target sm_75
        .visible .entry backwards(.param .u32 parameter)
        {
          .reg .b32 %r<5>;
          ld.param.u32 %r1, [parameter];
          mov.u32 %r2, 1;
          addc.u32 %r3, %r1, %r2;
          mov.u32 %r2, 0;
          addc.u32 %r4, %r1, %r2;
          ret;
        }
  hosts:
    sends:
      steps:
        - { op: malloc, as: A, bytes: 16 }
        - { op: launch, kernel: passMessage, args: [0, 1, ${source}, { ptr: A }, ${sent}] }
    receives:
      steps:
        - { op: malloc, as: A, bytes: 16 }
${receiver.map((step) => `        - ${step}\n`).join('')}`;
  const { scenario, machine } = await parseScenario(text, 'scenarios/chiplet/kernels.yaml', [
    systemMachine as never,
  ]);
  const { outcome, result } = simulate(scenario, machine);
  return { outcome, result: result as SystemResult };
}

const reads = (count: number): string =>
  `{ op: launch, kernel: readMessage, args: [0, 0, 0, 1, { ptr: A }, ${count}] }`;
/** Receives of (0, 0) by the index 1, then by the index 0; the parameter of (0, 1) is 100000 and 1 for a receive. */
const backwards = '{ op: launch, kernel: backwards, args: [100001] }';

describe('the source that a kernel names', () => {
  test('is warned of when it is another chiplet', async () => {
    const { outcome, result } = await run('trustKernelSource: false', '1, 1', [reads(3)]);

    expect(outcome.verdict).toBe('ok');
    expect(result.warnings).toEqual(['E-OPCODE (0, 0) sent 3 messages in the name of another chiplet']);
  });

  test.each(['decoupled', 'coupled', 'iterative'])(
    'is who its messages are from where it is trusted: %s',
    async (mode) => {
      const own = '{ op: launch, kernel: readMessage, args: [0, 1, 0, 1, { ptr: A }, 3] }';
      const { outcome, result } = await run(`mode: ${mode}`, '0, 1', [own]);

      expect(outcome.verdict).toBe('ok');
      expect(result.messages).toEqual({ sent: 3, delivered: 3, unread: 0 });
      expect(result.warnings).toEqual(['E-OPCODE (0, 0) sent 3 messages in the name of another chiplet']);
    },
  );

  test('stops the kernel where that is strict, with kernel, thread and line', async () => {
    const { outcome, result } = await run('strictSource: true', '1, 0', []);

    expect(outcome.verdict).toBe('violated');
    expect(outcome.violations.map(({ why }) => why)).toEqual([
      expect.stringMatching(
        /^E-OPCODE found a message in the name of \(1, 0\), expected \(0, 0\): kernel passMessage, thread 0, line \d+$/,
      ),
    ]);
    expect(result.messages.sent).toBe(0);
    expect(result.complete).toBe(false);
  });

  test('may be its own chiplet where that is strict', async () => {
    const { outcome, result } = await run('strictSource: true', '{ own: x }, { own: y }', [reads(3)]);

    expect(outcome.verdict).toBe('ok');
    expect(result.warnings).toEqual([]);
  });
});

describe('the index that a receive names', () => {
  test('is warned of when a queue gives another value', async () => {
    const { outcome, result } = await run('mailbox: queue', '0, 0', [backwards], 2);

    expect(outcome.verdict).toBe('ok');
    expect(result.warnings).toEqual([
      'W-INDEX (0, 1) took 2 values by another index than their number in the kernel, first index 1 of (0, 0) for value 0',
    ]);
  });

  test('counts anew in each launch', async () => {
    const { result } = await run('mailbox: queue', '0, 0', [reads(1), reads(2)]);

    expect(result.warnings).toEqual([]);
  });

  test('decides by itself in a mailbox that is read by index', async () => {
    const { outcome, result } = await run('mailbox: indexed', '0, 0', [backwards], 2);

    expect(outcome.verdict).toBe('ok');
    expect(result.warnings).toEqual([]);
  });
});

test('in rounds, values that nobody asks for are told as unread', async () => {
  for (const mode of ['decoupled', 'coupled', 'iterative']) {
    const { outcome, result } = await run(`mode: ${mode}`, '0, 0', [reads(1)]);

    expect(outcome.verdict).toBe('ok');
    expect(result.messages).toMatchObject({ sent: 3, unread: 2 });
    expect(result.warnings).toEqual(['W-UNREAD (0, 1) has 2 values of (0, 0) unread']);
    expect(result.chiplets[1]!.received).toBe(3);
  }
});
