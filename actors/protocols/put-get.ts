import type { Address } from '../../kernel/message.ts';

/* What clients and servers of a register say to each other, whatever the servers do among themselves (specification of protocols, 3.1). */

/** Asks for the value of the register. */
export interface Get {
  readonly type: 'Get';
  /** Number of the request, different for all requests of a run. */
  readonly request: number;
}

/** Gives the register a value. */
export interface Put extends Omit<Get, 'type'> {
  readonly type: 'Put';
  readonly value: string;
}

/** What a server answers. */
export type PutGetAnswer =
  | { readonly type: 'PutOk'; readonly request: number }
  | { readonly type: 'GetOk'; readonly request: number; readonly value: string };

/** The value that was never written. */
export const nil = '';

/** What every server of a group is placed with. */
export interface ServerSpec {
  /** All servers, ascending; the server itself is among them. */
  readonly servers: readonly Address[];
}

/** The other servers, ascending. */
export const peersOf = ({ servers }: ServerSpec, self: Address): readonly Address[] =>
  servers.filter((one) => one !== self);

/** How many servers are more than half of them. */
export const majorityOf = ({ servers }: ServerSpec): number => Math.floor(servers.length / 2) + 1;

/** A number that orders what servers do: pairs of a counter and the address of the server, compared in this order. */
export type Ballot = readonly [count: number, server: Address];

/** Below 0, 0 or above 0, as the first ballot is less than, equal to or greater than the second. */
export const compareBallots = ([count, server]: Ballot, [otherCount, other]: Ballot): number =>
  count - otherCount || server - other;
