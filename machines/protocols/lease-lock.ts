import { z } from 'zod';
import { time } from '../../actors/protocols/drifting-clocks.ts';
import { leaseClient, leaseProtocol, leaseServer, storage } from '../../actors/protocols/lease-lock.ts';
import { Wiring } from '../../kernel/wiring.ts';
import type { Machine } from '../machine.ts';
import { mutantSentences, withMutants } from '../mutant.ts';
import { type LeaseParts, leaseMutants } from './lease-lock-mutants.ts';
import { noPrograms } from './no-programs.ts';

const config = z.strictObject({
  clients: z.int().min(1).max(8).default(2).describe('who want the lock'),
  rounds: z.int().min(1).max(100).default(1).describe('how often each of them wants it'),
  lease: z
    .int()
    .min(1)
    .max(100)
    .default(3)
    .describe('ticks of the clock of the server for which it lends the lock'),
  drift: z.int().min(1).max(100).default(1).describe('ticks by which a clock may be ahead of another'),
  margin: z
    .int()
    .min(0)
    .max(100)
    .optional()
    .describe(
      'ticks by which clients take a lease for shorter than it is; as many as the drift can make when absent',
    ),
});

/** Configuration of a lock that is lent for a time. */
export type LeaseLockConfig = z.output<typeof config>;

/** How the parties stand. */
export interface LeaseLockResult {
  readonly clients: readonly string[];
  readonly server: string;
}

/** A lock that is lent for a time, over clocks that drift. */
export const leaseLock: Machine<LeaseLockConfig, readonly unknown[], LeaseLockResult> = {
  name: 'lease-lock',
  config,
  programs: noPrograms,
  mutants: mutantSentences(leaseMutants),
  asynchronous: true,
  protocol: leaseProtocol,
  assemble: ({ config: { clients: count, rounds, lease, drift, margin = 2 * drift }, mutants: ids }) => {
    const parts = withMutants<LeaseParts>(
      { server: leaseServer, client: leaseClient, storage },
      leaseMutants,
      ids,
    );
    const wiring = new Wiring({});
    const clients = leaseProtocol.roles.Client.reserve(wiring, count);
    const server = wiring.place('Server', parts.server, { lease });
    const store = wiring.place('Storage', parts.storage, undefined);
    for (const at of clients)
      wiring.place(at, parts.client, { server, storage: store, term: lease - margin, rounds });
    wiring.place('Time', time, { clocks: [server, ...clients], drift });
    return {
      wiring,
      result: ({ state }) => ({
        clients: state.named('Client[*]').map((one) => one.state),
        server: state.actor('Server').state,
      }),
    };
  },
  figures: ({ clients, server }) => [
    { label: 'clients', value: clients.join(', ') },
    { label: 'server', value: server },
  ],
};
