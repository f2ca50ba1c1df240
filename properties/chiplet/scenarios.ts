import fc from 'fast-check';
import { patterns } from '../../machines/chiplet/traffic.ts';
import type { WrittenScenario } from '../../scenarios/written.ts';

/*
 * Networks in which every packet must arrive whatever the schedule, or be lost where buffers may overflow, unless the simulation ends before: all routings,
 * with few channels and small buffers, so that packets meet. Grids, trees and meshes of chiplets have no circle in which packets could wait for each other;
 * a torus breaks it with its second channel; a graph that is reconfigured has room for all flits, or loses them.
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
  V: fc.oneof({ weight: 4, arbitrary: fc.integer({ min: 1, max: 5 }) }, fc.constantFrom(7, 8, 13, 16)),
  B: fc.oneof(fc.integer({ min: 1, max: 3 }), fc.constantFrom(6, 12, 33)),
  O: fc.constantFrom(1, 2, 12),
  F: fc.constantFrom(1, 2, 4),
  L: fc.constantFrom(1000, 0, 250.5),
  /** An actor for each channel, as usual in a campaign, or one for each router. */
  detail: fc.constantFrom('auto' as const, 'router' as const),
  seed: fc.oneof(fc.integer({ min: 1, max: 1000 }), fc.constantFrom(0, -7, 4294967295)),
});

/** What is rarely said. */
const options = fc.record(
  {
    strict: fc.boolean(),
    firstStart: fc.constantFrom('trace' as const, 'zero' as const),
    /** Quarters of a cycle until the simulation ends; far above what packets take when absent. */
    T: fc.oneof(fc.integer({ min: 0, max: 160 }), fc.integer({ min: 0, max: 1600 })),
  },
  { requiredKeys: [] },
);

const rawPacket = fc.record({
  /** Quarters of a cycle after the packet before it. */
  pause: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, fc.nat(12), fc.nat(400)),
  source: fc.nat(999),
  target: fc.nat(999),
  size: fc.integer({ min: 1, max: 7 }),
});

/** Packets of one source, so many that its queues are full (chiplet specification 5.3). */
const crowd = fc.record({
  source: fc.nat(999),
  targets: fc.array(fc.nat(999), { minLength: 3, maxLength: 7 }),
  size: fc.integer({ min: 50, max: 105 }),
});

/** Packets of many sources for one target at one time, which wait for each other, or are lost. */
const rush = fc.record({
  target: fc.nat(999),
  sources: fc.array(fc.nat(999), { minLength: 3, maxLength: 10 }),
  size: fc.integer({ min: 2, max: 9 }),
});

/** How the same graph is written. */
const writing = fc.record({
  /** Edges that go on from the node before are written as one chain. */
  chains: fc.boolean(),
  comments: fc.boolean(),
  /** Weights stand behind each edge, or before those that they hold for. */
  behind: fc.boolean(),
  named: fc.boolean(),
});

const weight = fc.constantFrom(0.9, 0.9, 1, 2, 2.5, 7.9);

const graph = fc.record({
  /** By node but the first: the node before it that it is joined to, and the cycles on the wire. */
  parents: fc.array(fc.tuple(fc.nat(99), weight), { minLength: 1, maxLength: 7 }),
  /** One weight for all edges, where it is not their own. */
  weight: fc.option(weight, { nil: undefined, freq: 2 }),
  /** Cycles of a stage, of all routers. */
  stage: fc.constantFrom(1, 1, 1, 2, 3),
  /** A router that is slower. */
  slower: fc.option(fc.tuple(fc.nat(99), fc.constantFrom(2, 4)), { nil: undefined, freq: 4 }),
  writing,
});

/** Edges that a graph has for a time (chiplet specification 5.7, R = 5). */
const changes = fc.record({
  periodCycles: fc.integer({ min: 25, max: 90 }),
  periods: fc.array(
    fc.array(fc.tuple(fc.nat(99), fc.nat(99), fc.constantFrom(0.9, 1, 3)), { minLength: 0, maxLength: 3 }),
    { minLength: 1, maxLength: 3 },
  ),
});

