import fc from 'fast-check';
import type { WrittenScenario } from '../../scenarios/written.ts';

/*
 * Networks in which every packet must arrive whatever the schedule, or be lost where buffers may overflow: meshes, tori and trees of routers, with
 * few channels and small buffers, so that packets meet. Grids and trees have no circle in which packets could wait for each other; a torus breaks it
 * with its second channel.
 */

/** Cycles far above what the packets take. */
const lastCycle = 20_000;

const orders = fc.constantFrom(
  {},
  { random: 'perRouter' as const },
  { loss: true },
  { loss: true, random: 'perRouter' as const },
  { ties: 'heap' as const },
  { ties: 'legosim' as const },
);

const routers = fc.record({
  V: fc.integer({ min: 1, max: 5 }),
  B: fc.oneof(fc.integer({ min: 1, max: 3 }), fc.constantFrom(6, 12)),
  O: fc.constantFrom(1, 2, 12),
  F: fc.constantFrom(1, 4),
  seed: fc.integer({ min: 1, max: 1000 }),
});

const rawPacket = fc.record({
  /** Quarters of a cycle after the packet before it. */
  pause: fc.oneof(fc.constant(0), fc.nat(12), fc.nat(400)),
  source: fc.nat(999),
  target: fc.nat(999),
  size: fc.integer({ min: 1, max: 7 }),
});

const shape = fc.oneof(
  fc.record({ kind: fc.constant('mesh' as const), side: fc.integer({ min: 2, max: 4 }) }),
  fc.record({ kind: fc.constant('torus' as const), side: fc.integer({ min: 2, max: 4 }) }),
  fc.record({
    kind: fc.constant('tree' as const),
    /** By node but the first: the node before it that it is joined to. */
    parents: fc.array(fc.nat(99), { minLength: 1, maxLength: 7 }),
    weight: fc.constantFrom(0.9, 1, 2, 7.9),
  }),
);

type Shape = typeof shape extends fc.Arbitrary<infer T> ? T : never;

/** The configuration of a shape, and the numbers of its addresses. */
function shapeOf(given: Shape): { readonly config: object; readonly routers: number; readonly side: number } {
  if (given.kind !== 'tree') {
    const { kind, side } = given;
    return { config: { A: side, R: kind === 'torus' ? 1 : 0 }, routers: side ** 2, side };
  }
  const edges = given.parents.map((parent, at) => `${parent % (at + 1)}--${at + 1}`);
  const nodes = edges.length + 1;
  const graphText = `graph tree { edge[weight=${given.weight}] node[pipeline_stage_delay=1] ${edges.join(' ')} }`;
  return { config: { A: nodes, c: 1, R: 4, graphText }, routers: nodes, side: 0 };
}

/** Generated networks with their packets (chiplet specification 5, 14). */
export const chipletScenarios: fc.Arbitrary<WrittenScenario> = fc
  .tuple(shape, routers, orders, fc.array(rawPacket, { minLength: 1, maxLength: 24 }))
  .map(([given, { V, ...buffers }, order, packets]) => {
    const { config, routers: count, side } = shapeOf(given);
    const address = (router: number): readonly number[] =>
      side === 0 ? [router] : [Math.floor(router / side), router % side];
    let quarters = 0;
    const lines = packets.map(({ pause, source, target, size }) => {
      quarters += pause;
      return [quarters / 4, ...address(source % count), ...address(target % count), size];
    });
    const channels = given.kind === 'torus' ? Math.max(2, V) : V;
    return {
      name: 'generated: packets',
      config: { network: { ...config, V: channels, ...buffers, ...order, T: lastCycle } },
      programs: { packets: lines },
    };
  });
