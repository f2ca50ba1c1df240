import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectFolder } from '../project.ts';
import { PtxCases } from './ptx-cases.ts';

test('damaged PTX is refused with its line, ends, or is stopped with a report', () => {
  const cases = new PtxCases(join(projectFolder, 'properties/chiplet/golden/gpu/cases.json'));
  const ended = Array.from({ length: 150 }, (_, index) => cases.carriedOut(1, index));

  expect(ended.flatMap(({ faults }) => faults)).toEqual([]);
  expect(new Set(ended.map(({ exitCode }) => exitCode))).toEqual(new Set([0, 1, 2]));
});
