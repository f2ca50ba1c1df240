import type { ArbitrationInstance, InstanceRequest } from './arbitrate.ts';
import { nextRandom, randomState } from './policies/random.ts';
import { segmentNodeCount } from './rings.ts';

/** Who talks to whom: `uniform` is the pattern of Cell specification 17.6, the others are those of 21.1. */
export type TrafficPattern = 'uniform' | 'burst' | 'hotSpot' | 'neighbour' | 'complement';

/** What an open-loop instance is drawn from (Cell specification 17.6). */
export interface OpenLoopSpec {
  /** Nodes a ring, at least 2. */
  readonly N: number;
  /** Rings a direction. */
  readonly K: number;
  /** Offered node-cycles in the short direction over 2KN, as if the pattern were uniform; from about 0.8 on the queue grows. */
  readonly load: number;
  /** `uniform` draws 1..32 bytes, `bimodal` 2..8 in 80 % and 32..64 in the rest, `small` 1..8. */
  readonly sizes: 'uniform' | 'bimodal' | 'small';
  readonly pattern: TrafficPattern;
  /** Requests to draw. */
  readonly count: number;
  /** Any integer; the same seed draws the same instance. */
  readonly seed: number;
}

const meanSize = { uniform: 16.5, bimodal: 0.8 * 5 + 0.2 * 48, small: 4.5 } as const;

/** Draws one arbitration instance with requests at random cycles (Cell specification 17.6, 21.1). */
export function openLoopInstance(spec: OpenLoopSpec): ArbitrationInstance {
  const { N, K, load, sizes, pattern, count } = spec;
  let state = randomState(spec.seed);
  const below = (bound: number): number => {
    state = nextRandom(state);
    return state % bound;
  };
  let nodes = 0;
  for (let dst = 1; dst < N; dst++)
    nodes += Math.min(segmentNodeCount(N, 0, 0, dst), segmentNodeCount(N, 1, 0, dst));
  const perSpuAndCycle = Math.min(1, (load * 2 * K * (N - 1)) / (meanSize[sizes] * nodes));
  const requests: InstanceRequest[] = [];
  for (let cycle = 0; requests.length < count; cycle++) {
    // Bursts: sixteen times the load in every sixteenth cycle.
    const chance =
      pattern !== 'burst' ? perSpuAndCycle : cycle % 16 === 0 ? Math.min(1, 16 * perSpuAndCycle) : 0;
    for (let spu = 0; spu < N && requests.length < count; spu++) {
      if (below(1_000_003) >= chance * 1_000_003) continue;
      const peer = choosePeer(spu, N, pattern, below);
      const put = below(2) === 1;
      requests.push([cycle, put ? spu : peer, put ? peer : spu, drawSize(sizes, below)]);
    }
  }
  return { N, K, requests };
}

function choosePeer(
  spu: number,
  N: number,
  pattern: TrafficPattern,
  below: (bound: number) => number,
): number {
  const other = below(N - 1);
  const uniform = other < spu ? other : other + 1;
  switch (pattern) {
    case 'uniform':
    case 'burst':
      return uniform;
    case 'hotSpot':
      return spu !== 0 && below(2) === 0 ? 0 : uniform;
    case 'neighbour':
      return (spu + (below(2) === 0 ? 1 : N - 1)) % N;
    case 'complement':
      return N - 1 - spu;
  }
}

function drawSize(sizes: OpenLoopSpec['sizes'], below: (bound: number) => number): number {
  if (sizes === 'uniform') return 1 + below(32);
  if (sizes === 'small') return 1 + below(8);
  return below(10) < 8 ? 2 + below(7) : 32 + below(33);
}
