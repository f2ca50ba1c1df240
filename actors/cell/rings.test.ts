import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { effort } from '../../kernel/testing/effort.ts';
import { RingBoard, type RingDirection, segmentNodeCount, segmentNodes } from './rings.ts';

describe('segments', () => {
  test('the segments of four nodes are those of the table in Cell specification 5', () => {
    const table: Array<[number, number, number[], number[]]> = [
      [0, 0, [0], [0]],
      [0, 1, [0, 1], [0, 3, 2, 1]],
      [0, 2, [0, 1, 2], [0, 3, 2]],
      [0, 3, [0, 1, 2, 3], [0, 3]],
      [1, 0, [1, 2, 3, 0], [1, 0]],
      [1, 2, [1, 2], [1, 0, 3, 2]],
      [1, 3, [1, 2, 3], [1, 0, 3]],
      [2, 0, [2, 3, 0], [2, 1, 0]],
      [2, 1, [2, 3, 0, 1], [2, 1]],
      [2, 3, [2, 3], [2, 1, 0, 3]],
      [3, 0, [3, 0], [3, 2, 1, 0]],
      [3, 1, [3, 0, 1], [3, 2, 1]],
      [3, 2, [3, 0, 1, 2], [3, 2]],
    ];

    for (const [src, dst, up, down] of table) {
      expect(segmentNodes(4, 0, src, dst), `${src} to ${dst} upward`).toEqual(up);
      expect(segmentNodes(4, 1, src, dst), `${src} to ${dst} downward`).toEqual(down);
    }
  });

  test('the two segments of a pair of different nodes have N + 2 nodes together', () => {
    for (const N of [2, 3, 8, 65]) {
      for (let dst = 1; dst < N; dst++) {
        expect(segmentNodeCount(N, 0, 0, dst) + segmentNodeCount(N, 1, 0, dst)).toBe(N + 2);
      }
    }
  });

  test('the mean node count in the short direction is that of Cell specification 5', () => {
    for (const [N, mean] of [
      [8, 3.29],
      [12, 4.27],
      [16, 5.27],
      [64, 17.25],
    ] as const) {
      let sum = 0;
      for (let dst = 1; dst < N; dst++)
        sum += Math.min(segmentNodeCount(N, 0, 0, dst), segmentNodeCount(N, 1, 0, dst));
      expect(sum / (N - 1)).toBeCloseTo(mean, 2);
    }
  });
});

/** The same board as a plain list of transfers, every question answered from the node lists. */
class ListBoard {
  readonly transfers: Array<{ dir: number; ring: number; nodes: number[]; end: number }> = [];
  held: { dir: number; ring: number; nodes: number[]; from: number } | null = null;

  constructor(readonly N: number) {}

  freeFrom(dir: number, ring: number, node: number): number {
    const users = this.transfers.filter(
      (one) => one.dir === dir && one.ring === ring && one.nodes.includes(node),
    );
    return Math.max(0, ...users.map((one) => one.end));
  }

  latest(dir: number, ring: number, nodes: number[]): number {
    return Math.max(...nodes.map((node) => this.freeFrom(dir, ring, node)));
  }

  fits(dir: number, ring: number, nodes: number[], size: number, t: number): boolean {
    if (this.latest(dir, ring, nodes) > t) return false;
    const { held } = this;
    if (held === null || held.dir !== dir || held.ring !== ring || t >= held.from || t + size <= held.from)
      return true;
    return !nodes.some((node) => held.nodes.includes(node));
  }

  gap(dir: number, ring: number, nodes: number[], t: number): number {
    const step = dir === 0 ? 1 : this.N - 1;
    const walk = (from: number, stride: number): number => {
      let count = 0;
      let node = (from + stride) % this.N;
      for (; !nodes.includes(node) && this.freeFrom(dir, ring, node) <= t; node = (node + stride) % this.N)
        count += 1;
      return count;
    };
    return walk(nodes[nodes.length - 1]!, step) + walk(nodes[0]!, this.N - step);
  }
}

const steps = fc.array(
  fc.record({
    kind: fc.constantFrom('advance', 'reserve', 'reserve', 'hold', 'fork'),
    dir: fc.constantFrom<RingDirection>(0, 1),
    ring: fc.nat(63),
    src: fc.nat(1023),
    dst: fc.nat(1023),
    size: fc.integer({ min: 1, max: 9 }),
  }),
  { maxLength: 25 },
);

