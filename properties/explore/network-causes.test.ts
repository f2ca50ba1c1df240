import { expect, test } from 'vitest';
import { setup } from 'xstate';
import { component, refused } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';
import type { Network } from '../../kernel/network.ts';
import { Wiring } from '../../kernel/wiring.ts';
import { always, atRest } from '../temporal/temporal.ts';
import { explainFailure } from './explain.ts';
import { explanationPage } from './explanation-page.ts';
import { explained, trialsOf } from './testing/explained-trials.ts';

/* What an asynchronous network does can be what decides: it loses a message, stops a party, delivers again what it has delivered. */

type Event = { type: 'deposit' | 'done' | 'commit' } | { type: 'ask' | 'grant'; n?: number };

/** Asks twice, and waits for both answers. */
function asking(network: Network): Wiring {
  const c = component<{ server: Address; got: number }, Event>();
  const client = setup({
    types: {} as { context: { server: Address; got: number }; events: Event; input: Address },
    guards: { isLast: c.when((me) => me.got === 1) },
    actions: {
      ask: c.post((me) => [1, 2].map((n) => ({ to: me.server, type: 'ask', n }))),
      count: c.update((me) => {
        me.got++;
      }),
    },
  }).createMachine({
    id: 'client',
    context: ({ input }) => ({ server: input, got: 0 }),
    initial: 'asking',
    entry: 'ask',
    states: {
      asking: {
        tags: ['waiting'],
        on: { grant: [{ guard: 'isLast', target: 'done' }, { actions: 'count' }] },
      },
      done: {},
    },
  });
  const s = component<{ served: number }, Event>();
  const server = setup({
    types: {} as { context: { served: number }; events: Event },
    actions: {
      answer: s.act((me, event, out) => {
        me.served++;
        if (event.type === 'ask') out.post({ to: out.from, type: 'grant', n: event.n ?? 0 });
      }),
    },
  }).createMachine({ id: 'server', context: { served: 0 }, on: { ask: { actions: 'answer' } } });
  const wiring = new Wiring(network);
  const at = wiring.place('Server', server, undefined);
  wiring.place('Client', client, at);
  return wiring;
}

test.each([
  [
    'lossy',
    { lossy: 1 },
    /a fault struck: drop of (ask n=\d \(Client -> Server\)|grant n=\d \(Server -> Client\)), lost\. Without that fault, and all else the same, the run passes, to its rest/,
  ],
  [
    'crashes',
    { crashes: { max: 1, of: ['Server'] } },
    /a fault struck: crash of Server\. Without that fault, and all else the same, the run passes, to its rest/,
  ],
])('what the network does is named as the cause: %s', (_, network, words) => {
  const { explanation, refuted, page } = explained(trialsOf('asking', () => asking(network)));

  expect(refuted).toEqual([]);
  expect(explanation.causes.causes.flatMap(({ parts }) => parts.map(({ kind }) => kind))).toEqual([
    'network',
  ]);
  expect(page.replaceAll(/\s+/g, ' ')).toMatch(words);
});

test('what passes may leave the boundary, which is no part of what the machine does', () => {
  const bounded = () => {
    const wiring = asking({ lossy: 1 });
    wiring.boundary = (state) => state.actor<{ served: number }>('Server').context.served < 2;
    return wiring;
  };
  // A question is lost.
  const { causes } = explainFailure(trialsOf('asking', bounded), [2])!;

  expect(causes.canonical?.rested).toBe(true);
  expect(causes.causes.map(({ parts }) => parts.map(({ kind }) => kind))).toEqual([['network']]);
});

test('an answer that the network lost was sent', () => {
  const trials = trialsOf('asking', () => asking({ lossy: 1 }));
  // Both questions come, then an answer is lost.
  const explanation = explainFailure(trials, [0, 0, 3])!;
  const page = explanationPage(explanation, { about: 'asking', replay: 'replay', columns: 200 } as never);

  expect(page.replaceAll(/\s+/g, ' ')).toMatch(
    /what it sent then was lost: drop of grant n=\d \(Server -> Client\), lost/,
  );
  expect(page).toMatch(/^ {2}sent +grant n=\d to Client/m);
});

