import fc from 'fast-check';
import { expect, test } from 'vitest';
import { arbitrate } from '../arbitrate.ts';
import { RingBoard, segmentNodes } from '../rings.ts';
import { arbitraryInstance } from './instances.arbitrary.ts';
import type { ArbitrationView, Grant, PendingRequest, Policy } from './policy.ts';
import { sjfDetour } from './sjf-detour.ts';

/** Cell specification 17.3 word by word: everything sorted anew, every node looked at. */
function literally(view: ArbitrationView): Grant[] {
  const { t, N, K, pending } = view;
  const free = [0, 1].map((dir) =>
    Array.from({ length: K }, (_, ring) =>
      Array.from({ length: N }, (_, node) => view.board.freeFromAt(dir as 0 | 1, ring, node)),
    ),
  );
  const gap = (dir: number, ring: number, nodes: number[]): number => {
    let score = 0;
    const step = dir === 0 ? 1 : N - 1;
    for (let n = (nodes.at(-1)! + step) % N; n !== nodes[0] && free[dir]![ring]![n]! <= t; n = (n + step) % N)
      score++;
    for (
      let n = (nodes[0]! + N - step) % N;
      n !== nodes.at(-1) && free[dir]![ring]![n]! <= t;
      n = (n + N - step) % N
    )
      score++;
    return score;
  };
  const candidates = (dirs: number[], of: number[][]): Array<[dir: number, ring: number]> =>
    dirs
      .flatMap((dir) => free[dir]!.map((_, ring): [number, number] => [dir, ring]))
      .filter(([dir, ring]) => of[dir]!.every((node) => free[dir]![ring]![node]! <= t))
      .sort((a, b) => gap(a[0], a[1], of[a[0]]!) - gap(b[0], b[1], of[b[0]]!) || a[0] - b[0] || a[1] - b[1]);

  const key = (index: number): number => 50 * pending[index]!.size - (t - (pending[index]!.issue + 1));
  const order = pending.map((_, index) => index).sort((a, b) => key(a) - key(b) || a - b);
  const grants: Grant[] = [];
  for (const index of order) {
    const { src, dst, size } = pending[index]!;
    const of = [segmentNodes(N, 0, src, dst), segmentNodes(N, 1, src, dst)];
    const [up, down] = [of[0]!.length, of[1]!.length];
    let found = candidates(up === down ? [0, 1] : [up < down ? 0 : 1], of);
    if (found.length === 0 && up !== down) {
      const short = up < down ? 0 : 1;
      const firstFree = Math.min(
        ...free[short]!.map((nodes) => Math.max(...of[short]!.map((node) => nodes[node]!))),
      );
      const extra = size * Math.abs(up - down);
      const others = pending.length - grants.length - 1;
      if (5 * N * K * (firstFree - t) > 5 * extra * others + K * extra) found = candidates([1 - short], of);
    }
    if (found.length === 0) continue;
    const [dir, ring] = found[0]!;
    for (const node of of[dir]!) free[dir]![ring]![node] = t + size;
    grants.push({ index, dir: dir as 0 | 1, ring });
  }
  return grants;
}

test('grants what Cell specification 17.3 says, word by word, in every cycle of a run', () => {
  fc.assert(
    fc.property(arbitraryInstance({ requestsMax: 40 }), (instance) => {
      const fast = sjfDetour(instance);
      const compared: Policy = {
        ...fast,
        restsAfterEmptyRound: false,
        decide(view, state) {
          const expected = literally(view);
          const grants = fast.decide(view, state);
          expect(grants).toEqual(expected);
          return grants;
        },
      };

      arbitrate(instance, compared);
    }),
    { numRuns: 150 },
  );
});

function pendingRequest(src: number, dst: number, size: number, issue: number, id: number): PendingRequest {
  return { src, dst, size, issue, initiator: src, id };
}

function decide(board: RingBoard, t: number, pending: readonly PendingRequest[]): readonly Grant[] {
  const spec = { N: board.N, K: board.K };
  const policy = sjfDetour(spec);
  board.advance(t);
  return policy.decide({ t, pending, board, ...spec }, policy.initialState());
}

test('a short transfer goes first, but fifty cycles of waiting outweigh one byte', () => {
  const first = (issue: number): number =>
    decide(new RingBoard(2, 1), 200, [pendingRequest(0, 1, 3, 0, 0), pendingRequest(1, 0, 2, issue, 1)])[0]!
      .index;

  expect(first(49)).toBe(1);
  expect(first(50)).toBe(0);
});

/** Eight nodes, one ring each way; the way up from 0 to 1 (2 nodes, the way down has 8) is busy until 10. */
function busyUntilTen(): RingBoard {
  const board = new RingBoard(8, 1);
  board.advance(1);
  board.reserve(0, 0, 0, 2, 10);
  return board;
}

test('a detour is taken only when it saves more than it costs the others', () => {
  const stuck = pendingRequest(0, 1, 60, 0, 0);
  const alone = (size: number) => decide(busyUntilTen(), 1, [pendingRequest(0, 1, size, 0, 0)]);
  const withOther = (size: number) => decide(busyUntilTen(), 1, [stuck, pendingRequest(0, 1, size, 0, 1)]);

  // The benefit is 9 cycles: 5*8*9 = 360 against 6*size pays below 60 bytes.
  expect(alone(59)).toEqual([{ index: 0, dir: 1, ring: 0 }]);
  expect(alone(60)).toEqual([]);
  // With one other: 360 against 30*size + 6*size.
  expect(withOther(9)).toEqual([{ index: 1, dir: 1, ring: 0 }]);
  expect(withOther(10)).toEqual([]);
});

test('requests started earlier in the round are no longer others', () => {
  const pending = [
    pendingRequest(3, 4, 1, 0, 0),
    pendingRequest(0, 1, 9, 0, 1),
    pendingRequest(0, 1, 9, 0, 2),
  ];

  expect(decide(busyUntilTen(), 1, pending)).toEqual([
    { index: 0, dir: 0, ring: 0 },
    { index: 1, dir: 1, ring: 0 },
  ]);
});

test('a transfer started in the same round can make a detour pay', () => {
  // Node 0 is busy upward until 263 only, but the older transfer takes node 1 until 281: 800 against 90 instead of 80 against 90.
  const board = new RingBoard(8, 1);
  board.advance(261);
  board.reserve(0, 0, 0, 1, 263);

  expect(decide(board, 261, [pendingRequest(1, 2, 20, 0, 0), pendingRequest(0, 1, 15, 260, 1)])).toEqual([
    { index: 0, dir: 0, ring: 0 },
    { index: 1, dir: 1, ring: 0 },
  ]);
});

test('a detour refused in one cycle may be taken in the next, after a grant left fewer others', () => {
  const spec = { N: 8, K: 1 };
  // Cycle 2: benefit 8, two others, 320 against 396. The third request starts; cycle 3: benefit 7, one other, 280 against 216.
  const requests = [
    [0, 0, 1, 9],
    [1, 0, 1, 6],
    [1, 3, 4, 7],
    [1, 0, 1, 60],
  ] as const;

  const { placements } = arbitrate({ ...spec, requests }, sjfDetour(spec));

  expect(placements.slice(0, 3)).toEqual([
    [1, 0, 0],
    [3, 1, 0],
    [2, 0, 0],
  ]);
});
