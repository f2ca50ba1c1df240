import type { Address } from '../../kernel/message.ts';
import { field } from '../../kernel/protocol/field.ts';

/* What clients and servers of a register say to each other, whatever the servers do among themselves (specification of protocols, 3.1). */

/** Number of a request, different for all requests of a run. */
export const request = field.int();
/** What is in the register. */
export const value = field.text();

/** What every server receives from clients. */
export const putGetRequests = { Get: { request }, Put: { request, value } };

/** The role of a client: what servers answer, and the operations of which a history is made. */
export const putGetClientRole = {
  receives: { PutOk: { request }, GetOk: { request, value } },
  shows: {
    /** It begins an operation: `write` with a value, or `read`. */
    'operation.invoked': { operation: field.data<readonly ['write', string] | readonly ['read']>(['read']) },
    /** The last operation that it began was answered: what a read found; null for a write. */
    'operation.returned': { result: field.maybe(value) },
  },
};

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

/** The kind of the field of a ballot. */
export const ballotField = field.tuple(field.int(), field.address('Server'));

/** A number that orders what servers do: pairs of a counter and the address of the server, compared in this order. */
export type Ballot = readonly [count: number, server: Address];

/** Below 0, 0 or above 0, as the first ballot is less than, equal to or greater than the second. */
export const compareBallots = ([count, server]: Ballot, [otherCount, other]: Ballot): number =>
  count - otherCount || server - other;
