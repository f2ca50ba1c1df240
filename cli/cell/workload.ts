import type { Command } from 'commander';
import { policyNames } from '../../actors/cell/policies/policies.ts';
import { cellMachine } from '../../machines/cell.ts';
import { cellResultOf, formatResult } from '../../scenarios/cell/result.ts';
import { type CellPolicy, parseWorkload } from '../../scenarios/cell/workload.ts';
import { simulateInTurns } from '../../scenarios/simulate.ts';
import type { Session } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { standardOutput, writeOutput } from '../output.ts';
import { readInput } from '../read-input.ts';
import { withProgress } from '../with-progress.ts';
import { engines, wordOption } from '../word-option.ts';
import { bare, details, scenarioOf } from './run-workload.ts';

interface WorkloadOptions {
  readonly policy?: CellPolicy;
  readonly engine: (typeof engines)[number];
  readonly detail: (typeof details)[number];
  readonly out?: string;
  readonly json?: boolean;
}

/** `lockstep cell workload FILE`: runs a workload and writes its result (Cell specification 18.1, 18.2). */
export function declareWorkload(command: Command, session: Session): void {
  command
    .argument('<file>', 'a workload, format cell-workload/1')
    .option(
      '--policy <name>',
      `instead of the workload's: ${policyNames.join(', ')}`,
      wordOption('--policy', policyNames),
    )
    .option(
      '--engine <engine>',
      'compiled, or xstate, which interprets',
      wordOption('--engine', engines),
      'compiled',
    )
    .option(
      '--detail <detail>',
      'burst, or step, where every step is a message',
      wordOption('--detail', details),
      'burst',
    )
    .option('--out <file>', 'write it there instead of to standard output')
    .option(
      '--json',
      'one JSON object {cycles, bytes, wallSeconds, engine, detail, result} on standard output',
    )
    .action(async (file: string, options: WorkloadOptions) => {
      session.exitCode = await workload(file, options, session);
    });
}

async function workload(file: string, options: WorkloadOptions, { terminal }: Session): Promise<number> {
  const { policy, engine, detail, out, json } = options;
  const given = parseWorkload(readInput(file), file);
  const scenario = scenarioOf(policy === undefined ? given : { ...given, policy }, detail);

  const began = performance.now();
  const {
    result: machineResult,
    outcome,
    interrupted,
  } = await withProgress(terminal, given.cycles, ({ turn, ...heed }) =>
    simulateInTurns(scenario, cellMachine, { ...bare, ...heed, engine }, turn),
  );
  const wallSeconds = (performance.now() - began) / 1000;

  const result = cellResultOf(machineResult);
  const { cycles, bytes, totalWait } = result;
  const speed = `${Math.round(cycles / wallSeconds)} cycles/s, ${detail}s, engine ${engine}`;
  terminal.err(
    `${given.name}: ${interrupted ? 'interrupted after ' : ''}${cycles} cycles, ${bytes} bytes, total wait ${totalWait}; ${wallSeconds.toFixed(3)} s, ${speed}\n`,
  );
  if (outcome.verdict !== 'ok')
    terminal.err(`the run ended with the verdict ${outcome.verdict}: ${outcome.failure?.message ?? ''}\n`);
  if (json)
    terminal.out(
      `${JSON.stringify({ cycles, bytes, wallSeconds, engine, detail, ...(interrupted && { interrupted }), result })}\n`,
    );
  // What an interrupted run came to is no result of the workload.
  if (!interrupted && (out !== undefined || !json))
    writeOutput(terminal, out ?? standardOutput, formatResult(result));
  if (interrupted) return exitCodes.interrupted;
  return outcome.verdict === 'ok' ? exitCodes.ok : exitCodes.failed;
}
