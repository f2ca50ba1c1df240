import type { Exchange, Symmetry } from '../../kernel/explore/symmetry.ts';
import type { Address } from '../../kernel/message.ts';

/** How the fields of contexts and events name parties: one by its address, several by their addresses in ascending order, or one value a party in the order of addresses. */
export type NamesParties = Readonly<Record<string, 'address' | 'addresses' | 'byParty'>>;

/** Parties at the addresses from 0 that can change places: nobody asks which of them it is. The list of all of them stays as it is. */
export const partySymmetry = (names: readonly string[], fields: NamesParties): Symmetry => ({
  actors: names,
  exchange: (data, exchange) =>
    Object.fromEntries(
      Object.entries(data).map(([field, value]) => [
        field,
        exchanged(field === 'to' ? 'address' : fields[field], value, exchange),
      ]),
    ),
});

function exchanged(
  kind: NamesParties[string] | undefined,
  value: unknown,
  { address, index }: Exchange,
): unknown {
  switch (kind) {
    case undefined:
      return value;
    case 'address':
      return address(value as Address);
    case 'addresses':
      return (value as readonly Address[]).map(address).sort((one, other) => one - other);
    case 'byParty':
      // An exchange of two is its own inverse.
      return (value as readonly unknown[]).map((_, at, all) => all[index(at)]);
  }
}
