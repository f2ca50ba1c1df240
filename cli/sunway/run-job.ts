import type { Command } from 'commander';
import type { Run } from '../../kernel/run.ts';
import type { Machine } from '../../machines/machine.ts';
import type { SunwayConfig } from '../../machines/sunway/config.ts';
import { filesOf } from '../../machines/sunway/node-files.ts';
import { sunwayMachine } from '../../machines/sunway.ts';
import { loadScenario } from '../../scenarios/load.ts';
import type { Scenario } from '../../scenarios/scenario.ts';
import { type Simulation, simulateInTurns } from '../../scenarios/simulate.ts';
import type { Session } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { naturalOption } from '../natural-option.ts';
import { Outputs } from '../output.ts';
import { keptRecording } from '../recording-file.ts';
import { judgeRun } from '../run-verdict.ts';
import { tellRun } from '../tell-run.ts';
import type { Terminal } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';
import { type ProgressOptions, ticksToCome, withProgress } from '../with-progress.ts';
import { jobSignal } from './bsignal.ts';
import { JobFolder, type JobSignal, type NodeFiles } from './job-folder.ts';
import { jobScenarioText } from './job-scenario-text.ts';

interface Injected {
  readonly signal: JobSignal;
  readonly at: number;
}

interface JobOptions {
  readonly files: string;
  readonly bsignal?: readonly Injected[];
  readonly until?: number;
  /** As for `lockstep run`. */
  readonly record?: string | boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** `lockstep sunway run SCENARIO --files FOLDER`: a job with real files (Sunway specification 5.7, 6.8). */
export function declareRunJob(command: Command, session: Session): void {
  command
    .argument('<scenario>', 'a scenario of the Sunway machine')
    .requiredOption('--files <dir>', 'files of the job: read when it begins, written when it ends')
    .option(
      '--bsignal <signal@tick>',
      '34 or 35 in this tick, for example 34@9000; may be repeated',
      addSignal,
    )
    .option('--until <tick>', 'last tick that is carried out', naturalOption('--until'))
    .option('--record <file>', 'write a recording; without this a run that fails is recorded in out/')
    .option('--no-record', 'write no recording, even of a run that fails')
    .option('--quiet', 'tell nothing about a run that is as it should be')
    .option('--json', 'one JSON object on standard output')
    .action(async (file: string, options: JobOptions) => {
      session.exitCode = await runJob(file, options, session);
    });
}

function addSignal(text: string, before: readonly Injected[] = []): readonly Injected[] {
  const [signal = '', tick = ''] = text.split('@');
  return [...before, { signal: jobSignal(signal), at: naturalOption('--bsignal SIGNAL@TICK')(tick) }];
}

// What is known of the machine by its type is given up once, where it is handed to what takes any machine.
const machine = sunwayMachine as unknown as Machine;

async function runJob(file: string, options: JobOptions, { terminal }: Session): Promise<number> {
  const { scenario, machine: found } = await loadScenario(file, [machine]);
  if (found !== machine)
    throw new UsageError(`${file}: found machine ${scenario.machine}, expected sunway`, 'use lockstep run');
  const folder = new JobFolder(options.files);
  folder.begin();
  try {
    return await carryOut(scenario as Scenario<SunwayConfig>, options, folder, terminal);
  } finally {
    folder.end();
  }
}

/** Runs the job until it ends, is stopped or has drained, and keeps its files up to date. */
async function carryOut(
  scenario: Scenario<SunwayConfig>,
  options: JobOptions,
  folder: JobFolder,
  terminal: Terminal,
): Promise<number> {
  const found = folder.read();
  const files = { ...scenario.config.files, ...found };
  const kept = new KeptFiles(folder, found);
  const bsignal = [...scenario.config.job.bsignal, ...(options.bsignal ?? [])];
  const began = performance.now();
  for (;;) {
    const { config } = scenario;
    const job = { ...config.job, bsignal };
    const asked: Scenario = { ...scenario, config: { ...config, files, job } };
    let heard: JobSignal | undefined;
    const last = options.until === undefined ? ticksToCome(scenario) : options.until + 1;
    const simulation = await withProgress(terminal, last, (progress) =>
      simulated(asked, options, progress, (run) => {
        heard ??= folder.heard();
        // A job that is carried out again is where it was before, and has nothing new to keep until then.
        kept.save(run);
        return heard !== undefined;
      }),
    );
    if (heard === 34) {
      const at = (simulation.until ?? 0) + 1;
      bsignal.push({ signal: 34, at });
      terminal.err(`signal 34 in cycle ${at}: the job is carried out again up to there, and drains\n`);
      continue;
    }
    kept.save(simulation.run);
    // What came from outside the scenario makes another run than the one that it expects.
    const alone = Object.keys(found).length === 0 && bsignal.length === scenario.config.job.bsignal.length;
    const recorded = { ...asked, text: jobScenarioText(scenario.text, { files, bsignal, alone }) };
    return tell({
      asked,
      recorded,
      simulation,
      stopped: heard === 35,
      alone,
      began,
      kept,
      options,
      terminal,
    });
  }
}

const simulated = (
  scenario: Scenario,
  { until, record }: JobOptions,
  { onProgress, shouldStop, turn }: ProgressOptions,
  stops: (run: Run) => boolean,
): Promise<Simulation> => {
  let run: Run | undefined;
  return simulateInTurns(
    scenario,
    machine,
    {
      ...(until !== undefined && { until }),
      // They are for a recording, and each costs a hash of all contexts.
      ...(record === false && { checkpoints: 0 }),
      observe: (observed) => {
        run = observed;
      },
      onProgress,
      shouldStop: () => shouldStop() || (run !== undefined && stops(run)),
    },
    turn,
  );
};

/** The files of a folder as they follow those of a run. */
class KeptFiles {
  readonly #folder: JobFolder;
  #changes = -1;
  #before: NodeFiles;
  readonly written = new Set<string>();
  readonly outside = new Set<string>();

