import { type RingBoard, segmentNodeCount } from '../rings.ts';
import { chooseRow } from './placement-rule.ts';
import type { PendingRequest, Policy, PolicySpec } from './policy.ts';
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
  /** A power of two above every list position: keys are divided by it exactly. */
  let stride = 1;

  /**
   * Writes the keys of all requests that might start into `keys` and returns their number. The list position in the low digits makes
   * keys different and breaks ties in FIFO order.
   */
  function collect(pending: readonly PendingRequest[], t: number, board: RingBoard): number {
    const count = pending.length;
    const oldest = count > 0 ? pending[0]!.issue : 0;
    stride = 1;
    while (stride < count) stride *= 2;
    let fitting = 0;
    let detours = 0;
    let largest = 0;
    for (let index = 0; index < count; index++) {
      const { src, dst, size, issue } = pending[index]!;
      const up = segmentNodeCount(N, 0, src, dst);
      const down = segmentNodeCount(N, 1, src, dst);
      const fitsUp = board.longestRun(0, src) >= up;
      const fitsDown = board.longestRun(1, src) >= down;
      if (!fitsUp && !fitsDown) continue;
      if (size > largest) largest = size;
      const key = (waitPerByte * size + issue - oldest) * stride + index;
      if ((fitsUp && up <= down) || (fitsDown && down <= up)) keys[fitting++] = key;
      else keys[count - ++detours] = key;
    }
    // A request that fits only the long way needs a detour. Even if all candidates start before it, and the largest of them on its short
    // way, most detours cannot pay: those requests are left out.
    const othersMin = Math.max(0, count - fitting - detours);
    const benefitMax = Math.max(board.latestEnd, t + largest) - t;
    for (let place = count - detours; place < count; place++) {
      const key = keys[place]!;
      const { src, dst, size } = pending[key - Math.floor(key / stride) * stride]!;
      const extra = size * Math.abs(segmentNodeCount(N, 0, src, dst) - segmentNodeCount(N, 1, src, dst));
      if (5 * N * K * benefitMax > 5 * extra * othersMin + K * extra) keys[fitting++] = key;
    }
    return fitting;
  }

  return {
    name: 'sjf-detour',
    workConserving: false,
    // A grant changes `others` and the short segments' free cycles, so a detour refused in t may be allowed in t + 1.
    decidesOnlyOnChange: false,
    // Without one, only the benefit changes, and it falls.
    restsAfterEmptyRound: true,
    initialState: () => ({}),
    decide(view) {
      const { pending, t } = view;
      const count = pending.length;
      round.begin(view);
      if (keys.length < count) keys = new Float64Array(2 * count);
      const candidates = collect(pending, t, round.board);
      sortKeys(keys, candidates);
      for (let rank = 0; rank < candidates; rank++) {
        const key = keys[rank]!;
        const index = key - Math.floor(key / stride) * stride;
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
