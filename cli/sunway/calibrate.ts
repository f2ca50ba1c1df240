import { type Command, Option } from 'commander';
import { type CalibrationRow, calibration, fitsOf } from '../../scenarios/sunway/calibration.ts';
import { type AgreementRow, agreement, agreementPairs } from '../../scenarios/sunway/fidelity-agreement.ts';
import { columns, percent, signed } from '../columns.ts';
import type { Session } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { Interrupt } from '../interrupt.ts';
import { agreementTable } from './agreement-table.ts';

interface CalibrateOptions {
  readonly json?: boolean;
  readonly fidelity: 'tlm' | 'flit';
  readonly explicit?: boolean;
}

/**
 * `lockstep sunway calibrate`: every published measurement beside what the machine comes to (Sunway specification 9.2, 9.3); with
 * `--fidelity flit`, unloaded transfers in flits beside the formulas (2.2).
 */
export function declareCalibrate(command: Command, session: Session): void {
  command
    .addOption(
      new Option(
        '--fidelity <level>',
        'tlm: published measurements beside the formulas; flit: unloaded transfers in flits beside the formulas',
      )
        .choices(['tlm', 'flit'])
        .default('tlm'),
    )
    .option('--json', 'one JSON object on standard output: {rows, fits}, or {rows} for flits')
    .option('--explicit', 'state machines for all parts, also where plain code does the same faster')
    .action(async ({ json, fidelity, explicit }: CalibrateOptions) => {
      if (fidelity === 'tlm') await comparePublished(session, json ?? false, explicit ? 'explicit' : 'auto');
      else await compareLevels(session, json ?? false);
    });
}

async function comparePublished(session: Session, json: boolean, detail: 'auto' | 'explicit'): Promise<void> {
  const { rows, asked } = await collected(session, calibration(undefined, detail));
  session.terminal.out(json ? `${JSON.stringify({ rows, fits: fitsOf(rows) })}\n` : table(rows));
  session.exitCode = exitCodeOf(rows, asked);
}

async function compareLevels(session: Session, json: boolean): Promise<void> {
  const pairs = measuredPairs();
  const { rows: groups, asked } = await collected<readonly AgreementRow[]>(session, pairs);
  const rows = groups.flat();
  session.terminal.out(json ? `${JSON.stringify({ rows })}\n` : agreementTable(rows));
  session.exitCode = exitCodeOf(rows, asked);
}

function* measuredPairs(): Iterable<readonly AgreementRow[]> {
  for (const [issuer, partner] of agreementPairs) yield agreement(issuer, partner);
}

/** What is measured one after the other, until all is there or Ctrl-C ends it. */
async function collected<Row>(
  session: Session,
  measured: Iterable<Row>,
): Promise<{ readonly rows: readonly Row[]; readonly asked: boolean }> {
  const interrupt = new Interrupt(session.terminal);
  const rows: Row[] = [];
  try {
    for (const row of measured) {
      rows.push(row);
      await new Promise((resolve) => setImmediate(resolve));
      if (interrupt.asked) break;
    }
  } finally {
    interrupt.release();
  }
  return { rows, asked: interrupt.asked };
}

function exitCodeOf(rows: readonly { readonly holds: boolean }[], asked: boolean) {
  if (asked) return exitCodes.interrupted;
  return rows.every(({ holds }) => holds) ? exitCodes.ok : exitCodes.failed;
}

/** Rows and fits for people. */
function table(rows: readonly CalibrationRow[]): string {
  const cells = [
    ['', 'point', 'measured', 'model', 'unit', 'error', 'tolerance'],
    ...rows.map(({ holds, name, measured, model, unit, error, tolerance }) => [
      holds ? 'holds' : 'MISSED',
      name,
      measured.join(' or '),
      String(model),
      unit,
      signed(error),
      percent(tolerance),
    ]),
  ];
  const lines = columns(cells);
  const held = rows.filter(({ holds }) => holds).length;
  const fits = fitsOf(rows).map(
    ({ family, points, median, largest }) =>
      `${family}: ${points} points, median error ${percent(median)}, largest ${percent(largest)}`,
  );
  const closing = [
    `${held} of ${rows.length} points hold`,
    'Measured on the successor chip SW39000. Times of barriers, locks, starts and RMA gets were never published: they are estimates.',
  ];
  return `${[...lines, '', ...fits, ...closing].join('\n')}\n`;
}
