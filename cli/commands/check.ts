import type { Command } from 'commander';
import { TapeChoices } from '../../kernel/choices.ts';
import { KernelError } from '../../kernel/errors.ts';
import { Explorer } from '../../kernel/explore/explorer.ts';
import { GuidedChoices } from '../../kernel/explore/guide.ts';
import { machines } from '../../machines/machines.ts';
import { type JudgedScenario, judgedScenario } from '../../properties/judged-scenario.ts';
import { loadScenario } from '../../scenarios/load.ts';
import { type CheckReport, checkJson, checkText, isJudgedToEnd } from '../check/check-report.ts';
import { type Failing, showFailing } from '../check/counterexample.ts';
import { type CrewExploration, exploreWithCrew } from '../check/crew.ts';
import { type EveryTape, everyTape } from '../check/every-tape.ts';
import { explorationOf } from '../check/exploration.ts';
import { NotExplorable } from '../check/not-explorable.ts';
import type { Session } from '../command.ts';
import { type Conducted, conducted } from '../conduct.ts';
import { exitCodes } from '../exit-codes.ts';
import { naturalOption } from '../natural-option.ts';
import { Outputs, standardOutput } from '../output.ts';
import { UsageError } from '../usage-error.ts';

interface CheckOptions {
  readonly maxStates: number;
  readonly reduction: boolean;
  readonly workers: number;
  readonly symmetry?: boolean;
  readonly allProperties?: boolean;
  /** A file, false for `--no-record`, absent for a file beside other output. */
  readonly record?: string | boolean;
  readonly json?: boolean;
}

type Checked = Omit<CheckReport, 'wallSeconds'> & { readonly failing?: Failing };

const defaultStatesMax = 10_000_000;
/** Threads that one check may have. */
const workersMax = 256;

/** `lockstep check SCENARIO` (design, section 7). */
export function declareCheck(command: Command, session: Session): void {
  command
    .argument('<scenario>', 'a scenario file')
    .option(
      '--max-states <n>',
      'states (with --all-properties: runs) after which it stops',
      naturalOption('--max-states'),
      defaultStatesMax,
    )
    .option('--no-reduction', 'try every order of deliveries, also where it makes no difference')
    .option(
      '--all-properties',
      'run every tape instead of merging states: judges all properties, much slower',
    )
    .option(
      '--workers <n>',
      'threads that share the states; what is found does not depend on it',
      naturalOption('--workers', workersMax),
      1,
    )
    .option(
      '--symmetry',
      'explore states that differ only in the places of interchangeable actors once, where the machine declares some',
    )
    .option('--record <file>', 'where the counterexample is recorded; without this in out/')
    .option('--no-record', 'record no counterexample')
    .option('--json', 'one JSON object on standard output')
    .action(async (file: string, options: CheckOptions) => {
      session.exitCode = await check(file, options, session);
    });
}

async function check(file: string, options: CheckOptions, { terminal }: Session): Promise<number> {
  if (options.workers === 0)
    throw new UsageError('--workers: found "0", expected at least 1', 'for example --workers 2');
  if (options.workers > 1 && options.allProperties)
    throw new UsageError(
      '--workers: found together with --all-properties, expected one of them',
      'runs under every tape are carried out by one thread: take --workers out',
    );
  if (options.symmetry && options.allProperties)
    throw new UsageError(
      '--symmetry: found together with --all-properties, expected one of them',
      'runs under every tape are not merged, and so never exchanged: take one of the two out',
    );
  const loaded = await judgedScenario(await loadScenario(file, machines));
  const began = performance.now();
  const carryOut = options.allProperties ? runTapes : explore;
  const unit = options.allProperties ? 'runs' : 'states';
  const found = await conducted(
    terminal,
    undefined,
    (conduct) => carryOut(loaded, options, conduct),
    unit,
  ).catch((error: unknown) => {
    throw error instanceof KernelError || error instanceof NotExplorable ? notExplorable(file, error) : error;
  });
  const wallSeconds = (performance.now() - began) / 1000;

  const outputs = new Outputs();
  const { failing, ...checked } = found;
  const shown = failing && showFailing(loaded, failing, options.record, outputs, terminal);
  const report: CheckReport = {
    ...checked,
    ...(shown && { counterexample: shown.counterexample }),
    wallSeconds,
  };
  const text = shown ? `${checkText(report)}\n${shown.text}` : checkText(report);
  // Standard output is for people unless something else is asked for there.
  if (options.json || options.record === standardOutput) terminal.err(text);
  else terminal.out(text);
  if (options.json) terminal.out(`${JSON.stringify({ ...checkJson(report), ...outputs.json })}\n`);
  outputs.settle();
  if (report.counterexample) return exitCodes.failed;
  if (report.interrupted) return exitCodes.interrupted;
  return isJudgedToEnd(report) ? exitCodes.ok : exitCodes.open;
}

