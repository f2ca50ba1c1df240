/** Usage: npx tsx properties/cell/arbiter-twins.campaign.ts [--runs 10000] [--seed 1] */
import process from 'node:process';
import fc from 'fast-check';
import { campaignWords } from '../words.campaign.ts';
import { twinsDiffer } from './arbiter-twins.ts';
import { campaignGiven } from './campaign.ts';

const usage = `Random workloads for the Cell ring machine, each on the explicit arbiter and on its fast twin, compared tick by tick.

  npx tsx properties/cell/arbiter-twins.campaign.ts [options]

  --runs N   workloads, default 10000
  --seed N   seed of the workloads, default 1

Exit codes: 0 no difference, 1 a difference, 2 wrong usage.
`;

const { given, natural } = campaignWords(usage, {
  runs: { type: 'string', default: '10000' },
  seed: { type: 'string', default: '1' },
});
const runs = natural(given.runs, 'runs', 0);
const seed = natural(given.seed, 'seed', 0);

let compared = 0;
const policies: Record<string, number> = {};
const result = fc.check(
  fc.property(campaignGiven, (one) => {
    if (++compared % 500 === 0) process.stderr.write(`${compared} of ${runs} workloads\n`);
    policies[one.config.policy] = (policies[one.config.policy] ?? 0) + 1;
    const difference = twinsDiffer(one);
    if (difference !== undefined) throw new Error(difference);
  }),
  { seed, numRuns: runs },
);
console.log(`${compared} workloads compared: ${JSON.stringify(policies)}`);
console.log(result.failed ? fc.defaultReportMessage(result) : 'no difference');
process.exitCode = result.failed ? 1 : 0;
