import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hexOf } from '../../actors/cell/fnv.ts';
import { policyNames } from '../../actors/cell/policies/policies.ts';
import type { TimedInstruction } from '../../actors/cell/program.ts';
import { effort } from '../../kernel/testing/effort.ts';
import { cellMutants } from '../../machines/cell/mutants.ts';
import { soundParts } from '../../machines/cell/parts.ts';
import { fnv1a32 } from '../../scenarios/cell/result.ts';
import {
  type CellGiven,
  closedLoopGiven,
  given,
  raceFreeGiven,
  racyGiven,
  type TimedGiven,
} from './arbitraries.ts';
import { campaignCase, faultOf, timingOf } from './campaign.ts';
import { initialByte } from './checker/memory-image.ts';
import { trial } from './trial.ts';

const seeds = fc.tuple(fc.nat(), fc.nat());

const underPolicy = <G extends CellGiven>(one: G, policy: CellGiven['config']['policy']): G => ({
  ...one,
  config: { ...one.config, policy },
});

describe.each(policyNames)('%s', (policy) => {
  test('keeps every invariant in every order of deliveries (P-1, P-10)', () => {
    fc.assert(
      fc.property(campaignCase, ({ given, seed }) => {
        const { raised } = trial(underPolicy(given, policy), { seed });

        expect(raised).toEqual([]);
      }),
      { numRuns: effort({ short: 6, long: 25 }), seed: 27 },
    );
  });
});

test('a campaign finds nothing wrong with the sound machine (P-1, P-2, P-3, P-10, P-16)', () => {
  fc.assert(
    fc.property(campaignCase, (one) => {
      expect(faultOf(one)).toBeUndefined();
    }),
    { numRuns: effort({ short: 10, long: 40 }), seed: 27 },
  );
});

test('timing and status answers are the same in every order of deliveries, races or not (P-2)', () => {
  let picks = 0;
  fc.assert(
    fc.property(fc.oneof(racyGiven, closedLoopGiven), seeds, (one, two) => {
      const runs = [undefined, ...two].map((seed) =>
        trial(one, { properties: [], keepLog: true, ...(seed !== undefined && { seed }) }),
      );
      const answers = runs.map(({ log }) =>
        log
          .flatMap((event) =>
            event.ev === 'STATUS'
              ? [[event.spu, event.t, event.id, event.status, event.dir, event.ring]]
              : [],
          )
          // The SPUs of one cycle answer in any order, each in its own.
          .sort(([a], [b]) => a! - b!),
      );
      for (const run of runs) picks += run.tape.length;

      expect(runs.slice(1).map(timingOf)).toEqual([timingOf(runs[0]!), timingOf(runs[0]!)]);
      expect(answers.slice(1)).toEqual([answers[0], answers[0]]);
    }),
    { numRuns: effort({ short: 15, long: 60 }), seed: 2 },
  );
  expect(picks).toBeGreaterThan(effort({ short: 250, long: 1000 }));
});

test('memories and reads of a race-free program are the same in every order of deliveries (P-3)', () => {
  fc.assert(
    fc.property(fc.oneof(raceFreeGiven, closedLoopGiven), seeds, (one, two) => {
      const runs = [undefined, ...two].map(
        (seed) => trial(one, { properties: [], ...(seed !== undefined && { seed }) }).result,
      );

      for (const { memHash, readHash } of runs)
        expect([memHash, readHash]).toEqual([runs[0]!.memHash, runs[0]!.readHash]);
    }),
    { numRuns: effort({ short: 15, long: 60 }), seed: 27 },
  );
});

test('a race shows: some racy program ends with other memories in another order', () => {
  const cases = fc.sample(fc.tuple(racyGiven, fc.nat()), {
    seed: 3,
    numRuns: effort({ short: 24, long: 60 }),
  });

  const differing = cases.filter(([one, seed]) => {
    const [canonical, random] = [{}, { seed }].map((options) => trial(one, { properties: [], ...options }));
    return canonical!.result.memHash !== random!.result.memHash;
  });

  expect(differing.length).toBeGreaterThan(0);
});

/** A race-free program whose course does not hang on when its requests are served: what it reads must not either. */
const untimedGiven: fc.Arbitrary<TimedGiven> = raceFreeGiven.map(({ name, config, programs }) =>
  given(
    name,
    { ...config, maxOutstanding: null },
    programs.map((list) => list.filter(({ instruction }) => instruction.op !== 'status')),
  ),
);

test('memories and reads of a race-free program are the same under every policy (P-3)', () => {
  fc.assert(
    fc.property(untimedGiven, (one) => {
      const hashes = policyNames.map((policy) => {
        const { memHash, readHash } = trial(underPolicy(one, policy), { properties: [] }).result;
        return `${memHash} ${readHash}`;
      });

      expect(new Set(hashes).size).toBe(1);
    }),
    { numRuns: effort({ short: 10, long: 40 }), seed: 27 },
  );
});

