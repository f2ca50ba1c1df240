import { expect, test } from 'vitest';
import { systemMachine } from '../../../machines/chiplet/system.ts';
import { limitsFault } from '../../declared-limits.ts';
import { systemFixed } from './fixed.ts';
import { systemLimits } from './limits.ts';

test('limits and defaults of the configuration, and what is fixed, are as declared', () => {
  expect(limitsFault(systemMachine, systemFixed, systemLimits)).toBeUndefined();
});
