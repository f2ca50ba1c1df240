import fc from 'fast-check';
import type { Network } from '../../kernel/network.ts';
import type { WrittenScenario } from '../../scenarios/written.ts';

/*
 * Scenarios of the protocols that must go well whatever the schedule. They have no programs: sizes and kinds are all there is to draw.
 */

const scenario = (name: string, config: WrittenScenario['config']): WrittenScenario => ({
  name: `generated: ${name}`,
  config,
  programs: [],
});

/** Two-phase commit of one to six resource managers. */
export const twoPhaseCommitScenarios: fc.Arbitrary<WrittenScenario> = fc
  .integer({ min: 1, max: 6 })
  .map((resourceManagers) => scenario('two-phase commit', { resourceManagers }));

/** Either algorithm, some rounds. */
export const mutualExclusionScenarios: fc.Arbitrary<WrittenScenario> = fc
  .record({ algorithm: fc.constantFrom('peterson', 'dekker'), rounds: fc.integer({ min: 1, max: 6 }) })
  .map((config) => scenario('mutual exclusion', config));

/** Clients of a register in one copy: in several it is wrong, which is another scenario's lesson. */
export const registerScenarios: fc.Arbitrary<WrittenScenario> = fc
  .record({ clients: fc.integer({ min: 1, max: 4 }), writes: fc.nat(4), reads: fc.nat(4) })
  .map((config) => scenario('register', config));

/** Any network in which a right protocol stays right: order, losses, doubled messages, partitions, crashes for good. */
const networks: fc.Arbitrary<Network> = fc.record(
  {
    order: fc.constantFrom('unordered', 'perChannel'),
    duplicating: fc.boolean(),
    lossy: fc.oneof(fc.boolean(), fc.nat(3)),
    partitions: fc.nat(2),
    crashes: fc.record({ max: fc.integer({ min: 1, max: 2 }) }),
  },
  { requiredKeys: [] },
);

/** Steps of a generated run: messages that come again and again keep some going for ever. */
const until = 300;

/** Clients that put and get at up to so many servers. */
export const putGetScenarios = (serversMax: number): fc.Arbitrary<WrittenScenario> =>
  fc
    .record({
      servers: fc.integer({ min: 1, max: serversMax }),
      clients: fc.integer({ min: 1, max: 3 }),
      network: networks,
    })
    .map(({ servers, clients, network }) => ({
      ...scenario('put and get', { servers, clients }),
      // A put that comes again is a write that takes effect again, and then nothing is linearizable.
      network: { ...network, duplicating: false },
      until,
    }));

/** Players that count to a limit. */
export const pingPongScenarios: fc.Arbitrary<WrittenScenario> = fc
  .record({ limit: fc.nat(20), network: networks })
  .map(({ limit, network }) => ({ ...scenario('ping-pong', { limit }), network, until }));
