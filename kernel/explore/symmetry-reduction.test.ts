import { describe, expect, test } from 'vitest';
import { setup } from 'xstate';
import type { InjectedFault } from '../faults.ts';
import type { GlobalState } from '../global-state.ts';
import { component } from '../kit.ts';
import type { Address } from '../message.ts';
import { Wiring } from '../wiring.ts';
import type { DecodedState } from './decode.ts';
import { Explorer } from './explorer.ts';
import type { Observer } from './observer.ts';
import { inTurns } from './testing/in-turns.ts';
import { numberedSymmetry } from './testing/numbered-symmetry.ts';

interface Hand {
  readonly self: Address;
  readonly number: number;
  raised: number;
}
const { choose, post } = component<Hand, { type: 'go' }>();

/** Raises by 0 or 1 each tick, at most to 2; the one of `stiff` never does. */
const handOf = (stiff: number) =>
  setup({
    types: {} as { context: Hand; events: { type: 'go' }; input: Omit<Hand, 'raised'> },
    actions: {
      raise: choose(
        'raise',
        (hand) => (hand.raised < 2 && hand.number !== stiff ? 2 : 1),
        (hand, _event, pick) => {
          hand.raised += pick;
        },
      ),
      again: post((hand) => ({ to: hand.self, type: 'go', delay: 1 })),
    },
  }).createMachine({
    id: 'hand',
    context: ({ input }) => ({ ...input, raised: 0 }),
    initial: 'on',
    states: { on: { on: { go: { actions: ['raise', 'again'] } } } },
  });

const names = ['Hand[0]', 'Hand[1]', 'Hand[2]'];
const hands =
  (stiff = -1, first = 0) =>
  (): Wiring => {
    const machine = handOf(stiff);
    const wiring = new Wiring();
    names.forEach((name, number) => {
      const self = wiring.reserve(name);
      wiring.place(self, machine, { self, number });
      wiring.begin({ to: self, type: 'go', ...(number < first && { delay: 1 }) });
    });
    return wiring;
  };
const symmetry = numberedSymmetry(names);

/** What a state holds when nobody asks whose it is. */
function placeless({ actors, messages, budgetState }: DecodedState): string {
  const each = actors.map(({ name, state, context }) => {
    const due = messages.filter(({ to }) => to === name).map((one) => `${one.event.type} ${one.due}`);
    return [state, (context as Partial<Hand>).raised, ...due].join();
  });
  return JSON.stringify([each.sort(), budgetState]);
}

/** Finds something in each state that has such a hand. */
const whereFound = (sentence: string, isIt: (hand: Hand) => boolean): Observer => ({
  sentence,
  watches: [],
  begin: () => ({}),
  see: () => undefined,
  seeState: (_memory, state) =>
    names.some((name) => isIt(state.actor<Hand>(name).context)) ? { actors: [], why: 'one is' } : undefined,
});

