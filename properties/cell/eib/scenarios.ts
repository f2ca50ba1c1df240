import fc from 'fast-check';
import { type CellbeConfig, cellbeConfig } from '../../../machines/cell/cellbe-config.ts';
import type { WrittenScenario } from '../../../scenarios/written.ts';

/** Bytes of each store: enough for commands of several packets, little to hash. */
const storeBytes = 1024;
/** Far above what a generated workload takes, so that a faulty bus that goes on for ever ends soon. */
const lastTick = 20_000;

/** Buses from a bare one upwards, towards which a failure shrinks: few elements and slow rings meet more often (Cell specification 19.1, 19.2). */
const bus = fc.record({
  elementCount: fc.oneof(fc.constantFrom(2, 3, 4), fc.integer({ min: 2, max: 12 })),
  ringsPerDirection: fc.integer({ min: 1, max: 2 }),
  width: fc.constantFrom(
    { packetBytes: 128, bytesPerBusCycle: 16 },
    { packetBytes: 64, bytesPerBusCycle: 16 },
  ),
  maxPerRing: fc.integer({ min: 1, max: 3 }),
  moreHops: fc.nat(2),
  ringStartGapBusCycles: fc.integer({ min: 0, max: 3 }),
  commandsPerBusCycle: fc.integer({ min: 1, max: 3 }),
  mfcQueue: fc.constantFrom(16, 1, 2),
  mfcProxyQueue: fc.constantFrom(8, 1),
  commandCredits: fc.constantFrom(16, 1, 2),
  issueBusCycles: fc.constantFrom(5, 0),
  setupBusCycles: fc.constantFrom(15, 0, 1),
  commandLatencyBusCycles: fc.constantFrom(50, 2, 5),
  listFetchBusCycles: fc.constantFrom(5, 0, 1),
  tagGroups: fc.constantFrom(32, 1, 2),
  maxListElements: fc.constantFrom(8, 4),
  maxDmaBytes: fc.constantFrom(512, 16_384),
  dataPipelineBusCycles: fc.constantFrom(70, 0, 3),
  priority: fc.option(fc.nat(11), { nil: undefined }),
  sharedPort: fc.option(fc.nat(11), { nil: undefined }),
  calibrated: fc.constantFrom(false, false, false, true),
});

type RawBus = typeof bus extends fc.Arbitrary<infer Raw> ? Raw : never;

function configOf({ elementCount, width, moreHops, priority, sharedPort, ...rest }: RawBus): CellbeConfig {
  // Where nobody counts which elements are SPEs, all of them are.
  const elements = Array.from({ length: elementCount }, (_, index) => `SPE${index}`);
  const named = (index: number | undefined) => (index === undefined ? [] : [elements[index % elementCount]!]);
  return cellbeConfig.parse({
    ...rest,
    ...width,
    elements,
    beatsPerPacket: width.packetBytes / width.bytesPerBusCycle,
    maxHops: Math.min(elementCount - 1, Math.floor(elementCount / 2) + moreHops),
    priority: named(priority),
    sharedPort: named(sharedPort),
    localStoreBytes: storeBytes,
    memoryBytes: storeBytes,
    programErrors: 'result',
  });
}

/** An entry of a program before its numbers are fitted to the bus, so that each number shrinks by itself. */
interface RawEntry {
  readonly idle: number;
  readonly op: 'one' | 'list' | 'proxy' | 'wait';
  readonly kind: 'get' | 'put';
  /** Elements between the own one and the other, and between the own one and who carries it out. */
  readonly farther: number;
  readonly proxy: number;
  readonly sizes: readonly number[];
  readonly local: number;
  readonly address: number;
  readonly tags: readonly number[];
  /** Values from `mistakesFrom` on make a mistake of a kind. */
  readonly mistake: number;
}

const mistakesFrom = 120;
const mistakes = ['size', 'alignment', 'store', 'tag', 'own element', 'own proxy', 'list', 'large'] as const;

