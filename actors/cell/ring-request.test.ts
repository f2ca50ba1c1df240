import fc from 'fast-check';
import { expect, test } from 'vitest';
import { setup } from 'xstate';
import { contractOf } from '../../kernel/contract.ts';
import { Run } from '../../kernel/run.ts';
import { Wiring } from '../../kernel/wiring.ts';
import { type ArbitrationRule, arbitrationRules } from './arbitration-rule.ts';
import { type CellMessage, cellProtocol } from './protocol.ts';
import { ringRequest } from './ring-request.ts';
import type { Way } from './ring-state.ts';

const inputOf = (rule: ArbitrationRule) => () => ({ arbiter: 9, N: 8, K: 1, rule });
/** A way of some nodes that is free in cycle 4, or from a later one on. */
const way = (dir: 0 | 1, nodes: number) =>
  fc
    .record({ gap: fc.nat(3), freeFrom: fc.constantFrom(4, 5, 6, 30), freeRing: fc.nat(1) })
    .map((one) => ({ ...one, dir, nodes, ring: one.freeFrom === 4 ? one.freeRing : -1 }));
const ways = fc.integer({ min: 2, max: 8 }).chain((nodes) => fc.tuple(way(0, nodes), way(1, 10 - nodes)));
const seldom = <T, U>(one: fc.Arbitrary<T>, usual: U) =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: one });
const values = {
  'segment.wanted.size': fc.integer({ min: 1, max: 6 }),
  start: fc.constant(4),
  urgent: seldom(fc.constant(true), false),
  plan: seldom(fc.record({ dir: fc.nat(1), ring: fc.nat(1) }), null),
  ways,
  others: fc.nat(4),
};

// The arbiter tells a request each thing once, in the order of its life.
const offered = ['segment.wanted', 'segment.offered', 'machine.stop'];
const over = [...offered, 'segment.freed'];
const waits = ['segment.wanted', 'segment.freed'];
const undecided = {
  new: ['segment.offered', 'segment.freed', 'machine.stop'],
  'pending.eligible': waits,
  'pending.blocked': waits,
  'pending.detourTooDear': waits,
  'pending.reserved': waits,
  'granted.firstWay': offered,
  'granted.otherWay': offered,
  'granted.detour': offered,
  'granted.urgently': offered,
  'granted.asPlanned': offered,
  over,
  unfinished: over,
};

for (const [name, unreached] of [
  ['sjf-detour', ['granted.otherWay']],
  ['etalon-ff', ['granted.detour', 'pending.detourTooDear']],
] as const) {
  for (const { sentence, failures } of contractOf(`ring request under ${name}`, {
    machine: ringRequest,
    input: inputOf(arbitrationRules[name]),
    speaks: cellProtocol.roles['Arbiter.Spu.Request'],
    values,
    undecided: Object.fromEntries(
      Object.entries(undecided).filter(([state]) => !(unreached as readonly string[]).includes(state)),
    ),
    unreached,
    runs: 200,
    eventsMax: 8,
  })) {
    test(sentence, () => expect(failures()).toEqual([]));
  }
}

const free = (dir: 0 | 1, nodes: number, gap = 0): Way => ({
  dir,
  nodes,
  ring: 0,
  gap,
  freeFrom: 4,
  freeRing: 0,
});
const busy = (dir: 0 | 1, nodes: number, freeFrom: number): Way => ({
  dir,
  nodes,
  ring: -1,
  gap: 0,
  freeFrom,
  freeRing: 0,
});

const listener = setup({}).createMachine({
  id: 'listener',
  initial: 'listening',
  states: {
    listening: { on: { 'segment.taken': {}, 'segment.declined': {}, 'segment.reserved': {} } },
  },
});

/** The state a request of 2 bytes is in after an offer, and what it answers. */
function answerTo(
  policy: keyof typeof arbitrationRules,
  ways: CellMessage<'segment.offered'>['ways'],
  rest: Partial<CellMessage<'segment.offered'>> = {},
): readonly [state: string, answer: string] {
  const wiring = new Wiring();
  const arbiter = wiring.reserve('arbiter');
  const to = wiring.place('request', ringRequest, { arbiter, N: 8, K: 1, rule: arbitrationRules[policy] });
  wiring.place(arbiter, listener, {});
  wiring.begin({ to, type: 'segment.wanted', size: 2 } as never);
  const offer = {
    type: 'segment.offered',
    start: 4,
    urgent: false,
    plan: null,
    ways,
    others: 1,
    heldBy: [],
    ...rest,
  };
  wiring.begin({ to, ...offer } as never);
  const run = new Run(wiring);
  const answers: string[] = [];
  run.messages$.subscribe(({ message, from }) => {
    if (from !== 'request') return;
    const { type, dir } = message.event as { type: string; dir?: number };
    answers.push(dir === undefined ? type : `${type} ${dir}`);
  });
  run.toEnd();
  return [run.part('request').configuration.name, answers.join(', ')];
}

test.each([
  // Step 2 a: a free segment of the short way; of two equally short ones the tighter, direction 0 of equals (17.3).
  ['sjf-detour', [free(0, 3), free(1, 7)], {}, 'granted.firstWay', 'segment.taken 0'],
  ['sjf-detour', [free(0, 5, 2), free(1, 5, 1)], {}, 'granted.firstWay', 'segment.taken 1'],
  ['sjf-detour', [free(0, 5, 2), free(1, 5, 2)], {}, 'granted.firstWay', 'segment.taken 0'],
  // Step 2 b: 5·8·1·benefit against 5·(2·4)·1 + 2·4 = 48.
  ['sjf-detour', [busy(0, 3, 6), free(1, 7)], {}, 'granted.detour', 'segment.taken 1'],
  ['sjf-detour', [busy(0, 3, 5), free(1, 7)], {}, 'pending.detourTooDear', 'segment.declined'],
  // Step 2 c.
  ['sjf-detour', [busy(0, 3, 6), busy(1, 7, 9)], {}, 'pending.blocked', 'segment.declined'],
  // Direction 0 first, whatever is shorter; both directions at no price (17.2).
  ['etalon-ff', [free(0, 7), free(1, 3)], {}, 'granted.firstWay', 'segment.taken 0'],
  ['etalon-ff', [busy(0, 3, 5), free(1, 7)], {}, 'granted.otherWay', 'segment.taken 1'],
  ['fifo-both', [free(0, 7), free(1, 3)], {}, 'granted.firstWay', 'segment.taken 1'],
  // Urgent: the segment that is free first, the short one of equals (17.5).
  ['sjf-detour', [busy(0, 3, 6), free(1, 7)], { urgent: true }, 'granted.urgently', 'segment.taken 1'],
  ['sjf-detour', [busy(0, 3, 6), busy(1, 7, 6)], { urgent: true }, 'pending.reserved', 'segment.reserved 0'],
  [
    'sjf-plan',
    [free(0, 3), free(1, 7)],
    { plan: { dir: 1, ring: 0 } },
    'granted.asPlanned',
    'segment.taken 1',
  ],
] as const)('under %s, offered %j %j, a request is %s', (policy, ways, rest, state, answer) => {
  expect(answerTo(policy, ways, rest)).toEqual([state, answer]);
});
