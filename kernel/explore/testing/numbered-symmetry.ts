import type { Address } from '../../message.ts';
import type { Symmetry } from '../symmetry.ts';

/** The symmetry of actors that know their addresses as `self` and their numbers as `number`, and of messages that say where they go. */
export const numberedSymmetry = (actors: readonly string[]): Symmetry => ({
  actors,
  exchange: (data, { address, index }) => ({
    ...data,
    ...('self' in data && { self: address(data['self'] as Address) }),
    ...('number' in data && { number: index(data['number'] as number) }),
    ...('to' in data && { to: address(data['to'] as Address) }),
  }),
});