const entry: fc.Arbitrary<RawEntry> = fc.record({
  idle: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.nat(9)),
  op: fc.constantFrom('one', 'one', 'one', 'list', 'proxy', 'wait'),
  kind: fc.constantFrom('put', 'get'),
  farther: fc.oneof(fc.nat(2), fc.nat(10)),
  proxy: fc.nat(10),
  // What an MFC accepts: 1, 2, 4, 8 and multiples of 16; whole packets and several of them more often.
  sizes: fc.array(fc.oneof(fc.constantFrom(128, 16, 256, 512), fc.constantFrom(1, 2, 4, 8, 48, 144)), {
    minLength: 1,
    maxLength: 4,
  }),
  local: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, fc.nat(storeBytes)),
  address: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, fc.nat(storeBytes)),
  tags: fc.array(fc.nat(3), { minLength: 1, maxLength: 2 }),
  mistake: fc.nat(mistakesFrom + mistakes.length - 1),
});

/** An address that a command of this size may have: aligned to it, at most to 16, and within the store. */
function fitted(address: number, size: number, alignment = Math.min(size, 16)): number {
  const within = address % (storeBytes - size + 1);
  return within - (within % alignment);
}

/** The pieces of a list, shortened until they fit into the own store one after the other, the larger ones first so that all are aligned. */
function piecesOf(sizes: readonly number[], address: number): readonly (readonly [number, number])[] {
  let left = storeBytes;
  return sizes
    .toSorted((a, b) => b - a)
    .flatMap((size, index) => {
      if (size > left) return [];
      left -= size;
      return [[fitted(address + 200 * index, size), size] as const];
    });
}

type WrittenEntry = readonly unknown[];

function programOf(
  entries: readonly RawEntry[],
  element: number,
  { elements, tagGroups, maxListElements, maxDmaBytes }: CellbeConfig,
): readonly WrittenEntry[] {
  const N = elements.length;
  let cycle = 0;
  return entries.map(({ idle, op, kind, farther, proxy, sizes, local, address, tags, mistake }) => {
    cycle += idle;
    const wrong = mistakes[mistake - mistakesFrom];
    const groups = tags.map((tag) => tag % tagGroups);
    if (op === 'wait') return [cycle, 'wait', wrong === 'tag' ? [tagGroups] : groups];
    const tag = wrong === 'tag' ? tagGroups : groups[0]!;
    // With two elements there is nobody else who could carry a command out.
    const on = op === 'proxy' && N > 2 ? (element + 1 + (proxy % (N - 1))) % N : element;
    const other = elements[wrong === 'own element' ? on : (on + 1 + (farther % (N - 1))) % N]!;
    if (op === 'list') {
      const all = piecesOf(sizes, address);
      const pieces =
        wrong === 'list'
          ? Array.from({ length: address % 2 === 0 ? 0 : maxListElements + 1 }, () => [0, 1])
          : wrong === 'size'
            ? [...all, [0, 3]]
            : wrong === 'store'
              ? [...all, [storeBytes - 16, 32]]
              : all;
      const total = all.reduce((sum, [, size]) => sum + size, 0);
      return [cycle, `${kind}List`, fitted(local, total, 16), other, pieces, tag];
    }
    const size = wrong === 'size' ? 24 : wrong === 'large' ? maxDmaBytes + 16 : sizes[0]!;
    const own = fitted(local, sizes[0]!) + (wrong === 'alignment' ? 1 : 0);
    const there = wrong === 'store' ? storeBytes - (address % 2) : fitted(address, sizes[0]!);
    const command = [kind, own, other, there, size, tag];
    if (op !== 'proxy' || N <= 2) return [cycle, ...command];
    return [cycle, 'proxy', elements[wrong === 'own proxy' ? element : on], ...command];
  });
}

/** Scenarios of the Element Interconnect Bus: sizes, queues and times of the bus, commands, lists and waits of all elements, own ones and through proxies, now and then one that no MFC can carry out (Cell specification 19, 21.1). */
export const cellbeScenarios: fc.Arbitrary<WrittenScenario> = fc
  .tuple(bus, fc.array(fc.array(entry, { maxLength: 6 }), { maxLength: 12 }))
  .map(([raw, programs]) => {
    const config = configOf(raw);
    const { elements } = config;
    const defaults: Readonly<Record<string, unknown>> = cellbeConfig.parse({});
    const changed = Object.entries(config).filter(
      ([key, value]) => JSON.stringify(value) !== JSON.stringify(defaults[key]),
    );
    return {
      name: 'generated: DMA commands on the bus',
      config: Object.fromEntries(changed),
      programs: Object.fromEntries(
        programs
          .slice(0, elements.length)
          .flatMap((entries, element) =>
            entries.length === 0 ? [] : [[elements[element]!, programOf(entries, element, config)]],
          ),
      ),
      until: lastTick,
    };
  });
