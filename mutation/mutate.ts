import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { Durations } from './durations.ts';
import { Equivalents } from './equivalents.ts';
import { type Family, families, sourcesOf } from './families.ts';
import {
  baselineOf,
  byFuzz,
  byScenarios,
  type Judgement,
  type JudgeName,
  judgeNames,
  TestJudge,
} from './judges.ts';
import { BaselineFile, mutationLedger } from './ledger.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { placesReached, placesText } from './places.ts';
import { Reach } from './reach.ts';
import { figuresOf, noticedByAny, type Row, reportText } from './report.ts';
import { drawn } from './sample.ts';
import { TypeCheck } from './type-check.ts';

interface Options {
  readonly family: Family;
  readonly sample: number;
  readonly seed: number;
  readonly runs: number;
  readonly judges: readonly JudgeName[];
  readonly all?: boolean;
  readonly retry?: boolean;
  readonly views?: boolean;
  readonly only?: string;
  readonly testSeconds: number;
  readonly seconds?: number;
  readonly workers: number;
  readonly out: string;
  readonly json?: boolean;
  readonly report?: boolean;
  readonly places?: boolean;
}

const natural = (text: string): number => {
  if (!/^\d{1,10}$/.test(text)) throw new InvalidArgumentError(`found "${text}", expected a natural number`);
  return Number(text);
};

const familyNamed = (name: string): Family => {
  const family = families.find((one) => one.name === name);
  if (!family)
    throw new InvalidArgumentError(
      `found "${name}", expected one of ${families.map((one) => one.name).join(', ')}`,
    );
  return family;
};

const judgesNamed = (list: string): readonly JudgeName[] => {
  const asked = list.split(',');
  for (const name of asked)
    if (!(judgeNames as readonly string[]).includes(name))
      throw new InvalidArgumentError(`found "${name}", expected some of ${judgeNames.join(', ')}`);
  return judgeNames.filter((name) => asked.includes(name));
};

const options = new Command('mutate')
  .description('Makes single changes in the sources of a family, in memory, and says who notices them.')
  .requiredOption('--family <name>', `one of ${families.map(({ name }) => name).join(', ')}`, familyNamed)
  .option('--sample <n>', 'how many mutants', natural, 40)
  .option(
    '--seed <n>',
    'seed of the sample; a larger sample of the same seed goes on from a smaller one',
    natural,
    1,
  )
  .option('--runs <n>', 'runs of fuzz for each machine of the family', natural, 1000)
  .option('--judges <list>', 'who judges', judgesNamed, judgeNames)
  .option('--all', 'ask every judge, not only until the first that notices')
  .option(
    '--retry',
    'ask those again who noticed nothing, after tests, properties or generators were changed',
  )
  .option('--views', 'change also what nothing that runs depends on: pictures and reports')
  .option('--only <text>', 'only mutants with this text in their id: a file, a line, an operator')
  .option(
    '--test-seconds <s>',
    'tests that are asked about one mutant may take so long in all, the quickest first',
    natural,
    600,
  )
  .option('--seconds <s>', 'begin no further mutant after that; the same command goes on', natural)
  .option('--workers <n>', 'mutants at the same time', natural, 1)
  .option('--out <folder>', 'where the ledger is kept', join('out', 'mutation'))
  .option('--report', 'judge nothing, only tell what the ledger has')
  .option('--places', 'judge nothing, only tell the places that fuzz never carries out')
  .option('--json', 'figures as one JSON object on standard output')
  .parse()
  .opts<Options>();

process.exitCode = await mutate(options);

