import { expect, test } from 'vitest';
import { sunwayMachine } from '../../machines/sunway.ts';
import { limitsFault } from '../declared-limits.ts';
import { sunwayFixed } from './fixed.ts';
import { sunwayLimits } from './limits.ts';

test('limits and defaults of the configuration, and what is fixed, are as declared', () => {
  expect(limitsFault(sunwayMachine, sunwayFixed, sunwayLimits)).toBeUndefined();
});
