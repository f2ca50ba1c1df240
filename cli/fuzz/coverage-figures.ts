import type { Coverage } from '../../kernel/coverage.ts';
import { type Share, summaryOf } from '../../kernel/coverage-summary.ts';

const counted = ['states', 'transitions', 'guards', 'orders'] as const;

/** What a campaign has covered, added up over the types of actors. */
export type CoverageFigures = Readonly<Record<(typeof counted)[number], Share>>;

/** The figures of a coverage. */
export function coverageFigures(coverage: Coverage): CoverageFigures {
  const types = summaryOf(coverage);
  const total = (kind: (typeof counted)[number]): Share =>
    types.reduce((sum, { [kind]: { seen, of } }) => ({ seen: sum.seen + seen, of: sum.of + of }), {
      seen: 0,
      of: 0,
    });
  return Object.fromEntries(counted.map((kind) => [kind, total(kind)])) as CoverageFigures;
}

/** The figures in one line, without those of which there is nothing to cover: no messages of an asynchronous network are due in the same tick. */
export function coverageLine({ states, transitions, guards, orders }: CoverageFigures): string {
  const shares: readonly (readonly [Share, string])[] = [
    [states, 'states'],
    [transitions, 'transitions'],
    [guards, 'guards both ways'],
    [orders, 'races in both orders'],
  ];
  return shares
    .filter(([{ of }]) => of > 0)
    .map(([{ seen, of }, what]) => `${seen} of ${of} ${what}`)
    .join(', ');
}