async function mutate(asked: Options): Promise<number> {
  const until = performance.now() + 1000 * (asked.seconds ?? Number.POSITIVE_INFINITY);
  const { family, sample, seed, runs, views = false, out, workers, testSeconds } = asked;
  const say = (text: string) => process.stderr.write(text);
  const identity = { family: family.name, seed, runs, views };
  if (asked.places) {
    const found = await placesReached(family, sourcesOf(family, views), { runs, seed });
    say(
      placesText(
        found,
        `places of ${family.name}; fuzz, seed ${seed}: ${runs} runs of each of ${family.machines.join(', ')}`,
      ),
    );
    return 0;
  }
  const ledger = mutationLedger(join(out, `${family.name}-${seed}.json`), identity);
  const equivalents = Equivalents.kept();
  const rows = new Map(ledger.read().map((row) => [row.id, row]));
  const chosen = chosenMutants(asked, rows);
  const sampled = () => chosen.flatMap(({ id }) => rows.get(id) ?? []);

  if (!asked.report) {
    const durations = new Durations(join(out, 'durations.json'));
    const tests = new TestJudge(family, new Reach(), durations, 1000 * testSeconds);
    const plan = { runs, seed };
    const file = new BaselineFile(join(out, `${family.name}-${seed}-baseline.json`), {
      ...plan,
      machines: family.machines,
    });
    say('the sources as they are…\n');
    const baseline = await baselineOf(family, asked.judges, plan, workers, file.read(), (part) =>
      file.keep(part),
    );
    for (const failure of baseline.known) say(`fuzz of the sources as they are: ${failure}\n`);
    const judge = {
      scenarios: (mutant: Mutant) => byScenarios(baseline, mutant),
      fuzz: (mutant: Mutant) => byFuzz(family, baseline, plan, mutant),
      tests: (mutant: Mutant) => tests.judge(mutant),
    };
    let done = 0;
    const left = [...chosen];
    const work = async () => {
      for (let mutant = left.shift(); mutant && performance.now() < until; mutant = left.shift()) {
        const { mutation: _, ...told } = mutant;
        let row: Row = rows.get(mutant.id) ?? { ...told, judgements: {} };
        if (equivalents.why(mutant) === undefined)
          for (const name of asked.judges) {
            if (!asked.all && noticedByAny(row)) break;
            const before = row.judgements[name];
            if (before && (before.noticed || !asked.retry)) continue;
            const judgement: Judgement = await judge[name](mutant);
            row = { ...row, judgements: { ...row.judgements, [name]: judgement } };
            // What a judge said stays, whoever ends this before the next one has answered.
            rows.set(mutant.id, row);
            ledger.write(rows.values());
            durations.write();
          }
        rows.set(mutant.id, row);
        ledger.write(rows.values());
        const by = judgeNames.filter((name) => row.judgements[name]?.noticed);
        say(
          `${++done}/${chosen.length} ${mutant.id}: ${by.join(', ') || (equivalents.why(mutant) ? 'equivalent' : 'nobody')}\n`,
        );
      }
    };
    await Promise.all(Array.from({ length: Math.max(1, workers) }, work));
  }

  const title = `mutants of ${family.name}, seed ${seed}, ${sample} asked for; fuzz: ${runs} runs of each of ${family.machines.join(', ')}`;
  say(`\n${reportText(sampled(), equivalents, title)}`);
  if (asked.json)
    process.stdout.write(
      `${JSON.stringify({ ...identity, sample, ...figuresOf(sampled(), equivalents), survivors: sampled().filter((row) => !noticedByAny(row) && equivalents.why(row) === undefined) })}\n`,
    );
  return 0;
}

/** The first mutants of the drawn order that type-check; which do is found out once and kept with the rows. */
function chosenMutants(
  { family, sample, seed, views = false, only = '', report }: Options,
  rows: ReadonlyMap<string, Row>,
): readonly Mutant[] {
  const all = sourcesOf(family, views).flatMap(mutantsOf);
  const types = report ? undefined : new TypeCheck();
  const chosen: Mutant[] = [];
  for (const mutant of drawn(all, seed)) {
    if (chosen.length === sample) break;
    if (!mutant.id.includes(only)) continue;
    const { before, after } = rows.get(mutant.id) ?? {};
    if ((before === mutant.before && after === mutant.after) || types?.accepts(mutant)) chosen.push(mutant);
  }
  return chosen;
}
