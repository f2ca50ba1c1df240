import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clock } from '../../actors/chiplet/network/fast/clock.ts';
import { heapClock } from '../../actors/chiplet/network/fast/heap-clock.ts';
import { router } from '../../actors/chiplet/network/fast/router.ts';
import type { SharedState } from '../../actors/chiplet/network/fast/shared-state.ts';
import { flitOf } from '../../actors/chiplet/network/flit.ts';
import { injector } from '../../actors/chiplet/network/injector.ts';
import { link } from '../../actors/chiplet/network/link.ts';
import { networkProtocol } from '../../actors/chiplet/network/protocol.ts';
import { transactions } from '../../actors/chiplet/network/transactions.ts';
import { type ContractSubject, contractOf } from '../../kernel/contract.ts';
import { wireNetwork } from '../../machines/chiplet/assembly.ts';
import { networkConfig } from '../../machines/chiplet/config.ts';
import { planOf } from '../../machines/chiplet/plan.ts';

/** Packets of a mesh of 2 by 2; packets 4 and 5 arrive at router 0 from a neighbour. */
const packets = [
  { time: 1, source: 0, target: 3, size: 2 },
  { time: 1.5, source: 0, target: 1, size: 1 },
  { time: 2, source: 1, target: 2, size: 3 },
  { time: 3, source: 0, target: 0, size: 2 },
  { time: 5, source: 1, target: 0, size: 2 },
  { time: 6, source: 2, target: 1, size: 3 },
];

/** What the actor of a name is made from, in a network that has done nothing. */
function inputOf(name: string, changes: object = {}): unknown {
  const config = networkConfig.parse({ A: 2, V: 2, B: 3, O: 1, F: 1, T: 40, ...changes });
  const all = packets.map(() => ({ targetCycle: 9, acknowledged: true }));
  const plan = planOf(config, packets, name === 'Transactions' ? all : undefined);
  const { wiring, holder } = wireNetwork(plan);
  const sharedState = holder as SharedState;
  for (const number of [2, 4, 5])
    for (let place = 0; place < packets[number]!.size; place++)
      sharedState.payload.write(flitAt(number, place), number, Int32Array.of(77 * number, place));
  return wiring.complete.find((placement) => placement.name === name)!.input;
}

const firsts = packets.map((_, number) => packets.slice(0, number).reduce((sum, { size }) => sum + size, 0));
const flitAt = (packet: number, place: number): number =>
  flitOf(firsts[packet]!, place, packets[packet]!.size);

const cycle = fc.integer({ min: 1, max: 60 });
const arriving = fc.constantFrom(flitAt(4, 0), flitAt(4, 1), flitAt(5, 0), flitAt(5, 1), flitAt(5, 2));
const channel = fc.nat(1);
const change = fc.nat(9);
const due = fc.record({ type: fc.constant('packets.due'), at: fc.integer({ min: 1, max: 9 }), cycle });
const turn = fc.record({ type: fc.constant('router.turn'), cycle });
const arrival = fc.record({
  type: fc.constant('flit.arrive'),
  port: fc.constantFrom(2, 4),
  channel,
  flit: arriving,
  change,
  cycle,
});
const credit = fc.record({ type: fc.constant('credit.return'), port: fc.constantFrom(2, 4), channel, cycle });
const wanted = fc.record({ type: fc.constant('cycle.wanted'), cycle });
const late = fc.record({
  type: fc.constant('wire.late'),
  first: fc.boolean(),
  at: fc.constantFrom(40.9, 41),
  cycle: fc.constant(40),
  link: fc.constantFrom(2, 4),
  port: fc.constant(1),
  channel,
  flit: arriving,
  change,
});
const lateCredit = fc.constant({ type: 'credit.late' });
const settle = fc.record({ type: fc.constant('clock.settle'), over: fc.boolean() });

const { roles } = networkProtocol;

const subjects: Readonly<Record<string, ContractSubject>> = {
  router: {
    speaks: roles.Router,
    machine: router,
    input: () => inputOf('Router[0]', { B: 1 }),
    events: fc.oneof({ arbitrary: due, weight: 2 }, { arbitrary: turn, weight: 12 }, arrival, credit, {
      arbitrary: fc.constant({ type: 'network.stop' }),
      weight: 1,
    }),
    eventsMax: 30,
    // A turn comes only to a router that has asked for it.
    undecided: { empty: ['router.turn'], blocked: ['router.turn'] },
  },
  'router with its own stream': {
    speaks: roles.Router,
    machine: router,
    input: () => inputOf('Router[0]', { B: 1, random: 'perRouter' }),
    events: fc.oneof({ arbitrary: due, weight: 2 }, { arbitrary: turn, weight: 12 }, arrival, credit),
    eventsMax: 30,
    undecided: { empty: ['router.turn'], blocked: ['router.turn'] },
    unreached: ['stopped'],
  },
  link: {
    speaks: roles.Link,
    machine: link,
    input: () => inputOf('Link[0.2]'),
    events: fc.record({ type: fc.constant('link.carry'), flit: arriving, channel, change, cycle }),
  },
  injector: {
    speaks: roles.Injector,
    machine: injector,
    input: () => inputOf('Injector'),
    events: fc.oneof(
      fc.record({ type: fc.constant('injector.turn'), cycle: fc.integer({ min: 1, max: 9 }) }),
      fc.constant({ type: 'packets.taken' }),
      fc.record({
        type: fc.constant('packet.offer'),
        cause: fc.nat(5),
        cycle: fc.constant(2),
        seen: fc.integer({ min: 3, max: 6 }),
        time: fc.integer({ min: 2, max: 5 }),
        source: fc.nat(3),
        target: fc.nat(3),
        size: fc.constant(1),
      }),
    ),
    // Routers answer only when they were told something.
    undecided: { resting: ['packets.taken'] },
  },
  clock: {
    speaks: roles.Clock,
    machine: clock,
    input: () => inputOf('Clock'),
    events: fc.oneof(wanted, late, lateCredit, settle),
  },
  'heap clock': {
    speaks: roles.Clock,
    machine: heapClock,
    input: () => inputOf('Clock', { ties: 'heap' }),
    events: fc.oneof(
      { arbitrary: fc.constant({ type: 'cycle.wanted', cycle: 0 }), weight: 8 },
      fc.record({ type: fc.constant('turns.done'), cycle }),
      late,
      fc.constant({ type: 'clock.settle', over: true }),
    ),
    undecided: {
      beginning: ['turns.done', 'wire.late', 'clock.settle'],
      closed: ['turns.done', 'clock.settle'],
    },
  },
  'heap clock of the LegoSim edition': {
    speaks: roles.Clock,
    machine: heapClock,
    input: () => inputOf('Clock', { ties: 'legosim' }),
    events: fc.oneof(
      { arbitrary: fc.constant({ type: 'cycle.wanted', cycle: 0 }), weight: 8 },
      fc.record({ type: fc.constant('turns.done'), cycle }),
      late,
      fc.constant({ type: 'clock.settle', over: true }),
    ),
    undecided: {
      beginning: ['turns.done', 'wire.late', 'clock.settle'],
      closed: ['turns.done', 'clock.settle'],
    },
  },
  transactions: {
    speaks: roles.Transactions,
    machine: transactions,
    input: () => inputOf('Transactions'),
    events: fc.record({ type: fc.constant('packet.delivered'), packet: fc.nat(5), cycle }),
  },
};

describe.each(Object.entries(subjects))('%s', (name, subject) => {
  for (const { sentence, failures } of contractOf(name, subject))
    test(sentence, () => expect(failures()).toEqual([]));
});
