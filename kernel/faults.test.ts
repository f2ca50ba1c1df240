import { describe, expect, test } from 'vitest';
import { setup } from 'xstate';
import { type Choices, RandomChoices, RecordingChoices, TapeChoices } from './choices.ts';
import type { InjectedFault, Injection } from './faults.ts';
import { component } from './kit.ts';
import type { Address } from './message.ts';
import { waitsFor } from './outcome.ts';
import { Run, type RunOptions } from './run.ts';
import { Wiring } from './wiring.ts';

/*
 * A sender that sends the numbers 1, 2, 3 … to a receiver, one a tick, each due one tick later, and waits for the answer to its last one; a receiver that
 * writes down what it gets, beats every other tick by a message to itself, and answers each number.
 */

interface SenderContext {
  readonly self: Address;
  readonly to: Address;
  readonly count: number;
  sent: number;
  answers: number;
}
type SenderEvent = { type: 'send' } | { type: 'answer'; value: number };

const sender = component<SenderContext, SenderEvent>();

const senderMachine = setup({
  types: {} as {
    context: SenderContext;
    events: SenderEvent;
    input: Omit<SenderContext, 'sent' | 'answers'>;
  },
  guards: { last: sender.when((c) => c.sent >= c.count) },
  actions: {
    count: sender.update((c) => {
      c.sent++;
    }),
    sendOne: sender.post((c) => ({
      to: c.to,
      type: 'number',
      delay: 1,
      value: c.sent,
      last: c.sent === c.count,
      bytes: [c.sent, 7],
    })),
    goOn: sender.post((c) => (c.sent < c.count ? { to: c.self, type: 'send', delay: 1 } : undefined)),
    countAnswer: sender.update<'answer'>((c) => {
      c.answers++;
    }),
  },
}).createMachine({
  id: 'sender',
  context: ({ input }) => ({ ...input, sent: 0, answers: 0 }),
  initial: 'sending',
  states: {
    sending: {
      on: {
        send: { actions: ['count', 'sendOne', 'goOn'], target: 'sending' },
        answer: { actions: 'countAnswer' },
      },
    },
  },
});

interface ReceiverContext {
  readonly self: Address;
  readonly back: Address;
  readonly beats: number;
  got: unknown[];
  beat: number;
}
type ReceiverEvent =
  | { type: 'number'; value: number; last: boolean; bytes: readonly number[] }
  | { type: 'beat' };

const receiver = component<ReceiverContext, ReceiverEvent>();

const receiverMachine = setup({
  types: {} as {
    context: ReceiverContext;
    events: ReceiverEvent;
    input: Omit<ReceiverContext, 'got' | 'beat'>;
  },
  guards: { last: receiver.when<'number'>((_, { last }) => last) },
  actions: {
    beatOn: receiver.post((c) => (c.beat < c.beats ? { to: c.self, type: 'beat', delay: 2 } : undefined)),
    countBeat: receiver.update((c) => {
      c.beat++;
    }),
    note: receiver.update<'number'>((c, { value }) => {
      c.got.push(value);
    }),
    answer: receiver.post<'number'>((c, { value }) => ({ to: c.back, type: 'answer', value })),
  },
}).createMachine({
  id: 'receiver',
  context: ({ input }) => ({ ...input, got: [], beat: 0 }),
  entry: 'beatOn',
  initial: 'waiting',
  on: { beat: { actions: ['countBeat', 'beatOn'] } },
  states: {
    waiting: {
      tags: ['waiting'],
      meta: waitsFor<ReceiverContext>('the last number', (c) => c.back),
      on: {
        number: [
          { guard: 'last', target: 'done', actions: ['note', 'answer'] },
          { actions: ['note', 'answer'] },
        ],
      },
    },
    done: { on: { number: { actions: ['note', 'answer'] } } },
  },
});

const wired = (count = 5, beats = 0): Wiring => {
  const wiring = new Wiring();
  const from = wiring.reserve('Pair.Sender');
  const to = wiring.reserve('Pair.Receiver[0]');
  wiring.place(from, senderMachine, { self: from, to, count });
  wiring.place(to, receiverMachine, { self: to, back: from, beats });
  wiring.begin({ to: from, type: 'send' });
  return wiring;
};

const numbers = { to: 'Pair.Receiver[*]', type: 'number' } as const;

