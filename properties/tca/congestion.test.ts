import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addressOf } from '../../actors/tca/address-map.ts';
import type { NodeAnswer, NodeOperation } from '../../actors/tca/cpu.ts';
import { RandomChoices } from '../../kernel/choices.ts';
import { trial } from './trial.ts';
import { configOf, copy, givenOf, leastRoom, notify, type TcaGiven, workloads } from './workloads.ts';

const shapes = [
  { topology: 'ring', nodes: 8 },
  { topology: 'dualRing', nodes: 16 },
] as const;

/** For each node: whom it sends how many bytes to, and on which channel. */
const traffic = fc.array(
  fc.array(
    fc.record({
      target: fc.nat(15),
      channel: fc.nat(3),
      words: fc.constantFrom<number[]>(1, 2, 16, 32, 33, 100, 256),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  { minLength: 16, maxLength: 16 },
);
type Traffic = typeof traffic extends fc.Arbitrary<infer T> ? T : never;

/** Every node starts its transfers as fast as its channels allow, and waits for what is sent to it. */
function sends(
  shape: (typeof shapes)[number],
  lists: Traffic,
  mutants: readonly string[] = [],
  room: object = leastRoom,
): TcaGiven {
  const config = configOf({ ...shape, stopDetect: 'ideal', room });
  const { nodes } = shape;
  const flags = lists
    .slice(0, nodes)
    .flatMap((list, source) => list.map((one, slot) => ({ source, slot, target: one.target % nodes })));
  const programs = Array.from(
    { length: nodes },
    (_, rank) =>
      function* (): Generator<NodeOperation, void, NodeAnswer> {
        for (const [slot, { target, channel, words }] of lists[rank]!.entries()) {
          const to = target % nodes;
          const place = addressOf(to, 'cpu', 4096 * rank + 1024 * (slot % 4));
          yield { op: 'stopped', channels: [channel] };
          yield {
            op: 'start',
            channel,
            chain: [copy(addressOf(rank, 'cpu', 0), place, 4 * words), notify(config, rank, to, slot)],
          };
        }
        yield { op: 'wait', flags: flags.filter(({ target }) => target === rank) };
      },
  );
  return givenOf(config, programs, mutants);
}

describe.each(shapes)('$topology of $nodes with the least room', (shape) => {
  test('drains under random traffic and any schedule, and all credits come back', () => {
    const law = fc.property(traffic, fc.nat(99), (lists, seed) => {
      const { raised } = trial(sends(shape, lists), { choices: new RandomChoices(seed) });
      expect(raised).toEqual([]);
    });

    fc.assert(law, { numRuns: 8, seed: 22 });
  }, 30_000);

  test('stands still when packets begin to go round without leaving room behind', () => {
    const everyOne = Array.from({ length: 16 }, (_, rank) =>
      [0, 1, 2, 3].map((channel) => ({
        target: rank - (rank % 8) + ((rank + 3) % 8),
        channel,
        words: 256,
      })),
    );

    expect(trial(sends(shape, everyOne)).raised).toEqual([]);
    expect(trial(sends(shape, everyOne, ['T-14'])).raised).toContain('deadlock');
  }, 30_000);
});

test('with room for less data than packets, mixed sizes drain as well', () => {
  const room = { ...leastRoom, writeHeaders: 3, writeUnits: 12 };
  const law = fc.property(traffic, (lists) => {
    expect(trial(sends(shapes[0], lists, [], room)).raised).toEqual([]);
  });

  fc.assert(law, { numRuns: 8, seed: 4 });
}, 30_000);

test('the report of a full ring tells what its routers and cables wait for, and the circle among them', () => {
  const { run } = trial(workloads.crowded(['T-14']));
  const { deadlock } = run.outcome;
  const by = (name: string) => deadlock!.waiting.find(({ actor }) => actor === name);

  expect(by('Node[0].Router')).toMatchObject({
    waitsFor: 'room in the transmit queue of a port',
    on: ['Node[0].Link.E'],
  });
  expect(by('Node[0].Link.E')).toMatchObject({
    waitsFor: 'credits of the port at its far end',
    on: ['Node[1].Router'],
  });
  expect(by('Node[0].Dmac[0]')?.on).toEqual(['Node[0].Router']);
  expect([...deadlock!.cycle].sort()).toEqual(
    [0, 1, 2, 3].flatMap((node) => [`Node[${node}].Link.E`, `Node[${node}].Router`]),
  );
});
