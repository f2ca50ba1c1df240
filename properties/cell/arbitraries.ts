import fc from 'fast-check';
import { get, type Instruction, put, read, status, write } from '../../actors/cell/instructions.ts';
import { arbitraryInstance } from '../../actors/cell/policies/instances.arbitrary.ts';
import { policyNames } from '../../actors/cell/policies/policies.ts';
import type { TimedInstruction } from '../../actors/cell/program.ts';
import { type CellConfig, type CellPrograms, cellConfig } from '../../machines/cell/config.ts';
import type { Given } from '../../machines/machine.ts';
import type { WrittenScenario } from '../../scenarios/written.ts';
import { listOf } from './programs-are-read.ts';

/** What a Cell ring machine is built from. */
export type CellGiven = Given<CellConfig, CellPrograms>;

/** Generated: its programs are timed lists. */
export type TimedGiven = Given<CellConfig, TimedInstruction[][]>;

/** Sizes of machines, small ones and those with a node opposite more often (Cell specification 21.1). */
const shape = fc.record({
  N: fc.oneof({ weight: 2, arbitrary: fc.constantFrom(2, 3, 8) }, fc.integer({ min: 1, max: 9 })),
  K: fc.integer({ min: 1, max: 3 }),
  // Beyond 256 bytes the pattern of a memory does not repeat itself.
  memSize: fc.oneof(
    fc.integer({ min: 1, max: 8 }),
    fc.integer({ min: 1, max: 64 }),
    fc.integer({ min: 250, max: 600 }),
  ),
});

/** Bounds from those that are never reached to those that make every request urgent (Cell specification 17.5). */
const boundedWait = fc.record({
  factor: fc.constantFrom(4, 1, 0.25, 0.01),
  cap: fc.oneof(fc.constant(null), fc.nat(3), fc.nat(20)),
});

/** All options of Cell specification 2; the simplest machine first, towards which a failure shrinks. */
const options = fc
  .record({
    policy: fc.constantFrom('etalon-ff' as const, ...policyNames.filter((name) => name !== 'etalon-ff')),
    selfTransfer: fc.constantFrom('point' as const, 'point' as const, 'point' as const, 'reject' as const),
    zeroSize: fc.constantFrom(
      'complete' as const,
      'complete' as const,
      'complete' as const,
      'reject' as const,
    ),
    maxOutstanding: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, fc.integer({ min: 1, max: 3 })),
    boundedWait: fc.oneof(fc.constant(null), boundedWait),
    run: fc.oneof(
      { weight: 4, arbitrary: fc.constant('untilIdle' as const) },
      fc.record({ cycles: fc.oneof(fc.nat(40), fc.nat(2)) }),
    ),
    memory: fc.constantFrom('pattern' as const, 'zero' as const),
    skipIdle: fc.boolean(),
    // Bursts are built where nothing is scheduled; every schedule needs the steps, in free order or in the canonical one.
    built: fc.constantFrom(
      { detail: 'step', interleaving: 'auto' } as const,
      { detail: 'burst', interleaving: 'auto' } as const,
      { detail: 'step', interleaving: 'ordered' } as const,
    ),
  })
  .map(({ built, ...rest }) => ({ ...rest, ...built }));

/** An instruction before its numbers are fitted to the machine, so that each number shrinks by itself. */
interface RawInstruction {
  readonly op: 'r' | 'w' | 's' | 'p' | 'g';
  readonly my: number;
  readonly addr: number;
  readonly size: number;
  readonly peer: 'next' | 'self' | 'previous' | 'opposite' | 'same' | number;
  readonly value: number;
  /** Values from `mistakesFrom` on make a wrong argument of a kind. */
  readonly mistake: number;
}

const mistakesFrom = 120;

/** Addresses biased to few bytes, sizes to 0, 1, 2 and all of the memory, peers to self, neighbour, opposite and the last one. */
const rawInstruction: fc.Arbitrary<RawInstruction> = fc.record({
  op: fc.constantFrom('r', 'w', 's', 'p', 'g', 'p', 'g', 'p', 'g'),
  my: fc.oneof({ weight: 3, arbitrary: fc.nat(3) }, fc.nat(63), fc.nat(600)),
  addr: fc.oneof({ weight: 3, arbitrary: fc.nat(3) }, fc.nat(63), fc.nat(600)),
  size: fc.oneof(fc.constantFrom(1, 2, 0, 64), fc.nat(8), fc.nat(64)),
  peer: fc.oneof(fc.constantFrom('next', 'self', 'previous', 'opposite', 'same'), fc.nat(8)),
  value: fc.nat(255),
  mistake: fc.nat(mistakesFrom + 4),
});

