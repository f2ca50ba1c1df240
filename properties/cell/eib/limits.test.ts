import { expect, test } from 'vitest';
import { cellbeMachine } from '../../../machines/cell/cellbe-machine.ts';
import { limitsFault } from '../../declared-limits.ts';
import { cellbeFixed } from './fixed.ts';
import { cellbeLimits } from './limits.ts';

test('limits and defaults of the configuration, and what is fixed, are as declared', () => {
  expect(limitsFault(cellbeMachine, cellbeFixed, cellbeLimits)).toBeUndefined();
});
