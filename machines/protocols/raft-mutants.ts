import type { AnyStateMachine } from 'xstate';
import { answeringVotes, hasVoteFor, isNotOlder, raftKit } from '../../actors/protocols/raft-server.ts';
import { mutantsOf } from '../mutant.ts';
import { planting } from '../planting.ts';

/** What can be wrong with a server of Raft. */
export const raftMutants = mutantsOf<AnyStateMachine>({
  'counts-old-votes': {
    sentence: 'a candidate counts votes of an older term',
    mutate: planting({
      guards: {
        isVote: raftKit.when<'Vote'>((s, { term, granted }) => granted && term <= s.term),
      },
    }),
  },
  'votes-twice': {
    sentence: 'a server votes for everybody who asks, several in a term',
    mutate: planting({
      actions: { answerVote: answeringVotes(isNotOlder) },
    }),
  },
  'votes-for-older-logs': {
    sentence: 'a server votes for a candidate whose log is older than its own',
    mutate: planting({
      actions: { answerVote: answeringVotes(hasVoteFor) },
    }),
  },
  'commits-alone': {
    sentence: 'a leader takes an entry for committed as soon as it has it itself',
    mutate: planting({
      actions: {
        take: raftKit.update<'Command'>((s, { value }, { self }) => {
          s.log.push({ term: s.term, value });
          s.match[s.servers.indexOf(self)] = s.log.length;
          s.commit = s.log.length;
        }),
      },
    }),
  },
  'appends-anywhere': {
    sentence: 'a server appends entries without looking at what comes before them',
    mutate: planting({
      actions: {
        append: raftKit.act<'AppendEntries'>((s, event, out) => {
          const { prevIndex, entries, commit } = event;
          const last = prevIndex + entries.length;
          if (event.term < s.term) return;
          s.log.splice(Math.min(prevIndex, s.log.length), Number.POSITIVE_INFINITY, ...entries);
          s.commit = Math.max(s.commit, Math.min(commit, last));
          out.post({ to: out.from, type: 'Appended', term: s.term, success: true, last });
        }),
      },
    }),
  },
});
