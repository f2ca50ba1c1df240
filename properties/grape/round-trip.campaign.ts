/** Usage: npx tsx properties/grape/round-trip.campaign.ts [--runs 10000] [--seed 1] */
import process from 'node:process';
import fc from 'fast-check';
import { type Program, sectionNames } from '../../actors/grape/program.ts';
import { campaignWords } from '../words.campaign.ts';
import { arbitrarySource, type GeneratedSource } from './programs.arbitrary.ts';
import { brokenLaw, operations, operationsOf, roundTrip } from './round-trip.ts';

const usage = `Assembles generated programs, prints them, assembles what was printed and compares
(GRAPE specification 3.9).

  npx tsx properties/grape/round-trip.campaign.ts [options]

  --runs N    programs, default 10000
  --seed S    of the generator, default 1

Prints the runs, the slots they had, the operations they did, and of the first failure the shrunk source.
Exit codes: 0 every program came back equal, 1 one did not, 2 wrong usage.
`;

const { given, natural } = campaignWords(usage, {
  runs: { type: 'string', default: '10000' },
  seed: { type: 'string', default: '1' },
});
const runsMax = natural(given.runs, 'runs', 1);
const seed = natural(given.seed, 'seed', 1);

const slotCount = ({ sections }: Program): number =>
  sectionNames.flatMap((name) => sections[name]).filter(({ kind }) => kind === 'slot').length;

const done = new Set<string>();
let runs = 0;
let slots = 0;
let failing = false;

function check({ source, type }: GeneratedSource): void {
  try {
    const trip = roundTrip(source, type);
    const broken = brokenLaw(trip);
    if (broken !== undefined) throw new Error(broken);
    // Runs that shrink a failure are not counted.
    if (failing) return;
    runs++;
    slots += slotCount(trip.program);
    for (const name of operationsOf(trip.program)) done.add(name);
  } catch (error) {
    failing = true;
    throw error;
  }
}

const began = process.hrtime.bigint();
const details = fc.check(fc.property(arbitrarySource, check), { numRuns: runsMax, seed });
const seconds = Number((process.hrtime.bigint() - began) / 1_000_000n) / 1000;

const missing = operations.filter((name) => !done.has(name));
process.stdout.write(`runs: ${runs}\nslots: ${slots}\n`);
process.stdout.write(`operations covered: ${done.size} of ${operations.length}\n`);
if (missing.length > 0 && !details.failed) process.stdout.write(`not covered: ${missing.join(', ')}\n`);
process.stdout.write(`failures: ${details.failed ? 1 : 0}\n${seconds.toFixed(1)} s\n`);
if (details.failed) {
  const [{ source, type }] = details.counterexample as [GeneratedSource];
  const why = details.errorInstance instanceof Error ? details.errorInstance.message : 'no reason given';
  process.stdout.write(
    `\n${why}\nread as type ${type}, shrunk in ${details.numShrinks} steps, seed ${seed}:\n\n${source}`,
  );
}
process.exitCode = details.failed ? 1 : 0;
