import { describe, expect, test } from 'vitest';
import { blockExtents, decompose, rankCount } from './decomposition.ts';

const odd = { imax: 11, jmax: 7, kmax: 5 };

/** What every rank owns of an axis, and what it allocates, as `first..end`. */
const extentsOf = (A: number, B: number, axis: 'i' | 'j') => {
  const decomposition = decompose(odd, A, B);
  return Array.from({ length: rankCount(decomposition) }, (_, rank) => {
    const { ownFirst, ownEnd, allocatedFirst, allocatedEnd } = blockExtents(decomposition, rank)[axis];
    return `${ownFirst}..${ownEnd} in ${allocatedFirst}..${allocatedEnd}`;
  });
};

describe('a decomposition', () => {
  test('gives block x the planes from floor(x * max / blocks), with a halo only towards neighbours', () => {
    expect(extentsOf(4, 1, 'i')).toEqual(['0..2 in 0..3', '2..5 in 1..6', '5..8 in 4..9', '8..11 in 7..11']);
    expect(extentsOf(1, 3, 'j')).toEqual(['0..2 in 0..3', '2..4 in 1..5', '4..7 in 3..7']);
    expect(extentsOf(4, 1, 'j')).toEqual(Array.from({ length: 4 }, () => '0..7 in 0..7'));
  });

  test('counts ranks along j first', () => {
    const decomposition = decompose(odd, 3, 2);

    const places = [0, 1, 2, 3, 4, 5].map((rank) => {
      const { x, y } = blockExtents(decomposition, rank);
      return [x, y];
    });

    expect(places).toEqual([
      [0, 0],
      [0, 1],
      [1, 0],
      [1, 1],
      [2, 0],
      [2, 1],
    ]);
  });

  test('is refused for blocks that own nothing, grids without interior, and ranks that do not exist', () => {
    expect(() => decompose(odd, 12, 1)).toThrow('11 planes along i make 1 to 11 blocks, not 12');
    expect(() => decompose(odd, 1, 0)).toThrow('7 planes along j make 1 to 7 blocks, not 0');
    expect(() => decompose(odd, 1.5, 1)).toThrow('blocks along i are counted, not 1.5');
    expect(() => decompose({ ...odd, kmax: 2 }, 1, 1)).toThrow('kmax is an integer of at least 3, not 2');
    expect(() => blockExtents(decompose(odd, 2, 2), 4)).toThrow('ranks are 0..3, not 4');
  });
});
