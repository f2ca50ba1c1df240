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
  /** Messages of a type of the protocol, with its fields. Errors: `TypeError` for a type or a field that it does not have. */
  message<T extends MessagesOf<P>['type']>(
    type: OneOrMore<T>,
    meant?: MessageMeant<{ readonly type: T } & MessageOf<P, T>>,
  ): Pattern;
  /** Probes of a type of the protocol, with its fields. Errors: `TypeError` for a type or a field that it does not have. */
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
  const messages = fieldsByType(
    roles.flatMap(({ shape: { receives, timers = [] } }) => [
      ...Object.entries(receives ?? {}),
      ...timers.map((type) => [type, {}] as const),
    ]),
  );
  const probes = fieldsByType(roles.flatMap(({ shape }) => Object.entries(shape.shows ?? {})));
  const known = (
    types: OneOrMore<string>,
    { key, who }: Parts,
    of: ReadonlyMap<string, ReadonlySet<string>>,
    what: string,
    names: readonly string[],
  ) => {
    for (const type of [types].flat()) {
      const fields = of.get(type);
      if (!fields)
        throw new TypeError(
          `found the ${what} "${type}", expected one that the protocol has: ${[...of.keys()].join(', ') || 'none'}`,
        );
      const all = [...names, ...fields];
      const unknown = [key, who].find((part) => typeof part === 'string' && !all.includes(part));
      if (unknown !== undefined)
        throw new TypeError(
          `found no field "${unknown}" in the ${what} "${type}", expected ${all.join(', ')}`,
        );
    }
  };
  // What the types let through is erased here.
  const anyMessage = message as (type: OneOrMore<string>, meant?: unknown) => Pattern;
  const anyShown = shown as (type: OneOrMore<string>, meant?: unknown) => Pattern;
  return {
    message: (type, meant = {}) => {
      known(type, meant, messages, 'message', ['from', 'to']);
      return anyMessage(type, meant);
    },
    shown: (type, meant = {}) => {
      known(type, meant, probes, 'probe', ['actor']);
      return anyShown(type, meant);
    },
  };
}

/** What of a pattern may be the name of a field. */
type Parts = { readonly key?: unknown; readonly who?: unknown };

/** Several roles may have a message of the same type. */
function fieldsByType(
  shapes: readonly (readonly [type: string, fields: object])[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const all = new Map<string, Set<string>>();
  for (const [type, fields] of shapes) {
    const known = all.get(type) ?? new Set();
    for (const field of Object.keys(fields)) known.add(field);
    all.set(type, known);
  }
  return all;
}
