import type { GasnetAnswer, Status } from './calls.ts';

/** A call that could not be carried out, in a form that has no status to return (TCA specification 17). */
export class GasnetError extends Error {
  constructor(
    readonly code: Status,
    rank: number,
    call: string,
  ) {
    super(`${code}: rank ${rank}: ${call}`);
  }
}

/** An operation under way; 0 stands for one that is done. */
export type Handle = number & { readonly __brand: 'Handle' };

/** What a call of the runtime came to. */
export type Done = Extract<GasnetAnswer, { readonly answer: 'done' }>;

/** The handle that a call has given. Errors: `GasnetError`. */
export function handleOf({ status, value }: Done, rank: number, call: string): Handle {
  if (status !== 'OK') throw new GasnetError(status, rank, call);
  return value as Handle;
}
