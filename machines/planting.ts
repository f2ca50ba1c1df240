import { type AnyStateMachine, createMachine } from 'xstate';
import { invariant } from '../kernel/errors.ts';
import { actionTag, component, type Envelope, type Outbox } from '../kernel/kit.ts';
import type { LockstepEvent, Post, Probe } from '../kernel/message.ts';
import { ForwardingOutbox, silentPort } from '../kernel/port.ts';

/*
 * What fault catalogues are written with: state machines with some of their actions and guards replaced.
 */

type Implementations = Parameters<AnyStateMachine['provide']>[0];

/** What a `post` recipe gives. */
export type Posted = Post | readonly Post[] | undefined;

/** Actions and guards that a fault puts in place of those of a machine. */
export interface Changes {
  readonly actions?: object;
  readonly guards?: object;
}

/** The machine with some of its actions and guards replaced by kit ones. */
export function planted<M extends AnyStateMachine>(machine: M, changes: Changes): M {
  const { actions, guards } = machine.implementations as { actions: object; guards: object };
  for (const name of Object.keys(changes.actions ?? {}))
    invariant(name in actions, `"${machine.id}" has no action "${name}"`);
  for (const name of Object.keys(changes.guards ?? {}))
    invariant(name in guards, `"${machine.id}" has no guard "${name}"`);
  // The types of context and event are erased in `AnyStateMachine`; the kit checks them where the changes are made.
  return machine.provide(changes as Implementations) as M;
}

/** Replaces actions and guards, as the `mutate` of a fault of one machine. */
export const planting =
  (changes: Changes) =>
  <M extends AnyStateMachine>(machine: M): M =>
    planted(machine, changes);

/** An action of a machine, as a fault calls it. */
export type Recipe<C, E> = (context: C, event: E, out: Outbox) => void;

/** What `change` makes of a message: others in its place, none, or one. */
export type MessageChange<C> = (message: Post, context: C) => object | readonly object[];

/** Functions that give the `mutate` of a fault. A fault sits in one part, or in several that do the same. */
export interface Planting<Parts> {
  /** Replaces actions and guards. */
  replace(
    names: OneOrMore<keyof Parts>,
    changes: Changes | ((machine: AnyStateMachine) => Changes),
  ): (parts: Parts) => Parts;
  /** Does something else in place of actions; `sound` is the action as it was. */
  instead<C, E = LockstepEvent>(
    names: OneOrMore<keyof Parts>,
    actions: OneOrMore<string>,
    run: (sound: Recipe<C, E>, context: C, event: E, out: Outbox) => void,
  ): (parts: Parts) => Parts;
  /** Gives actions another event than the one that has come. */
  hearing<E, C = unknown>(
    names: OneOrMore<keyof Parts>,
    actions: OneOrMore<string>,
    change: (event: E, context: C) => E,
  ): (parts: Parts) => Parts;
  /** Changes the messages that actions post. */
  saying<C = unknown>(
    names: OneOrMore<keyof Parts>,
    actions: OneOrMore<string>,
    change: MessageChange<C>,
  ): (parts: Parts) => Parts;
}

type OneOrMore<T> = T | readonly T[];
const listOf = <T>(some: OneOrMore<T>): readonly T[] => [some].flat() as readonly T[];
const { act } = component<Record<string, unknown>, LockstepEvent>();

/** The functions that plant faults in parts of this type. */
export function plantingIn<Parts extends object>(): Planting<Parts> {
  const replace: Planting<Parts>['replace'] = (names, changes) => (parts) => {
    const changed = { ...parts };
    for (const name of listOf(names)) {
      const machine = parts[name] as AnyStateMachine;
      changed[name] = planted(
        machine,
        typeof changes === 'function' ? changes(machine) : changes,
      ) as Parts[typeof name];
    }
    return changed;
  };
  const instead: Planting<Parts>['instead'] = <C, E>(
    names: OneOrMore<keyof Parts>,
    actions: OneOrMore<string>,
    run: (sound: Recipe<C, E>, context: C, event: E, out: Outbox) => void,
  ) =>
    replace(names, (machine) => ({
      actions: Object.fromEntries(
        listOf(actions).map((name) => {
          const sound = recipeOf<C, E>(machine, name);
          return [name, act((context, event, out) => run(sound, context as C, event as E, out))];
        }),
      ),
    }));
  return {
    replace,
    instead,
    hearing: <E, C>(
      names: OneOrMore<keyof Parts>,
      actions: OneOrMore<string>,
      change: (event: E, context: C) => E,
    ) =>
      instead<C, E>(names, actions, (sound, context, event, out) =>
        sound(context, change(event, context), out),
      ),
    saying: <C>(names: OneOrMore<keyof Parts>, actions: OneOrMore<string>, change: MessageChange<C>) =>
      instead<C>(names, actions, (sound, context, event, out) =>
        sound(
          context,
          event,
          altered(out, (message) => listOf(change(message, context)) as readonly Post[]),
        ),
      ),
  };
}

