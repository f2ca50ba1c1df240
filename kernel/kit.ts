import { enableMapSet, produce } from 'immer';
import { type ActionFunction, assign, type EventObject, enqueueActions, type MachineContext } from 'xstate';
import type { Address, LockstepEvent, Post, Probe, Report } from './message.ts';
import { currentPort, ForwardingOutbox, type Port } from './port.ts';

enableMapSet();

/** What kind of work a kit action does; the compiler dispatches on it. */
export type ActionKind = 'update' | 'post' | 'choose' | 'probe' | 'report' | 'act';

/** An implementation as the compiler and the interpreter see it, types erased once. */
export interface ActionTag {
  readonly kind: ActionKind;
  // biome-ignore lint/suspicious/noExplicitAny: the kit is the one place where the types of context and event are erased
  readonly run: (context: any, event: any, third: any, fourth: any) => any;
  /** For `choose`: how many picks there are. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly count?: (context: any, event: any, envelope: Envelope) => number;
  /** For `choose`: what the decision is called in reports. */
  readonly what?: string;
}

/** A guard as the compiler sees it. */
export interface GuardTag {
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly holds: (context: any, event: any, envelope: Envelope, params: any) => boolean;
}

const actionTags = new WeakMap<object, ActionTag>();
const guardTags = new WeakMap<object, GuardTag>();

/** The tag of a kit action, or undefined when something else made it. */
export const actionTag = (action: object): ActionTag | undefined => actionTags.get(action);

/** The tag of a kit guard, or undefined when something else made it. */
export const guardTag = (guard: object): GuardTag | undefined => guardTags.get(guard);

/** Declares that an event may come in a state, which does nothing with it: `on: { 'bus.grant': refused }`. What cannot come is left out: it fails the run when it does. */
export const refused = {} as const;

type Narrow<E extends EventObject, T extends E['type']> = Extract<E, { type: T }>;
type Action<C extends MachineContext, E extends EventObject, P> = ActionFunction<
  C,
  E,
  E,
  P & ({} | null | undefined),
  never,
  never,
  never,
  never,
  never
>;
type Params = Record<string, unknown> | undefined;

/** An event of one of these types with where it goes and when. */
export type Payload<S extends LockstepEvent> = S extends { readonly to: Address }
  ? S & Pick<Post, 'delay'>
  : S extends unknown
    ? S & Pick<Post, 'to' | 'delay'>
    : never;

/**
 * What every recipe, guard and choice sees of a handling besides context and event.
 *
 * Details: read what you need and keep no reference to it: it serves the next handling, too. The explorer keeps what it has worked out by what was really
 * read, so a handling that does not ask for the time does not depend on it.
 */
export interface Envelope {
  /** The present tick, in a clocked wiring. Errors: KRN015 in an asynchronous one, which has no time. */
  readonly now: number;
  /** The address of the actor itself. */
  readonly self: Address;
  /** Who posted the message; `WORLD` for messages from the outside, and while the actor starts. A timer comes from the actor itself. */
  readonly from: Address;
  /** What the actor was placed with. */
  readonly input: unknown;
}

/** What an `act` recipe may do besides changing its context. `S` are the events that its part sends, `V` the probes that it shows; any when absent. */
export interface Outbox<S extends LockstepEvent = LockstepEvent, V extends Probe = Probe> extends Envelope {
  /** Posts one message. */
  post<M extends Payload<S>>(message: M): void;
  /** What `post` does, for a recipe that has the address and the delay at hand. */
  send<M extends Payload<S>>(to: Address, delay: number | undefined, message: M): void;
  /** True when somebody observes the probes: test it before building one. */
  readonly observed: boolean;
  /** Shows something to the observers. */
  probe<P extends V>(probe: P): void;
  /** Reports that something is wrong. */
  report(report: Report): void;
  /** Picks 0..count-1: a decision that may go either way. `what` names it in reports. */
  pick(what: string, count: number): number;
  /**
   * Sets a timer: the event `{ type }` comes to the actor itself, after `ticks` (default 1) in a clocked wiring, at any later step in an asynchronous one.
   * Setting a timer that is set changes nothing. Errors: KRN006 for ticks that are no whole number from 1.
   */
  setTimer(type: string, ticks?: number): void;
  /** Cancels a timer; one that is not set is no error. */
  cancelTimer(type: string): void;
}

/** The helpers that a part's implementations are made of, bound to its context and events. */
export interface Component<
  C extends MachineContext,
  E extends EventObject,
  S extends LockstepEvent = LockstepEvent,
  V extends Probe = Probe,
