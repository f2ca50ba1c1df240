import { describe, expect, test } from 'vitest';
import { addressOf } from '../../actors/tca/address-map.ts';
import { nanoseconds } from '../../actors/tca/parameters.ts';
import { cablesOf, portsOf } from '../../machines/tca/topology.ts';
import { hopsBetween } from './context.ts';
import { trial } from './trial.ts';
import { configOf, givenOf, notify } from './workloads.ts';

const shapes = [
  { topology: 'pair', nodes: 2 } as const,
  ...[2, 3, 4, 5, 6, 7, 8].map((nodes) => ({ topology: 'ring' as const, nodes })),
  ...[4, 6, 8, 10, 12, 14, 16].map((nodes) => ({ topology: 'dualRing' as const, nodes })),
];

/** Sub-ticks from a doorbell of a node to its flag at another one, all else at rest. */
function flagTime(shape: (typeof shapes)[number], from: number, to: number): number {
  const config = configOf(shape);
  const idle = function* () {};
  const programs = Array.from({ length: shape.nodes }, (_, node) =>
    node === from
      ? function* () {
          yield { op: 'start' as const, channel: 0, chain: [notify(config, from, to)] };
        }
      : idle,
  );
  let flag = 0;
  const { raised } = trial(givenOf(config, programs), {}, (run) =>
    run.messages$.subscribe(({ message, to: name }) => {
      if (message.event.type === 'flag.set' && name === `Node[${to}].Cpu`) flag = message.due;
    }),
  );
  expect(raised).toEqual([]);
  expect(flag).toBeGreaterThan(0);
  return flag;
}

describe.each(shapes.map((shape) => [`${shape.topology} of ${shape.nodes}`, shape] as const))(
  '%s',
  (_, shape) => {
    const nodes = Array.from({ length: shape.nodes }, (_one, node) => node);

    test('its tables lead from every node to every other one over as few cables as there are', () => {
      const cables = cablesOf(shape);
      for (const from of nodes)
        for (const to of nodes) {
          let at = from;
          let hops = 0;
          while (at !== to && hops <= shape.nodes) {
            const port = portsOf(shape, at)[to]!;
            at = cables.find((cable) => cable.from === at && cable.port === port)!.to;
            hops++;
          }
          expect([from, to, at, hops]).toEqual([from, to, to, hopsBetween(configOf(shape), from, to)]);
          expect(portsOf(shape, to)[to]).toBe('N');
        }
    });

    test('a flag reaches every node, later by 208 to 250 ns with each cable after the first', () => {
      const times = nodes.slice(1).map((to) => ({
        hops: hopsBetween(configOf(shape), 0, to),
        time: nanoseconds(flagTime(shape, 0, to)),
      }));
      const first = times.find(({ hops }) => hops === 1)!.time;
      for (const { hops, time } of times) {
        expect(time - first).toBeGreaterThanOrEqual(208 * (hops - 1));
        expect(time - first).toBeLessThanOrEqual(250 * (hops - 1));
      }
    });
  },
);

test('all nodes of two rings of eight write to all others at once, and every byte arrives', () => {
  const config = configOf({ topology: 'dualRing', nodes: 16 });
  const programs = Array.from({ length: 16 }, (_, rank) => {
    return function* () {
      for (let k = 1; k < 16; k++) {
        const target = (rank + k) % 16;
        yield {
          op: 'pio' as const,
          address: addressOf(target, 'cpu', 64 * rank),
          data: new Uint8Array(64).fill(rank + 1),
        };
      }
    };
  });

  const { raised, result } = trial(givenOf(config, programs));

  expect(raised).toEqual([]);
  expect(result.nodes.map(({ up }) => up)).toEqual(
    Array.from({ length: 16 }, () => ({ packets: 15, bytes: 15 * (64 + 24) })),
  );
});
