import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { isNetworkOver } from '../../machines/chiplet/cut-short.ts';
import { runDirectory } from '../../machines/chiplet/run-directory.ts';
import { type SystemAssembly, type SystemGiven, systemMachine } from '../../machines/chiplet/system.ts';
import { systemFindings } from '../../machines/chiplet/system-check.ts';
import type { SystemConfig, SystemPrograms } from '../../machines/chiplet/system-config.ts';
import type { SystemFinding } from '../../machines/chiplet/system-programs.ts';
import { chipletStates } from '../../machines/chiplet/system-result.ts';
import { type ChipletConfig, chipletMachine } from '../../machines/chiplet.ts';
import type { Assembly, Machine } from '../../machines/machine.ts';
import { writeFileAtomically } from '../../scenarios/atomic-file.ts';
import { loadScenario } from '../../scenarios/load.ts';
import { simulateInTurns } from '../../scenarios/simulate.ts';
import type { Session } from '../command.ts';
import { conducted } from '../conduct.ts';
import { exitCodes } from '../exit-codes.ts';
import { UsageError } from '../usage-error.ts';
import { wordOption } from '../word-option.ts';

interface RunWords {
  readonly dir?: string;
  readonly mode?: SystemConfig['mode'];
  readonly coupled: boolean;
  readonly json?: boolean;
}

/** Exit code of a deadlock (chiplet specification 13). */
const deadlockExitCode = 3;

/** `lockstep chiplet run SCENARIO`: a system of chiplets with the files that the programs of the original leave (chiplet specification 3, 6, 11). */
export function declareSystemRun(command: Command, session: Session): void {
  command
    .argument('<scenario>', 'a scenario with chiplets')
    .option('--dir <folder>', 'write buffers, traces, console lines, power reports and results there')
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

const findingText = ({ path, found, expected }: SystemFinding): string =>
  `${path.join('.')}: found ${found}, expected ${expected}`;

const modeHelp =
  'the configuration of the scenario fits its own mode only: change that key, or leave --mode out';

async function runSystem(file: string, words: RunWords, { terminal }: Session): Promise<number> {
  const machine = chipletMachine as unknown as Machine;
  const loaded = await loadScenario(file, [machine]);
  const given = loaded.scenario.config as ChipletConfig;
  if (!('chiplets' in given))
    throw new UsageError(
      `${file}: found a scenario without chiplets`,
      'expected one with chiplets in its configuration; `lockstep run` runs all kinds',
    );
  const config: SystemConfig = { ...given, mode: words.mode ?? given.mode };
  const programs = loaded.scenario.programs as SystemPrograms;
  const [misfit] = systemFindings(config, programs);
  if (misfit) throw new UsageError(`${file}: --mode ${words.mode}: ${findingText(misfit)}`, modeHelp);
  const simulate = async (of: SystemConfig) => {
    const made: SystemAssembly[] = [];
    const kept: Machine = {
      ...machine,
      assemble: (all) => {
        const assembly = systemMachine.assemble(all as SystemGiven);
        made.push(assembly);
        return assembly as unknown as Assembly;
      },
    };
    const simulation = await conducted(terminal, undefined, ({ turn, ...heed }) =>
      simulateInTurns({ ...loaded.scenario, config: of }, kept, heed, turn),
    );
    return { simulation, assembly: made.at(-1)! };
  };
  const { simulation, assembly } = await simulate(config);
  const { outcome, run } = simulation;
  const result = assembly.result(run);
  if (outcome.failure) throw outcome.failure.error;
  const tell = (rows: readonly { readonly label: string; readonly value: string }[]): void => {
    for (const { label, value } of rows) terminal.err(`${label}: ${value}\n`);
  };
  tell(systemMachine.figures(result, outcome));
  let coupledCycles: number | undefined;
  if (config.mode === 'decoupled' && words.coupled && outcome.verdict === 'ok' && !simulation.interrupted) {
    const asCoupled: SystemConfig = { ...config, mode: 'coupled' };
    const [unfit] = systemFindings(asCoupled, programs);
    if (unfit) tell([{ label: 'coupled', value: `not run: ${findingText(unfit)}` }]);
    else {
      const coupled = await simulate(asCoupled);
      coupledCycles = coupled.assembly.result(coupled.simulation.run).cycles;
      tell([{ label: 'coupled', value: `${coupledCycles} cycles` }]);
    }
  }
  const files =
    words.dir === undefined
      ? []
      : runDirectory(chipletStates(run, assembly.wired, config), config, result.meetings);
  if (words.dir !== undefined) {
    mkdirSync(words.dir, { recursive: true });
    for (const { name, text } of files) writeFileAtomically(join(words.dir, name), text);
    terminal.err(`${files.length} files written to ${words.dir}\n`);
  }
  const written = files.map(({ name }) => name);
  if (words.json)
    terminal.out(
      `${JSON.stringify({ verdict: outcome.verdict, ...result, ...(coupledCycles !== undefined && { coupledCycles }), files: written })}\n`,
    );
  if (simulation.interrupted) return exitCodes.interrupted;
  // Chiplets that wait since the network has come to its last cycle were told as E-LIMIT.
  if (outcome.verdict === 'deadlock' && !isNetworkOver(run, assembly.wired)) {
    terminal.err(`E-DEADLOCK nobody can go on\n${result.blocked.map((line) => `  ${line}\n`).join('')}`);
    return deadlockExitCode;
  }
  for (const { why } of outcome.violations) terminal.err(`${why}\n`);
  return outcome.verdict === 'ok' ? exitCodes.ok : exitCodes.failed;
}