/** Counts what is given until the box is closed, which a copy of what was given may come before. */
function box(): Wiring {
  const g = component<{ box: Address }, Event>();
  const giver = setup({
    types: {} as { context: { box: Address }; events: Event; input: Address },
    actions: {
      give: g.post((me) => ({ to: me.box, type: 'deposit' })),
      close: g.post((me) => ({ to: me.box, type: 'commit' })),
    },
  }).createMachine({
    id: 'giver',
    context: ({ input }) => ({ box: input }),
    initial: 'giving',
    entry: 'give',
    states: {
      giving: { on: { done: { target: 'closing', actions: 'close' } } },
      closing: { on: { done: refused } },
    },
  });
  const b = component<{ balance: number }, Event>();
  const counter = setup({
    types: {} as { context: { balance: number }; events: Event },
    actions: {
      count: b.act((me, _event, out) => {
        me.balance++;
        out.post({ to: out.from, type: 'done' });
      }),
    },
  }).createMachine({
    id: 'counter',
    context: { balance: 0 },
    initial: 'open',
    states: {
      open: { on: { deposit: { actions: 'count' }, commit: 'closed' } },
      closed: { on: { deposit: refused, commit: refused } },
    },
  });
  const wiring = new Wiring({ duplicating: true });
  const at = wiring.place('Box', counter, undefined);
  wiring.place('Giver', giver, at);
  return wiring;
}

test('a message that a duplicating network delivers again has a name of its own, and is named as the cause', () => {
  const { explanation, refuted, page } = explained(
    trialsOf(
      'box',
      box,
      always(
        'what is given once is counted once',
        (state) => state.actor<{ balance: number }>('Box').context.balance <= 1,
      ),
    ),
  );

  expect(refuted).toEqual([]);
  expect(explanation.causes.causes.flatMap(({ parts }) => parts.map(({ kind }) => kind))).toEqual(['again']);
  const words = page.replaceAll(/\s+/g, ' ');
  expect(words).toContain(
    'Box got deposit from Giver, which it had got before. Left until nothing else can be delivered, and all else the same, the run passes, to its rest',
  );
  expect(words).toMatch(/ under way: .*deposit \(Giver -> Box\)/);
  expect(words).not.toContain('that does not come');
});

/** Keeps the last of what is put. */
function cell(): Wiring {
  const c = component<{ x: number }, { type: 'put'; x: number }>();
  const keeping = setup({
    types: {} as { context: { x: number }; events: { type: 'put'; x: number } },
    actions: {
      put: c.update<'put'>((me, { x }) => {
        me.x = x;
      }),
    },
  }).createMachine({ id: 'cell', context: { x: 0 }, on: { put: { actions: 'put' } } });
  const wiring = new Wiring({});
  const to = wiring.place('Cell', keeping, undefined);
  for (const x of [1, 2, 3]) wiring.begin({ to, type: 'put', x });
  return wiring;
}

test('two messages of one type from one sender that overtake each other are told apart', () => {
  const isLast = atRest('the last one stays', (state) => state.actor<{ x: number }>('Cell').context.x !== 2);
  const { explanation, refuted, page } = explained(trialsOf('cell', cell, isLast));

  expect(refuted).toEqual([]);
  expect(explanation.causes.causes.flatMap(({ parts }) => parts.map(({ kind }) => kind))).toContain('order');
  expect(page.replaceAll(/\s+/g, ' ')).toMatch(
    /Cell got put x=3 from world before put x=2 from world\. The other way round, and all else the same, the run passes/,
  );
});

