import type { GlobalState } from '../../kernel/global-state.ts';
import type { StateMap } from '../refinement/refinement.ts';
import type { SmallMachine, SmallStep } from '../refinement/specification.ts';

/** How a resource manager stands. */
type Standing = 'working' | 'prepared' | 'committed' | 'aborted';

/**
 * What a transaction is, whoever decides: the module TCommit of Gray and Lamport ("Consensus on transaction commit", 2006). A state is how each resource manager stands.
 *
 * Use as `--refines properties/protocols/specifications.ts#transaction`.
 */
export const transaction = ({
  resourceManagers,
}: {
  readonly resourceManagers: number;
}): SmallMachine<readonly Standing[]> => ({
  initial: [Array.from({ length: resourceManagers }, () => 'working')],
  next: (all) => {
    const mayCommit = all.every((one) => one === 'prepared' || one === 'committed');
    const noneCommitted = all.every((one) => one !== 'committed');
    return all.flatMap((one, rm) => {
      const to = (action: string, standing: Standing): SmallStep<readonly Standing[]> => ({
        action: `${action} ${rm}`,
        state: all.with(rm, standing),
      });
      return [
        ...(one === 'working' ? [to('prepare', 'prepared')] : []),
        ...(one === 'prepared' && mayCommit ? [to('commit', 'committed')] : []),
        ...((one === 'working' || one === 'prepared') && noneCommitted ? [to('abort', 'aborted')] : []),
      ];
    });
  },
});

/** The resource managers of two-phase commit, as `transaction` has them. */
export const resourceManagers: StateMap = {
  state: (state: GlobalState) => state.named('ResourceManager[*]').map((one) => one.state),
};

/** How a client of a register stands: its operation, and the result once it has taken effect; null between operations. */
type Operating = {
  readonly operation: readonly ['write', string] | readonly ['read'];
  readonly result?: string | null;
} | null;

interface RegisterState {
  readonly value: string;
  readonly clients: readonly Operating[];
}

/**
 * A register that exists once: an operation takes effect at one moment between its invocation and its return. What it shows is what clients of a register show.
 *
 * Use as `--refines properties/protocols/specifications.ts#atomicRegister`.
 */
export const atomicRegister = ({
  clients: count,
}: {
  readonly clients: number;
}): SmallMachine<RegisterState> => {
  const values = Array.from({ length: count }, (_, client) => String.fromCharCode(65 + client));
  const operations = [...values.map((value) => ['write', value] as const), ['read'] as const];
  return {
    initial: [{ value: '', clients: values.map(() => null) }],
    next: ({ value, clients }) =>
      clients.flatMap((client, number): SmallStep<RegisterState>[] => {
        const at = `Client[${number}]`;
        const stands = (standing: Operating, after = value): RegisterState => ({
          value: after,
          clients: clients.with(number, standing),
        });
        if (client === null)
          return operations.map((operation) => ({
            action: `${at} invokes ${operation.join(' ')}`,
            state: stands({ operation }),
            shows: { at, event: 'operation.invoked', operation },
          }));
        const { operation, result } = client;
        if (result !== undefined)
          return [
            {
              action: `${at} returns`,
              state: stands(null),
              shows: { at, event: 'operation.returned', result },
            },
          ];
        const action = `${operation.join(' ')} of ${at} takes effect`;
        return operation[0] === 'write'
          ? [{ action, state: stands({ operation, result: null }, operation[1]) }]
          : [{ action, state: stands({ operation, result: value }) }];
      }),
  };
};
