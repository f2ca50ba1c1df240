import { describe, expect, test } from 'vitest';
import { type AnyStateMachine, createMachine, setup } from 'xstate';
import { RandomChoices, RecordingChoices, TapeChoices } from './choices.ts';
import { Explorer } from './explore/explorer.ts';
import { GuidedChoices } from './explore/guide.ts';
import { inTurns } from './explore/testing/in-turns.ts';
import { randomNetwork } from './explore/testing/random-network.ts';
import { component, refused } from './kit.ts';
import type { Address } from './message.ts';
import type { Network } from './network.ts';
import { Run } from './run.ts';
import { type Shared, shared } from './shared.ts';
import { Wiring } from './wiring.ts';

type Ball = { type: 'ball'; n: number } | { type: 'alarm' };
interface Player {
  readonly other: Address;
  seen: number[];
  saved: number;
}
const { act, update } = component<Player, Ball, Ball>();

/** Sends balls 1 to 3 at once, and keeps in order what comes. */
const player = setup({
  types: {} as { context: Player; events: Ball; input: { other: Address } },
  actions: {
    throwAll: act(({ other: to }, _event, out) => {
      for (const n of [1, 2, 3]) out.post({ to, type: 'ball', n });
    }),
    keep: update<'ball'>((p, { n }) => {
      p.seen.push(n);
      p.saved++;
    }),
  },
}).createMachine({
  id: 'player',
  context: ({ input }) => ({ ...input, seen: [], saved: 0 }),
  initial: 'playing',
  states: { playing: { on: { ball: { actions: 'keep' }, alarm: refused } } },
});
const thrower = createMachine({ ...player.config, id: 'thrower', entry: 'throwAll' } as never).provide(
  player.implementations as never,
) as AnyStateMachine;

function game(network: Network): Wiring {
  const wiring = new Wiring(network);
  const [a, b] = [wiring.reserve('A'), wiring.reserve('B')];
  wiring.place(a, thrower, { other: b });
  wiring.place(b, player, { other: a });
  return wiring;
}

const seenIn = (state: { actors: readonly { name: string; context: object }[] }): string =>
  (state.actors[1]!.context as Player).seen?.join('') ?? 'down';

/** All ends of the runs under every tape, found by running them: no code of the explorer. */
function endsByRuns(make: () => Wiring, runsMax = 20_000): Set<string> {
  const ends = new Set<string>();
  const tape: number[] = [];
  const counts: number[] = [];
  for (let runs = 0; runs < runsMax; runs++) {
    let at = 0;
    const run = new Run(make(), {
      choices: {
        canonical: false,
        pick: (_what, count) => {
          if (at === tape.length) {
            tape.push(0);
            counts.push(count);
          }
          return tape[at++]!;
        },
        save: () => null,
        load: () => {},
      },
    });
    run.toEnd();
    ends.add(JSON.stringify(run.state.actors));
    while (tape.length > 0 && tape.at(-1)! + 1 >= counts.at(-1)!) {
      tape.pop();
      counts.pop();
    }
    if (tape.length === 0) return ends;
    tape[tape.length - 1]!++;
  }
  throw new Error('too many runs');
}

/** The states of an exploration in which no party does anything any more. */
function endsByExplorer(make: () => Wiring): Set<string> {
  const ends = new Set<string>();
  const observer = {
    sentence: 'never',
    watches: [],
    begin: () => ({}),
    see: () => undefined,
    quiet: () => undefined,
  };
  const explorer = new Explorer(make, { observers: [observer] });
  explorer.toEnd();
  for (const { actors, messages } of explorer.states())
    if (messages.length === 0)
      ends.add(
        JSON.stringify(actors.map(({ name, state, context, waits }) => ({ name, state, context, waits }))),
      );
  return ends;
}

