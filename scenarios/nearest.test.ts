import { describe, expect, it } from 'vitest';
import { didYouMean, editDistance, nearestNames } from './nearest.ts';

describe('editDistance', () => {
  it.each([
    ['', '', 0],
    ['ring', 'ring', 0],
    ['ring', 'rings', 1],
    ['ring', 'rnig', 1],
    ['ring', 'wing', 1],
    ['kitten', 'sitting', 3],
    ['', 'abc', 3],
  ])('of %j and %j is %i, in both directions', (a, b, distance) => {
    expect([editDistance(a, b), editDistance(b, a)]).toEqual([distance, distance]);
  });
});

describe('nearestNames', () => {
  const known = ['Arbiter', 'Bus', 'Dma', 'Router', 'rounds'];

  it('finds the name that was meant', () => {
    expect(nearestNames('Dmaa', known)).toEqual(['Dma']);
    expect(nearestNames('Ruoter', known)).toEqual(['Router']);
  });

  it('finds a name by its beginning and whatever its case', () => {
    expect(nearestNames('arb', known)).toEqual(['Arbiter']);
    expect(nearestNames('ROUNDS', known)).toEqual(['rounds']);
  });

  it('puts the nearest first and gives no more than it is asked for', () => {
    expect(nearestNames('bat', ['boat', 'bats', 'cat', 'bat'], 2)).toEqual(['bat', 'boat']);
  });

  it('finds nothing when nothing was meant', () => {
    expect(nearestNames('memory', known)).toEqual([]);
    expect(nearestNames('x', ['r', 'w'])).toEqual([]);
  });
});

describe('didYouMean', () => {
  it('lists the known names after the guess', () => {
    expect(didYouMean('Dmaa', ['Bus', 'Dma'], 'kinds')).toBe('did you mean "Dma"? known kinds: Bus, Dma');
  });

  it('counts the names it does not list', () => {
    const many = Array.from({ length: 30 }, (_, index) => `name${index}`);

    expect(didYouMean('x', many, 'names')).toMatch(/^known names: name0, .*name23, and 6 more$/);
  });
});
