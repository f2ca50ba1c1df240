import type {
  AnyProtocol,
  MessageOf,
  MessagesOf,
  Protocol,
  ShownBy,
} from '../../kernel/protocol/protocol.ts';
import { type MessageMeant, message, type Pattern, type ShownMeant, shown } from './pattern.ts';

type OneOrMore<T> = T | readonly T[];

/** `message` and `shown` for the messages and probes of one protocol. */
export interface PatternsOf<P> {
  /** Messages of a type of the protocol, with its fields. Errors: `TypeError` for a type that it does not have. */
  message<T extends MessagesOf<P>['type']>(
    type: OneOrMore<T>,
    meant?: MessageMeant<{ readonly type: T } & MessageOf<P, T>>,
  ): Pattern;
  /** Probes of a type of the protocol, with its fields. Errors: `TypeError` for a type that it does not have. */
  shown<T extends ShownBy<P>['type']>(
    type: OneOrMore<T>,
    meant?: ShownMeant<{ readonly type: T } & Extract<ShownBy<P>, { readonly type: T }>>,
  ): Pattern;
}

/**
 * `message` and `shown` for the messages and probes of a protocol: `const { message, shown } = patternsOf(lockProtocol)`.
 *
 * Details: a type that the protocol does not have, or a field that its messages do not have, is an error of the type check; so no sentence waits for what
 * never comes because of a spelling.
 */
export function patternsOf<P extends AnyProtocol>(protocol: P): PatternsOf<P> {
  const roles = Object.values((protocol as Protocol).roles);
  const messages = new Set(roles.flatMap(({ eventTypes }) => eventTypes));
  const probes = new Set(roles.flatMap(({ shape }) => Object.keys(shape.shows ?? {})));
  const known = (types: OneOrMore<string>, of: ReadonlySet<string>, what: string) => {
    const unknown = [types].flat().find((type) => !of.has(type));
    if (unknown !== undefined)
      throw new TypeError(
        `found the ${what} "${unknown}", expected one that the protocol has: ${[...of].join(', ') || 'none'}`,
      );
  };
  // What the types let through is erased here.
  const anyMessage = message as (type: OneOrMore<string>, meant?: unknown) => Pattern;
  const anyShown = shown as (type: OneOrMore<string>, meant?: unknown) => Pattern;
  return {
    message: (type, meant) => {
      known(type, messages, 'message');
      return anyMessage(type, meant);
    },
    shown: (type, meant) => {
      known(type, probes, 'probe');
      return anyShown(type, meant);
    },
  };
}
