import type { AnyStateMachine } from 'xstate';
import { z } from 'zod';
import { abdProtocol, abdServer } from '../../actors/protocols/abd-server.ts';
import { paxosProtocol, paxosServer } from '../../actors/protocols/paxos-server.ts';
import { putGetClient } from '../../actors/protocols/put-get-client.ts';
import { singleCopyProtocol, singleCopyServer } from '../../actors/protocols/single-copy-server.ts';
import { Wiring } from '../../kernel/wiring.ts';
import type { Machine } from '../machine.ts';
import { type Mutants, mutantSentences, withMutants } from '../mutant.ts';
import { noPrograms } from './no-programs.ts';
import { abdMutants, paxosMutants, singleCopyMutants } from './put-get-mutants.ts';

/** Configuration of a register that servers keep. */
export interface PutGetConfig {
  readonly servers: number;
  readonly clients: number;
}

/** How clients and servers of a register stand. */
export interface PutGetResult {
  /** States of the clients: `putting`, `getting`, `finished`, or `crashed`. */
  readonly clients: readonly string[];
  /** States of the servers. */
  readonly servers: readonly string[];
}

const parties = (standard: number) => z.int().min(1).max(8).default(standard);

/** A machine of clients that put and get one register, and of servers that keep it (specification of protocols, 3.1 and 3.2). */
function putGetMachine(
  name: string,
  protocol: typeof singleCopyProtocol | typeof abdProtocol | typeof paxosProtocol,
  server: AnyStateMachine,
  mutants: Mutants<AnyStateMachine>,
  servers: number,
): Machine<PutGetConfig, readonly unknown[], PutGetResult> {
  return {
    name,
    config: z.strictObject({
      servers: parties(servers).describe('who keeps the register'),
      clients: parties(2).describe('who puts one value each, then gets the value'),
    }),
    programs: noPrograms,
    mutants: mutantSentences(mutants),
    asynchronous: true,
    protocol,
    assemble: ({ config, mutants: planted }) => {
      const part = withMutants(server, mutants, planted);
      const wiring = new Wiring({});
      const group = protocol.roles.Server.reserve(wiring, config.servers);
      const clients = protocol.roles.Client.reserve(wiring, config.clients);
      for (const at of group) wiring.place(at, part, { servers: group });
      for (const at of clients) wiring.place(at, putGetClient, { servers: group });
      return {
        wiring,
        result: (run) => {
          const states = run.state.actors.map(({ state }) => state);
          return { servers: states.slice(0, config.servers), clients: states.slice(config.servers) };
        },
      };
    },
    figures: ({ clients, servers: states }) => [
      { label: 'clients', value: clients.join(', ') },
      { label: 'servers', value: states.join(', ') },
    ],
  };
}

/** Servers that each keep a copy of their own: right as long as there is one. */
export const singleCopy = putGetMachine(
  'single-copy',
  singleCopyProtocol,
  singleCopyServer,
  singleCopyMutants,
  1,
);

/** An atomic register on several servers. */
export const abd = putGetMachine('abd', abdProtocol, abdServer, abdMutants, 3);

/** A register that is written once. */
export const paxos = putGetMachine('paxos', paxosProtocol, paxosServer, paxosMutants, 3);