/** Runs to the end, and gives what the receiver got, tick by tick, and the faults that struck. */
function play(faults: readonly InjectedFault[], options: RunOptions = {}, count = 5, beats = 0) {
  const run = new Run(wired(count, beats), { ...options, faults });
  const injections: Injection[] = [];
  const arrivals: string[] = [];
  run.faults$.subscribe((injection) => injections.push(injection));
  run.messages$.subscribe(({ message, to }) => {
    if (to !== 'Pair.Receiver[0]' || message.event.type === 'beat') return;
    arrivals.push(`${message.due}:${(message.event as { value?: number }).value ?? message.event.type}`);
  });
  const outcome = run.toEnd();
  return { run, outcome, injections, arrivals, got: run.part('Pair.Receiver[0]').context['got'] };
}

/** Answers the questions of one kind one after another as `answers` says, and everything else with 0. */
function answering(answers: (what: string) => readonly number[]): Choices {
  const asked = new Map<string, number>();
  return {
    canonical: false,
    pick: (what) => {
      const index = asked.get(what) ?? 0;
      asked.set(what, index + 1);
      return what.startsWith('fault') ? (answers(what)[index] ?? 0) : 0;
    },
    save: () => null,
    load: () => {},
  };
}

const certain = (budget: number) => ({ probability: 1, budget });

describe('a fault that strikes once', () => {
  test('drop: the message is never delivered', () => {
    const { arrivals, injections, outcome } = play([{ kind: 'drop', ...numbers, ...certain(1) }]);

    expect(arrivals).toEqual(['2:2', '3:3', '4:4', '5:5']);
    expect(injections).toMatchObject([
      {
        tick: 0,
        fault: 0,
        kind: 'drop',
        from: 'Pair.Sender',
        to: 'Pair.Receiver[0]',
        what: 'never delivered',
      },
    ]);
    expect(outcome.faults).toEqual([{ chances: 1, struck: 1 }]);
    expect(outcome.verdict).toBe('ok');
  });

  test('drop: a lost last message is a deadlock', () => {
    const { outcome } = play([{ kind: 'drop', ...numbers, ...certain(5) }]);

    expect(outcome.verdict).toBe('deadlock');
    expect(outcome.deadlock?.waiting).toMatchObject([{ actor: 'Pair.Receiver[0]', on: ['Pair.Sender'] }]);
  });

  test('duplicate: an equal message comes right behind it', () => {
    const { arrivals } = play([{ kind: 'duplicate', ...numbers, ...certain(1) }]);

    expect(arrivals).toEqual(['1:1', '1:1', '2:2', '3:3', '4:4', '5:5']);
  });

  test('delay: what is posted later on the channel waits behind it', () => {
    const { arrivals } = play([{ kind: 'delay', ticks: 3, ...numbers, ...certain(1) }]);

    expect(arrivals).toEqual(['4:1', '4:2', '4:3', '4:4', '5:5']);
  });

  test('reorder: what is posted later on the channel overtakes it', () => {
    const { arrivals } = play([{ kind: 'reorder', ticks: 2, ...numbers, ...certain(1) }]);

    expect(arrivals).toEqual(['2:2', '3:1', '3:3', '4:4', '5:5']);
  });

  test('corrupt: one bit of the named field is another one, and which is a pick', () => {
    const faults = [{ kind: 'corrupt', field: 'value', ...numbers, ...certain(1) }] as const;

    const values = [0, 1, 7].map((bit) => play(faults, { choices: new TapeChoices([bit]) }).arrivals[0]);

    expect(values).toEqual(['1:0', '1:3', `1:${1 + 128}`]);
  });

  test('corrupt: without a field any number or truth value may change, but not the envelope', () => {
    const faults = [{ kind: 'corrupt', ...numbers, ...certain(1) }] as const;
    const texts = [0, 1, 2, 3].map(
      (place) => play(faults, { choices: new TapeChoices([place, 2]) }).injections[0]?.what,
    );

    expect(texts).toEqual([
      '"value" is 5 instead of 1',
      '"last" is true instead of false',
      '"bytes[0]" is 5 instead of 1',
      '"bytes[1]" is 3 instead of 7',
    ]);
  });

  test('crash: the actor gets nothing any more and is not counted as waiting', () => {
    const { got, outcome, injections } = play([{ kind: 'crash', actor: 'Pair.Receiver[0]', ...certain(1) }]);

    expect(got).toEqual([]);
    expect(injections.map(({ kind }) => kind)).toEqual(['crash', 'lost', 'lost', 'lost', 'lost']);
    expect(outcome.verdict).toBe('ok');
  });

  test('crash and restart: it begins anew, and what it sent itself before does not come any more', () => {
    const beats: number[] = [];
    const choices = answering((what) =>
      what === 'fault crash Pair.Sender -> Pair.Receiver[0] number' ? [0, 1] : [],
    );
    const run = new Run(wired(5, 4), {
      choices,
      faults: [{ kind: 'crash', actor: 'Pair.Receiver[0]', restart: 1 }],
    });
    run.messages$.subscribe(({ message: { due, event } }) => {
      if (event.type === 'beat') beats.push(due);
    });
    const { faults, verdict } = run.toEnd();

    // The number 2 is lost in tick 2; a beat of before the crash would be due in tick 4.
    expect(run.part('Pair.Receiver[0]').context['got']).toEqual([3, 4, 5]);
    expect(beats).toEqual([2, 5, 7, 9, 11]);
    expect(faults).toEqual([{ chances: 3, struck: 1 }]);
    expect(verdict).toBe('ok');
  });
});

