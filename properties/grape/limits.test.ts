import { expect, test } from 'vitest';
import { grapeMachine } from '../../machines/grape.ts';
import { limitsFault } from '../declared-limits.ts';
import { grapeFixed } from './fixed.ts';
import { grapeLimits } from './limits.ts';

test('limits and defaults of the configuration, and what is fixed, are as declared', () => {
  expect(limitsFault(grapeMachine, grapeFixed, grapeLimits)).toBeUndefined();
});
