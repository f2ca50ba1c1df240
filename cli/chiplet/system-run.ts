import { join } from 'node:path';
import type { Command } from 'commander';
import type { Outcome } from '../../kernel/outcome.ts';
import type { Run } from '../../kernel/run.ts';
import { isNetworkOver } from '../../machines/chiplet/cut-short.ts';
import { runDirectory } from '../../machines/chiplet/run-directory.ts';
import {
  type SystemAssembly,
  type SystemGiven,
  type SystemReading,
  systemMachine,
} from '../../machines/chiplet/system.ts';
import type { WiredSystem } from '../../machines/chiplet/system-assembly.ts';
import { systemFindings } from '../../machines/chiplet/system-check.ts';
import type { SystemConfig, SystemPrograms } from '../../machines/chiplet/system-config.ts';
import type { SystemFinding } from '../../machines/chiplet/system-programs.ts';
import type { Machine } from '../../machines/machine.ts';
import { writeFileAtomically } from '../../scenarios/atomic-file.ts';
import { loadScenario } from '../../scenarios/load.ts';
import { simulateInTurns } from '../../scenarios/simulate.ts';
import type { Session } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { Outputs } from '../output.ts';
import { failureText } from '../run-report.ts';
import { isDefect } from '../run-verdict.ts';
import { UsageError } from '../usage-error.ts';
import { withProgress } from '../with-progress.ts';
import { wordOption } from '../word-option.ts';
import { makeFolder } from './output-folder.ts';

interface RunWords {
  readonly out?: string;
  readonly mode?: SystemConfig['mode'];
  readonly coupled: boolean;
  readonly json?: boolean;
}

/** `lockstep chiplet run SCENARIO`: a system of chiplets with the files that the programs of the original leave (chiplet specification 3, 6, 11). */
export function declareSystemRun(command: Command, session: Session): void {
  command
    .argument('<scenario>', 'a scenario with chiplets')
    .option('--out <dir>', 'folder for buffers, traces, console lines, power reports and results')
    .option(
      '--mode <mode>',
      'decoupled, coupled or iterative, instead of what the scenario says',
      wordOption('--mode', ['decoupled', 'coupled', 'iterative']),
    )
    .option('--no-coupled', 'do not run a decoupled system coupled, too')
    .option('--json', 'one JSON object on standard output')
    .action(async (file: string, words: RunWords) => {
      session.exitCode = await runSystem(file, words, session);
    });
}

/** What a run came to; without result and states when it was interrupted while they were read. */
interface Done extends Partial<SystemReading> {
  readonly run: Run;
  readonly wired: WiredSystem;
  readonly outcome: Outcome;
  readonly interrupted: boolean;
}

const findingText = ({ path, found, expected }: SystemFinding): string =>
  `${path.join('.')}: found ${found}, expected ${expected}`;

const modeHelp =
  'the configuration of the scenario fits its own mode only: change that key, or leave --mode out';

async function runSystem(file: string, words: RunWords, { terminal }: Session): Promise<number> {
  const machine = systemMachine as unknown as Machine;
  const loaded = await loadScenario(file, [machine]);
  const given = loaded.scenario.config as SystemConfig;
  const config: SystemConfig = { ...given, mode: words.mode ?? given.mode };
  const programs = loaded.scenario.programs as SystemPrograms;
  const [misfit] = systemFindings(config, programs);
  if (misfit) throw new UsageError(`${file}: --mode ${words.mode}: ${findingText(misfit)}`, modeHelp);
  if (words.out !== undefined) makeFolder(words.out, '--out');
  const simulate = (of: SystemConfig): Promise<Done> =>
    withProgress(terminal, undefined, async ({ turn, ...heed }) => {
      const made: SystemAssembly[] = [];
      const kept: Machine = {
        ...machine,
        assemble: (all) => {
          const assembly = systemMachine.assemble(all as SystemGiven);
          made.push(assembly);
          // What follows from the run may take longer than the run: it is read below, in turns.
          return { ...assembly, result: () => undefined };
        },
      };
      const scenario = { ...loaded.scenario, config: of };
      const { run, outcome, interrupted } = await simulateInTurns(scenario, kept, heed, turn);
      if (outcome.failure) return { run, wired: made.at(-1)!.wired, outcome, interrupted };
      const assembly = made.at(-1)!;
      const reading = assembly.read(run);
      for (;;) {
        const next = reading.next();
        if (next.done) return { ...next.value, run, wired: assembly.wired, outcome, interrupted };
        if (heed.shouldStop() && !interrupted)
          return { run, wired: assembly.wired, outcome, interrupted: true };
        heed.onProgress(next.value.ticks, next.value.deliveries);
        await turn();
      }
    });
  const done = await simulate(config);
  const { outcome, run, wired, result, states } = done;
  if (outcome.failure) {
    if (isDefect(outcome.failure.error)) throw outcome.failure.error;
    terminal.err(`${failureText(outcome.failure)}\n`);
    if (words.json)
      terminal.out(`${JSON.stringify({ verdict: outcome.verdict, why: outcome.failure.message })}\n`);
    return exitCodes.failed;
  }
  if (result === undefined || states === undefined) {
    terminal.err('interrupted between the run and its result: nothing is written\n');
    return exitCodes.interrupted;
  }
  const tell = (rows: readonly { readonly label: string; readonly value: string }[]): void => {
    for (const { label, value } of rows) terminal.err(`${label}: ${value}\n`);
  };
  tell(systemMachine.figures(result));
  let coupledCycles: number | undefined;
  if (config.mode === 'decoupled' && words.coupled && outcome.verdict === 'ok' && !done.interrupted) {
    const asCoupled: SystemConfig = { ...config, mode: 'coupled' };
    const [unfit] = systemFindings(asCoupled, programs);
    if (unfit) tell([{ label: 'coupled', value: `not run: ${findingText(unfit)}` }]);
    else {
      const coupled = await simulate(asCoupled);
      coupledCycles = coupled.result?.cycles;
      if (coupledCycles !== undefined) tell([{ label: 'coupled', value: `${coupledCycles} cycles` }]);
    }
  }
  const outputs = new Outputs();
  const files = words.out === undefined ? [] : runDirectory(states, config, result.meetings);
  if (words.out !== undefined) {
    const { out } = words;
    const whole = files.every(({ name, text }) =>
      outputs.attempt(() => writeFileAtomically(join(out, name), text)),
    );
    if (whole) terminal.err(`${files.length} files written to ${words.out}\n`);
  }
  const written = files.map(({ name }) => name);
  if (words.json)
    terminal.out(
      `${JSON.stringify({ verdict: outcome.verdict, ...result, ...(coupledCycles !== undefined && { coupledCycles }), files: written, ...outputs.json })}\n`,
    );
  outputs.settle();
  if (done.interrupted) return exitCodes.interrupted;
  // Chiplets that wait since the network has come to its last cycle were told as E-LIMIT.
  if (outcome.verdict === 'deadlock' && !isNetworkOver(run, wired)) {
    terminal.err(`E-DEADLOCK nobody can go on\n${result.blocked.map((line) => `  ${line}\n`).join('')}`);
    return exitCodes.failed;
  }
  for (const { why } of outcome.violations) terminal.err(`${why}\n`);
  return outcome.verdict === 'ok' ? exitCodes.ok : exitCodes.failed;
}
