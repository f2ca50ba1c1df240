import { expect, test } from 'vitest';
import type { Run } from '../kernel/run.ts';
import type { Assembly, Given } from '../machines/machine.ts';
import { referenceSentence, withReference } from './with-reference.ts';

/** A run of three actors that has ended, as much of it as is looked at. */
function ended(cut = false): { readonly run: Run; readonly reports: unknown[] } {
  const reports: unknown[] = [];
  const run = {
    parts: ['Cg[0]', 'Cg[0].Tbox[1]', 'Cg[0].Cpe[0,1]'].map((name) => ({ name })),
    ended: true,
    outcome: { verdict: 'ok', cut },
    report: (...told: unknown[]) => reports.push(told),
  } as unknown as Run;
  return { run, reports };
}

function compared(run: Run, why: string | undefined, given: object = {}): void {
  const watch = withReference(() => ({ end: () => {} }), [() => () => why]);
  watch(run, given as Given, {} as Assembly).end();
}

test('a difference is told of the actors that it names', () => {
  const { run, reports } = ended();
  const why = 'a reply of Cg[0].Tbox[1] to Cg[0].Cpe[0,1] comes in cycle 7, Cg[9] has none.';

  compared(run, why);

  expect(reports).toEqual([[['Cg[0].Tbox[1]', 'Cg[0].Cpe[0,1]'], { property: referenceSentence, why }]]);
});

test.each([
  ['that agrees', undefined, false, {}],
  ['that was cut off', 'it differs', true, {}],
  ['in which faults are injected', 'it differs', false, { faults: [{ kind: 'drop' }] }],
])('nothing is told of a run %s', (_, why, cut, given) => {
  const { run, reports } = ended(cut);

  compared(run, why, given);

  expect(reports).toEqual([]);
});
