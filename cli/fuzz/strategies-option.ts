import { didYouMean } from '../../scenarios/nearest.ts';
import { type ScheduleKind, scheduleKinds } from '../../scenarios/schedule.ts';
import { UsageError } from '../usage-error.ts';

/** Stands for all schedules that differ from run to run, in turn. */
export const portfolioWord = 'portfolio';
const portfolio = scheduleKinds.filter((kind) => kind !== 'fifo');

/** Reads the value of `--strategy`: schedules with commas between them, each once. Errors: `UsageError` with the nearest names. */
export function strategiesOption(text: string): readonly ScheduleKind[] {
  const words = text.split(',').map((word) => word.trim());
  const kinds = words.flatMap((word) => {
    if (word === portfolioWord) return portfolio;
    const found = scheduleKinds.find((kind) => kind === word);
    if (found !== undefined) return [found];
    const known = [...scheduleKinds, portfolioWord];
    throw new UsageError(
      `--strategy: found "${word}", expected some of ${known.join(', ')}`,
      didYouMean(word, known, 'strategies'),
    );
  });
  return [...new Set(kinds)];
}
