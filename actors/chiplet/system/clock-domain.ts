import type { AnyStateMachine } from 'xstate';
import { actionTag, component, type Outbox } from '../../../kernel/kit.ts';
import type { Post } from '../../../kernel/message.ts';

/*
 * Chiplets and network count cycles of their own; a system has one calendar. Its ticks are so short that every clock ticks on a whole number of them
 * (chiplet specification 9.3, clock ratios). Parts that were written for a calendar of their own get their delays translated.
 */

/** Ticks of the system for a delay that a part asks for while it handles an event of this type. */
export type DelayRule = (delay: number, event: string) => number;

/** A rule for each number, made once: machines are made anew for each rule. */
function once(make: (ticks: number) => DelayRule): (ticks: number) => DelayRule {
  const made = new Map<number, DelayRule>();
  return (ticks) => {
    const rule = made.get(ticks) ?? make(ticks);
    made.set(ticks, rule);
    return rule;
  };
}

/** A clock whose every tick is so many ticks of the system. */
export const everyTick = once((ticks) => (delay) => ticks * delay);

/** Events that the parts of a network handle just before the turns of a cycle; all others come with the turns. */
const beforeTurns: ReadonlySet<string> = new Set([
  'flit.arrive',
  'credit.return',
  'packets.due',
  'packets.taken',
  'wire.late',
]);

/**
 * The two ticks of a network's cycle, as ticks of a system in which a cycle takes `cycleTicks`, at least 2: the turns come in its first tick, what they
 * are the first to see in the last tick before.
 */
export const networkTicks = once((cycleTicks) => (delay, event) => {
  const early = beforeTurns.has(event) ? 1 : 0;
  const half = delay - early;
  const cycles = Math.ceil(half / 2);
  return cycles * cycleTicks + early - (Math.abs(half) % 2);
});

const onClocks = new WeakMap<AnyStateMachine, Map<DelayRule, AnyStateMachine>>();

/** A state machine whose parts live on a clock of their own; the same one whenever it is asked for again. */
export function onClock<M extends AnyStateMachine>(machine: M, rule: DelayRule): M {
  const byRule = onClocks.get(machine) ?? new Map<DelayRule, AnyStateMachine>();
  onClocks.set(machine, byRule);
  const known = byRule.get(rule) ?? translated(machine, rule);
  byRule.set(rule, known);
  return known as M;
}

function translated<M extends AnyStateMachine>(machine: M, rule: DelayRule): M {
  const actions = machine.implementations.actions as Readonly<Record<string, object>>;
  const changes = Object.entries(actions).flatMap(([name, action]) => {
    const change = translate(action, rule);
    return change === undefined ? [] : [[name, change] as const];
  });
  // The kit erases the types of context and event; what a translated action does with them is what it did before.
  return machine.provide({ actions: Object.fromEntries(changes) } as never) as M;
}

// biome-ignore lint/suspicious/noExplicitAny: actions of any part; the kit has checked their types where they were made
const erased = component<any, any>();

function translate(action: object, rule: DelayRule): unknown {
  const tag = actionTag(action);
  if (tag?.kind === 'post')
    return erased.post((context, event, params) => {
      const posts = tag.run(context, event, params, undefined) as Post | readonly Post[] | undefined;
      const late = (post: Post): Post => ({ ...post, delay: rule(post.delay ?? 0, event.type) });
      if (posts === undefined) return undefined;
      return Array.isArray(posts) ? posts.map(late) : late(posts as Post);
    });
  if (tag?.kind !== 'act') return undefined;
  const box = new TranslatedOutbox(rule);
  return erased.act((context, event, out, params) => {
    box.begin(out, event.type);
    tag.run(context, event, box, params);
  });
}

/** An outbox that says every delay in ticks of the system. One serves all calls of an action: they never overlap. */
class TranslatedOutbox implements Outbox {
  #out!: Outbox;
  #event = '';

  constructor(readonly rule: DelayRule) {}

  begin(out: Outbox, event: string): void {
    this.#out = out;
    this.#event = event;
  }

  get observed(): boolean {
    return this.#out.observed;
  }

  post<P extends Post>(message: P): void {
    const delay = this.rule(message.delay ?? 0, this.#event);
    this.#out.post({ ...message, delay });
  }

  send<P extends Post>(to: P['to'], delay: number | undefined, message: P): void {
    this.#out.send(to, this.rule(delay ?? 0, this.#event), message);
  }

  probe(probe: Parameters<Outbox['probe']>[0]): void {
    this.#out.probe(probe);
  }

  report(report: Parameters<Outbox['report']>[0]): void {
    this.#out.report(report);
  }
}
