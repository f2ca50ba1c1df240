import { describe, expect, test } from 'vitest';
import { type AnyStateMachine, setup } from 'xstate';
import { component } from '../kit.ts';
import type { Address, LockstepEvent, Post } from '../message.ts';
import { Run } from '../run.ts';
import { Wiring } from '../wiring.ts';
import { Explorer } from './explorer.ts';
import { GuidedChoices } from './guide.ts';

interface Actor {
  readonly peers: readonly Address[];
  n: number;
  list: number[];
}
type Said = LockstepEvent & { readonly v?: number };

const { act } = component<Actor, Said>();

/** An actor that does one thing with every message. */
const actor = (handle: (self: Actor, event: Said, post: (post: Post & { v?: number }) => void) => void) =>
  setup({
    types: {} as { context: Actor; events: Said; input: readonly Address[] },
    actions: { handle: act((self, event, out) => handle(self, event, (post) => out.post(post))) },
  }).createMachine({
    id: 'actor',
    context: ({ input }) => ({ peers: input, n: 0, list: [] }),
    initial: 'on',
    states: { on: { on: { '*': { actions: 'handle' } } } },
  });

/** Actors in a row, each with its peers by number, and the messages from the outside: to whom, and what. */
const wired =
  (
    actors: readonly (readonly [AnyStateMachine, ...number[]])[],
    boot: readonly (readonly [number, Said])[],
  ) =>
  (): Wiring => {
    const wiring = new Wiring();
    const addresses = actors.map((_, index) => wiring.reserve(`A${index}`));
    actors.forEach(([machine, ...peers], index) => {
      wiring.place(
        addresses[index]!,
        machine,
        peers.map((peer) => addresses[peer]!),
      );
    });
    for (const [to, event] of boot) wiring.begin({ to: addresses[to]!, ...event });
    return wiring;
  };

const counter = actor((self) => {
  self.n++;
});
/** Sends itself a message for the next tick, so often. */
const ticker = (times: number) =>
  actor((self, _event, post) => {
    self.n++;
    if (self.n < times) post({ to: self.peers[0]!, type: 'tick', delay: 1 });
  });
const listener = actor((self, { v = 0 }) => {
  self.list.push(v);
});

describe('a tick', () => {
  test('of many actors that have nothing to do with each other is gone through once, not in every order', () => {
    const row = Array.from({ length: 10 }, (_, index) => index);
    const make = wired(
      row.map((index) => [ticker(3), index]),
      row.map((index) => [index, { type: 'go' }]),
    );

    const reduced = new Explorer(make).toEnd();
    const full = new Explorer(make, { reduction: false }).toEnd();

    // Each tick twice: to find out what the actors do, and knowing it.
    expect(reduced.transitions).toBeLessThanOrEqual(2 * 3 * 10);
    // In every order, and states with one delivery left, which are not remembered, from each of nine sides.
    expect(full.transitions).toBe(3 * (10 * 2 ** 9 + 10 * 8));
    expect([reduced.states, full.states]).toEqual([4, 4]);
  });

  test('in which messages to one actor commute is gone through in few orders once that is known', () => {
    const senders = Array.from({ length: 8 }, (_, index) => index + 1);
    const round = actor((self, _event, post) => {
      post({ to: self.peers[0]!, type: 'count' });
      self.n++;
      if (self.n < 6) post({ to: self.peers[1]!, type: 'again', delay: 1 });
    });
    const modulo = actor((self) => {
      self.n = (self.n + 1) % 8;
    });
    const make = wired(
      [[modulo], ...senders.map((sender) => [round, 0, sender] as const)],
      senders.map((sender) => [sender, { type: 'go' }]),
    );

    const reduced = new Explorer(make).toEnd();
    const full = new Explorer(make, { reduction: false }).toEnd();

    expect(reduced.states).toBe(full.states);
    expect(reduced.transitions).toBeLessThan(full.transitions / 20);
  });

  test('in which two messages leave an actor as it was, but its answers in another order, is gone through in both orders', () => {
    const echo = actor((self, { v = 0 }, post) => post({ to: self.peers[0]!, type: 'echo', v, delay: 1 }));
    // Twice, so that the second time everything is known.
    const twice = (v: number) =>
      actor((self, _event, post) => {
        post({ to: self.peers[0]!, type: 'say', v });
        if (++self.n < 2) post({ to: self.peers[1]!, type: 'go', delay: 1 });
      });
    const make = wired(
      [[echo, 1], [listener], [twice(1), 0, 2], [twice(2), 0, 3]],
      [
        [2, { type: 'go' }],
        [3, { type: 'go' }],
      ],
    );
    const ends = (reduction: boolean) => {
      const explorer = new Explorer(make, { reduction });
      explorer.toEnd();
      return [...explorer.states()]
        .filter(({ messages }) => messages.length === 0)
        .map(({ actors }) => (actors[1]!.context as Actor).list.join(''))
        .sort();
    };

    expect(ends(true)).toEqual(['1212', '1221', '2112', '2121']);
    expect(ends(false)).toEqual(['1212', '1221', '2112', '2121']);
  });

  test('that a message from far away can still change is gone through in both orders', () => {
    const relay = actor((self, { v = 0 }, post) => post({ to: self.peers[0]!, type: 'say', v }));
    const make = wired(
      [[relay, 1], [relay, 2], [relay, 3], [listener]],
      [
        [0, { type: 'say', v: 1 }],
        [3, { type: 'say', v: 2 }],
      ],
    );

    for (const reduction of [true, false]) {
      const { quiet } = new Explorer(make, { reduction }).toEnd();
      expect(quiet).toBe(2);
    }
  });
});

