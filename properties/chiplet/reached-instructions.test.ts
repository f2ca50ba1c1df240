import fc from 'fast-check';
import { expect, test } from 'vitest';
import { instructionNames } from '../../actors/chiplet/ptx/instruction-set.ts';
import { kernelScenarios } from './kernel-scenarios.ts';
import { drawsOf, toldCase } from './told-cases.ts';

const named = /(?:^|[;{}:\n]|@!?%\w+)\s*([a-z]\w*(?:\.pack)?)(?:\.[\w:]+)*(?=[\s;])/g;
const namesIn = (texts: readonly string[]): ReadonlySet<string> =>
  new Set(texts.flatMap((text) => [...text.matchAll(named)].map(([, name]) => name!)));

// Many scenarios, since some instructions are rare: some seconds.
test('every instruction is in kernels of generated scenarios, or in the cases beside them', () => {
  const kernels = fc
    .sample(kernelScenarios, { seed: 1, numRuns: 600 })
    .flatMap(({ programs }) => (programs as { kernels: readonly { text: string }[] }).kernels)
    .map(({ text }) => text);
  const cases = Array.from({ length: 600 }, (_, number) => toldCase(number, drawsOf(number)).body);

  const [inKernels, inCases] = [namesIn(kernels), namesIn(cases)];
  const without = instructionNames.filter((name) => !inKernels.has(name));
  // What hosts of systems cannot bind, and what stops a kernel.
  expect(without).toEqual(['suld', 'suq', 'sust', 'tex', 'tld4', 'trap', 'txq']);
  expect(without.filter((name) => !inCases.has(name))).toEqual([]);
});
