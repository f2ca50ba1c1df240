import { describe, expect, test } from 'vitest';
import { Run } from '../../../kernel/run.ts';
import { type SystemResult, systemMachine } from '../../../machines/chiplet/system.ts';
import { systemConfig, systemPrograms } from '../../../machines/chiplet/system-config.ts';
import { chipletStates } from '../../../machines/chiplet/system-result.ts';
import { resultFault } from './results-add-up.ts';

/** A CPU that sends three values to a GPU, which reads `count` of them and sends one back. */
function outcomeOf(mode: string, more: object = {}, count = 3) {
  const config = systemConfig.parse({
    mode,
    network: { A: 2 },
    chiplets: [
      { x: 0, y: 0, kind: 'cpu', program: 'cpu' },
      { x: 0, y: 1, kind: 'gpu', program: 'gpu' },
    ],
    ...more,
  });
  const programs = systemPrograms.parse({
    hosts: {
      cpu: {
        steps: [
          { op: 'send', to: [0, 1], values: [1, 2, 3] },
          { op: 'receive', from: [0, 1], count: 1, as: 'a' },
        ],
      },
      gpu: {
        steps: [
          { op: 'receive', from: [0, 0], count, as: 'a' },
          { op: 'send', to: [0, 0], values: [4] },
        ],
      },
    },
  });
  const assembly = systemMachine.assemble({ name: 'few', config, programs, mutants: [], scheduled: false });
  const run = new Run(assembly.wiring);
  run.toEnd();
  return { result: assembly.result(run), config, states: chipletStates(run, assembly.wired, config) };
}

const faultOf = ({ result, config, states }: ReturnType<typeof outcomeOf>, change: object = {}) =>
  resultFault({ ...result, ...change } as SystemResult, config, states);

test.each([
  ['coupled', {}],
  ['decoupled', {}],
  ['iterative', {}],
  ['iterative', { rounds: 1 }],
  ['coupled', { syncFile: { enabled: true, S: 20, I: 30 } }],
])('a result adds up: %s %j', (mode, more) => {
  expect(faultOf(outcomeOf(mode, more))).toBeUndefined();
});

test.each(['coupled', 'decoupled', 'iterative'])('a value that nobody reads is delivered: %s', (mode) => {
  const outcome = outcomeOf(mode, {}, 2);
  expect(faultOf(outcome)).toBeUndefined();
  expect(outcome.result.messages).toEqual({ sent: 4, delivered: 4, unread: 1 });
});

describe('what does not add up is told', () => {
  const coupled = outcomeOf('coupled');
  const { chiplets, messages, power, network } = coupled.result;
  const [first, second] = chiplets;

  test.each<[object, string]>([
    [{ complete: false }, 'complete of the result: false, not true'],
    [{ warnings: ['E-LIMIT cycle 9 of the network'] }, 'other limits of the result: 1, not 0'],
    [{ warnings: ['E-LIMIT round 5'] }, 'E-LIMIT of rounds'],
    [{ warnings: ['W-UNREAD'] }, 'warnings of unread values'],
    [{ blocked: ['somebody'] }, 'blocked of the result: 1, not 0'],
    [{ messages: { ...messages, sent: 5 } }, 'messages sent of the result: 5, not 4'],
    [{ messages: { ...messages, delivered: 3 } }, 'messages delivered of the result: 3, not 4'],
    [{ messages: { ...messages, unread: 1 } }, 'values unread of the result: 0, not 1'],
    [{ chiplets: [{ ...first, received: 2 }, second] }, 'values received of the result: 5, not 4'],
    [{ chiplets: [{ ...first, ended: false }, second] }, 'programs that ended of the result: 1, not 2'],
    [{ network: { ...network, finished: 3 } }, 'packets in the network of the result: 3, not 4'],
    [{ power: { ...power, total: 1 } }, 'watts of the result: 1, not'],
    [{ power: { ...power, gpu: 21, total: power.total + 1 } }, 'watts of GPUs of the result: 21, not 20'],
    [{ power: { ...power, cpu: 36, total: power.total + 1 } }, 'watts of CPUs of the result: 36, not 35'],
    [{ cycles: 1 }, 'cycles of the result: 1, not'],
    [{ chiplets: [first, { ...second, systemCycles: 1 }] }, 'cycles of the network of the result: 1, not'],
  ])('%j', (change, why) => {
    expect(faultOf(coupled, change)).toContain(why);
  });

  test.each([
    ['cycles', 'formula A of the result: 7, not'],
    ['totals', 'of the result: undefined, not'],
  ])('of a run that is decoupled: %s', (key, why) => {
    const change = key === 'cycles' ? { cycles: 7 } : { totals: {} };
    expect(faultOf(outcomeOf('decoupled'), change)).toContain(why);
  });
});
