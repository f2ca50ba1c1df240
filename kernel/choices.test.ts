import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { setup } from 'xstate';
import { type Choices, canonical, RandomChoices, RecordingChoices, TapeChoices } from './choices.ts';
import { component } from './kit.ts';
import type { Address, Message } from './message.ts';
import { Run } from './run.ts';
import { Wiring } from './wiring.ts';

type TalkEvent = { type: 'talk'; number: number };
interface TalkContext {
  readonly others: readonly Address[];
  heard: number[];
}
const { update, post, choose } = component<TalkContext, TalkEvent>();

/** Hears numbers and tells others more of them, some of them drawn: a run with many choices of both kinds. */
const talker = setup({
  types: {} as { context: TalkContext; events: TalkEvent; input: { others: readonly Address[] } },
  actions: {
    hear: update((c, { number }) => {
      c.heard.push(number);
    }),
    tell: post((c, { number }) =>
      number >= 3
        ? undefined
        : c.others.flatMap((to) => [
            { to, type: 'talk', number: number + 1 },
            { to, type: 'talk', number: number + 2, delay: number % 2 },
          ]),
    ),
    invent: choose('a number', 3, (c, _event, pick) => {
      c.heard.push(100 + pick);
    }),
  },
}).createMachine({
  id: 'talker',
  context: ({ input }) => ({ others: input.others, heard: [] }),
  initial: 'listening',
  states: { listening: { on: { talk: { actions: ['hear', 'invent', 'tell'] } } } },
});

function talk(choices?: Choices): {
  readonly run: Run;
  readonly order: readonly Message[];
  readonly picks: readonly { readonly count: number; readonly pick: number }[];
} {
  const wiring = new Wiring();
  const all = ['A', 'B', 'C'].map((name) => wiring.reserve(name));
  for (const address of all)
    wiring.place(address, talker, { others: all.filter((other) => other !== address) });
  wiring.boot.push({ to: all[0]!, type: 'talk', number: 0 } as never);
  const run = new Run(wiring, choices ? { choices } : {});
  const order: Message[] = [];
  const picks: { count: number; pick: number }[] = [];
  run.messages$.subscribe(({ message }) => order.push(message));
  run.picks$.subscribe((pick) => picks.push(pick));
  run.toEnd();
  return { run, order, picks };
}

const tapes = fc.array(fc.nat(40), { maxLength: 60 });

describe('a tape', () => {
  test('that is empty is first come, first served: as no choices at all', () => {
    const without = talk();
    const empty = talk(new TapeChoices([]));
    const zeros = talk(new TapeChoices([0, 0, 0, 0]));

    expect(without.order.map(({ due, seq }) => [due, seq])).toEqual(
      [...without.order].sort((a, b) => a.due - b.due || a.seq - b.seq).map(({ due, seq }) => [due, seq]),
    );
    expect(empty.run.fingerprint).toBe(without.run.fingerprint);
    expect(zeros.order.map(({ seq }) => seq)).toEqual(without.order.map(({ seq }) => seq));
  });

  test('yields 0 beyond its end', () => {
    const choices = new TapeChoices([1, 2]);

    expect([3, 3, 3, 3].map((count) => choices.pick('one', count))).toEqual([1, 2, 0, 0]);
    expect(choices.position).toBe(4);
  });

  test('counts a number that is too large from the beginning again', () => {
    const choices = new TapeChoices([7, 3, 12]);

    expect([3, 3, 5].map((count) => choices.pick('one', count))).toEqual([1, 0, 2]);
  });

  test.each([
    [[], true],
    [[0], false],
    [[1], false],
  ])('%j is canonical: %s', (tape, answer) => {
    expect(new TapeChoices(tape).canonical).toBe(answer);
  });

  test('of any kind leaves the messages of a channel in their order', () => {
    let reordered = 0;
    fc.assert(
      fc.property(tapes, (tape) => {
        const { order } = talk(new TapeChoices(tape));
        const last = new Map<string, Message>();
        for (const message of order) {
          const channel = `${message.from} ${message.to}`;
          const before = last.get(channel);
          if (before)
            expect(message.due > before.due || (message.due === before.due && message.seq > before.seq)).toBe(
              true,
            );
          last.set(channel, message);
        }
        if (
          order.some(({ due, seq }, at) => at > 0 && due === order[at - 1]!.due && seq < order[at - 1]!.seq)
        )
          reordered++;
      }),
      { numRuns: 60, seed: 7 },
    );
    expect(reordered).toBeGreaterThan(30);
  });

  test('gives every run the same course as the one it was recorded from', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.nat().map((seed) => () => new RandomChoices(seed)),
          tapes.map((tape) => () => new TapeChoices(tape)),
          fc.constant(() => canonical),
        ),
        (producer) => {
          const recording = new RecordingChoices(producer());

          const recorded = talk(recording);
          const replayed = talk(new TapeChoices(recording.tape));

          expect(replayed.order.map(({ seq }) => seq)).toEqual(recorded.order.map(({ seq }) => seq));
          expect(replayed.run.fingerprint).toBe(recorded.run.fingerprint);
          expect(replayed.run.outcome).toEqual(recorded.run.outcome);
        },
      ),
      { numRuns: 60, seed: 7 },
    );
  });
});