describe('an asynchronous network', () => {
  test('that is unordered delivers in every order, one per channel in the order of posting', () => {
    const orders = (network: Network) =>
      [...endsByExplorer(() => game(network))].map((end) => seenIn({ actors: JSON.parse(end) })).sort();

    expect(orders({})).toEqual(['123', '132', '213', '231', '312', '321']);
    expect(orders({ order: 'perChannel' })).toEqual(['123']);
    expect(orders({ order: 'perChannel', lossy: 1 })).toEqual(['12', '123', '13', '23']);
  });

  test.each<[string, Network]>([
    ['unordered', {}],
    ['in order', { order: 'perChannel' }],
    ['lossy', { lossy: true }],
    ['lossy once', { lossy: 1 }],
    ['in order and lossy', { order: 'perChannel', lossy: 2 }],
    ['with a crash', { crashes: { max: 1, of: ['B'] } }],
    ['with crashes of both', { order: 'perChannel', crashes: { max: 2 } }],
  ])('%s: runs under all tapes and the explorer come to the same ends', (_name, network) => {
    const byRuns = endsByRuns(() => game(network));
    const byExplorer = endsByExplorer(() => game(network));

    // With crashes for good, messages to a party that is down stay under way: the explorer's ends are those without any.
    for (const end of byExplorer) expect(byRuns).toContain(end);
    if (!network.crashes) expect(byRuns).toEqual(byExplorer);
  });

  test('delivers each message in a tick of its own, which observers are told', () => {
    const run = new Run(game({ order: 'unordered', duplicating: true }), { choices: new RandomChoices(3) });
    const told: (readonly [due: number, now: number])[] = [];
    run.messages$.subscribe(({ message }) => told.push([message.due, run.now]));

    for (let steps = 0; steps < 20 && run.tick(); steps++);

    expect(told.length).toBeGreaterThan(5);
    expect(told.map(([due]) => due)).toEqual(told.map(([, now]) => now));
    expect(told.map(([due]) => due)).toEqual([...new Set(told.map(([due]) => due))].sort((a, b) => a - b));
  });

  test('keeps of a party that crashes what it saved, and loses the rest', () => {
    const wiring = () => {
      const made = game({ crashes: { max: 1, recover: true, keeps: ['saved'], of: ['B'] } });
      made.boundary = ({ actors }) => Number(actors[1]!.context['saved'] ?? 0) < 3;
      return made;
    };

    const explorer = new Explorer(wiring);
    explorer.toEnd();
    const contexts = [...explorer.states()].map(({ actors }) => actors[1]!);

    expect(contexts.some(({ state, context }) => state === 'crashed' && !('seen' in context))).toBe(true);
    expect(
      contexts.some(
        ({ context }) => (context as Player).saved === 2 && (context as Player).seen?.length === 0,
      ),
    ).toBe(true);
  });

  test('that is split holds back what goes between the halves, until it is whole', () => {
    const { states } = new Explorer(() => game({ partitions: 1 })).toEnd();
    const whole = new Explorer(() => game({})).toEnd().states;

    // Each state of the whole network also after a split that has healed, and during it.
    expect(states).toBe(3 * whole);
  });

  test('is part of the fingerprint: which messages are under way, and between the same two their order where that counts', () => {
    const fingerprintOf = (network: Network, balls: readonly number[]): string => {
      const wiring = new Wiring(network);
      const [a, b] = [wiring.reserve('A'), wiring.reserve('B')];
      for (const at of [a, b]) wiring.place(at, player, { other: a });
      for (const n of balls) wiring.begin({ to: b, type: 'ball', n });
      return new Run(wiring).fingerprint;
    };
    const [unordered, ordered]: readonly Network[] = [{}, { order: 'perChannel' }];

    for (const network of [unordered!, ordered!]) {
      expect(fingerprintOf(network, [1, 2])).toBe(fingerprintOf(network, [1, 2]));
      expect(fingerprintOf(network, [1, 3])).not.toBe(fingerprintOf(network, [1, 2]));
      expect(fingerprintOf(network, [1])).not.toBe(fingerprintOf(network, [1, 2]));
    }
    expect(fingerprintOf(unordered!, [2, 1])).toBe(fingerprintOf(unordered!, [1, 2]));
    expect(fingerprintOf(ordered!, [2, 1])).not.toBe(fingerprintOf(ordered!, [1, 2]));
  });

  test('has no time: reading it, and posting with a delay, are refused (KRN015)', () => {
    const late = (actions: object) =>
      createMachine({ id: 'late', initial: 'only', entry: 'ask', states: { only: {} } } as never).provide({
        actions,
      } as never) as AnyStateMachine;
    const wiringOf = (ask: unknown) => () => {
      const wiring = new Wiring({});
      wiring.place('A', late({ ask }), undefined);
      return wiring;
    };
    const kit = component<Record<string, unknown>, { type: 'x' }>();
    const asks = wiringOf(kit.update((_c, _e, { now }) => void now));
    const delays = wiringOf(kit.post(() => ({ to: 0 as Address, type: 'x', delay: 1 })));

    expect(() => new Run(asks())).toThrow('KRN015');
    expect(() => new Run(delays())).toThrow('KRN015');
    expect(() => new Explorer(asks)).toThrow('KRN015');
  });

  test.each<[Network, string]>([
    [{ lossy: -1 }, 'network.lossy: found -1'],
    [{ partitions: 0.5 }, 'network.partitions: found 0.5'],
    [{ crashes: { max: 0 } }, 'network.crashes.max: found 0'],
    [{ order: 'fifo' } as never, 'network.order: found "fifo", expected one of: unordered, perChannel'],
    [{ losy: true } as never, 'network: found "losy", expected one of: order, '],
    [{ lossy: 'yes' } as never, 'network.lossy: found "yes"'],
    [{ duplicating: 1 } as never, 'network.duplicating: found 1'],
    [{ crashes: { max: 1, keep: ['n'] } } as never, 'network.crashes: found "keep"'],
    [{ crashes: { max: 1, of: ['C'] } }, 'network.crashes.of: found "C", expected one of: A, B'],
  ])('%j is refused (KRN016)', (network, what) => {
    expect(() => new Run(game(network))).toThrow(`KRN016 ${what}`);
  });

  test.each([
    ['the hub first', 3, 0, 0],
    ['the hub last, so that exchanges move the party that no split moves', 3, 3, 0],
    ['four voters around the hub, and a loss', 4, 2, 1],
  ])(
    'that is split: exchanges make one state of those that differ in the places of voters, %s',
    (_name, count, hubAt, losses) => {
      const kit = component<{ hub: Address; voters: readonly Address[] }, { type: 'go' | 'vote' }>();
      const sent = (id: string, entry: string | undefined, on: object) =>
        createMachine({
          id,
          context: ({ input }: { input: object }) => input,
          initial: 'open',
          ...(entry && { entry }),
          states: { open: { on }, done: { on: { go: refused } } },
        } as never).provide({
          actions: {
            ask: kit.act(({ voters }, _event, out) => {
              for (const to of voters) out.post({ to, type: 'go' });
            }),
            vote: kit.post(({ hub: to }) => ({ to, type: 'vote' })),
          },
        } as never) as AnyStateMachine;
      const hubMachine = sent('hub', 'ask', { vote: { target: 'open', reenter: false } });
      const voter = sent('voter', undefined, { go: { target: 'done', actions: 'vote' } });
      const make = () => {
        const wiring = new Wiring({ partitions: 2, order: 'perChannel', lossy: losses });
        const names = Array.from({ length: count }, (_, at) => `Voter[${at}]`);
        const all = names.toSpliced(hubAt, 0, 'Hub').map((name) => wiring.reserve(name));
        const [hub, voters] = [all[hubAt]!, all.toSpliced(hubAt, 1)];
        wiring.place(hub, hubMachine, { voters });
        for (const at of voters) wiring.place(at, voter, { hub });
        return wiring;
      };

      // By hand: a voter has "go" or its vote under way, is done, or will never hear; it is on the side of the hub or not; there were so many splits and losses.
      const known = new Set<string>();
      const orbits = new Set<string>();
      const open = [
        { phases: Array<number>(count).fill(0), away: Array<boolean>(count).fill(false), splits: 0, lost: 0 },
      ];
      for (const state of open) {
        const key = JSON.stringify(state);
        if (known.has(key)) continue;
        known.add(key);
        const { phases, away, splits, lost } = state;
        orbits.add(JSON.stringify([phases.map((phase, at) => `${phase}${away[at]}`).sort(), splits, lost]));
        phases.forEach((phase, at) => {
          if (phase >= 2) return;
          if (!away[at]) open.push({ ...state, phases: phases.with(at, phase + 1) });
          if (lost < losses)
            open.push({ ...state, phases: phases.with(at, phase === 0 ? 3 : 2), lost: lost + 1 });
        });
        if (away.includes(true)) open.push({ ...state, away: away.map(() => false) });
        else if (splits < 2)
          for (let side = 1; side < 2 ** count; side++)
            open.push({ ...state, away: away.map((_, at) => ((side >> at) & 1) === 1), splits: splits + 1 });
      }
      const symmetry = {
        actors: Array.from({ length: count }, (_, at) => `Voter[${at}]`),
        exchange: (data: Record<string, unknown>) => data,
      };

      expect(new Explorer(make).toEnd().states).toBe(known.size);
      expect(new Explorer(make, { symmetry }).toEnd().states).toBe(orbits.size);
    },
  );

  test('in order and duplicating: equal messages are one where nothing is between them, and keep their places else', () => {
    const throwing = (...balls: readonly number[]) => {
      const again = thrower.provide({
        actions: {
          throwAll: act(({ other: to }, _event, out) => {
            for (const n of balls) out.post({ to, type: 'ball', n });
          }),
        },
      } as never);
      return () => {
        const wiring = new Wiring({ order: 'perChannel', duplicating: true, lossy: true });
        const [a, b] = [wiring.reserve('A'), wiring.reserve('B')];
        wiring.place(a, again, { other: b });
        wiring.place(b, player, { other: a });
        wiring.boundary = () => false;
        return wiring;
      };
    };
    for (const [balls, underWay] of [
      [
        [1, 2, 1],
        [1, 2, 1],
      ],
      [
        [1, 1, 2, 2, 1],
        [1, 2, 1],
      ],
    ] as const) {
      const make = throwing(...balls);
      const explorer = new Explorer(make);
      explorer.toEnd();
      const numbers = (messages: readonly { event: object }[]) =>
        messages.map(({ event }) => (event as { n: number }).n);

      expect(numbers(new Run(make()).state.messages)).toEqual(underWay);
      expect([...explorer.states()].map(({ messages }) => numbers(messages))).toEqual([underWay]);
    }
  });

  test('equal states read equally, whatever was posted first', () => {
    const states = new Map<string, string>();
    let again = 0;
    for (let machine = 0; machine < 12; machine++)
      for (let seed = 0; seed < 20; seed++) {
        const run = new Run(randomNetwork(machine)(), { choices: new RandomChoices(seed) });
        for (let step = 0; step < 12; step++) {
          const print = `${machine} ${run.fingerprint}`;
          const text = JSON.stringify(run.state);
          if (states.has(print)) again++;

          expect(states.get(print) ?? text).toBe(text);
          states.set(print, text);
          if (!run.tick()) break;
        }
      }

    expect(again).toBeGreaterThan(500);
  });

  test.each(['unordered', 'perChannel'] as const)(
    '%s: timers have no order, and hold up no message',
    (order) => {
      const kit = component<
        { a: number; b: number; c: number },
        { type: 'a' } | { type: 'b' } | { type: 'c' }
      >();
      const flip = kit.act<'a' | 'b'>((one, { type }, out) => {
        one[type] = 1 - one[type];
        out.setTimer(type);
      });
      const count = kit.update<'c'>((one) => {
        one.c++;
      });
      const begin = kit.act((_one, _event, out) => {
        for (const type of ['b', 'a']) out.setTimer(type);
        out.post({ to: out.self, type: 'c' });
      });
      const clock = createMachine({
        id: 'clock',
        context: { a: 0, b: 0, c: 0 },
        initial: 'going',
        entry: 'begin',
        states: {
          going: { on: { a: { actions: 'flip' }, b: { actions: 'flip' }, c: { actions: 'count' } } },
        },
      } as never).provide({ actions: { begin, flip, count } } as never) as AnyStateMachine;
      const make = () => {
        const wiring = new Wiring({ order });
        wiring.place('Clock', clock, undefined);
        return wiring;
      };

      expect(new Explorer(make).toEnd()).toMatchObject({ states: 8, transitions: 20 });
      expect(new Run(make()).state.messages.map(({ event }) => event.type).sort()).toEqual(['a', 'b', 'c']);
    },
  );

  test.each<Network>([
    {},
    { order: 'perChannel' },
    { duplicating: true },
    { order: 'perChannel', duplicating: true },
    { order: 'perChannel', duplicating: true, lossy: 1 },
  ])('%j: who waits for an answer to what is refused waits for ever', (network) => {
    const kit = component<{ server: Address }, { type: 'answer' }>();
    const client = setup({
      types: {} as { context: { server: Address }; events: { type: 'answer' }; input: Address },
      actions: { ask: kit.post(({ server: to }) => ({ to, type: 'ask' })) },
    }).createMachine({
      id: 'client',
      context: ({ input }) => ({ server: input }),
      entry: 'ask',
      initial: 'asking',
      states: { asking: { tags: ['waiting'], on: { answer: 'done' } }, done: {} },
    });
    const deaf = setup({ types: {} as { events: { type: 'ask' } } }).createMachine({
      id: 'deaf',
      on: { ask: refused },
    });
    const make = () => {
      const wiring = new Wiring(network);
      const server = wiring.place('Server', deaf, undefined);
      wiring.place('Client', client, server);
      return wiring;
    };

    expect(new Explorer(make).toEnd().verdict).toBe('deadlock');
    expect(new Run(make(), { stepsMax: 1000 }).toEnd().verdict).toBe('deadlock');
  });

  test('cannot be chosen for a clocked wiring (KRN016)', () => {
    expect(() => new Wiring().chooseNetwork({ lossy: true })).toThrow('KRN016');
  });

  test.each<[string, Network]>([
    ['lossy and duplicating', { lossy: 2, duplicating: true }],
    ['everything', { lossy: 1, partitions: 1, crashes: { max: 1, recover: true, keeps: ['saved'] } }],
  ])('%s: a snapshot continues as the run does, on both engines, and tapes replay', (_name, network) => {
    for (let seed = 0; seed < 40; seed++) {
      const choices = new RecordingChoices(new RandomChoices(seed));
      const run = new Run(game(network), { choices, stepsMax: 30 });
      run.until(3);
      const snapshot = run.snapshot();
      run.toEnd();
      const { tape } = choices;

      const again = new Run(game(network), {
        choices: new TapeChoices(tape),
        engine: 'xstate',
        stepsMax: 30,
      });
      again.toEnd();
      expect(again.fingerprint).toBe(run.fingerprint);
      expect(again.outcome).toEqual(run.outcome);

      const restored = Run.restore(game(network), snapshot, {
        choices: new RecordingChoices(new RandomChoices(0)),
        stepsMax: 30,
      });
      restored.toEnd();
      expect(restored.fingerprint).toBe(run.fingerprint);
    }
  });

  test('what is under way, timers included, is pending', () => {
    const run = new Run(game({}));
    run.until(0);

    expect(run.pending.length).toBeGreaterThan(0);
    expect(run.pending.map(({ event }) => event)).toEqual(run.snapshot().messages.map(({ event }) => event));
  });

  test('what the explorer finds, a guided run finds', () => {
    const network: Network = { lossy: true, crashes: { max: 1, recover: true } };
    const observer = {
      sentence: 'three never comes before two',
      watches: ['ball'],
      begin: () => ({ two: false }),
      see: (memory: { two: boolean }, observation: { kind: string; event?: unknown }) => {
        const { n } = observation.event as { n: number };
        if (n === 3 && !memory.two) return { actors: ['B'], why: 'three came first' };
        if (n === 2) memory.two = true;
        return undefined;
      },
    };
    const explorer = new Explorer(() => game(network), { observers: [observer as never] });
    const { findings } = explorer.toEnd();
    const choices = new GuidedChoices(explorer.routeTo(findings[0]!));
    const run = new Run(game(network), { choices });
    choices.follow(run);
    const seen: number[] = [];
    run.messages$.subscribe(({ message }) => seen.push((message.event as unknown as { n: number }).n));
    run.until(explorer.routeTo(findings[0]!).tick);

    expect(seen).toEqual([3]);
  });
});

