import fc from 'fast-check';
import { type CellbeConfig, cellbeConfig, type TimedDma } from '../../../machines/cell/cellbe-config.ts';
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
  });
}

/** A command before its numbers are fitted to the bus, so that each number shrinks by itself. */
interface RawCommand {
  readonly idle: number;
  readonly kind: 'get' | 'put';
  /** Elements between the own one and the other. */
  readonly farther: number;
  readonly size: number;
  readonly local: number;
  readonly address: number;
}

const command: fc.Arbitrary<RawCommand> = fc.record({
  idle: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.nat(9)),
  kind: fc.constantFrom('put', 'get'),
  farther: fc.oneof(fc.nat(2), fc.nat(10)),
  // What an MFC accepts: 1, 2, 4, 8 and multiples of 16; whole packets and several of them more often.
  size: fc.oneof(fc.constantFrom(128, 16, 256, 512), fc.constantFrom(1, 2, 4, 8, 48, 144)),
  local: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, fc.nat(storeBytes)),
  address: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, fc.nat(storeBytes)),
});

/** An address that a command of this size may have: aligned to it, at most to 16, and within the store. */
function fitted(address: number, size: number): number {
  const alignment = Math.min(size, 16);
  const within = address % (storeBytes - size + 1);
  return within - (within % alignment);
}

function programOf(
  commands: readonly RawCommand[],
  element: number,
  elements: readonly string[],
): readonly (readonly [number, TimedDma['kind'], number, string, number, number])[] {
  let cycle = 0;
  return commands.map(({ idle, kind, farther, size, local, address }) => {
    cycle += idle;
    const other = (element + 1 + (farther % (elements.length - 1))) % elements.length;
    return [cycle, kind, fitted(local, size), elements[other]!, fitted(address, size), size];
  });
}

/** Scenarios of the Element Interconnect Bus: sizes, queues and times of the bus, and commands of all elements (Cell specification 19, 21.1). */
export const cellbeScenarios: fc.Arbitrary<WrittenScenario> = fc
  .tuple(bus, fc.array(fc.array(command, { maxLength: 6 }), { maxLength: 12 }))
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
          .flatMap((commands, element) =>
            commands.length === 0 ? [] : [[elements[element]!, programOf(commands, element, elements)]],
          ),
      ),
      until: lastTick,
    };
  });
