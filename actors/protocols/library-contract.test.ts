import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ContractSubject, contractOf } from '../../kernel/contract.ts';
import { receiver, sender } from './alternating-bit.ts';
import { customer } from './bakery.ts';
import { time } from './drifting-clocks.ts';
import { counterReplica } from './gossip-counter.ts';
import { bottomMachine, otherMachine } from './k-state-ring.ts';
import { mutexProcess } from './lamport-mutex.ts';
import { leaseClient, leaseServer, storage } from './lease-lock.ts';
import { multiPaxosServer } from './multi-paxos.ts';
import { fork, philosopher } from './philosophers.ts';
import { safeRegister } from './safe-register.ts';
import { windowReceiver, windowSender } from './sliding-window.ts';
import { snapshotProcess } from './snapshot.ts';

const event = <T extends string>(...types: readonly T[]) => fc.record({ type: fc.constantFrom(...types) });
/** Who posts the events of the kit, and who gets them. */
const [outside, self] = [-1, 3];
const few = fc.nat(2);
const entries = fc.tuple(few, few);

/** The parties of the protocols of the library. Random events come from the outside, which is a peer where parties know each other. */
const subjects: Readonly<Record<string, ContractSubject>> = {
  'sender of the alternating bit': {
    machine: sender,
    input: () => ({ receiver: 1, messages: 3 }),
    events: fc.oneof(event('resend'), fc.record({ type: fc.constant('Ack'), bit: fc.nat(1) })),
  },
  'receiver of the alternating bit': {
    machine: receiver,
    input: () => undefined,
    events: fc.record({ type: fc.constant('Data'), bit: fc.nat(1), value: few }),
  },
  'sender of a window': {
    machine: windowSender,
    input: () => ({ receiver: 1, messages: 4, window: 2, modulus: 3 }),
    events: fc.oneof(event('send', 'timeout'), fc.record({ type: fc.constant('Ack'), number: few })),
  },
  'receiver of a window': {
    machine: windowReceiver,
    input: () => ({ modulus: 3 }),
    events: fc.record({ type: fc.constant('Data'), number: few, value: few }),
  },
  'bottom machine': {
    machine: bottomMachine,
    input: () => ({ right: 1, states: 3 }),
    events: fc.record({ type: fc.constant('State'), value: few }),
  },
  'other machine': {
    machine: otherMachine,
    input: () => ({ right: 1, states: 3 }),
    events: fc.record({ type: fc.constant('State'), value: few }),
  },
  'process with a snapshot': {
    machine: snapshotProcess,
    input: () => ({ peers: [outside], balance: 2, transfers: 3, begins: true }),
    events: fc.oneof(
      event('Marker', 'transfer', 'snapshot'),
      fc.record({ type: fc.constant('Transfer'), amount: few }),
    ),
  },
  'process with a clock': {
    machine: mutexProcess,
    input: () => ({ processes: [outside, self], rounds: 2 }),
    events: fc.oneof(
      event('Ack', 'Release', 'want', 'leave'),
      fc.record({ type: fc.constant('Request'), time: few }),
    ),
  },
  'replica of a counter': {
    machine: counterReplica,
    input: () => ({ replicas: [outside, self], updates: 2 }),
    events: fc.oneof(
      event('update', 'gossip'),
      fc.record({ type: fc.constant('State'), ups: entries, downs: entries, seen: entries }),
    ),
  },
  'server of Paxos for a log': {
    machine: multiPaxosServer,
    input: () => ({ servers: [outside, self] }),
    events: fc.oneof(
      event('prepare'),
      fc.record({ type: fc.constant('Command'), value: few }),
      fc.record({ type: fc.constant('Prepare'), ballot: fc.nat(9) }),
      fc.record({
        type: fc.constant('Promise'),
        ballot: fc.nat(9),
        log: fc.array(fc.record({ ballot: few, value: few }), { maxLength: 2 }),
      }),
      fc.record({ type: fc.constant('Accept'), ballot: fc.nat(9), slot: few, value: few }),
      fc.record({ type: fc.constant('Accepted'), ballot: fc.nat(9), slot: fc.constant(0) }),
    ),
  },
  customer: {
    machine: customer,
    input: () => ({ index: 0, choosing: [1, 2], numbers: [4, 5], rounds: 2 }),
    events: fc.oneof(
      event('Written', 'want', 'leave'),
      fc.record({ type: fc.constant('Value'), value: few }),
    ),
  },
  'safe register': {
    machine: safeRegister,
    input: () => ({ values: 3 }),
    events: fc.oneof(event('Read', 'settle'), fc.record({ type: fc.constant('Write'), value: few })),
    // Registers have one writer, who waits for the end.
    undecided: { stable: ['settle'], written: ['Write'] },
  },
  'passing of time': {
    machine: time,
    input: () => ({ clocks: [0, 1], drift: 2 }),
    events: event('tick', 'Ticked'),
  },
  'server of leases': {
    machine: leaseServer,
    input: () => ({ lease: 2 }),
    events: event('Request', 'Tick'),
  },
  'client of leases': {
    machine: leaseClient,
    input: () => ({ server: 1, storage: 2, term: 2, rounds: 3 }),
    events: fc.oneof(event('Tick', 'want', 'write'), fc.record({ type: fc.constant('Grant'), token: few })),
    // Timers that are not set then.
    undecided: { resting: ['write'], asking: ['want', 'write'], holding: ['want'] },
  },
  'storage that refuses old writes': {
    machine: storage,
    input: () => undefined,
    events: fc.record({ type: fc.constant('Write'), token: few }),
  },
  philosopher: {
    machine: philosopher,
    input: () => ({ first: 1, second: 2 }),
    events: event('Grant', 'hungry', 'full'),
  },
  fork: { machine: fork, input: () => undefined, events: event('Ask', 'Release') },
};

// These parties begin by themselves: what they are asked to do comes from no part of the model.
for (const { sentence, failures } of Object.entries(subjects)
  .flatMap(([name, one]) => contractOf(name, { runs: 30, ...one }))
  .filter((one) => !one.sentence.endsWith('it does nothing unasked')))
  test(sentence, () => expect(failures()).toEqual([]));
