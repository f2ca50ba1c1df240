import type { z } from 'zod';
import type { Row } from '../reference-row.ts';
import { claimRows, type claimsSchema } from './claim-cases.ts';

/** How a claim and the parameters of the model have to do with each other (TCA specification 18). */
export type ClaimClass = 'given' | 'fitted' | 'not fitted' | 'explained';

/** What each class says. */
export const claimClasses: Readonly<Record<ClaimClass, string>> = {
  given: 'a constant of the machine, or plain arithmetic',
  fitted:
    'was in the objective of the search for parameters: agreement shows only that one mechanism can carry it',
  'not fitted': 'came out by itself',
  explained: 'a parameter was chosen by hand after seeing that it explains the claim',
};

/** The class of each claim by its id, with what else is to be known. */
const known: Readonly<Record<string, readonly [ClaimClass, note?: string]>> = {
  'fig1-ch0': ['fitted'],
  'fig1-ch1': ['fitted', 'the paper has 2.23 between CH0 and CH1, the tags 2'],
  'fig1-ch2': ['fitted'],
  'fig1-ch3': ['not fitted'],
  tags: ['given'],
  order: ['fitted'],
  'fig5-8k': ['fitted', 'not the exact 1.4: 8 KiB take 2.4 us on the link behind 1.3 us of latency'],
  'fig5-range': ['fitted'],
  'fig5-monotone': ['not fitted'],
  'fig5-16k': ['fitted'],
  'fig5-32k': ['fitted'],
  'fig6-range': ['not fitted'],
  'fig6-n16-bs': ['not fitted'],
  'fig6-tca-vs-ib': ['not fitted', 'InfiniBand is a table, not a model'],
  'fig7-2node': ['not fitted'],
  'fig7-4node': ['explained', 'reading a counter takes 1 us: about 3 us for each start behind another one'],
  'fig7-2x2-expected': ['not fitted'],
  'fig7-total': ['not fitted'],
  'halo-bytes': ['given'],
  'whatif-32-32': ['not fitted'],
  'gasnet-latency': ['fitted'],
};

/** A line of the table of claims: what the paper says, what the model comes to. */
export interface ClaimLine {
  readonly id: string;
  readonly what: string;
  readonly paper: string;
  readonly model: string;
  readonly holds: boolean;
  readonly kind: ClaimClass;
  readonly note: string;
}

/** Numbers with three digits, lists with commas, names with what they name. */
function shown(value: unknown): string {
  if (typeof value === 'number')
    return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(3)));
  if (Array.isArray(value))
    return value.map((one) => (Array.isArray(one) ? `(${shown(one)})` : shown(one))).join(', ');
  if (typeof value === 'object' && value !== null)
    return Object.entries(value)
      .map(([key, one]) => `${key}: ${shown(one)}`)
      .join('; ');
  return String(value);
}

function lineOf({ id, what, expected, found, passed }: Row): ClaimLine {
  const claim = id.split(' ')[0]!;
  const [kind, note = ''] = known[claim] ?? ['not fitted'];
  return { id, what, paper: shown(expected), model: shown(found), holds: passed, kind, note };
}

/** The claims that the model can measure, in their order; runs the model, some seconds. */
export function* claimLines(claims: z.output<typeof claimsSchema>): Iterable<ClaimLine> {
  for (const row of claimRows(claims)) if (row.skipped === undefined) yield lineOf(row);
}

const cell = (text: string): string => text.replaceAll('|', '\\|');

/** The claims as a table of Markdown, with the classes behind it. */
export function claimsMarkdown(lines: readonly ClaimLine[]): string {
  const rows = lines.map(({ id, paper, model, holds, kind, note }) =>
    `| ${[id, paper, model, holds ? 'yes' : 'no', kind, note].map(cell).join(' | ')} |`.replace(
      / +\|$/,
      ' |',
    ),
  );
  const classes = Object.entries(claimClasses).map(([kind, words]) => `- *${kind}*: ${words}`);
  return [
    '| claim | paper | model | holds | class | note |',
    '|---|---|---|---|---|---|',
    ...rows,
    '',
    ...classes,
    '',
  ].join('\n');
}