describe('where and how often', () => {
  test('the run without picks is the sound one, whatever the faults are', () => {
    const kinds: InjectedFault[] = [
      { kind: 'drop', probability: 0.999 },
      { kind: 'duplicate', budget: 3 },
      { kind: 'delay', ticks: 3 },
      { kind: 'reorder', ticks: 3, probability: 0.5, budget: 9 },
      { kind: 'corrupt', probability: 0.000001 },
      { kind: 'crash', actor: '**', restart: 4 },
    ];

    const sound = new Run(wired());
    sound.toEnd();

    for (const fault of kinds) {
      const { run, injections, outcome } = play([fault]);
      expect(injections).toEqual([]);
      expect(outcome.faults?.[0]?.chances).toBeGreaterThan(0);
      expect(run.fingerprints).toEqual(sound.fingerprints);
    }
  });

  test('a budget is kept, and is 1 when nothing else is said', () => {
    const always = () => answering(() => [1, 1, 1, 1, 1, 1]);

    expect(play([{ kind: 'drop', ...numbers, budget: 3 }], { choices: always() }).got).toEqual([4, 5]);
    expect(play([{ kind: 'drop', ...numbers }], { choices: always() }).got).toEqual([2, 3, 4, 5]);
    expect(play([{ kind: 'drop', ...numbers, probability: 0.5 }], { choices: always() }).got).toEqual([]);
  });

  test('a probability is kept by uniform picks', () => {
    for (const probability of [0.1, 0.25, 2 / 3]) {
      const { outcome } = play(
        [{ kind: 'drop', ...numbers, probability }],
        { choices: new RandomChoices(11) },
        4000,
      );

      const { chances, struck } = outcome.faults![0]!;
      const deviation = Math.sqrt(4000 * probability * (1 - probability));
      expect(chances).toBe(4000);
      expect(Math.abs(struck - 4000 * probability)).toBeLessThan(3 * deviation);
    }
  });

  test.each([
    [{ from: 'Pair.Sender' }, 5],
    [{ from: 'Pair.*', to: 'Pair.*' }, 10],
    [{ from: '*' }, 0],
    [{ from: '**' }, 10],
    [{ to: 'Pair.Receiver[*]' }, 5],
    [{ to: 'Pair.Receiver' }, 0],
    [{ type: 'answer' }, 5],
    [{ type: 'n*' }, 5],
    [{ from: 'world' }, 1],
    [{}, 10],
  ])('%o befalls %i messages, none of them a message to oneself', (place, count) => {
    const { outcome } = play([{ kind: 'duplicate', ...place, probability: 0.5 }], {}, 5, 3);

    expect(outcome.faults).toEqual([{ chances: count, struck: 0 }]);
  });

  test('one fault at most befalls a message, the first in order', () => {
    const { injections } = play([
      { kind: 'duplicate', ...numbers, ...certain(1) },
      { kind: 'drop', ...numbers, ...certain(2) },
    ]);

    expect(injections.map(({ kind, fault }) => [kind, fault])).toEqual([
      ['duplicate', 0],
      ['drop', 1],
      ['drop', 1],
    ]);
  });

  test('a message that an actor sends while it starts may be befallen, also on the way to one that starts later', () => {
    const early = component<{ to: Address }, { type: 'number' }>();
    const machine = setup({
      types: {} as { context: { to: Address }; events: { type: 'number' }; input: Address },
      actions: { send: early.post((c) => ({ to: c.to, type: 'number' })) },
    }).createMachine({
      id: 'early',
      context: ({ input }) => ({ to: input }),
      entry: 'send',
      on: { number: {} },
    });
    const wiring = new Wiring();
    const [first, second] = [wiring.reserve('First'), wiring.reserve('Second')];
    wiring.place(first, machine, second);
    wiring.place(second, machine, second);
    const faults: readonly InjectedFault[] = [{ kind: 'drop', to: 'Second', probability: 1, budget: 1 }];

    const { deliveries, faults: tallies } = new Run(wiring, { faults }).toEnd();

    expect([deliveries, tallies]).toEqual([1, [{ chances: 1, struck: 1 }]]);
  });

  test('a field that a message does not have is no chance', () => {
    const { outcome } = play([{ kind: 'corrupt', field: 'colour', probability: 0.5 }]);

    expect(outcome.faults).toEqual([{ chances: 0, struck: 0 }]);
  });
});

