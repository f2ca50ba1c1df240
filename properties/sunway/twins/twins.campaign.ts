import process from 'node:process';
import { campaignWords } from '../../words.campaign.ts';
import { compareGenerated } from './generated-twins.ts';

const usage = `The explicit parts of a Sunway node against their fast twins on generated scenarios: messages at the borders of parts, probes and results, tick by tick.

  npx tsx properties/sunway/twins/twins.campaign.ts [options]

  --runs N            generated scenarios, default 10000
  --seed N            seed of the scenarios, default 18
  --from N            number of the first one, default 0: a campaign that was stopped goes on there
  --seconds N         stop after so long, default 0: never

Exit codes: 0 all equal, 1 one was not, 2 wrong usage.
`;

const { given, natural } = campaignWords(usage, {
  runs: { type: 'string', default: '10000' },
  seed: { type: 'string', default: '18' },
  from: { type: 'string', default: '0' },
  seconds: { type: 'string', default: '0' },
});
const [runs, seed, from, seconds] = [
  natural(given.runs, 'runs', 1),
  natural(given.seed, 'seed', 0),
  natural(given.from, 'from', 0),
  natural(given.seconds, 'seconds', 0),
];

const begin = performance.now();
const isOver = (): boolean => seconds > 0 && performance.now() - begin > 1000 * seconds;
let [messages, different, next] = [0, 0, from];
for (; next < from + runs && !isOver(); next++) {
  const { messages: equal, difference } = compareGenerated(seed, next);
  messages += equal;
  if (difference === undefined) continue;
  different++;
  console.log(`scenario ${next}:\n  explicit: ${difference.explicit}\n  fast: ${difference.fast}`);
}
console.log(JSON.stringify({ runs: next - from, seed, from, next, messages, different }));
process.exitCode = different > 0 ? 1 : 0;
