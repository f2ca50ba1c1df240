import { expect, test } from 'vitest';
import { gpuCaseFile } from '../../machines/chiplet/gpu-case-schema.ts';
import { interchipletMachine } from '../../machines/chiplet/interchiplet.ts';
import { networkMachine } from '../../machines/chiplet/network-machine.ts';
import { systemMachine } from '../../machines/chiplet/system.ts';
import { limitsFault } from '../declared-limits.ts';
import { networkFixed } from './fixed.ts';
import { networkLimits } from './limits.ts';
import { caseLimits, programFixed, programLimits, scriptLimits, trafficLimits } from './program-limits.ts';

test('limits and defaults of the configuration, and what is fixed, are as declared', () => {
  expect(limitsFault(networkMachine, networkFixed, networkLimits)).toBeUndefined();
});

test.each([
  [networkMachine.programs, {}, trafficLimits],
  [interchipletMachine.programs, {}, scriptLimits],
  [systemMachine.programs, programFixed, programLimits],
  [gpuCaseFile, {}, caseLimits],
])('limits and defaults of what is run are as declared', (config, fixed, declared) => {
  expect(limitsFault({ config }, fixed, declared)).toBeUndefined();
  expect(limitsFault({ config }, fixed, declared.replace('1..', '2..'))).toContain('declared is');
});
