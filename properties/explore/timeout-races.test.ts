import { describe, expect, test } from 'vitest';
import { setup } from 'xstate';
import { component, refused } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';
import { Wiring } from '../../kernel/wiring.ts';
import { always, atRest, never, shown } from '../temporal/temporal.ts';
import { explained, trialsOf } from './testing/explained-trials.ts';

/*
 * What somebody outside found who read explanations of faults of his own: a timer races with the message that cancels it, a decision with the one that makes it void, and sentences that are about
 * two moments or about the state of everybody.
 */

type Event =
  | { type: 'deposit' | 'done' | 'retry' | 'prepare' | 'yes' | 'commit' | 'abort' | 'timeout' }
  | { type: 'want' | 'ask' | 'grant'; n?: number };

/** Asks the bank for a deposit, and again when it takes long; the bank books each of them. */
function bank(): Wiring {
  const t = component<{ bank: Address }, Event>();
  const teller = setup({
    types: {} as { context: { bank: Address }; events: Event; input: { bank: Address } },
    actions: {
      ask: t.act((me, _event, out) => {
        out.post({ to: me.bank, type: 'deposit' });
        out.setTimer('retry');
      }),
      calm: t.act((_me, _event, out) => out.cancelTimer('retry')),
    },
  }).createMachine({
    id: 'teller',
    context: ({ input }) => input,
    initial: 'asking',
    entry: 'ask',
    states: {
      asking: {
        on: { done: { target: 'calm', actions: 'calm' }, retry: { target: 'again', actions: 'ask' } },
      },
      again: { on: { done: { actions: 'calm' }, retry: refused } },
      calm: { on: { done: refused } },
    },
  });
  const b = component<{ balance: number }, Event>();
  const account = setup({
    types: {} as { context: { balance: number }; events: Event },
    actions: {
      book: b.act((me, _event, out) => {
        me.balance++;
        out.post({ to: out.from, type: 'done' });
      }),
    },
  }).createMachine({ id: 'account', context: { balance: 0 }, on: { deposit: { actions: 'book' } } });
  const wiring = new Wiring({});
  const at = wiring.place('Account', account, undefined);
  wiring.place('Teller', teller, { bank: at });
  return wiring;
}

describe('a timer that the message behind it would have cancelled', () => {
  test('is named as the cause', () => {
    const { explanation, refuted, page } = explained(
      trialsOf(
        'bank',
        bank,
        atRest(
          'each deposit is booked once',
          (state) => state.actor<{ balance: number }>('Account').context.balance === 1,
        ),
      ),
    );

    expect(refuted).toEqual([]);
    const parts = explanation.causes.causes.flatMap((cause) => cause.parts);
    expect(
      parts.map((part) => part.kind === 'order' && [part.first.message.event.type, part.gone]),
    ).toContainEqual(['retry', true]);
    expect(page.replaceAll(/\s+/g, ' ')).toContain('its timer retry before');
    expect(page.replaceAll(/\s+/g, ' ')).toContain('so that retry does not come');
  });
});

/** Decides to commit, and forgets to cancel its timeout. */
function commit(): Wiring {
  const t = component<{ parts: readonly Address[]; yes: number }, Event>();
  const coordinator = setup({
    types: {} as {
      context: { parts: readonly Address[]; yes: number };
      events: Event;
      input: readonly Address[];
    },
    guards: { isLast: t.when((me) => me.yes === me.parts.length - 1) },
    actions: {
      prepare: t.act((me, _event, out) => {
        for (const to of me.parts) out.post({ to, type: 'prepare' });
        out.setTimer('timeout');
      }),
      count: t.update((me) => {
        me.yes++;
      }),
      commit: t.post((me) => me.parts.map((to) => ({ to, type: 'commit' }))),
      abort: t.post((me) => me.parts.map((to) => ({ to, type: 'abort' }))),
    },
  }).createMachine({
    id: 'coordinator',
    context: ({ input }) => ({ parts: input, yes: 0 }),
    initial: 'collecting',
    entry: 'prepare',
    states: {
      collecting: {
        on: {
          yes: [{ guard: 'isLast', target: 'committed', actions: 'commit' }, { actions: 'count' }],
          timeout: { target: 'aborted', actions: 'abort' },
        },
      },
      committed: { on: { timeout: { target: 'aborted', actions: 'abort' }, yes: refused } },
      aborted: { on: { yes: refused, timeout: refused } },
    },
  });
  const p = component<Record<string, never>, Event>();
  const participant = setup({
    types: {} as { context: Record<string, never>; events: Event },
    actions: { vote: p.post((_me, _event, { from }) => ({ to: from, type: 'yes' })) },
  }).createMachine({
    id: 'participant',
    context: {},
    initial: 'working',
    states: {
      working: { on: { prepare: { target: 'voted', actions: 'vote' }, abort: 'aborted' } },
      voted: { on: { commit: 'committed', abort: 'aborted' } },
      committed: { on: { abort: refused } },
      aborted: { on: { prepare: refused, commit: refused, abort: refused } },
    },
  });
  const wiring = new Wiring({});
  const at = wiring.reserve('Coordinator');
  const parts = ['Part[0]', 'Part[1]'].map((name) => wiring.place(name, participant, undefined));
  wiring.place(at, coordinator, parts);
  return wiring;
}

