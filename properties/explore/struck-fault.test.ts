import { describe, expect, test } from 'vitest';
import type { InjectedFault } from '../../kernel/faults.ts';
import { type Explanation, explainFailure } from './explain.ts';
import { explanationJson } from './explanation-json.ts';
import { explanationPage } from './explanation-page.ts';
import { inOrder } from './telling-steps.ts';
import { trialsOf } from './testing/racing-messages.ts';
import { Trials } from './trial.ts';

const always = { probability: 1, budget: 1 } as const;

/** The story in which a box complains of a letter that is read before it is written, first come, first served, with these faults. */
function explained(...faults: InjectedFault[]): Explanation {
  const { scenario, machine, properties } = trialsOf('violated');
  const explanation = explainFailure(new Trials({ ...scenario, faults }, machine, properties), []);
  expect(explanation, 'it does not fail').toBeDefined();
  return explanation!;
}

const pageOf = (explanation: Explanation): string =>
  explanationPage(explanation, { about: 'racing letters', replay: 'npx lockstep replay letters.json' });
const oneLine = (page: string): string => page.replaceAll(/\s+/g, ' ');

describe('a fault that struck is told', () => {
  test.each([
    [
      { kind: 'drop', type: 'letter.write', ...always },
      'drop of letter.write value=42 (Writer -> Box), never delivered',
    ],
    [
      { kind: 'delay', type: 'letter.write', ticks: 2, ...always },
      'delay of letter.write value=42 (Writer -> Box), due in tick 3 instead of 1',
    ],
    [
      { kind: 'reorder', type: 'letter.write', ticks: 1, ...always },
      'reordering of letter.write value=42 (Writer -> Box), due in tick 2 instead of 1, and may be overtaken',
    ],
    [
      { kind: 'crash', actor: 'Office.Writer', ...always },
      'crash of Writer in front of go (world -> Writer)',
    ],
  ] satisfies [InjectedFault, string][])(
    'in words, in its place among the messages, and in JSON: $kind',
    (fault, words) => {
      const explanation = explained(fault);

      const page = pageOf(explanation);

      expect(oneLine(page)).toContain(`In tick 1 a fault struck: ${words}.`);
      expect(page).toMatch(/^ +! tick 1: /m);
      expect(page).toContain('! went wrong on purpose');
      expect(page.trimEnd().split('\n').length).toBeLessThanOrEqual(45);
      const json = explanationJson(explanation, inOrder(explanation.telling.ranked), 'again');
      expect(json['faults']).toEqual([
        expect.objectContaining({
          tick: 1,
          kind: fault.kind,
          to: fault.kind === 'crash' ? 'Office.Writer' : 'Office.Box',
        }),
      ]);
    },
  );

  test('though nobody picked it, behind the delivery during which it struck', () => {
    const page = pageOf(explained({ kind: 'drop', type: 'letter.write', ...always }));

    const rows = page.split('\n').map((line) => line.replaceAll(/[│┼─├┤▶◀●\s]+/g, ' ').trim());
    const at = rows.findIndex((row) => row.startsWith('! tick 1'));
    // Behind the delivery to the writer during which the letter was posted, before that to the reader.
    expect([rows[at - 1], ...rows.slice(at + 1, at + 3)]).toEqual([
      '1 go',
      '1 go; idle -> waitingForText',
      '1 letter.read page=7',
    ]);
  });

  test('with those that matter first: the others are counted', () => {
    const everything: InjectedFault = { kind: 'delay', ticks: 1, probability: 1 };

    const explanation = explained({ kind: 'drop', type: 'letter.write', ...always }, everything);

    expect(explanation.history.faults.length).toBeGreaterThan(0);
    expect(explanation.faults.length).toBeLessThanOrEqual(3);
    expect(explanation.faults.map(({ kind }) => kind)).toContain('drop');
  });

  test('not at all in a run without faults', () => {
    const page = pageOf(explainFailure(trialsOf('violated'), [1])!);

    expect(page).not.toContain('fault');
    expect(page).not.toContain('on purpose');
  });
});
