import { describe, expect, test } from 'vitest';
import type { Network } from '../../kernel/network.ts';
import { effort } from '../../kernel/testing/effort.ts';
import { firstComeFirstServed } from './bakery.ts';
import { checked } from './testing/library.ts';
import { plainAlternatingBit } from './testing/plain/alternating-bit.ts';
import { plainBakery } from './testing/plain/bakery.ts';
import { plainGossipCounter } from './testing/plain/gossip-counter.ts';
import { plainKStateRing, privileges } from './testing/plain/k-state-ring.ts';
import { plainLamportMutex } from './testing/plain/lamport-mutex.ts';
import { plainLeaseLock } from './testing/plain/lease-lock.ts';
import { plainMultiPaxos } from './testing/plain/multi-paxos.ts';
import { plainPhilosophers } from './testing/plain/philosophers.ts';
import { type PlainProtocol, plainSearch } from './testing/plain/plain-search.ts';
import { plainRingElection } from './testing/plain/ring-election.ts';
import { plainSlidingWindow } from './testing/plain/sliding-window.ts';
import { plainSnapshot } from './testing/plain/snapshot.ts';

/*
 * The protocols of the library written down a second time, as plain functions, and searched by a plain breadth-first search: it shares no code with the kernel.
 */

type Row = readonly [machine: string, config: object, network: Network, plain: PlainProtocol<never, never>];
// The parties of a protocol are its own business.
const row = <Party, Message>(
  machine: string,
  config: object,
  network: Network,
  plain: PlainProtocol<Party, Message>,
): Row => [machine, config, network, plain as never];

const leases = { clients: 2, rounds: 1, lease: 3, drift: 1, margin: 2 };
const rows: readonly Row[] = [
  row(
    'alternating-bit',
    { messages: 3, capacity: 3 },
    {},
    plainAlternatingBit({ messages: 3, capacity: 3 }, { duplicating: true, losses: Infinity }),
  ),
  row(
    'alternating-bit',
    { messages: 2, capacity: 2 },
    { duplicating: false, lossy: 2 },
    plainAlternatingBit({ messages: 2, capacity: 2 }, { losses: 2 }),
  ),
  row('ring-election', { ids: [2, 0, 3, 1] }, {}, plainRingElection([2, 0, 3, 1])),
  row('philosophers', { philosophers: 3 }, {}, plainPhilosophers(3)),
  row('k-state-ring', { machines: 3, states: 3 }, {}, plainKStateRing(3, 3)),
  row('snapshot', { balances: [2, 2], transfers: 2 }, {}, plainSnapshot([2, 2], 2)),
  row('lamport-mutex', { processes: 3, rounds: 1 }, {}, plainLamportMutex(3, 1)),
  row('lamport-mutex', { processes: 2, rounds: 3 }, {}, plainLamportMutex(2, 3)),
  row(
    'sliding-window',
    { messages: 3, window: 2, capacity: 3 },
    {},
    plainSlidingWindow(
      { messages: 3, window: 2, modulus: 3, capacity: 3 },
      { duplicating: true, losses: Infinity },
    ),
  ),
  row(
    'sliding-window',
    { messages: 3, window: 2, capacity: 3 },
    { duplicating: false, lossy: 1 },
    plainSlidingWindow({ messages: 3, window: 2, modulus: 3, capacity: 3 }, { losses: 1 }),
  ),
  row('gossip-counter', { updates: [1, 1] }, {}, plainGossipCounter([1, 1])),
  row('gossip-counter', { updates: [1, 1] }, { lossy: 2 }, plainGossipCounter([1, 1], { losses: 2 })),
  row('lease-lock', leases, {}, plainLeaseLock(leases)),
  row('multi-paxos', { servers: 3, commands: 1, ballots: 2 }, {}, plainMultiPaxos(3, 1, 2)),
  row('bakery', { customers: 2, rounds: 1, anything: 3 }, {}, plainBakery(2, 1, 3)),
  row('bakery', { customers: 2, rounds: 2, anything: 0 }, {}, plainBakery(2, 2, 0)),
  ...effort<Row[]>({
    short: [],
    long: [
      row('snapshot', { balances: [0, 1, 0], transfers: 1 }, {}, plainSnapshot([0, 1, 0], 1)),
      row('multi-paxos', { servers: 3, commands: 1, ballots: 3 }, {}, plainMultiPaxos(3, 1, 3)),
    ],
  }),
];

describe('a plain search comes to as many states and transitions as the checker', () => {
  test.each(rows)('%s %j %j', async (machine, config, network, plain) => {
    const { verdict, states, transitions } = await checked(
      machine,
      { config: config as never, network },
      [],
      false,
      // What is remembered of who came first makes states of its own.
      ({ sentence }) => sentence !== firstComeFirstServed.sentence,
    );
    const found = plainSearch(plain);

    // A channel that is full lets nothing happen any more: what still has to come there is open.
    const isOpen = machine === 'alternating-bit' && network.lossy === 2;
    expect(verdict).toBe(isOpen ? 'incomplete' : 'ok');
    expect(found).toMatchObject({ states, transitions, unsafe: 0 });
  });
});

test('a complete snapshot is a state on a way from where it began to where it ended', () => {
  const { unsafe, ends } = plainSearch(plainSnapshot([2, 2], 2, true));

  expect(unsafe).toBe(0);
  expect(ends.length).toBeGreaterThan(0);
  // Without order it is none.
  expect(plainSearch({ ...plainSnapshot([1, 1], 1, true), ordered: false }).unsafe).toBeGreaterThan(0);
});

describe('a ring of machines with K states, judged on the graph of a plain search', () => {
  /** Whether states with one privilege stay so, and whether the others can follow each other for ever. */
  const judged = (machines: number, states: number) => {
    const { all, steps } = plainSearch(plainKStateRing(machines, states));
    const isLegitimate = all.map((state) => privileges(state) === 1);
    const closed = steps.every((next, at) => !isLegitimate[at] || next.every((to) => isLegitimate[to]));
    // What has no step to another illegitimate state left is taken away, until nothing is, or nothing changes.
    let left = new Set([...all.keys()].filter((at) => !isLegitimate[at]));
    for (let before = -1; before !== left.size; ) {
      before = left.size;
      left = new Set([...left].filter((at) => steps[at]!.some((to) => left.has(to))));
    }
    return { closed, converges: left.size === 0 };
  };

  test.each([
    [2, 2, true],
    [3, 2, false],
    [3, 3, true],
  ])('%i machines, %i states: comes to one privilege: %s', async (machines, states, converges) => {
    const { verdict } = await checked('k-state-ring', { config: { machines, states } });

    expect(judged(machines, states)).toEqual({ closed: true, converges });
    expect(verdict).toBe(converges ? 'ok' : 'violated');
  });
});