describe('actors that can be exchanged', () => {
  test('make one state of those that differ in their places only', () => {
    const all = new Explorer(hands());
    const classes = new Explorer(hands(), { symmetry });

    // 3 heights of 3 hands: 27 in all, and 10 when nobody asks whose they are.
    expect(all.toEnd()).toMatchObject({ verdict: 'ok', states: 27 + 1 });
    expect(classes.toEnd()).toMatchObject({ verdict: 'ok', states: 10 + 1 });
    expect(classes.exchanged).toBeGreaterThan(0);
  });

  test('are refused when one of them does something else', () => {
    const explorer = new Explorer(hands(1), { symmetry });

    expect(() => explorer.toEnd()).toThrow(
      'KRN013 Hand[0] and Hand[1]: exchanged, Hand[0] does something else with "go"\n  help: mend the symmetry',
    );
  });

  test('are refused where a property of the states, or the boundary, means one of them only', () => {
    const second = (state: GlobalState) => state.actor<Hand>('Hand[1]').context.raised < 2;
    const low: Observer = {
      sentence: 'the second hand is low',
      watches: [],
      begin: () => ({ wasHigh: false }),
      see: () => undefined,
      // Nothing is found where it is high for the first time: what is remembered tells the hands apart, too.
      seeState(memory: { wasHigh: boolean }, state) {
        memory.wasHigh ||= !second(state);
        return undefined;
      },
    } as Observer;
    const bounded = () => {
      const wiring = hands()();
      wiring.boundary = second;
      return wiring;
    };

    expect(new Explorer(hands(), { observers: [low] }).toEnd().verdict).toBe('ok');
    expect(() => new Explorer(hands(), { observers: [low], symmetry }).toEnd()).toThrow(
      'exchanged, they get another answer from "the second hand is low"',
    );
    expect(() => new Explorer(bounded, { symmetry }).toEnd()).toThrow(
      'exchanged, they get another answer from "the boundary of the exploration"',
    );
  });

  test('are refused when one of them starts otherwise', () => {
    expect(() => new Explorer(hands(-1, 1), { symmetry })).toThrow(
      'KRN013 Hand[0] and Hand[1]: they do not start alike: exchanged, other messages are under way',
    );
    const forgets = { ...symmetry, exchange: (data: Record<string, unknown>) => ({ ...data, number: 0 }) };
    expect(() => new Explorer(hands(), { symmetry: forgets })).toThrow(
      'alike: exchanged, in Hand[0] self is 1, expected 0',
    );
  });

  test('may begin with a memory that names one of them, where who looks means all alike', () => {
    const first: Observer = {
      sentence: 'somebody is the first',
      watches: [],
      begin: () => ({ who: 'Hand[0]' }),
      exchange: ({ who }: { who: string }, nameOf: (name: string) => string) => ({ who: nameOf(who) }),
      see: () => undefined,
    } as never;
    const all = new Explorer(hands(), { observers: [first] }).toEnd();
    const reduced = new Explorer(hands(), { observers: [first], symmetry }).toEnd();

    expect([all.verdict, reduced.verdict]).toEqual(['ok', 'ok']);
    expect(reduced.states).toBeLessThan(all.states);
  });

  test('make the same states by several who share them as in one thread', () => {
    const alone = new Explorer(hands(), { symmetry });
    const { states, transitions, depth, merged } = alone.toEnd();

    const shared = inTurns(hands(), { symmetry }, 3, [4, 1, 9]);

    expect(shared).toMatchObject({ states, transitions, depth, merged, findings: [] });
  });

  test('are counted once, however often it is looked back at the ways to what was found', () => {
    const high = whereFound('nobody is high', (hand) => hand.raised > 1);
    const options = { symmetry, observers: [high], findingsMax: Number.POSITIVE_INFINITY };
    const explorer = new Explorer(hands(), options);
    while (explorer.go(Number.MAX_SAFE_INTEGER));
    const [before, { exchanged }] = [explorer.figures, explorer];

    expect(explorer.result.findings.length).toBeGreaterThan(0);
    expect([explorer.figures, explorer.exchanged]).toEqual([before, exchanged]);
    const { states, transitions, quiet, merged } = before;
    expect(inTurns(hands(), options, 3, [4, 1, 9])).toMatchObject({ states, transitions, quiet, merged });
  });

  test('are refused where that is why no run shows something', () => {
    // The second hand is the only one that comes so high, and another one stands for it.
    const raised: Observer = {
      ...whereFound('the second hand is high', (hand) => hand.number === 1 && hand.raised > 1),
      reachable: true,
    };

    expect(new Explorer(hands(0), { observers: [raised] }).toEnd().verdict).toBe('ok');
    expect(() => new Explorer(hands(0), { symmetry, observers: [raised] }).toEnd()).toThrow('KRN013');
  });

  test.each<InjectedFault>([
    { kind: 'crash', actor: 'Hand[*]', budget: 1 },
    { kind: 'crash', actor: 'Hand[*]', budget: 2, restart: 1 },
    { kind: 'crash', actor: 'Hand[*]', probability: 0.5 },
    { kind: 'drop', from: 'world', budget: 1 },
  ])('stand for all that differ in their places also where %o strikes', (fault) => {
    const all = new Explorer(hands(), { faults: [fault] });
    const classes = new Explorer(hands(), { faults: [fault], symmetry });

    const [{ states }, merged] = [all.toEnd(), classes.toEnd()];

    const keys = new Set([...all.states()].map(placeless));
    expect(merged.states).toBe(keys.size);
    expect(merged.states).toBeLessThan(states);
    expect(inTurns(hands(), { faults: [fault], symmetry }, 2, [3]).states).toBe(merged.states);
  });

  test('are refused where a fault means one of them only', () => {
    const explorer = new Explorer(hands(), {
      faults: [{ kind: 'crash', actor: 'Hand[1]', budget: 1 }],
      symmetry,
    });

    expect(() => explorer.toEnd()).toThrow('KRN013 Hand[0] and Hand[1]: exchanged');
  });
});

