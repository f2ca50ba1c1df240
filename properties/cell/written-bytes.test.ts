import { expect, test } from 'vitest';
import { contentsSaid, noteWrite, nothingWritten } from './written-bytes.ts';

const write = (a: number, v: number, out: number) => ({ mem: 0, a, v, out });

test('at the end of each cycle of a burst only the bytes of that cycle are looked at, however long the burst is', () => {
  const written = nothingWritten();

  const looked = Array.from({ length: 1000 }, (_, cycle) => {
    noteWrite(written, write(cycle, cycle % 256, cycle));
    return contentsSaid(written);
  });

  expect(looked.every((contents) => contents.length === 1)).toBe(true);
  expect(looked[999]).toEqual([{ mem: 0, address: 999, value: 231 }]);
});

test('at the end of the tick all bytes of the burst are there to be looked at', () => {
  const written = nothingWritten();

  noteWrite(written, write(7, 1, 0));
  contentsSaid(written);
  noteWrite(written, write(3, 2, 1));
  noteWrite(written, write(7, 9, 2));

  expect(written.tick).toEqual({
    0: [
      [3, 2, 1],
      [7, 9, 2],
    ],
  });
});

test('of two writes of a byte in one cycle the later one by the clock of the memory counts', () => {
  const written = nothingWritten();

  noteWrite(written, write(5, 1, 4));
  noteWrite(written, write(5, 2, 3));

  expect(contentsSaid(written)).toEqual([{ mem: 0, address: 5, value: 1 }]);
});