describe('a run with faults', () => {
  const faults: readonly InjectedFault[] = [
    { kind: 'drop', ...numbers, probability: 0.2, budget: 4 },
    { kind: 'duplicate', type: 'answer', probability: 0.3 },
    { kind: 'delay', ticks: 3, probability: 0.3 },
    { kind: 'reorder', ticks: 2, probability: 0.3 },
    { kind: 'corrupt', field: 'value', probability: 0.3 },
    { kind: 'crash', actor: 'Pair.Receiver[0]', restart: 2, probability: 0.2, budget: 2 },
  ];
  const seeds = [1, 2, 3, 4, 5, 6, 7, 8];

  test.each(seeds)('is the same again from its tape, on every engine (seed %i)', (seed) => {
    const choices = new RecordingChoices(new RandomChoices(seed));
    const recorded = play(faults, { choices }, 12, 5);
    const ways: RunOptions[] = [{}, { state: 'immutable' }, { engine: 'xstate' }];

    for (const way of ways) {
      const again = play(faults, { ...way, choices: new TapeChoices(choices.tape) }, 12, 5);
      expect(again.run.fingerprint).toBe(recorded.run.fingerprint);
      expect(again.outcome).toEqual(recorded.outcome);
      expect(again.injections).toEqual(recorded.injections);
    }
  });

  test.each(seeds)('continues from any tick as if it had never stopped (seed %i)', (seed) => {
    const whole = play(faults, { choices: new RandomChoices(seed) }, 12, 5);
    const run = new Run(wired(12, 5), { faults, choices: new RandomChoices(seed) });

    for (let goesOn = true; goesOn; goesOn = run.tick()) {
      const snapshot = structuredClone({ ...run.snapshot(), parts: [] }).faults;
      const restored = Run.restore(
        wired(12, 5),
        { ...run.snapshot(), ...(snapshot && { faults: snapshot }) },
        { faults, choices: new RandomChoices(0) },
      );
      expect(restored.fingerprint).toBe(run.fingerprint);
      expect(restored.toEnd()).toEqual(whole.outcome);
      expect(restored.fingerprint).toBe(whole.run.fingerprint);
    }
  });

  test('has a fingerprint that knows what is left of the budgets, and nothing that makes no difference', () => {
    const budgeted: InjectedFault[] = [{ kind: 'drop', budget: 3 }];
    const snapshot = new Run(wired(), { faults: budgeted }).snapshot();
    const fingerprintWith = (chances: number, struck: number) =>
      Run.restore(
        wired(),
        { ...snapshot, faults: { ...snapshot.faults!, tallies: [{ chances, struck }] } },
        { faults: budgeted },
      ).fingerprint;

    expect(fingerprintWith(1, 1)).not.toBe(fingerprintWith(1, 0));
    expect(fingerprintWith(2, 0)).toBe(fingerprintWith(1, 0));
    expect(new Run(wired()).fingerprint).toBe(new Run(wired(), { faults: [] }).fingerprint);
  });

  test('cannot be continued with other faults', () => {
    const snapshot = new Run(wired(), { faults }).snapshot();

    expect(() => Run.restore(wired(), snapshot, { faults: faults.slice(1) })).toThrow('KRN010 faults');
    expect(() => Run.restore(wired(), new Run(wired()).snapshot(), { faults })).toThrow('KRN010 faults');
    expect(() => Run.restore(wired(), snapshot)).toThrow('KRN010 faults');
  });
});

test('a fault that strikes while the actors start is told before the first step', () => {
  const beacon = component<{ to: Address }, { type: 'light' }>();
  const machine = setup({
    types: {} as { context: { to: Address }; events: { type: 'light' }; input: { to: Address } },
    actions: { shine: beacon.post((c) => ({ to: c.to, type: 'light' })) },
  }).createMachine({ id: 'beacon', context: ({ input }) => input, entry: 'shine', on: { light: {} } });
  const wiring = new Wiring();
  const [one, two] = [wiring.reserve('One'), wiring.reserve('Two')];
  wiring.place(one, machine, { to: two });
  wiring.place(two, machine, { to: one });

  const run = new Run(wiring, { faults: [{ kind: 'drop', to: 'Two', probability: 1 }] });
  const told: Injection[] = [];
  run.faults$.subscribe((injection) => told.push(injection));
  run.toEnd();

  expect(told.map(({ kind, from, to, tick }) => ({ kind, from, to, tick }))).toEqual([
    { kind: 'drop', from: 'One', to: 'Two', tick: 0 },
  ]);
});
