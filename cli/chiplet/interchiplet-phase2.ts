import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type BenchLine, benchTextOf } from '../../actors/chiplet/interchiplet/bench-line.ts';
import { delayTextOf, parseDelay } from '../../actors/chiplet/interchiplet/delay-line.ts';
import type { DelayLine } from '../../actors/chiplet/interchiplet/latency-records.ts';
import { writeFileAtomically } from '../../scenarios/atomic-file.ts';
import type { Interrupt } from '../interrupt.ts';
import { readInput } from '../read-input.ts';
import { UsageError } from '../usage-error.ts';
import { Child } from './interchiplet-child.ts';
import { logFile, workingFolder } from './interchiplet-folders.ts';
import type { BenchPlan, External } from './interchiplet-plan.ts';

/** Writes the lines of a file, one a line. */
const textOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');

/** Writes the trace of a round. */
export const writeBench = (cwd: string, bench: readonly BenchLine[], width: number | undefined): void =>
  writeFileAtomically(join(cwd, 'bench.txt'), textOf(bench.map(benchTextOf(width))));

/** Runs the network on the trace in `cwd`; its delay lines are in `delayInfo.txt` then. Undefined when it was interrupted. */
export async function runNetwork(
  { phase2: plan, width }: BenchPlan,
  bench: readonly BenchLine[],
  {
    cwd,
    round,
    interrupt,
    show,
  }: {
    readonly cwd: string;
    readonly round: number;
    readonly interrupt: Interrupt;
    readonly show: (line: string) => void;
  },
): Promise<readonly DelayLine[] | undefined> {
  const file = join(cwd, 'delayInfo.txt');
  if (plan.kind === 'in-process') {
    const delay = plan.run(bench);
    writeFileAtomically(file, textOf(delay.map(delayTextOf(width))));
    return delay;
  }
  // Lines of another round must not be taken for those of this one.
  rmSync(file, { force: true });
  const ends = await Promise.all(
    plan.processes.map((one, index) => runToEnd(one, { cwd, round, index, interrupt, show })),
  );
  if (interrupt.asked) return undefined;
  const failed = ends.find((why) => why !== '');
  if (failed !== undefined)
    throw new UsageError(`E-PROG the network ${failed}`, 'see its log in the working directory');
  if (!existsSync(file))
    throw new UsageError(`E-FILE found no ${file} after phase 2`, 'give the network -D ../delayInfo.txt');
  return parseDelay(readInput(file), file, width);
}

function runToEnd(
  { entry, cmd, args }: External,
  given: {
    readonly cwd: string;
    readonly round: number;
    readonly index: number;
    readonly interrupt: Interrupt;
    readonly show: (line: string) => void;
  },
): Promise<string> {
  const { cwd, round, index, interrupt, show } = given;
  const folder = workingFolder(cwd, { round, phase: 2, index }, entry);
  return new Promise((resolve) => {
    const child = new Child({
      cmd,
      args,
      folder,
      log: logFile(folder, entry),
      show: entry.isToStdout ? (line) => show(`${entry.program}: ${line}`) : undefined,
      // A network has nothing to ask.
      onCommand: () => {},
      onEnd: (why) => {
        clearInterval(look);
        resolve(why);
      },
    });
    const look = setInterval(() => interrupt.asked && child.kill(), 50);
  });
}
