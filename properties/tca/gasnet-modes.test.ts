import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addressOf } from '../../actors/tca/address-map.ts';
import type { Gasnet, GasnetProgram } from '../../actors/tca/gasnet/gasnet.ts';
import { effort } from '../../kernel/testing/effort.ts';
import { gasnetConfigOf, gasnetTrial, patternBytes, userBytes } from './gasnet-runs.ts';

/** Kinds of memory: both segments, memory of the processor that is not registered, and memory of the GPU that is not. */
type Kind = 'cpu' | 'gpu' | 'private' | 'privateGpu';

const gpuSegment = 32_768;

function placed(gasnet: Gasnet, rank: number, kind: Kind, offset: number): number {
  if (kind === 'private') return gasnet.privateMemory.base + offset;
  if (kind === 'privateGpu') return addressOf(rank, 'gpu', gpuSegment + offset);
  return gasnet.segment(rank, kind).base + offset;
}

const transfer = fc.record({
  source: fc.constantFrom<Kind>('cpu', 'gpu', 'private', 'privateGpu'),
  target: fc.constantFrom<Kind>('cpu', 'gpu', 'private', 'privateGpu'),
  size: fc.oneof(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 201, max: 9000 })),
  sourceOffset: fc.integer({ min: 0, max: 40 }),
  targetOffset: fc.integer({ min: 0, max: 40 }),
  seed: fc.nat(99),
});
type Transfer = typeof transfer extends fc.Arbitrary<infer T> ? T : never;

const segmentKind = (kind: Kind): 'cpu' | 'gpu' => (kind === 'cpu' || kind === 'private' ? 'cpu' : 'gpu');

/** Node 0 puts, or node 1 gets: the bytes go from node 0 to node 1 in either case. */
function programs(one: Transfer, way: 'put' | 'get'): readonly GasnetProgram[] {
  const { size, seed } = one;
  // Only the initiator may use memory outside of its segment.
  const source = way === 'get' ? segmentKind(one.source) : one.source;
  const target = way === 'put' ? segmentKind(one.target) : one.target;
  return [0, 1].map(
    (rank): GasnetProgram =>
      function* (gasnet) {
        yield* gasnet.init();
        yield* gasnet.attach([], { gpu: gpuSegment });
        const src = placed(gasnet, 0, rank === 0 ? source : segmentKind(source), one.sourceOffset);
        const dst = placed(gasnet, 1, rank === 1 ? target : segmentKind(target), one.targetOffset);
        if (rank === 0) yield* gasnet.write(src, patternBytes(seed, size));
        yield* gasnet.barrier();
        if (way === 'put' && rank === 0) yield* gasnet.put(dst, src, size);
        if (way === 'get' && rank === 1) yield* gasnet.get(dst, src, size);
        yield* gasnet.barrier();
        if (rank === 1) {
          const found = yield* gasnet.read(dst, size);
          const expected = patternBytes(seed, size);
          const wrong = found.findIndex((byte, k) => byte !== expected[k]);
          if (wrong >= 0) throw new Error(`byte ${wrong} is ${found[wrong]}, not ${expected[wrong]}`);
        }
      },
  );
}

const modes = ['auto', 'MtoM', 'BtoM', 'MtoB', 'BtoB'] as const;

test.each(modes)(
  '%s moves the same bytes and touches nothing beside them',
  (forceMode) => {
    const law = fc.property(
      transfer,
      fc.constantFrom('put' as const, 'get' as const),
      fc.constantFrom([0], [0, 1, 2, 3], [1, 3]),
      fc.constantFrom('eager', 'half'),
      (one, way, channels, update) => {
        const config = gasnetConfigOf({
          forceMode,
          channels,
          update,
          slotBytes: 1024,
          sendBufferBytes: 2048,
        });
        const run = gasnetTrial(config, programs(one, way));

        expect(run.raised).toEqual([]);
        expect([...userBytes(config, run, 1).values()].length).toBe(one.size);
        expect([...userBytes(config, run, 0).values()].length).toBe(one.size);
      },
    );

    fc.assert(law, { numRuns: effort({ short: 5, long: 25 }), seed: 13 });
  },
  60_000,
);