describe('a timer', () => {
  type Event = { type: 'tick' } | { type: 'late' } | { type: 'stop' };
  interface Clock {
    log: string[];
  }
  const kit = component<Clock, Event>();
  const clock = setup({
    types: {} as { context: Clock; events: Event },
    actions: {
      begin: kit.act((_c, _e, out) => {
        out.setTimer('tick', 2);
        out.setTimer('tick', 7);
        out.setTimer('late', 9);
      }),
      note: kit.act<'tick'>((c, { type }, out) => {
        c.log.push(`${type} ${out.now} ${out.from === out.self}`);
        if (c.log.length < 3) out.setTimer('tick', 3);
        else out.cancelTimer('late');
      }),
    },
  }).createMachine({
    id: 'clock',
    context: () => ({ log: [] }),
    initial: 'on',
    entry: 'begin',
    states: { on: { on: { tick: { actions: 'note' }, late: refused, stop: refused } } },
  });
  const clocked = () => {
    const wiring = new Wiring();
    wiring.place('Clock', clock, undefined);
    return wiring;
  };

  test('goes off after its ticks; one that is set stays as it is, one that is cancelled never goes off', () => {
    for (const engine of ['compiled', 'xstate'] as const) {
      const run = new Run(clocked(), { engine });
      const { ticks, deliveries } = run.toEnd();

      expect((run.part('Clock').context as unknown as Clock).log).toEqual([
        'tick 2 true',
        'tick 5 true',
        'tick 8 true',
      ]);
      expect([ticks, deliveries]).toEqual([9, 3]);
    }
  });

  test('is part of snapshots', () => {
    const run = new Run(clocked());
    run.until(3);
    const restored = Run.restore(clocked(), run.snapshot());

    expect(restored.toEnd()).toEqual(run.toEnd());
    expect(restored.fingerprint).toBe(run.fingerprint);
  });

  test('is explored; an actor that reads the time makes the tick a part of the states', () => {
    const explorer = new Explorer(clocked);

    expect(explorer.toEnd()).toMatchObject({ verdict: 'ok', states: 4, transitions: 3 });
  });

  test('that asks for the time is explored by threads that share the states as soon as the tick is a part of these (KRN018)', () => {
    expect(() => inTurns(clocked, {}, 2, [100])).toThrow('KRN018 Clock');
    expect(inTurns(clocked, { clock: true }, 2, [100])).toMatchObject({ states: 4, transitions: 3 });
  });

  test('of no whole number of ticks is refused (KRN006)', () => {
    const wiring = new Wiring();
    const begin = kit.act((_c, _e, out) => out.setTimer('tick', 0.5));
    const wrong = clock.provide({ actions: { begin: begin as never } });
    wiring.place('Clock', wrong, undefined);

    expect(() => new Run(wiring)).toThrow('KRN006 Clock: the timer "tick" has 0.5 ticks');
  });
});

