import type { Delivery, MessageCall, MessageKind, Status } from './calls.ts';
import type { Gasnet } from './gasnet.ts';
import type { Task } from './task.ts';

/** What an active message brings: bytes of this node's memory, and where the bytes of a long one go. */
export interface MessageOptions {
  readonly args?: readonly number[];
  readonly src?: number;
  readonly bytes?: number;
  readonly dst?: number;
}

/** What a handler may do beside looking at its node: reply once, if the message was a request. */
export interface Token {
  readonly source: number;
  reply(kind: MessageKind, handler: number, options?: MessageOptions): Task<Status>;
}

/** Handles a message, as a generator if it replies or looks at memory: `payload` of a medium one is a copy, of a long one `address` and `bytes` say where it lies. */
export type Handler = (
  gasnet: Gasnet,
  token: Token,
  message: Pick<Delivery, 'args' | 'payload' | 'address' | 'bytes'>,
) => Task<void> | undefined | void;

/** Handlers by index 128 to 255; those without an index get the first ones that are free, the same on all nodes. */
export type HandlerTable = readonly { readonly index?: number; readonly handler: Handler }[];

const noBytes = { src: 0, bytes: 0, dst: 0 };

/** A message as the runtime is told of it. */
export function messageOf(kind: MessageKind, handler: number, options: MessageOptions): MessageCall {
  const { args = [], ...rest } = options;
  return { kind, handler, args, ...noBytes, ...rest };
}
