import { field } from '../../kernel/protocol/field.ts';
import { protocol } from '../../kernel/protocol/protocol.ts';
import { turnsRole, turnTake } from './turns.ts';

const number = field.index('ResourceManager');
const numbers = field.set(number);

/** Two-phase commit: the module TwoPhase of Gray and Lamport ("Consensus on transaction commit", 2006), one action a turn. */
export const commitProtocol = protocol({
  ResourceManager: {
    receives: {
      /** The decisions of the transaction manager. */
      'transaction.commit': {},
      'transaction.abort': {},
      'turn.take': turnTake,
    },
    shows: { 'transaction.decided': { decision: field.oneOf('committed', 'aborted') } },
    remembers: { number, self: field.address('ResourceManager') },
  },
  TransactionManager: {
    receives: {
      /** A resource manager is ready to commit. */
      'transaction.prepared': { rm: number },
      'turn.take': turnTake,
    },
    remembers: {
      unread: numbers,
      prepared: numbers,
      step: field.maybe(field.either(number, field.oneOf('transaction.commit', 'transaction.abort'))),
    },
  },
  Turns: turnsRole,
});
