/** Usage: npx tsx cli/check/kills.campaign.ts [--scenario FILE] [--kills 10] [--seconds 6] [--seed 0] [-- OPTIONS OF CHECK] */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { RandomChoices } from '../../kernel/choices.ts';
import { campaignWords } from '../../properties/words.campaign.ts';

const usage = `A check that is killed and goes on, again and again: its report must be that of a check that nobody disturbs, counterexample included.

  npx tsx cli/check/kills.campaign.ts [options]

  --scenario FILE  what is checked; two-phase commit with eight resource managers without this
  --kills N        SIGKILLs, default 10
  --seconds S      between two of them, on the average, default 6
  --seed N         of the moments, default 0
  --memory SIZE    as of check

Exit codes: 0 the reports are equal, 1 they are not, 2 wrong usage.
`;

const { given, natural } = campaignWords(usage, {
  scenario: { type: 'string' },
  kills: { type: 'string', default: '10' },
  seconds: { type: 'string', default: '6' },
  seed: { type: 'string', default: '0' },
  memory: { type: 'string' },
});
const kills = natural(given.kills, 'kills', 1);
const milliseconds = 1000 * natural(given.seconds, 'seconds', 1);
const choices = new RandomChoices(natural(given.seed, 'seed', 0));

const folder = 'out/campaign-kills';
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const usual = `${folder}/commit.yaml`;
writeFileSync(usual, 'name: commit\nmachine: two-phase-commit\nconfig: { resourceManagers: 8 }\n');
const scenario = given.scenario ?? usual;

const check = (...options: string[]): ChildProcess =>
  spawn(
    'node',
    ['cli/lockstep.mjs', 'check', scenario, '--json', '--checkpoint', `${folder}/checkpoint`, ...options],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
/** What a child writes, when it has ended. */
const outOf = async (child: ChildProcess): Promise<string> => {
  let out = '';
  child.stdout!.on('data', (data) => {
    out += data;
  });
  await new Promise((resolve) => child.on('close', resolve));
  return out;
};
const limits = given.memory === undefined ? [] : ['--memory', given.memory];
let [killed, resume]: [number, readonly string[]] = [0, []];
let last = '';
for (;;) {
  const child = check('--record', `${folder}/killed.json`, ...limits, ...resume);
  const wait = milliseconds / 2 + choices.pick('moment', milliseconds);
  const timer = killed < kills ? setTimeout(() => child.kill('SIGKILL'), wait) : undefined;
  last = await outOf(child);
  clearTimeout(timer);
  if (last !== '') break;
  killed++;
  console.log(`killed after ${(wait / 1000).toFixed(1)} s`);
  // The first seconds have no checkpoint.
  resume = (await outOf(check('--resume', '--max-states', '1'))) === '' ? [] : ['--resume'];
}
const whole = await outOf(check('--record', `${folder}/whole.json`));

/** A report without what depends on the clock and on its own file. */
const plainly = (text: string): string => {
  const { wallSeconds: _, ...report } = JSON.parse(text);
  return JSON.stringify(report, (key, value) => (key === 'recording' ? undefined : value), 2);
};
const equal = plainly(last) === plainly(whole);
console.log(plainly(last));
console.log(
  `${killed} kills: ${equal ? 'the reports are equal' : `THE REPORTS DIFFER; nobody disturbed:\n${plainly(whole)}`}`,
);
process.exitCode = equal ? 0 : 1;
