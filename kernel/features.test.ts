import { describe, expect, test } from 'vitest';
import {
  type AnyStateMachine,
  assign,
  cancel,
  createMachine,
  emit,
  enqueueActions,
  fromPromise,
  log,
  raise,
  sendTo,
  setup,
  spawnChild,
  stateIn,
  stopChild,
} from 'xstate';
import { compile } from './compile.ts';
import { kernelErrors } from './errors.ts';
import { component } from './kit.ts';
import { Run } from './run.ts';
import { Wiring } from './wiring.ts';

const { update, when } = component<Record<string, unknown>, { type: string }>();

/** A machine with one odd thing in its state `odd`. */
const withOdd = (odd: object, rest: object = {}): AnyStateMachine =>
  createMachine({ id: 'part', initial: 'odd', states: { odd, other: {} }, ...rest } as never);
const onEntry = (action: unknown) => withOdd({ entry: action });

const inOdd = 'state "odd" of "part"';

describe('the compiler refuses, naming the state and the feature (KRN001)', () => {
  test.each([
    ['after', withOdd({ after: { 100: 'other' } }), inOdd, 'after'],
    ['invoke', withOdd({ invoke: { src: fromPromise(async () => 1) } }), inOdd, 'invoke'],
    [
      'history',
      withOdd({ initial: 'a', states: { a: {}, h: { type: 'history' } } }),
      'state "odd.h" of "part"',
      'history',
    ],
    ['a route', withOdd({ id: 'odd', route: {} }), inOdd, 'route'],
    ['a final state at the top level', withOdd({ type: 'final' }), inOdd, 'final at the top level'],
    [
      'a top level whose regions all end',
      createMachine({
        id: 'part',
        type: 'parallel',
        states: {
          p: { initial: 'f', states: { f: { type: 'final' } } },
          q: { type: 'parallel', states: { r: { initial: 'g', states: { g: { type: 'final' } } } } },
        },
      } as never),
      'state "part" of "part"',
      'final in every region of the top level',
    ],
    [
      'the output of a state',
      withOdd({ initial: 'f', states: { f: { type: 'final', output: 1 } } }),
      'state "odd.f" of "part"',
      'output',
    ],
    ['the output of the machine', withOdd({}, { output: 1 }), 'state "part" of "part"', 'output'],
    ['a wildcard in the middle', withOdd({ on: { 'a.*.b': 'other' } }), inOdd, 'wildcard "a.*.b"'],
    ['a wildcard at the front', withOdd({ on: { '*.b': 'other' } }), inOdd, 'wildcard "*.b"'],
    ['half a word as wildcard', withOdd({ on: { 'bus.gr*': 'other' } }), inOdd, 'wildcard "bus.gr*"'],
    ['raise', onEntry(raise({ type: 'x' })), inOdd, 'raise'],
    ['sendTo', onEntry(sendTo('other', { type: 'x' })), inOdd, 'sendTo'],
    ['emit', onEntry(emit({ type: 'x' } as never)), inOdd, 'emit'],
    ['log', onEntry(log('x')), inOdd, 'log'],
    ['cancel', onEntry(cancel('x')), inOdd, 'cancel'],
    ['spawnChild', onEntry(spawnChild(fromPromise(async () => 1) as never)), inOdd, 'spawnChild'],
    ['stopChild', onEntry(stopChild('x')), inOdd, 'stopChild'],
    ['stateIn', withOdd({ on: { x: { guard: stateIn('other'), target: 'other' } } }), inOdd, 'stateIn'],
    ['raise on a transition', withOdd({ on: { x: { actions: raise({ type: 'y' }) } } }), inOdd, 'raise'],
    ['raise on an exit', withOdd({ exit: raise({ type: 'y' }) }), inOdd, 'raise'],
    [
      'raise on an initial transition',
      withOdd({ initial: { target: 'a', actions: raise({ type: 'y' }) }, states: { a: {} } }),
      inOdd,
      'raise',
    ],
    [
      'raise under a name',
      withOdd({ entry: 'tell' }).provide({ actions: { tell: raise({ type: 'y' }) } } as never),
      inOdd,
      'raise',
    ],
  ])('%s', (_, machine, place, feature) => {
    expect(() => compile(machine)).toThrow(`KRN001 ${place}: "${feature}" is not supported`);
    // Each says what to do instead.
    expect(() => compile(machine)).not.toThrow(kernelErrors.KRN001.cure);
  });

  test.each(['compiled', 'xstate'] as const)(
    'a child spawned by the context, whatever the engine: %s',
    (engine) => {
      const child = createMachine({ id: 'child' });
      const machine = createMachine({
        id: 'part',
        context: ({ spawn }: { spawn: (one: unknown) => unknown }) => ({ child: String(spawn(child)) }),
      } as never);
      const wiring = new Wiring();
      wiring.place('Part', machine, 0);

      expect(() => new Run(wiring, { engine })).toThrow(
        'KRN001 the context of "part": "spawn" is not supported',
      );
    },
  );
});

