import { expect, test } from 'vitest';
import { appended, bytesOf, fileOf, patched } from './file-content.ts';

test('each byte of a file of several pages can be changed, also the first of a page and the last of a file', () => {
  const file = appended(fileOf(Uint8Array.from([1, 2, 3])), Uint8Array.from([4, 5]));

  for (const offset of [0, 2, 3, 4]) {
    const expected = [1, 2, 3, 4, 5];
    expected[offset] = 9;
    expect([...bytesOf(patched(file, offset, 9))]).toEqual(expected);
  }
  expect([...bytesOf(patched(file, 5, 9))]).toEqual([1, 2, 3, 4, 5]);
});
