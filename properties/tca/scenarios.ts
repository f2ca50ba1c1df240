import fc from 'fast-check';
import { tcaConfig } from '../../machines/tca/config.ts';
import type { WrittenScenario } from '../../scenarios/written.ts';
import { driverPrograms, driverSteps } from './driver-lists.arbitrary.ts';
import { gasnetLists, listMemory } from './gasnet-lists.arbitrary.ts';
import { settings } from './gasnet-settings.arbitrary.ts';
import { type HimenoProblem, himenoEnd } from './himeno-reference.ts';

/*
 * Scenarios of TCA nodes that must go well whatever the schedule: nodes fill their memories and send blocks to each other and to themselves,
 * stores of the processor and pauses in between. Places are few and small, so that transfers meet on them. A program waits for a channel before it
 * starts a chain on it, and in the end for every notification that was sent to it.
 */

/** Far above what a generated program takes, so that a program that polls for ever ends soon: 0.5 ms in quarters of a nanosecond. */
const lastTick = 2_000_000;
/** As much for programs of GASNet, which wait more: 10 ms. */
const lastTickOfGasnet = 40_000_000;
const memoryBytes = 65_536;
/** Bytes from one place to the next, and how many places of each memory transfers begin at. */
const placeBytes = 64;
const placesMax = 32;
/** Bytes at the beginning of a place that are filled. */
const filledBytes = 16;
const stepsMost = 6;
const channelsMost = 4;
const hastyFrom = 16;

type Memory = 'cpu' | 'gpu';
type Place = readonly [node: number, memory: Memory, offset: number];

const topologies = [
  { topology: 'pair', nodes: 2 },
  { topology: 'ring', nodes: 2 },
  { topology: 'ring', nodes: 3 },
  { topology: 'ring', nodes: 4 },
  { topology: 'dualRing', nodes: 4 },
  { topology: 'ring', nodes: 5 },
  { topology: 'dualRing', nodes: 6 },
] as const;

/** Tags of the chip by channel: the usual ones, few, one for each. */
const partitions = [
  [32, 16, 8, 8],
  [6, 3, 2, 2],
  [2, 1, 3, 1],
  [1, 1, 1, 1],
] as const;

/** A parameter with its usual value, towards which it shrinks, or now and then one of these. */
const now = <T>(usual: T, ...others: readonly T[]): fc.Arbitrary<T> =>
  fc.oneof(
    { withCrossShrink: true },
    { weight: 3, arbitrary: fc.constant(usual) },
    fc.constantFrom(...others),
  );

const machine = fc.record({
  shape: fc.constantFrom(...topologies),
  stopDetect: fc.constantFrom('ideal' as const, 'counter' as const),
  rare: fc.record({
    cplSplit: now<64 | 128 | 256>(256, 64, 128),
    gpuBehindQpi: now(false, false, false, true),
    bitErrorRate: now(0, 0, 0, 0.0001),
    seed: fc.integer({ min: 1, max: 99 }),
    room: now<object>(
      {},
      {},
      { writeHeaders: 1, writeUnits: 16, readHeaders: 1, transmitPackets: 2 },
      { transmitPackets: 2 },
    ),
  }),
  parameters: fc.record({
    stopTail: now(0, 0, 40),
    tagsPerChannel: fc.constantFrom(...partitions),
    bytesPerTag: now(128, 64, 256),
    descriptorFetch: now(64, 8, 200),
    readIssueInterval: now(3, 1, 9),
    tagHold: now(196, 0, 600),
    internalReadLatency: now(264, 8),
    gpuReadLatency: now(160, 40, 400),
    cableLatency: now(8, 1, 60),
    chipTransit: now(44, 4),
    gpuIngressFifoBytes: fc.constantFrom(3072, 3072, 256, 512),
    gpuDrainNumerator: fc.constantFrom(66, 66, 10, 100),
  }),
});

const memory = fc.constantFrom<Memory>('gpu', 'cpu');

/** Blocks to be copied before their numbers are fitted to the machine, so that each shrinks by itself. */
const rawCopy = fc.record({
  from: memory,
  to: memory,
  words: fc.oneof(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 100 })),
  blocks: fc.oneof({ weight: 3, arbitrary: fc.constant(1) }, fc.integer({ min: 2, max: 3 })),
  /** Distances of blocks in steps of 16 bytes. */
  fromStep: fc.nat(6),
  toStep: fc.nat(6),
  source: fc.nat(placesMax - 1),
  place: fc.nat(placesMax - 1),
  /** Bytes in front of both, in words. */
  shift: fc.nat(3),
  /** Whether the next descriptor waits for its reads. */
  settles: fc.nat(5),
});