describe('a message that changes nothing by one answer', () => {
  interface Guest {
    tasted: string;
  }
  const guest = component<Guest, { type: 'dish' }>();
  /** Takes a dish only if it likes the look of it: by the last of three answers, and then by the second of two. */
  const picky = setup({
    types: {} as { context: Guest; events: { type: 'dish' } },
    actions: {
      look: guest.act((g, _event, out) => {
        if (out.pick('looks', 3) === 2 && out.pick('smells', 2) === 1) g.tasted = 'it';
      }),
    },
  }).createMachine({
    id: 'picky',
    context: { tasted: '' },
    on: { dish: { actions: 'look' } },
  });
  const dinner = (): Wiring => {
    const wiring = new Wiring({});
    wiring.boot.push({ to: wiring.place('Guest', picky, {}), type: 'dish' } as never);
    return wiring;
  };

  test.each(['canonical', 1, 2, 3])(
    'keeps a run from rest until all answers were tried: choices %s',
    (seed) => {
      const choices = typeof seed === 'number' ? new RecordingChoices(new RandomChoices(seed)) : undefined;
      const run = new Run(dinner(), choices && { choices });
      // From the middle of the tries as well.
      run.tick();
      const copy = Run.restore(
        dinner(),
        run.snapshot(),
        choices && { choices: new RecordingChoices(new RandomChoices(7)) },
      );
      for (const one of [run, copy]) {
        expect(one.toEnd().verdict).toBe('ok');
        expect(one.part('Guest').context).toEqual({ tasted: 'it' });
      }
      if (!choices) return;
      const again = new Run(dinner(), { choices: new TapeChoices(choices.tape) });
      again.toEnd();
      expect(again.fingerprint).toBe(run.fingerprint);
    },
  );

  test('leads where check says that all runs end', () => {
    const explorer = new Explorer(dinner);
    expect(explorer.toEnd()).toMatchObject({ states: 2, transitions: 1 });
  });
});