/** Few enough for a machine that takes a millisecond for each. */
const sliceDeliveries = 2_000;

/** Explores all states. */
async function explore(loaded: JudgedScenario, options: CheckOptions, conduct: Conducted): Promise<Checked> {
  const { scenario, machine } = loaded;
  const { reduction, maxStates: statesMax, workers, symmetry = false } = options;
  const how = { reduction, statesMax, symmetry, shared: workers > 1 };
  const { judged, unjudged, atRest, open, interchangeable, notSymmetric, ...what } = explorationOf(
    loaded,
    how,
  );
  const {
    exploration,
    route,
    interrupted,
    exchanged = 0,
  } = workers === 1
    ? await exploreAlone(new Explorer(what.make, what.options), conduct)
    : await exploreWithCrew({ ...how, file: scenario.file, text: scenario.text }, workers, conduct);
  const { verdict: found, findings, open: left, witnesses, ...figures } = exploration;
  const [first] = findings;
  const allOpen = [...open, ...left];
  const verdict = found === 'ok' && allOpen.length > 0 ? 'incomplete' : found;
  const common = {
    scenario,
    machine,
    verdict,
    judged,
    unjudged,
    atRest,
    open: allOpen,
    witnessed: witnesses.map(({ what, place }) => ({ sentence: what, state: place.state })),
    reduction,
    ...(symmetry && { symmetry: { actors: interchangeable, exchanged, notSymmetric } }),
    interrupted,
  };
  if (!first) return { ...common, figures: { way: 'states', ...figures } };
  const { place, unreached, ...finding } = first;
  if (!route || unreached)
    return { ...common, figures: { way: 'states', ...figures }, counterexample: finding };
  const follow = new GuidedChoices(route);
  const { tick: until, cycleFromTick: from } = route;
  const cycle = from === undefined ? {} : { cycle: { from, property: finding.what } };
  const observers = what.options.observers ?? [];
  const failing: Failing = { ...finding, choices: follow, follow, until, ...cycle, route, observers };
  return { ...common, figures: { way: 'states', ...figures }, failing };
}

async function exploreAlone(
  explorer: Explorer,
  { onProgress, shouldStop, turn }: Conducted,
): Promise<CrewExploration> {
  let interrupted = false;
  while (!interrupted && explorer.go(sliceDeliveries)) {
    const { states, transitions } = explorer.figures;
    onProgress(states, transitions);
    await turn();
    interrupted = shouldStop();
  }
  const exploration = explorer.result;
  const { exchanged } = explorer;
  const [first] = exploration.findings;
  if (!first) {
    explorer.verifySymmetry();
    return { exploration, exchanged, interrupted };
  }
  if (first.unreached) return { exploration, exchanged, interrupted };
  const { finding, route } = explorer.show(first);
  return { exploration: { ...exploration, findings: [finding] }, route, exchanged, interrupted };
}

/** Runs every tape. */
async function runTapes(
  loaded: JudgedScenario,
  { maxStates }: CheckOptions,
  { onProgress, shouldStop, turn }: Conducted,
): Promise<Checked> {
  let last: EveryTape | undefined;
  let [interrupted, cut] = [false, false];
  const { scenario, machine, properties } = loaded;
  for (const so of everyTape(loaded)) {
    last = so;
    if (so.runs % runsBetweenTurns !== 0 && so.runs < maxStates) continue;
    onProgress(so.runs, so.deliveries);
    await turn();
    interrupted = shouldStop();
    cut = so.runs >= maxStates;
    if (interrupted || cut) break;
  }
  const { runs = 0, ends = 0, deliveries = 0, ticks = 0, failed } = last ?? {};
  return {
    scenario,
    machine,
    verdict: failed?.kind.verdict ?? (interrupted || cut ? 'incomplete' : 'ok'),
    figures: { way: 'tapes', runs, states: ends, transitions: deliveries, depth: ticks },
    judged: properties?.sentences ?? [],
    unjudged: [],
    atRest: [],
    open: [],
    witnessed: [],
    reduction: false,
    interrupted,
    ...(failed && {
      failing: { ...failed.kind, actors: [], why: failed.why, choices: new TapeChoices(failed.tape) },
    }),
  };
}

const runsBetweenTurns = 100;

/** A machine that cannot be explored is a mistake of who wrote it. */
function notExplorable(file: string, error: Error): UsageError {
  const [what = '', help = ''] = error.message.split('\n  help: ');
  return new UsageError(`${file}: cannot be explored: ${what}`, help);
}
