/** Usage: npx tsx properties/chiplet/system/schedules.campaign.ts [--runs 100000] [--from 0] [--systems 400] */
import process from 'node:process';
import type { SystemGiven } from '../../../machines/chiplet/system.ts';
import { campaignWords } from '../../words.campaign.ts';
import { generatedSystem, schedulesOf } from './schedules.ts';
import { givenFrom } from './trial.ts';

const usage = `Systems of chiplets under schedules of warps, mailboxes and all deliveries (random, PCT, partial order sampling, delay-bounded): every schedule must give the
values of the first come, first served one and keep all properties. Systems are scenarios in each mode, and generated ones of two to four chiplets.

  npx tsx properties/chiplet/system/schedules.campaign.ts [options]

  --runs N            schedules of all systems together, default 100000
  --from N            number of the first one; a campaign that was stopped goes on with the number that it told last, default 0
  --systems N         systems that the schedules are of, default 400; with another number all schedules are others

Exit codes: 0 every schedule gave the same values, 1 one did not, 2 wrong usage.
`;

const modes = ['decoupled', 'coupled', 'iterative'] as const;
/** Scenarios that are small enough. */
const files = [
  'system-schedules.yaml',
  'system-data-ranges.yaml',
  'system-pipeline.yaml',
  'system-all-to-all.yaml',
];

const { given, natural } = campaignWords(usage, {
  runs: { type: 'string', default: '100000' },
  from: { type: 'string', default: '0' },
  systems: { type: 'string', default: '400' },
});
const runs = natural(given.runs, 'runs', 1);
const first = natural(given.from, 'from', 0);
const systems = natural(given.systems, 'systems', 1);
/** Schedules of one system after another, as 100,000 runs of all of them have it. */
const schedulesEach = Math.max(1, Math.ceil(100_000 / systems));

async function systemOf(number: number): Promise<SystemGiven> {
  const file = files[Math.floor(number / modes.length)];
  const mode = modes[number % modes.length]!;
  if (file === undefined) return generatedSystem(number);
  return givenFrom(file, { mode, rounds: 2 });
}

let compared:
  | { readonly number: number; readonly name: string; readonly schedules: ReturnType<typeof schedulesOf> }
  | undefined;
for (let index = first; index < first + runs; index++) {
  const number = Math.floor(index / schedulesEach) % systems;
  if (compared?.number !== number) {
    const system = await systemOf(number);
    compared = { number, name: `${system.name}, ${system.config.mode}`, schedules: schedulesOf(system) };
  }
  const failure = compared.schedules.differs(index);
  if (failure !== undefined) {
    console.log(`schedule ${index} of system ${number} (${compared.name}): ${failure}`);
    process.exitCode = 1;
    break;
  }
  const done = index - first + 1;
  if (done % 1000 === 0 || done === runs)
    console.log(
      `${done} schedules give the same values, ${number + 1} of ${systems} systems; go on with --from ${index + 1}`,
    );
}
