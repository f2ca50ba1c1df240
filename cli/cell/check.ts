import type { Command } from 'commander';
import { CellChecker } from '../../properties/cell/checker/check.ts';
import type { CheckReport, LogFinding } from '../../properties/cell/checker/findings.ts';
import { type ParsedLog, parseLog } from '../../properties/cell/checker/log.ts';
import { invariantSentence } from '../../properties/cell/checker-finds-nothing.ts';
import type { Session } from '../command.ts';
import { readInput } from '../read-input.ts';
import { UsageError } from '../usage-error.ts';

/** 0 to 4 are verdicts (Cell specification 13), so a defect of Lockstep has the number that systems give it, as wrong usage has. */
const codes = { usage: 64, defect: 70 };

interface CheckOptions {
  readonly expectHash?: string;
  readonly json?: boolean;
}

/** `lockstep cell check LOG`: exit codes 0 ok, 1 PERF, 2 SYNC, 3 FATAL, 4 EXCEPTION, 64 usage, 70 a defect (Cell specification 13). */
export function declareCheck(command: Command, session: Session): void {
  session.codes = codes;
  command
    .argument('<log>', 'an event log, as `lockstep run --export log=FILE` writes it')
    .option('--expect-hash <digits>', 'hash of the log of another run that should be equal')
    .option('--json', 'one JSON object on standard output')
    .addHelpText(
      'after',
      '\nExit codes: 0 ok, 1 PERF, 2 SYNC, 3 FATAL, 4 EXCEPTION, 64 wrong usage or no log, 70 a defect.',
    )
    .action((file: string, { expectHash, json }: CheckOptions) => {
      const { header, events } = logIn(file);
      const checker = new CellChecker(header, {
        logHash: true,
        ...(expectHash !== undefined && { expectedLogHash: expectHash }),
      });
      for (const event of events) checker.event(event);
      const report = checker.finish();
      if (json) session.terminal.out(`${JSON.stringify({ file, ...report })}\n`);
      session.terminal.err(reportText(file, report));
      session.exitCode = report.exitCode;
    });
}

const errorsShown = 20;

function logIn(file: string): ParsedLog & { readonly header: NonNullable<ParsedLog['header']> } {
  const { header, events, errors } = parseLog(readInput(file));
  if (header && errors.length === 0) return { header, events, errors };
  const lines = errors
    .slice(0, errorsShown)
    .map(({ line, found, expected }) => `${file}:${line}:1 found ${found}, expected ${expected}`);
  const more = errors.length > errorsShown ? [`and ${errors.length - errorsShown} more`] : [];
  throw new UsageError([...lines, ...more].join('\n'), 'give a log of format cell-log/1');
}

function reportText(file: string, report: CheckReport): string {
  const { verdict, findings, suppressed, events, cycles, logHash } = report;
  const left = Object.entries(suppressed).map(([id, count]) => `  and ${count} more of ${id}\n`);
  const summary = `${file}: ${verdict}; ${events} records, ${cycles} cycles, log hash ${logHash}\n`;
  return `${summary}${findings.map(findingText).join('')}${left.join('')}`;
}

function findingText({
  class: severity,
  invariant,
  cycle,
  entities,
  requests,
  message,
  position,
}: LogFinding): string {
  const who = [...entities, ...requests.map(({ spu, id }) => `request ${id} of SPU ${spu}`)].join(', ');
  return `${severity} ${invariantSentence(invariant)}\n  cycle ${cycle}, record ${position}${who === '' ? '' : `, ${who}`}: ${message}\n`;
}
