import type { Coverage } from '../../kernel/coverage.ts';
import { type Share, summaryOf, type TypeSummary } from '../../kernel/coverage-summary.ts';
import { unseenIn } from '../../kernel/coverage-unseen.ts';

/** Names of one kind that are listed as missing, unless all are asked for. */
const listedMax = 8;

/** Coverage as a table, a type of actor a row, then what is missing by name, then what is likely left to see. */
export function coverageText(coverage: Coverage, all: boolean): string {
  const runs = `${coverage.runs} ${coverage.runs === 1 ? 'run' : 'runs'}`;
  return joined([runs, coverageTable(coverage, all), estimateText(coverage)]);
}

/** The table of a coverage, and what is missing by name: without what only runs have. */
export function coverageTable(coverage: Coverage, all: boolean): string {
  const types = summaryOf(coverage);
  return joined([
    types.length === 0 ? 'nothing was counted' : table(types),
    ...types.map((type) => missingText(type, all ? Number.POSITIVE_INFINITY : listedMax)),
  ]);
}

const joined = (sections: readonly string[]): string =>
  `${sections
    .map((section) => section.trimEnd())
    .filter((section) => section !== '')
    .join('\n\n')}\n`;

const columns: readonly (readonly [title: string, of: (type: TypeSummary) => Share])[] = [
  ['states', ({ states }) => states],
  ['transitions', ({ transitions }) => transitions],
  ['guards both ways', ({ guards }) => guards],
  ['refused events', ({ refusals }) => refusals],
  ['complaints', ({ complaints }) => complaints],
  ['both orders', ({ orders }) => orders],
];

function table(types: readonly TypeSummary[]): string {
  const rows = [
    ['type of actor', ...columns.map(([title]) => title)],
    ...types.map((type) => [type.type, ...columns.map(([, of]) => shareText(of(type)))]),
  ];
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map(([first = '', ...rest]) =>
      [first.padEnd(widths[0]!), ...rest.map((cell, index) => cell.padStart(widths[index + 1]!))].join('  '),
    )
    .join('\n');
}

const shareText = ({ seen, of }: Share): string => (of === 0 ? '-' : `${seen}/${of}`);

function missingText({ type, missing }: TypeSummary, most: number): string {
  const lines = [
    ...listed('state never entered', missing.states, most),
    // A guard that was never true says so itself.
    ...listed(
      'transition never taken',
      missing.transitions.filter((name) => !missing.neverTrue.includes(name)),
      most,
    ),
    ...listed('guard never true', missing.neverTrue, most),
    ...listed('guard never false', missing.neverFalse, most),
    ...listed('order never seen', missing.orders, most),
  ];
  return lines.length === 0 ? '' : [`missing in ${type}`, ...lines].join('\n');
}

function listed(what: string, names: readonly string[], most: number): readonly string[] {
  const shown = names.slice(0, most).map((name) => `  ${what}: ${name}`);
  return names.length > shown.length ? [...shown, `  … and ${names.length - shown.length} more`] : shown;
}

function estimateText(coverage: Coverage): string {
  const { seen, inOneRun, expectedInNextRun, unseenAtLeast } = unseenIn(coverage);
  if (expectedInNextRun === undefined) return '';
  return [
    `${seen} things seen, ${inOneRun} of them in one run only`,
    `the next such run is expected to show ${expectedInNextRun.toPrecision(2)} new ones (Good-Turing); at least ${Math.ceil(unseenAtLeast)} are left to see (Chao)`,
  ].join('\n');
}
