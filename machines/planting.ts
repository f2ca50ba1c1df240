import { type AnyStateMachine, createMachine } from 'xstate';
import { invariant } from '../kernel/errors.ts';
import { actionTag, type Envelope, type Outbox } from '../kernel/kit.ts';
import type { LockstepEvent, Post, Probe } from '../kernel/message.ts';
import { ForwardingOutbox, silentPort } from '../kernel/port.ts';

/*
 * What fault catalogues are written with: state machines with some of their actions and guards replaced.
 */

type Implementations = Parameters<AnyStateMachine['provide']>[0];

/** What a `post` recipe gives. */
export type Posted = Post | readonly Post[] | undefined;

/** The machine with some of its actions and guards replaced by kit ones. */
export function planted<M extends AnyStateMachine>(
  machine: M,
  changes: { readonly actions?: object; readonly guards?: object },
): M {
  const { actions, guards } = machine.implementations as { actions: object; guards: object };
  for (const name of Object.keys(changes.actions ?? {}))
    invariant(name in actions, `"${machine.id}" has no action "${name}"`);
  for (const name of Object.keys(changes.guards ?? {}))
    invariant(name in guards, `"${machine.id}" has no guard "${name}"`);
  // The types of context and event are erased in `AnyStateMachine`; the kit checks them where the changes are made.
  return machine.provide(changes as Implementations) as M;
}

/** What an action of a machine that changes or posts does, so that a fault can do it at another time, or with something else. */
export function recipeOf<C, E = LockstepEvent>(
  machine: AnyStateMachine,
  name: string,
): (context: C, event: E, out: Outbox) => void {
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