const shape = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('grid' as const),
      R: fc.constantFrom(0, 0, 1),
      side: fc.integer({ min: 2, max: 4 }),
      c: fc.constantFrom(2, 2, 3),
    }),
  },
  fc.record({ kind: fc.constant('chiplets' as const), correctWires: fc.boolean() }),
  fc.record({ kind: fc.constant('star' as const), side: fc.constantFrom(2, 3) }),
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('graph' as const), graph }) },
  fc.record({ kind: fc.constant('reconfigured' as const), graph, changes }),
);

type Shape = typeof shape extends fc.Arbitrary<infer T> ? T : never;
type Graph = typeof graph extends fc.Arbitrary<infer T> ? T : never;
type Changes = typeof changes extends fc.Arbitrary<infer T> ? T : never;

/** The text of a graph, and its nodes. */
function graphOf({ parents, weight: common, stage, slower, writing: how }: Graph) {
  const edges = parents.map(([parent, own], at) => ({
    from: parent % (at + 1),
    to: at + 1,
    weight: common ?? own,
  }));
  const nodes = edges.length + 1;
  const lines: string[] = [];
  if (how.comments) lines.push('// which routers are joined');
  if (slower) lines.push(`${slower[0] % nodes} [pipeline_stage_delay=${slower[1]}];`);
  let [held, last] = [common, -1];
  for (const { from, to, weight: own } of edges) {
    const attribute = how.behind ? ` [weight=${own}]` : '';
    if (!how.behind && held !== own) {
      lines.push(`edge[weight="${own}"]`);
      [held, last] = [own, -1];
    }
    if (how.chains && !how.behind && from === last) lines[lines.length - 1] += `--${to}`;
    else lines.push(`${from}--${to}${attribute}`);
    last = to;
  }
  const begin = `graph ${how.named ? 'tree ' : ''}{`;
  const before = [
    `node[pipeline_stage_delay=${stage}]`,
    ...(common === undefined ? [] : [`edge[weight=${common}]`]),
  ];
  const text = [begin, ...before, ...lines, '}'].join(how.comments ? '\n' : '\n  ');
  return { text, nodes, isSlow: stage !== 1 || slower !== undefined, isUneven: slower !== undefined };
}

/** The text of reconfigurations. */
function changesOf({ periodCycles, periods }: Changes, nodes: number): string {
  const edges = periods.map((period) =>
    period
      .map(([first, second, cycles]) => [first % nodes, second % nodes, cycles] as const)
      .filter(([first, second]) => first !== second),
  );
  const all = Array.from({ length: nodes }, (_, node) => node);
  return [
    `${periods.length} ${periodCycles} ${nodes} ${all.join(' ')}`,
    ...edges.map((own) => [own.length, ...own.map((edge) => edge.join(' '))].join('\n')),
  ].join('\n');
}

/** The configuration of a shape, its routers and the numbers of their addresses; `most` channels where routing names two. */
function shapeOf(given: Shape) {
  switch (given.kind) {
    case 'grid': {
      const { side, R } = given;
      const c = side > 3 ? 2 : given.c;
      return { config: { A: side, c, R }, routers: side ** c, side, c, channelsLeast: R === 1 ? 2 : 1 };
    }
    case 'chiplets':
      return {
        config: { A: 2, c: 4, R: 2, correctWires: given.correctWires },
        routers: 16,
        side: 2,
        c: 4,
        channelsLeast: 2,
      };
    case 'star':
      return {
        config: { A: given.side, c: 4, R: 3 },
        routers: given.side ** 4,
        side: given.side,
        c: 4,
        channelsLeast: 2,
      };
    case 'graph':
    case 'reconfigured': {
      const { text, nodes, ...how } = graphOf(given.graph);
      const isFixed = given.kind === 'graph';
      return {
        config: {
          A: nodes,
          c: 1,
          R: isFixed ? 4 : 5,
          graphText: text,
          ...(!isFixed && { reconfigurationText: changesOf(given.changes, nodes) }),
        },
        routers: nodes,
        side: nodes,
        c: 1,
        channelsLeast: 1,
        ...how,
      };
    }
  }
}

