import type { AnyStateMachine } from 'xstate';
import { actionTag, component, type Outbox } from '../../../kernel/kit.ts';
import type { Address, LockstepEvent, Post } from '../../../kernel/message.ts';
import { ForwardingOutbox, silentPort } from '../../../kernel/port.ts';
import { type MeetingPlan, meetingAfter } from './meeting-plan.ts';
import type { SystemMessage } from './protocol.ts';

/*
 * Chiplets and network count cycles of their own; a system has one calendar. Its ticks are so short that every clock ticks on a whole number of them
 * (chiplet specification 9.3, clock ratios). Parts that were written for a calendar of their own get their delays translated.
 */

/** Ticks of the system for a delay that a part asks for while it handles an event of this type; none for none. */
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

/** Where a chiplet that meets others stops: its gate keeps what is due after the meeting (chiplet specification 10). */
export interface Pacing {
  readonly gate: Address;
  readonly plan: MeetingPlan;
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
  'credit.late',
  'channel.front',
  'switch.wanted',
  'place.free',
  'packet.entered',
  'source.settled',
  'flit.refused',
  'turn.wanted',
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

/** Paced state machines, by the one that they are made of, that are kept for the next run of the same system; older ones are forgotten. */
const pacedMost = 128;
const pacedOf = new WeakMap<AnyStateMachine, Map<string, AnyStateMachine>>();

/** A state machine of a chiplet that meets others, on a clock whose every tick is so many ticks of the system; the same one when it is asked for again soon. */
export function onPacedClock<M extends AnyStateMachine>(machine: M, ticks: number, pacing: Pacing): M {
  const { gate, plan } = pacing;
  const key = [ticks, gate, plan.first, ...plan.intervals].join(' ');
  const known = pacedOf.get(machine) ?? new Map<string, AnyStateMachine>();
  pacedOf.set(machine, known);
  const made = known.get(key) ?? paced(machine, ticks, pacing);
  known.set(key, made);
  for (const oldest of known.keys()) {
    if (known.size <= pacedMost) break;
    known.delete(oldest);
  }
  return made as M;
}

function paced<M extends AnyStateMachine>(machine: M, ticks: number, { gate, plan }: Pacing): M {
  const post = (of: Post, event: CycledEvent): Post => {
    const { delay = 0, ...letter } = of;
    const posted = countedAt(event);
    const at = posted + delay;
    if (at < meetingAfter(plan, posted)) return delay === 0 ? of : { ...letter, delay: ticks * delay };
    return { to: gate, type: 'gate.hold', letter, at } as SystemMessage<'gate.hold'> & Post;
  };
  return changed(machine, (action) => translate(action, { post }));
}

/** An event that says in which cycle it has its effect. */
interface CycledEvent extends LockstepEvent {
  readonly cycle: number;
}

/** Cycles that a chiplet has counted when an event is delivered: a turn of a core ends a cycle, everything else begins the cycle that it names. */
const countedAt = ({ type, cycle }: CycledEvent): number => (type === 'core.turn' ? cycle : cycle - 1);

function translated<M extends AnyStateMachine>(machine: M, rule: DelayRule): M {
  const delay = (of: number, { type }: CycledEvent): number => rule(of, type);
  const post = (of: Post, event: CycledEvent): Post => {
    const before = of.delay ?? 0;
    const after = delay(before, event);
    // What parts inside another one say to each other takes no time on any clock: most messages are not copied.
    return after === before ? of : { ...of, delay: after };
  };
  return changed(machine, (action) => translate(action, { post, delay }));
}

function changed<M extends AnyStateMachine>(machine: M, change: (action: object) => unknown): M {
  const actions = machine.implementations.actions as Readonly<Record<string, object>>;
  const changes = Object.entries(actions).flatMap(([name, action]) => {
    const made = change(action);
    return made === undefined ? [] : [[name, made] as const];
  });
  // The kit erases the types of context and event; what a translated action does with them is what it did before.
  return machine.provide({ actions: Object.fromEntries(changes) } as never) as M;
}

// biome-ignore lint/suspicious/noExplicitAny: actions of any part; the kit has checked their types where they were made
const erased = component<any, any>();

/** What becomes of messages that are posted while an event is handled. */
interface Translation {
  readonly post: (post: Post, event: CycledEvent) => Post;
  /** Where only delays change: the delay alone, so that nothing is copied. */
  readonly delay?: (delay: number, event: CycledEvent) => number;
}

function translate(action: object, translation: Translation): unknown {
  const tag = actionTag(action);
  if (tag?.kind === 'post')
    return erased.post((context, event, envelope, params) => {
      const posts = tag.run(context, event, envelope, params) as Post | readonly Post[] | undefined;
      if (posts === undefined) return undefined;
      return Array.isArray(posts)
        ? posts.map((post: Post) => translation.post(post, event))
        : translation.post(posts as Post, event);
    });
  if (tag?.kind !== 'act') return undefined;
  const box = new TranslatedOutbox(translation);
  return erased.act((context, event, out, params) => {
    box.begin(out, event);
    tag.run(context, event, box, params);
  });
}

/** An outbox that says every delay in ticks of the system; what takes no time takes none on any clock. One serves all calls of an action: they never overlap. */
class TranslatedOutbox extends ForwardingOutbox {
  #event!: CycledEvent;

  constructor(readonly translation: Translation) {
    super(silentPort);
  }

  begin(out: Outbox, event: CycledEvent): void {
    this.inner = out;
    this.#event = event;
  }

  override post(message: Post): void {
    this.send(message.to, message.delay, message);
  }

  override send(to: Address, delay: number | undefined, message: Post): void {
    if (!delay) this.inner.send(to, delay, message);
    else if (this.translation.delay) this.inner.send(to, this.translation.delay(delay, this.#event), message);
    else this.inner.post(this.translation.post({ ...message, to, delay }, this.#event));
  }
}
