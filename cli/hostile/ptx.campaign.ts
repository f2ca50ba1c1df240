/** Usage: npx tsx cli/hostile/ptx.campaign.ts [--cases 2000] [--seed 1] [--file cases.json] */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { campaignWords } from '../../properties/words.campaign.ts';
import { projectFolder } from '../project.ts';
import { silentSecondsMax } from './judge.ts';
import type { PtxEnded } from './ptx-cases.ts';
import { WatchedProcess } from './watched-process.ts';

const usage = `Launches of damaged PTX: each must be refused with its line, end, or be stopped with a report.

  npx tsx cli/hostile/ptx.campaign.ts [options]

  --cases N    damaged texts, default 2000
  --from N     the first of them, default 0
  --only N     this case alone, and all of it
  --seed N     seed of the damage, default 1
  --file FILE  measured launches (lockstep-gpu/1) beside their texts, default those of this project

Exit codes: 0 all ended as they should; 1 otherwise, 2 wrong usage.
`;

const { given, natural } = campaignWords(usage, {
  cases: { type: 'string', default: '2000' },
  from: { type: 'string', default: '0' },
  only: { type: 'string' },
  seed: { type: 'string', default: '1' },
  file: { type: 'string', default: join(projectFolder, 'properties/chiplet/golden/gpu/cases.json') },
});
const only = given.only === undefined ? undefined : natural(given.only, 'only', 0);
const first = only ?? natural(given.from, 'from', 0);
const count = only === undefined ? natural(given.cases, 'cases', 1) : 1;

const folder = mkdtempSync(join(tmpdir(), 'lockstep-ptx-'));
const seed = natural(given.seed, 'seed', 0);
const worker = new WatchedProcess(
  folder,
  seed,
  resolve(given.file),
  silentSecondsMax,
  silentSecondsMax,
  'ptx-worker.mjs',
);
process.on('exit', () => {
  worker.end();
  rmSync(folder, { recursive: true, force: true });
});

const counts: Record<string, number> = {};
let failed = 0;
let longest = 0;
for (let index = first; index < first + count; index++) {
  const ended = await worker.carryOut(index);
  const { args, how, out, err, seconds } = ended;
  // Who was ended by the watch tells nothing itself.
  const { faults = [err] } = ended as Partial<PtxEnded>;
  longest = Math.max(longest, seconds);
  const end = faults.length > 0 ? 'not as it should' : out;
  counts[end] = (counts[end] ?? 0) + 1;
  if (faults.length > 0) failed++;
  if (faults.length > 0 || only !== undefined)
    console.log(
      `case ${index}: ${faults.join('; ') || out}\n  ${args.join(' ')}\n  ${how}\n${err.slice(0, 2000)}`,
    );
}
console.log('without timing, on a chiplet:');
for (const [name, number] of Object.entries(counts)) console.log(`  ${name}: ${number}`);
console.log(`cases: ${count}, seed ${seed}, not as they should: ${failed}, longest ${longest.toFixed(1)} s`);
process.exit(failed > 0 ? 1 : 0);
