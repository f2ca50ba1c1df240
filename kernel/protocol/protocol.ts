import type fc from 'fast-check';
import type { MachineContext } from 'xstate';
import { KernelError } from '../errors.ts';
import { type Component, component, type Outbox } from '../kit.ts';
import { onlyKeys } from '../known-keys.ts';
import type { Address, LockstepEvent, Probe } from '../message.ts';
import type { Wiring } from '../wiring.ts';
import {
  type AddressOf,
  type Fields,
  field,
  type Kind,
  type Members,
  type MessageIn,
  type Misfit,
  misfitWords,
  type RoleExchange,
  recordOf,
} from './field.ts';

/** What a role is: what it receives, which timers it has, what it shows, and what it remembers. */
export interface RoleShape {
  /** Names of its actors where they do not end with the name of the role, as a pattern. */
  readonly named?: RegExp;
  /** Messages that it receives, by type, and the fields of each. */
  readonly receives?: Readonly<Record<string, Fields>>;
  /** Its timers, which come from the actor itself. */
  readonly timers?: readonly string[];
  /** Probes that it shows, by type, and the fields of each. */
  readonly shows?: Readonly<Record<string, Fields>>;
  /** Fields of its context that name actors of a role by address or by number; others may be left out. */
  readonly remembers?: Fields;
}

/** Roles by name. A name with dots, as `Dma.Request`, tells actors apart whose names end alike. */
export type ProtocolShape = Readonly<Record<string, RoleShape>>;

/** What a message has besides its fields. */
const envelope = ['type', 'to', 'delay'];

type Key<T> = keyof T & string;
type Received<S extends RoleShape> = S extends { readonly receives: infer M } ? M : Record<never, Fields>;
type ShownFields<S extends RoleShape> = S extends { readonly shows: infer M } ? M : Record<never, Fields>;
type Timers<S extends RoleShape> = S extends { readonly timers: readonly (infer T extends string)[] }
  ? T
  : never;
type ShapeOf<P> = P extends Protocol<infer S> ? S : never;

/** The roles of a protocol. */
export type RoleOf<P> = Key<ShapeOf<P>>;

/** Events of an actor of a role: the messages that it receives, and its timers. */
export type EventsOf<P, R extends RoleOf<P>> = EventsIn<ShapeOf<P>, R>;
type EventsIn<S extends ProtocolShape, R extends Key<S>> = R extends unknown
  ? MessageIn<Received<S[R]>> | Bare<Timers<S[R]>>
  : never;
/** What an actor in lock step, which has no timers of a network, posts itself with a delay. */
type OwnTimers<S extends ProtocolShape, R extends Key<S>> = Bare<Timers<S[R]>> & {
  readonly to: AddressOf<R>;
};
type Bare<T> = T extends string ? { readonly type: T } : never;

/** All messages of a protocol, each with the address of an actor that receives it. */
export type MessagesOf<P> = MessagesIn<ShapeOf<P>>;
type MessagesIn<S extends ProtocolShape> = {
  [R in Key<S>]: MessageIn<Received<S[R]>> & { readonly to: AddressOf<R> };
}[Key<S>];

/** What recipes of a role may put out: its messages, timers and probes. */
export type OutboxOf<P, R extends RoleOf<P>> = Outbox<
  MessagesOf<P> | OwnTimers<ShapeOf<P>, R>,
  ShownBy<P, R>
>;

/** The messages of one type, or of several. */
export type MessageOf<P, T extends MessagesOf<P>['type']> = Extract<
  EventsOf<P, RoleOf<P>>,
  { readonly type: T }
>;

/** All probes that actors of a protocol show, or those of one role. */
export type ShownBy<P, R extends RoleOf<P> = RoleOf<P>> = ShownIn<ShapeOf<P>, R>;
type ShownIn<S extends ProtocolShape, R extends Key<S>> = { [N in R]: MessageIn<ShownFields<S[N]>> }[R];

/** The messages and probes of a protocol by their types: what properties read. */
export type ShapesByType<P> = { readonly [T in MessagesOf<P>['type']]: MessageOf<P, T> } & {
  readonly [T in ShownBy<P>['type']]: Extract<ShownBy<P>, { readonly type: T }>;
};

/** What an observer of a protocol sees: its messages and probes, with their fields. */
export type ObservationOf<P> =
  | {
      readonly kind: 'message';
      readonly from: string;
      readonly to: string;
      readonly event: EventsIn<ShapeOf<P>, RoleOf<P>>;
    }
  | { readonly kind: 'probe'; readonly actor: string; readonly probe: ShownBy<P> };

