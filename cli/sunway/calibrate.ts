import type { Command } from 'commander';
import { type CalibrationRow, calibration, fitsOf } from '../../scenarios/sunway/calibration.ts';
import type { Session } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { Interrupt } from '../interrupt.ts';

/** `lockstep sunway calibrate`: every published measurement beside what the machine comes to (Sunway specification 9.2, 9.3). */
export function declareCalibrate(command: Command, session: Session): void {
  command
    .option('--json', 'one JSON object {rows, fits} on standard output')
    .action(async ({ json }: { readonly json?: boolean }) => {
      const interrupt = new Interrupt(session.terminal);
      const rows: CalibrationRow[] = [];
      try {
        for (const row of calibration()) {
          rows.push(row);
          await new Promise((resolve) => setImmediate(resolve));
          if (interrupt.asked) break;
        }
      } finally {
        interrupt.release();
      }
      session.terminal.out(json ? `${JSON.stringify({ rows, fits: fitsOf(rows) })}\n` : table(rows));
      if (interrupt.asked) session.exitCode = exitCodes.interrupted;
      else session.exitCode = rows.every(({ holds }) => holds) ? exitCodes.ok : exitCodes.failed;
    });
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
const signed = (share: number): string => `${share < 0 ? '' : '+'}${percent(share)}`;

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
  const widths = cells[0]!.map((_, column) => Math.max(...cells.map((line) => line[column]!.length)));
  const lines = cells.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  );
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
