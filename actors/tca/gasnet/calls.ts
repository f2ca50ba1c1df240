import type { LockAction } from './handler-locks.ts';
import type { Shape } from './job.ts';

/** How an operation tells that it is done: at its return, by a handle of its own, or with all others of its kind (TCA specification 12.4). */
export type Form = 'blocking' | 'nb' | 'nbi';

/** Kinds of active messages (TCA specification 12.2). */
export type MessageKind = 'short' | 'medium' | 'long' | 'longAsync';

/** What an active message brings. */
export interface MessageCall {
  readonly kind: MessageKind;
  readonly handler: number;
  readonly args: readonly number[];
  /** Where its payload lies, and how long it is. */
  readonly src: number;
  readonly bytes: number;
  /** Where the payload of a long message goes. */
  readonly dst: number;
}

/** What a program asks the runtime for (TCA specification 12). */
export type GasnetCall =
  | { readonly call: 'init' }
  | {
      readonly call: 'attach';
      readonly handlers: readonly number[];
      readonly cpuBytes: number;
      readonly gpuBytes: number;
    }
  | {
      readonly call: 'put';
      readonly form: Form;
      /** The source stays as it is until the operation is done. */
      readonly bulk: boolean;
      readonly src: number;
      readonly dst: number;
      readonly shape: Shape;
    }
  | { readonly call: 'putValue'; readonly form: Form; readonly dst: number; readonly data: Uint8Array }
  | {
      readonly call: 'get';
      readonly form: Form;
      readonly src: number;
      readonly dst: number;
      readonly shape: Shape;
    }
  | {
      readonly call: 'getValue';
      readonly form: 'blocking' | 'nb';
      readonly src: number;
      readonly bytes: number;
    }
  | {
      readonly call: 'memset';
      readonly form: Form;
      readonly dst: number;
      readonly bytes: number;
      readonly value: number;
    }
  /** A copy inside the node. */
  | { readonly call: 'copy'; readonly src: number; readonly dst: number; readonly bytes: number }
  | ({ readonly call: 'request'; readonly target: number } & MessageCall)
  | ({ readonly call: 'reply' } & MessageCall)
  | { readonly call: 'handled' }
  | { readonly call: 'poll' }
  /** Returns when a handler has run. */
  | { readonly call: 'await' }
  /** Returns when so many puts of a node have come since the beginning. */
  | { readonly call: 'awaitPuts'; readonly source: number; readonly count: number }
  | {
      readonly call: 'sync';
      readonly handles: readonly number[];
      readonly wait: boolean;
      readonly all: boolean;
    }
  | { readonly call: 'syncImplicit'; readonly of: 'puts' | 'gets' | 'all'; readonly wait: boolean }
  | { readonly call: 'beginRegion' }
  | { readonly call: 'endRegion' }
  | { readonly call: 'barrierNotify'; readonly id: number; readonly flags: number }
  | { readonly call: 'barrierFinish'; readonly id: number; readonly flags: number; readonly wait: boolean }
  /** Something about a handler-safe lock of this node. */
  | { readonly call: 'hsl'; readonly action: LockAction; readonly lock: number }
  | { readonly call: 'exit'; readonly code: number };

/** What a call comes to when it does not do what was asked; none of these ends the job (TCA specification 17). */
export type Status = 'OK' | 'NOT_INIT' | 'BAD_ARG' | 'RESOURCE' | 'NOT_READY' | 'BARRIER_MISMATCH';

/** What ends the job (TCA specification 17). */
export type Fatal = 'ESEGMENT' | 'EHANDLER' | 'EREPLY' | 'EHANDLE' | 'EBARRIER' | 'EHSL';

/** A message for a handler. */
export interface Delivery {
  readonly kind: MessageKind;
  readonly handler: number;
  readonly args: readonly number[];
  /** Rank of the sender. */
  readonly source: number;
  readonly reply: boolean;
  /** The bytes of a medium message. */
  readonly payload: Uint8Array;
  /** Where the bytes of a long message lie. */
  readonly address: number;
  readonly bytes: number;
}

/** What a call gives back. */
export type GasnetAnswer =
  | { readonly answer: 'done'; readonly status: Status; readonly value: number; readonly data: Uint8Array }
  /** A handler is to be run before the call goes on. */
  | { readonly answer: 'handler'; readonly delivery: Delivery };
