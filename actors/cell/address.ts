import { defect } from '../../kernel/errors.ts';
import type { Address } from '../../kernel/message.ts';

export type { Address };

/** The address of a part by its number. */
export function memberAddress(addresses: readonly Address[], number: number): Address {
  const address = addresses[number];
  if (address === undefined) defect(`there is no part number ${number}`);
  return address;
}
