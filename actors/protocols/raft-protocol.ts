import { field } from '../../kernel/protocol/field.ts';
import { protocol } from '../../kernel/protocol/protocol.ts';

const term = field.int();
const index = field.int();
const value = field.int();

/** What is said among the servers of Raft: its calls and their answers (Ongaro and Ousterhout, "In search of an understandable consensus algorithm", 2014, figure 2). */
export const raftProtocol = protocol({
  Server: {
    receives: {
      RequestVote: { term, lastIndex: index, lastTerm: term },
      Vote: { term, granted: field.flag() },
      AppendEntries: {
        term,
        prevIndex: index,
        prevTerm: term,
        entries: field.list(field.record({ term, value })),
        commit: index,
      },
      Appended: { term, success: field.flag(), last: index },
      /** Of a client; only a leader takes it. */
      Command: { value },
    },
    timers: ['election', 'heartbeat'],
    shows: { 'leader.elected': { term } },
    remembers: {
      votedFor: field.address('Server'),
      votes: field.set(field.address('Server')),
      next: field.byMember('Server', index),
      match: field.byMember('Server', index),
    },
  },
});