describe('RingBoard', () => {
  test('answers every question like a list of transfers does, whatever was reserved, held, forked and waited', () => {
    const numbers = fc.record({ N: fc.integer({ min: 1, max: 9 }), K: fc.integer({ min: 1, max: 3 }) });
    const origin = fc.constantFrom(0, 7, 2 ** 40);
    fc.assert(
      fc.property(numbers, origin, steps, ({ N, K }, start, list) => {
        let board = new RingBoard(N, K);
        const model = new ListBoard(N);
        board.advance(start);

        for (const step of list) {
          const { dir, size } = step;
          const [ring, src, dst] = [step.ring % K, step.src % N, step.dst % N];
          const nodes = segmentNodes(N, dir, src, dst);
          const free = model.fits(dir, ring, nodes, size, board.now);
          expect(board.fits(dir, ring, src, nodes.length, size)).toBe(free);
          if (step.kind === 'advance') board.advance(board.now + size);
          if (step.kind === 'fork') board = board.fork();
          if (step.kind === 'hold') {
            board.hold(dir, ring, src, nodes.length, board.now + size);
            model.held = { dir, ring, nodes, from: board.now + size };
          }
          if (step.kind === 'reserve' && free) {
            expect(board.gap(dir, ring, src, nodes.length)).toBe(model.gap(dir, ring, nodes, board.now));
            board.reserve(dir, ring, src, nodes.length, board.now + size);
            model.transfers.push({ dir, ring, nodes, end: board.now + size });
          }
        }

        for (const dir of [0, 1] as const) {
          for (let src = 0; src < N; src++) {
            let longest = 0;
            for (let dst = 0; dst < N; dst++) {
              const nodes = segmentNodes(N, dir, src, dst);
              const rings = Array.from({ length: K }, (_, ring) => ring);
              const fitting = rings.filter((ring) => model.fits(dir, ring, nodes, 3, board.now));
              const gaps = fitting.map((ring) => model.gap(dir, ring, nodes, board.now));
              const tightest = fitting[gaps.indexOf(Math.min(...gaps))] ?? -1;
              expect(board.firstRing(dir, src, nodes.length, 3)).toBe(fitting[0] ?? -1);
              expect(board.tightestRing(dir, src, nodes.length, 3)).toBe(tightest);
              for (const ring of rings) {
                const latest = model.latest(dir, ring, nodes);
                expect(board.latestFree(dir, ring, src, nodes.length)).toBe(latest);
                expect(board.isFree(dir, ring, src, nodes.length, board.now)).toBe(latest <= board.now);
                if (latest <= board.now) longest = Math.max(longest, nodes.length);
              }
            }
            expect(board.longestRun(dir, src)).toBe(longest);
            for (let ring = 0; ring < K; ring++)
              expect(board.freeFromAt(dir, ring, src)).toBe(model.freeFrom(dir, ring, src));
          }
        }
        const ends = model.transfers.map((one) => one.end).filter((end) => end > board.now);
        expect(board.nextRelease()).toBe(Math.min(Number.POSITIVE_INFINITY, ...ends));
      }),
      { numRuns: effort({ short: 120, long: 300 }) },
    );
  });

  test('a fork does not see what happens to the original', () => {
    const board = new RingBoard(8, 2);

    const copy = board.fork();
    board.reserve(1, 1, 3, 4, 20);

    expect(board.latestFree(1, 1, 3, 4)).toBe(20);
    expect(copy.latestFree(1, 1, 3, 4)).toBe(0);
    expect(copy.fits(1, 1, 3, 4, 1)).toBe(true);
  });

  test('going back in time asks the cycle numbers again', () => {
    const board = new RingBoard(8, 1);
    board.reserve(0, 0, 2, 3, 20);

    board.advance(20);
    const later = board.fits(0, 0, 2, 3, 1);
    board.advance(19);

    expect(later).toBe(true);
    expect(board.fits(0, 0, 2, 3, 1)).toBe(false);
  });

  test('refuses machines outside the ranges of the specification', () => {
    expect(() => new RingBoard(0, 1)).toThrow('N is 0');
    expect(() => new RingBoard(1025, 1)).toThrow('N is 1025');
    expect(() => new RingBoard(4, 65)).toThrow('K is 65');
  });
});
