import { expect, test } from 'vitest';
import { interchipletMachine } from '../../../machines/chiplet/interchiplet.ts';
import { limitsFault } from '../../declared-limits.ts';
import { interchipletLimits } from './limits.ts';

test('limits and defaults of the configuration, and what is fixed, are as declared', () => {
  expect(limitsFault(interchipletMachine, {}, interchipletLimits)).toBeUndefined();
});