test('who found that a shared object does not let him go on looks again when another party has changed it', () => {
  const c = component<{ door: Shared<{ open: boolean }> }, { type: 'look' | 'open' }, never>();
  const guest = setup({
    types: {} as {
      context: { door: Shared<{ open: boolean }> };
      events: { type: 'look' | 'open' };
      input: { door: Shared<{ open: boolean }> };
    },
    guards: { isOpen: c.when(({ door }) => door.value.open) },
    actions: {
      look: c.act((_me, _event, out) => out.setTimer('look')),
      open: c.act(({ door }) => {
        door.value.open = true;
      }),
    },
  });
  const waits = guest.createMachine({
    id: 'guest',
    context: ({ input }) => ({ ...input }),
    initial: 'outside',
    states: {
      outside: {
        entry: 'look',
        on: { look: [{ guard: 'isOpen', target: 'inside' }, { actions: 'look' }] },
      },
      inside: {},
    },
  });
  const opens = guest.createMachine({
    id: 'porter',
    context: ({ input }) => ({ ...input }),
    on: { open: { actions: 'open' } },
  });
  const make = () => {
    const wiring = new Wiring({});
    const door = wiring.share('Door', shared({ open: false }));
    wiring.place('Guest', waits, { door });
    wiring.begin({ to: wiring.place('Porter', opens, { door }), type: 'open' });
    return wiring;
  };

  for (let seed = 0; seed < 20; seed++) {
    const run = new Run(make(), { choices: new RandomChoices(seed) });
    // In some of them the guest looks, in vain, before the door is open; a run goes on from there as well.
    const again = Run.restore(make(), run.snapshot(), { choices: new RandomChoices(seed) });
    for (const one of [run, again])
      expect([one.toEnd().verdict, one.partAt(0 as Address)?.configuration.name]).toEqual(['ok', 'inside']);
  }
  expect(new Explorer(make).toEnd()).toMatchObject({ verdict: 'ok', quiet: 1 });
});
