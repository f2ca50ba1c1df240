import { expect, test } from 'vitest';
import type { Machine } from '../../machines/machine.ts';
import { tcaMachine } from '../../machines/tca.ts';
import { loadScenario } from '../load.ts';
import { simulate } from '../simulate.ts';

const words = {
  room: 'space in a ring, whose receiver has to take packets out',
  barrier: 'the word of another node in a barrier',
  message: 'a message or a put of another node',
  operation: 'the end of an operation',
};
type Told = readonly [what: string, on: readonly string[]];

test.each<[string, Readonly<Record<string, Told>>]>([
  [
    'gasnet-ring-full',
    {
      'Node[0].Gasnet': [words.room, ['Node[0].PacketTx[2].Requests']],
      'Node[1].Gasnet': [words.room, ['Node[1].PacketTx[2].Requests']],
    },
  ],
  [
    'gasnet-missing-node',
    {
      // Round by round everybody hears from one further back; the last node waits for anybody.
      'Node[0].Gasnet': [words.barrier, ['Node[0].PacketRx[3].Replies']],
      'Node[1].Gasnet': [words.barrier, ['Node[1].PacketRx[3].Replies']],
      'Node[2].Gasnet': [words.barrier, ['Node[2].PacketRx[0].Replies']],
      'Node[3].Gasnet': [words.message, []],
    },
  ],
  [
    'gasnet-lost-update',
    {
      'Node[0].Gasnet': [words.operation, ['Node[0].PacketTx[1].Requests']],
      'Node[1].Gasnet': [words.operation, ['Node[1].PacketTx[0].Requests']],
    },
  ],
])('%s: the report names who waits, for what, and for whose word', async (name, expected) => {
  const machine = tcaMachine as unknown as Machine;
  const file = new URL(`${name}.yaml`, import.meta.url).pathname;
  const { scenario } = await loadScenario(file, [machine]);

  const { outcome } = simulate(scenario, machine, { checkpoints: 0 });

  expect(outcome.verdict).toBe('deadlock');
  const waiting = outcome.deadlock!.waiting;
  expect(Object.fromEntries(waiting.map(({ actor, waitsFor, on }) => [actor, [waitsFor, on]]))).toEqual(
    expected,
  );
});
