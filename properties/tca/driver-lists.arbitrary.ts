import fc from 'fast-check';
import type { DriverCall } from '../../machines/tca/driver-operations.ts';
import { type DriverWorld, PlainDriver } from './plain/plain-driver.ts';
import type { PlainAnswer, PlainOperation } from './plain/processor-part.ts';

/*
 * Programs that call the driver: memory is taken and given back, handles are made and exported, chains are built with all flags, started again, and refused for each reason that there is
 * (TCA specification 7, 10, 17). A plain driver says beforehand how each call must go.
 */

type Memory = 'cpu' | 'gpu';

/** What every node takes first, so that others know where it lies: bytes, and the first byte in CPU memory, where a page of the driver's own lies in front. */
const pieceBytes = 8192;
const firstOf = { cpu: 4096, gpu: 0 } as const;
const slotsPerNode = 8;
/** Longer than anything that a channel may have under way. */
const restNs = 20_000;

const memory = fc.constantFrom<Memory>('gpu', 'cpu');
const channel = fc.nat(3);
/** A flag that is mostly left out. */
const rarely = fc.constantFrom(undefined, undefined, undefined, true, false);
/** Mostly in order; else in each way in which a copy can be wrong. */
const mistakes = [
  'none',
  'none',
  'none',
  'none',
  'none',
  'size',
  'apart',
  'pitch',
  'empty',
  'no rows',
  'far source',
  'behind',
  'before',
  'slot',
  'no slot',
  'freed',
] as const;

