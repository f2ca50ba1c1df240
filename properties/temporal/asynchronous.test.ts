import { expect, test } from 'vitest';
import { type AnyStateMachine, createMachine, setup } from 'xstate';
import { Explorer } from '../../kernel/explore/explorer.ts';
import { GuidedChoices } from '../../kernel/explore/guide.ts';
import type { Observer } from '../../kernel/explore/observer.ts';
import { component } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';
import type { Network } from '../../kernel/network.ts';
import { Run } from '../../kernel/run.ts';
import { Wiring } from '../../kernel/wiring.ts';
import { stateText, watchCycle } from '../endless.ts';
import { watch } from '../property.ts';
import { always, eventually, reachable, shown } from './temporal.ts';

interface Party {
  readonly other: Address;
}
type PartyEvent = { readonly type: 'ball' | 'letter' | 'write' };

const { post, probe } = component<Party, PartyEvent>();

/** Plays a ball back for ever, writes a letter when it is asked to, and shows that one came. */
const party = setup({
  types: {} as { context: Party; events: PartyEvent; input: Party },
  actions: {
    write: post(({ other }) => ({ to: other, type: 'letter' })),
    play: post(({ other }) => ({ to: other, type: 'ball' })),
    read: probe(() => ({ type: 'letter.read' })),
  },
}).createMachine({
  id: 'party',
  context: ({ input }) => ({ ...input }),
  initial: 'waiting',
  states: {
    waiting: {
      on: {
        write: { actions: 'write' },
        ball: { actions: 'play' },
        letter: { target: 'informed', actions: 'read' },
      },
    },
    informed: { on: { write: {}, ball: { actions: 'play' }, letter: {} } },
  },
});

/** Two parties that play for ever, and a third that writes a letter to a fourth. */
function game(network: Network): Wiring {
  const wiring = new Wiring();
  wiring.network = network;
  const [one, two, writer, reader] = ['One', 'Two', 'Writer', 'Reader'].map((name) =>
    wiring.reserve(name),
  ) as [Address, Address, Address, Address];
  wiring.place(one, party, { other: two });
  wiring.place(two, party, { other: one });
  wiring.place(writer, party, { other: reader });
  wiring.place(reader, party, { other: one });
  wiring.begin({ to: one, type: 'ball' });
  wiring.begin({ to: writer, type: 'write' });
  return wiring;
}

function checked(network: Network, observer: Observer) {
  const make = () => game(network);
  const explorer = new Explorer(make, { observers: [observer] });
  const { verdict, states, findings } = explorer.toEnd();
  const [first] = findings;
  if (!first?.place.run) return { verdict, states };
  const route = explorer.routeTo(first);
  const guided = new GuidedChoices(route);
  const run = new Run(make(), { choices: guided });
  guided.follow(run);
  const { cycleFromTick: from = -1, tick } = route;
  const watching = watchCycle(run, observer, { from, property: observer.sentence });
  run.until(tick);
  const text = stateText(run);
  watching.end();
  run.until(2 * tick - from);
  return { verdict, states, shown: run.outcome.violations.length, comesBack: stateText(run) === text };
}

test('in an asynchronous wiring a letter may be on its way for ever, unless channels are weakly fair', () => {
  for (const order of ['unordered', 'perChannel'] as const) {
    expect(checked({ order }, eventually('the letter is read', shown('letter.read')))).toEqual({
      verdict: 'violated',
      states: 9,
      shown: 1,
      comesBack: true,
    });
    expect(
      checked({ order }, eventually('the letter is read', shown('letter.read'), { fair: true })),
    ).toEqual({
      verdict: 'ok',
      states: 9,
    });
  }
});

test('a step of the network is owed by nobody: a letter that may be lost may never come, fair or not, and one that is never lost comes', () => {
  const read = eventually('the letter is read', shown('letter.read'), { fair: true });

  expect(checked({ lossy: true }, read).verdict).toBe('violated');
  expect(checked({ lossy: 1 }, read).verdict).toBe('violated');
  expect(checked({ duplicating: true }, read).verdict).toBe('ok');
});

test('a split heals some time, whatever comes again and again from the outside to any party', () => {
  const read = eventually('the letter is read', shown('letter.read'), { fair: true });

  expect(checked({ partitions: 1 }, read).verdict).toBe('ok');
  // One, of address 0, gets its first ball from the outside.
  expect(checked({ duplicating: true, partitions: 1 }, read).verdict).toBe('ok');
});

test('the state of the machine is looked at after each step', () => {
  const one = always('there is one ball', (state) => state.underWay('ball').length === 1);
  const lost = reachable('no ball is left', (state) => state.underWay('ball').length === 0);

  expect([checked({}, one).verdict, checked({ lossy: true }, one).verdict]).toEqual(['ok', 'violated']);
  expect([checked({}, lost).verdict, checked({ lossy: true }, lost).verdict]).toEqual(['violated', 'ok']);
});

test('a run that is cut at its last step or at the boundary proves nothing about what has not come', () => {
  const never = eventually('a letter is burnt', shown('letter.burnt'));
  const violationsOf = (make: () => Wiring, stepsMax?: number) => {
    const run = new Run(make(), stepsMax === undefined ? {} : { stepsMax });
    const watching = watch(run, [never]);
    run.toEnd();
    watching.end();
    return [run.outcome.cut ?? false, run.outcome.violations.map(({ property }) => property)];
  };
  const bounded = () => {
    const wiring = game({});
    wiring.boundary = (state) => state.actor('Reader').state === 'waiting';
    return wiring;
  };
  const quiet = () => {
    const wiring = game({});
    wiring.boot.shift();
    return wiring;
  };

  expect(violationsOf(bounded)).toEqual([true, []]);
  expect(violationsOf(() => game({}), 5)).toEqual([true, []]);
  expect(violationsOf(quiet)).toEqual([false, [never.sentence]]);
});

test('a run that goes round from its very beginning is found, and a run along it confirms it', () => {
  const opener = createMachine({ ...party.config, entry: 'play' } as never).provide(
    party.implementations as never,
  ) as AnyStateMachine;
  const make = () => {
    const wiring = new Wiring({});
    const [one, two] = [wiring.reserve('One'), wiring.reserve('Two')];
    wiring.place(one, opener, { other: two });
    wiring.place(two, party, { other: one });
    return wiring;
  };
  const read = eventually('a letter is read', shown('letter.read'), { fair: true });
  const explorer = new Explorer(make, { observers: [read] });
  const { verdict, states, findings } = explorer.toEnd();

  expect([verdict, states]).toEqual(['violated', 2]);
  expect(explorer.routeTo(findings[0]!)).toMatchObject({ tick: 1, cycleFrom: 0, cycleFromTick: -1 });
});