const rawTransfer = fc.record({
  kind: fc.constant('transfer' as const),
  target: fc.nat(5),
  channel: fc.nat(3),
  copies: fc.array(rawCopy, { minLength: 1, maxLength: 3 }),
  /** From `mistakesFrom` on the first blocks are read from another node, or do not lie alike: the chip refuses them. */
  mistake: fc.nat(19),
});
const mistakesFrom = 17;
const misplacedFrom = 19;

const rawStore = fc.record({
  kind: fc.constant('store' as const),
  target: fc.nat(5),
  to: memory,
  place: fc.nat(placesMax - 1),
  words: fc.integer({ min: 1, max: 16 }),
  value: fc.nat(255),
});
const rawPause = fc.record({ kind: fc.constant('pause' as const), ns: fc.nat(2000) });
/** What a node does beside its transfers: a copy between its own memories, work of its GPU, a look at a channel. */
const rawOther = fc.record({
  kind: fc.constant('other' as const),
  what: fc.constantFrom(
    'copy' as const,
    'kernel' as const,
    'busy' as const,
    'error' as const,
    'counter' as const,
  ),
  from: memory,
  to: memory,
  place: fc.nat(placesMax - 1),
  channel: fc.nat(3),
  bytes: fc.integer({ min: 0, max: 300 }),
  shift: fc.nat(17),
});

/** Longer than anything that a channel may have under way. */
const pauseAfterReset = 20_000;

type RawCopy = typeof rawCopy extends fc.Arbitrary<infer T> ? T : never;
type RawTransfer = typeof rawTransfer extends fc.Arbitrary<infer T> ? T : never;
type RawStep = typeof rawStep extends fc.Arbitrary<infer T> ? T : never;
const rawStep = fc.oneof(
  { weight: 6, arbitrary: rawTransfer },
  { weight: 1, arbitrary: rawStore },
  { weight: 1, arbitrary: rawPause },
  { weight: 1, arbitrary: rawOther },
);

/** In one of so many the channels belong to a runtime that nobody calls: what the driver asks for is refused. */
const ownedOf = 25;

/** `hasty`: beyond `hastyFrom`, so many of the last channels are rung twice in the end, which a chip that is not strict loses; the simplest value rings none. */
const rawPrograms = fc.array(
  fc.record({
    filled: fc.nat(8),
    hasty: fc.nat(hastyFrom + channelsMost),
    steps: fc.array(rawStep, { maxLength: stepsMost }),
  }),
  {
    maxLength: 6,
  },
);

/** Transfers of the driver: topologies, tags, timing, chains of all kinds (TCA specification 2, 3, 7). */
const transfers: fc.Arbitrary<WrittenScenario> = fc
  .tuple(machine, rawPrograms, fc.nat(ownedOf - 1))
  .map(([{ shape, stopDetect, rare, parameters }, programs, owned]) => {
    const { nodes } = shape;
    const given = programs.slice(0, nodes);
    // Nobody waits for a chain that may be lost, so it is the last thing.
    const isStrict = given.every(({ hasty }) => hasty <= hastyFrom);
    const sent = given.flatMap(({ steps }, source) =>
      steps.flatMap((step, slot) =>
        step.kind === 'transfer' && isRight(step) ? [{ source, slot, target: step.target % nodes }] : [],
      ),
    );
    const lists = Array.from({ length: nodes }, (_, rank) => {
      const { filled = 0, steps = [], hasty = 0 } = given[rank] ?? {};
      const flags = sent
        .filter(({ target }) => target === rank)
        .map(({ source, slot }) => ({ source, slot }));
      return [
        ...filling(rank, filled),
        ...steps.flatMap((step, slot) => operationsOf(step, rank, slot, nodes)),
        ...(flags.length > 0 ? [{ op: 'wait', flags }] : []),
        ...(isStrict ? [] : ringTwice(rank, hasty)),
      ];
    });
    const isOwned = owned === ownedOf - 1;
    return {
      name: 'generated: transfers',
      config: {
        ...shape,
        cpuBytes: isOwned ? 2 ** 20 : memoryBytes,
        gpuBytes: memoryBytes,
        stopDetect,
        ...rare,
        ...(!isStrict && { strict: false }),
        ...(isOwned && { gasnet: { slots: 2, slotBytes: 1024, sendBufferBytes: 1024 } }),
        ...changed(parameters),
      },
      programs: lists
        .slice(0, lists.findLastIndex((list) => list.length > 0) + 1)
        .map((list) => (isOwned ? list.map(asRefused) : list)),
      until: lastTick,
    };
  });