/** How random events of a role are drawn, where not by the kinds of their fields alone. */
export interface EventDraws {
  /** By name of a field, or by `type.name`: what its values are drawn from. */
  readonly values?: Readonly<Record<string, fc.Arbitrary<unknown>>> | undefined;
  /** By type: how often it is drawn beside others; 1 when absent. */
  readonly weights?: Readonly<Record<string, number>> | undefined;
}

/** One role of a protocol. */
export class Role<S extends ProtocolShape, R extends Key<S>> {
  readonly name: R;
  readonly protocol: Protocol<S>;
  readonly shape: RoleShape;
  readonly #memory: Kind<Record<string, unknown>>;
  readonly #events: ReadonlyMap<string, Kind<Record<string, unknown>>>;

  constructor(protocol: Protocol<S>, name: R, shape: RoleShape) {
    this.protocol = protocol;
    this.name = name;
    this.shape = shape;
    // What a crash takes away is not there.
    this.#memory = recordOf(
      Object.fromEntries(
        Object.entries(shape.remembers ?? {}).map(([name, kind]) => [name, field.optional(kind)]),
      ),
      'any',
    );
    const timers = (shape.timers ?? []).map((type) => [type, {}] as const);
    this.#events = new Map(
      [...Object.entries(shape.receives ?? {}), ...timers].map(([type, fields]) => [
        type,
        recordOf(fields, envelope),
      ]),
    );
  }

  /** The helpers that the state machine of such an actor is made of: typed by its events, by what the protocol lets it send, and by what it shows. */
  component<C extends MachineContext>(): Component<
    C,
    EventsIn<S, R>,
    MessagesIn<S> | OwnTimers<S, R>,
    ShownIn<S, R>
  > {
    return component() as never;
  }

  /** The types for XState's `setup`: `setup({ types: role.types<Context, Input>(), … })`. */
  types<C extends object, Input>(): { context: C; events: EventsIn<S, R>; input: Input } {
    return {} as { context: C; events: EventsIn<S, R>; input: Input };
  }

  /** Keeps an address for the only actor of this role, which has its name; or addresses for several, `Name[0]` and so on. */
  reserve(wiring: Wiring): AddressOf<R>;
  reserve(wiring: Wiring, count: number): AddressOf<R>[];
  reserve(wiring: Wiring, count?: number): AddressOf<R> | AddressOf<R>[] {
    if (count === undefined) return wiring.reserve(this.name) as AddressOf<R>;
    return Array.from({ length: count }, (_, at) => wiring.reserve(`${this.name}[${at}]`) as AddressOf<R>);
  }

  /** Fields of an event that an actor of this role receives, without its type; undefined for one that it does not receive. */
  fieldsOf(type: string): Kind<Record<string, unknown>> | undefined {
    return this.#events.get(type);
  }

  /** Why the protocol does not let an actor of this role put this out, in words; undefined when it does. `what`: a post, a probe or a timer. */
  undeclared(
    what: string,
    said: string | (LockstepEvent & Readonly<Record<string, unknown>>),
  ): string | undefined {
    if (what === 'timer')
      return this.shape.timers?.includes(said as string)
        ? undefined
        : `sets the timer ${said}, which the role ${this.name} does not have`;
    if (typeof said === 'string' || (what !== 'post' && what !== 'probe')) return undefined;
    const { type } = said;
    const kinds =
      what === 'probe'
        ? [recordOf(this.shape.shows?.[type] ?? {}, envelope)].filter(() =>
            Object.hasOwn(this.shape.shows ?? {}, type),
          )
        : Object.values<AnyRole>(this.protocol.roles).flatMap((role) => role.fieldsOf(type) ?? []);
    const [misfit] = kinds.map((kind) => kind.misfit(said));
    const verb = what === 'post' ? 'posts' : 'shows';
    if (kinds.length === 0) return `${verb} ${type}, which the protocol does not have`;
    if (kinds.some((kind) => kind.misfit(said) === undefined)) return undefined;
    return `${verb} ${type} with ${misfitWords(misfit!)}`;
  }

  /** Types of the events that an actor of this role receives. */
  get eventTypes(): readonly string[] {
    return [...this.#events.keys()];
  }

  /** An event after two actors have changed places. */
  exchangedEvent(event: Readonly<Record<string, unknown>>, exchange: RoleExchange): Record<string, unknown> {
    const of = this.#events.get(event['type'] as string)?.exchanged(event, exchange) ?? { ...event };
    // A recipe may post a record that says where it goes.
    return 'to' in of ? { ...of, to: exchange.address(of['to'] as Address) } : of;
  }

  /** What an actor shows, after two actors have changed places; undefined where it is not declared, or not as declared. */
  exchangedShown(probe: Probe, exchange: RoleExchange): Probe | undefined {
    if (!Object.hasOwn(this.shape.shows ?? {}, probe.type)) return undefined;
    const fields = recordOf(this.shape.shows![probe.type]!, envelope);
    return fields.misfit(probe) ? undefined : (fields.exchanged({ ...probe }, exchange) as unknown as Probe);
  }

  /** Where a context is not as declared; undefined for one that is. */
  memoryMisfit(context: Readonly<Record<string, unknown>>): Misfit | undefined {
    return this.#memory.misfit(context);
  }

  /** A context after two actors have changed places. */
  exchangedMemory(
    context: Readonly<Record<string, unknown>>,
    exchange: RoleExchange,
  ): Record<string, unknown> {
    return this.#memory.exchanged(context, exchange);
  }

  /** Draws events that an actor of this role may receive, timers included. `check` is fast-check. */
  events(
    check: typeof fc,
    members: Members,
    { values = {}, weights = {} }: EventDraws = {},
  ): fc.Arbitrary<LockstepEvent> {
    const drawn = (type: string): fc.Arbitrary<object> => {
      const fields = Object.entries(this.shape.receives?.[type] ?? {}).map(([name, kind]) => {
        const chosen = values[`${type}.${name}`] ?? values[name];
        return [name, chosen ? { ...kind, arbitrary: () => chosen } : kind];
      });
      return recordOf(Object.fromEntries(fields)).arbitrary(check, members);
    };
    return check.oneof(
      ...this.eventTypes.map((type) => ({
        weight: weights[type] ?? 1,
        arbitrary: drawn(type).map((fields) => ({ type, ...fields })),
      })),
    );
  }
}