interface RawCycle {
  /** Cycles without instructions before this one. */
  readonly idle: number;
  readonly instructions: readonly RawInstruction[];
}

const rawPrograms: fc.Arbitrary<readonly (readonly RawCycle[])[]> = fc.array(
  fc.array(
    fc.record({
      idle: fc.oneof({ weight: 8, arbitrary: fc.constant(0) }, fc.nat(3), fc.constantFrom(12, 60)),
      instructions: fc.array(rawInstruction, { maxLength: 4 }),
    }),
    { maxLength: 12 },
  ),
  { maxLength: 9 },
);

/** The peer an instruction means; `last` is the peer of the one before. */
function peerOf(peer: RawInstruction['peer'], spu: number, N: number, last: number): number {
  switch (peer) {
    case 'self':
      return spu;
    case 'next':
      return (spu + 1) % N;
    case 'previous':
      return (spu + N - 1) % N;
    case 'opposite':
      return (spu + Math.floor(N / 2)) % N;
    case 'same':
      return last;
    default:
      return peer % N;
  }
}

/** Lays the instructions of one SPU out in time; `place` turns each into those of the machine. */
function timed(
  cycles: readonly RawCycle[],
  place: (raw: RawInstruction) => readonly Instruction[],
): TimedInstruction[] {
  let cycle = 0;
  return cycles.flatMap(({ idle, instructions }) => {
    cycle += idle;
    const at = cycle++;
    return instructions.flatMap((raw) => place(raw).map((instruction) => ({ cycle: at, instruction })));
  });
}

/** Programs that meet on few bytes: memory contents depend on the schedule, timing does not (Cell specification 8, 21.1). */
export const racyGiven: fc.Arbitrary<TimedGiven> = fc
  .tuple(shape, options, rawPrograms)
  .map(([machine, chosen, programs]) => {
    const config = cellConfig.parse({ ...machine, ...chosen });
    return given('racy', config, fitted(programs, config));
  });

function fitted(
  programs: readonly (readonly RawCycle[])[],
  { N, memSize }: CellConfig,
): TimedInstruction[][] {
  return programs.slice(0, N).map((cycles, spu) => {
    let last = spu;
    let issued = 0;
    return timed(cycles, (raw) => {
      const { op, value, mistake } = raw;
      const wrong = mistake - mistakesFrom;
      if (op === 'r') return [read(wrong < 0 ? raw.my % memSize : wrong % 2 === 0 ? memSize : -1)];
      if (op === 'w')
        return [
          write(
            wrong === 1 ? memSize : raw.my % memSize,
            wrong < 0 || wrong === 1 ? value : wrong === 0 ? 256 : -1,
          ),
        ];
      // Mostly an id that was given, now and then one that was not.
      if (op === 's')
        return [status(wrong >= 0 || issued === 0 ? value - 128 : issued - 1 - (raw.my % issued))];
      const size = Math.min(raw.size, memSize);
      last = peerOf(raw.peer, spu, N, last);
      issued++;
      const my = wrong === 1 ? memSize : raw.my % (memSize - size + 1);
      const addr = wrong === 2 ? -1 : raw.addr % (memSize - size + 1);
      const peer = wrong === 3 ? N : last;
      return [(op === 'g' ? get : put)(my, peer, addr, wrong === 4 ? -1 : size)];
    });
  });
}

/** Bytes at the start of each memory that nobody writes, and after them those that only the own SPU touches. */
const constants = 8;
const privates = 8;

/**
 * Programs in which no byte is accessed by two parties in one cycle with a write among them (Cell specification 21.1): each transfer has a
 * destination of its own; its source is never written, or written by its own SPU before the request. They run until idle, without mistakes.
 */
