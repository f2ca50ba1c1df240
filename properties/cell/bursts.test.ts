import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type BurstControllerContext, seenAt } from '../../actors/cell/burst/controller.ts';
import type { BurstSpuContext } from '../../actors/cell/burst/spu.ts';
import type { ControllerContext } from '../../actors/cell/controller.ts';
import { hashOfMemories } from '../../actors/cell/fnv.ts';
import type { MemoryContext } from '../../actors/cell/memory-module.ts';
import type { RequestTable } from '../../actors/cell/request-table.ts';
import type { ByteMemory } from '../../actors/common/byte-memory.ts';
import { Run } from '../../kernel/run.ts';
import { effort } from '../../kernel/testing/effort.ts';
import type { CellLogEvent } from '../../machines/cell/log-events.ts';
import { assembleBursts, assembleSteps, type CellAssembly } from '../../machines/cell.ts';
import { type CellGiven, closedLoopGiven } from './arbitraries.ts';
import { campaignCase } from './campaign.ts';
import { trial } from './trial.ts';

const workloads: fc.Arbitrary<CellGiven> = campaignCase.map(({ given }) => given);

/** Closed loops as often as all others: SPUs of the burst machine that nobody watches execute these in another way. */
const unwatched: fc.Arbitrary<CellGiven> = fc.oneof(workloads, closedLoopGiven);

const skipping = (given: CellGiven, skipIdle: boolean): CellGiven => ({
  ...given,
  config: { ...given.config, skipIdle },
});

/** A machine in canonical order that nobody watches, and a look at it. */
interface Observed {
  readonly assembly: CellAssembly;
  readonly run: Run;
  /** The memories as they are at the end of cycle t. */
  readonly memories: (t: number) => readonly ByteMemory[];
  /** The hash of what was read up to the end of cycle t. */
  readonly readHash: (t: number) => number;
}

// biome-ignore lint/suspicious/noExplicitAny: the contexts of actors of all kinds
const contextOf = <C>(run: Run, name: string): C => run.part(name).context as any;

function stepsOf(given: CellGiven): Observed {
  const assembly = assembleSteps(given);
  const run = new Run(assembly.wiring);
  const spus = Array.from({ length: given.config.N }, (_, spu) => `Cell.Spu[${spu}].Memory`);
  return {
    assembly,
    run,
    memories: () => spus.map((name) => contextOf<MemoryContext>(run, name).bytes),
    readHash: () => contextOf<ControllerContext>(run, 'Cell.Controller').readHash,
  };
}

function burstsOf(given: CellGiven): Observed {
  const assembly = assembleBursts(given);
  const run = new Run(assembly.wiring);
  const controller = () => contextOf<BurstControllerContext>(run, 'Cell.Controller');
  return {
    assembly,
    run,
    memories: (t) => seenAt(controller(), t).stores.memories,
    readHash: (t) => seenAt(controller(), t).readHash,
  };
}

/** All that programs could see at the end of cycle t. */
function visible({ run, memories, readHash }: Observed, { config: { N } }: CellGiven, t: number): object {
  const tables = Array.from({ length: N }, (_, spu) => {
    const { table } = contextOf<{ readonly table: RequestTable }>(run, `Cell.Spu[${spu}].Dma`);
    return table.entries.map(({ id, issue, start, dir, ring }) => {
      return { id, issue, start, dir, ring, status: table.status(id, t) };
    });
  });
  const instructions = Array.from({ length: N }, (_, spu) =>
    instructionsOf(contextOf(run, `Cell.Spu[${spu}]`), t),
  );
  return { memories: hashOfMemories(memories(t)), readHash: readHash(t), tables, instructions };
}

/** The instructions of an SPU up to the end of cycle t: a log that begins later goes on to number them from there. */
function instructionsOf({ executed, slept = -1, program }: BurstSpuContext, t: number): number {
  return slept < 0 ? executed : executed + (t - slept) * program.idleWork!().instructions;
}

