/** Usage: npx tsx properties/chiplet/system/schedules.campaign.ts [--runs 100000] [--from 0] [--mode decoupled|coupled|iterative] */
import process from 'node:process';
import { campaignWords } from '../../words.campaign.ts';
import { schedulesOf } from './schedules.ts';
import { givenFrom } from './trial.ts';

const usage = `Chiplets that exchange values under random schedules of warps, mailboxes and all deliveries: every schedule must give the same values and keep all properties.

  npx tsx properties/chiplet/system/schedules.campaign.ts [options]

  --runs N            schedules of all modes together, default 100000
  --from N            seed of the first one; a campaign that was stopped goes on with the seed that it told last, default 0
  --mode MODE         decoupled, coupled or iterative alone; all three in turn when absent

Exit codes: 0 every schedule gave the same values, 1 one did not, 2 wrong usage.
`;

const modes = ['decoupled', 'coupled', 'iterative'] as const;
const { given, refuse, natural } = campaignWords(usage, {
  runs: { type: 'string', default: '100000' },
  from: { type: 'string', default: '0' },
  mode: { type: 'string' },
});
const runs = natural(given.runs, 'runs', 1);
const first = natural(given.from, 'from', 0);
const chosen = modes.filter((mode) => given.mode === undefined || given.mode === mode);
if (chosen.length === 0) refuse(`--mode is "${given.mode}", expected one of: ${modes.join(', ')}`);

const systems = await Promise.all(
  chosen.map((mode) => givenFrom('system-schedules.yaml', { mode, rounds: 1 })),
);
const references = systems.map((system) => schedulesOf(system));
for (let seed = first; seed < first + runs; seed++) {
  const index = seed % references.length;
  const failure = references[index]!.differs(seed);
  if (failure !== undefined) {
    console.log(`seed ${seed}, ${chosen[index]}: ${failure}`);
    process.exitCode = 1;
    break;
  }
  const done = seed - first + 1;
  if (done % 5000 === 0 || done === runs)
    console.log(`${done} schedules give the same values; go on with --from ${seed + 1}`);
}