describe('the compiler refuses what has no implementation (KRN002)', () => {
  test.each([
    ['an action of a transition', withOdd({ on: { x: { actions: 'tell' } } }), 'the action "tell"'],
    ['an action with parameters', onEntry({ type: 'tell', params: {} }), 'the action "tell"'],
    ['a guard', withOdd({ on: { x: { guard: 'full', target: 'other' } } }), 'the guard "full"'],
    [
      'a guard of an always-transition',
      withOdd({ always: { guard: { type: 'full', params: {} }, target: 'other' } }),
      'the guard "full"',
    ],
  ])('%s', (_, machine, what) => {
    expect(() => compile(machine)).toThrow(`KRN002 ${inOdd}: ${what} is not implemented`);
  });
});

describe('the compiler refuses what the kit did not make (KRN003)', () => {
  const foreign = () => {};
  test.each([
    ['a function', onEntry(foreign), 'the action "(inline)" is not a kit action'],
    [
      'a function under a name',
      onEntry('tell').provide({ actions: { tell: foreign } } as never),
      'the action "tell" is not a kit action',
    ],
    ['assign', onEntry(assign({ n: 1 })), 'the action "(inline)" is not a kit action'],
    ['enqueueActions', onEntry(enqueueActions(() => {})), 'the action "(inline)" is not a kit action'],
    [
      'a guard',
      withOdd({ on: { x: { guard: () => true, target: 'other' } } }),
      'the guard "guard" is not a kit guard',
    ],
    [
      'a guard under a name',
      withOdd({ on: { x: { guard: 'full', target: 'other' } } }).provide({
        guards: { full: () => true },
      } as never),
      'the guard "full" is not a kit guard',
    ],
  ])('%s', (_, machine, what) => {
    expect(() => compile(machine)).toThrow(`KRN003 ${inOdd}: ${what}`);
  });
});

test('what the manual of a part needs is compiled: names, inline kit actions, wildcards, parallel regions, completions below the top level', () => {
  const machine = setup({
    types: {} as { context: Record<string, unknown>; events: { type: string } },
    actions: { note: update(() => {}) },
    guards: { yes: when(() => true) },
  }).createMachine({
    context: {},
    type: 'parallel',
    states: {
      p: {
        initial: 'a',
        states: {
          a: { on: { 'bus.*': { guard: 'yes', target: 'b', actions: 'note' }, '*': {} } },
          b: { type: 'final' },
        },
      },
      q: { entry: update(() => {}), initial: { target: 'a', actions: 'note' } as never, states: { a: {} } },
    },
  });

  expect(compile(machine as never).leaves).toEqual(['p.a', 'p.b', 'q.a']);
});

test('always-transitions that never come to rest are found (KRN009)', () => {
  const machine = createMachine({
    id: 'part',
    initial: 'rest',
    states: { rest: { on: { go: 'a' } }, a: { always: 'b' }, b: { always: 'a' } },
  } as never);
  const wiring = new Wiring();
  wiring.boot.push({ to: wiring.place('Part', machine, 0), type: 'go' });

  expect(new Run(wiring).toEnd().failure?.message).toMatch(
    /^KRN009 state "[ab]" of "part": more than 10000 steps without rest/,
  );
});
