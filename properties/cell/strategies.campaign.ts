/** Usage: npx tsx properties/cell/strategies.campaign.ts [--seeds 20] [--runs 10000] [--mutant M-26]… [--strategy random]… [--json] */

import process from 'node:process';
import { type CellMutant, cellMutants } from '../../machines/cell/mutants.ts';
import { generationNamed } from '../../manifests/testing/named.ts';
import { type ScheduleKind, scheduleKinds } from '../../scenarios/schedule.ts';
import { Campaign } from '../explore/campaign.ts';
import { GeneratedSubject } from '../explore/subject.ts';
import { campaignWords } from '../words.campaign.ts';

const usage = `How many runs each strategy takes until it first detects each fault of the Cell catalogue: the median over several seeds.

  npx tsx properties/cell/strategies.campaign.ts [options]

  --seeds N         campaigns for each fault and strategy, default 20
  --runs N          runs that a campaign has, default 10000
  --mutant ID       only this fault; may be repeated
  --strategy NAME   only this strategy; may be repeated
  --json            one JSON object on standard output instead of the table

Every run has a generated scenario of its own; campaigns of one seed have the same ones, whatever the strategy.
Exit codes: 0 every schedule-dependent fault was found by some strategy, 1 one was not, 2 wrong usage.
`;

const { given, refuse, natural } = campaignWords(usage, {
  seeds: { type: 'string', default: '20' },
  runs: { type: 'string', default: '10000' },
  mutant: { type: 'string', multiple: true },
  strategy: { type: 'string', multiple: true },
  json: { type: 'boolean', default: false },
});
const seedCount = natural(given.seeds, 'seeds', 1);
const runsMax = natural(given.runs, 'runs', 1);

const strategies: readonly ScheduleKind[] = given.strategy
  ? given.strategy.map(
      (name) =>
        scheduleKinds.find((kind) => kind === name) ??
        refuse(`--strategy is "${name}", expected one of ${scheduleKinds.join(', ')}`),
    )
  : scheduleKinds;

/** Waiting times that the result counts wrongly are no matter of the properties that watch a run. */
const seenByProperties = ({ mustRaise }: CellMutant) => mustRaise.some((name) => name !== 'P-10');
const mutants: readonly CellMutant[] = given.mutant
  ? given.mutant.map(
      (id) => cellMutants.get(id) ?? refuse(`--mutant is "${id}", expected an id of the catalogue`),
    )
  : [...cellMutants.values()].filter(seenByProperties);

const generation = await generationNamed('cell');

/** Runs to the first detection, one a seed in rising order; those that found nothing are at the end as Infinity. */
interface Fared {
  readonly strategy: ScheduleKind;
  readonly runs: readonly number[];
}

function fared({ id }: CellMutant, strategy: ScheduleKind): Fared {
  const runs = Array.from({ length: seedCount }, (_, seed) => {
    const subject = new GeneratedSubject({ ...generation, seed, mutants: [id] });
    const campaign = new Campaign(subject, { seed, strategies: [strategy], coverage: false });
    const { runs, failures } = campaign.batch(0, runsMax, true);
    return failures.length > 0 ? runs : Number.POSITIVE_INFINITY;
  });
  return { strategy, runs: runs.sort((a, b) => a - b) };
}

const median = (runs: readonly number[]): number => {
  const middle = runs.length >> 1;
  return runs.length % 2 === 1 ? runs[middle]! : (runs[middle - 1]! + runs[middle]!) / 2;
};

const began = process.hrtime.bigint();
if (!given.json) process.stdout.write(heading());
const rows = mutants.map((mutant) => {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${mutant.id}: ${mutant.sentence}`);
  const row = { mutant, by: strategies.map((strategy) => fared(mutant, strategy)) };
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
  // At once, so that a campaign that is interrupted has told what it found.
  if (!given.json) process.stdout.write(rowText(row));
  return row;
});
const seconds = Number((process.hrtime.bigint() - began) / 1_000_000n) / 1000;
const missed = rows
  .filter(({ mutant, by }) => mutant.scheduleDependent && !by.some(({ runs }) => runs[0]! <= runsMax))
  .map(({ mutant }) => mutant.id);

process.stdout.write(given.json ? `${JSON.stringify(summary())}\n` : ending());
process.exitCode = missed.length > 0 ? 1 : 0;

function summary(): object {
  const finite = (value: number) => (Number.isFinite(value) ? value : null);
  return {
    seeds: seedCount,
    runsMax,
    mutants: rows.map(({ mutant: { id, scheduleDependent }, by }) => ({
      id,
      scheduleDependent,
      by: by.map(({ strategy, runs }) => ({
        strategy,
        median: finite(median(runs)),
        runs: runs.map(finite),
      })),
    })),
    missed,
    seconds,
  };
}

function heading(): string {
  const title = `Runs to the first detection: median of ${seedCount} seeds, in brackets the worst seed, or how many seeds found it within ${runsMax} runs`;
  return `${title}\n\n${line(['mutant', 'by schedule only', ...strategies, 'fault'])}`;
}

function rowText({ mutant: { id, scheduleDependent, sentence }, by }: (typeof rows)[number]): string {
  return line([id, scheduleDependent ? 'yes' : 'no', ...by.map(({ runs }) => faredText(runs)), sentence]);
}

function faredText(runs: readonly number[]): string {
  const found = runs.filter(Number.isFinite).length;
  if (found === 0) return 'never';
  const middle = median(runs);
  return `${Number.isFinite(middle) ? middle : 'never'} (${found === runs.length ? runs.at(-1) : `${found} of ${runs.length}`})`;
}

/** Columns of the strategies have room for five digits. */
function line([id = '', dependent = '', ...rest]: readonly string[]): string {
  const fared = rest.slice(0, -1).map((cell) => cell.padEnd(13));
  return `${[id.padEnd(6), dependent.padEnd(16), ...fared, rest.at(-1)].join('  ')}\n`;
}

function ending(): string {
  const verdict =
    missed.length > 0
      ? `schedule-dependent and not found: ${missed.join(', ')}`
      : 'every schedule-dependent fault was found';
  return `\n${verdict}\n${seconds.toFixed(0)} s\n`;
}
