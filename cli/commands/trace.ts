import type { Command } from 'commander';
import { KernelError } from '../../kernel/errors.ts';
import type { ReadShown } from '../../kernel/explore/step-graph.ts';
import { assembled } from '../../machines/machine.ts';
import {
  checkingTrace,
  type TraceFigures,
  type TraceOptions,
  type TraceResult,
  traceStatesMax,
} from '../../properties/refinement/check-trace.ts';
import { shownEvent } from '../../properties/refinement/shown-event.ts';
import { givenOf } from '../../scenarios/given.ts';
import { lastTickOf } from '../../scenarios/last-tick.ts';
import { loadScenario } from '../../scenarios/load.ts';
import { withinStepLimit } from '../../scenarios/step-limit.ts';
import type { Session } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { knownMachines } from '../known-machines.ts';
import { naturalOption } from '../natural-option.ts';
import { readInput } from '../read-input.ts';
import { readLog } from '../trace/log.ts';
import { loadTraceMap } from '../trace/trace-map.ts';
import { type TraceReport, traceJson, traceText } from '../trace/trace-report.ts';
import { UsageError } from '../usage-error.ts';
import { type ProgressOptions, withProgress } from '../with-progress.ts';

interface TraceCommandOptions {
  readonly map?: string;
  readonly ignore?: readonly string[];
  readonly hide?: readonly string[];
  readonly ended?: boolean;
  readonly interleaved?: boolean;
  readonly maxStates: number;
  readonly json?: boolean;
}

const names = (text: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  ...text.split(',').filter((name) => name !== ''),
];

/** `lockstep trace SCENARIO LOG`: a log of a real implementation is a run of the model (specification of protocols, 2). */
export function declareTrace(command: Command, session: Session): void {
  command
    .argument('<scenario>', 'the model: a scenario file')
    .argument(
      '<log>',
      'JSON lines of what was shown, in order: { "at": "Server[0]", "event": "…", …fields }; - for standard input',
    )
    .option(
      '--map <file#export>',
      'a function that makes an event of a line, or nothing of one to leave out; or { line, event }, of which event reads what the model shows',
    )
    .option('--ignore <fields>', 'fields that are not compared, for example time,pid', names)
    .option('--hide <events>', 'events that are left out of the log and of what the model shows', names)
    .option('--ended', 'the log is of a run that came to rest: nothing may be left to do')
    .option(
      '--interleaved',
      'lines of other actors may stand between those of one step, as where several processes write one log',
    )
    .option(
      '--max-states <n>',
      'states of the model after which it stops',
      naturalOption('--max-states'),
      traceStatesMax,
    )
    .option('--json', 'one JSON object on standard output')
    .addHelpText(
      'after',
      `
Examples:
  lockstep trace scenarios/protocols/single-copy.yaml server.jsonl
  lockstep trace model.yaml server.jsonl --ignore time,pid --ended
  node server.js | lockstep trace model.yaml - --map log.ts#toEvent

Exit codes: 0 it is a run of the model, 1 it is not, 2 no such log (a line that is no JSON, no event at all), 4 not judged to the end.`,
    )
    .action(async (file: string, log: string, options: TraceCommandOptions) => {
      session.exitCode = await trace(file, log, options, session);
    });
}

async function trace(
  file: string,
  log: string,
  options: TraceCommandOptions,
  { terminal }: Session,
): Promise<number> {
  const { scenario, machine } = await loadScenario(file, await knownMachines());
  const map = options.map === undefined ? {} : await loadTraceMap(options.map);
  const { ignore = [], hide = [] } = options;
  const { compared, unmet } = comparedBy(ignore, hide);
  const { events, lines } = readLog(readInput(log), log, map.line, compared);
  const shown = map.event ?? shownEvent;
  const given = givenOf(scenario, true);
  if (given.faults?.some(({ kind }) => kind === 'delay'))
    throw new UsageError(
      `${file}: found a delay fault, which is not known where states are merged`,
      'use reorder, or let the network of the model be unordered',
    );
  const { wiring, deliveriesPerTickMax } = assembled(machine, given);
  const until = lastTickOf(scenario, wiring);
  const how: TraceOptions = {
    event: (observation) => compared(shown(observation)),
    statesMax: options.maxStates,
    ...(options.ended && { ended: true }),
    ...(options.interleaved && { interleaved: true }),
    ...(given.faults?.length && { faults: given.faults }),
    ...(deliveriesPerTickMax !== undefined && { deliveriesPerTickMax }),
    ...(until !== undefined && { until }),
  };
  const what = events.map((event) => event.what);
  const began = performance.now();
  const make = () => assembled(machine, given).wiring;
  const checking = checkingTrace(make, what, how);
  const result = await withProgress(
    terminal,
    what.length,
    (progress) => carryOut(file, checking, progress),
    'events',
  ).catch((error: unknown) => {
    if (!(error instanceof KernelError)) throw error;
    const [why = '', help = ''] = error.message.split('\n  help: ');
    throw new UsageError(`${file}: cannot be followed: ${why}`, help);
  });
  const report: TraceReport = {
    scenario,
    machine,
    log,
    lines,
    events,
    ended: options.ended === true,
    result,
    wallSeconds: (performance.now() - began) / 1000,
  };
  for (const warning of unmet()) terminal.err(`${log}: ${warning}\n`);
  if (options.json) {
    terminal.err(traceText(report));
    terminal.out(`${JSON.stringify(traceJson(report))}\n`);
  } else terminal.out(traceText(report));
  if (result.verdict === 'refused') return exitCodes.failed;
  if (result.verdict === 'interrupted') return exitCodes.interrupted;
  return result.verdict === 'ok' ? exitCodes.ok : exitCodes.open;
}

/** What of an event is compared, on both sides, undefined for one that is hidden; and warnings of names that nothing had on either side so far. */
function comparedBy(
  ignore: readonly string[],
  hide: readonly string[],
): { readonly compared: (event: unknown) => ReturnType<ReadShown>; readonly unmet: () => readonly string[] } {
  const [fields, events] = [new Set(ignore), new Set(hide)];
  const unmetFields = new Set(ignore);
  const unmetEvents = new Set(hide);
  const compared = (event: unknown): ReturnType<ReadShown> => {
    if (typeof event !== 'object' || event === null || Array.isArray(event)) return event;
    const left = Object.entries(event).filter(([field, value]) => {
      if (fields.has(field)) unmetFields.delete(field);
      return !fields.has(field) && value !== undefined;
    });
    const { event: type } = event as { event?: unknown };
    if (typeof type !== 'string' || !events.has(type)) return Object.fromEntries(left);
    unmetEvents.delete(type);
    return undefined;
  };
  const unmet = () => [
    ...[...unmetFields].map(
      (field) => `--ignore ${field}: no event has this field, of the log or of the model`,
    ),
    ...[...unmetEvents].map((event) => `--hide ${event}: no event has this name, of the log or of the model`),
  ];
  return { compared, unmet };
}

async function carryOut(
  file: string,
  checking: Generator<TraceFigures, TraceResult>,
  { onProgress, shouldStop, turn }: ProgressOptions,
): Promise<TraceReport['result']> {
  for (;;) {
    const part = withinStepLimit(file, () => checking.next());
    if (part.done) return part.value;
    onProgress(part.value.events, part.value.states);
    await turn();
    if (shouldStop()) return { ...part.value, verdict: 'interrupted' };
  }
}
