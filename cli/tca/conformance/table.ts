/** What a row came to. */
export interface ToldRow {
  readonly row: string;
  readonly case: string;
  readonly topology: string;
  readonly mode: string;
  readonly channels: string;
  readonly mandatory: boolean;
  /** Schedules run, the default one with them. */
  readonly schedules: number;
  /** What is wrong, and under which schedule. */
  readonly found?: string;
  readonly schedule?: string;
  readonly done: boolean;
}

/** What rows came to, in lines for people. */
export function table(rows: readonly ToldRow[], passed: number, failed: number): string {
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
