import type { Equivalents } from './equivalents.ts';
import { type Judgement, type JudgeName, judgeNames } from './judges.ts';
import type { Mutant } from './mutant.ts';

/** What has been found out about one mutant. */
export interface Row extends Omit<Mutant, 'mutation'> {
  readonly judgements: Readonly<Partial<Record<JudgeName, Judgement>>>;
}

/** How many of how many. */
interface Share {
  readonly noticed: number;
  readonly of: number;
}

/** The figures of a campaign: equivalent mutants are in none of them. */
export interface Figures {
  readonly mutants: number;
  readonly equivalent: number;
  /** Noticed by each judge, of those that it judged. */
  readonly by: Readonly<Record<JudgeName, Share>>;
  /** Noticed by any judge. */
  readonly any: Share;
  /** What `fuzz` did not notice: never reached, reached with the same ends, with other ends. */
  readonly unnoticedByFuzz: { readonly unreached: number; readonly same: number; readonly changed: number };
}

export function figuresOf(rows: readonly Row[], equivalents: Equivalents): Figures {
  const different = rows.filter((row) => equivalents.why(row) === undefined);
  const share = (judge: JudgeName): Share => {
    const judged = different.flatMap(({ judgements }) => judgements[judge] ?? []);
    return { noticed: judged.filter(({ noticed }) => noticed).length, of: judged.length };
  };
  const unnoticed = different.flatMap(({ judgements: { fuzz } }) => (fuzz && !fuzz.noticed ? [fuzz] : []));
  return {
    mutants: rows.length,
    equivalent: rows.length - different.length,
    by: { scenarios: share('scenarios'), fuzz: share('fuzz'), tests: share('tests') },
    any: { noticed: different.filter(noticedByAny).length, of: different.length },
    unnoticedByFuzz: {
      unreached: unnoticed.filter(({ reached, changed }) => !reached && !changed).length,
      same: unnoticed.filter(({ reached, changed }) => reached && !changed).length,
      changed: unnoticed.filter(({ changed }) => changed).length,
    },
  };
}

export const noticedByAny = ({ judgements }: Row): boolean =>
  Object.values(judgements).some(({ noticed }) => noticed);

/** The campaign for people; with `every` also those mutants that a judge noticed, else those that no judge or not every judge noticed. */
export function reportText(rows: readonly Row[], equivalents: Equivalents, title: string): string {
  const figures = figuresOf(rows, equivalents);
  const { mutants, equivalent, by, any, unnoticedByFuzz } = figures;
  const lines = [
    title,
    `${mutants} mutants, ${equivalent} equivalent; of the other ${mutants - equivalent}:`,
    ...judgeNames.map((judge) => `  ${judge.padEnd(10)} noticed ${shareText(by[judge])}`),
    `  ${'any'.padEnd(10)} noticed ${shareText(any)}`,
  ];
  if (by.fuzz.of > by.fuzz.noticed)
    lines.push(
      `what fuzz did not notice: ${unnoticedByFuzz.unreached} never reached, ${unnoticedByFuzz.same} reached with the same ends, ${unnoticedByFuzz.changed} with other ends`,
    );
  const missed = rows.filter((row) => judgeNames.some((judge) => row.judgements[judge]?.noticed === false));
  for (const [heading, chosen] of [
    ['noticed by nobody', missed.filter((row) => !noticedByAny(row) && equivalents.why(row) === undefined)],
    ['noticed by some only', missed.filter((row) => noticedByAny(row))],
    ['equivalent', rows.filter((row) => equivalents.why(row) !== undefined)],
  ] as const) {
    if (chosen.length === 0) continue;
    lines.push('', `${heading}:`);
    for (const row of chosen) lines.push(...rowLines(row, equivalents.why(row)));
  }
  return `${lines.join('\n')}\n`;
}

function rowLines(row: Row, why: string | undefined): readonly string[] {
  const { id, before, after, judgements } = row;
  const judged = judgeNames.flatMap((judge) => {
    const one = judgements[judge];
    if (!one) return [];
    if (one.noticed) return [`${judge}: ${one.how}`];
    const seen =
      judge === 'fuzz'
        ? one.changed
          ? ' (other ends)'
          : one.reached
            ? ' (same ends)'
            : ' (never reached)'
        : '';
    return [`${judge}: nothing${seen}`];
  });
  return [
    `  ${id}`,
    `    - ${before}`,
    `    + ${after}`,
    ...(why === undefined ? judged.map((line) => `    ${line}`) : [`    ${why}`]),
  ];
}

const shareText = ({ noticed, of }: Share): string =>
  of === 0 ? 'none asked' : `${noticed} of ${of} (${Math.round((1000 * noticed) / of) / 10} %)`;
