import type { AnyStateMachine } from 'xstate';
import { majorityOf } from '../../actors/protocols/put-get.ts';
import { isUpToDate, raftKit } from '../../actors/protocols/raft-server.ts';
import type { Mutants } from '../mutant.ts';
import { planted } from '../planting.ts';

/** What can be wrong with a server of Raft. */
export const raftMutants: Mutants<AnyStateMachine> = new Map([
  [
    'counts-old-votes',
    {
      sentence: 'a candidate counts votes of an older term',
      mutate: (server) =>
        planted(server, {
          guards: {
            isVote: raftKit.when<'Vote'>((s, { term, granted }) => granted && term <= s.term),
            isDecisive: raftKit.when<'Vote'>(
              (s, { term, granted }, { from }) =>
                granted && term <= s.term && new Set([...s.votes, from]).size >= majorityOf(s),
            ),
          },
        }),
    },
  ],
  [
    'votes-twice',
    {
      sentence: 'a server votes for everybody who asks, several in a term',
      mutate: (server) =>
        planted(server, {
          guards: {
            mayVote: raftKit.when<'RequestVote'>(
              (s, request) => request.term === s.term && isUpToDate(s, request),
            ),
          },
          actions: {
            answerVote: raftKit.act<'RequestVote'>((s, request, out) => {
              if (!isUpToDate(s, request)) return;
              s.votedFor = out.from;
              out.post({ to: out.from, type: 'Vote', term: s.term, granted: true });
            }),
          },
        }),
    },
  ],
  [
    'votes-for-older-logs',
    {
      sentence: 'a server votes for a candidate whose log is older than its own',
      mutate: (server) =>
        planted(server, {
          guards: {
            mayVote: raftKit.when<'RequestVote'>(
              (s, { term }, { from }) => term === s.term && (s.votedFor === -1 || s.votedFor === from),
            ),
          },
          actions: {
            answerVote: raftKit.act<'RequestVote'>((s, _request, out) => {
              if (s.votedFor !== -1 && s.votedFor !== out.from) return;
              s.votedFor = out.from;
              out.post({ to: out.from, type: 'Vote', term: s.term, granted: true });
            }),
          },
        }),
    },
  ],
  [
    'commits-alone',
    {
      sentence: 'a leader takes an entry for committed as soon as it has it itself',
      mutate: (server) =>
        planted(server, {
          actions: {
            take: raftKit.update<'Command'>((s, { value }, { self }) => {
              s.log.push({ term: s.term, value });
              s.match[s.servers.indexOf(self)] = s.log.length;
              s.commit = s.log.length;
            }),
          },
        }),
    },
  ],
  [
    'appends-anywhere',
    {
      sentence: 'a server appends entries without looking at what comes before them',
      mutate: (server) =>
        planted(server, {
          actions: {
            append: raftKit.act<'AppendEntries'>((s, event, out) => {
              const { prevIndex, entries, commit } = event;
              const last = prevIndex + entries.length;
              s.log.splice(Math.min(prevIndex, s.log.length), Number.POSITIVE_INFINITY, ...entries);
              s.commit = Math.max(s.commit, Math.min(commit, last));
              out.post({ to: out.from, type: 'Appended', term: s.term, success: true, last });
            }),
          },
        }),
    },
  ],
]);
