import type { Command } from 'commander';
import { coverageOf } from '../../kernel/coverage-sum.ts';
import { propertiesOf } from '../../properties/judged-machine.ts';
import { loadScenario } from '../../scenarios/load.ts';
import { scheduleKinds } from '../../scenarios/schedule.ts';
import { type SimulateOptions, simulateInTurns } from '../../scenarios/simulate.ts';
import { carriedOutAgain } from '../carried-out-again.ts';
import type { Session } from '../command.ts';
import { CoverageFile } from '../coverage/coverage-file.ts';
import { addExport, addView, type ExportRequest, exportKinds } from '../export-request.ts';
import { knownMachines } from '../known-machines.ts';
import { naturalOption } from '../natural-option.ts';
import { Observation } from '../observation.ts';
import { Outputs } from '../output.ts';
import { declarePlot, type PlotWords, plotWanted } from '../plot-options.ts';
import { isRecorded, keptRecording } from '../recording-file.ts';
import type { RunReport } from '../run-report.ts';
import { judgeRun } from '../run-verdict.ts';
import { scheduleGiven } from '../schedule-given.ts';
import { tellRun } from '../tell-run.ts';
import { UsageError } from '../usage-error.ts';
import { ticksToCome, withProgress } from '../with-progress.ts';
import { engines, wordOption } from '../word-option.ts';

interface RunOptions extends PlotWords {
  readonly schedule?: string;
  readonly seed?: number;
  readonly tape?: string;
  readonly depth?: number;
  readonly delays?: number;
  readonly engine: 'compiled' | 'xstate';
  readonly until?: number;
  /** A file, false for `--no-record`, absent for "only when the run failed". */
  readonly record?: string | boolean;
  readonly export?: readonly ExportRequest[];
  readonly coverage?: string;
  readonly view?: readonly string[];
  readonly sketch?: boolean;
  readonly properties: boolean;
  readonly quiet?: boolean;
  readonly json?: boolean;
}

/** `lockstep run SCENARIO` (design, section 7). */
export function declareRun(command: Command, session: Session): void {
  declarePlot(command)
    .argument('<scenario>', 'a scenario file')
    .option('--schedule <kind>', `order of deliveries instead of the scenario's: ${scheduleKinds.join(', ')}`)
    .option('--seed <n>', 'seed of the schedule', naturalOption('--seed', 0xffff_ffff))
    .option('--depth <d>', 'of pct: ordering constraints of the bug looked for', naturalOption('--depth', 64))
    .option('--delays <n>', 'of delay: messages passed over in a run', naturalOption('--delays', 1024))
    .option('--tape <file>', 'picks instead of a schedule: a JSON list, or a recording')
    .option(
      '--engine <engine>',
      'compiled, or xstate, which interprets',
      wordOption('--engine', engines),
      'compiled',
    )
    .option('--until <tick>', 'last tick that is carried out', naturalOption('--until'))
    .option('--record <file>', 'write a recording; without this a run that fails is recorded in out/')
    .option('--no-record', 'write no recording, even of a run that fails')
    .option(
      '--export <kind=file>',
      `write the run as ${exportKinds.join(', ')}, or as a view of its machine; may be repeated`,
      addExport,
    )
    .option('--coverage <file>', 'add to this file what the run covers of the state machines')
    .option(
      '--view <name>',
      'tell what a view of the machine shows, of those that are text; may be repeated',
      addView,
    )
    .option('--sketch', 'draw the run as text, as is done on a terminal')
    .option('--no-properties', 'do not let the properties watch: faster')
    .option('--quiet', 'tell nothing about a run that is as it should be')
    .option('--json', 'one JSON object on standard output')
    .addHelpText(
      'after',
      `
Examples:
  lockstep run scenarios/cell/worked-wait.yaml --sketch
  lockstep run scenarios/cell/status-polling.yaml --schedule random --seed 7 --record out/polling.json
  lockstep run scenarios/cell/get-against-put.yaml --export mermaid=out/get.mmd --export vcd=out/get.vcd`,
    )
    .action(async (file: string, options: RunOptions) => {
      session.exitCode = await run(file, options, session);
    });
}

async function run(file: string, options: RunOptions, { terminal }: Session): Promise<number> {
  const { scenario, machine, known } = await loadScenario(file, await knownMachines());
  const given = scheduleGiven(scenario, options);
  const properties = options.properties ? await propertiesOf(known) : undefined;
  const observation = new Observation(
    machine,
    {
      exports: options.export ?? [],
      sketch: options.sketch ?? (terminal.interactive && !options.quiet),
      properties,
      ...plotWanted(options),
      ...(options.view && { views: options.view }),
    },
    terminal,
  );
  const coverage =
    options.coverage === undefined ? undefined : coverageFile(options.coverage, options.engine);
  const how: SimulateOptions = {
    ...given.options,
    engine: options.engine,
    coverage: coverage !== undefined,
    ...(options.until !== undefined && { until: options.until }),
    // They are for a recording, and each costs a hash of all contexts.
    ...(typeof options.record !== 'string' && { checkpoints: 0 }),
    observe: observation.observe,
    onEnd: observation.onEnd,
  };
  const last = options.until === undefined ? ticksToCome(scenario) : options.until + 1;

  const began = performance.now();
  const simulation = await withProgress(terminal, last, ({ turn, ...heed }) =>
    simulateInTurns(scenario, machine, { ...how, ...heed }, turn),
  ).catch((error: unknown) => {
    observation.abandon();
    throw error;
  });
  const wallSeconds = (performance.now() - began) / 1000;

  const cut = options.until !== undefined && !simulation.run.ended;
  const verdict = judgeRun(scenario, simulation, cut);
  const outputs = new Outputs();
  const written = observation.finish(outputs);
  const counted = coverage && outputs.attempt(() => coverage.add(coverageOf(simulation.run)));
  const files = counted ? [...written, { kind: 'coverage', file: coverage.file }] : written;
  const ran = { scenario, machine, properties, simulation };
  const recordable =
    options.record === undefined && isRecorded(verdict.exitCode)
      ? await withProgress(terminal, simulation.outcome.ticks, (progress) =>
          carriedOutAgain(ran, options.engine, progress),
        )
      : { simulation };
  if (recordable.missing !== undefined) terminal.err(`not recorded: ${recordable.missing}\n`);
  const recording =
    recordable.simulation &&
    keptRecording(
      options.record,
      { scenario, simulation: recordable.simulation, verdict },
      outputs,
      terminal,
    );
  const drawn = observation.sketch(terminal.columns);
  const report: RunReport = {
    scenario,
    machine,
    simulation,
    verdict,
    engine: options.engine,
    schedule: given.text,
    scheduleText: observation.scheduleText,
    watched: observation.watched,
    notJudged: observation.notJudged,
    struck: observation.struck,
    ...(observation.past && { past: observation.past }),
    ...(drawn !== undefined && { sketch: drawn }),
    ...(options.view && { views: observation.views }),
    files,
    ...(recording !== undefined && { recording }),
    wallSeconds,
  };
  tellRun(report, terminal, {
    json: options.json === true,
    quiet: options.quiet === true,
    more: outputs.json,
  });
  outputs.settle();
  return verdict.exitCode;
}

/** The file that takes the coverage. Errors: `UsageError` for an engine that does not count, or a file that holds something else. */
function coverageFile(file: string, engine: RunOptions['engine']): CoverageFile {
  if (engine === 'xstate')
    throw new UsageError(
      'found --coverage with --engine xstate, expected --engine compiled',
      'only the compiled tables count',
    );
  return new CoverageFile(file);
}