interface Caller {
  readonly self: Address;
  heard: number;
}
const calling = component<Caller, { type: 'go' } | { type: 'call' }>();

/** Each calls all, itself included, after so many ticks each; who is called counts the calls. */
const callers = (delays: readonly number[]) => (): Wiring => {
  const wiring = new Wiring();
  const all = names.map((name) => wiring.reserve(name));
  const machine = setup({
    types: {} as {
      context: Caller;
      events: { type: 'go' } | { type: 'call' };
      input: Pick<Caller, 'self'>;
    },
    actions: {
      call: calling.post(() =>
        all.flatMap((to) => delays.map((delay) => ({ to, type: 'call' as const, delay }))),
      ),
      hear: calling.update((caller) => {
        caller.heard++;
      }),
    },
  }).createMachine({
    id: 'caller',
    context: ({ input }) => ({ ...input, heard: 0 }),
    on: { go: { actions: 'call' }, call: { actions: 'hear' } },
  });
  for (const self of all) {
    wiring.place(self, machine, { self });
    wiring.begin({ to: self, type: 'go' });
  }
  return wiring;
};

test.each([[[0]], [[1]], [[1, 2]], [[2, 1]], [[1, 1, 3]]])(
  'what is posted to all of those that can be exchanged is the same whoever posts it, after %o ticks',
  (delays) => {
    const all = new Explorer(callers(delays)).toEnd();
    const classes = new Explorer(callers(delays), { symmetry }).toEnd();

    expect(classes).toMatchObject({ verdict: 'ok', quiet: 1 });
    expect(classes.states).toBeLessThanOrEqual(all.states);
  },
);

interface Sleeper {
  readonly self: Address;
  pick: number;
}
const sleeping = component<Sleeper, { type: 'go' }>();

/** Wakes up grumbling or not, which it forgets at once or not. */
const sleeperOf = (forgets: boolean) =>
  setup({
    types: {} as { context: Sleeper; events: { type: 'go' }; input: Pick<Sleeper, 'self'> },
    actions: {
      wake: sleeping.choose(
        'mood',
        () => 2,
        (sleeper, _event, pick) => {
          sleeper.pick = pick;
        },
      ),
      grumble: sleeping.report(({ pick }) =>
        pick > 0 ? { property: 'nobody grumbles', why: 'it does' } : undefined,
      ),
      settle: sleeping.update((sleeper) => {
        if (forgets) sleeper.pick = 0;
      }),
    },
  }).createMachine({
    id: 'sleeper',
    context: ({ input }) => ({ ...input, pick: 0 }),
    initial: 'on',
    entry: ['wake', 'grumble', 'settle'],
    states: { on: { on: { go: { actions: 'settle' } } } },
  });

describe.each([false, true])('what is wrong before the first tick (forgotten: %s)', (forgets) => {
  const sleepers = (): Wiring => {
    const machine = sleeperOf(forgets);
    const wiring = new Wiring();
    for (const name of names.slice(0, 2)) {
      const self = wiring.reserve(name);
      wiring.place(self, machine, { self });
      wiring.begin({ to: self, type: 'go' });
    }
    return wiring;
  };
  const grumbles = { verdict: 'violated', what: 'nobody grumbles' };
  const options = { findingsMax: Number.POSITIVE_INFINITY };
  const who = ({ findings }: { readonly findings: readonly { readonly actors: readonly string[] }[] }) =>
    findings.map(({ actors }) => actors.join());

  test('is found of each actor that does it', () => {
    const found = new Explorer(sleepers, options).toEnd();

    expect(who(found).sort()).toEqual(['Hand[0]', 'Hand[1]']);
    expect(found.findings).toMatchObject([grumbles, grumbles]);
  });

  test('is found of one of those that can be exchanged', () => {
    const exchanged = { ...options, symmetry: { ...symmetry, actors: names.slice(0, 2) } };
    const found = new Explorer(sleepers, exchanged).toEnd();

    expect(found.findings.length).toBeGreaterThan(0);
    expect(found.findings[0]).toMatchObject(grumbles);
  });

  test('is found by several who share the states', () => {
    const { findings } = inTurns(sleepers, options, 2, [3]);

    expect(who({ findings: findings.map(({ found }) => found) }).sort()).toEqual(['Hand[0]', 'Hand[1]']);
  });
});