/** Traffic that is made up, for grids of two dimensions. */
const madeUp = fc.record({
  pattern: fc.constantFrom(...patterns),
  rate: fc.constantFrom(0.02, 0.05, 0.1),
  cycles: fc.integer({ min: 20, max: 150 }),
  packets: fc.option(fc.integer({ min: 1, max: 60 }), { nil: undefined }),
  flits: fc.constantFrom<number | readonly number[]>(1, 5, [1, 3, 6]),
  share: fc.constantFrom(0.3, 0.8),
  seed: fc.integer({ min: 1, max: 999 }),
});

/** Flits of all packets at most: a buffer for so many is never full. */
const flitsMost = 1200;

/** Generated networks with their packets (chiplet specification 5, 14). */
export const chipletScenarios: fc.Arbitrary<WrittenScenario> = fc
  .tuple(
    shape,
    routers,
    orders,
    fc.option(options, { nil: undefined, freq: 2 }),
    fc.array(rawPacket, { minLength: 1, maxLength: 24 }),
    fc.option(crowd, { nil: undefined, freq: 7 }),
    fc.option(rush, { nil: undefined, freq: 2 }),
    fc.oneof(
      { weight: 5, arbitrary: fc.constantFrom('packets' as const, 'packets' as const, 'file' as const) },
      madeUp,
    ),
  )
  .map(([given, { V, ...buffers }, order, rare, packets, crowded, rushing, form]) => {
    const { config, routers: count, side, c, channelsLeast, ...graphed } = shapeOf(given);
    // A star has chiplets below its last coordinate only, and its centre sends nothing.
    const places = Array.from({ length: count }, (_, router) => router)
      .map((router) => Array.from({ length: c }, (_, d) => Math.floor(router / side ** (c - 1 - d)) % side))
      .filter(([x, y]) => given.kind !== 'star' || (x! < side - 1 && y! < side - 1));
    const address = (number: number): readonly number[] => places[number % places.length]!;
    let quarters = 0;
    const lines = packets.map(({ pause, source, target, size }) => {
      quarters += pause;
      return [quarters / 4, ...address(source), ...address(target), size];
    });
    // Fewer queues are full sooner, and grids are fast. Whether the LegoSim edition ends with packets that never enter is left open.
    const isOpen = 'ties' in order && order.ties === 'legosim';
    if (crowded && given.kind === 'grid' && V <= 3 && !isOpen) {
      const { source, targets, size } = crowded;
      for (const target of targets) lines.push([quarters / 4, ...address(source), ...address(target), size]);
    }
    if (rushing) {
      const { target, sources, size } = rushing;
      for (const source of sources) lines.push([quarters / 4, ...address(source), ...address(target), size]);
    }
    // Routers of several cycles have their last turns later than others; what else comes between is not compared.
    const { T, strict, firstStart } = rare ?? {};
    const { isSlow = false, isUneven = false } = graphed as { isSlow?: boolean; isUneven?: boolean };
    // In which order routers with turns at different times draw from one stream is left open.
    const streams = isUneven ? { random: 'perRouter' as const } : {};
    const isMadeUp = typeof form === 'object' && given.kind === 'grid' && c === 2;
    const isReconfigured = given.kind === 'reconfigured';
    // What the original does with stages of several cycles is known for its plain order alone.
    const ordered = isSlow && 'ties' in order ? {} : order;
    return {
      name: 'generated: packets',
      config: {
        network: {
          ...config,
          V: Math.max(channelsLeast, count > 60 ? Math.min(V, 4) : V),
          ...buffers,
          ...(isReconfigured && { B: flitsMost }),
          ...(strict !== undefined && { strict }),
          ...(firstStart && { firstStart }),
          ...ordered,
          ...streams,
          T: T === undefined || isSlow ? lastCycle : T / 4,
        },
      },
      programs: isMadeUp
        ? Object.fromEntries(Object.entries(form).filter(([, value]) => value !== undefined))
        : form === 'packets' || typeof form === 'object'
          ? { packets: lines }
          : { file: 'generated.trace', text: lines.map((line) => `${line.join('\t')}\n`).join('\n') },
    };
  });
