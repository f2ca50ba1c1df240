import type { Command } from 'commander';
import { withCycle } from '../../properties/endless.ts';
import { judgedScenario } from '../../properties/judged-scenario.ts';
import { loadRecording, type Recording } from '../../scenarios/recording.ts';
import { type Replay, recordedScenario, replay as replayRecording } from '../../scenarios/replay.ts';
import { withRefinement } from '../check/refines.ts';
import type { Session } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { addExport, addView, type ExportRequest, exportKinds } from '../export-request.ts';
import { knownMachines } from '../known-machines.ts';
import { naturalOption } from '../natural-option.ts';
import { Observation } from '../observation.ts';
import { Outputs } from '../output.ts';
import { declarePlot, type PlotWords, plotWanted } from '../plot-options.ts';
import { RoundSteps } from '../round-steps.ts';
import type { RunReport } from '../run-report.ts';
import { judgeRun } from '../run-verdict.ts';
import { tellRun } from '../tell-run.ts';
import { withProgress } from '../with-progress.ts';
import { engines, wordOption } from '../word-option.ts';

interface ReplayCommandOptions extends PlotWords {
  readonly to?: number;
  readonly engine: 'compiled' | 'xstate';
  readonly export?: readonly ExportRequest[];
  readonly view?: readonly string[];
  readonly properties: boolean;
  readonly sketch?: boolean;
  readonly quiet?: boolean;
  readonly json?: boolean;
}

/** `lockstep replay RECORDING` (design, section 7). */
export function declareReplay(command: Command, session: Session): void {
  declarePlot(command)
    .argument('<recording>', 'a file that `lockstep run --record` wrote')
    .option('--to <tick>', 'last tick that is carried out', naturalOption('--to'))
    .option(
      '--engine <engine>',
      'compiled, or xstate, which interprets',
      wordOption('--engine', engines),
      'compiled',
    )
    .option(
      '--export <kind=file>',
      `write the run as ${exportKinds.join(', ')}, or as a view of its machine; may be repeated`,
      addExport,
    )
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
  lockstep replay out/polling.json
  lockstep replay out/polling.json --to 20 --export perfetto=out/polling.perfetto.json`,
    )
    .action(async (file: string, options: ReplayCommandOptions) => {
      session.exitCode = await replay(file, options, session);
    });
}

async function replay(file: string, options: ReplayCommandOptions, { terminal }: Session): Promise<number> {
  const recording = loadRecording(file);
  const machines = await knownMachines();
  const loaded = await recordedScenario(recording, file, machines);
  const { machine } = loaded;
  const given = options.properties
    ? await withRefinement(await judgedScenario(loaded), recording.refines)
    : undefined;
  const observation = new Observation(
    machine,
    {
      exports: options.export ?? [],
      sketch: options.sketch ?? (terminal.interactive && !options.quiet),
      // What properties found is part of the recorded end, so by default they watch again.
      properties: withCycle(given?.properties, recording.cycle),
      ...plotWanted(options),
      ...(options.view && { views: options.view }),
    },
    terminal,
  );

  const round = recording.cycle && new RoundSteps(recording.cycle);
  const began = performance.now();
  const last = options.to === undefined ? recording.end.ticks : Math.min(options.to + 1, recording.end.ticks);
  const replayed = await withProgress(terminal, last, (progress) =>
    replayRecording(recording, machines, {
      ...progress,
      engine: options.engine,
      ...(options.to !== undefined && { to: options.to }),
      observe: (run, built) => {
        round?.attach(run);
        observation.observe(run, built);
      },
      onEnd: observation.onEnd,
    }),
  ).catch((error: unknown) => {
    observation.abandon();
    throw error;
  });
  const wallSeconds = (performance.now() - began) / 1000;

  const { simulation, scenario, difference, checkpointsEqual, toEnd } = replayed;
  const judged = judgeRun(scenario, simulation, !simulation.run.ended && options.to !== undefined);
  const verdict = difference ? { ...judged, exitCode: exitCodes.failed } : judged;
  const outputs = new Outputs();
  const files = observation.finish(outputs);
  const drawn = observation.sketch(terminal.columns);
  const report: RunReport = {
    scenario,
    machine,
    simulation,
    verdict,
    engine: options.engine,
    schedule: `tape of ${file}`,
    scheduleText: observation.scheduleText,
    watched: observation.watched,
    notJudged: observation.notJudged,
    struck: observation.struck,
    ...(observation.past && { past: observation.past }),
    ...(drawn !== undefined && { sketch: drawn }),
    ...(options.view && { views: observation.views }),
    replayed: file,
    files,
    wallSeconds,
  };
  const quiet = options.quiet === true && !difference;
  const more = {
    recording: file,
    same: difference === undefined,
    checkpointsEqual,
    toEnd,
    ...(difference && { difference }),
    ...outputs.json,
  };
  tellRun(report, terminal, { json: options.json === true, quiet, more });
  if (!quiet && round) terminal.err(`\n${round.text}`);
  if (!quiet) terminal.err(`\n${verification(recording, replayed)}\n`);
  outputs.settle();
  return verdict.exitCode;
}

/** What the comparison with the recording gave. */
function verification({ checkpoints }: Recording, { difference, checkpointsEqual, toEnd }: Replay): string {
  if (difference?.judgedOnly) return `NOT found as recorded: ${difference.text}`;
  if (difference) return `NOT the recorded run: ${difference.text}`;
  const equal = `${checkpointsEqual} of ${checkpoints.length} checkpoints compared, all equal`;
  return `the recorded run: ${equal}; the end ${toEnd ? 'is equal, too' : 'was not reached'}`;
}
