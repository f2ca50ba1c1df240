import { hostname } from 'node:os';
import type { Command } from 'commander';
import { findingsOf } from '../../farm/status.ts';
import { work } from '../../farm/worker.ts';
import { lockstepVersion } from '../../scenarios/version.ts';
import type { Session } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { Interrupt } from '../interrupt.ts';
import { naturalOption } from '../natural-option.ts';
import { grouped, Progress } from '../progress.ts';
import { UsageError } from '../usage-error.ts';
import { ChildRunner } from './child-runner.ts';
import { findingLine } from './finding-line.ts';
import { declareFarmPlace, type FarmPlace, withFarm } from './opened-farm.ts';

interface WorkWords extends FarmPlace {
  readonly workers: number;
  readonly stay?: boolean;
  readonly patience: number;
  readonly json?: boolean;
}

const workersMax = 256;
const patienceDefault = 600;

/** `lockstep farm work`. */
export function declareWork(command: Command, session: Session): void {
  declareFarmPlace(command)
    .option(
      '--workers <n>',
      'processes; what is found does not depend on them',
      naturalOption('--workers', workersMax),
      1,
    )
    .option('--stay', 'wait for further campaigns when nothing is left')
    .option(
      '--patience <s>',
      'seconds that a database which is gone is waited for',
      naturalOption('--patience'),
      patienceDefault,
    )
    .option('--json', 'one JSON object on standard output')
    .addHelpText(
      'after',
      `
Ctrl-C finishes the present run, and the rest goes back to the queue.

Examples:
  lockstep farm work --workers 2
  lockstep farm work --workers 8 --database postgres://farm@db.example/farm`,
    )
    .action(async (options: WorkWords) => {
      if (options.workers === 0)
        throw new UsageError('--workers: found "0", expected at least 1', 'for example --workers 2');
      session.exitCode = await carriedOut(options, session);
    });
}

function carriedOut(options: WorkWords, { terminal }: Session): Promise<number> {
  const { workers: runners, stay = false, patience: patienceSeconds } = options;
  return withFarm(options, { connections: runners + 2 }, async (database, queue) => {
    const interrupt = new Interrupt(terminal);
    const progress = new Progress(terminal, 'runs');
    const began = performance.now();
    try {
      const worked = await work(database, queue, {
        name: `${hostname()}:${process.pid}`,
        version: lockstepVersion,
        runners,
        startRunner: (campaign, bundle) => new ChildRunner(campaign, bundle),
        patienceSeconds,
        stay,
        shouldStop: () => interrupt.asked,
        tell: (words) => {
          progress.end();
          terminal.err(`${words}\n`);
        },
        onProgress: (runs, deliveries) => progress.update(runs, deliveries),
      });
      progress.end();
      const seconds = (performance.now() - began) / 1000;
      const { runs, deliveries, lost, campaigns } = worked;
      const found = (await findingsOf(database)).filter(({ campaign }) => campaigns.includes(campaign));
      terminal.err(
        [
          `${grouped(runs)} runs, ${grouped(deliveries)} deliveries; ${seconds.toFixed(1)} s, ${grouped(Math.round(runs / seconds))} runs/s${interrupt.asked ? '; interrupted, the rest went back' : ''}`,
          ...(lost > 0 ? [`ranges that were taken away: ${lost}`] : []),
          ...found.map((one) => findingLine(one, options)),
          '',
        ].join('\n'),
      );
      if (options.json)
        terminal.out(
          `${JSON.stringify({ runs, deliveries, seconds, lost, interrupted: interrupt.asked, findings: found })}\n`,
        );
      if (interrupt.asked) return exitCodes.interrupted;
      return found.length > 0 ? exitCodes.failed : exitCodes.ok;
    } finally {
      progress.end();
      interrupt.release();
    }
  });
}
