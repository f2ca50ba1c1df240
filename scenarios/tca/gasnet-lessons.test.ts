import { expect, test } from 'vitest';
import type { Machine } from '../../machines/machine.ts';
import { tcaMachine } from '../../machines/tca.ts';
import { loadScenario } from '../load.ts';
import { simulate } from '../simulate.ts';

const what = 'a packet, the end of an operation, or space in a ring';

test.each<[string, Readonly<Record<string, readonly string[]>>]>([
  [
    'gasnet-ring-full',
    {
      'Node[0].Gasnet': ['Node[0].PacketTx[2].Requests'],
      'Node[1].Gasnet': ['Node[1].PacketTx[2].Requests'],
    },
  ],
  [
    'gasnet-missing-node',
    {
      // Round by round everybody hears from one further back; the last node waits for anybody.
      'Node[0].Gasnet': ['Node[0].PacketRx[3].Replies'],
      'Node[1].Gasnet': ['Node[1].PacketRx[3].Replies'],
      'Node[2].Gasnet': ['Node[2].PacketRx[0].Replies'],
      'Node[3].Gasnet': [],
    },
  ],
  [
    'gasnet-lost-update',
    {
      'Node[0].Gasnet': ['Node[0].PacketTx[1].Requests'],
      'Node[1].Gasnet': ['Node[1].PacketTx[0].Requests'],
    },
  ],
])('%s: the report names who waits, and for whose word', async (name, expected) => {
  const machine = tcaMachine as unknown as Machine;
  const file = new URL(`${name}.yaml`, import.meta.url).pathname;
  const { scenario } = await loadScenario(file, [machine]);

  const { outcome } = simulate(scenario, machine, { checkpoints: 0 });

  expect(outcome.verdict).toBe('deadlock');
  const waiting = outcome.deadlock!.waiting;
  expect(Object.fromEntries(waiting.map(({ actor, on }) => [actor, on]))).toEqual(expected);
  for (const one of waiting) expect(one.waitsFor).toBe(what);
});
