import { expect, test } from 'vitest';
import { networkMachine } from '../../machines/chiplet/network-machine.ts';
import { limitsFault } from '../declared-limits.ts';
import { networkFixed } from './fixed.ts';
import { networkLimits } from './limits.ts';

test('limits and defaults of the configuration, and what is fixed, are as declared', () => {
  expect(limitsFault(networkMachine, networkFixed, networkLimits)).toBeUndefined();
});
