import { checked, fuzzed, larger, library } from './testing/library.ts';

/*
 * The larger edition of `library.test.ts`: every protocol at a larger size, and how soon check and fuzz find each planted fault. Prints the tables of docs/protocols.md; of some machines only,
 * when they are named: `npm run campaign:protocols -- raft mesi`.
 */

const wanted = process.argv.slice(2);
const isWanted = ({ machine }: { readonly machine: string }) =>
  wanted.length === 0 || wanted.includes(machine);

const campaigns = 11;
const seedsPerCampaign = 100_000;

for (const { machine, setting } of larger.filter(isWanted)) {
  const begin = performance.now();
  const { verdict, states, transitions, what } = await checked(machine, setting);
  const seconds = ((performance.now() - begin) / 1000).toFixed(0);
  const { config, network = {} } = setting;
  console.log(
    `| ${machine} | ${JSON.stringify(config)} ${JSON.stringify(network)} | ${verdict} ${what ?? ''} | ${states} | ${transitions} | ${seconds} |`,
  );
}
for (const { machine, check, fuzz, faults } of library.filter(isWanted))
  for (const [mutant, { endless }] of Object.entries(faults)) {
    const { states, what } = await checked(machine, check, [mutant]);
    const runs: number[] = [];
    for (let campaign = 0; campaign < campaigns && !endless; campaign++)
      runs.push((await fuzzed(machine, fuzz, [mutant], campaign * seedsPerCampaign)).run ?? Number.NaN);
    runs.sort((a, b) => a - b);
    console.log(
      `| ${machine} | ${mutant} | ${what} | ${states} | ${runs[(campaigns - 1) / 2] ?? 'by check only'} |`,
    );
  }
