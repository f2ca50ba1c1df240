import { field } from '../../kernel/protocol/field.ts';
import { protocol } from '../../kernel/protocol/protocol.ts';

const by = field.address('ResourceManager');

/** Two-phase commit whose resource managers may crash and begin anew: each has a log that stays. */
export const recoverableProtocol = protocol({
  TransactionManager: {
    receives: {
      'transaction.begin': {},
      'vote.yes': { by },
      'vote.no': { by },
      /** Asks for the decision, having begun anew. */
      'decision.ask': { by },
    },
    timers: ['votes.timeout'],
  },
  ResourceManager: {
    receives: {
      'vote.request': {},
      'decision.commit': {},
      'decision.abort': {},
      'log.written': {},
      /** `first`: it was never read before, so its owner is no one who begins anew. `promised`: a promise is written. */
      'log.value': { first: field.flag(), promised: field.flag() },
    },
    shows: { 'transaction.decided': { decision: field.oneOf('committed', 'aborted') } },
  },
  Log: {
    receives: {
      /** Asks what is written. */
      'log.read': {},
      /** Writes that a promise is given. */
      'log.write': {},
    },
  },
});
