import { expect, test } from 'vitest';
import { delayTextOf, parseDelay } from './delay-line.ts';
import { anyPlace, placeOfNode, placeText, placeWords, samePlace } from './place.ts';

test.each([1, 2, 3, 5])('the nodes of a grid of width %i are its places row by row', (width) => {
  const places = Array.from({ length: 3 * width }, (_, node) => placeOfNode(node, width));

  expect(places).toEqual([0, 1, 2].flatMap((y) => Array.from({ length: width }, (_, x) => ({ x, y }))));
  expect(places.map((place) => placeWords(place, width))).toEqual(places.map((_, node) => String(node)));
});

test('places are told, and are the same when both coordinates are', () => {
  expect([placeText({ x: 2, y: 3 }), placeWords({ x: 2, y: 3 })]).toEqual(['2,3', '2 3']);
  expect(samePlace({ x: 2, y: 3 }, { x: 2, y: 3 })).toBe(true);
  for (const other of [{ x: 2, y: 2 }, { x: 3, y: 3 }, { x: 3, y: 2 }, anyPlace])
    expect(samePlace({ x: 2, y: 3 }, other)).toBe(false);
});

test.each(['7 1 5 9 2 3 4', '7 5 0 65536 4 3 4 5 6'])(
  'a line with nodes is read as it is written: %s',
  (line) => {
    const [read] = parseDelay(`${line}\n`, 'delayInfo.txt', 3);

    expect(delayTextOf(3)(read!)).toBe(line);
    expect([read!.source, read!.target]).toEqual(
      line.startsWith('7 1')
        ? [
            { x: 1, y: 0 },
            { x: 2, y: 1 },
          ]
        : [
            { x: 2, y: 1 },
            { x: 0, y: 0 },
          ],
    );
  },
);
