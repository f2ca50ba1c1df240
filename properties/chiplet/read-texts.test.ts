import { expect, test } from 'vitest';
import { textFault, textRows } from './read-texts.ts';

test.each(textRows.map((row) => [`${JSON.stringify(row[1])} ${JSON.stringify(row[2])}`, row] as const))(
  'what is read: %s',
  (_name, row) => {
    expect(textFault([row])).toBeUndefined();
  },
);

test.each([
  [
    [1, 2],
    [1, 3],
  ],
  [[1, 2], [1]],
  ['a text', 'another'],
  [{ a: 1 }, { b: 1 }],
  [7, [7]],
])('%j is not %j', (found, expected) => {
  expect(textFault([[() => found, 'text', expected]])).toBe(
    `"text" is read as ${JSON.stringify(found)}, not ${JSON.stringify(expected)}`,
  );
});
