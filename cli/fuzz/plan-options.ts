import type { Command } from 'commander';
import type { CampaignPlan } from '../../properties/explore/campaign.ts';
import { naturalOption } from '../natural-option.ts';
import { faultOption, faultWord, type WrittenFault } from './fault-option.ts';
import { portfolioWord, strategiesOption } from './strategies-option.ts';

/** What decides every run of a campaign, as options give it. */
export interface PlanOptions {
  readonly seed: number;
  readonly strategy: CampaignPlan['strategies'];
  readonly mutant: readonly string[];
  readonly fault: readonly WrittenFault[];
  readonly coverage: boolean;
}

/** Declares the options that decide every run of a campaign. */
export const declarePlan = (command: Command): Command =>
  command
    .option('--seed <n>', 'seed of scenarios and schedules', naturalOption('--seed', 0xffff_ffff), 1)
    .option(
      '--strategy <list>',
      `schedules that take turns, with commas between them; ${portfolioWord}: all`,
      strategiesOption,
      strategiesOption(portfolioWord),
    )
    .option(
      '--mutant <list>',
      'planted faults, with commas between them; may be repeated',
      (text: string, ids: readonly string[]) => [...ids, ...text.split(',')],
      [] as readonly string[],
    )
    .option(
      '--fault <fault>',
      "inject a fault in generated scenarios: a kind, or as a scenario has it: 'drop: { type: NAME }'; may be repeated",
      (text: string, faults: readonly WrittenFault[]) => [...faults, faultOption(text)],
      [] as readonly WrittenFault[],
    )
    .option('--no-coverage', 'do not count what the runs cover: faster');

/** The words of the command line that give such a plan. */
export const planWords = ({ seed, strategy, mutant, fault, coverage }: PlanOptions): readonly string[] => [
  `--seed ${seed} --strategy ${strategy.join(',')}`,
  ...mutant.map((id) => `--mutant ${id}`),
  ...fault.map((one) => `--fault ${faultWord(one)}`),
  ...(coverage ? [] : ['--no-coverage']),
];

/** What is fuzzed, as people read it. */
export const subjectWords = (
  what: string,
  { mutant, fault }: Pick<PlanOptions, 'mutant' | 'fault'>,
): string => [what, ...[...mutant, ...fault.map(faultWord)].map((one) => `with ${one}`)].join(' ');