/** An operation that the driver does not carry out where its channels belong to a runtime. */
const asRefused = (operation: object): object =>
  'op' in operation && (operation.op === 'start' || operation.op === 'pio')
    ? { ...operation, refused: 'EBUSY' }
    : operation;

const isRight = ({ mistake }: RawTransfer): boolean => mistake < mistakesFrom;

/** Parameters that are not those of the table. */
function changed(parameters: object): { readonly parameters?: object } {
  const defaults: Readonly<Record<string, unknown>> = tcaConfig.parse({}).parameters;
  const entries = Object.entries(parameters).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(defaults[key]),
  );
  return entries.length > 0 ? { parameters: Object.fromEntries(entries) } : {};
}

/** Rings the last channels twice, each with a chain that is harmless. */
function ringTwice(rank: number, hasty: number): readonly object[] {
  const chain = [{ to: [rank, 'cpu', asideOf(stepsMost)], bytes: [...asideBytes] }];
  return Array.from({ length: Math.max(0, hasty - hastyFrom) }, (_, k) => channelsMost - 1 - k).flatMap(
    (channel) => [
      { op: 'stopped', channels: [channel] },
      { op: 'start', channel, chain },
      { op: 'start', channel, chain },
    ],
  );
}

/** Fills the first places of both memories with bytes that tell themselves apart. */
function filling(rank: number, places: number): readonly object[] {
  if (places === 0) return [];
  const chain = (['gpu', 'cpu'] as const).flatMap((region, r) =>
    Array.from({ length: places }, (_, at) => ({
      to: [rank, region, placeBytes * at] satisfies Place,
      bytes: Array.from({ length: filledBytes }, (_, k) => (31 * rank + 77 * r + 13 * at + 7 * k) % 256),
    })),
  );
  return [
    { op: 'start', channel: 0, chain },
    { op: 'stopped', channels: [0] },
  ];
}

/** Behind all places, where nobody else writes. */
const asideOf = (slot: number): number => placeBytes * (placesMax + 8) + 512 * slot;
const asideBytes = [1, 2, 3, 4, 5, 6, 7, 8] as const;

/** What a step does on a node; `slot` is the word of the board that tells of it. */
function operationsOf(step: RawStep, rank: number, slot: number, nodes: number): readonly object[] {
  switch (step.kind) {
    case 'pause':
      return [{ op: 'compute', ns: step.ns }];
    case 'other': {
      const { what, channel, bytes } = step;
      if (what === 'busy' || what === 'error') return [{ op: 'register', register: what, channel }];
      if (what === 'counter') return [{ op: 'counter', channel }];
      if (what === 'kernel')
        return [{ op: 'launch', ns: bytes }, { op: 'launch', ns: 3 * bytes }, { op: 'join' }];
      const from: Place = [rank, step.from, placeBytes * step.place + step.shift];
      const to: Place = [rank, step.to, asideOf(slot)];
      return [{ op: 'copy', from, to, size: bytes }];
    }
    case 'store': {
      const bytes = Array.from({ length: 4 * step.words }, (_, k) => (step.value + k) % 256);
      const to: Place = [step.target % nodes, step.to, placeBytes * step.place];
      return [{ op: 'pio', to, bytes }];
    }
    case 'transfer': {
      const { channel, copies } = step;
      const target = step.target % nodes;
      const misplaced = step.mistake >= misplacedFrom;
      const foreign = !isRight(step) && !misplaced;
      const blocks = copies.map((copy, at) =>
        blocksOf(
          copy,
          foreign && at === copies.length - 1 ? (rank + 1) % nodes : rank,
          target,
          at === 0 && misplaced,
        ),
      );
      return [
        { op: 'stopped', channels: [channel] },
        {
          op: 'start',
          channel,
          chain: [...blocks, { notify: target, slot }],
          ...(misplaced && { refused: 'EALIGN' }),
        },
        // A channel in error begins anew when what it had under way is over; what is rung before that is refused.
        ...(foreign
          ? [
              { op: 'stopped', channels: [channel] },
              { op: 'register', register: 'error', channel },
              { op: 'start', channel, chain: [{ notify: target, slot }], refused: 'EUR' },
              { op: 'reset', channel },
              // It may still be clearing: then this is refused, or it is carried out.
              {
                op: 'start',
                channel,
                chain: [{ to: [rank, 'cpu', asideOf(slot)], bytes: [...asideBytes] }],
                refused: 'any',
              },
              { op: 'compute', ns: pauseAfterReset },
              { op: 'reset', channel },
              { op: 'compute', ns: pauseAfterReset },
            ]
          : []),
      ];
    }
  }
}

