import { expect, test } from 'vitest';
import { returnCode, returnCodeMeaning, returnCodeName } from './return-code.ts';

test('return codes have the numbers of the specification, each its own name and meaning', () => {
  const codes = Object.values(returnCode);

  expect(codes).toEqual([0, 1, 2, 3, 4, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23]);
  expect(codes.map(returnCodeName)).toEqual(Object.keys(returnCode));
  expect(Object.keys(returnCodeMeaning)).toEqual(Object.keys(returnCode));
  expect(returnCodeName(5)).toBeUndefined();
});
