import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { setup } from 'xstate';
import { RandomChoices, RecordingChoices, type Tape, TapeChoices } from '../../kernel/choices.ts';
import { component } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';
import { Run } from '../../kernel/run.ts';
import { Wiring } from '../../kernel/wiring.ts';
import { shrinkTape } from './shrink.ts';
import { anyTape } from './tapes.ts';

interface Mark {
  readonly type: 'mark';
  readonly of: string;
}
interface Seen {
  seen: string;
}

const judging = component<Seen, Mark>();

/** Finds fault with some orders of the marks of one tick. */
const judge = (faulty: RegExp) =>
  setup({
    types: {} as { context: Seen; events: Mark },
    actions: {
      note: judging.update<'mark'>((context, { of }) => {
        context.seen = of === '!' ? '' : context.seen + of;
      }),
      judge: judging.report(({ seen }) =>
        faulty.test(seen) ? { property: 'marks come in order', why: seen } : undefined,
      ),
    },
  }).createMachine({
    id: 'judge',
    context: () => ({ seen: '' }),
    on: { mark: { actions: ['note', 'judge'] } },
  });

interface Ticking {
  readonly judge: Address;
  readonly self: Address;
  readonly mark: string;
  left: number;
}
const ticking = component<Ticking, { readonly type: 'tick' }>();

/** Sends its mark in every tick. */
const sender = setup({
  types: {} as { context: Ticking; events: { readonly type: 'tick' }; input: Ticking },
  actions: {
    send: ticking.post(({ judge: to, mark }) => ({ to, type: 'mark', of: mark })),
    again: ticking.post(({ self, left }) => (left > 0 ? { to: self, type: 'tick', delay: 1 } : [])),
    count: ticking.update((context) => {
      context.left--;
    }),
  },
}).createMachine({
  id: 'sender',
  context: ({ input }) => ({ ...input }),
  on: { tick: { actions: ['send', 'count', 'again'] } },
});

/** Six senders over many ticks; each tick begins anew with the mark of the first. */
function attempt(faulty: RegExp, ticks: number, choices = new RecordingChoices(new RandomChoices(1))) {
  const wiring = new Wiring();
  const to = wiring.place('Judge', judge(faulty), {});
  for (const mark of ['!', 'a', 'b', 'c', 'd', 'e']) {
    const self = wiring.reserve(`Sender ${mark}`);
    wiring.place(self, sender, { judge: to, self, mark, left: ticks });
    wiring.boot.push({ to: self, type: 'tick' });
  }
  const run = new Run(wiring, { choices });
  const { verdict } = run.toEnd();
  return { fails: verdict === 'violated', tape: choices.tape };
}

const under = (faulty: RegExp, ticks: number) => (tape: Tape) =>
  attempt(faulty, ticks, new RecordingChoices(new TapeChoices(tape))).fails;

/** In every tick from some on, so that a random schedule shows it many times. */
const bugs: readonly (readonly [string, RegExp])[] = [
  ['one order of two', /ba/],
  ['two orders', /b.*a.*/],
  ['three marks backwards', /c.?b.?a/],
];

describe('a tape of about ten thousand picks', () => {
  test.each(bugs)('comes down to a local minimum: %s', (_, faulty) => {
    const ticks = 1000;
    const found = attempt(faulty, ticks);
    const fails = under(faulty, ticks);

    const { tape, attempts } = shrinkTape(fails, found.tape);
    const places = [...tape.keys()].filter((place) => tape[place] !== 0);

    expect(found.tape.length).toBeGreaterThan(9000);
    expect(fails(tape)).toBe(true);
    expect(places.length).toBeLessThanOrEqual(4);
    expect(attempts).toBeLessThan(200);
    for (const place of places) {
      expect(fails(tape.with(place, 0))).toBe(false);
      expect(fails(tape.toSpliced(place, 1))).toBe(false);
      for (let smaller = 1; smaller < tape[place]!; smaller++)
        expect(fails(tape.with(place, smaller))).toBe(false);
    }
  });
});

describe('any failing tape', () => {
  const conditions: fc.Arbitrary<(tape: Tape) => boolean> = fc
    .array(fc.record({ place: fc.nat(20), least: fc.integer({ min: 1, max: 5 }) }), { maxLength: 4 })
    .map((needed) => (tape) => needed.every(({ place, least }) => (tape[place] ?? 0) >= least));

  test('ends where no pick can be made simpler, and still fails', () => {
    fc.assert(
      fc.property(anyTape({ maxLength: 30 }), conditions, (tape, fails) => {
        fc.pre(fails(tape));
        const shrunk = shrinkTape(fails, tape).tape;

        expect(fails(shrunk)).toBe(true);
        for (const place of shrunk.keys()) {
          if (shrunk[place] === 0) continue;
          expect(fails(shrunk.with(place, 0))).toBe(false);
          expect(fails(shrunk.with(place, shrunk[place]! - 1))).toBe(false);
          expect(fails(shrunk.toSpliced(place, 1))).toBe(false);
        }
      }),
    );
  });

  test('is as good as it was when it is stopped, and fails still', () => {
    fc.assert(
      fc.property(anyTape({ maxLength: 30 }), conditions, fc.nat(10), (tape, fails, patience) => {
        fc.pre(fails(tape));
        let asked = 0;
        const { tape: shrunk, attempts } = shrinkTape(fails, tape, { shouldStop: () => asked++ >= patience });

        expect(fails(shrunk)).toBe(true);
        expect(attempts).toBeLessThanOrEqual(patience);
      }),
    );
  });
});

test('fast-check itself shrinks tapes', () => {
  const faulty = under(/ba/, 2);
  const { counterexample } = fc.check(
    fc.property(anyTape({ maxLength: 40 }), (tape) => !faulty(tape)),
    { numRuns: 2000, seed: 1 },
  );

  expect(counterexample?.[0].filter((pick) => pick !== 0).length).toBeLessThanOrEqual(3);
});