describe('a recording', () => {
  test('keeps the picks in order, without the zeros at the end', () => {
    const recording = new RecordingChoices(new TapeChoices([2, 0, 1, 0]));
    for (let i = 0; i < 6; i++) recording.pick('one', 3);

    expect(recording.tape).toEqual([2, 0, 1]);
  });

  test('of a run in canonical order may be of any length, one of another run has an end (KRN019)', () => {
    const zeros = new RecordingChoices(canonical, 4);
    for (let i = 0; i < 100; i++) zeros.pick('one', 3);
    const others = new RecordingChoices({ ...canonical, pick: () => 1 }, 4);
    for (let i = 0; i < 4; i++) others.pick('one', 3);

    expect(zeros.tape).toEqual([]);
    expect(() => others.pick('one', 3)).toThrow('KRN019 the tape: it has 4 picks, and the run goes on');
  });

  test('goes on from where it was saved, zeros at the end included', () => {
    const recording = new RecordingChoices(new TapeChoices([1, 0, 0, 2, 0, 1]));
    for (let i = 0; i < 3; i++) recording.pick('one', 3);
    const saved = recording.save();
    for (let i = 0; i < 3; i++) recording.pick('one', 3);
    recording.load(saved);

    expect(recording.tape).toEqual([1]);
    for (let i = 0; i < 3; i++) recording.pick('one', 3);
    expect(recording.tape).toEqual([1, 0, 0, 2, 0, 1]);
  });

  test('of first come, first served is empty', () => {
    const recording = new RecordingChoices(canonical);
    talk(recording);

    expect(recording.tape).toEqual([]);
  });

  test('is every pick the run tells of', () => {
    const recording = new RecordingChoices(new RandomChoices(5));
    const { picks } = talk(recording);

    const told = picks.map(({ pick }) => pick);
    expect(told.slice(0, recording.tape.length)).toEqual(recording.tape);
    expect(told.slice(recording.tape.length).every((pick) => pick === 0)).toBe(true);
    expect(picks.every(({ pick, count }) => count > 1 && pick < count)).toBe(true);
  });

  test('loaded into another one goes on with the whole tape', () => {
    const first = new RecordingChoices(new TapeChoices([2, 1, 2, 2, 1]));
    for (let i = 0; i < 3; i++) first.pick('one', 3);
    const saved = first.save();
    first.pick('one', 3);

    const second = new RecordingChoices(new TapeChoices([2, 1, 2, 2, 1]));
    second.load(saved);
    const goesOn = [second.pick('one', 3), second.pick('one', 3)];
    const third = new RecordingChoices(new TapeChoices([2, 1, 2, 0, 1]));
    third.load(saved);
    third.pick('one', 3);
    third.pick('one', 3);

    expect(goesOn).toEqual([2, 1]);
    expect(second.tape).toEqual([2, 1, 2, 2, 1]);
    expect(third.tape).toEqual([2, 1, 2, 0, 1]);
    expect(first.tape).toEqual([2, 1, 2, 2]);
  });

  test('of a producer that picks out of range stops the run', () => {
    const wrong: Choices = {
      canonical: false,
      pick: (_what, count) => count,
      save: () => null,
      load: () => {},
    };

    expect(() => new RecordingChoices(wrong).pick('who', 3)).toThrow('a producer picked 3 of 3 for "who"');
  });
});

describe('random choices', () => {
  test('are the same for the same seed, and others for another', () => {
    const picks = (seed: number) => {
      const choices = new RandomChoices(seed);
      return Array.from({ length: 20 }, (_, index) => choices.pick('one', index + 2));
    };

    expect(picks(1)).toEqual(picks(1));
    expect(picks(1)).not.toEqual(picks(2));
    expect(picks(1)).toEqual([0, 1, 2, 1, 4, 6, 2, 1, 7, 1, 4, 0, 4, 2, 0, 16, 17, 2, 0, 9]);
  });

  test('reach every number below the count', () => {
    const choices = new RandomChoices(3);

    expect(new Set(Array.from({ length: 200 }, () => choices.pick('one', 7)))).toEqual(
      new Set([0, 1, 2, 3, 4, 5, 6]),
    );
  });

  test('go on where they were saved', () => {
    const choices = new RandomChoices(3);
    choices.pick('one', 9);
    const saved = structuredClone(choices.save());
    const straight = Array.from({ length: 10 }, () => choices.pick('one', 9));

    const other = new RandomChoices(77);
    other.load(saved);

    expect(Array.from({ length: 10 }, () => other.pick('one', 9))).toEqual(straight);
  });
});

test.each([
  ['a tape', new TapeChoices([1])],
  ['random choices', new RandomChoices(1)],
  ['a recording', new RecordingChoices(canonical)],
])('%s refuses what another kind saved', (_, choices) => {
  expect(() => choices.load({ strange: true })).toThrow(
    'KRN010 choices: the snapshot was taken with another kind of choices',
  );
  expect(() => choices.load(null)).toThrow('KRN010');
});
