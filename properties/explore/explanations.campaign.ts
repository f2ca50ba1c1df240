/** Usage: npx tsx properties/explore/explanations.campaign.ts [--runs 200] [--seed 1] [--list] */
import process from 'node:process';
import { campaignWords } from '../words.campaign.ts';
import { explainedMutants } from './testing/explained-mutants.ts';

const usage = `Failing runs of mutated protocols are explained, and each stated cause is verified by running with it and without it.

  npx tsx properties/explore/explanations.campaign.ts [options]

  --runs N   failing runs, default 200
  --seed N   seed of mutants and schedules, default 1
  --list     a line for each run

Exit codes: 0 every stated cause was verified, 1 one was refuted, 2 wrong usage.
`;

const { given, natural } = campaignWords(usage, {
  runs: { type: 'string', default: '200' },
  seed: { type: 'string', default: '1' },
  list: { type: 'boolean', default: false },
});
const [runs, seed] = [natural(given.runs, 'runs', 1), natural(given.seed, 'seed', 0)];

const totals = { runs: 0, depends: 0, explained: 0, causes: 0, sets: 0, silent: 0, refuted: 0, attempts: 0 };
for await (const { name, depends, causes, parts, refuted, explanation } of explainedMutants(seed)) {
  totals.runs++;
  totals.attempts += explanation.attempts;
  totals.causes += causes;
  if (depends) totals.depends++;
  if (causes > 0) totals.explained++;
  if (parts > causes) totals.sets++;
  if (depends && causes === 0) totals.silent++;
  if (refuted.length > 0) totals.refuted++;
  if (given.list || refuted.length > 0 || (depends && causes === 0)) {
    const verdict =
      refuted.length > 0 ? `REFUTED ${refuted.join('; ')}` : `${causes} causes of ${parts} parts`;
    process.stdout.write(`${totals.runs} ${name}: ${explanation.failure.verdict}, ${verdict}\n`);
  }
  if (totals.runs === runs) break;
}
process.stdout.write(`${totals.runs} failing runs, of which ${totals.depends} pass under another of the schedules tried
${totals.explained} with stated causes, ${totals.causes} causes in all, ${totals.sets} runs with a cause of several parts
${totals.silent} that pass under another schedule and for which no cause was stated
${totals.refuted} refuted
${totals.attempts} runs in all
`);
process.exitCode = totals.refuted > 0 ? 1 : 0;
