import {
  answerText,
  CommandTextError,
  parseCommand,
} from '../../machines/chiplet/interchiplet-command-text.ts';
import { CoordinatorService, type ServedAnswer } from '../../machines/chiplet/interchiplet-service.ts';
import type { Interrupt } from '../interrupt.ts';
import { UsageError } from '../usage-error.ts';
import { Child } from './interchiplet-child.ts';
import { logFile, Pipes, workingFolder } from './interchiplet-folders.ts';
import type { Phase1Given, Phase1Result } from './interchiplet-phase1.ts';
import type { External } from './interchiplet-plan.ts';

/** What serving real processes needs besides the round. */
export interface ServeOptions {
  readonly interrupt: Interrupt;
  /** Shows a line to people. */
  readonly show: (line: string) => void;
  /** True when commands and answers are shown. */
  readonly debug: boolean;
  /** Seconds without a sign of life after which processes that wait for data of nobody are taken for blocked. */
  readonly stallSeconds: number;
}

/** How often a round looks whether it was interrupted or stands still, in milliseconds. */
const lookMs = 50;

/** What is known of a process while it runs. */
interface Served {
  readonly name: string;
  child: Child | undefined;
  ended: boolean;
  /** Commands that were not answered. */
  pending: number;
  /** The pipe that it was given, until its next command. */
  pipe: { readonly path: string; readonly sends: boolean } | undefined;
}

/** Serves a round of real processes: starts them, answers their commands in the order of arrival, and ends when all have ended. */
export async function serveProcesses(
  processes: readonly External[],
  given: Phase1Given,
  { interrupt, show, debug, stallSeconds }: ServeOptions,
): Promise<Phase1Result> {
  const { cwd, round, networkRate, flitBytes, delay } = given;
  const served = processes.map(
    ({ entry }, index): Served => ({
      name: `process ${index} (${entry.program || entry.script})`,
      child: undefined,
      ended: false,
      pending: 0,
      pipe: undefined,
    }),
  );
  const service = new CoordinatorService({
    names: served.map(({ name }) => name),
    clockRates: processes.map(({ entry }) => entry.clockRate),
    networkRate,
    flitBytes,
    round,
    delay,
  });
  const pipes = new Pipes(cwd);
  let stopped: Phase1Result['stopped'];
  let failure: unknown;
  let lastSign = Date.now();

  const killAll = (): void => {
    for (const { child } of served) child?.kill();
  };
  const stop = (why: NonNullable<typeof stopped>['why'], lines: readonly string[]): void => {
    if (stopped || failure !== undefined) return;
    stopped = { why, lines };
    killAll();
  };
  const tell = ({ process, answer }: ServedAnswer): void => {
    const one = served[process]!;
    one.pending--;
    if (debug) show(`${one.name} < ${answerText(answer)}`);
    one.child?.tell(answerText(answer));
  };
  const take = (index: number, text: string, line: number): void => {
    if (stopped || failure !== undefined) return;
    lastSign = Date.now();
    const one = served[index]!;
    if (debug) show(`${one.name} > ${text}`);
    const command = spoken(one.name, text, line);
    one.pipe = undefined;
    if (command.type !== 'command.cycle') one.pending++;
    for (const { process, answer } of service.command(index, command)) {
      const other = served[process]!;
      if (command.type === 'command.send' || command.type === 'command.receive') {
        const path = answer.type === 'answer.result' ? String(answer.values[0]) : '';
        pipes.make(path);
        other.pipe = { path, sends: command.type === 'command.send' };
      }
      tell({ process, answer });
    }
  };
  const lookForDeadlock = (): void => {
    const alive = served.filter(({ ended }) => !ended);
    if (alive.length === 0 || stopped) return;
    const stalled = Date.now() - lastSign > stallSeconds * 1000;
    const inPipe = alive.filter(({ pending }) => pending === 0);
    const hopeless = ({ pipe }: Served): boolean =>
      pipe !== undefined &&
      !alive.some((other) => other.pipe?.path === pipe.path && other.pipe.sends !== pipe.sends);
    if (inPipe.length > 0 && !(stalled && inPipe.every(hopeless))) return;
    const released = service.giveUpOrder();
    for (const one of released) tell(one);
    if (released.length > 0) {
      lastSign = Date.now();
      return;
    }
    stop('deadlock', [
      ...service.blocked.map(({ process, why }) => `${process} ${why}`),
      ...inPipe.map(
        ({ name, pipe }) =>
          `${name} waits for ${pipe?.sends ? 'a reader' : 'data'} at ${pipe?.path.slice(3)}: nobody ${pipe?.sends ? 'receives' : 'sends'} there`,
      ),
    ]);
  };

  const guarded =
    <A extends readonly unknown[]>(handle: (...args: A) => void) =>
    (...args: A): void => {
      try {
        handle(...args);
      } catch (error) {
        failure ??= error;
        killAll();
      }
    };
  await new Promise<void>((resolve, reject) => {
    let left = served.length;
    const look = setInterval(() => {
      if (interrupt.asked) stop('interrupted', []);
      lookForDeadlock();
    }, lookMs);
    const settle = (): void => {
      clearInterval(look);
      pipes.remove();
      if (failure !== undefined) reject(failure);
      else resolve();
    };
    guarded(() => {
      for (const [index, { entry, cmd, args }] of processes.entries()) {
        const one = served[index]!;
        const folder = workingFolder(cwd, { round, phase: 1, index }, entry);
        one.child = new Child({
          cmd,
          args,
          folder,
          log: logFile(folder, entry),
          show: entry.isToStdout ? (line) => show(`${one.name}: ${line}`) : undefined,
          onCommand: guarded((text, line) => take(index, text, line)),
          onEnd: (why) => {
            one.ended = true;
            left--;
            lastSign = Date.now();
            if (why !== '') stop('failed', [`${one.name} ${why}; its working directory is ${folder}`]);
            if (left === 0) settle();
          },
        });
      }
    })();
    // What could not be started does not end either.
    left -= served.filter(({ child }) => child === undefined).length;
    if (left === 0) settle();
  });
  return {
    cycles: service.cycles,
    bench: service.bench,
    warnings: service.warnings,
    ...(stopped && { stopped }),
  };
}

function spoken(name: string, text: string, line: number): ReturnType<typeof parseCommand> {
  try {
    return parseCommand(text);
  } catch (error) {
    if (!(error instanceof CommandTextError)) throw error;
    throw new UsageError(`E-PROG ${name}, line ${line} of its output: ${error.message}`, 'mend the program');
  }
}