/** A role of whatever protocol. */
// biome-ignore lint/suspicious/noExplicitAny: roles are as different as protocols
export type AnyRole = Role<any, any>;

/** Errors: KRN024. */
function checkRole(where: string, role: RoleShape): void {
  const refuse = (at: string, found: unknown, expected: string): never => {
    throw new KernelError(
      'KRN024',
      at,
      `found ${JSON.stringify(found) ?? typeof found}, expected ${expected}`,
    );
  };
  const isRecord = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isRecord(role)) refuse(where, role, '{ receives, timers, shows, remembers }');
  const { receives = {}, timers = [], shows = {}, remembers = {}, named, ...others } = role;
  onlyKeys(where, others, ['receives', 'timers', 'shows', 'remembers', 'named']);
  if (!Array.isArray(timers) || timers.some((one) => typeof one !== 'string'))
    refuse(`${where}.timers`, timers, 'a list of names');
  const checkFields = (at: string, fields: Fields) => {
    if (!isRecord(fields)) refuse(at, fields, 'a record of fields');
    for (const [field, kind] of Object.entries(fields))
      if (typeof (kind as unknown as Partial<Kind<unknown>> | undefined)?.misfit !== 'function')
        refuse(`${at}.${field}`, kind, 'a kind of field, such as field.int()');
  };
  checkFields(`${where}.remembers`, remembers);
  for (const [key, types] of Object.entries({ receives, shows })) {
    if (!isRecord(types)) refuse(`${where}.${key}`, types, 'a record of messages by type');
    for (const [type, fields] of Object.entries(types)) checkFields(`${where}.${key}.${type}`, fields);
  }
}

/** A protocol as a value: its roles, what they tell each other, and the kinds of all fields. */
export class Protocol<const S extends ProtocolShape = ProtocolShape> {
  readonly roles: { readonly [R in Key<S>]: Role<S, R> };

  /** Errors: KRN024 for a role with keys that are not known, and for fields that are no kinds: their messages would be held to nothing. */
  constructor(shape: S) {
    for (const [name, role] of Object.entries(shape)) checkRole(`protocol.${name}`, role);
    this.roles = Object.fromEntries(
      Object.entries(shape).map(([name, role]) => [
        name,
        new Role<ProtocolShape, string>(this as never, name, role),
      ]),
    ) as never;
  }

  /** The role of an actor by its name: `Cache[2]` and `Chip.Cache[2]` have the role `Cache`, or `Chip.Cache` where there is one. Undefined for one that has none in this protocol. */
  roleOf(actor: string): Role<S, Key<S>> | undefined {
    let name = actor.replaceAll(/\[[^\]]*\]/g, '');
    while (!Object.hasOwn(this.roles, name)) {
      const dot = name.indexOf('.');
      if (dot < 0) return Object.values<AnyRole>(this.roles).find((one) => one.shape.named?.test(actor));
      name = name.slice(dot + 1);
    }
    return this.roles[name as Key<S>];
  }
}

/** A protocol of whatever roles. */
// biome-ignore lint/suspicious/noExplicitAny: roles are as different as protocols
export type AnyProtocol = Protocol<any>;

/** Declares a protocol. */
export const protocol = <const S extends ProtocolShape>(shape: S): Protocol<S> => new Protocol(shape);
