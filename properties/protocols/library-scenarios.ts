import fc from 'fast-check';
import type { Network } from '../../kernel/network.ts';
import type { WrittenScenario } from '../../scenarios/written.ts';

/*
 * Scenarios of the protocols of the literature that must go well whatever the schedule. Runs that could go on for ever are cut after some steps.
 */

const scenario = (
  name: string,
  config: WrittenScenario['config'],
  rest: Omit<WrittenScenario, 'name' | 'config' | 'programs'> = {},
): WrittenScenario => ({ name: `generated: ${name}`, config, programs: [], ...rest });

/** What Raft bears: everything, as long as a server that comes back has what it saved. */
const raftNetworks: fc.Arbitrary<Network> = fc.record(
  {
    order: fc.constantFrom('unordered', 'perChannel'),
    duplicating: fc.boolean(),
    lossy: fc.oneof(fc.boolean(), fc.nat(3)),
    partitions: fc.nat(2),
    crashes: fc.constant({ max: 1, recover: true, keeps: ['term', 'votedFor', 'log'] }),
  },
  { requiredKeys: [] },
);

/** Raft of one to five servers over any network, up to a term that runs seldom reach. */
export const raftScenarios: fc.Arbitrary<WrittenScenario> = fc
  .record({ servers: fc.integer({ min: 1, max: 5 }), commands: fc.nat(3), network: raftNetworks })
  .map(({ servers, commands, network }) =>
    scenario('Raft', { servers, commands, terms: 8, copies: 20 }, { network, until: 150 }),
  );

/** One to five caches. */
export const mesiScenarios: fc.Arbitrary<WrittenScenario> = fc
  .record({ caches: fc.integer({ min: 1, max: 5 }) })
  .map((config) => scenario('MESI', config, { until: 200 }));

/** Any network that keeps the order, and loses and doubles nothing. */
const orders: fc.Arbitrary<Network> = fc.record({ partitions: fc.nat(2) }, { requiredKeys: [] });

/** Two to six philosophers. */
export const philosophersScenarios: fc.Arbitrary<WrittenScenario> = fc
  .record({ philosophers: fc.integer({ min: 2, max: 6 }), network: orders })
  .map(({ philosophers, network }) => scenario('philosophers', { philosophers }, { network, until: 150 }));

/** Any ring of up to six nodes, over any network that loses nothing. */
export const ringElectionScenarios: fc.Arbitrary<WrittenScenario> = fc
  .record({
    ids: fc.uniqueArray(fc.nat(20), { minLength: 1, maxLength: 6 }),
    network: fc.record(
      { order: fc.constantFrom('unordered', 'perChannel'), duplicating: fc.boolean(), partitions: fc.nat(2) },
      { requiredKeys: [] },
    ),
  })
  .map(({ ids, network }) => scenario('election in a ring', { ids }, { network, until: 500 }));

/** What a channel that keeps the order may do besides: where messages come again, old ones must be lost some time for others to come. */
const channels: fc.Arbitrary<Network> = fc.oneof(
  fc.record({ lossy: fc.oneof(fc.boolean(), fc.nat(4)), duplicating: fc.constant(false) }),
  fc.record({ lossy: fc.constant(true), duplicating: fc.constant(true) }),
);

/** Up to eight values over any channel that keeps the order. */
export const alternatingBitScenarios: fc.Arbitrary<WrittenScenario> = fc
  .record({ messages: fc.nat(8), network: channels })
  .map(({ messages, network }) =>
    scenario('alternating bit', { messages, capacity: 20 }, { network, until: 300 }),
  );

/** Rings of two to five machines with as many states or more. */
export const kStateRingScenarios: fc.Arbitrary<WrittenScenario> = fc
  .record({ machines: fc.integer({ min: 2, max: 5 }), more: fc.nat(2) })
  .map(({ machines, more }) =>
    scenario('K-state ring', { machines, states: machines + more }, { until: 200 }),
  );

