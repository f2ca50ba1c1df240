import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Durations } from './durations.ts';
import type { Family } from './families.ts';
import type { JudgeOrder, JudgeReport } from './judge-order.ts';
import { type Mutant, type ReplacedModule, replacedModule } from './mutant.ts';
import { watched } from './processes.ts';
import { filesOf, projectFolder } from './project-files.ts';
import type { Reach } from './reach.ts';

/** Those who may notice a mutant, the cheapest first. */
export const judgeNames = ['scenarios', 'fuzz', 'tests'] as const;
export type JudgeName = (typeof judgeNames)[number];

/** What one judge says of one mutant. */
export interface Judgement {
  readonly noticed: boolean;
  /** What was noticed, in one line; empty when nothing. */
  readonly how: string;
  readonly seconds: number;
  /** Of `fuzz`: whether the changed place was carried out, and whether any run ended otherwise than without the change. */
  readonly reached?: boolean;
  readonly changed?: boolean;
}

/** How the sources do as they are. */
export interface Baseline {
  readonly scenarios: Readonly<Record<string, string>>;
  /** By machine: hash of the ends of its runs. */
  readonly ends: Readonly<Record<string, string>>;
  /** Failures that runs of the sound sources show, each with its machine and run. */
  readonly known: readonly string[];
}

/** Nothing is known of the sources yet. */
export const noBaseline: Baseline = { scenarios: {}, ends: {}, known: [] };

/** What decides the runs of `fuzz`. */
export interface FuzzPlan {
  readonly runs: number;
  readonly seed: number;
}

/** Milliseconds without a sign of life after which a run or a scenario is taken for endless. */
const silenceMax = 40_000;

/** Runs what these judges run on the sources as they are, so many parts at the same time; `keep` gets what is known after each part of it, and `kept` is what was known before. */
export async function baselineOf(
  family: Family,
  judges: readonly JudgeName[],
  { runs, seed }: FuzzPlan,
  workers: number,
  kept: Baseline,
  keep: (baseline: Baseline) => void,
): Promise<Baseline> {
  let baseline = kept;
  const order = { machines: [], scenarios: {}, runs, seed, known: [], keepGoing: true };
  const carryOut = async (asked: JudgeOrder, what: string) => {
    const scenarios: Record<string, string> = {};
    let ended = false;
    const { output } = await ask(asked, undefined, 600_000, (report) => {
      if (report.kind === 'end') ended = true;
      // One that takes long, or that cannot be read, is left out.
      if (report.kind === 'scenario' && report.outcome.startsWith('exit'))
        scenarios[report.file] = report.outcome;
      if (report.kind === 'fuzzed')
        baseline = {
          ...baseline,
          ends: { ...baseline.ends, [report.machine]: report.ends },
          known: [...baseline.known, ...(report.failures ?? [])],
        };
      return false;
    });
    if (!ended) throw new Error(`the sources as they are: ${what} did not end\n${output}`);
    if (asked.judge === 'scenarios') baseline = { ...baseline, scenarios };
    keep(baseline);
  };
  const parts: (() => Promise<void>)[] = [];
  if (judges.includes('scenarios') && Object.keys(baseline.scenarios).length === 0) {
    const files = family.scenarios
      .flatMap(filesOf)
      .filter((file) => /\.ya?ml$/.test(file) && !file.includes('/broken/'));
    const scenarios = Object.fromEntries(files.map((file) => [file, '']));
    parts.push(() => carryOut({ ...order, judge: 'scenarios', scenarios }, 'scenarios'));
  }
  if (judges.includes('fuzz'))
    for (const machine of family.machines)
      if (!(machine in baseline.ends))
        parts.push(() => carryOut({ ...order, judge: 'fuzz', machines: [machine] }, `fuzz ${machine}`));
  const work = async () => {
    for (let part = parts.shift(); part; part = parts.shift()) await part();
  };
  await Promise.all(Array.from({ length: Math.max(1, workers) }, work));
  return baseline;
}

/** Judges a mutant by the scenarios of its family. */
export async function byScenarios(baseline: Baseline, mutant: Mutant): Promise<Judgement> {
  return judged(
    {
      judge: 'scenarios',
      scenarios: baseline.scenarios,
      machines: [],
      runs: 0,
      seed: 0,
      known: [],
      keepGoing: false,
    },
    baseline,
    mutant,
  );
}

/** Judges a mutant by runs of generated scenarios of those machines of its family that reach its file. */
export async function byFuzz(
  family: Family,
  baseline: Baseline,
  plan: FuzzPlan,
  mutant: Mutant,
): Promise<Judgement> {
  return judged(
    {
      judge: 'fuzz',
      scenarios: {},
      machines: family.machines,
      ...plan,
      known: baseline.known,
      keepGoing: false,
    },
    baseline,
    mutant,
  );
}

async function judged(order: JudgeOrder, baseline: Baseline, mutant: Mutant): Promise<Judgement> {
  const began = performance.now();
  let [how, what, reached, changed, ended] = ['', 'the start', false, false, false];
  const { ending, output } = await ask(order, replacedModule(mutant), silenceMax, (report) => {
    if (report.kind === 'beat') what = report.what;
    else if (report.kind === 'noticed') how = report.how;
    else if (report.kind === 'end') ended = true;
    else if (report.kind === 'fuzzed') {
      reached ||= report.reached;
      changed ||= report.ends !== '' && report.ends !== baseline.ends[report.machine];
    }
    return false;
  });
  if (how === '' && ending === 'no sign of life') how = `no end: ${what}`;
  else if (how === '' && !ended) how = `breaks off: ${lastLine(output)}`;
  const noticed = how !== '';
  return {
    noticed,
    how: oneLine(how),
    seconds: secondsSince(began),
    ...(order.judge === 'fuzz' && { reached: reached || changed || noticed, changed: changed || noticed }),
  };
}