/** Asks once more when it has waited too long, which without time may be at once. */
function impatient(): Wiring {
  const c = component<{ server: Address }, { type: 'grant' | 'late' }>();
  const client = setup({
    types: {} as { context: { server: Address }; events: { type: 'grant' | 'late' }; input: Address },
    actions: {
      ask: c.act(({ server }, _event, out) => {
        out.post({ to: server, type: 'ask' });
        out.setTimer('late');
      }),
      rest: c.act((_me, _event, out) => out.cancelTimer('late')),
      again: c.post(({ server }) => ({ to: server, type: 'ask' })),
    },
  }).createMachine({
    id: 'client',
    context: ({ input }) => ({ server: input }),
    initial: 'asking',
    entry: 'ask',
    states: {
      asking: { on: { grant: { target: 'done', actions: 'rest' }, late: { actions: 'again' } } },
      done: { on: { grant: {} } },
    },
  });
  const s = component<{ served: number }, { type: 'ask' }>();
  const server = setup({
    types: {} as { context: { served: number }; events: { type: 'ask' } },
    actions: {
      serve: s.act((me, _event, out) => {
        me.served++;
        out.post({ to: out.from, type: 'grant' });
      }),
    },
  }).createMachine({ id: 'server', context: { served: 0 }, on: { ask: { actions: 'serve' } } });
  const wiring = new Wiring({});
  const at = wiring.place('Server', server, undefined);
  wiring.place('Client', client, at);
  return wiring;
}

test('a timer that goes off too soon is a cause', () => {
  const once = always(
    'it serves once',
    (state) => state.actor<{ served: number }>('Server').context.served < 2,
  );
  const { refuted, page } = explained(trialsOf('impatient', impatient, once));

  expect(refuted).toEqual([]);
  const words = page.replaceAll(/\s+/g, ' ');
  expect(words).toContain(
    'Client got its timer late before grant from Server. The other way round, so that late does not come, and all else the same, the run passes',
  );
  expect(words).toContain('Client got its timer late; left until nothing else can be delivered it passes');
});

/** One answers x, and counts y, which has nothing to do with it; another one is to be closed before who asked is done. */
function closing(): Wiring {
  type Event = { type: 'x' | 'y' | 'reply' | 'stop' };
  const k = component<{ asker: Address; n: number }, Event>();
  const server = setup({
    types: {} as { context: { asker: Address; n: number }; events: Event; input: Address },
    actions: {
      answer: k.post((me) => ({ to: me.asker, type: 'reply' })),
      count: k.update((me) => {
        me.n++;
      }),
    },
  }).createMachine({
    id: 'server',
    context: ({ input }) => ({ asker: input, n: 0 }),
    on: { x: { actions: 'answer' }, y: { actions: 'count' } },
  });
  const going = (id: string, on: Event['type'], to: string) =>
    setup({ types: {} as { events: Event } }).createMachine({
      id,
      initial: 'before',
      states: { before: { on: { [on]: to } }, [to]: {} },
    });
  const wiring = new Wiring({});
  const asker = wiring.place('Asker', going('asker', 'reply', 'done'), undefined);
  const door = wiring.place('Door', going('door', 'stop', 'closed'), undefined);
  const to = wiring.place('Server', server, asker);
  wiring.begin({ to: door, type: 'stop' });
  wiring.begin({ to, type: 'y' });
  wiring.begin({ to, type: 'x' });
  return wiring;
}

const closed = always(
  'who is done finds the door closed',
  (state) => state.actor('Asker').state !== 'done' || state.actor('Door').state === 'closed',
);

test('two messages to different parties make the difference, and none to the same one is blamed for it', () => {
  const trials = trialsOf('closing', closing, closed);
  // x, then its reply.
  const explanation = explainFailure(trials, [2, 2])!;
  const page = explanationPage(explanation, { about: 'closing', replay: 'replay', columns: 200 } as never);

  expect(page.replaceAll(/\s+/g, ' ')).toContain(
    'In tick 1 Asker got reply from Server before Door got stop from world. The other way round, and all else the same, the run passes',
  );
  expect(page).not.toContain('Server got x from world before y from world');
});
