import { setup } from 'xstate';
import { refused } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';
import { field } from '../../kernel/protocol/field.ts';
import { protocol } from '../../kernel/protocol/protocol.ts';
import {
  type Ballot,
  ballotField,
  compareBallots,
  majorityOf,
  peersOf,
  putGetClientRole,
  putGetRequests,
  request,
  type ServerSpec,
  value,
} from './put-get.ts';

/** What a client wants to be decided. */
export interface Proposal {
  readonly request: number;
  readonly client: Address;
  readonly value: string;
}

/** A proposal that was accepted, and in which ballot. */
export interface Accepted {
  readonly ballot: Ballot;
  readonly proposal: Proposal;
}

const ballot = ballotField;
const proposal = field.record({ request, client: field.address('Client'), value });

/** Clients, and what servers say among themselves. */
export const paxosProtocol = protocol({
  Client: putGetClientRole,
  Server: {
    receives: {
      ...putGetRequests,
      Prepare: { ballot },
      Prepared: { ballot, last: field.maybe(field.record({ ballot, proposal })) },
      Accept: { ballot, proposal },
      Accepted: { ballot },
      Decided: { ballot, proposal },
    },
  },
});
const role = paxosProtocol.roles.Server;

/** What a server remembers. */
export interface PaxosContext extends ServerSpec {
  ballot: Ballot;
  proposal: Proposal | null;
  /** Who has promised to take part in the ballot, ascending, and what each had accepted before. */
  prepares: { readonly server: Address; readonly last: Accepted | null }[];
  /** Who has accepted the proposal in the ballot, ascending. */
  accepts: Address[];
  accepted: Accepted | null;
}

/** The kit of these servers, also for planted faults. */
export const paxosKit = role.component<PaxosContext>();
const { act, when, post, update } = paxosKit;

/** Below 0, 0 or above 0, as the first acceptance is less than, equal to or greater than the second: by ballot, then by proposal. */
const compareAccepted = (one: Accepted, other: Accepted): number =>
  compareBallots(one.ballot, other.ballot) ||
  one.proposal.request - other.proposal.request ||
  one.proposal.client - other.proposal.client ||
  (one.proposal.value < other.proposal.value ? -1 : Number(one.proposal.value > other.proposal.value));

/** The acceptance of the highest ballot that the promises tell of; undefined when none does. */
export const latestAccepted = ({ prepares }: PaxosContext): Accepted | undefined =>
  prepares
    .flatMap(({ last }) => last ?? [])
    .sort(compareAccepted)
    .at(-1);

/** A register that is written once: single-decree Paxos (Lamport, "Paxos made simple", 2001), each server proposer and acceptor (specification of protocols, 3.2). */
export const paxosServer = setup({
  types: role.types<PaxosContext, ServerSpec>(),
  guards: {
    isHigher: when<'Prepare'>((server, { ballot }) => compareBallots(ballot, server.ballot) > 0),
    isNotLower: when<'Accept'>((server, { ballot }) => compareBallots(ballot, server.ballot) >= 0),
    isOfBallot: when<'Prepared' | 'Accepted'>(
      (server, { ballot }) => compareBallots(ballot, server.ballot) === 0,
    ),
    isDecisive: when<'Accepted'>((server, { ballot }, { from }) => {
      const count = new Set([...server.accepts, from]).size;
      return compareBallots(ballot, server.ballot) === 0 && count === majorityOf(server);
    }),
  },
  actions: {
    propose: act<'Put'>((server, { request, value }, out) => {
      server.proposal = { request, client: out.from, value };
      server.prepares = [{ server: out.self, last: server.accepted }];
      server.accepts = [];
      server.ballot = [server.ballot[0] + 1, out.self];
      for (const to of peersOf(server, out.self)) out.post({ to, type: 'Prepare', ballot: server.ballot });
    }),
    promise: act<'Prepare'>((server, { ballot }, out) => {
      server.ballot = ballot;
      out.post({ to: out.from, type: 'Prepared', ballot, last: server.accepted });
    }),
    notePromise: act<'Prepared'>((server, { ballot, last }, out) => {
      const others = server.prepares.filter((one) => one.server !== out.from);
      server.prepares = [...others, { server: out.from, last }].sort((a, b) => a.server - b.server);
      if (server.prepares.length !== majorityOf(server)) return;
      const proposal = latestAccepted(server)?.proposal ?? server.proposal!;
      server.proposal = proposal;
      server.accepted = { ballot, proposal };
      server.accepts = [...new Set([...server.accepts, out.self])].sort((a, b) => a - b);
      for (const to of peersOf(server, out.self)) out.post({ to, type: 'Accept', ballot, proposal });
    }),
    accept: act<'Accept'>((server, { ballot, proposal }, out) => {
      server.ballot = ballot;
      server.accepted = { ballot, proposal };
      out.post({ to: out.from, type: 'Accepted', ballot });
    }),
    noteAccepted: update<'Accepted'>((server, _event, { from }) => {
      server.accepts = [...new Set([...server.accepts, from])].sort((a, b) => a - b);
    }),
    announce: act<'Accepted'>(({ proposal, servers }, { ballot }, out) => {
      const { request, client } = proposal!;
      for (const to of peersOf({ servers }, out.self))
        out.post({ to, type: 'Decided', ballot, proposal: proposal! });
      out.post({ to: client, type: 'PutOk', request });
    }),
    learn: update<'Decided'>((server, { ballot, proposal }) => {
      server.ballot = ballot;
      server.accepted = { ballot, proposal };
    }),
    answer: post<'Get'>(({ accepted }, { request }, { from: to }) => ({
      to,
      type: 'GetOk',
      request,
      value: accepted!.proposal.value,
    })),
  },
}).createMachine({
  id: 'paxosServer',
  context: ({ input }) => ({
    ...input,
    ballot: [0, 0 as Address],
    proposal: null,
    prepares: [],
    accepts: [],
    accepted: null,
  }),
  initial: 'undecided',
  states: {
    undecided: {
      initial: 'idle',
      on: {
        Prepare: { guard: 'isHigher', actions: 'promise' },
        Prepared: { guard: 'isOfBallot', actions: 'notePromise' },
        Accept: { guard: 'isNotLower', actions: 'accept' },
        Accepted: [
          { guard: 'isDecisive', target: 'decided', actions: ['noteAccepted', 'announce'] },
          { guard: 'isOfBallot', actions: 'noteAccepted' },
        ],
        Decided: { target: 'decided', actions: 'learn' },
        Get: refused,
      },
      states: {
        idle: { on: { Put: { target: 'proposing', actions: 'propose' } } },
        proposing: { on: { Put: refused } },
      },
    },
    decided: {
      on: {
        Get: { actions: 'answer' },
        Put: refused,
        Prepare: refused,
        Prepared: refused,
        Accept: refused,
        Accepted: refused,
        Decided: refused,
      },
    },
  },
});
