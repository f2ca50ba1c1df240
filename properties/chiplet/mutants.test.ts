import { describe, expect, test } from 'vitest';
import { effort } from '../../kernel/testing/effort.ts';
import { networkMachine } from '../../machines/chiplet/network-machine.ts';
import { chipletSentences } from './machine-properties.ts';
import { busy, givenOf, trial } from './trial.ts';

/** By fault: the sentences that it breaks, and how the run ends when it does not end well. */
const caught: Readonly<Record<string, readonly string[]>> = {
  'credit-lost': ['no more flits are sent', 'every packet arrives once', 'deadlock'],
  'credit-doubled': ['no more flits are sent'],
  'wrong-turn': ['packets in a mesh'],
  'channel-used-twice': ['an output channel belongs'],
  'tail-keeps-channel': ['every packet arrives once', 'deadlock'],
  'switch-for-all': ['in a cycle one flit at most'],
  'tail-lost': ['every packet arrives once'],
  'channel-mistaken': [],
  'loss-untold': ['in a channel the flits of a packet'],
  'slow-heads': ['a flit is seen at the other end'],
  'toggles-forgotten': ['a link counts the bits'],
};

/** What a fault shows in: the mesh, or one with buffers that are full and lose flits. */
const networkOf = (mutant: string) => (mutant === 'loss-untold' ? { loss: true, V: 1, B: 1 } : {});

describe('planted faults', () => {
  test('the sound network breaks no sentence', () => {
    const few = [{ R: 1 }, { V: 4, B: 1, O: 1 }, { loss: true, V: 1, B: 1 }];
    for (const network of effort<readonly object[]>({
      short: few,
      long: [{}, ...few, { random: 'perRouter' }, { ties: 'heap' }],
    })) {
      const { raised, result } = trial(givenOf(network, busy));

      expect(raised).toEqual([]);
      expect(result.finished + (result.lostPackets ?? 0)).toBe(result.injectedPackets);
    }
  });

  test('every fault of the catalogue is here', () => {
    expect([...networkMachine.mutants.keys()].sort()).toEqual(Object.keys(caught).sort());
  });

  test.each(Object.entries(caught))('%s is caught', (mutant, sentences) => {
    const { raised } = trial(givenOf(networkOf(mutant), busy, [mutant]));

    expect(raised).not.toEqual([]);
    for (const sentence of sentences) expect(raised.some((one) => one.startsWith(sentence))).toBe(true);
  });

  test('every sentence is broken by some fault', () => {
    const broken = new Set(
      [...networkMachine.mutants.keys()].flatMap(
        (mutant) => trial(givenOf(networkOf(mutant), busy, [mutant])).raised,
      ),
    );
    const never = chipletSentences.network.filter((sentence) => !broken.has(sentence));

    expect(never).toEqual([]);
  });
});
