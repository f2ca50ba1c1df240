/** Usage: npx tsx properties/chiplet/core-twins.campaign.ts [--runs 10000] [--seed 1] */
import process from 'node:process';
import fc from 'fast-check';
import { campaignWords } from '../words.campaign.ts';
import { coreTwinsDiffer, systemOf, twinScenarios } from './core-twins.ts';

const usage = `Generated systems with an actor for each warp, load and block of a SIMT core and with an actor for each core: all messages at the borders, all that is shown and
all results must be equal, tick by tick, in the canonical order or under random choices.

  npx tsx properties/chiplet/core-twins.campaign.ts [options]

  --runs N            generated scenarios, default 10000
  --seed N            seed of the scenarios, default 1

Exit codes: 0 all equal, 1 one was not, 2 wrong usage.
`;

const { given, natural } = campaignWords(usage, {
  runs: { type: 'string', default: '10000' },
  seed: { type: 'string', default: '1' },
});
const numRuns = natural(given.runs, 'runs', 1);
const seed = natural(given.seed, 'seed', 0);

let compared = 0;
const law = fc.property(twinScenarios, fc.nat(9), (written, choices) => {
  if (++compared % 500 === 0) process.stderr.write(`${compared} of ${numRuns} systems\n`);
  const difference = coreTwinsDiffer(systemOf(written), { seed: choices });
  if (difference !== undefined) throw new Error(difference);
});
const { failed, counterexample, errorInstance } = fc.check(law, { numRuns, seed });
if (failed) {
  console.log(`${String(errorInstance)}\nsmallest: ${JSON.stringify(counterexample)}`);
  process.exitCode = 1;
} else console.log(`${numRuns} generated systems: none differs`);