/** Blocks from the memories of one node to those of another; what is wrong lies otherwise modulo 16 (TCA specification 7, 17). */
function blocksOf(raw: RawCopy, rank: number, target: number, isWrong: boolean): object {
  const shift = 4 * raw.shift;
  const [from, to] = [placeBytes * raw.source + shift, placeBytes * raw.place + shift + (isWrong ? 4 : 0)];
  return {
    from: [rank, raw.from, from] satisfies Place,
    to: [target, raw.to, to] satisfies Place,
    size: 4 * raw.words,
    ...(raw.settles === 5 && { pipeline: false }),
    ...(raw.blocks > 1 && { count: raw.blocks, fromStride: 16 * raw.fromStep, toStride: 16 * raw.toStep }),
  };
}

/** Calls of GASNet under settings of all kinds (TCA specification 11, 12). */
const gasnetPrograms: fc.Arbitrary<WrittenScenario> = fc
  .tuple(machine, gasnetLists)
  .map(([{ stopDetect, rare, parameters }, { nodes, gasnet, programs }]) => ({
    name: 'generated: calls of GASNet',
    config: {
      topology: nodes === 2 ? 'pair' : 'ring',
      nodes,
      ...listMemory,
      stopDetect,
      ...rare,
      gasnet,
      ...changed(parameters),
    },
    programs,
    until: lastTickOfGasnet,
  }));

/** Calls of the driver, those that are refused among them (TCA specification 10, 17). */
const driverCalls: fc.Arbitrary<WrittenScenario> = fc
  .tuple(machine, driverSteps)
  .map(([{ shape, stopDetect, rare, parameters }, steps]) => {
    const world = { nodes: shape.nodes, cpuBytes: memoryBytes, gpuBytes: memoryBytes };
    return {
      name: 'generated: calls of the driver',
      config: { ...shape, ...world, stopDetect, ...rare, ...changed(parameters) },
      programs: driverPrograms(steps, world),
      until: lastTick,
    };
  });

/** Blocks along i and j, and the nodes that they are on: as many, or more that only look on. */
const cuts = [
  { blocks: [2, 1], nodes: 2 },
  { blocks: [1, 2], nodes: 2 },
  { blocks: [2, 2], nodes: 4 },
  { blocks: [1, 4], nodes: 4 },
  { blocks: [4, 1], nodes: 4 },
  { blocks: [1, 1], nodes: 2 },
  { blocks: [1, 2], nodes: 4 },
] as const;

/** Small problems of Himeno, whose checksum the job is told; now and then a wrong one, with which it must not end well (TCA specification 13). */
const himenoJobs: fc.Arbitrary<WrittenScenario> = fc
  .record({
    drawn: machine,
    gasnet: settings,
    cut: fc.constantFrom(...cuts),
    size: fc.tuple(
      fc.integer({ min: 4, max: 7 }),
      fc.integer({ min: 4, max: 7 }),
      fc.integer({ min: 3, max: 9 }),
    ),
    data: fc.constantFrom('mixed' as const, 'classic' as const),
    order: fc.constantFrom('sequential' as const, 'concurrent' as const),
    iterations: fc.integer({ min: 1, max: 2 }),
    told: fc.constantFrom('right', 'right', 'wrong', 'nothing'),
  })
  .map(({ drawn: { stopDetect, rare, parameters }, gasnet, cut, size, data, order, iterations, told }) => {
    const problem: HimenoProblem = { size, blocks: cut.blocks, data, order, iterations };
    const crc32 = told === 'right' ? himenoEnd(problem).crc32 : '0x00000000';
    return {
      name: 'generated: Himeno',
      config: {
        topology: cut.nodes === 2 ? 'pair' : 'ring',
        nodes: cut.nodes,
        cpuBytes: 2 ** 20,
        gpuBytes: memoryBytes,
        stopDetect,
        ...rare,
        gasnet: {
          ...gasnet,
          environment: {
            HIMENO_SIZE: size.join('x'),
            HIMENO_DECOMPOSITION: cut.blocks.join('x'),
            HIMENO_DATA: data,
            HIMENO_ORDER: order,
            HIMENO_ITERATIONS: `${iterations}`,
            ...(told !== 'nothing' && { HIMENO_CRC32: crc32 }),
          },
        },
        ...changed(parameters),
      },
      programs: { job: 'himeno' },
      until: lastTickOfGasnet,
    };
  });

/** Generated scenarios of TCA nodes. */
export const tcaScenarios: fc.Arbitrary<WrittenScenario> = fc.oneof(
  { weight: 5, arbitrary: transfers },
  { weight: 5, arbitrary: gasnetPrograms },
  { weight: 3, arbitrary: driverCalls },
  { weight: 1, arbitrary: himenoJobs },
);
