import { describe, expect, test } from 'vitest';
import { setup } from 'xstate';
import { Explorer } from '../../kernel/explore/explorer.ts';
import type { Observer } from '../../kernel/explore/observer.ts';
import type { GlobalState } from '../../kernel/global-state.ts';
import { component } from '../../kernel/kit.ts';
import type { Network } from '../../kernel/network.ts';
import { Run } from '../../kernel/run.ts';
import { Wiring } from '../../kernel/wiring.ts';
import { watch } from '../property.ts';
import { atRest, eventually, leadsTo, never, reachable, shown } from './temporal.ts';

/*
 * What somebody outside found who tried `check` beside searches of his own: deadlines where there is no time, what stands before the first tick, runs that leave the boundary, crashes behind a rest.
 */

interface Counter {
  n: number;
}
type Tick = { type: 'tick' };

const c = component<Counter, Tick>();
/** Shows `ready` as it starts, counts by messages to itself, and shows what it has come to; from `most` on it begins anew, or stops. */
const counting = (most: number, again: boolean) =>
  setup({
    types: {} as { context: Counter; events: Tick },
    actions: {
      start: c.act((_counter, _event, out) => {
        out.probe({ type: 'ready' });
        out.post({ to: out.self, type: 'tick' });
      }),
      count: c.act((counter, _event, out) => {
        counter.n = counter.n === most ? 0 : counter.n + 1;
        out.probe({ type: `is${counter.n}` });
        if (again || counter.n < most) out.post({ to: out.self, type: 'tick' });
      }),
    },
  }).createMachine({
    id: 'counter',
    context: { n: 0 },
    initial: 'on',
    entry: 'start',
    states: { on: { on: { tick: { actions: 'count' } } } },
  });

const isAt =
  (n: number) =>
  (state: GlobalState): boolean =>
    state.actor<Counter>('A').context.n === n;

function wired(most: number, { again = false, boundary }: { again?: boolean; boundary?: number } = {}) {
  return () => {
    const wiring = new Wiring({});
    wiring.place('A', counting(most, again), undefined);
    if (boundary !== undefined)
      wiring.boundary = (state) => (state.actor<Counter>('A').context.n ?? 0) <= boundary;
    return wiring;
  };
}

const checked = (make: () => Wiring, ...observers: readonly Observer[]) =>
  new Explorer(make, { observers, findingsMax: 10 }).toEnd();

/** What a run finds, first come, first served. */
function found(make: () => Wiring, observer: Observer) {
  const run = new Run(make());
  const watching = watch(run, [observer]);
  run.until(50);
  watching.end();
  return run.outcome.violations.map(({ why }) => why);
}

describe('a step is a tick to a deadline where there is no time', () => {
  test.each<[string, (within: number) => Observer]>([
    ['shown', (within) => eventually('it is 5', shown('is5'), { within })],
    ['a state', (within) => eventually('it is 5', isAt(5), { within })],
    [
      'shown after another one',
      (within) => leadsTo('5 follows 1', shown('is1'), shown('is5'), { within: within }),
    ],
    ['a state after another one', (within) => leadsTo('5 follows 1', isAt(1), isAt(5), { within: within })],
  ])('%s', (name, sentence) => {
    // The first step is tick 0, in which it becomes 1.
    for (const within of [3, 4, 5]) {
      const inTime = within >= 4;
      const { verdict } = checked(wired(5), sentence(within));
      expect([name, within, verdict]).toEqual([name, within, inTime ? 'ok' : 'violated']);
      expect(found(wired(5), sentence(within)).length === 0).toBe(inTime);
    }
  });
});

describe('before the first tick', () => {
  test.each<[string, Observer, 'ok' | 'violated']>([
    ['what is shown comes first', never('not 0 after ready', isAt(0), { after: shown('ready') }), 'violated'],
    ['what is shown ends a scope', never('not 0 until ready', isAt(0), { until: shown('ready') }), 'ok'],
  ])('%s, in a check as in a run', (_, sentence, verdict) => {
    expect(checked(wired(1), sentence).verdict).toBe(verdict);
    expect(found(wired(1), sentence).length === 0).toBe(verdict === 'ok');
  });

  test('a run that goes round from there on shows what was shown there', () => {
    const { findings } = checked(
      wired(1, { again: true }),
      leadsTo('ready is answered', shown('ready'), shown('is7')),
    );

    expect(findings.map(({ what, why }) => [what, why])).toEqual([
      ['ready is answered', expect.stringContaining('in a run that never ends: after 0 it is 2 ticks')],
    ]);
  });
});