async function ask(
  order: JudgeOrder,
  replaced: ReplacedModule | undefined,
  silence: number,
  onReport: (report: JudgeReport) => boolean,
) {
  return watched<JudgeReport>(
    { module: 'judge.mjs', args: [JSON.stringify(order)], replaced, silenceMax: silence },
    onReport,
  );
}

/** What the process of the tests tells. */
type TestReport =
  | { readonly kind: 'begins'; readonly file: string }
  | { readonly kind: 'test'; readonly name: string; readonly state: string; readonly why: string }
  | {
      readonly kind: 'ends';
      readonly file: string;
      readonly ok: boolean;
      readonly milliseconds: number;
      readonly why: string;
    }
  | { readonly kind: 'end' };

/** Test files that replace modules themselves, or change what belongs to the process: each has a process of its own. */
const alone = /^(cli|bench)\/|\.faults\.test\.ts$/;

/** Judges mutants by the tests of their family that reach the changed file. */
export class TestJudge {
  readonly #tests: readonly { readonly file: string; readonly reaches: ReadonlySet<string> }[];
  /** Test files of which it is known whether they pass without a change. */
  readonly #sound = new Map<string, boolean>();

  constructor(
    { tests }: Family,
    reach: Reach,
    readonly durations: Durations,
    /** Milliseconds that the tests of one mutant may take when all is well. */
    readonly budget: number,
  ) {
    this.#tests = tests
      .flatMap(filesOf)
      .filter((file) => file.endsWith('.test.ts'))
      .map((file) => ({ file, reaches: reach.from(file) }));
  }

  /** The tests that reach a file: its own one first, then those that take the least time. */
  testsOf(file: string): readonly string[] {
    const own = file.replace(/\.ts$/, '.test.ts');
    let spent = 0;
    const rank = (test: string) => (test === own ? -1 : this.durations.of(test));
    return this.#tests
      .filter(({ file: test, reaches }) => reaches.has(file) && this.#sound.get(test) !== false)
      .map(({ file: test }) => test)
      .sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
      .filter((test) => {
        spent += this.durations.of(test);
        return spent <= this.budget;
      });
  }

  async judge(mutant: Mutant): Promise<Judgement> {
    const began = performance.now();
    const replaced = replacedModule(mutant);
    for (;;) {
      const tests = this.testsOf(mutant.file);
      const [together, apart] = [
        tests.filter((file) => !alone.test(file)),
        tests.filter((file) => alone.test(file)),
      ];
      const found = (await this.#run(together, replaced, false)) ?? (await this.#run(apart, replaced, true));
      if (!found) return { noticed: false, how: '', seconds: secondsSince(began) };
      // A test that fails without the change, too, notices nothing: it is left out from now on.
      if (await this.#passes(found.file))
        return { noticed: true, how: oneLine(`${found.file}: ${found.how}`), seconds: secondsSince(began) };
    }
  }

  async #passes(file: string): Promise<boolean> {
    let sound = this.#sound.get(file);
    if (sound === undefined) {
      sound = (await this.#run([file], undefined, alone.test(file))) === undefined;
      this.#sound.set(file, sound);
      if (!sound) process.stderr.write(`${file} fails without a change: left out\n`);
    }
    return sound;
  }

  /** The first failure of tests; undefined when they pass. */
  async #run(
    files: readonly string[],
    replaced: ReplacedModule | undefined,
    isolate: boolean,
  ): Promise<{ readonly file: string; readonly how: string } | undefined> {
    if (files.length === 0) return undefined;
    let [current, ended] = [files[0]!, false];
    let failure: { file: string; how: string } | undefined;
    const longest = Math.max(...files.map((file) => this.durations.of(file)));
    const { ending, output } = await watched<TestReport>(
      {
        module: 'run-tests.mjs',
        args: [JSON.stringify({ files })],
        replaced,
        env: { LOCKSTEP_ISOLATE: isolate ? '1' : '0' },
        silenceMax: 60_000 + 4 * longest,
      },
      (report) => {
        if (report.kind === 'end') ended = true;
        else if (report.kind === 'begins') current = relative(projectFolder, report.file);
        else if (report.kind === 'test') {
          if (report.state === 'failed') failure ??= { file: current, how: `${report.name}: ${report.why}` };
        } else {
          const file = relative(projectFolder, report.file);
          if (!report.ok) failure ??= { file, how: report.why };
          else this.durations.keep(file, report.milliseconds);
        }
        return failure !== undefined;
      },
    );
    if (failure) return failure;
    if (ending === 'no sign of life') return { file: current, how: 'no end' };
    if (!ended) return { file: current, how: `breaks off: ${lastLine(output)}` };
    return undefined;
  }
}

const lastLine = (output: string): string =>
  output
    .trim()
    .split('\n')
    .filter((line) => /Error|error|defect/.test(line))[0] ??
  output.trim().split('\n').at(-1) ??
  '';
const oneLine = (text: string): string => stripVTControlCharacters(text).replace(/\s+/g, ' ').slice(0, 300);
const secondsSince = (began: number): number => Math.round((performance.now() - began) / 100) / 10;