const copy = fc.record({
  kind: fc.constant('copy' as const),
  target: fc.nat(5),
  channel,
  from: memory,
  to: memory,
  words: fc.oneof(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 120 })),
  rows: fc.constantFrom(1, 1, 1, 2, 3),
  steps: fc.tuple(fc.nat(4), fc.nat(4)),
  places: fc.tuple(fc.nat(20), fc.nat(20)),
  shift: fc.nat(3),
  flags: fc.record({
    notify: rarely,
    notifySelf: rarely,
    notifyInternal: rarely,
    useInternal: rarely,
    pipeline: rarely,
  }),
  tag: fc.constantFrom(1, 2, 255, 256, 70_000, 4_000_000_000),
  again: fc.nat(2),
  hasty: fc.nat(6),
  more: fc.nat(2),
  mistake: fc.constantFrom(...mistakes),
});
const store = fc.record({
  kind: fc.constant('store' as const),
  target: fc.nat(5),
  to: memory,
  offset: fc.constantFrom(0, 64, 4, 8188, 8184, 8192, -4, 2, 129),
  bytes: fc.constantFrom(4, 8, 64, 64, 0, 68, 6),
  value: fc.nat(255),
  twice: fc.nat(4),
});
const other = fc.record({
  kind: fc.constant('other' as const),
  what: fc.constantFrom(
    'memory',
    'handle',
    'import',
    'channel',
    'unmapped',
    'busy',
    'error',
    'commit',
    'pause',
    'drop',
    'receive',
  ),
  memory,
  number: fc.constantFrom(0, 1, 4096, 4097, 8192, 20_000, 60_000, 70_000, -1, 4, 255, 256),
  channel,
});
const step = fc.oneof(
  { weight: 5, arbitrary: copy },
  { weight: 1, arbitrary: store },
  { weight: 3, arbitrary: other },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Steps of up to six nodes. */
export const driverSteps = fc.array(fc.array(step, { maxLength: 5 }), { maxLength: 6 });
type Steps = typeof driverSteps extends fc.Arbitrary<infer T> ? T : never;

/** A word that a node waits for. */
interface Told {
  readonly node: number;
  readonly source: number;
  readonly slot: number;
  readonly tag: number;
}

/** Programs of so many nodes as data. */
export function driverPrograms(
  steps: Steps,
  world: DriverWorld,
): readonly { readonly driver: readonly object[] }[] {
  const told: Told[] = [];
  const lists = Array.from({ length: world.nodes }, (_, rank) => {
    const calls: DriverCall[] = [...opening(rank, world.nodes)];
    for (const [index, one] of (steps[rank] ?? []).entries())
      calls.push(...callsOf(one, rank, index, world.nodes));
    return judged(calls, rank, world, told);
  });
  return lists.map((driver, rank) => ({
    driver: [
      ...driver,
      ...told
        .filter(({ node }) => node === rank)
        .map(({ source, slot, tag }) => ({ call: 'receive', node: source, slot, tag })),
    ],
  }));
}

/** Takes a piece of each memory, makes handles of them and of those of all nodes, and fills the own ones. */
function opening(rank: number, nodes: number): readonly DriverCall[] {
  return (['cpu', 'gpu'] as const).flatMap((kind): readonly DriverCall[] => [
    { call: 'malloc', as: kind, kind, bytes: pieceBytes },
    { call: 'handle', as: `own ${kind}`, memory: kind },
    ...Array.from({ length: nodes }, (_, node) => ({
      call: 'import' as const,
      as: `${kind} ${node}`,
      node,
      kind,
      offset: firstOf[kind],
      bytes: pieceBytes,
    })),
    { call: 'window', handle: `own ${kind}` },
    { call: 'store', offset: 0, bytes: Array.from({ length: 64 }, (_, k) => (19 * rank + 3 * k) % 256) },
    { call: 'commit' },
  ]);
}

function callsOf(one: Step, rank: number, index: number, nodes: number): readonly DriverCall[] {
  switch (one.kind) {
    case 'copy':
      return copyCalls(one, rank, index, nodes);
    case 'store': {
      const bytes = Array.from({ length: one.bytes }, (_, k) => (one.value + k) % 256);
      const stored = { call: 'store' as const, offset: one.offset, bytes };
      return [
        { call: 'window', handle: `${one.to} ${one.target % nodes}` },
        stored,
        ...(one.twice === 0 ? [stored] : []),
        { call: 'commit' },
      ];
    }
    case 'other':
      return otherCalls(one, rank, index, nodes);
  }
}

function copyCalls(one: Extract<Step, { kind: 'copy' }>, rank: number, index: number, nodes: number) {
  const { mistake, rows, words, flags, tag, channel: of } = one;
  const target = one.target % nodes;
  const chain = `chain ${index}`;
  const shift = 4 * one.shift;
  const size = mistake === 'empty' ? 0 : 4 * words - (mistake === 'size' ? 2 : 0);
  const [fromPitch, toPitch] = one.steps.map((step) => 16 * step) as [number, number];
  const at = (place: number): number => 64 * place + shift;
  const [from, to] = one.places.map(at) as [number, number];
  const common = {
    chain,
    from: [mistake === 'far source' ? `${one.from} ${(rank + 1) % nodes}` : `own ${one.from}`, from] as const,
    to: [
      `${one.to} ${target}`,
      mistake === 'behind'
        ? pieceBytes - 4
        : mistake === 'before'
          ? -16 + shift
          : to + (mistake === 'apart' ? 4 : 0),
    ] as const,
    ...definedOf(flags),
    slot: mistake === 'slot' ? 256 : mistake === 'no slot' ? -1 : slotsPerNode * rank + index,
    tag,
  };
  const isPlane = rows > 1 || mistake === 'pitch' || mistake === 'no rows';
  const copied: DriverCall = isPlane
    ? {
        call: 'memcpy2D',
        ...common,
        width: size,
        height: mistake === 'no rows' ? 0 : Math.max(rows, 2),
        fromPitch: mistake === 'no rows' ? 0 : fromPitch,
        toPitch: mistake === 'no rows' ? 0 : toPitch + (mistake === 'pitch' ? 4 : 0),
      }
    : { call: 'memcpy', ...common, bytes: size };
  const freed: readonly DriverCall[] =
    mistake === 'freed'
      ? [
          { call: 'malloc', as: 'short', kind: one.from, bytes: 64 },
          { call: 'handle', as: 'lost', memory: 'short' },
          { call: 'destroy', handle: 'lost' },
          { call: 'memcpy', ...common, from: ['lost', shift], bytes: 4 },
        ]
      : [];
  const more: readonly DriverCall[] =
    one.more === 1
      ? [
          {
            call: 'memcpy',
            chain,
            from: ['own cpu', 0],
            to: [`gpu ${target}`, 64],
            bytes: 32,
            slot: 0,
            tag: 1,
          },
        ]
      : [];
  return [
    { call: 'chain' as const, as: chain },
    ...freed,
    copied,
    ...more,
    { call: 'load' as const, chain, channel: of },
    { call: 'start' as const, channel: of },
    ...(one.hasty === 1 ? [{ call: 'start' as const, channel: of }] : []),
    ...(one.hasty === 2 ? [{ call: 'load' as const, chain, channel: of }] : []),
    { call: 'stop' as const, channel: of },
    ...Array.from({ length: one.again }, () => [
      { call: 'start' as const, channel: of },
      { call: 'stop' as const, channel: of },
    ]).flat(),
  ];
}

function otherCalls(
  { what, memory: kind, number, channel: of }: Extract<Step, { kind: 'other' }>,
  rank: number,
  index: number,
  nodes: number,
): readonly DriverCall[] {
  switch (what) {
    case 'memory':
      return [
        { call: 'malloc', as: 'large', kind, bytes: number },
        { call: 'malloc', as: 'small', kind, bytes: 100 },
        { call: 'handle', as: 'of small', memory: 'small' },
        { call: 'free', memory: 'small' },
        { call: 'free', memory: 'small' },
        { call: 'malloc', as: 'whole', kind, bytes: 4096 },
        { call: 'free', memory: 'whole' },
        ...(number === 4096 || number === 4097 ? [{ call: 'free' as const, memory: 'large' }] : []),
      ];
    case 'handle':
      return [
        { call: 'malloc', as: 'gone', kind, bytes: 64 },
        { call: 'handle', as: 'of gone', memory: 'gone' },
        { call: 'destroy', handle: 'of gone' },
        { call: 'handle', as: 'of gone', memory: 'gone' },
        { call: 'destroy', handle: `${kind} ${(rank + 1) % nodes}` },
      ];
    case 'import':
      return [
        {
          call: 'import',
          as: 'far',
          node: number >= nodes || number < 0 ? number : nodes,
          kind,
          offset: 0,
          bytes: 64,
        },
      ];
    case 'channel': {
      const wrong = number >= 0 && number < 4 ? 4 : number;
      return [
        { call: 'chain', as: 'empty' },
        { call: 'load', chain: 'empty', channel: of },
        { call: 'load', chain: 'empty', channel: wrong },
        { call: 'start', channel: wrong },
        { call: 'stop', channel: wrong },
        { call: 'busy', channel: wrong },
        { call: 'reset', channel: wrong },
        { call: 'error', channel: wrong, code: '' },
      ];
    }
    case 'unmapped': {
      // What is exported may be a lie: the chip finds no memory there, and the channel is of use again behind a reset.
      const chain = `chain ${index}`;
      return [
        { call: 'import', as: 'lie', node: (rank + 1) % nodes, kind, offset: 2 ** 21, bytes: 4096 },
        { call: 'chain', as: chain },
        { call: 'memcpy', chain, from: ['own gpu', 0], to: ['lie', 0], bytes: 64, slot: 0, tag: 1 },
        { call: 'load', chain, channel: of },
        { call: 'start', channel: of },
        { call: 'stop', channel: of },
        { call: 'error', channel: of, code: 'EUR' },
        { call: 'start', channel: of },
        { call: 'reset', channel: of },
        { call: 'compute', ns: restNs },
        { call: 'error', channel: of, code: '' },
        { call: 'window', handle: 'lie' },
        { call: 'store', offset: 0, bytes: [1, 2, 3, 4] },
        { call: 'commit' },
      ];
    }
    case 'busy':
      return [{ call: 'busy', channel: of }];
    case 'error':
      return [{ call: 'error', channel: of, code: '' }];
    case 'commit':
      return [{ call: 'commit' }];
    case 'pause':
      return [{ call: 'compute', ns: Math.abs(number) }];
    case 'drop':
      return [
        { call: 'chain', as: 'dropped' },
        {
          call: 'memcpy',
          chain: 'dropped',
          from: ['own cpu', 0],
          to: ['own gpu', 0],
          bytes: 16,
          slot: 0,
          tag: 1,
        },
        { call: 'drop', chain: 'dropped' },
        { call: 'load', chain: 'dropped', channel: of },
      ];
    case 'receive':
      return [{ call: 'receive', node: rank, slot: number > 255 ? number : -1, tag: 1 }];
  }
}

/** Flags that say something. */
const definedOf = (flags: Readonly<Record<string, boolean | undefined>>): Readonly<Record<string, boolean>> =>
  Object.fromEntries(
    Object.entries(flags).filter((entry): entry is [string, boolean] => entry[1] !== undefined),
  );

/** Calls with the codes with which they must be refused; words that they have others, or their own node, wait for are added to `told`. */
function judged(
  calls: readonly DriverCall[],
  rank: number,
  world: DriverWorld,
  told: Told[],
): readonly object[] {
  const driver = new PlainDriver(world, rank);
  const channels = Array.from({ length: 4 }, () => ({
    isRunning: false,
    error: undefined as string | undefined,
  }));
  const isMapped = (address: number, bytes: number): boolean => {
    const { cpuBytes, gpuBytes, nodes } = world;
    const inside = address % 2 ** 35;
    const isGpu = inside >= 2 ** 33;
    const offset = isGpu ? inside - 2 ** 33 : inside;
    return offset + bytes <= (isGpu ? gpuBytes : cpuBytes + 8 * 256 * nodes);
  };
  /** How the node answers, as far as that needs no clock. */
  const answered = (asked: PlainOperation): PlainAnswer => {
    if (asked.op === 'pio') return isMapped(asked.address, asked.data.length) ? undefined : 'EUR';
    if (asked.op === 'load') return channels[asked.channel]!.isRunning ? 'EBUSY' : undefined;
    if (asked.op === 'start') {
      const own = channels[asked.channel]!;
      // A second start comes before the first one can have failed.
      if (own.isRunning) return 'EBUSY';
      if (own.error !== undefined) return own.error;
      own.isRunning = true;
      const isRight = asked.chain.every(({ dst, size, count, dstStride }) =>
        Array.from({ length: count }, (_, k) => dst + k * dstStride).every((at) => isMapped(at, size)),
      );
      if (isRight) for (const { dst, data, size } of asked.chain) note(dst, data, size);
      else own.error = 'EUR';
      return undefined;
    }
    if (asked.op === 'stopped') {
      const own = channels[asked.channels[0]!]!;
      own.isRunning = false;
      return own.error;
    }
    if (asked.op === 'reset' && !channels[asked.channel]!.isRunning)
      channels[asked.channel] = { isRunning: false, error: undefined };
    return undefined;
  };
  /** Words in CPU memory, by where they lie: what they say is known only to who stored them there. */
  const stored = new Map<number, Uint8Array>();
  const sources = new Map<number, number>();
  const note = (dst: number, data: Uint8Array | undefined, size: number): void => {
    const node = Math.floor(dst / 2 ** 35);
    const word = (dst % 2 ** 35) - world.cpuBytes;
    if (size !== 8 || word < 0 || word >= 8 * 256 * world.nodes) return;
    const bytes = data ?? stored.get(sources.get(dst)!);
    if (!bytes) return;
    const tag = bytes[0]! + 256 * bytes[1]! + 65_536 * bytes[2]! + 16_777_216 * bytes[3]!;
    told.push({ node, source: rank, slot: (word / 8) % 256, tag });
  };
  return calls.map((one) => {
    const steps = driver.carriedOut(one);
    let step = steps.next();
    while (step.done !== true) {
      const asked = step.value;
      if (asked.op === 'write') stored.set(asked.address, asked.data);
      if (asked.op === 'start')
        for (const { src, dst, data } of asked.chain) if (data === undefined) sources.set(dst, src);
      step = steps.next(answered(asked));
    }
    return step.value === 'OK' ? one : { ...one, refused: step.value };
  });
}