describe('a boundary', () => {
  const some = eventually('it is 7 some time', isAt(7));

  test('leaves open what still had to come where runs go on outside only', () => {
    const { verdict, open, outside, states } = checked(wired(5, { boundary: 2 }), some);

    expect([verdict, states, outside]).toEqual(['incomplete', 3, 1]);
    expect(open).toEqual([
      { sentence: 'it is 7 some time', why: 'it still waits where runs leave the boundary' },
    ]);
    expect(checked(wired(5), some).verdict).toBe('violated');
  });

  test('leaves open whether a run ends which is cut there', () => {
    const ends: Observer = {
      sentence: 'it ends',
      watches: [],
      begin: () => ({}),
      see: () => undefined,
      pending: () => [{ key: '', actors: ['A'], why: 'it goes on' }],
    };

    const { verdict, open } = checked(wired(5, { again: true, boundary: 2 }), ends);

    expect([verdict, open]).toEqual([
      'incomplete',
      [{ sentence: 'it ends', why: 'it still waits where runs leave the boundary' }],
    ]);
    expect(checked(wired(5, { again: true }), ends).verdict).toBe('violated');
    expect(checked(wired(5), ends).verdict).toBe('ok');
  });

  test('leaves open what no run inside shows', () => {
    const { verdict, open } = checked(wired(5, { boundary: 2 }), reachable('it can be 7', isAt(7)));

    expect([verdict, open]).toEqual([
      'incomplete',
      [{ sentence: 'it can be 7', why: 'no run has shown it so far' }],
    ]);
  });

  test('is no reason not to take a step, where runs have to be fair', () => {
    const { post, update } = component<{ to: number; n: number }, { type: 'spin' | 'go' }>();
    const spinner = setup({
      types: {} as {
        context: { to: number; n: number };
        events: { type: 'spin' | 'go' };
        input: { to: number };
      },
      actions: {
        spin: post((_me, _event, { self }) => ({ to: self, type: 'spin' })),
        go: post(({ to }) => ({ to: to as never, type: 'go' })),
      },
    }).createMachine({
      id: 'spinner',
      context: ({ input }) => ({ to: input.to, n: 0 }),
      entry: ['spin', 'go'],
      initial: 'on',
      states: { on: { on: { spin: { actions: 'spin' } } } },
    });
    const goal = setup({
      types: {} as { context: { to: number; n: number }; events: { type: 'spin' | 'go' } },
      actions: {
        count: update((me) => {
          me.n++;
        }),
      },
    }).createMachine({
      id: 'goal',
      context: { to: 0, n: 0 },
      initial: 'on',
      states: { on: { on: { go: { actions: 'count' } } } },
    });
    const make = (inside: boolean) => () => {
      const wiring = new Wiring({});
      const to = wiring.place('A', goal, undefined);
      wiring.place('B', spinner, { to });
      if (!inside) wiring.boundary = (state) => state.actor<Counter>('A').context.n === 0;
      return wiring;
    };
    const served = eventually('A is served', isAt(1), { fair: true });

    expect(checked(make(true), served).verdict).toBe('ok');
    const { verdict, open } = checked(make(false), served);
    expect([verdict, open.map(({ sentence }) => sentence)]).toEqual(['incomplete', ['A is served']]);
  });
});

test('until bounds the steps of an asynchronous wiring, and what waits then is open', () => {
  const { verdict, states, cut, open } = new Explorer(wired(9), {
    until: 2,
    observers: [eventually('it is 9', isAt(9))],
  }).toEnd();

  expect([verdict, states, cut, open.length]).toEqual(['incomplete', 4, 1, 1]);
});

test('what a crash leads to behind a rest is found beside what the rest shows', () => {
  const idle = setup({}).createMachine({
    id: 'idle',
    context: {},
    initial: 'on',
    states: { on: { on: {} } },
  });
  const network: Network = { crashes: { max: 1 } };
  const make = () => {
    const wiring = new Wiring(network);
    wiring.place('A', idle, undefined);
    return wiring;
  };
  const { findings } = checked(
    make,
    eventually('b comes', shown('b')),
    atRest('A is up', (state) => state.actor('A').state === 'on'),
  );

  expect(findings.map(({ what }) => what)).toEqual(['b comes', 'A is up']);
});
