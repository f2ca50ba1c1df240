import type { AnyStateMachine } from 'xstate';
import {
  type LeaseClientSpec,
  leaseClientKit,
  leaseServerKit,
  storageKit,
} from '../../actors/protocols/lease-lock.ts';
import { mutantsOf } from '../mutant.ts';
import { begunWith, plantingIn } from '../planting.ts';

/** The parties of the service. */
export interface LeaseParts {
  readonly server: AnyStateMachine;
  readonly client: AnyStateMachine;
  readonly storage: AnyStateMachine;
}

const { replace } = plantingIn<LeaseParts>();

/** What can be wrong with a lock that is lent for a time. */
export const leaseMutants = mutantsOf<LeaseParts>({
  'no-fencing': {
    sentence: 'the storage takes every write, with whatever token',
    mutate: replace('storage', { guards: { isFenced: storageKit.when(() => false) } }),
  },
  'same-token': {
    sentence: 'the server gives every lease the same token',
    mutate: replace('server', {
      actions: {
        lend: leaseServerKit.act((server, _event, out) => {
          Object.assign(server, { token: 1, left: server.lease });
          out.probe({ type: 'lease.granted', token: 1 });
          out.post({ to: server.queue.shift()!, type: 'Grant', token: 1 });
        }),
      },
    }),
  },
  'counts-from-grant': {
    sentence: 'a client counts its term from when the lock came, and not from when it asked for it',
    mutate: replace('client', {
      guards: { isOver: leaseClientKit.when(({ token, elapsed, term }) => token > 0 && elapsed >= term) },
      actions: {
        take: leaseClientKit.act<'Grant'>((client, { token }, out) => {
          Object.assign(client, { token, elapsed: 0 });
          out.setTimer('write');
        }),
      },
    }),
  },
  'no-margin': {
    sentence: 'clients take the lock for their own one tick longer than the drift allows',
    mutate: (parts) => ({
      ...parts,
      client: begunWith<LeaseClientSpec>(parts.client, (spec) => ({ ...spec, term: spec.term + 1 })),
    }),
  },
});
