import { describe, expect, test } from 'vitest';
import { nextSplit, noteRound, splitByWeight, type Tuning, tuneRounds, untuned } from './split.ts';

describe('a split by weight', () => {
  test('gives whole units to all channels but the first, which gets the rest', () => {
    const bytes = splitByWeight(2052, 128, [32, 16, 8, 8]);
    const blocks = splitByWeight(16, 1, [32, 16, 0, 0]);

    expect(bytes).toEqual([1028, 512, 256, 256]);
    expect(blocks).toEqual([11, 5, 0, 0]);
  });

  test('gives what is too small to be split, and the rest, to the first channel that is used', () => {
    expect(splitByWeight(8, 128, [32, 16, 8, 8])).toEqual([8, 0, 0, 0]);
    expect(splitByWeight(300, 128, [0, 16, 8, 0])).toEqual([0, 300, 0, 0]);
  });
});

describe('the tuning of a split', () => {
  const round = (totalNs: number, split: readonly number[]) => ({
    split,
    totalNs,
    channelNs: [100, 50, 1, 1],
  });

  test('moves parts to the channels that were fast', () => {
    const first = untuned([32, 16, 8, 8], [0, 1]);

    const split = nextSplit(first, 24, 1);
    const next = noteRound(first, round(100, split));

    expect(split).toEqual([16, 8, 0, 0]);
    expect(next).toMatchObject({ state: 'tuning', round: 1, weights: [0.5, 0.5, 0, 0] });
    expect(nextSplit(next, 24, 1)).toEqual([12, 12, 0, 0]);
  });

  test('keeps the earliest of the fastest splits after eight rounds, whatever comes later', () => {
    const totals = [90, 80, 70, 95, 70, 99, 99, 99];
    let tuning: Tuning = untuned([32, 16, 8, 8], [0, 1]);

    const states = totals.map((totalNs, index) => {
      tuning = noteRound(tuning, round(totalNs, [index, 1, 0, 0]));
      return tuning.state;
    });
    const after = noteRound(tuning, round(1, [99, 1, 0, 0]));

    expect(states).toEqual([...new Array<string>(tuneRounds - 1).fill('tuning'), 'frozen']);
    expect(after).toMatchObject({ state: 'frozen', best: { totalNs: 70, split: [2, 1, 0, 0] } });
    expect(nextSplit(after, 1000, 1)).toEqual([2, 1, 0, 0]);
  });
});
