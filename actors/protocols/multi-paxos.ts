import { setup } from 'xstate';
import { type Outbox, refused } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';
import { field } from '../../kernel/protocol/field.ts';
import { type MessageOf, type MessagesOf, protocol } from '../../kernel/protocol/protocol.ts';
import { majorityOf, peersOf, type ServerSpec } from './put-get.ts';

/** What was accepted for a slot of the log, and in which ballot; ballot 0 for nothing. Value 0 is a command that does nothing. */
export interface SlotEntry {
  readonly ballot: number;
  readonly value: number;
}

const ballot = field.int();
const value = field.int();
const slot = field.int();

/** What servers say among themselves. Slot `i` of a log is its entry `i`. */
export const multiPaxosProtocol = protocol({
  Server: {
    receives: {
      Prepare: { ballot },
      Promise: { ballot, log: field.list(field.record({ ballot, value })) },
      Accept: { ballot, slot, value },
      Accepted: { ballot, slot },
      /** Of a client; only a leader takes it. */
      Command: { value },
    },
    timers: ['prepare'],
  },
});
const role = multiPaxosProtocol.roles.Server;
type Message = MessagesOf<typeof multiPaxosProtocol>;

/** What a server remembers. */
export interface MultiPaxosContext extends ServerSpec {
  /** The highest ballot that it has promised, or taken part in. The server at place i of n has the ballots whose rest by n is i. */
  ballot: number;
  log: SlotEntry[];
  /** Before it leads: who has promised, ascending, and what each had accepted; else empty. */
  promises: { readonly server: Address; readonly log: readonly SlotEntry[] }[];
  /** While it leads, by slot: who has accepted its value, ascending; else empty. */
  accepts: Address[][];
  /** By slot: what it knows to be chosen, -1 for nothing. */
  chosen: number[];
}

/** The kit of these servers, also for planted faults. */
export const multiPaxosKit = role.component<MultiPaxosContext>();
const { act, update, when } = multiPaxosKit;
type Out = Outbox<Message>;

const withOne = (list: readonly Address[], one: Address): Address[] =>
  [...new Set([...list, one])].sort((a, b) => a - b);

function tellPeers(
  server: MultiPaxosContext,
  out: Out,
  message: MessageOf<typeof multiPaxosProtocol, 'Prepare' | 'Accept'>,
): void {
  for (const to of peersOf(server, out.self)) out.post({ to, ...message });
}

/** Asks all to accept a value for a slot, and accepts it. */
function propose(server: MultiPaxosContext, slot: number, value: number, out: Out): void {
  const { ballot } = server;
  while (server.log.length <= slot) server.log.push({ ballot: 0, value: 0 });
  server.log[slot] = { ballot, value };
  server.accepts[slot] = [out.self];
  tellPeers(server, out, { type: 'Accept', ballot, slot, value });
}

/** What must be proposed for a slot: what was accepted in the highest ballot, as far as promises tell. */
export const latestIn = ({ promises }: MultiPaxosContext, slot: number): SlotEntry =>
  promises
    .map(({ log }) => log[slot] ?? { ballot: 0, value: 0 })
    .reduce((latest, one) => (one.ballot > latest.ballot ? one : latest));

/**
 * A log of commands that servers agree on, slot by slot: a leader prepares once for all slots (Lamport, "The part-time parliament", 1998; "Paxos made simple", 2001, section 3).
 *
 * Details: each server is proposer, acceptor and learner. A slot for which nothing is known gets a command that does nothing where a later one is taken.
 */
export const multiPaxosServer = setup({
  types: role.types<MultiPaxosContext, ServerSpec>(),
  guards: {
    isHigher: when<'Prepare'>((server, { ballot }) => ballot > server.ballot),
    isNotLower: when<'Accept'>((server, { ballot }) => ballot >= server.ballot),
    isOwn: when<'Promise' | 'Accepted'>((server, { ballot }) => ballot === server.ballot),
    isPromised: when((server) => server.promises.length >= majorityOf(server)),
    isNew: when<'Command'>(({ log }, { value }) => log.every((entry) => entry.value !== value)),
  },
  actions: {
    follow: act((server, _event, out) => {
      Object.assign(server, { promises: [], accepts: [] });
      out.setTimer('prepare');
    }),
    prepare: act((server, _event, out) => {
      const { servers, ballot, log } = server;
      const round = Math.floor(ballot / servers.length) + 1;
      server.ballot = round * servers.length + servers.indexOf(out.self);
      server.promises = [{ server: out.self, log: [...log] }];
      tellPeers(server, out, { type: 'Prepare', ballot: server.ballot });
    }),
    promise: act<'Prepare'>((server, { ballot }, out) => {
      server.ballot = ballot;
      out.post({ to: out.from, type: 'Promise', ballot, log: [...server.log] });
    }),
    notePromise: update<'Promise'>((server, { log }, { from }) => {
      const others = server.promises.filter((one) => one.server !== from);
      server.promises = [...others, { server: from, log }].sort((a, b) => a.server - b.server);
    }),
    lead: act((server, _event, out) => {
      out.cancelTimer('prepare');
      const slots = Math.max(...server.promises.map(({ log }) => log.length));
      for (let slot = 0; slot < slots; slot++) propose(server, slot, latestIn(server, slot).value, out);
      server.promises = [];
    }),
    take: act<'Command'>((server, { value }, out) => propose(server, server.log.length, value, out)),
    accept: act<'Accept'>((server, { ballot, slot, value }, out) => {
      server.ballot = ballot;
      while (server.log.length <= slot) server.log.push({ ballot: 0, value: 0 });
      server.log[slot] = { ballot, value };
      out.post({ to: out.from, type: 'Accepted', ballot, slot });
    }),
    noteAccepted: update<'Accepted'>((server, { slot }, { from }) => {
      server.accepts[slot] = withOne(server.accepts[slot]!, from);
      if (server.accepts[slot].length < majorityOf(server)) return;
      while (server.chosen.length <= slot) server.chosen.push(-1);
      server.chosen[slot] = server.log[slot]!.value;
    }),
  },
}).createMachine({
  id: 'multiPaxosServer',
  context: ({ input }) => ({ ...input, ballot: 0, log: [], promises: [], accepts: [], chosen: [] }),
  initial: 'following',
  on: {
    Prepare: { guard: 'isHigher', target: '.following', actions: 'promise' },
    Accept: { guard: 'isNotLower', target: '.following', actions: 'accept' },
    Promise: refused,
    Accepted: refused,
    Command: refused,
    prepare: refused,
  },
  states: {
    following: { entry: 'follow', on: { prepare: { target: 'preparing', actions: 'prepare' } } },
    preparing: {
      always: { guard: 'isPromised', target: 'leading' },
      on: { Promise: { guard: 'isOwn', actions: 'notePromise' } },
    },
    leading: {
      entry: 'lead',
      on: {
        Command: { guard: 'isNew', actions: 'take' },
        Accepted: { guard: 'isOwn', actions: 'noteAccepted' },
      },
    },
  },
});
