/** Usage: npx tsx properties/tca/congestion.campaign.ts [--runs 1000] [--seed 1] */
import process from 'node:process';
import fc from 'fast-check';
import { RandomChoices } from '../../kernel/choices.ts';
import { campaignWords } from '../words.campaign.ts';
import { crowdedShapes, sends, traffic } from './traffic.ts';
import { trial } from './trial.ts';

const usage = `Random traffic on a ring of eight and on two rings of eight, through ports with as little room as there may be: everything must arrive.

  npx tsx properties/tca/congestion.campaign.ts [options]

  --runs N            runs of each topology, default 1000
  --seed N            seed of traffic and schedules, default 1

Exit codes: 0 every run came to its end and kept all properties, 1 one did not, 2 wrong usage.
`;

const { given, natural } = campaignWords(usage, {
  runs: { type: 'string', default: '1000' },
  seed: { type: 'string', default: '1' },
});
const numRuns = natural(given.runs, 'runs', 1);
const seed = natural(given.seed, 'seed', 0);

for (const shape of crowdedShapes) {
  const law = fc.property(traffic, fc.nat(), (lists, schedule) => {
    const { raised } = trial(sends(shape, lists), { choices: new RandomChoices(schedule) });
    if (raised.length > 0) throw new Error(raised.join('; '));
  });
  const { failed, counterexample, errorInstance } = fc.check(law, { numRuns, seed });
  console.log(`${shape.topology} of ${shape.nodes}: ${failed ? 'FAILED' : `${numRuns} runs drained`}`);
  if (!failed) continue;
  console.log(`${String(errorInstance)}\nsmallest: ${JSON.stringify(counterexample)}`);
  process.exitCode = 1;
}
