import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { setup } from 'xstate';
import { Explorer } from './explore/explorer.ts';
import { byAllTapes, byExploration } from './explore/testing/by-all-tapes.ts';
import { component } from './kit.ts';
import type { Address } from './message.ts';
import { Run } from './run.ts';
import { memberOf, Wiring } from './wiring.ts';

type Ask = { readonly type: 'ask'; readonly number: number };
type Work = { readonly type: 'work'; readonly number: number };
type Done = { readonly type: 'done'; readonly number: number };
type Answer = { readonly type: 'answer'; readonly number: number };

interface DeskContext {
  readonly clerks: Address;
  readonly delays: readonly number[];
  asker: number;
  sum: number;
}
const desks = component<DeskContext, Ask | Done, Work | Answer>();
/** Has one of its clerks work on each question, and adds up so that the order shows. */
const desk = setup({
  types: {} as { context: DeskContext; events: Ask | Done; input: Pick<DeskContext, 'clerks' | 'delays'> },
  actions: {
    note: desks.update<'ask'>((c, _ask, { from }) => {
      c.asker = from;
    }),
    hand: desks.post<'ask'>((c, { number }) => ({
      to: memberOf(c.clerks, number % 2),
      type: 'work',
      number,
    })),
    add: desks.update<'done'>((c, { number }) => {
      c.sum = (3 * c.sum + number) % 101;
    }),
    answer: desks.post<'done'>((c, { number }) => ({
      to: c.asker as Address,
      type: 'answer',
      number,
      delay: c.delays[number % c.delays.length]!,
    })),
  },
}).createMachine({
  id: 'desk',
  context: ({ input }) => ({ ...input, asker: -1, sum: 0 }),
  initial: 'free',
  states: {
    free: { on: { ask: { target: 'working', actions: ['note', 'hand'] } } },
    working: { on: { done: { target: 'free', actions: ['add', 'answer'] } } },
  },
});

const clerks = component<{ readonly desk: Address; turns: number }, Work, Done>();
const clerk = setup({
  types: {} as { context: { desk: Address; turns: number }; events: Work; input: Address },
  actions: {
    count: clerks.update((c) => {
      c.turns = (c.turns + 1) % 3;
    }),
    done: clerks.post<'work'>((c, { number }) => ({ to: c.desk, type: 'done', number: number + c.turns })),
  },
}).createMachine({
  id: 'clerk',
  context: ({ input }) => ({ desk: input, turns: 0 }),
  initial: 'ready',
  states: { ready: { on: { work: { actions: ['count', 'done'] } } } },
});

interface AskerContext {
  readonly desk: Address;
  left: number;
  heard: number;
}
const askers = component<AskerContext, Answer, Ask>();
const asker = setup({
  types: {} as { context: AskerContext; events: Answer; input: Omit<AskerContext, 'heard'> },
  guards: { goesOn: askers.when((c) => c.left > 0) },
  actions: {
    hear: askers.update<'answer'>((c, { number }) => {
      c.left--;
      c.heard = (2 * c.heard + number) % 11;
    }),
    ask: askers.post((c) => ({ to: c.desk, type: 'ask', number: c.heard })),
  },
}).createMachine({
  id: 'asker',
  context: ({ input }) => ({ ...input, heard: 0 }),
  initial: 'waiting',
  states: {
    waiting: { on: { answer: [{ guard: 'goesOn', actions: ['hear', 'ask'] }, { actions: 'hear' }] } },
  },
});

/** Some askers at one desk, or each other one at a second desk. */
function office(
  delays: readonly number[],
  left: readonly number[],
  deskCount: number,
  posts: Address[] = [],
) {
  const wiring = new Wiring();
  const places = Array.from({ length: deskCount }, (_, k) => wiring.reserve(`Desk[${k}]`));
  for (const [k, at] of places.entries()) {
    const first = wiring.family(`Desk[${k}].Clerk`, () => ({ machine: clerk, input: at }), at);
    posts.push(first);
    wiring.place(at, desk, { clerks: first, delays });
  }
  for (const [k, count] of left.entries()) {
    const at = wiring.place(`Asker[${k}]`, asker, { desk: places[k % deskCount]!, left: count });
    wiring.begin({ to: at, type: 'answer', number: k } as never);
  }
  return wiring;
}

describe('actors inside another one', () => {
  test('handle what is said within at once, and speak to the outside as the actor that they are inside of', () => {
    const run = new Run(office([0], [1, 1], 1));
    const heard: string[] = [];
    run.messages$.subscribe(({ from, to, message }) => heard.push(`${from} ${to} ${message.event.type}`));
    run.toEnd();

    expect(heard).toEqual([
      'world Asker[0] answer',
      'world Asker[1] answer',
      'Asker[0] Desk[0] ask',
      'Desk[0] Desk[0].Clerk[0] work',
      'Desk[0].Clerk[0] Desk[0] done',
      'Asker[1] Desk[0] ask',
      'Desk[0] Desk[0].Clerk[1] work',
      'Desk[0].Clerk[1] Desk[0] done',
      'Desk[0] Asker[0] answer',
      'Desk[0] Asker[1] answer',
    ]);
    expect(run.outcome.verdict).toBe('ok');
  });

  test('are explored in all schedules of the outside, as runs under all tapes come to', () => {
    let compared = 0;
    const cases = fc.record({
      delays: fc.array(fc.nat(2), { minLength: 1, maxLength: 3 }),
      left: fc.array(fc.integer({ min: 1, max: 2 }), { minLength: 2, maxLength: 3 }),
      deskCount: fc.integer({ min: 1, max: 2 }),
    });
    fc.assert(
      fc.property(cases, ({ delays, left, deskCount }) => {
        const make = () => office(delays, left, deskCount);
        const expected = byAllTapes(make, [], 500);
        fc.pre(expected !== undefined);
        const { ways: _ways, ...everything } = expected;
        compared++;

        for (const reduction of [false, true]) {
          const explorer = new Explorer(make, { findingsMax: Number.POSITIVE_INFINITY, reduction });
          explorer.toEnd();

          expect(byExploration(explorer)).toEqual(everything);
        }
      }),
      { numRuns: 25, seed: 18 },
    );
    expect(compared).toBeGreaterThan(12);
  });

  test('hear nobody outside, who is refused by name', () => {
    const [firsts, wiring]: [Address[], Wiring] = [[], new Wiring()];
    const made = office([0], [1], 1, firsts);
    made.begin({ to: firsts[0]!, type: 'work' });

    expect(() => new Run(made)).toThrow(
      'KRN005 world: "work" was posted to Desk[0].Clerk[0], which is inside Desk[0]: only that actor and others inside it may, without a delay',
    );
    expect(() => wiring.family('Clerk', () => ({ machine: clerk, input: 0 }), 7 as Address)).toThrow(
      'KRN021',
    );
    expect(() => new Wiring({}).family('Clerk', () => ({ machine: clerk, input: 0 }), 0 as Address)).toThrow(
      'KRN016',
    );
  });

  test('do not crash, nor does the actor around them', () => {
    const crash = { kind: 'crash', actor: 'Desk[*]', probability: 1 } as const;

    expect(() => new Run(office([0], [1], 1), { faults: [crash] })).toThrow(
      'KRN005 Desk[0]: the fault that crashes "Desk[*]" would stop it and leave the actors inside it as they are',
    );
    expect(new Run(office([0], [1], 1), { faults: [{ ...crash, actor: 'Asker[0]' }] }).toEnd().verdict).toBe(
      'ok',
    );
  });
});