> {
  /** Changes the context, Immer style. */
  update<T extends E['type'] = E['type'], P extends Params = undefined>(
    recipe: (context: C, event: Narrow<E, T>, envelope: Envelope, params: P) => void,
  ): Action<C, E, NoInfer<P>>;
  /** Sends messages: one, several, or none (`undefined`). */
  post<T extends E['type'] = E['type'], P extends Params = undefined>(
    recipe: (
      context: C,
      event: Narrow<E, T>,
      envelope: Envelope,
      params: P,
    ) => Payload<S> | readonly Payload<S>[] | undefined,
  ): Action<C, E, NoInfer<P>>;
  /** A guard: a pure question about context and event. */
  when<T extends E['type'] = E['type'], P extends Params = undefined>(
    condition: (context: C, event: Narrow<E, T>, envelope: Envelope, params: P) => boolean,
  ): (args: { context: C; event: E }, params: P) => boolean;
  /** An update that receives a pick in 0..count-1, for a part whose real behaviour is arbitrary. */
  choose<T extends E['type'] = E['type'], P extends Params = undefined>(
    what: string,
    count: number | ((context: C, event: Narrow<E, T>, envelope: Envelope) => number),
    recipe: (context: C, event: Narrow<E, T>, pick: number, envelope: Envelope) => void,
  ): Action<C, E, NoInfer<P>>;
  /** Shows something to observers; not even computed when nobody looks. */
  probe<T extends E['type'] = E['type'], P extends Params = undefined>(
    recipe: (context: C, event: Narrow<E, T>, envelope: Envelope, params: P) => V | readonly V[] | undefined,
  ): Action<C, E, NoInfer<P>>;
  /** Tells that something is wrong: the verdict of the run becomes `violated`. */
  report<T extends E['type'] = E['type'], P extends Params = undefined>(
    recipe: (context: C, event: Narrow<E, T>, envelope: Envelope, params: P) => Report | undefined,
  ): Action<C, E, NoInfer<P>>;
  /** Changes the context and posts in one step, for a part that handles a whole batch in one message. */
  act<T extends E['type'] = E['type'], P extends Params = undefined>(
    recipe: (context: C, event: Narrow<E, T>, out: Outbox<S, V>, params: P) => void,
  ): Action<C, E, NoInfer<P>>;
}

/**
 * The kit for one kind of part: `const { update, post, when } = component<Context, Events>()`.
 *
 * Details: what the helpers return is an ordinary XState action or guard, so XState itself can run the
 * machine (contexts then change through Immer), and carries a tag by which the compiler recognises it. A third type, the events that the part
 * sends, lets the type check look at every message that is posted, and a fourth one, the probes that it shows, at those.
 *
 * Gotchas: a context keeps its top-level keys for life; class instances in it must be `Resource`s.
 */
export function component<
  C extends MachineContext,
  E extends EventObject,
  S extends LockstepEvent = LockstepEvent,
  V extends Probe = Probe,
>(): Component<C, E, S, V> {
  return allDone({
    update: (recipe) =>
      changing({ kind: 'update', run: recipe }, (draft, event, params) =>
        recipe(draft as C, event as never, currentPort(), params as never),
      ),
    choose: (what, count, recipe) => {
      const counts = typeof count === 'number' ? () => count : count;
      return changing({ kind: 'choose', run: recipe, count: counts as never, what }, (draft, event) => {
        const port = currentPort();
        const pick = port.pick(what, counts(draft as C, event as never, port));
        recipe(draft as C, event as never, pick, port);
      });
    },
    act: (recipe) =>
      acting({ kind: 'act', run: recipe }, (draft, event, out, params) =>
        recipe(draft as C, event as never, out, params as never),
      ),
    post: (recipe) =>
      telling({ kind: 'post', run: recipe }, (port, context, event, params) =>
        sendAll(port, recipe(context as C, event as never, port, params as never)),
      ),
    probe: (recipe) =>
      telling({ kind: 'probe', run: recipe }, (port, context, event, params) => {
        if (port.observed) showAll(port, recipe(context as C, event as never, port, params as never));
      }),
    report: (recipe) =>
      telling({ kind: 'report', run: recipe }, (port, context, event, params) => {
        const report = recipe(context as C, event as never, port, params as never);
        if (report) port.report(report);
      }),
    when: (condition) => {
      const guard = ({ context, event }: { context: C; event: E }, params: never) =>
        condition(context, event as never, currentPort(), params);
      guardTags.set(guard, { holds: condition });
      return guard as never;
    },
  });
}

