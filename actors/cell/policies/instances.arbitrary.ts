import fc from 'fast-check';
import type { ArbitrationInstance } from '../arbitrate.ts';
import { openLoopInstance, type TrafficPattern } from '../open-loop.ts';

const patterns: readonly TrafficPattern[] = ['uniform', 'burst', 'hotSpot', 'neighbour', 'complement'];

/** Arbitration instances for property tests: crowded lists that shrink well, and drawn traffic (Cell specification 21.1). */
export function arbitraryInstance({
  requestsMax,
}: {
  readonly requestsMax: number;
}): fc.Arbitrary<ArbitrationInstance> {
  const crowded = fc
    .record({ N: fc.integer({ min: 1, max: 9 }), K: fc.integer({ min: 1, max: 3 }) })
    .chain(({ N, K }) => {
      const node = fc.nat(N - 1);
      const request = fc.tuple(
        fc.nat(20),
        node,
        node,
        fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 40 })),
      );
      return fc
        .array(request, { maxLength: requestsMax })
        .map((list) => ({ N, K, requests: list.sort((a, b) => a[0] - b[0]) }));
    });
  const traffic = fc
    .record({
      N: fc.oneof(fc.integer({ min: 2, max: 9 }), fc.constantFrom(12, 33, 64)),
      K: fc.integer({ min: 1, max: 4 }),
      load: fc.constantFrom(0.3, 0.6, 0.9, 1.2),
      sizes: fc.constantFrom('uniform' as const, 'bimodal' as const, 'small' as const),
      pattern: fc.constantFrom(...patterns),
      count: fc.integer({ min: 1, max: requestsMax }),
      seed: fc.nat(),
    })
    .map(openLoopInstance);
  return fc.oneof(crowded, traffic);
}
