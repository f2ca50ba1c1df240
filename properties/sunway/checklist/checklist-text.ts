import { hostCases, slaveCases } from './cases/cases.ts';
import { type FeatureRow, featureRows } from './feature-rows.ts';
import type { HostCase, SlaveCase, Taking } from './function-case.ts';
import type { NamedTest } from './named-test.ts';
import { provedElsewhere } from './proved-elsewhere.ts';
import { type Resolution, resolutions, workedExamples } from './resolutions.ts';

/** The cases of a row: of its function or, where the row is a family of functions, of each of them. */
export const casesOf = ({ name, aliases }: Pick<FeatureRow, 'name' | 'aliases'>) => {
  const names = [name, ...aliases];
  return [...hostCases, ...slaveCases].filter((one) => names.includes(one.name));
};

/** How a function fails, in words. */
function failureOf({ fails }: HostCase | SlaveCase): string {
  if ('never' in fails) return `cannot: ${fails.never}`;
  if ('code' in fails) return `\`${fails.code}\`: ${fails.with}`;
  if ('gives' in fails) return fails.when;
  return `reported: ${fails.when}`;
}

const inTrace = (one: HostCase | SlaveCase): string => `\`${('traced' in one && one.traced) || one.name}\``;

/** Where queues play a part, from least to most. */
const cyclesOf = ({ cycles, queueing = 0 }: Taking): string =>
  queueing === 0 ? `${cycles}` : `${cycles} to ${cycles + queueing}`;

/** One line a case, since a cell of a table has no other way to hold several. */
const lines = (texts: readonly string[]): string => [...new Set(texts)].join('<br>');

const cell = (text: string): string => text.replaceAll('|', '\\|');

const testText = ({ file, title }: NamedTest): string => `${cell(title)} ([${file}](../../${file}))`;

function rowText(row: FeatureRow): string {
  const names = row.aliases.map((alias) => `\`${alias}\``).join(' ');
  const first = `| ${row.id} | ${row.side} | \`${row.name}\` | ${names} | ${row.section} |`;
  const cases = casesOf(row);
  const elsewhere = provedElsewhere.get(row.id) ?? [];
  if (cases.length === 0) {
    return `${first} ${lines(elsewhere.map(testText))} | | | |`;
  }
  const [does, fails, takes] = [
    cases.map(({ means }) => means),
    cases.map(failureOf),
    cases.map(({ takes }) => `${cyclesOf(takes)}: ${takes.formula}`),
  ].map((texts) => cell(lines(texts)));
  return `${first} ${does} | ${fails} | ${takes} | ${lines(cases.map(inTrace))} |`;
}

const resolutionText = ({ id, what, rows = [], tests = [], because }: Resolution): string =>
  `| ${id} | ${what} | ${because ?? lines([...rows, ...tests.map(testText)])} |`;

/** The checklist as a document. */
export const checklistText = (): string =>
  [
    '# Feature checklist of the Sunway machine',
    '',
    'Rows of section 10 of the specification, by the names that programs use. What stands in the columns "does", "fails" and "takes" are the titles of tests',
    'in `properties/sunway/checklist/functions.test.ts`: what a call brings about, with which bad call it is refused (under both policies) or what is',
    'reported of it, and how many CPE cycles it takes on an idle node, by the formulas of section 9. "In the trace" is the name under which',
    '`call.begin` and `call.end` show it. Every other name is called as well and has to do the same in the same time.',
    '',
    'Made from `properties/sunway/checklist/cases`: `CHECKLIST=write npx vitest run properties/sunway/checklist/checklist.test.ts` writes it anew.',
    '',
    '| row | side | function | other names | section | does | fails | takes | in the trace |',
    '|---|---|---|---|---|---|---|---|---|',
    ...featureRows.map(rowText),
    '',
    '## Contradictions and unreadable spots of the manual (specification 15)',
    '',
    '| id | resolution | shown by |',
    '|---|---|---|',
    ...resolutions.map(resolutionText),
    '',
    '## Worked examples',
    '',
    '| section | example | shown by |',
    '|---|---|---|',
    ...workedExamples.map(resolutionText),
    '',
  ].join('\n');
