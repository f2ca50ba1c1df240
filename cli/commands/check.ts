import type { Command } from 'commander';
import { TapeChoices } from '../../kernel/choices.ts';
import { KernelError } from '../../kernel/errors.ts';
import { GuidedChoices } from '../../kernel/explore/guide.ts';
import { machines } from '../../machines/machines.ts';
import { propertiesOf } from '../../properties/properties.ts';
import { type LoadedScenario, loadScenario } from '../../scenarios/load.ts';
import { type CheckReport, checkJson, checkText } from '../check/check-report.ts';
import { type Failing, showFailing } from '../check/counterexample.ts';
import { type EveryTape, everyTape } from '../check/every-tape.ts';
import { explorationOf } from '../check/exploration.ts';
import type { Session } from '../command.ts';
import { type Conducted, conducted } from '../conduct.ts';
import { exitCodes } from '../exit-codes.ts';
import { naturalOption } from '../natural-option.ts';
import { UsageError } from '../usage-error.ts';

interface CheckOptions {
  readonly maxStates: number;
  readonly reduction: boolean;
  readonly allProperties?: boolean;
  /** A file, false for `--no-record`, absent for a file beside other output. */
  readonly record?: string | boolean;
  readonly json?: boolean;
}

type Checked = Omit<CheckReport, 'counterexample' | 'wallSeconds'> & { readonly failing?: Failing };

const defaultStatesMax = 10_000_000;

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
    .option('--record <file>', 'where the counterexample is recorded; without this in out/')
    .option('--no-record', 'record no counterexample')
    .option('--json', 'one JSON object on standard output')
    .action(async (file: string, options: CheckOptions) => {
      session.exitCode = await check(file, options, session);
    });
}

async function check(file: string, options: CheckOptions, { terminal }: Session): Promise<number> {
  const loaded = await loadScenario(file, machines);
  const began = performance.now();
  const carryOut = options.allProperties ? runTapes : explore;
  const unit = options.allProperties ? 'runs' : 'states';
  const found = await conducted(
    terminal,
    undefined,
    (conduct) => carryOut(loaded, options, conduct),
    unit,
  ).catch((error: unknown) => {
    throw error instanceof KernelError ? notExplorable(file, error) : error;
  });
  const wallSeconds = (performance.now() - began) / 1000;

  const { failing, ...checked } = found;
  const shown = failing && showFailing(loaded, failing, options.record);
  const report: CheckReport = {
    ...checked,
    ...(shown && { counterexample: shown.counterexample }),
    wallSeconds,
  };
  terminal.err(shown ? `${checkText(report)}\n${shown.text}` : checkText(report));
  if (options.json) terminal.out(`${JSON.stringify(checkJson(report))}\n`);
  if (failing) return exitCodes.failed;
  if (report.interrupted) return exitCodes.interrupted;
  return report.verdict === 'ok' ? exitCodes.ok : exitCodes.failed;
}

const sliceDeliveries = 50_000;

/** Explores all states. */
async function explore(
  { scenario, machine }: LoadedScenario,
  { reduction, maxStates }: CheckOptions,
  { onProgress, shouldStop, turn }: Conducted,
): Promise<Checked> {
  const { explorer, judged, unjudged } = explorationOf(scenario, machine, {
    reduction,
    statesMax: maxStates,
  });
  let interrupted = false;
  while (!interrupted && explorer.go(sliceDeliveries)) {
    const { states, transitions } = explorer.figures;
    onProgress(states, transitions);
    await turn();
    interrupted = shouldStop();
  }
  const { verdict, findings, ...figures } = explorer.result;
  const [first] = findings;
  const common = { scenario, machine, verdict, judged, unjudged, reduction, interrupted };
  if (!first) return { ...common, figures: { way: 'states', ...figures } };
  const { place, ...finding } = first;
  const route = explorer.routeTo(first);
  const follow = new GuidedChoices(route);
  const failing: Failing = { ...finding, choices: follow, follow, until: route.tick };
  return { ...common, figures: { way: 'states', ...figures }, failing };
}

/** Runs every tape. */
async function runTapes(
  { scenario, machine }: LoadedScenario,
  { maxStates }: CheckOptions,
  { onProgress, shouldStop, turn }: Conducted,
): Promise<Checked> {
  let last: EveryTape | undefined;
  let [interrupted, cut] = [false, false];
  for (const so of everyTape(scenario, machine)) {
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
    judged: propertiesOf(machine.name)?.sentences ?? [],
    unjudged: [],
    reduction: false,
    interrupted,
    ...(failed && {
      failing: { ...failed.kind, actors: [], why: failed.why, choices: new TapeChoices(failed.tape) },
    }),
  };
}

const runsBetweenTurns = 100;

/** A machine that cannot be explored is a mistake of who wrote it. */
function notExplorable(file: string, error: KernelError): UsageError {
  const [what = '', help = ''] = error.message.split('\n  help: ');
  return new UsageError(`${file}: cannot be explored: ${what}`, help);
}