/** The first cycle in which two machines differ, and how; undefined when they never do. */
function difference(given: CellGiven, a: Observed, b: Observed): object | undefined {
  const { cycles } = trial(given, { properties: [] }).result;
  for (let t = 0; t < cycles; t++) {
    for (const { run } of [a, b]) run.until(t);
    const [here, there] = [visible(a, given, t), visible(b, given, t)];
    if (JSON.stringify(here) !== JSON.stringify(there)) return { t, here, there };
  }
  for (const { run } of [a, b]) run.toEnd();
  const [here, there] = [a, b].map(({ assembly, run }) => assembly.result(run));
  return JSON.stringify(here) === JSON.stringify(there) ? undefined : { here, there };
}

describe.each([true, false])('with skipIdle %s', (skipIdle) => {
  test('the burst machine does what the step machine does, event by event (P-16)', () => {
    fc.assert(
      fc.property(workloads, (one) => {
        const given = skipping(one, skipIdle);
        const [steps, bursts] = [false, true].map((bursts) =>
          trial(given, { bursts, properties: [], keepLog: true }),
        );

        expect(bursts!.log).toEqual(steps!.log);
        expect(bursts!.result).toEqual(steps!.result);
      }),
      { numRuns: effort({ short: 15, long: 80 }), seed: 27 },
    );
  });

  test('the burst machine shows the same memories, requests and reads at the end of every cycle, while nobody watches (P-16)', () => {
    fc.assert(
      fc.property(unwatched, (one) => {
        const given = skipping(one, skipIdle);

        expect(difference(given, stepsOf(given), burstsOf(given))).toBeUndefined();
      }),
      { numRuns: effort({ short: 13, long: 60 }), seed: 27 },
    );
  });
});

describe.each([
  ['step machine', stepsOf],
  ['burst machine', burstsOf],
] as const)('the %s', (name, machineOf) => {
  test('is the same with and without jumps over idle cycles, cycle by cycle', () => {
    fc.assert(
      fc.property(workloads, (one) => {
        const [on, off] = [skipping(one, true), skipping(one, false)];

        expect(difference(one, machineOf(on), machineOf(off))).toBeUndefined();
      }),
      { numRuns: effort({ short: 13, long: 60 }), seed: 27 },
    );
  });

  test('writes the same events with and without jumps, but for the barriers of idle cycles', () => {
    fc.assert(
      fc.property(workloads, (one) => {
        const [on, off] = [true, false].map((skipIdle) =>
          trial(skipping(one, skipIdle), {
            bursts: name === 'burst machine',
            properties: [],
            keepLog: true,
          }).log.flatMap(happening),
        );

        expect(on).toEqual(off);
      }),
      { numRuns: effort({ short: 10, long: 40 }), seed: 27 },
    );
  });
});

/** An event without its number; the ends of cycles are left out, and when the last cycle was that was carried out. */
function happening({ n: _, t, ...event }: CellLogEvent): object[] {
  if (event.ev === 'DONE' || event.ev === 'BARRIER') return [];
  return [event.ev === 'STOP' ? event : { t, ...event }];
}

test('the workloads are of all kinds: exceptions, limits, cuts, empty requests, self transfers, races', () => {
  const seen = { exceptions: 0, blocked: 0, cut: 0, empty: 0, self: 0, overlapping: 0, endless: 0, idle: 0 };
  for (const given of fc.sample(workloads, { seed: 12, numRuns: effort({ short: 40, long: 80 }) })) {
    const { result, log } = trial(given, { properties: [], keepLog: true });
    const { transfers, cycles } = result;
    const timed = Array.isArray(given.programs) ? given.programs.flat() : [];
    if (result.exceptions.length > 0) seen.exceptions++;
    if (result.incomplete) seen.cut++;
    if (given.config.run === 'untilIdle') seen.endless++;
    if (transfers.some(([, , , , , size]) => size === 0)) seen.empty++;
    if (transfers.some(([, , , src, dst, size]) => src === dst && size > 0)) seen.self++;
    if (transfers.some((row) => !timed.some((one) => 'cycle' in one && one.cycle === row[6]))) seen.blocked++;
    const writes = log.flatMap((event) => (event.ev === 'WR' ? [`${event.t} ${event.mem} ${event.a}`] : []));
    if (new Set(writes).size < writes.length) seen.overlapping++;
    if (new Set(log.map(({ t }) => t)).size < cycles) seen.idle++;
  }

  for (const [kind, count] of Object.entries(seen)) expect(count, kind).toBeGreaterThan(2);
});
