import { expect, test } from 'vitest';
import { cellMachine } from '../../machines/cell.ts';
import { limitsFault } from '../declared-limits.ts';
import { cellLimits } from './limits.ts';

test('limits and defaults of the configuration, and what is fixed, are as declared', () => {
  expect(limitsFault(cellMachine, {}, cellLimits)).toBeUndefined();
});
