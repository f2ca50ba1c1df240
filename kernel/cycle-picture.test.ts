import { describe, expect, test } from 'vitest';
import { setup } from 'xstate';
import { cycles } from './cycle-picture.ts';
import { component } from './kit.ts';
import type { Address } from './message.ts';

interface LampContext {
  left: number;
}
type LampEvent = { type: 'lamp.on'; ticks: number } | { type: 'lamp.fade' };
const { update, post, when, probe, report } = component<LampContext, LampEvent>();

/** A lamp that goes out by itself after some cycles: its delays are messages to itself. */
const lamp = setup({
  types: {} as { context: LampContext; events: LampEvent },
  guards: { last: when((l) => l.left === 1), none: when<'lamp.on'>((_l, { ticks }) => ticks < 1) },
  actions: {
    set: update<'lamp.on'>((l, { ticks }) => {
      l.left = ticks;
    }),
    fade: update((l) => {
      l.left--;
    }),
    wait: post(() => ({ to: 0 as Address, type: 'lamp.fade', delay: 1 })),
    tell: post((l) => ({ to: 7 as Address, type: 'light.is', left: l.left, so: { on: l.left > 0 } })),
    show: probe((l) => ({ type: 'left', left: l.left })),
    complain: report(() => ({ property: 'a lamp shines for a while', why: 'no ticks, none at all' })),
  },
}).createMachine({
  id: 'lamp',
  context: { left: 0 },
  initial: 'dark',
  states: {
    dark: {
      on: {
        'lamp.on': [
          { guard: 'none', actions: 'complain' },
          { target: 'bright', actions: ['set', 'wait', 'tell'] },
        ],
      },
    },
    bright: {
      on: {
        'lamp.fade': [
          { guard: 'last', target: 'dark', actions: ['fade', 'tell'] },
          { actions: ['fade', 'wait', 'show'] },
        ],
        'lamp.on': { actions: ['set', 'tell'] },
      },
    },
  },
});

const sound = `
  cycle      0  1  2  3   4  5
  lamp.on    a  .  .  b   .  cc   a = ticks 2; b = ticks 1; c = ticks 0
  state      b  .  d  b   d  .    b = bright, d = dark
  light.is   a  .  b  a   b  .    a = to 7; b = to 7, left 0, so {"on": false}
  left       .  a  .  .   .  .    a = left 1
  report     .  .  .  .   .  aa   a = why "no ticks, none at all"
`;

describe('a cycle picture', () => {
  test('that is right holds', () => {
    cycles(lamp, undefined, sound);
  });

  test.each([
    ['a state', 'state      b  .  d', 'state      b  .  b', 'cycle 2: the state is dark, drawn is bright'],
    [
      'a message too late',
      'light.is   a  .  b  a   b  .',
      'light.is   a  .  .  a   b  .',
      'cycle 2: 1 times light.is ({"to":7,"type":"light.is","left":0,"so":{"on":false}}), drawn is 0 times',
    ],
    [
      'a message that does not come',
      'light.is   a  .',
      'light.is   a  b',
      'cycle 1: 0 times light.is (nothing), drawn is 1 times',
    ],
    [
      'what a message carries',
      'b = to 7, left 0',
      'b = to 7, left 3',
      'cycle 2: light.is: left is 0, expected 3',
    ],
    [
      'what a message carries deep inside',
      '{"on": false}',
      '{"on": true}',
      'cycle 2: light.is: so.on is false, expected true',
    ],
    [
      'a field that is not there',
      'a = to 7;',
      'a = to 7, colour red;',
      'cycle 0: light.is: colour is undefined, expected "red"',
    ],
    ['a probe', 'a = left 1', 'a = left 2', 'cycle 1: left: left is 1, expected 2'],
    [
      'how many reports',
      'report     .  .  .  .   .  aa',
      'report     .  .  .  .   .  a ',
      'drawn is 1 times',
    ],
    [
      'a row that is left out',
      /light\.is.*\n/,
      '\n',
      'cycle 0: {"to":7,"type":"light.is","left":2,"so":{"on":true}} is not drawn',
    ],
    [
      'an event that the state does not decide on',
      '  state',
      '  lamp.out  . a . . . .\n  state',
      'cycle 1: state "bright" does not decide on "lamp.out"',
    ],
    [
      'a cell that is missing',
      'left       .  a  .  .   .  . ',
      'left       .  a  .  .   .  ',
      'a row has one cell for each of the 6 cycles, unlike "left',
    ],
    ['a letter without a meaning', 'lamp.on    a', 'lamp.on    z', 'the row lamp.on does not say what z is'],
    [
      'cycles that are not counted from 0',
      'cycle      0',
      'cycle      1',
      'a picture begins with "cycle 0 1 2 ..."',
    ],
    ['a picture without state', /state.*\n/, '\n', 'a picture has a row "state"'],
    [
      'a row that is too short',
      /\n {2}left .*\n/,
      '\n  left . a .\n',
      'a row has one cell for each of the 6 cycles',
    ],
  ])('that is wrong in %s says so', (_, right, wrong, why) => {
    const picture = sound.replace(right, wrong);

    expect(picture).not.toBe(sound);
    expect(() => cycles(lamp, undefined, picture)).toThrow(why);
  });

  test('may leave out probes and messages of the part to itself, and may show them', () => {
    cycles(
      lamp,
      undefined,
      'cycle 0 1 2 3\n lamp.on a . . .  a = ticks 2\n state b . d .  b = bright, d = dark\n light.is a . a .\n lamp.fade a a . .  a = to 0, delay 1',
    );
  });
});
