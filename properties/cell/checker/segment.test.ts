import { describe, expect, test } from 'vitest';
import { namesSegment, segmentNodes, shortLength } from './segment.ts';

/** The node lists for N = 4 (Cell specification 5). */
const TABLE: readonly (readonly [src: number, dst: number, dir0: string, dir1: string])[] = [
  [0, 0, '0', '0'],
  [0, 1, '0,1', '0,3,2,1'],
  [0, 2, '0,1,2', '0,3,2'],
  [0, 3, '0,1,2,3', '0,3'],
  [1, 0, '1,2,3,0', '1,0'],
  [1, 2, '1,2', '1,0,3,2'],
  [1, 3, '1,2,3', '1,0,3'],
  [2, 0, '2,3,0', '2,1,0'],
  [2, 1, '2,3,0,1', '2,1'],
  [2, 3, '2,3', '2,1,0,3'],
  [3, 0, '3,0', '3,2,1,0'],
  [3, 1, '3,0,1', '3,2,1'],
  [3, 2, '3,0,1,2', '3,2'],
];

describe('segments', () => {
  test.each(TABLE)('%i to %i has the node lists of the specification', (src, dst, dir0, dir1) => {
    expect([0, 1].map((dir) => segmentNodes(4, dir, src, dst).join(','))).toEqual([dir0, dir1]);
    expect(shortLength(4, src, dst)).toBe(Math.min(dir0.split(',').length, dir1.split(',').length));
  });

  test('a list names a segment in any order, but completely and only once', () => {
    const fits = [
      [2, 0, 3],
      [2, 3],
      [2, 3, 3],
      [2, 3, 1],
      [2, 3, 0, 1],
      [2, 3, 4],
    ].map((nodes) => namesSegment(nodes, 4, 0, 2, 0));

    expect(fits).toEqual([true, false, false, false, false, false]);
  });
});
