import fc from 'fast-check';
import { RandomChoices } from '../../kernel/choices.ts';
import { PctChoices } from '../../kernel/schedules/pct.ts';
import { campaignWords } from '../words.campaign.ts';
import { drawnProgram } from './gasnet-oracle.ts';
import { wrongWith } from './gasnet-oracle-run.ts';
import { settings } from './gasnet-settings.arbitrary.ts';

const usage = `Random programs of GASNet against a sequential memory, under three schedules each.

  npm run campaign:gasnet -- [options]

  --runs N   programs, default 1000
  --seed N   default 1

Exit codes: 0 all as the sequential memory has it, 1 one is not, 2 wrong usage.
`;

const { given, natural } = campaignWords(usage, {
  runs: { type: 'string', default: '1000' },
  seed: { type: 'string', default: '1' },
});
const [runs, seed] = [natural(given.runs, 'runs', 1), natural(given.seed, 'seed', 0)];

const law = fc.property(drawnProgram, settings, fc.nat(9999), (drawn, gasnet, schedule) => {
  for (const choices of [undefined, new RandomChoices(schedule), new PctChoices(schedule)]) {
    const wrong = wrongWith(drawn, gasnet, choices);
    if (wrong !== undefined) throw new Error(wrong);
  }
});

fc.assert(law, { numRuns: runs, seed });
console.log(
  `${runs} random programs from seed ${seed}, three schedules each: all as the sequential memory has it`,
);