export const raceFreeGiven: fc.Arbitrary<TimedGiven> = fc
  .tuple(shape, options, rawPrograms)
  .map(([{ N, K }, chosen, programs]) => {
    const used = new Array<number>(N).fill(constants + privates);
    const allocate = (spu: number, size: number): number => {
      const address = used[spu]!;
      used[spu] = address + size;
      return address;
    };
    const lists = programs.slice(0, N).map((cycles, spu) => {
      let last = spu;
      let issued = 0;
      return timed(cycles, (raw) => {
        const { op, value } = raw;
        if (op === 'r') return [read(raw.my % (constants + privates))];
        if (op === 'w') return [write(constants + (raw.my % privates), value)];
        if (op === 's') return [status(issued === 0 ? -1 : issued - 1 - (raw.my % issued))];
        const size = Math.min(raw.size, constants);
        last = peerOf(raw.peer, spu, N, last);
        issued++;
        const target = allocate(op === 'g' ? spu : last, size);
        const source = raw.addr % (constants - size + 1);
        if (op === 'g') return [get(target, last, source, size)];
        if (value % 2 === 0) return [put(source, last, target, size)];
        const fresh = allocate(spu, size);
        const fill = Array.from({ length: size }, (_, i) => write(fresh + i, (value + 37 * i) % 256));
        return [...fill, put(fresh, last, target, size)];
      });
    });
    const config = cellConfig.parse({
      ...chosen,
      N,
      K,
      memSize: Math.max(...used),
      run: 'untilIdle',
      selfTransfer: 'point',
      zeroSize: 'complete',
    });
    return given('race-free', config, lists);
  });

/** Machines whose SPUs do nothing but issue transfers: arbitration instances as puts of the sender (Cell specification 21.1). */
export function transferGiven({ requestsMax }: { readonly requestsMax: number }): fc.Arbitrary<TimedGiven> {
  return fc
    .tuple(arbitraryInstance({ requestsMax }), fc.constantFrom(...policyNames), fc.option(boundedWait))
    .map(([{ N, K, requests }, policy, bound]) => {
      const lists: TimedInstruction[][] = Array.from({ length: N }, () => []);
      for (const [cycle, src, dst, size] of requests)
        lists[src]!.push({ cycle, instruction: put(0, dst, 0, size) });
      const memSize = Math.max(1, ...requests.map(([, , , size]) => size));
      return given('transfers', cellConfig.parse({ N, K, memSize, policy, boundedWait: bound }), lists);
    });
}

/** Closed loops, which go on until all requests are done; race free by construction (Cell specification 18.1). */
export const closedLoopGiven: fc.Arbitrary<CellGiven> = fc
  .tuple(
    fc.record({ N: fc.integer({ min: 2, max: 8 }), K: fc.integer({ min: 1, max: 3 }) }),
    options,
    fc.record({
      outstanding: fc.integer({ min: 1, max: 3 }),
      perSpu: fc.nat(4),
      sizeMin: fc.integer({ min: 1, max: 4 }),
      more: fc.nat(8),
      seed: fc.nat(999),
      localOps: fc.nat(2),
    }),
  )
  .map(([{ N, K }, chosen, { more, ...loop }]) => {
    const saturate = { ...loop, sizeMax: loop.sizeMin + more };
    const half = Math.max(64 + saturate.sizeMax, N * saturate.outstanding * saturate.sizeMax);
    const config = cellConfig.parse({ ...chosen, N, K, memSize: 2 * half, zeroSize: 'complete' });
    return given('closed loop', config, { saturate });
  });

/** A machine and its programs, shown as a scenario in reports. */
export function given<Programs extends CellPrograms>(
  name: string,
  config: CellConfig,
  programs: Programs,
): Given<CellConfig, Programs> {
  const made: Given<CellConfig, Programs> = { name, config, programs, mutants: [], scheduled: false };
  // Not enumerable, so that copies and comparisons see the data alone.
  Object.defineProperty(made, fc.toStringMethod, { value: () => scenarioText(made) });
  return made;
}

/** The machine and its programs as a scenario file, in one line; only what differs from the defaults is written. */
export const scenarioText = (made: CellGiven): string =>
  JSON.stringify({ machine: 'cell', ...writtenCell(made) });

/** Configuration and programs as scenario files write them; what is a default is left out. */
export function writtenCell({ config, programs }: CellGiven): Pick<WrittenScenario, 'config' | 'programs'> {
  const defaults: Readonly<Record<string, unknown>> = cellConfig.parse({});
  const changed = Object.entries(config).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(defaults[key]),
  );
  return {
    config: Object.fromEntries(changed),
    programs: Array.isArray(programs) ? programs.map((program) => listOf(program)) : programs,
  };
}
