import { resolve } from 'node:path';
import type { Command } from 'commander';
import { flitBytesUsual } from '../../actors/chiplet/interchiplet/bench-line.ts';
import type { DelayLine } from '../../actors/chiplet/interchiplet/latency-records.ts';
import { TraceError } from '../../actors/chiplet/interchiplet/located-line.ts';
import { agrees } from '../../actors/chiplet/interchiplet/rounds.ts';
import { BenchFileError, parseBenchFile } from '../../scenarios/chiplet/interchiplet-bench-file.ts';
import type { Session } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { Interrupt } from '../interrupt.ts';
import { naturalOption } from '../natural-option.ts';
import { readInput } from '../read-input.ts';
import { UsageError } from '../usage-error.ts';
import { type Phase1Result, runInProcess } from './interchiplet-phase1.ts';
import { runNetwork, writeBench } from './interchiplet-phase2.ts';
import { type BenchPlan, planBench } from './interchiplet-plan.ts';
import { serveProcesses } from './interchiplet-served.ts';
import { makeFolder } from './output-folder.ts';

interface InterchipletWords {
  readonly cwd: string;
  readonly timeout: number;
  readonly error: number;
  readonly stall: number;
  readonly w?: number;
  readonly H?: number;
  readonly f?: number;
  readonly debug?: boolean;
  readonly json?: boolean;
}

/** `lockstep chiplet interchiplet BENCH.yml`: rounds of processes and network until the cycles agree (chiplet specification 9). */
export function declareInterchiplet(command: Command, session: Session): void {
  command
    .argument('<bench.yml>', 'benchmark file with the lists phase1 and phase2')
    .option('--cwd <dir>', 'folder for traces, delays, pipes and working directories', '.')
    .option('-t, --timeout <rounds>', 'the most rounds', naturalOption('--timeout', 1000), 5)
    .option('-e, --error <rate>', 'share by which the cycles of two rounds may differ', rateOption, 0.005)
    .option(
      '--stall <seconds>',
      'silence after which a wait for data of nobody is a deadlock',
      naturalOption('--stall', 86_400),
      10,
    )
    .option(
      '-w <nodes>',
      'width of the grid: traces have numbers of nodes, x + y * width, as networks with -c 1 want them',
      naturalOption('-w', 100),
    )
    .option('-H <nodes>', 'its height', naturalOption('-H', 100))
    .option('-f <words>', 'words of 64 bits that a flit carries; 8 when absent', naturalOption('-f', 1024))
    .option('--debug', 'show commands and answers of real processes')
    .option('--json', 'one JSON object {cycles, converged, rounds, warnings} on standard output')
    .action(async (file: string, words: InterchipletWords) => {
      try {
        session.exitCode = await interchiplet(file, words, session);
      } catch (error) {
        if (error instanceof BenchFileError) throw new UsageError(error.message, error.help);
        if (error instanceof TraceError) throw new UsageError(...splitHelp(error.message));
        throw error;
      }
    });
}

/** Bytes of a word of a flit. */
const wordBytes = 8;

const splitHelp = (message: string): [string, string] => {
  const [what = '', help = ''] = message.split('\n  help: ');
  return [what, help];
};

/** Reads a share from 0 to 1. Errors: `UsageError`. */
function rateOption(text: string): number {
  const value = Number(text);
  if (/^(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) && value <= 1) return value;
  throw new UsageError(
    `--error: found "${text}", expected a number from 0 to 1`,
    'for example --error 0.005',
  );
}

interface ToldRound {
  readonly round: number;
  readonly cycles: number;
  readonly transactions: number;
  readonly converged: boolean;
}

async function interchiplet(file: string, words: InterchipletWords, { terminal }: Session): Promise<number> {
  if (words.timeout < 1)
    throw new UsageError('--timeout: found 0, expected at least 1', 'one round is the least');
  const { SIMULATOR_ROOT } = process.env;
  const bench = parseBenchFile(readInput(file), file, SIMULATOR_ROOT);
  const cwd = resolve(words.cwd);
  for (const letter of ['w', 'H', 'f'] as const)
    if (words[letter] === 0)
      throw new UsageError(
        `-${letter}: found 0, expected at least 1`,
        `leave out -${letter}, or say how many`,
      );
  const plan = planBench(bench, cwd, { width: words.w, height: words.H });
  for (const notice of [...bench.notices, ...plan.notices]) terminal.err(`${notice}\n`);
  makeFolder(cwd, '--cwd');

  const told: ToldRound[] = [];
  const warnings: string[] = [];
  let delay: readonly DelayLine[] | undefined = [];
  let stopped: Phase1Result['stopped'];
  const interrupt = new Interrupt(terminal);
  try {
    for (let round = 1; round <= words.timeout; round++) {
      const phase1 = await runPhase1(plan, { cwd, round, delay }, words, interrupt, (line) =>
        terminal.err(`${line}\n`),
      );
      warnings.push(...phase1.warnings);
      for (const warning of phase1.warnings) terminal.err(`${warning}\n`);
      stopped = phase1.stopped;
      if (stopped) break;
      writeBench(cwd, phase1.bench, plan.width);
      const before = told.at(-1);
      const converged = before !== undefined && agrees(phase1.cycles, before.cycles, words.error);
      told.push({ round, cycles: phase1.cycles, transactions: phase1.bench.length, converged });
      terminal.err(`round ${round}: ${phase1.cycles} cycles, ${phase1.bench.length} transactions\n`);
      if (converged || round === words.timeout) break;
      delay = await runNetwork(plan, phase1.bench, {
        cwd,
        round,
        interrupt,
        show: (line) => terminal.err(`${line}\n`),
      });
      if (delay === undefined) stopped = { why: 'interrupted', lines: [] };
      if (delay === undefined || interrupt.asked) break;
    }
  } finally {
    interrupt.release();
  }

  const last = told.at(-1);
  const result = { cycles: last?.cycles ?? 0, converged: last?.converged ?? false, rounds: told, warnings };
  if (words.json) terminal.out(`${JSON.stringify({ ...result, ...(stopped && { stopped }) })}\n`);
  if (interrupt.asked) {
    terminal.err(`interrupted; what there is stays in ${cwd}\n`);
    return exitCodes.interrupted;
  }
  if (stopped?.why === 'deadlock') {
    const lines = stopped.lines.map((line) => `  ${line}\n`).join('');
    terminal.err(`E-DEADLOCK in round ${told.length + 1}: nobody can go on\n${lines}`);
    return exitCodes.failed;
  }
  if (stopped) {
    terminal.err(`round ${told.length + 1} failed: ${stopped.lines.join('; ')}\n`);
    return exitCodes.failed;
  }
  terminal.err(
    result.converged
      ? `converged: ${result.cycles} cycles\n`
      : `E-LIMIT the last of ${words.timeout} rounds has not converged; ${result.cycles} cycles are incomplete\n`,
  );
  return exitCodes.ok;
}

function runPhase1(
  { phase1, networkRate }: BenchPlan,
  given: { readonly cwd: string; readonly round: number; readonly delay: readonly DelayLine[] },
  { debug = false, stall, f }: InterchipletWords,
  interrupt: Interrupt,
  show: (line: string) => void,
): Phase1Result | Promise<Phase1Result> {
  const round = { ...given, networkRate, flitBytes: f === undefined ? flitBytesUsual : f * wordBytes };
  return phase1.kind === 'in-process'
    ? runInProcess(phase1.processes, round)
    : serveProcesses(phase1.processes, round, { interrupt, show, debug, stallSeconds: stall });
}
