import { type RingDirection, segmentNodeCount } from '../rings.ts';
import type { Policy, PolicySpec } from './policy.ts';
import { Round } from './round.ts';

/** In what the policies that serve the oldest request first differ. */
export interface FifoRule {
  readonly name: string;
  /** Which direction is tried first: always 0, or the one with fewer nodes (0 when equal). */
  readonly first: 'direction 0' | 'short direction';
  /** What a request that cannot start does to those behind it. */
  readonly blocked: 'ends the round' | 'is skipped';
}

/** A policy that walks the pending requests from the oldest on and takes the first free segment (Cell specification 17.2). */
export function fifoPolicy(spec: PolicySpec, { name, first, blocked }: FifoRule): Policy {
  const { N } = spec;
  const round = new Round(spec);
  const skips = blocked === 'is skipped';
  const shortFirst = first === 'short direction';
  return {
    name,
    workConserving: skips,
    decidesOnlyOnChange: true,
    restsAfterEmptyRound: true,
    initialState: () => ({}),
    decide(view) {
      const { pending } = view;
      round.begin(view);
      for (let index = 0; index < pending.length; index++) {
        const request = pending[index]!;
        const { src, dst, size } = request;
        const up = segmentNodeCount(N, 0, src, dst);
        const down = segmentNodeCount(N, 1, src, dst);
        if (!round.board.mayFit(src, up, down)) {
          if (skips) continue;
          break;
        }
        let dir: RingDirection = shortFirst && down < up ? 1 : 0;
        let ring = round.board.firstRing(dir, src, dir === 0 ? up : down, size);
        if (ring < 0) {
          dir = dir === 0 ? 1 : 0;
          ring = round.board.firstRing(dir, src, dir === 0 ? up : down, size);
        }
        if (ring >= 0) round.grant(request, index, dir, ring, dir === 0 ? up : down);
        else if (!skips) break;
      }
      return round.grants;
    },
  };
}
