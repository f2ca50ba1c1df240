import fc from 'fast-check';
import { addressOf } from '../../actors/tca/address-map.ts';
import type { NodeAnswer, NodeOperation } from '../../actors/tca/node-program.ts';
import { configOf, copy, givenOf, leastRoom, notify, type TcaGiven } from './workloads.ts';

/** The topologies of the deadlock rule (TCA specification 19, I22). */
export const crowdedShapes = [
  { topology: 'ring', nodes: 8 },
  { topology: 'dualRing', nodes: 16 },
] as const;

/** For each node: whom it sends how many bytes to, and on which channel. */
export const traffic = fc.array(
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
export type Traffic = typeof traffic extends fc.Arbitrary<infer T> ? T : never;

/** Every node starts its transfers as fast as its channels allow, and waits for what is sent to it. */
export function sends(
  shape: (typeof crowdedShapes)[number],
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
