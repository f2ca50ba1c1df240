import { tcaMachine } from '../../../machines/tca.ts';
import { didYouMean } from '../../../scenarios/nearest.ts';
import { conformanceCases } from '../../../scenarios/tca/conformance/cases.ts';
import type { SuiteOrder } from '../../../scenarios/tca/conformance/suite.ts';
import { UsageError } from '../../usage-error.ts';

const nodeCounts = [2, 4, 8, 16];
const modes = ['auto', 'BtoB', 'MtoM', 'BtoM', 'MtoB'] as const;

/** Cases by their ids. Errors: `UsageError`. */
export function casesOption(text: string): SuiteOrder['cases'] {
  const ids = conformanceCases.map(({ id }) => id);
  return text.split(',').map((word) => {
    const found = conformanceCases.find(({ id }) => id === word);
    if (found) return found;
    throw new UsageError(`--case: found "${word}", expected cases`, didYouMean(word, ids, 'cases'));
  });
}

/** Numbers of nodes. Errors: `UsageError`. */
export function nodesOption(text: string): readonly number[] {
  const counts = text.split(',').map(Number);
  if (counts.every((count) => nodeCounts.includes(count))) return counts;
  throw new UsageError(
    `--nodes: found "${text}", expected some of ${nodeCounts.join(', ')}`,
    'for example --nodes 2,4',
  );
}

/** Modes of transfers. Errors: `UsageError`. */
export function modesOption(text: string): SuiteOrder['modes'] {
  return text.split(',').map((word) => {
    const found = modes.find((mode) => mode === word);
    if (found) return found;
    throw new UsageError(`--mode: found "${word}", expected modes`, didYouMean(word, modes, 'modes'));
  });
}

/** Sets of channels. Errors: `UsageError`. */
export function setsOption(text: string): SuiteOrder['channels'] {
  const sets = text.split(',');
  if (sets.every((set) => set !== '' && /^0?1?2?3?$/.test(set)))
    return sets.map((set) => [...set].map(Number));
  throw new UsageError(
    `--channels: found "${text}", expected sets of the channels 0 to 3`,
    'for example --channels 0,0123',
  );
}

/** Planted faults. Errors: `UsageError`. */
export function mutantsOption(text: string, before: readonly string[]): readonly string[] {
  const known = [...tcaMachine.mutants.keys()];
  const ids = text.split(',');
  const other = ids.find((id) => !known.includes(id));
  if (other === undefined) return [...before, ...ids];
  throw new UsageError(
    `--mutant: found "${other}", expected planted faults`,
    didYouMean(other, known, 'faults'),
  );
}
