/** Usage: npx tsx properties/message-faults.campaign.ts [--kind drop] [--machine M] [--list] */
import { readdirSync, readFileSync } from 'node:fs';
import process from 'node:process';
import { parseDocument } from 'yaml';
import { machines } from '../manifests/machines.ts';
import { ScenarioErrors } from '../scenarios/errors.ts';
import { parseScenario } from '../scenarios/load.ts';
import { type Simulation, simulate } from '../scenarios/simulate.ts';
import { StepLimitError } from '../scenarios/step-limit.ts';
import { judgedScenario } from './judged-scenario.ts';
import { watchedTape } from './watched-run.ts';
import { campaignWords } from './words.campaign.ts';

const usage = `One message of each type is hit by a fault, in each bundled scenario that is ok without one: is it noticed?

  npx tsx properties/message-faults.campaign.ts [options]

  --kind K      drop, duplicate or corrupt, default drop
  --machine M   scenarios of one machine
  --list        also types of which every fault is noticed

Exit codes: 0 all that changes what a run comes to is noticed, 1 something is not, 2 wrong usage.
`;

const { given } = campaignWords(usage, {
  kind: { type: 'string', default: 'drop' },
  machine: { type: 'string' },
  list: { type: 'boolean', default: false },
});

/** Deliveries behind which a run is left: with a fault it may have no end. */
const deliveriesMax = 200_000;

interface Tally {
  noticed: number;
  /** Runs that came to the same as the sound one. */
  harmless: number;
  /** Scenarios that came to something else, with a verdict that says that all is well. */
  readonly unnoticed: string[];
}

async function run(file: string, text: string, hear: (type: string) => void): Promise<Simulation> {
  const judged = await judgedScenario(await parseScenario(text, file, machines));
  const how = watchedTape(judged, [], { checkpoints: 0, scheduled: false, deliveriesMax });
  return simulate(judged.scenario, judged.machine, {
    ...how,
    observe: (made, built) => {
      how.observe?.(made, built);
      made.messages$.subscribe(({ message, from, to }) => {
        if (from !== to && from !== 'world') hear(message.event.type);
      });
    },
  });
}

/** A type that is not sent where faults are injected, or a step that takes too long: with a fault no fast part stands for others. */
function refused(error: unknown): undefined {
  if (!(error instanceof ScenarioErrors || error instanceof StepLimitError)) throw error;
}

const shown = ({ outcome, result, run: { ended } }: Simulation): string =>
  JSON.stringify([ended, outcome.ticks, result], (_key, value) =>
    typeof value === 'bigint' ? `${value}` : value,
  );

const files = readdirSync('scenarios', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.yaml') && !name.startsWith('broken/'))
  .map((name) => `scenarios/${name}`)
  .sort();
const tallies = new Map<string, Tally>();
for (const file of files) {
  const document = parseDocument(readFileSync(file, 'utf8'));
  // Some are wrong on purpose.
  if (document.errors.length > 0) continue;
  const { expect: _, ...scenario } = document.toJS() ?? {};
  const { machine, faults } = scenario;
  const known = machines.find(({ name }) => name === machine);
  if (faults || known === undefined || (given.machine !== undefined && machine !== given.machine)) continue;
  const types = new Set<string>();
  const sound = await run(file, JSON.stringify(scenario), (type) => types.add(type)).catch(refused);
  if (sound === undefined || sound.outcome.verdict !== 'ok' || !sound.run.ended || sound.run.asynchronous)
    continue;
  for (const type of types) {
    const fault = { [given.kind]: { type, probability: 1, budget: 1 } };
    const hit = await run(file, JSON.stringify({ ...scenario, faults: [fault] }), () => {}).catch(refused);
    // What the parts of one actor say among themselves is never hit.
    if (hit === undefined || hit.outcome.faults?.[0]?.struck === 0) continue;
    const key = `${machine} ${type}`;
    const tally = tallies.get(key) ?? { noticed: 0, harmless: 0, unnoticed: [] };
    if (hit.outcome.verdict !== 'ok') tally.noticed++;
    else if (shown(hit) === shown(sound)) tally.harmless++;
    else tally.unnoticed.push(file);
    tallies.set(key, tally);
  }
}

const rows = [...tallies].sort(([one], [other]) => (one < other ? -1 : 1));
for (const [key, { noticed, harmless, unnoticed }] of rows)
  if (given.list || unnoticed.length > 0)
    process.stdout.write(
      `${key}: noticed ${noticed}, harmless ${harmless}${unnoticed.length > 0 ? `, NOT NOTICED ${unnoticed.length}: ${unnoticed.slice(0, 3).join(', ')}` : ''}\n`,
    );
const sum = (of: (tally: Tally) => number): number => rows.reduce((all, [, one]) => all + of(one), 0);
process.stdout.write(
  `${rows.length} types of messages, ${sum(({ noticed }) => noticed)} faults noticed, ${sum(({ harmless }) => harmless)} without effect, ${sum(({ unnoticed }) => unnoticed.length)} not noticed\n`,
);
process.exitCode = rows.some(([, { unnoticed }]) => unnoticed.length > 0) ? 1 : 0;
