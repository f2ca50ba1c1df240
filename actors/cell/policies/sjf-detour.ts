import { segmentNodeCount } from '../rings.ts';
import { chooseRow } from './placement-rule.ts';
import type { Policy, PolicySpec } from './policy.ts';
import { Round } from './round.ts';

/** Cycles of waiting that outweigh one byte of size (Cell specification 17.3, step 1). */
const waitPerByte = 50;

/** Below this many candidates a plain insertion sort beats the call of the library's sort. */
const insertionSortMax = 24;

/**
 * The default policy: shortest transfer first with ageing; the tightest free segment of the short direction, or a detour when the
 * waiting saved outweighs what it takes from the others (Cell specification 17.3).
 *
 * *Details*: two shortcuts leave the result as it is. All waits grow together, so the order by `50*size - wait` is the
 * order by `50*size + issue`, which time does not change. And within a round segments only become busy, so a request that fits nowhere
 * at its beginning will not start in it; it counts among the `others` at whatever place it stands. Hence only the requests that fit
 * somewhere are put in order: O(P + C log C) for C of them.
 */
export function sjfDetour(spec: PolicySpec): Policy {
  const { N, K } = spec;
  const round = new Round(spec);
  let keys = new Float64Array(64);

  return {
    name: 'sjf-detour',
    workConserving: false,
    // A grant changes `others` and the short segments' free cycles, so a detour refused in t may be allowed in t + 1.
    decidesOnlyOnChange: false,
    // Without one, only the benefit changes, and it falls.
    restsAfterEmptyRound: true,
    initialState: () => ({}),
    decide(view) {
      const { pending } = view;
      const count = pending.length;
      round.begin(view);
      if (keys.length < count) keys = new Float64Array(2 * count);
      const board = round.board;
      const oldest = count > 0 ? pending[0]!.issue : 0;
      let candidates = 0;
      for (let index = 0; index < count; index++) {
        const { src, dst, size, issue } = pending[index]!;
        if (
          board.longestRun(0, src) >= segmentNodeCount(N, 0, src, dst) ||
          board.longestRun(1, src) >= segmentNodeCount(N, 1, src, dst)
        ) {
          // The list position makes keys different and breaks ties in FIFO order.
          keys[candidates++] = (waitPerByte * size + issue - oldest) * count + index;
        }
      }
      sortKeys(keys, candidates);
      for (let rank = 0; rank < candidates; rank++) {
        const index = keys[rank]! % count;
        const request = pending[index]!;
        const row = chooseRow(round.board, request, count - round.grantCount - 1);
        if (row < 0) continue;
        const dir = row < K ? 0 : 1;
        round.grant(request, index, dir, row - dir * K, segmentNodeCount(N, dir, request.src, request.dst));
      }
      return round.grants;
    },
  };
}

function sortKeys(keys: Float64Array, count: number): void {
  if (count > insertionSortMax) {
    keys.subarray(0, count).sort();
    return;
  }
  for (let next = 1; next < count; next++) {
    const key = keys[next]!;
    let place = next;
    for (; place > 0 && keys[place - 1]! > key; place--) keys[place] = keys[place - 1]!;
    keys[place] = key;
  }
}
