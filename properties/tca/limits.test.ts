import { expect, test } from 'vitest';
import { tcaMachine } from '../../machines/tca.ts';
import { limitsFault } from '../declared-limits.ts';
import { tcaFixed } from './fixed.ts';
import { tcaLimits } from './limits.ts';

test('limits and defaults of the configuration, and what is fixed, are as declared', () => {
  expect(limitsFault(tcaMachine, tcaFixed, tcaLimits)).toBeUndefined();
});