/** One fault after the other, as the `mutate` of one. */
export const together =
  <Parts>(...changes: readonly ((parts: Parts) => Parts)[]) =>
  (parts: Parts): Parts =>
    changes.reduce((all, change) => change(all), parts);

/** A message as what its type says that it is. */
export const as = <T>(message: Post): T & Post => message as T & Post;

/** What an action of a machine that changes or posts does, so that a fault can do it at another time, or with something else. */
export function recipeOf<C, E = LockstepEvent>(machine: AnyStateMachine, name: string): Recipe<C, E> {
  const action = (machine.implementations.actions as Readonly<Record<string, object | undefined>>)[name];
  const tag = action && actionTag(action);
  invariant(
    tag?.kind === 'act' || tag?.kind === 'update',
    `"${machine.id}" has no action "${name}" that changes its context`,
  );
  return (context, event, out) => tag.run(context, event, out, undefined);
}

/** An outbox that a fault looks at: what `change` makes of a message is posted instead of it. */
export const altered = (out: Outbox, change: (message: Post) => readonly Post[]): Outbox =>
  new AlteredOutbox(out, change);

class AlteredOutbox extends ForwardingOutbox {
  readonly #change: (message: Post) => readonly Post[];

  constructor(out: Outbox, change: (message: Post) => readonly Post[]) {
    super(out);
    this.#change = change;
  }

  override post(message: Post): void {
    for (const one of this.#change(message)) this.inner.post(one);
  }
  override send(to: Post['to'], delay: number | undefined, message: Post): void {
    for (const one of this.#change(message)) this.inner.send(to, delay, one);
  }
}

/** What a `post` action of the machine posts, so that a fault can post something near it. */
export function postedBy<C>(
  machine: AnyStateMachine,
  name: string,
): (context: C, event: LockstepEvent, envelope?: Envelope) => Posted {
  const action = (machine.implementations.actions as Readonly<Record<string, object | undefined>>)[name];
  const tag = action && actionTag(action);
  invariant(tag?.kind === 'post', `"${machine.id}" has no action "${name}" that posts`);
  return (context, event, envelope = silentPort) => tag.run(context, event, envelope, undefined);
}

/** What a `probe` action of the machine shows, so that a fault can show something near it. */
export function probedBy<C>(
  machine: AnyStateMachine,
  name: string,
): (context: C, event: LockstepEvent, envelope?: Envelope) => readonly Probe[] {
  const action = (machine.implementations.actions as Readonly<Record<string, object | undefined>>)[name];
  const tag = action && actionTag(action);
  invariant(tag?.kind === 'probe', `"${machine.id}" has no action "${name}" that shows something`);
  return (context, event, envelope = silentPort) =>
    [tag.run(context, event, envelope, undefined) ?? []].flat();
}

/** The machine with more fields in its context, and with events that its initial state did not know. */
export function extended(
  machine: AnyStateMachine,
  fields: () => object,
  on: Readonly<Record<string, unknown>> = {},
): AnyStateMachine {
  const { config } = machine;
  const context = config.context as (args: unknown) => object;
  const initial = String(config.initial);
  const first = config.states?.[initial];
  const states = first && { ...config.states, [initial]: { ...first, on: { ...first.on, ...on } } };
  return createMachine({
    ...config,
    ...(states && { states }),
    context: (args: unknown) => ({ ...context(args), ...fields() }),
  } as never).provide(machine.implementations as never);
}

/** The machine begun with something else than what its wiring gives it. */
export function begunWith<Input>(machine: AnyStateMachine, change: (input: Input) => Input): AnyStateMachine {
  const { config } = machine;
  const context = config.context as (args: { readonly input: Input }) => object;
  return createMachine({
    ...config,
    context: (args: { readonly input: Input }) => context({ ...args, input: change(args.input) }),
  } as never).provide(machine.implementations as never);
}
