/** Usage: npx tsx cli/fuzz/options.campaign.ts [--machine NAME] [--scenarios 20] [--seed 1] */
import process from 'node:process';
import { machines } from '../../manifests/machines.ts';
import { type Schema, schemaOf } from '../../properties/declared-limits.ts';
import { GeneratedSubject } from '../../properties/explore/subject.ts';
import { Trials } from '../../properties/explore/trial.ts';
import { generationOf } from '../../properties/generated-subject.ts';
import { campaignWords } from '../../properties/words.campaign.ts';
import { scheduleProducers } from '../../scenarios/schedule.ts';
import type { WrittenScenario } from '../../scenarios/written.ts';
import { machineNamed } from '../known-machines.ts';

const usage = `Generated scenarios of each machine, each option of its configuration at other values than generators give it: a sound machine must not be found wrong.

  npx tsx cli/fuzz/options.campaign.ts [options]

  --machine NAME  only this machine
  --option WORD   only options with this word
  --scenarios N   scenarios for each value, default 20
  --seed N        seed of the scenarios, default 1

Exit codes: 0 nothing was violated, 1 something was, 2 wrong usage.
`;

const { given, natural } = campaignWords(usage, {
  machine: { type: 'string', default: '' },
  option: { type: 'string', default: '' },
  scenarios: { type: 'string', default: '20' },
  seed: { type: 'string', default: '1' },
});
const [scenarios, seed] = [natural(given.scenarios, 'scenarios', 1), natural(given.seed, 'seed', 0)];

/** Deliveries after which a run is left: some values make runs very long. */
const deliveriesMax = 300_000;
/** How much more than usual is tried where nothing limits a number. */
const timesUsual = 20;

/** Values of an option that its schema allows. */
function valuesOf(schema: Schema): readonly unknown[] {
  const { minimum, maximum, exclusiveMinimum, default: usual } = schema;
  if (schema.enum) return schema.enum;
  if (schema.type === 'boolean') return [false, true];
  if (schema.type !== 'integer' && schema.type !== 'number') return [];
  const least = minimum ?? (exclusiveMinimum === undefined ? 0 : exclusiveMinimum + 1);
  const known = typeof usual === 'number' ? usual : least;
  const most = Math.min(maximum ?? Number.POSITIVE_INFINITY, timesUsual * Math.max(known, 1));
  const all = [least, least + 1, Math.floor(known / 2), known + 1, 2 * known, most];
  return [...new Set(all)].filter((one) => one >= least && one <= most && one !== usual);
}

/** The options that have one value, with those that are tried. */
function* optionsOf(
  schema: Schema,
  path: readonly string[] = [],
): Generator<readonly [string, readonly unknown[]]> {
  const values = valuesOf(schema);
  if (values.length > 0) yield [path.join('.'), values];
  for (const [name, one] of Object.entries(schema.properties ?? {})) yield* optionsOf(one, [...path, name]);
  for (const one of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) yield* optionsOf(one, path);
}

/** A scenario with another value of an option. */
function changed(written: WrittenScenario, option: string, value: unknown): WrittenScenario {
  const config = structuredClone(written.config ?? {}) as Record<string, unknown>;
  const path = option.split('.');
  let within = config;
  for (const name of path.slice(0, -1)) {
    const there = within[name];
    within[name] = typeof there === 'object' && there !== null && !Array.isArray(there) ? there : {};
    within = within[name] as Record<string, unknown>;
  }
  within[path.at(-1)!] = value;
  return { ...written, config };
}

let [runs, refused, violated] = [0, 0, 0];
for (const { name } of machines) {
  if (given.machine !== '' && given.machine !== name) continue;
  const generation = await generationOf((await machineNamed(name))!);
  if (!generation) continue;
  const { machine, properties } = generation;
  const subject = new GeneratedSubject({ ...generation, seed });
  const findingOf = (written: WrittenScenario, index: number): string | undefined => {
    let scenario: ReturnType<typeof subject.scenario>;
    try {
      scenario = subject.read({ value: written, context: undefined } as never, `${name}-${index}.yaml`);
    } catch {
      refused++;
      return undefined;
    }
    const trials = new Trials(scenario, machine, properties);
    for (const choices of [scheduleProducers.fifo(1), scheduleProducers.random(index)]) {
      runs++;
      const { outcome } = trials.attempt(choices, { deliveriesMax });
      const [first] = outcome.violations;
      if (first) return `${first.property}: ${first.why}`;
    }
    return undefined;
  };
  for (const [option, values] of optionsOf(schemaOf(machine.config))) {
    if (!option.includes(given.option)) continue;
    for (const value of values) {
      const found: string[] = [];
      for (let index = 0; index < scenarios; index++) {
        const written = subject.generate(index).value;
        let finding: string | undefined;
        try {
          finding = findingOf(changed(written, option, value), index);
        } catch (error) {
          finding = `threw: ${error instanceof Error ? error.message : String(error)}`;
        }
        if (finding !== undefined) found.push(`scenario ${index}: ${finding}`);
      }
      if (found.length === 0) continue;
      violated++;
      process.stdout.write(
        `${name}, ${option}: ${JSON.stringify(value)}: ${found.length} of ${scenarios}, first ${found[0]}\n`,
      );
    }
  }
}
process.stdout.write(
  `${runs} runs, ${refused} scenarios refused, ${violated} values with something violated\n`,
);
process.exitCode = violated > 0 ? 1 : 0;
