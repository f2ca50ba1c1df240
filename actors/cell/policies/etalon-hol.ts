import { segmentNodeCount } from '../rings.ts';
import type { Policy, PolicySpec } from './policy.ts';
import { Round } from './round.ts';

/**
 * Head of line: oldest first, direction 0 first, and the first request that cannot start ends the round (Cell specification 17.2).
 * Easier after reading `etalon-ff.ts`; the only difference is that end.
 */
export function etalonHol(spec: PolicySpec): Policy {
  const { N } = spec;
  const round = new Round(spec);
  return {
    name: 'etalon-hol',
    workConserving: false,
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
        const upRing = round.board.firstRing(0, src, up, size);
        if (upRing >= 0) {
          round.grant(request, index, 0, upRing, up);
          continue;
        }
        const down = segmentNodeCount(N, 1, src, dst);
        const downRing = round.board.firstRing(1, src, down, size);
        if (downRing < 0) break;
        round.grant(request, index, 1, downRing, down);
      }
      return round.grants;
    },
  };
}