test('a sentence about the state of everybody is led to by what everybody did', () => {
  const { refuted, page } = explained(
    trialsOf(
      'commit',
      commit,
      always('nobody commits while another one aborts', (state) => {
        const states = state.named('Part[*]').map((one) => one.state);
        return !(states.includes('committed') && states.includes('aborted'));
      }),
    ),
  );

  expect(refuted).toEqual([]);
  for (const type of [
    'timeout; committed -> aborted',
    'abort; voted -> aborted',
    'commit; voted -> committed',
  ])
    expect(page).toContain(type);
});

/** Two who lead one after the other, for reasons that have nothing to do with each other. */
function leaders(): Wiring {
  const k = component<Record<string, never>, Event>();
  const node = setup({
    types: {} as { context: Record<string, never>; events: Event },
    actions: {
      begin: k.post((_me, _event, { self }) => ({ to: self, type: 'want' })),
      lead: k.act((_me, _event, out) => {
        if (out.pick('leads', 2) === 1) out.probe({ type: 'leads' });
      }),
    },
  }).createMachine({ id: 'node', context: {}, entry: 'begin', on: { want: { actions: 'lead' } } });
  const wiring = new Wiring({});
  for (const name of ['Node[0]', 'Node[1]']) wiring.place(name, node, undefined);
  return wiring;
}

test('both moments of a sentence with a scope are told', () => {
  const { explanation } = explained(
    trialsOf('leaders', leaders, never('no second leader', shown('leads'), { after: shown('leads') })),
  );

  expect(new Set(explanation.telling.ranked.map(({ to }) => to))).toEqual(new Set(['Node[0]', 'Node[1]']));
});

/** Lends to one at a time, and writes those who wait over each other. */
function lender(): Wiring {
  const s = component<{ holder: number; next: number }, Event>();
  const server = setup({
    types: {} as { context: { holder: number; next: number }; events: Event },
    guards: { isFree: s.when((me) => me.holder < 0) },
    actions: {
      lend: s.act((me, _event, out) => {
        me.holder = out.from;
        out.post({ to: out.from, type: 'grant' });
      }),
      note: s.update((me, _event, { from }) => {
        me.next = from;
      }),
      pass: s.act((me, _event, out) => {
        if (me.next >= 0) out.post({ to: me.next as Address, type: 'grant' });
        [me.holder, me.next] = [me.next, -1];
      }),
    },
  }).createMachine({
    id: 'server',
    context: { holder: -1, next: -1 },
    on: { ask: [{ guard: 'isFree', actions: 'lend' }, { actions: 'note' }], done: { actions: 'pass' } },
  });
  const c = component<{ server: Address }, Event>();
  const client = setup({
    types: {} as { context: { server: Address }; events: Event; input: Address },
    actions: {
      ask: c.post((me) => ({ to: me.server, type: 'ask' })),
      giveBack: c.post((me) => ({ to: me.server, type: 'done' })),
    },
  }).createMachine({
    id: 'client',
    context: ({ input }) => ({ server: input }),
    initial: 'waiting',
    states: {
      waiting: { entry: 'ask', tags: ['waiting'], on: { grant: { target: 'done', actions: 'giveBack' } } },
      done: {},
    },
  });
  const wiring = new Wiring({});
  const at = wiring.place('Server', server, undefined);
  for (const name of ['Client[0]', 'Client[1]', 'Client[2]']) wiring.place(name, client, at);
  return wiring;
}

test('a deadlock tells what became of what was written down', () => {
  const { explanation, page } = explained(trialsOf('lender', lender));

  expect(explanation.failure.verdict).toBe('deadlock');
  expect(page.replaceAll(/\s+/g, ' ')).toMatch(
    /its next went from -1 to \d; with ask from Client\[\d\] in tick \d+ it went from \d to \d/,
  );
});
