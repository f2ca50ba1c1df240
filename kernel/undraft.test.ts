import { isDraft, produce } from 'immer';
import { expect, test } from 'vitest';
import { undraft } from './undraft.ts';

interface Box {
  inner: { list: number[] };
}
const start: Box = { inner: { list: [1] } };

/** What a recipe hands on, looked at when the recipe is over. */
function handedOn(make: (draft: Box) => unknown): unknown {
  let out: unknown;
  produce(start, (draft) => {
    out = undraft(make(draft));
  });
  return out;
}

test('a draft becomes what it stands for at that moment, also inside of what a recipe has made', () => {
  expect(handedOn((box) => box.inner)).toEqual({ list: [1] });
  expect(handedOn((box) => ({ type: 'a', deep: [{ list: box.inner.list }] }))).toEqual({
    type: 'a',
    deep: [{ list: [1] }],
  });
  expect(
    handedOn((box) => {
      box.inner.list.push(2);
      return box.inner.list;
    }),
  ).toEqual([1, 2]);
});

test('what holds no draft is the very same object', () => {
  const bytes = new Uint8Array(2);
  const message = { type: 'a', bytes, list: [1, { b: 2 }] };

  expect(undraft(message)).toBe(message);
  expect(isDraft(undraft(bytes))).toBe(false);
});
