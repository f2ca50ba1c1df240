/** Usage: npx tsx properties/cell/campaign.campaign.ts [--runs 10000] [--seed 1] [--mutants] [--mutant-runs 1000] [--json] */
import process from 'node:process';
import { setImmediate } from 'node:timers/promises';
import { campaignWords } from '../words.campaign.ts';
import { campaignMutants, killMutant, type MutantTally, type SoundTally, soundCampaign } from './campaign.ts';

const usage = `Random workloads and schedules for the Cell ring machine, watched by all properties.

  npx tsx properties/cell/campaign.campaign.ts [options]

  --runs N          workloads for the sound machine, default 10000; 0 for none
  --seed N          seed of workloads and schedules, default 1
  --mutants         the fault catalogue only
  --mutant-runs N   runs a mutant has to be killed in, default 1000
  --json            one JSON object on standard output instead of the tables

Exit codes: 0 all is well, 1 a violation or a mutant that lives, 2 wrong usage, 130 interrupted.
`;

const { given, natural } = campaignWords(usage, {
  runs: { type: 'string', default: '10000' },
  seed: { type: 'string', default: '1' },
  mutants: { type: 'boolean', default: false },
  'mutant-runs': { type: 'string', default: '1000' },
  json: { type: 'boolean', default: false },
});
const runs = given.mutants ? 0 : natural(given.runs, 'runs', 0);
const seed = natural(given.seed, 'seed', 0);
/** Runs that every mutant makes, so that the shares compare. */
const runsMin = 100;
const mutantRuns = natural(given['mutant-runs'], 'mutant-runs', 0);

let interrupted = false;
process.on('SIGINT', () => {
  interrupted = true;
});
const began = process.hrtime.bigint();
const secondsSince = (start: bigint): number => Number((process.hrtime.bigint() - start) / 1_000_000n) / 1000;
const progress = (text: string): void => {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
};

let tally: SoundTally | undefined;
if (runs > 0)
  for (const now of soundCampaign(runs, seed)) {
    tally = now;
    const rate = Math.round(now.workloads / secondsSince(began));
    progress(`sound machine: ${now.workloads} of ${runs} workloads, ${rate} a second`);
    // Lets an interrupt through.
    await setImmediate();
    if (interrupted) break;
  }
const soundSeconds = secondsSince(began);

const killed: (MutantTally & { readonly seconds: number })[] = [];
for (const mutant of campaignMutants) {
  if (interrupted || tally?.failure !== undefined) break;
  progress(`mutant ${mutant.id}: ${mutant.sentence}`);
  const start = process.hrtime.bigint();
  killed.push({
    ...killMutant(mutant, { runsMin, runsMax: mutantRuns, seed }),
    seconds: secondsSince(start),
  });
  await setImmediate();
}
progress('');

const alive = killed.filter(({ completeAfter }) => completeAfter === 0);
if (given.json) {
  const mutants = killed.map(({ mutant: { id, sentence, mustRaise, scheduleDependent }, ...rest }) => ({
    id,
    sentence,
    mustRaise,
    scheduleDependent,
    ...rest,
  }));
  const summary = {
    seed,
    interrupted,
    sound: tally ?? null,
    soundSeconds,
    mutants,
    seconds: secondsSince(began),
  };
  process.stdout.write(`${JSON.stringify(summary)}\n`);
} else {
  if (tally) process.stdout.write(soundReport(tally));
  if (killed.length > 0) process.stdout.write(mutantReport());
  if (interrupted) process.stdout.write('interrupted: the rest was not tried\n');
}
process.exitCode = interrupted ? 130 : tally?.failure !== undefined || alive.length > 0 ? 1 : 0;

function soundReport(found: SoundTally): string {
  const share = Object.entries(found.policies).map(([policy, count]) => `${policy} ${count}`);
  const verdict = found.failure ?? 'all invariants held';
  return `Sound machine, seed ${seed}: ${found.workloads} workloads, ${found.runs} runs, ${soundSeconds.toFixed(0)} s
  ${found.cycles} cycles, ${found.deliveries} messages, ${found.transfers} transfers, ${found.picks} random picks
  policies: ${share.join(', ')}
  ${verdict}

`;
}

function mutantReport(): string {
  const rows = killed.map(({ mutant, killedAfter, completeAfter, caught, runs, seconds }) => [
    mutant.id,
    mutant.mustRaise.join(' '),
    killedAfter === 0 ? 'alive' : String(killedAfter),
    completeAfter === 0 ? 'no' : String(completeAfter),
    `${((100 * caught) / Math.max(1, runs)).toFixed(0)} %`,
    seconds.toFixed(1),
    mutant.sentence,
  ]);
  const head = ['mutant', 'must raise', 'killed after', 'all seen after', 'caught in', 'seconds', 'fault'];
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]!.length)),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd();
  const lines = [head, widths.map((width) => '-'.repeat(width)), ...rows].map(line);
  return `${lines.join('\n')}\n\n${killed.length - alive.length} of ${killed.length} mutants killed\n`;
}
