/** Usage: npx tsx cli/hostile/hostile.campaign.ts [--cases 10000] [--seed 1] [--workers 2] [--ledger out/campaign-hostile.json] */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { z } from 'zod';
import { campaignWords } from '../../properties/words.campaign.ts';
import { lockstepVersion } from '../../scenarios/version.ts';
import { exitCodes } from '../exit-codes.ts';
import { projectFolder } from '../project.ts';
import { RowsLedger } from '../rows-ledger.ts';
import { basesOf, saveBases } from './bases.ts';
import { type Case, Cases } from './cases.ts';
import { faultsOf, type GivenCase, silentSecondsMax } from './judge.ts';
import { WatchedProcess } from './watched-process.ts';

const usage = `Bad input, damaged files, bad options and outputs that cannot be written, for all readers, options and verbs: each must end as documented.

  npx tsx cli/hostile/hostile.campaign.ts [options]

  --cases N           cases in one process each after another, default 10000
  --only N            carry out this case alone and tell all of it
  --seed N            seed of the cases, default 1
  --workers N         processes, default 2
  --ledger FILE       where the same command goes on, default out/campaign-hostile.json
  --retry             carry out those again that did not end as documented

Exit codes: 0 all ended as documented, and each verb, option and reader was tried; 1 otherwise, 2 wrong usage.
`;

const { given, natural } = campaignWords(usage, {
  cases: { type: 'string', default: '10000' },
  only: { type: 'string' },
  seed: { type: 'string', default: '1' },
  workers: { type: 'string', default: '2' },
  ledger: { type: 'string', default: 'out/campaign-hostile.json' },
  retry: { type: 'boolean' },
});
const [count, seed, workers] = [
  natural(given.cases, 'cases', 0),
  natural(given.seed, 'seed', 0),
  natural(given.workers, 'workers', 1),
];
/** Processor seconds of one case, also of one that tells of progress. */
const secondsMax = 45;

const row = z.strictObject({
  index: z.int(),
  verb: z.string(),
  exitCode: z.int().nullable(),
  seconds: z.number(),
  cut: z.boolean(),
  faults: z.array(z.string()),
  args: z.array(z.string()).optional(),
  how: z.string().optional(),
  err: z.string().optional(),
});
type Row = z.output<typeof row>;

const ledger = new RowsLedger<{ seed: number; version: string }, Row>(
  given.ledger,
  {
    format: 'lockstep-hostile/1',
    identity: z.object({ seed: z.int(), version: z.string() }),
    row,
    summary: (rows) => countsOf(rows),
    told: (identity) => ({ words: `seed ${identity.seed}`, options: `--seed ${identity.seed}` }),
  },
  { seed, version: lockstepVersion },
);

const folder = mkdtempSync(join(tmpdir(), 'lockstep-hostile-'));
const begun: WatchedProcess[] = [];
const basesFile = join(folder, 'bases.json');
const bases = await basesOf(projectFolder, folder);
saveBases(basesFile, bases);
const cases = await Cases.of(bases);
process.on('exit', () => {
  for (const one of begun) one.end();
  rmSync(folder, { recursive: true, force: true });
});

if (given.only !== undefined) {
  const worker = watched('only');
  const ended = await worker.carryOut(natural(given.only, 'only', 0));
  console.log({
    ...ended,
    out: ended.out.slice(0, 2000),
    faults: faultsOf(asGiven(cases.case(seed, ended.index)), ended),
  });
  process.exit(0);
}

const kept = ledger.read().filter(({ faults }) => !given.retry || faults.length === 0);
const rows = new Map(kept.map((one) => [one.index, one]));
// What is right and has no right end shows nothing when it is damaged.
let next = -bases.length;
let interrupted = false;
process.on('SIGINT', () => {
  interrupted = true;
});
await Promise.all(Array.from({ length: workers }, (_, number) => carryOn(watched(`worker-${number}`))));

ledger.write(rows.values());

const all = [...rows.values()];
const failed = all.filter(({ faults }) => faults.length > 0);
for (const { index, args = [], faults, how } of failed.slice(0, 60))
  console.log(
    `case ${index}: ${faults.join('; ')}\n  lockstep ${args.map((word) => JSON.stringify(word.slice(0, 80))).join(' ')}\n  ${how ?? ''}`,
  );
const notTried = interrupted ? [] : cases.notTried(seed, count);
for (const one of notTried) console.log(`not tried: ${one}`);
for (const [name, number] of Object.entries(countsOf(all))) console.log(`${name}: ${number}`);
process.exit(interrupted ? 130 : failed.length + notTried.length > 0 ? 1 : 0);

function watched(name: string): WatchedProcess {
  const home = join(folder, name);
  mkdirSync(home);
  const one = new WatchedProcess(home, seed, basesFile, secondsMax, silentSecondsMax);
  begun.push(one);
  return one;
}

async function carryOn(worker: WatchedProcess): Promise<void> {
  while (next < count && !interrupted) {
    const index = next++;
    if (rows.has(index)) continue;
    const ended = await worker.carryOut(index);
    const { exitCode, seconds, cut, err } = ended;
    const one = cases.case(seed, index);
    const { args, how } = one;
    const isRefused = index < 0 && (exitCode === exitCodes.usage || exitCode === null);
    const faults = [
      ...faultsOf(asGiven(one), ended),
      ...(isRefused ? ['a right command line is refused'] : []),
    ];
    const verb = args
      .slice(0, 2)
      .filter((word) => /^[a-z-]+$/.test(word))
      .join(' ');
    keep({
      index,
      verb,
      exitCode,
      seconds,
      cut,
      faults,
      ...(faults.length > 0 && { args: [...args], how, err: err.slice(0, 1500) }),
    });
  }
  worker.end();
}

function asGiven({ args, files, target }: Case): GivenCase {
  return {
    args,
    ...(target !== undefined && { target }),
    names: Object.keys(files),
    input: Object.values(files).join('\n'),
  };
}

function keep(one: Row): void {
  rows.set(one.index, one);
  ledger.keep(rows.values());
}

function countsOf(of: readonly Row[]): Record<string, number> {
  const counts: Record<string, number> = {
    cases: of.length,
    'not as documented': 0,
    'long, with progress': 0,
  };
  for (const { exitCode, faults, cut } of of) {
    const name = `exit code ${exitCode}`;
    counts[name] = (counts[name] ?? 0) + 1;
    if (faults.length > 0) counts['not as documented']!++;
    else if (cut) counts['long, with progress']!++;
  }
  return counts;
}