/** Two to five processes with some money. */
export const snapshotScenarios: fc.Arbitrary<WrittenScenario> = fc
  .record({
    balances: fc.array(fc.nat(5), { minLength: 2, maxLength: 5 }),
    transfers: fc.nat(5),
    partitions: fc.nat(2),
  })
  .map(({ partitions, ...config }) => scenario('snapshot', config, { network: { partitions }, until: 500 }));

/** Two to five processes that enter some times. */
export const lamportMutexScenarios: fc.Arbitrary<WrittenScenario> = fc
  .record({
    processes: fc.integer({ min: 2, max: 5 }),
    rounds: fc.integer({ min: 1, max: 4 }),
    partitions: fc.nat(2),
  })
  .map(({ partitions, ...config }) =>
    scenario('mutual exclusion by clocks', config, { network: { partitions }, until: 1000 }),
  );

/** Up to ten values, some of them ahead, over any channel that keeps the order. */
export const slidingWindowScenarios: fc.Arbitrary<WrittenScenario> = fc
  .record({
    messages: fc.nat(10),
    window: fc.integer({ min: 1, max: 4 }),
    more: fc.nat(3),
    network: channels,
  })
  .map(({ messages, window, more, network }) =>
    scenario(
      'sliding window',
      { messages, window, modulus: window + 1 + more, capacity: 30 },
      { network, until: 300 },
    ),
  );

/** Two to five replicas over any network, but for crashes that lose what was known. */
export const gossipCounterScenarios: fc.Arbitrary<WrittenScenario> = fc
  .record({
    updates: fc.array(fc.nat(3), { minLength: 2, maxLength: 5 }),
    network: fc.record(
      {
        order: fc.constantFrom('unordered', 'perChannel'),
        duplicating: fc.boolean(),
        lossy: fc.oneof(fc.boolean(), fc.nat(3)),
        partitions: fc.nat(2),
      },
      { requiredKeys: [] },
    ),
  })
  .map(({ updates, network }) => scenario('a counter in replicas', { updates }, { network, until: 150 }));

/** One to four clients; clocks that drift no further than the margin allows for. */
export const leaseLockScenarios: fc.Arbitrary<WrittenScenario> = fc
  .record({
    clients: fc.integer({ min: 1, max: 4 }),
    rounds: fc.integer({ min: 1, max: 3 }),
    drift: fc.integer({ min: 1, max: 3 }),
    more: fc.integer({ min: 1, max: 5 }),
    network: orders,
  })
  .map(({ more, network, ...config }) =>
    scenario('leases', { ...config, lease: 2 * config.drift + more }, { network, until: 400 }),
  );

/** A log of one to five servers over any network, up to a ballot that runs seldom reach; what a server has promised and accepted survives a crash. */
export const multiPaxosScenarios: fc.Arbitrary<WrittenScenario> = fc
  .record({
    servers: fc.integer({ min: 1, max: 5 }),
    commands: fc.nat(4),
    network: fc.record(
      {
        order: fc.constantFrom('unordered', 'perChannel'),
        duplicating: fc.boolean(),
        lossy: fc.oneof(fc.boolean(), fc.nat(3)),
        partitions: fc.nat(2),
        crashes: fc.constant({ max: 1, recover: true, keeps: ['ballot', 'log', 'chosen'] }),
      },
      { requiredKeys: [] },
    ),
  })
  .map(({ network, ...config }) =>
    scenario('Paxos for a log', { ...config, ballots: 40 }, { network, until: 200 }),
  );

/** Two to four customers, registers of any kind. */
export const bakeryScenarios: fc.Arbitrary<WrittenScenario> = fc
  .record({
    customers: fc.integer({ min: 2, max: 4 }),
    rounds: fc.integer({ min: 1, max: 3 }),
    anything: fc.nat(6),
  })
  .map((config) => scenario('bakery', config, { until: 600 }));
