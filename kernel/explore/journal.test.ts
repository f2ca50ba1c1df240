import { describe, expect, it } from 'vitest';
import { entries, Journal, journalMemory } from './journal.ts';

/** Two threads' journals over the same memory, and what the second one followed: a local state, and what was told of it. */
function twoJournals() {
  const memory = journalMemory();
  const followed: [local: number, told: readonly number[] | undefined][] = [];
  const first = new Journal(memory, () => {});
  const second = new Journal(memory, (_kind, _level, local) =>
    followed.push([local, second.published && [...second.published]]),
  );
  const find = (local: number, what: () => readonly number[] | undefined) =>
    first.agree(entries.handling, 0, local, 0, 0, 0, what);
  return { find, second, followed };
}

describe('a journal that threads share', () => {
  it('has an entry for others no earlier than what came of it', () => {
    const { find, second, followed } = twoJournals();
    const isMine = find(7, () => {
      second.catchUp();
      expect(followed).toEqual([]);
      return [1, -2, 3];
    });
    expect(isMine).toBe(true);
    expect(second.agree(entries.handling, 0, 7, 0, 0)).toBe(false);
    find(8, () => undefined);
    second.catchUp();
    expect(followed).toEqual([
      [7, [1, -2, 3]],
      [8, undefined],
    ]);
  });

  it('lets nobody wait for what cannot be worked out', () => {
    const { find, second, followed } = twoJournals();
    expect(() =>
      find(7, () => {
        throw new Error('no');
      }),
    ).toThrow('no');
    expect(second.agree(entries.handling, 0, 9, 0, 0)).toBe(true);
    expect(followed).toEqual([[7, undefined]]);
  });
});