describe('a tick without end', () => {
  const echo = actor((self, _event, post) => post({ to: self.peers[0]!, type: 'ping' }));

  test.each([true, false])('is a livelock with a way that runs in a circle, reduced: %s', (reduction) => {
    const make = wired(
      [[counter], [echo, 2], [echo, 1], [counter]],
      [
        [0, { type: 'go' }],
        [1, { type: 'ping' }],
        [3, { type: 'go' }],
      ],
    );
    const explorer = new Explorer(make, { reduction });

    const { verdict, findings } = explorer.toEnd();

    expect([verdict, findings[0]!.actors]).toEqual(['livelock', ['A1', 'A2']]);
    const guided = new GuidedChoices(explorer.routeTo(findings[0]!));
    const run = new Run(make(), { choices: guided, deliveriesPerTickMax: 500 });
    guided.follow(run);
    expect(run.toEnd()).toMatchObject({ verdict: 'livelock', deliveries: 500 });
  });

  test('goes on round the circle where every round has to be chosen', () => {
    const gambling = component<{ self: Address; again: boolean }, { type: 'roll' }>();
    const gambler = setup({
      types: {} as { context: { self: Address; again: boolean }; events: { type: 'roll' }; input: Address[] },
      actions: {
        roll: gambling.choose('roll', 2, (c, _event, pick) => {
          c.again = pick === 1;
        }),
        goOn: gambling.post((c) => (c.again ? { to: c.self, type: 'roll' } : undefined)),
      },
    }).createMachine({
      id: 'gambler',
      context: ({ input }) => ({ self: input[0]!, again: false }),
      initial: 'on',
      states: { on: { on: { roll: { actions: ['roll', 'goOn'] } } } },
    });
    const make = wired([[gambler, 0]], [[0, { type: 'roll' }]]);
    const explorer = new Explorer(make);

    expect(explorer.toEnd().verdict).toBe('livelock');
    const guided = new GuidedChoices(explorer.routeTo(explorer.result.findings[0]!));
    const run = new Run(make(), { choices: guided, deliveriesPerTickMax: 500 });
    guided.follow(run);
    expect(run.toEnd()).toMatchObject({ verdict: 'livelock', deliveries: 500 });
  });

  test('is found where only one order of deliveries leads into it', () => {
    const starts = actor((self, { type }, post) => {
      if (type === 'arm') self.n = 1;
      else if (self.n === 1) post({ to: self.peers[0]!, type: 'ping' });
    });
    const make = wired(
      [
        [starts, 1],
        [echo, 2],
        [echo, 1],
        [actor((self, _e, post) => post({ to: self.peers[0]!, type: 'arm' })), 0],
      ],
      [
        [0, { type: 'go' }],
        [3, { type: 'go' }],
      ],
    );

    expect(new Run(make()).toEnd().verdict).toBe('ok');
    expect(new Explorer(make).toEnd().verdict).toBe('livelock');
    expect(new Explorer(make, { reduction: false }).toEnd().verdict).toBe('livelock');
  });

  test('that never comes back to a state is a livelock when it has too many deliveries', () => {
    const growing = actor((self, _event, post) => {
      self.n++;
      post({ to: self.peers[0]!, type: 'more' });
    });
    const make = wired([[growing, 0]], [[0, { type: 'more' }]]);

    const { verdict, transitions } = new Explorer(make, { deliveriesPerTickMax: 100 }).toEnd();

    expect([verdict, transitions]).toEqual(['livelock', 100]);
    expect(new Run(make(), { deliveriesPerTickMax: 100 }).toEnd()).toMatchObject({
      verdict: 'livelock',
      deliveries: 100,
    });
  });
});

describe('messages that pile up in one tick are a livelock', () => {
  /** Posts so many messages to the other one, and one to itself, as often as it is told. */
  const piling = (each: number, times = Number.POSITIVE_INFINITY) =>
    actor((self, _event, post) => {
      if (times !== Number.POSITIVE_INFINITY && ++self.n > times) return;
      for (let k = 0; k < each; k++) post({ to: self.peers[1]!, type: 'note' });
      post({ to: self.peers[0]!, type: 'go' });
    });
  const idle = actor(() => {});
  /** Of each message makes one for the third: what is piled up passes on. */
  const relay = actor((self, _event, post) => post({ to: self.peers[0]!, type: 'note' }));
  const go = [[0, { type: 'go' }]] as const;

  test.each([
    ['of which nobody takes one', wired([[piling(1), 0, 1], [idle]], go)],
    ['of which more come than are taken', wired([[piling(3), 0, 1], [idle]], go)],
    ['that are passed on', wired([[piling(2), 0, 1], [relay, 2], [idle]], go)],
  ])('%s', (_, make) => {
    for (const reduction of [true, false]) {
      const explorer = new Explorer(make, { reduction, deliveriesPerTickMax: 5000 });
      const { verdict, findings, transitions } = explorer.toEnd();
      expect(verdict).toBe('livelock');
      expect(transitions).toBeLessThan(1000);

      const route = explorer.routeTo(findings[0]!);
      const choices = new GuidedChoices(route);
      const run = new Run(make(), { choices, deliveriesPerTickMax: 5000 });
      choices.follow(run);
      run.toEnd();
      expect(run.outcome.verdict).toBe('livelock');
    }
  });

  test('unless they come to an end', () => {
    for (const times of [63, 64, 65, 100])
      expect(new Explorer(wired([[piling(1, times), 0, 1], [idle]], go)).toEnd()).toMatchObject({
        verdict: 'ok',
        unexplored: 0,
      });
  });
});
