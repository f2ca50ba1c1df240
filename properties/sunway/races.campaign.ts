/** Usage: npx tsx properties/sunway/races.campaign.ts [--runs 10000] [--from 0] [--only NAME] */
import process from 'node:process';
import { campaignWords } from '../words.campaign.ts';
import { raceFreePrograms } from './race-free-programs.ts';
import { raceRun } from './race-runs.ts';

const usage = `Programs without races under schedules at random, with services that take longer and transfers that change places: none may be reported, lenient or
strict, and each must come to its end.

  npx tsx properties/sunway/races.campaign.ts [options]

  --runs N            schedules of each program and policy, default 10000
  --from N            number of the first one; a campaign that was stopped goes on with the number that it told last, default 0
  --only NAME         one program

Exit codes: 0 nothing was reported, 1 something was, 2 wrong usage.
`;

const { given, natural, refuse } = campaignWords(usage, {
  runs: { type: 'string', default: '10000' },
  from: { type: 'string', default: '0' },
  only: { type: 'string' },
});
const runs = natural(given.runs, 'runs', 1);
const first = natural(given.from, 'from', 0);
const chosen = raceFreePrograms.filter(({ name }) => given.only === undefined || name === given.only);
if (chosen.length === 0)
  refuse(
    `found --only ${given.only}, expected one of ${raceFreePrograms.map(({ name }) => `"${name}"`).join(', ')}`,
  );

// All programs in turn, so that a campaign that is stopped has looked at each.
for (let index = first; index < runs; index++) {
  for (const program of chosen)
    for (const policy of program.policies) {
      const { errorCount, texts, verdict } = raceRun(program, policy, index);
      if (errorCount === 0 && verdict === 'ok') continue;
      console.log(`${program.name}, ${policy}, schedule ${index}: ${verdict}\n${texts[0] ?? ''}`);
      process.exitCode = 1;
    }
  const done = index + 1;
  if (done % 10 === 0 || done === runs)
    console.log(`${done} of ${runs} schedules of ${chosen.length} programs; go on with --from ${done}`);
}
