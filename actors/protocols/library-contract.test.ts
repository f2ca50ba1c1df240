import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ContractSubject, contractOf } from '../../kernel/contract.ts';
import type { Address, LockstepEvent } from '../../kernel/message.ts';
import type { AnyRole } from '../../kernel/protocol/protocol.ts';
import { abdProtocol, abdServer } from './abd-server.ts';
import { alternatingBitProtocol, receiver, sender } from './alternating-bit.ts';
import { bakeryProtocol, customer } from './bakery.ts';
import { time } from './drifting-clocks.ts';
import { counterProtocol, counterReplica } from './gossip-counter.ts';
import { kStateProtocol, ringMachine } from './k-state-ring.ts';
import { mutexProcess, mutexProtocol } from './lamport-mutex.ts';
import { leaseClient, leaseProtocol, leaseServer, storage } from './lease-lock.ts';
import { cache } from './mesi-cache.ts';
import { directory } from './mesi-directory.ts';
import { mesiProtocol } from './mesi-protocol.ts';
import { multiPaxosProtocol, multiPaxosServer } from './multi-paxos.ts';
import { paxosProtocol, paxosServer } from './paxos-server.ts';
import { fork, philosopher, philosophersProtocol } from './philosophers.ts';
import { pingPongProtocol, player } from './ping-pong.ts';
import { raftProtocol } from './raft-protocol.ts';
import { raftServer } from './raft-server.ts';
import { ringElectionProtocol, ringNode } from './ring-election.ts';
import { safeRegister } from './safe-register.ts';
import { singleCopyProtocol, singleCopyServer } from './single-copy-server.ts';
import { slidingWindowProtocol, windowReceiver, windowSender } from './sliding-window.ts';
import { snapshotProcess, snapshotProtocol } from './snapshot.ts';

/** Addresses that parties are placed with: those who send them something, and their own, which is the last. */
const [peers, all] = [
  [0, 1, 2],
  [0, 1, 2, 3],
];

/** Events of a role, and among them often one that leads on. */
const often = (role: AnyRole, event: fc.Arbitrary<LockstepEvent>): fc.Arbitrary<LockstepEvent> =>
  fc.oneof(role.events(fc, { membersOf: () => all as readonly number[] as readonly Address[] }), event);

