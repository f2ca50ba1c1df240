import { setup } from 'xstate';
import { type Outbox, refused } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';
import type { MessageOf, MessagesOf, ShownBy } from '../../kernel/protocol/protocol.ts';
import { majorityOf, peersOf, type ServerSpec } from './put-get.ts';
import {
  committedBy,
  fits,
  isUpToDate,
  partBehind,
  type RaftEntry,
  termAt,
  writeBehind,
} from './raft-log.ts';
import { raftProtocol } from './raft-protocol.ts';

const role = raftProtocol.roles.Server;
type Message = MessagesOf<typeof raftProtocol>;
/** Messages that carry the term of their sender. */
type Termed = Exclude<Message['type'], 'Command'>;

/** What a server remembers. Term, vote and log are saved before anything is answered, so they survive a crash. */
export interface RaftContext extends ServerSpec {
  term: number;
  /** Whom it votes for in this term, -1 for nobody yet. */
  votedFor: number;
  /** Entry `i` has index `i + 1`. */
  log: RaftEntry[];
  /** Index of the last entry that it knows to be committed, 0 for none. */
  commit: number;
  /** As a candidate: who votes for it, ascending; else empty. */
  votes: Address[];
  /** As a leader, by server: the index of the next entry to send, and of the last that is known to be there; else empty. */
  next: number[];
  match: number[];
}

/** The kit of these servers, also for planted faults. */
export const raftKit = role.component<RaftContext>();
const { act, update, when } = raftKit;

type RequestVote = MessageOf<typeof raftProtocol, 'RequestVote'>;

/** Whether a server may vote for a candidate, as far as one rule goes. */
type VoteRule = (server: RaftContext, candidate: Address, request: RequestVote) => boolean;
/** It has voted for nobody else in its term. */
export const hasVoteFor: VoteRule = ({ votedFor }, candidate) => votedFor === -1 || votedFor === candidate;
/** The log of the candidate is not older than its own. */
export const isNotOlder: VoteRule = ({ log }, _candidate, { lastIndex, lastTerm }) =>
  isUpToDate(lastIndex, lastTerm, log);

/** Votes where all rules allow it; who is of an older term is told of the newer one. */
export const answeringVotes = (...rules: readonly VoteRule[]) =>
  act<'RequestVote'>((server, request, out) => {
    const { term } = server;
    const granted = request.term === term && rules.every((rule) => rule(server, out.from, request));
    if (granted) server.votedFor = out.from;
    if (granted || request.term < term) out.post({ to: out.from, type: 'Vote', term, granted });
  });

/** What a server that neither stands nor leads counts. */
const nothingCounted = () => ({ votes: [] as Address[], next: [] as number[], match: [] as number[] });

/** Sends each peer the entries that it is not known to have. */
function replicate(server: RaftContext, out: Outbox<Message>): void {
  const { servers, term, log, next, commit } = server;
  for (const to of peersOf(server, out.self)) {
    const part = partBehind(log, next[servers.indexOf(to)]! - 1);
    out.post({ to, type: 'AppendEntries', term, ...part, commit });
  }
  out.setTimer('heartbeat');
}

/**
 * Raft: servers that elect a leader and keep equal logs (Ongaro and Ousterhout, "In search of an understandable consensus algorithm", 2014, figure 2).
 *
 * Details: commands travel with the next heartbeat. A refused vote is answered only when it tells the candidate of a newer term: any other changes nothing.
 */
export const raftServer = setup({
  types: role.types<RaftContext, ServerSpec>(),
  guards: {
    isNewer: when<Termed>((server, { term }) => term > server.term),
    isOlder: when<Termed>((server, { term }) => term < server.term),
    isVote: when<'Vote'>((server, { term, granted }) => granted && term === server.term),
    isElected: when((server) => server.votes.length >= majorityOf(server)),
    isForLeader: when<'Appended'>((server, { term }) => term === server.term),
    isNew: when<'Command'>(({ log }, { value }) => log.every((entry) => entry.value !== value)),
  },
  actions: {
    follow: act((server, _event, out) => {
      Object.assign(server, nothingCounted());
      out.cancelTimer('heartbeat');
      out.setTimer('election');
    }),
    stand: act((server, _event, out) => {
      const term = server.term + 1;
      Object.assign(server, { term, votedFor: out.self, votes: [out.self] });
      const [lastIndex, lastTerm] = [server.log.length, termAt(server.log, server.log.length)];
      for (const to of peersOf(server, out.self))
        out.post({ to, type: 'RequestVote', term, lastIndex, lastTerm });
      out.setTimer('election');
    }),
    countVote: update<'Vote'>((server, _event, { from }) => {
      server.votes = [...new Set([...server.votes, from])].sort((a, b) => a - b);
    }),
    lead: act((server, _event, out) => {
      const { length } = server.log;
      server.votes = [];
      server.next = server.servers.map(() => length + 1);
      server.match = server.servers.map((one) => (one === out.self ? length : 0));
      out.probe<ShownBy<typeof raftProtocol>>({ type: 'leader.elected', term: server.term });
      out.cancelTimer('election');
      replicate(server, out);
    }),
    adoptTerm: update<Termed>((server, { term }) => {
      if (term > server.term) Object.assign(server, { term, votedFor: -1 });
    }),
    answerVote: answeringVotes(hasVoteFor, isNotOlder),
    append: act<'AppendEntries'>((server, part, out) => {
      const { term, log } = server;
      const success = part.term === term && fits(log, part);
      const last = success ? part.prevIndex + part.entries.length : 0;
      if (success) {
        writeBehind(log, part);
        server.commit = Math.max(server.commit, Math.min(part.commit, last));
      }
      out.post({ to: out.from, type: 'Appended', term, success, last });
    }),
    noteAppended: update<'Appended'>((server, { success, last }, { from }) => {
      const at = server.servers.indexOf(from);
      if (success) server.match[at] = Math.max(server.match[at]!, last);
      server.next[at] = Math.max(server.match[at]! + 1, success ? 1 : server.next[at]! - 1);
      server.commit = committedBy(server.match, majorityOf(server), server);
    }),
    take: update<'Command'>((server, { value }, { self }) => {
      server.log.push({ term: server.term, value });
      server.match[server.servers.indexOf(self)] = server.log.length;
    }),
    replicate: act((server, _event, out) => replicate(server, out)),
  },
}).createMachine({
  id: 'raftServer',
  context: ({ input }) => ({ ...input, term: 0, votedFor: -1, log: [], commit: 0, ...nothingCounted() }),
  initial: 'follower',
  on: {
    RequestVote: [
      { guard: 'isNewer', target: '.follower', actions: ['adoptTerm', 'answerVote'] },
      { actions: 'answerVote' },
    ],
    Vote: { guard: 'isNewer', target: '.follower', actions: 'adoptTerm' },
    AppendEntries: [
      { guard: 'isOlder', actions: 'append' },
      { target: '.follower', actions: ['adoptTerm', 'append'] },
    ],
    Appended: { guard: 'isNewer', target: '.follower', actions: 'adoptTerm' },
    Command: refused,
  },
  states: {
    follower: { entry: 'follow', on: { election: 'candidate' } },
    candidate: {
      entry: 'stand',
      always: { guard: 'isElected', target: 'leader' },
      on: {
        election: { target: 'candidate', reenter: true },
        Vote: { guard: 'isVote', actions: 'countVote' },
      },
    },
    leader: {
      entry: 'lead',
      on: {
        heartbeat: { actions: 'replicate' },
        Command: { guard: 'isNew', actions: 'take' },
        Appended: { guard: 'isForLeader', actions: 'noteAppended' },
      },
    },
  },
});
