import { segmentNodeCount } from '../rings.ts';
import type { Policy, PolicySpec } from './policy.ts';
import { Round } from './round.ts';

/**
 * Oldest first, short direction first (direction 0 when both are short), then the other; requests that cannot start are
 * skipped (Cell specification 17.2).
 */
export function fifoBoth(spec: PolicySpec): Policy {
  const { N } = spec;
  const round = new Round(spec);
  return {
    name: 'fifo-both',
    workConserving: true,
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
        const short = up <= down ? 0 : 1;
        const shortNodes = short === 0 ? up : down;
        const shortRing = round.board.firstRing(short, src, shortNodes, size);
        if (shortRing >= 0) {
          round.grant(request, index, short, shortRing, shortNodes);
          continue;
        }
        const long = short === 0 ? 1 : 0;
        const longNodes = short === 0 ? down : up;
        const longRing = round.board.firstRing(long, src, longNodes, size);
        if (longRing >= 0) round.grant(request, index, long, longRing, longNodes);
      }
      return round.grants;
    },
  };
}