/** Helpers that refuse functions which are not done when they return: what those do later would be lost. Errors of the helpers: `TypeError`. */
function allDone<K extends object>(kit: K): K {
  const helpers = Object.entries(kit as Record<string, (...given: unknown[]) => unknown>).map(
    ([name, helper]) => [
      name,
      (...given: unknown[]) => {
        for (const one of given)
          if (typeof one === 'function' && /^(Async|Generator)/.test(one.constructor.name))
            throw new TypeError(
              `${name}: found ${one.constructor.name === 'AsyncFunction' ? 'an async function' : 'a generator'}, expected a function that is done when it returns\n  help: take async, await and yield away; what comes later is a message or a timer`,
            );
        return helper(...given);
      },
    ],
  );
  return Object.fromEntries(helpers) as K;
}

/** Posts what a `post` recipe returned. */
export function sendAll(port: Port, posts: Post | readonly Post[] | undefined): void {
  if (posts === undefined) return;
  if (isList(posts)) for (const one of posts) port.post(one);
  else port.post(posts);
}

/** Shows what a `probe` recipe returned. */
export function showAll(port: Port, probes: Probe | readonly Probe[] | undefined): void {
  if (probes === undefined) return;
  if (isList(probes)) for (const one of probes) port.probe(one);
  else port.probe(probes);
}

const isList = <T>(value: T | readonly T[]): value is readonly T[] => Array.isArray(value);

function changing<A>(tag: ActionTag, recipe: (draft: unknown, event: unknown, params: unknown) => void): A {
  const action = assign((args: { context: MachineContext; event: EventObject }, params: unknown) =>
    produce(args.context, (draft: unknown) => {
      recipe(draft, args.event, params);
    }),
  );
  actionTags.set(action, tag);
  return action as A;
}

/**
 * For XState: a change of context and what is put out meanwhile, at once, as the tables do it: who observes a resource while a recipe goes
 * on sees it as it is at that moment.
 */
function acting<A>(
  tag: ActionTag,
  recipe: (draft: unknown, event: unknown, out: Outbox, params: unknown) => void,
): A {
  const action = enqueueActions(({ context, event, enqueue, self }, params: unknown) => {
    // Until an actor starts, XState holds back all actions: outputs keep their place among them.
    const held: (() => void)[] | undefined = isBeginning(self) ? [] : undefined;
    const port = currentPort();
    const out = held ? new HeldOutbox(port, held) : port;
    const next = produce(context as MachineContext, (draft: unknown) => {
      recipe(draft, event, out, params);
    });
    enqueue.assign(() => next);
    if (held)
      enqueue(() => {
        for (const output of held) output();
      });
  });
  actionTags.set(action, tag);
  return action as unknown as A;
}

/** Keeps what is put out while XState works out the first snapshot of an actor; questions are answered at once. */
class HeldOutbox extends ForwardingOutbox {
  readonly #held: (() => void)[];

  constructor(port: Outbox, held: (() => void)[]) {
    super(port);
    this.#held = held;
  }

  override post(message: Post): void {
    this.#held.push(() => this.inner.post(message));
  }
  override send(to: Address, delay: number | undefined, message: Post): void {
    this.#held.push(() => this.inner.send(to, delay, message));
  }
  override probe(probe: Probe): void {
    this.#held.push(() => this.inner.probe(probe));
  }
  override report(report: Report): void {
    this.#held.push(() => this.inner.report(report));
  }
  override setTimer(type: string, ticks?: number): void {
    this.#held.push(() => this.inner.setTimer(type, ticks));
  }
  override cancelTimer(type: string): void {
    this.#held.push(() => this.inner.cancelTimer(type));
  }
}

/** True while XState works out the first snapshot of an actor; that there is none yet is all that it tells. */
function isBeginning(actor: { getSnapshot(): unknown }): boolean {
  try {
    // The production build of XState has none yet; its development build throws.
    return actor.getSnapshot() === undefined;
  } catch {
    return true;
  }
}

function telling<A>(
  tag: ActionTag,
  tell: (port: Port, context: unknown, event: unknown, params: unknown) => void,
): A {
  const action = (args: { context: unknown; event: unknown }, params: unknown) =>
    tell(currentPort(), args.context, args.event, params);
  actionTags.set(action, tag);
  return action as A;
}
