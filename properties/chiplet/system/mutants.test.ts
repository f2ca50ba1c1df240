import { describe, expect, test } from 'vitest';

import type { SystemConfig } from '../../../machines/chiplet/system-config.ts';
import { systemMutants } from '../../../machines/chiplet/system-mutants.ts';
import { chipletSentences } from '../machine-properties.ts';
import { givenFrom, trial } from './trial.ts';

const order = 'the values that come from a chiplet';
const packets = 'a message through the network comes when';
const takes = 'a receive takes values that have come';
const sends = 'a chiplet sends one message a cycle';
const early = 'nobody passes a meeting before all have arrived';
const once = 'each chiplet passes each of its meetings once';
const apart = 'meetings are an interval apart';
const lines = 'the synchronisation file never has more than two lines';

/** By fault: the mode in which it shows, and the sentences that it breaks. */
const caught: Readonly<Record<string, readonly [mode: SystemConfig['mode'], sentences: readonly string[]]>> =
  {
    'messages-overtake': ['coupled', [order]],
    'received-when-sent': ['coupled', [packets]],
    'message-lost': ['coupled', [order, 'deadlock']],
    'value-changed': ['coupled', [order]],
    'message-doubled': ['decoupled', [order]],
    'values-reversed': ['coupled', [sends]],
    'value-put-twice': ['coupled', [takes]],
    'B-01': ['coupled', [early, 'each chiplet arrives exactly once']],
    'B-02': ['decoupled', [once, 'deadlock']],
    'B-03': ['iterative', [apart]],
    'B-04': ['coupled', [lines]],
  };

/** Long and short ways through few buffers, so that packets on different channels overtake each other. */
const crowded = {
  network: { A: 3, V: 4, B: 1, O: 1, F: 1 },
  syncFile: { enabled: true, S: 40, I: [100, 50] },
} as unknown as Partial<SystemConfig>;

const raisedBy = async (mode: SystemConfig['mode'], mutants: readonly string[]): Promise<readonly string[]> =>
  trial(await givenFrom('system-matmul.yaml', { ...crowded, mode }, mutants)).raised;

describe('planted faults of systems', () => {
  test('a sound system breaks no sentence', async () => {
    for (const mode of ['coupled', 'decoupled', 'iterative'] as const)
      expect(await raisedBy(mode, [])).toEqual([]);
  });

  test('every fault of the catalogue is here', () => {
    expect([...systemMutants.keys()].sort()).toEqual(Object.keys(caught).sort());
  });

  test.each(Object.entries(caught))('%s is caught', async (mutant, [mode, sentences]) => {
    const raised = await raisedBy(mode, [mutant]);

    for (const sentence of sentences) expect(raised.some((one) => one.startsWith(sentence))).toBe(true);
  });

  test('every sentence is broken by some fault', () => {
    const named = Object.values(caught).flatMap(([, sentences]) => sentences);

    // What instructions do is no matter of this catalogue: the test of the property has faults of its own.
    for (const sentence of chipletSentences.system)
      if (!sentence.startsWith('a kernel leaves in memory'))
        expect(named.some((one) => sentence.startsWith(one))).toBe(true);
  });
});
