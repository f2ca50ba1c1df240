import { setup } from 'xstate';
import { type Outbox, refused } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';
import { type MessagesOf, protocol } from '../../kernel/protocol/protocol.ts';
import {
  type Ballot,
  ballotField,
  compareBallots,
  majorityOf,
  nil,
  peersOf,
  putGetClientRole,
  putGetRequests,
  request,
  type ServerSpec,
  value,
} from './put-get.ts';

const record = { request, sequencer: ballotField, value };

/** Clients, and what servers say among themselves: what they know, and what they are to record. */
export const abdProtocol = protocol({
  Client: putGetClientRole,
  Server: {
    receives: {
      ...putGetRequests,
      Query: { request },
      AckQuery: record,
      Record: record,
      AckRecord: { request },
    },
  },
});
const role = abdProtocol.roles.Server;
type Out = Outbox<MessagesOf<typeof abdProtocol>>;

/** What one server answered to a query. */
interface Response {
  readonly server: Address;
  readonly sequencer: Ballot;
  readonly value: string;
}

/** What a server remembers. */
export interface AbdContext extends ServerSpec {
  /** The last write that it knows of. */
  sequencer: Ballot;
  value: string;
  /** Of the operation that it carries out: its request, who asked, the value to write or none. */
  request: number;
  requester: number;
  write: string | null;
  /** Phase 1: what was answered, by server. */
  responses: Response[];
  /** Phase 2: what a read found, and who has recorded it. */
  read: string | null;
  acks: Address[];
}

/** The kit of these servers, also for planted faults. */
export const abdKit = role.component<AbdContext>();
const { act, when, post, update } = abdKit;
const noOperation = { request: -1, requester: -1, write: null, responses: [], read: null, acks: [] };

/** Puts the entry of a server in its place: who answered first must make no difference. */
function note<T extends { readonly server: Address }>(list: T[], entry: T): void {
  const at = list.findIndex(({ server }) => server >= entry.server);
  if (at < 0) list.push(entry);
  else list.splice(at, list[at]!.server === entry.server ? 1 : 0, entry);
}

/** Ends phase 1: goes on with the latest of the answers, and tells the peers to record. */
export function beginRecording(server: AbdContext, out: Out): void {
  const latest = server.responses.reduce((a, b) => (compareBallots(a.sequencer, b.sequencer) < 0 ? b : a));
  let { sequencer, value } = latest;
  if (server.write === null) server.read = value;
  else {
    sequencer = [sequencer[0] + 1, out.self];
    value = server.write;
  }
  const { request } = server;
  for (const to of peersOf(server, out.self)) out.post({ to, type: 'Record', request, sequencer, value });
  if (compareBallots(sequencer, server.sequencer) > 0) Object.assign(server, { sequencer, value });
  Object.assign(server, { responses: [], write: null, acks: [out.self] });
}

/** An atomic register of several servers (Attiya, Bar-Noy, Dolev 1995): every operation asks a majority for the last value and records it at a majority (specification of protocols, 3.2). */
export const abdServer = setup({
  types: role.types<AbdContext, ServerSpec>(),
  guards: {
    isOfOperation: when<'AckQuery' | 'AckRecord'>((server, { request }) => request === server.request),
    completesQuery: when<'AckQuery'>((server, { request }, { from }) => {
      const others = server.responses.filter((one) => one.server !== from).length;
      return request === server.request && others + 1 >= majorityOf(server);
    }),
    isNewer: when<'Record'>((server, { sequencer }) => compareBallots(sequencer, server.sequencer) > 0),
    isKnown: when<'AckRecord'>(
      (server, { request }, { from }) => request !== server.request || server.acks.includes(from),
    ),
    completesRecord: when<'AckRecord'>((server) => server.acks.length + 1 >= majorityOf(server)),
  },
  actions: {
    query: act<'Get' | 'Put'>((server, event, out) => {
      const { request } = event;
      const write = event.type === 'Put' ? event.value : null;
      for (const to of peersOf(server, out.self)) out.post({ to, type: 'Query', request });
      const { sequencer, value } = server;
      const responses = [{ server: out.self, sequencer, value }];
      Object.assign(server, { request, requester: out.from, write, responses });
    }),
    tell: post<'Query'>(({ sequencer, value }, { request }, { from: to }) => ({
      to,
      type: 'AckQuery',
      request,
      sequencer,
      value,
    })),
    noteResponse: update<'AckQuery'>((server, { sequencer, value }, { from }) =>
      note(server.responses, { server: from, sequencer, value }),
    ),
    record: act<'AckQuery'>((server, _event, out) => beginRecording(server, out)),
    adopt: update<'Record'>((server, { sequencer, value }) => {
      Object.assign(server, { sequencer, value });
    }),
    confirmRecord: post<'Record'>((_server, { request }, { from: to }) => ({
      to,
      type: 'AckRecord',
      request,
    })),
    noteAck: update<'AckRecord'>((server, _event, { from }) => {
      server.acks = [...server.acks, from].sort((a, b) => a - b);
    }),
    answer: act<'AckRecord'>((server, _event, out) => {
      const { request, requester, read } = server;
      const to = requester as Address;
      if (read === null) out.post({ to, type: 'PutOk', request });
      else out.post({ to, type: 'GetOk', request, value: read });
      Object.assign(server, noOperation);
    }),
  },
}).createMachine({
  id: 'abdServer',
  context: ({ input }) => ({ ...input, sequencer: [0, 0 as Address], value: nil, ...noOperation }),
  initial: 'idle',
  on: {
    Query: { actions: 'tell' },
    Record: [{ guard: 'isNewer', actions: ['confirmRecord', 'adopt'] }, { actions: 'confirmRecord' }],
  },
  states: {
    idle: {
      on: {
        Put: { target: 'querying', actions: 'query' },
        Get: { target: 'querying', actions: 'query' },
        AckQuery: refused,
        AckRecord: refused,
      },
    },
    querying: {
      on: {
        AckQuery: [
          { guard: 'completesQuery', target: 'recording', actions: ['noteResponse', 'record'] },
          { guard: 'isOfOperation', actions: 'noteResponse' },
        ],
        AckRecord: refused,
        Put: refused,
        Get: refused,
      },
    },
    recording: {
      on: {
        AckRecord: [
          { guard: 'isKnown' },
          { guard: 'completesRecord', target: 'idle', actions: 'answer' },
          { actions: 'noteAck' },
        ],
        AckQuery: refused,
        Put: refused,
        Get: refused,
      },
    },
  },
});
