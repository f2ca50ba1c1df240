import { setup } from 'xstate';
import { component, type Outbox, refused } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';
import { majorityOf, peersOf, type ServerSpec } from './put-get.ts';

/** A command in the log of a server, and the term in which a leader received it. */
export interface RaftEntry {
  readonly term: number;
  readonly value: number;
}

type Termed<Type extends string> = { readonly type: Type; readonly term: number };

/** What the servers say among themselves: the calls of Raft and their answers (Ongaro and Ousterhout 2014, figure 2). */
export type RaftMessage =
  | (Termed<'RequestVote'> & { readonly lastIndex: number; readonly lastTerm: number })
  | (Termed<'Vote'> & { readonly granted: boolean })
  | (Termed<'AppendEntries'> & {
      readonly prevIndex: number;
      readonly prevTerm: number;
      readonly entries: readonly RaftEntry[];
      readonly commit: number;
    })
  | (Termed<'Appended'> & { readonly success: boolean; readonly last: number });

/** What a server is told besides: a command of a client, which only a leader takes, and its timers. */
export type RaftEvent =
  | RaftMessage
  | { readonly type: 'Command'; readonly value: number }
  | { readonly type: 'election' | 'heartbeat' };

/** A server has become the leader of a term. */
export interface LeaderElected {
  readonly type: 'leader.elected';
  readonly term: number;
}

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
export const raftKit = component<RaftContext, RaftEvent, RaftMessage>();
const { act, update, when } = raftKit;

const termAt = (log: readonly RaftEntry[], index: number): number => log[index - 1]?.term ?? 0;

/** True when a log that ends so is at least as new as that of the server (section 5.4.1). */
export const isUpToDate = (
  { log }: RaftContext,
  { lastIndex, lastTerm }: { readonly lastIndex: number; readonly lastTerm: number },
): boolean => {
  const own = termAt(log, log.length);
  return lastTerm > own || (lastTerm === own && lastIndex >= log.length);
};

/** Sends each peer the entries that it is not known to have. */
function replicate(server: RaftContext, out: Outbox<RaftMessage>): void {
  const { servers, term, log, next, commit } = server;
  for (const to of peersOf(server, out.self)) {
    const prevIndex = next[servers.indexOf(to)]! - 1;
    const prevTerm = termAt(log, prevIndex);
    const entries = log.slice(prevIndex);
    out.post({ to, type: 'AppendEntries', term, prevIndex, prevTerm, entries, commit });
  }
  out.setTimer('heartbeat');
}

/** The last index that a majority has, of an entry of the present term; what lies before it is committed with it (section 5.4.2). */
function committed({ servers, log, match, term, commit }: RaftContext): number {
  const last = [...match].sort((a, b) => b - a)[majorityOf({ servers }) - 1]!;
  return last > commit && termAt(log, last) === term ? last : commit;
}

/**
 * Raft: servers that elect a leader and keep equal logs (Ongaro and Ousterhout, "In search of an understandable consensus algorithm", 2014, figure 2).
 *
 * Details: commands travel with the next heartbeat. A refused vote is answered only when it tells the candidate of a newer term: any other changes nothing.
 */
