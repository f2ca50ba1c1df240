import { enableMapSet, produce } from 'immer';
import { type ActionFunction, assign, type EventObject, enqueueActions, type MachineContext } from 'xstate';
import type { Address, LockstepEvent, Post, Probe, Report } from './message.ts';
import { currentPort, type Port } from './port.ts';

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
  readonly count?: (context: any, event: any) => number;
  /** For `choose`: what the decision is called in reports. */
  readonly what?: string;
}

/** A guard as the compiler sees it. */
export interface GuardTag {
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly holds: (context: any, event: any, params: any) => boolean;
}

const actionTags = new WeakMap<object, ActionTag>();
const guardTags = new WeakMap<object, GuardTag>();

/** The tag of a kit action, or undefined when something else made it. */
export const actionTag = (action: object): ActionTag | undefined => actionTags.get(action);

/** The tag of a kit guard, or undefined when something else made it. */
export const guardTag = (guard: object): GuardTag | undefined => guardTags.get(guard);

/** Declares that a state knows an event and does nothing with it: `on: { 'bus.grant': refused }`. */
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
export type Letter<S extends LockstepEvent> = S extends unknown ? S & Pick<Post, 'to' | 'delay'> : never;

/** What an `act` recipe may do besides changing its context. `S` are the events that its part sends; any when absent. */
export interface Outbox<S extends LockstepEvent = LockstepEvent> {
  /** Posts one message. */
  post<M extends Letter<S>>(message: M): void;
  /** What `post` does, for a recipe that has the address and the delay at hand. */
  send<M extends Letter<S>>(to: Address, delay: number | undefined, message: M): void;
  /** True when somebody observes the probes: test it before building one. */
  readonly observed: boolean;
  /** Shows something to the observers. */
  probe<P extends Probe>(probe: P): void;
  /** Reports that something is wrong. */
  report(report: Report): void;
}

/** The helpers that a part's implementations are made of, bound to its context and events. */
export interface Component<
  C extends MachineContext,
  E extends EventObject,
  S extends LockstepEvent = LockstepEvent,
> {
  /** Changes the context, Immer style. */
  update<T extends E['type'] = E['type'], P extends Params = undefined>(
    recipe: (context: C, event: Narrow<E, T>, params: P) => void,
  ): Action<C, E, P>;
  /** Sends messages: one, several, or none (`undefined`). */
  post<T extends E['type'] = E['type'], P extends Params = undefined>(
    recipe: (context: C, event: Narrow<E, T>, params: P) => Letter<S> | readonly Letter<S>[] | undefined,
  ): Action<C, E, P>;
  /** A guard: a pure question about context and event. */
  when<T extends E['type'] = E['type'], P extends Params = undefined>(
    condition: (context: C, event: Narrow<E, T>, params: P) => boolean,
  ): (args: { context: C; event: E }, params: P) => boolean;
  /** An update that receives a pick in 0..count-1, for a part whose real behaviour is arbitrary. */
  choose<T extends E['type'] = E['type'], P extends Params = undefined>(
    what: string,
    count: number | ((context: C, event: Narrow<E, T>) => number),
    recipe: (context: C, event: Narrow<E, T>, pick: number) => void,
  ): Action<C, E, P>;
  /** Shows something to observers; not even computed when nobody looks. */
  probe<T extends E['type'] = E['type'], P extends Params = undefined>(
    recipe: (context: C, event: Narrow<E, T>, params: P) => Probe | readonly Probe[] | undefined,
  ): Action<C, E, P>;
  /** Tells that something is wrong: the verdict of the run becomes `violated`. */
  report<T extends E['type'] = E['type'], P extends Params = undefined>(
    recipe: (context: C, event: Narrow<E, T>, params: P) => Report | undefined,
  ): Action<C, E, P>;
  /** Changes the context and posts in one step, for a part that handles a whole batch in one message. */
  act<T extends E['type'] = E['type'], P extends Params = undefined>(
    recipe: (context: C, event: Narrow<E, T>, out: Outbox<S>, params: P) => void,
  ): Action<C, E, P>;
}

/**
 * The kit for one kind of part: `const { update, post, when } = component<Context, Events>()`.
 *
 * Details: what the helpers return is an ordinary XState action or guard, so XState itself can run the
 * machine (contexts then change through Immer), and carries a tag by which the compiler recognises it. A third type, the events that the part
 * sends, lets the type check look at every message that is posted.
 *
 * Gotchas: a context keeps its top-level keys for life; class instances in it must be `Resource`s.
 */
export function component<
  C extends MachineContext,
  E extends EventObject,
  S extends LockstepEvent = LockstepEvent,
>(): Component<C, E, S> {
  return {
    update: (recipe) =>
      changing({ kind: 'update', run: recipe }, (draft, event, params) =>
        recipe(draft as C, event as never, params as never),
      ),
    choose: (what, count, recipe) => {
      const counts = typeof count === 'number' ? () => count : count;
      return changing({ kind: 'choose', run: recipe, count: counts as never, what }, (draft, event) => {
        const pick = currentPort().pick(what, counts(draft as C, event as never));
        recipe(draft as C, event as never, pick);
      });
    },
    act: (recipe) =>
      acting({ kind: 'act', run: recipe }, (draft, event, out, params) =>
        recipe(draft as C, event as never, out, params as never),
      ),
    post: (recipe) =>
      telling({ kind: 'post', run: recipe }, (port, context, event, params) =>
        sendAll(port, recipe(context as C, event as never, params as never)),
      ),
    probe: (recipe) =>
      telling({ kind: 'probe', run: recipe }, (port, context, event, params) => {
        if (port.observed) showAll(port, recipe(context as C, event as never, params as never));
      }),
    report: (recipe) =>
      telling({ kind: 'report', run: recipe }, (port, context, event, params) => {
        const report = recipe(context as C, event as never, params as never);
        if (report) port.report(report);
      }),
    when: (condition) => {
      const guard = ({ context, event }: { context: C; event: E }, params: never) =>
        condition(context, event as never, params);
      guardTags.set(guard, { holds: condition });
      return guard as never;
    },
  };
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
    const put = (output: () => void) => {
      if (held) held.push(output);
      else output();
    };
    const out: Outbox = {
      observed: port.observed,
      post: (message) => put(() => port.post(message)),
      send: (to, delay, message) => put(() => port.send(to, delay, message)),
      probe: (probe) => put(() => port.probe(probe)),
      report: (report) => put(() => port.report(report)),
    };
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

/** True while XState works out the first snapshot of an actor; that there is none yet is all that it tells. */
function isBeginning(actor: { getSnapshot(): unknown }): boolean {
  try {
    actor.getSnapshot();
    return false;
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
