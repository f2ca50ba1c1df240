import { expect, test } from 'vitest';
import { timingTable } from '../../../actors/sunway/timing/timing-table.ts';
import { specified } from './times.ts';

test('times where nothing else is said are those of the specification (9.1)', () => {
  expect(timingTable()).toEqual(specified);
});