/** The memories after all writes and transfers, one after another, each at once, in the order of issue. */
function serially({ config: { N, memSize, memory }, programs }: TimedGiven): string {
  const memories = Array.from({ length: N }, (_, spu) =>
    Uint8Array.from({ length: memSize }, (_, address) => initialByte(memory, spu, address)),
  );
  const order = programs
    .flatMap((list, spu) => list.map((timed) => ({ ...timed, spu })))
    .sort((a, b) => a.cycle - b.cycle || a.spu - b.spu);
  for (const { spu, instruction } of order) {
    if (instruction.op === 'write') memories[spu]![instruction.addr] = instruction.value;
    if (instruction.op !== 'get' && instruction.op !== 'put') continue;
    const { op, my, peer, addr, size } = instruction;
    const [source, target, from, to] = op === 'get' ? [peer, spu, addr, my] : [spu, peer, my, addr];
    for (let i = 0; i < size; i++) memories[target]![to + i] = memories[source]![from + i]!;
  }
  return hexOf(memories.reduce((hash, bytes) => fnv1a32(bytes, hash), fnv1a32(new Uint8Array())));
}

test('a race-free program leaves what its transfers leave one after another in the order of issue (P-12)', () => {
  fc.assert(
    fc.property(raceFreeGiven, fc.nat(), (one, seed) => {
      expect(trial(one, { seed, properties: [] }).result.memHash).toBe(serially(one));
    }),
    { numRuns: effort({ short: 16, long: 80 }), seed: 27 },
  );
});

test('a write that is lost or a byte that is not moved is no serial result (P-12)', () => {
  const parts = cellMutants.get('M-10a')!.mutate(soundParts);
  const cases = fc.sample(raceFreeGiven, { seed: 4, numRuns: effort({ short: 6, long: 30 }) });

  const differing = cases.filter(
    (one) => trial(one, { parts, properties: [] }).result.memHash !== serially(one),
  );

  expect(differing.length).toBeGreaterThan(0);
});

test('bytes moved are the sizes of all requests, and there is a command for each (P-11)', () => {
  fc.assert(
    fc.property(fc.oneof(raceFreeGiven, closedLoopGiven), fc.nat(), (one, seed) => {
      const endless: CellGiven = { ...one, config: { ...one.config, run: 'untilIdle' } };
      const { result, log } = trial(endless, { seed, properties: [], keepLog: true });
      const count = (kind: string) => log.filter(({ ev }) => ev === kind).length;
      const bytesWritten = log.filter((event) => event.ev === 'WR' && event.by === 'dma').length;
      const sizes = result.transfers.reduce((sum, [, , , , , size]) => sum + size, 0);

      expect([result.bytes, result.commands, count('CMD'), bytesWritten]).toEqual([
        sizes,
        sizes,
        sizes,
        sizes,
      ]);
    }),
    { numRuns: effort({ short: 10, long: 50 }), seed: 27 },
  );
});

const isTransfer = ({ instruction: { op } }: TimedInstruction): boolean => op === 'get' || op === 'put';

/** The same workload with every size halved. */
function halved({ name, config, programs }: TimedGiven): TimedGiven {
  const half = (timed: TimedInstruction): TimedInstruction => {
    const { instruction } = timed;
    if (instruction.op !== 'get' && instruction.op !== 'put') return timed;
    return { ...timed, instruction: { ...instruction, size: Math.trunc(instruction.size / 2) } };
  };
  return given(
    name,
    config,
    programs.map((list) => list.map(half)),
  );
}

/** The same workload without the request that is issued last. */
function withoutLast({ name, config, programs }: TimedGiven): TimedGiven {
  const requests = programs.flatMap((list, spu) => list.filter(isTransfer).map((timed) => ({ timed, spu })));
  const last = requests.reduce<TimedInstruction | undefined>(
    (latest, { timed }) => (latest === undefined || timed.cycle >= latest.cycle ? timed : latest),
    undefined,
  );
  return given(
    name,
    config,
    programs.map((list) => list.filter((timed) => timed !== last)),
  );
}

test('halving all sizes or leaving the last request out breaks no invariant (P-18)', () => {
  fc.assert(
    fc.property(fc.oneof(racyGiven, raceFreeGiven), fc.nat(), (one, seed) => {
      expect(trial(halved(one), { seed }).raised).toEqual([]);
      expect(trial(withoutLast(one), { seed }).raised).toEqual([]);
    }),
    { numRuns: effort({ short: 10, long: 40 }), seed: 27 },
  );
});
