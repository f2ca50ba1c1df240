import { describe, expect, test } from 'vitest';
import { canonical, TapeChoices } from '../../kernel/choices.ts';
import { contrastOf } from './contrast.ts';
import { concerns, happenedBefore } from './happened-before.ts';
import { historyOf } from './history.ts';
import { trialsOf } from './testing/racing-messages.ts';

const trials = trialsOf('late');
const [failing, passing] = [historyOf(trials, new TapeChoices([1])), historyOf(trials, canonical)];
const types = (steps: Iterable<{ readonly message: { readonly event: { readonly type: string } } }>) =>
  [...steps].map(({ message }) => message.event.type);
const step = (type: string) => failing.steps.find(({ message }) => message.event.type === type)!;

describe('what happened before a delivery', () => {
  test('are its causes and all that the actors of its causes got before', () => {
    expect(types(happenedBefore(failing.steps, new Set([step('letter.text')])))).toEqual([
      'letter.text',
      'letter.read',
      'go',
    ]);
  });

  test('is nothing of what another actor did meanwhile', () => {
    const past = happenedBefore(failing.steps, new Set([step('letter.compare')]));

    expect(past.has(step('letter.write'))).toBe(false);
    expect(past.has(step('letter.read'))).toBe(true);
  });

  test.each([
    ['Cell.Spu[1]', 'Cell.Spu[1].Memory', true],
    ['Spu[1]', 'Cell.Spu[1]', true],
    ['Spu[1]', 'Cell.Spu[11]', false],
    ['Cell.Spu[1].Memory', 'Cell.Spu[1]', false],
  ])('a finding about %s concerns %s: %s', (named, actor, expected) => {
    expect(concerns([named], actor)).toBe(expected);
  });
});

describe('two runs of a scenario', () => {
  const contrast = contrastOf(failing, passing);

  test('differ where a message says something else', () => {
    expect(types(contrast.differences.keys()).sort()).toEqual(
      expect.arrayContaining(['letter.compare', 'letter.text']),
    );
    expect(contrast.differences.get(step('letter.text'))).toBe('message');
    expect(contrast.differences.get(step('letter.read'))).toBe('state');
  });

  test('that are one do not differ', () => {
    const same = contrastOf(failing, historyOf(trials, new TapeChoices([1])));

    expect(same.differences.size).toBe(0);
  });
});