/** The parties of the protocols of the library. */
const subjects: Readonly<Record<string, ContractSubject>> = {
  'sender of the alternating bit': {
    machine: sender,
    speaks: alternatingBitProtocol.roles.Sender,
    input: () => ({ receiver: 1, messages: 3 }),
    begins: true,
  },
  'receiver of the alternating bit': {
    machine: receiver,
    speaks: alternatingBitProtocol.roles.Receiver,
    input: () => undefined,
  },
  'sender of a window': {
    machine: windowSender,
    speaks: slidingWindowProtocol.roles.Sender,
    input: () => ({ receiver: 1, messages: 4, window: 2, modulus: 3 }),
    begins: true,
  },
  'receiver of a window': {
    machine: windowReceiver,
    speaks: slidingWindowProtocol.roles.Receiver,
    input: () => ({ modulus: 3 }),
  },
  'bottom machine': {
    machine: ringMachine,
    speaks: kStateProtocol.roles.Machine,
    input: () => ({ right: 1, isBottom: true, states: 3 }),
    unreached: ['other'],
    begins: true,
  },
  'other machine': {
    machine: ringMachine,
    speaks: kStateProtocol.roles.Machine,
    input: () => ({ right: 1, isBottom: false, states: 3 }),
    unreached: ['bottom'],
    begins: true,
  },
  'process with a snapshot': {
    machine: snapshotProcess,
    speaks: snapshotProtocol.roles.Process,
    input: () => ({ peers, balance: 2, transfers: 3, begins: true }),
    begins: true,
  },
  'process with a clock': {
    machine: mutexProcess,
    speaks: mutexProtocol.roles.Process,
    input: () => ({ processes: all, rounds: 2 }),
    begins: true,
  },
  'replica of a counter': {
    machine: counterReplica,
    speaks: counterProtocol.roles.Replica,
    input: () => ({ replicas: all, updates: 2 }),
    begins: true,
  },
  'server of Paxos for a log': {
    machine: multiPaxosServer,
    speaks: multiPaxosProtocol.roles.Server,
    input: () => ({ servers: all }),
    // Its first ballot.
    events: often(
      multiPaxosProtocol.roles.Server,
      fc.constant({ type: 'Promise', ballot: 7, log: [] } as LockstepEvent),
    ),
    begins: true,
  },
  'server of Raft': {
    machine: raftServer,
    speaks: raftProtocol.roles.Server,
    input: () => ({ servers: all }),
    // Timers that are not set then.
    undecided: { follower: ['heartbeat'], candidate: ['heartbeat'], leader: ['election'] },
    events: often(
      raftProtocol.roles.Server,
      fc.integer({ min: 1, max: 2 }).map((term) => ({ type: 'Vote', term, granted: true })),
    ),
    runs: 60,
    begins: true,
  },
  'server with a copy of its own': {
    machine: singleCopyServer,
    speaks: singleCopyProtocol.roles.Server,
    input: () => ({ servers: all }),
  },
  'server of an atomic register': {
    machine: abdServer,
    speaks: abdProtocol.roles.Server,
    input: () => ({ servers: all }),
  },
  'server of Paxos': {
    machine: paxosServer,
    speaks: paxosProtocol.roles.Server,
    input: () => ({ servers: all }),
  },
  cache: {
    machine: cache,
    speaks: mesiProtocol.roles.Cache,
    input: () => ({ directory: 0 }),
    runs: 100,
    begins: true,
  },
  directory: { machine: directory, speaks: mesiProtocol.roles.Directory, input: () => undefined },
  'node of a ring': {
    machine: ringNode,
    speaks: ringElectionProtocol.roles.Node,
    input: () => ({ next: 0, id: 1 }),
    begins: true,
  },
  'player who begins': {
    machine: player,
    speaks: pingPongProtocol.roles.Pinger,
    input: () => ({ other: 1, serves: true }),
    unreached: ['awaitingPing'],
    begins: true,
  },
  'player who answers': {
    machine: player,
    speaks: pingPongProtocol.roles.Ponger,
    input: () => ({ other: 1, serves: false }),
    unreached: ['awaitingPong'],
  },
  customer: {
    machine: customer,
    speaks: bakeryProtocol.roles.Customer,
    input: () => ({ index: 0, choosing: [1, 2], numbers: [4, 5], rounds: 2 }),
    begins: true,
  },
  'safe register': {
    machine: safeRegister,
    speaks: bakeryProtocol.roles.Number,
    input: () => ({ values: 3 }),
    // Registers have one writer, who waits for the end.
    undecided: { stable: ['settle'], written: ['Write'] },
  },
  'passing of time': {
    machine: time,
    speaks: leaseProtocol.roles.Time,
    input: () => ({ clocks: [0, 1], drift: 2 }),
    begins: true,
  },
  'server of leases': {
    machine: leaseServer,
    speaks: leaseProtocol.roles.Server,
    input: () => ({ lease: 2 }),
  },
  'client of leases': {
    machine: leaseClient,
    speaks: leaseProtocol.roles.Client,
    input: () => ({ server: 1, storage: 2, term: 2, rounds: 3 }),
    // Timers that are not set then.
    undecided: { resting: ['write'], asking: ['want', 'write'], holding: ['want'] },
    begins: true,
  },
  'storage that refuses old writes': {
    machine: storage,
    speaks: leaseProtocol.roles.Storage,
    input: () => undefined,
  },
  philosopher: {
    machine: philosopher,
    speaks: philosophersProtocol.roles.Philosopher,
    input: () => ({ first: 1, second: 2 }),
    begins: true,
  },
  fork: { machine: fork, speaks: philosophersProtocol.roles.Fork, input: () => undefined },
};

for (const { sentence, failures } of Object.entries(subjects).flatMap(([name, one]) =>
  contractOf(name, { runs: 30, ...one }),
))
  test(sentence, () => expect(failures()).toEqual([]));
