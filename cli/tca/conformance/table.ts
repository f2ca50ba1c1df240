import type { RowTally } from '../../../scenarios/tca/conformance/suite.ts';

/** What rows came to, in lines for people. */
export function table(rows: readonly RowTally[], passed: number, failed: number): string {
  const head = ['case', 'topology', 'mode', 'channels', 'schedules', 'result'];
  const lines = rows.map(
    ({ case: id, topology, mode, channels, schedules, found, schedule, done, mandatory }) => [
      id,
      topology,
      mode,
      channels,
      String(schedules),
      found === undefined
        ? done
          ? 'ok'
          : 'ok so far'
        : `${mandatory ? 'WRONG' : 'wrong, not mandatory'} (${schedule}): ${found.split('\n')[0]}`,
    ],
  );
  const widths = head.map((title, column) =>
    Math.max(title.length, ...lines.map((line) => line[column]!.length)),
  );
  return [head, ...lines]
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join('')
    .concat(`${passed} of ${rows.length} rows passed, ${failed} failed\n`);
}
