import { expect, test } from 'vitest';
import { addressOf } from '../../actors/tca/address-map.ts';
import type { NodeAnswer, NodeOperation } from '../../actors/tca/node-program.ts';
import { trial } from './trial.ts';
import { configOf, givenOf } from './workloads.ts';

const src = addressOf(0, 'cpu', 0);
const operations = {
  copy: { op: 'copy', src, dst: addressOf(0, 'cpu', 64), bytes: 64 },
  read: { op: 'read', address: src, bytes: 8 },
  write: { op: 'write', address: src, data: new Uint8Array(8) },
  join: { op: 'join' },
  register: { op: 'register', register: 'busy', channel: 0 },
} satisfies Record<string, NodeOperation>;

test.each([
  ['copy', 'copy.job', 'Copier'],
  ['copy', 'copy.done', 'Copier'],
  ['copy', 'memory.loaded', 'Copier'],
  ['copy', 'memory.store', 'Copier'],
  ['read', 'memory.load', 'CpuMemory'],
  ['write', 'memory.stored', 'CpuMemory'],
  ['join', 'kernel.launch', 'GpuKernel'],
  ['join', 'kernel.done', 'GpuKernel'],
  ['register', 'mmio.read', 'RegisterFile'],
  ['register', 'mmio.answer', 'RegisterFile'],
] as const)('a program that waits for a %s whose %s is lost is a deadlock', (op, type, on) => {
  const program = function* (): Generator<NodeOperation, void, NodeAnswer> {
    if (op === 'join') yield { op: 'launch', ns: 4 };
    yield operations[op];
  };
  const given = givenOf(configOf(), [program, function* () {}]);

  const lost = trial(given, { faults: [{ kind: 'drop', type, probability: 1, budget: 1 }] });
  expect(lost.run.outcome.deadlock?.waiting[0]).toMatchObject({
    actor: 'Node[0].Cpu',
    on: [`Node[0].${on}`],
  });
  expect(trial(given).run.outcome.verdict).toBe('ok');
});

test('a store into the PIO window that is lost before it comes there is told', () => {
  const program = function* (): Generator<NodeOperation, void, NodeAnswer> {
    yield { op: 'pio', address: addressOf(1, 'cpu', 0), data: new Uint8Array(8) };
  };
  const { raised } = trial(givenOf(configOf(), [program, function* () {}]), {
    faults: [{ kind: 'drop', type: 'tlp.write', probability: 1, budget: 1 }],
  });

  expect(raised).toEqual(['the writes of a channel arrive at a node in sequence, each once']);
});
