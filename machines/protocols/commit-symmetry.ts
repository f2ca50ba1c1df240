import type { Asked } from '../../actors/protocols/turns.ts';
import type { Exchange, Symmetry } from '../../kernel/explore/symmetry.ts';
import type { Address } from '../../kernel/message.ts';

/** Name of the resource manager of a number. */
export const resourceManagerName = (number: number): string => `ResourceManager[${number}]`;

/**
 * All resource managers can change places: nobody asks which of them it is, but whether it was that one.
 *
 * Details: they are named by address or by number, in the fields below; the table from number to address stays as it is, since both change together.
 */
export const commitSymmetry = (resourceManagers: number): Symmetry => ({
  actors: Array.from({ length: resourceManagers }, (_, number) => resourceManagerName(number)),
  exchange: (data, exchange) =>
    Object.fromEntries(
      Object.entries(data).map(([field, value]) => [field, exchanged(field, value, exchange)]),
    ),
});

function exchanged(field: string, value: unknown, { address, index }: Exchange): unknown {
  switch (field) {
    case 'self':
    case 'to':
    case 'by':
    case 'for':
      return address(value as Address);
    case 'number':
    case 'rm':
      return index(value as number);
    case 'step':
      return typeof value === 'number' ? index(value) : value;
    case 'unread':
    case 'prepared':
      return (value as readonly number[]).map(index).sort((one, other) => one - other);
    case 'asked':
      return (value as readonly Asked[])
        .map((one) => ({ by: address(one.by), for: address(one.for) }))
        .sort((one, other) => one.for - other.for || one.by - other.by);
    default:
      return value;
  }
}