  constructor(folder: JobFolder, before: NodeFiles) {
    this.#folder = folder;
    this.#before = before;
  }

  save(run: Run): void {
    const { files, changes } = filesOf(run);
    if (changes <= this.#changes) return;
    this.#changes = changes;
    const { written, outside } = this.#folder.write(files, this.#before);
    for (const name of written) this.written.add(name);
    for (const name of outside) this.outside.add(name);
    this.#before = files;
  }
}

interface Told {
  readonly asked: Scenario;
  /** The same, with the text of a scenario that gives this run again without the folder. */
  readonly recorded: Scenario;
  readonly simulation: Simulation;
  readonly stopped: boolean;
  /** Whether nothing has come from outside the scenario. */
  readonly alone: boolean;
  readonly began: number;
  readonly kept: KeptFiles;
  readonly options: JobOptions;
  readonly terminal: Terminal;
}

function tell(told: Told): number {
  const { asked, recorded, simulation, stopped, alone, began, kept, options, terminal } = told;
  const cut = stopped || !alone || (options.until !== undefined && !simulation.run.ended);
  const verdict = judgeRun(asked, stopped ? { ...simulation, interrupted: false } : simulation, cut);
  const outputs = new Outputs();
  const ran = { scenario: recorded, simulation, verdict };
  const recording = keptRecording(options.record, ran, outputs, terminal);
  tellRun(
    {
      scenario: asked,
      machine,
      simulation,
      verdict,
      engine: 'compiled',
      schedule: asked.schedule.kind,
      scheduleText: 'the default order',
      watched: [],
      ...(recording !== undefined && { recording }),
      files: [...kept.written].map((name) => ({ kind: 'job', file: `${options.files}/${name}` })),
      wallSeconds: (performance.now() - began) / 1000,
    },
    terminal,
    { json: options.json === true, quiet: options.quiet === true, more: outputs.json },
  );
  if (stopped)
    terminal.err(`signal 35: the job ended behind cycle ${simulation.until ?? simulation.run.now}\n`);
  if (stopped || simulation.interrupted)
    terminal.err(
      `the files in ${options.files} are as the job left them; go on with: npx lockstep sunway run ${asked.file} --files ${options.files}\n`,
    );
  outputs.settle();
  if (kept.outside.size === 0) return verdict.exitCode;
  for (const name of kept.outside)
    terminal.err(
      `found a file "${name}", expected a name within ${options.files} that begins with no dot: it is not written\n`,
    );
  return Math.max(verdict.exitCode, exitCodes.failed);
}
