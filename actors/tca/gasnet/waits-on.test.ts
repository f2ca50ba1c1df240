import { expect, test } from 'vitest';
import type { Address } from '../../../kernel/message.ts';
import { replies } from './layout.ts';
import type { RuntimeContext } from './runtime-context.ts';
import { waitsOn } from './waits-on.ts';

const nodes = 5;
const node = 3;
const rings = replies + 1;
/** What a node is told over a ring: 1000 and more for those that receive, 0 and more for those that send. */
const addresses = (first: number) =>
  Array.from({ length: nodes }, (_, peer) =>
    Array.from({ length: rings }, (__, ring) => (first + 10 * peer + ring) as Address),
  );
const reply = (peer: number): number => 1000 + 10 * peer + replies;

const waiting = (context: object): Address[] =>
  waitsOn({
    blocked: [],
    goal: { goal: 'none' },
    barrier: { round: 0 },
    segments: [],
    groups: {},
    freed: Array.from({ length: nodes }, () => new Array<number>(rings).fill(4)),
    spec: { node, senders: addresses(0), receivers: addresses(1000) },
    ...context,
  } as unknown as RuntimeContext);

test('a full ring lets nothing else be waited for: the last one counts', () => {
  const blocked = [
    { peer: 1, ring: 0 },
    { peer: 2, ring: replies },
  ];

  expect(waiting({ blocked, goal: { goal: 'barrier' } })).toEqual([20 + replies]);
});

test('in round r of a barrier it is the node 2^r before, round the ring', () => {
  const heard = [0, 1, 2].map((round) => waiting({ goal: { goal: 'barrier' }, barrier: { round } }));

  expect(heard).toEqual([[reply(2)], [reply(1)], [reply(4)]]);
});

test('attach waits for all others whose segments are not known', () => {
  expect(waiting({ goal: { goal: 'attach' }, segments: [undefined, {}, undefined, undefined, {}] })).toEqual([
    reply(0),
    reply(2),
  ]);
});

test('groups of puts wait for those rings whose slots are not freed behind them', () => {
  const groups = { 7: { acks: { '1 0': 3, '2 0': 4 } }, 8: { acks: { '4 1': 9 } } };

  expect(waiting({ goal: { goal: 'groups', handles: [7, 8, 9] }, groups })).toEqual([20, 41]);
});

test('what any message may end names nobody', () => {
  expect(waiting({})).toEqual([]);
});
