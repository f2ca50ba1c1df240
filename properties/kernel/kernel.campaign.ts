/*
 * Tries the kernel on random machines, against a plain loop, XState, and all runs under all tapes:
 *
 *   npm run campaign:kernel -- --trials 20000 --seed 1
 *
 * Exit code 1 when something differs; each line names a trial that the same seed shows again.
 */
import { Command, InvalidArgumentError } from 'commander';
import { kernelTrial } from './kernel-trial.ts';

const natural = (text: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError(`found "${text}", expected a natural number`);
  return Number(text);
};
const { trials, seed, first } = new Command('campaign:kernel')
  .option('--trials <n>', 'how many', natural, 20_000)
  .option('--first <n>', 'number of the first', natural, 0)
  .option('--seed <n>', 'seed of them all', natural, 1)
  .parse()
  .opts<{ readonly trials: number; readonly seed: number; readonly first: number }>();

let wrong = 0;
for (let number = first; number < first + trials; number++) {
  const why = kernelTrial(number, seed);
  if (why === undefined) continue;
  wrong++;
  process.stdout.write(`trial ${number}: ${why}\n`);
}
process.stdout.write(`${trials} trials from seed ${seed}, ${wrong} wrong\n`);
process.exitCode = wrong === 0 ? 0 : 1;