export const raftServer = setup({
  types: {} as { context: RaftContext; events: RaftEvent; input: ServerSpec },
  guards: {
    isNewer: when<RaftMessage['type']>((server, { term }) => term > server.term),
    isOlder: when<RaftMessage['type']>((server, { term }) => term < server.term),
    mayVote: when<'RequestVote'>(
      (server, request, { from }) =>
        request.term === server.term &&
        (server.votedFor === -1 || server.votedFor === from) &&
        isUpToDate(server, request),
    ),
    isVote: when<'Vote'>((server, { term, granted }) => granted && term === server.term),
    isDecisive: when<'Vote'>(
      (server, { term, granted }, { from }) =>
        granted && term === server.term && new Set([...server.votes, from]).size >= majorityOf(server),
    ),
    isForLeader: when<'Appended'>((server, { term }) => term === server.term),
    isNew: when<'Command'>(({ log }, { value }) => log.every((entry) => entry.value !== value)),
  },
  actions: {
    follow: act((server, _event, out) => {
      Object.assign(server, { votes: [], next: [], match: [] });
      out.cancelTimer('heartbeat');
      out.setTimer('election');
    }),
    stand: act((server, _event, out) => {
      const { log } = server;
      server.term++;
      server.votedFor = out.self;
      server.votes = [out.self];
      const [lastIndex, lastTerm] = [log.length, termAt(log, log.length)];
      for (const to of peersOf(server, out.self))
        out.post({ to, type: 'RequestVote', term: server.term, lastIndex, lastTerm });
      out.setTimer('election');
    }),
    countVote: update<'Vote'>((server, _event, { from }) => {
      server.votes = [...new Set([...server.votes, from])].sort((a, b) => a - b);
    }),
    lead: act((server, _event, out) => {
      const { servers, log, term } = server;
      server.votes = [];
      server.next = servers.map(() => log.length + 1);
      server.match = servers.map((one) => (one === out.self ? log.length : 0));
      out.probe<LeaderElected>({ type: 'leader.elected', term });
      out.cancelTimer('election');
      replicate(server, out);
    }),
    adoptTerm: update<RaftMessage['type']>((server, { term }) => {
      if (term > server.term) Object.assign(server, { term, votedFor: -1 });
    }),
    answerVote: act<'RequestVote'>((server, request, out) => {
      const { term, votedFor } = server;
      if ((votedFor !== -1 && votedFor !== out.from) || !isUpToDate(server, request)) return;
      server.votedFor = out.from;
      out.post({ to: out.from, type: 'Vote', term, granted: true });
    }),
    refuseVote: act<'RequestVote'>(({ term }, _event, out) =>
      out.post({ to: out.from, type: 'Vote', term, granted: false }),
    ),
    append: act<'AppendEntries'>((server, { prevIndex, prevTerm, entries, commit }, out) => {
      const { term } = server;
      const success = prevIndex <= server.log.length && termAt(server.log, prevIndex) === prevTerm;
      const last = success ? prevIndex + entries.length : 0;
      if (success) {
        const conflict = entries.findIndex(
          (entry, at) => termAt(server.log, prevIndex + at + 1) !== entry.term,
        );
        if (conflict >= 0) server.log.splice(prevIndex + conflict, Infinity, ...entries.slice(conflict));
        server.commit = Math.max(server.commit, Math.min(commit, last));
      }
      out.post({ to: out.from, type: 'Appended', term, success, last });
    }),
    refuseEntries: act<'AppendEntries'>(({ term }, _event, out) =>
      out.post({ to: out.from, type: 'Appended', term, success: false, last: 0 }),
    ),
    noteAppended: update<'Appended'>((server, { success, last }, { from }) => {
      const at = server.servers.indexOf(from);
      if (success) server.match[at] = Math.max(server.match[at]!, last);
      server.next[at] = Math.max(server.match[at]! + 1, success ? 1 : server.next[at]! - 1);
      server.commit = committed(server);
    }),
    take: update<'Command'>((server, { value }, { self }) => {
      server.log.push({ term: server.term, value });
      server.match[server.servers.indexOf(self)] = server.log.length;
    }),
    replicate: act((server, _event, out) => replicate(server, out)),
  },
}).createMachine({
  id: 'raftServer',
  context: ({ input }) => ({
    ...input,
    term: 0,
    votedFor: -1,
    log: [],
    commit: 0,
    votes: [],
    next: [],
    match: [],
  }),
  initial: 'follower',
  on: {
    RequestVote: [
      { guard: 'isNewer', target: '.follower', actions: ['adoptTerm', 'answerVote'] },
      { guard: 'isOlder', actions: 'refuseVote' },
      { guard: 'mayVote', actions: 'answerVote' },
    ],
    Vote: { guard: 'isNewer', target: '.follower', actions: 'adoptTerm' },
    AppendEntries: [
      { guard: 'isOlder', actions: 'refuseEntries' },
      { target: '.follower', actions: ['adoptTerm', 'append'] },
    ],
    Appended: { guard: 'isNewer', target: '.follower', actions: 'adoptTerm' },
    Command: refused,
    election: refused,
    heartbeat: refused,
  },
  states: {
    follower: { entry: 'follow', on: { election: 'candidate' } },
    candidate: {
      entry: 'stand',
      on: {
        election: { target: 'candidate', reenter: true },
        Vote: [
          { guard: 'isDecisive', target: 'leader', actions: 'countVote' },
          { guard: 'isVote', actions: 'countVote' },
        ],
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
