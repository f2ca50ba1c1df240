import type { Actor } from '../../kernel/actor.ts';
import { TapeChoices } from '../../kernel/choices.ts';
import { restartType } from '../../kernel/faults.ts';
import type { Address, Message } from '../../kernel/message.ts';
import { isResource } from '../../kernel/resource.ts';
import type { Run } from '../../kernel/run.ts';
import { plainData } from '../../scenarios/exports/plain-data.ts';
import type { FailureSummary } from './failure-summary.ts';
import { concerns } from './happened-before.ts';
import type { History, Step } from './history.ts';
import { valueText } from './message-words.ts';
import { takesAway } from './struck-fault.ts';
import type { TrialOptions, Trials } from './trial.ts';

/** One delivery seen from near: the context of its receiver before and after it, as plain data, and what was sent meanwhile. */
export interface CloseUp {
  readonly step: Step;
  /** Its context when the run began; empty for one that came to life later. */
  readonly initial: Readonly<Record<string, unknown>>;
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
  readonly sent: readonly Message[];
}

/** The step of an actor that a failure is about, and the last one of its kind that went well. */
export interface Comparison {
  readonly step: CloseUp;
  /** Absent when there was none before. */
  readonly earlier?: CloseUp;
}

/** Actors that are looked at from near. */
const comparedMax = 2;

/**
 * The deliveries that a failure is about, nearest first: the one during which it was found or the last one of each actor that it names, and the one
 * that sent what was got then; each with the last one before it of the same kind.
 */
export function stepsToCompare(
  { steps, within }: History,
  past: ReadonlySet<Step>,
  { verdict, actors, first, tick }: FailureSummary,
  awaited: readonly string[],
  words: ReadonlyMap<Step, number>,
  turned: Step | undefined,
  lastSeen: readonly Step[],
): readonly { readonly step: Step; readonly earlier?: Step }[] {
  const bySeq = new Map(steps.map((step) => [step.message.seq, step]));
  const causes = new Set(steps.map(({ message }) => message.cause));
  const chosen: Step[] = [];
  const add = (step: Step | undefined) => {
    if (step && !chosen.includes(step) && chosen.length < comparedMax) chosen.push(step);
  };
  const last = steps.at(-1);
  // A property may judge when the message of somebody else is delivered, and may have names of its own for the actors.
  const unknown = !steps.some(({ to }) => concerns(actors, to));
  const there = unknown || (last !== undefined && concerns(actors, last.to));
  const atOnce = verdict === 'error' || (verdict === 'violated' && within !== undefined && there);
  if (atOnce && last) {
    add(last);
    // Who told it the last thing before that, itself left out.
    const told = steps.findLast(
      ({ message }) => message.to === last.message.to && message.from !== message.to && message.from >= 0,
    );
    add(told && bySeq.get(told.message.cause));
  }
  // Where something was wrong before the run ended in something worse.
  const wrong = first && within !== undefined ? steps.find(({ index }) => index === within) : undefined;
  const sender = bySeq.get((wrong ?? last)?.message.cause ?? -1);
  if ((wrong || verdict === 'violated') && within !== undefined && sender)
    if (concerns([...actors, ...(first?.actors ?? [])], sender.to)) add(sender);
  add(wrong);
  // What those who wait have to do with it begins where the order of two messages makes the difference.
  if (verdict === 'deadlock') add(turned);
  for (const step of lastSeen) add(step);
  if (verdict === 'deadlock' && awaited.length === 0) for (const step of askedLast(steps, actors)) add(step);
  const named = verdict === 'deadlock' ? [...awaited, ...actors] : actors;
  for (const name of named) {
    const parts = steps.filter((step) => past.has(step) && concerns([name], step.to));
    const itself = parts.filter(({ to }) => to === name || to.endsWith(`.${name}`));
    const known = itself.length > 0 ? itself : parts;
    // What is found at the end of a tick is of that tick, if the actor did anything then.
    const latest = within === undefined ? known.filter(({ message }) => message.due === tick) : [];
    const own = latest.length > 0 ? latest : known;
    const most = own.reduce((so, step) => Math.max(so, words.get(step) ?? 0), 0);
    // Of one that is waited for, the last step in which it sent anything shows whom it forgot.
    const sending = awaited.includes(name)
      ? own.findLast(({ message }) => causes.has(message.seq))
      : undefined;
    if (verdict === 'deadlock') add(sending ?? own.at(-1));
    else add(own.findLast((step) => (words.get(step) ?? 0) === most));
  }
  return chosen.map((step) => {
    const earlier = steps.findLast((one) => one.index < step.index && sameKind(one, step));
    return { step, ...(earlier && { earlier }) };
  });
}

/** The last that those who wait sent to others that do not wait, in the order in which they are told of: who got it may have forgotten it. */
function askedLast(steps: readonly Step[], waiting: readonly string[]): readonly Step[] {
  const stuck = new Set(waiting);
  return waiting
    .flatMap((name) => steps.findLast(({ from, to }) => from === name && to !== name) ?? [])
    .filter(({ to }) => !stuck.has(to));
}

/** True for a message of one type from one sender to one receiver. */
const sameKind = (one: Step, other: Step): boolean =>
  one.message.to === other.message.to &&
  one.message.from === other.message.from &&
  one.message.event.type === other.message.event.type;

/** Carries the run out again and looks at these deliveries from near. */
export function closeUpsOf(
  trials: Trials,
  { trial: { tape }, steps: all }: History,
  steps: readonly Step[],
  options: TrialOptions,
): ReadonlyMap<Step, CloseUp> {
  const wanted = new Map(steps.map((step) => [step.index, step]));
  const found = new Map<Step, CloseUp>();
  if (steps.length === 0) return found;
  const initial = new Map<Address, CloseUp['initial']>();
  const startOf = ({ message }: Step) => initial.get(message.to) ?? {};
  // By number: a message that is delivered again, or is still under way, was sent once.
  const posted = new Map(steps.map((step) => [step.message.seq, new Map<number, Message>()]));
  const note = (message: Message) => void posted.get(message.cause)?.set(message.seq, message);
  // The numbers that what a step sends has: what comes again is the cause of what was sent before, too.
  const numbers = new Map<Step, readonly [first: number, end: number]>();
  const nextNumber = (run: Run) => run.snapshot().seq;
  const sentIn = (step: Step): readonly Message[] => {
    const [first, end] = numbers.get(step) ?? [0, Number.POSITIVE_INFINITY];
    const all = [...posted.get(step.message.seq)!.values()];
    const sent = all.filter(({ seq }) => seq >= first && seq < end);
    // Over a duplicating network a message that equals one under way is that one.
    return sent.length > 0 || first === end ? sent : all.filter(({ seq }) => seq < first);
  };
  const { run } = trials.attempt(new TapeChoices(tape), {
    ...options,
    observe: (run) => {
      let delivered = 0;
      let before: Readonly<Record<string, unknown>> = {};
      const receivers = new Set(steps.map(({ message }) => message.to));
      const look = (part: Actor) => {
        if (!receivers.has(part.address)) return;
        part.inbox.subscribe(() => {
          const step = wanted.get(delivered);
          if (!step) return;
          before = contextOf(run, part);
          numbers.set(step, [nextNumber(run), nextNumber(run)]);
        });
      };
      run.parts.forEach(look);
      for (const part of run.parts)
        if (receivers.has(part.address)) initial.set(part.address, contextOf(run, part));
      // What a fault takes away was sent all the same.
      run.faults$.subscribe((fault) => {
        if (takesAway(fault)) note(fault.message);
      });
      run.messages$.subscribe(({ message, index }) => {
        delivered = index + 1;
        // It is another one from now on.
        if (message.event.type === restartType) look(run.part(message.to));
        note(message);
        const step = wanted.get(index);
        if (!step) return;
        const after = contextOf(run, run.part(message.to));
        numbers.set(step, [numbers.get(step)?.[0] ?? 0, nextNumber(run)]);
        found.set(step, { step, initial: startOf(step), before, after, sent: [] });
        before = {};
      });
    },
  });
  // What could not be handled is still under way in an asynchronous wiring, and no longer in a clocked one.
  const unhandled = run.outcome.failure?.received;
  const left = new Map([...run.pending, ...(unhandled ? [unhandled] : [])].map((one) => [one.seq, one]));
  for (const message of left.values()) note(message);
  // What could not be handled was never delivered: it is as it was before.
  const last = all.at(-1);
  const { failure } = run.outcome;
  const receiver = last && run.partAt(last.message.to);
  if (failure && receiver && wanted.has(last.index) && !found.has(last)) {
    const context = contextOf(run, receiver);
    found.set(last, {
      step: last,
      initial: startOf(last),
      before: context,
      after: context,
      sent: [],
    });
  }
  return new Map([...found].map(([step, closeUp]) => [step, { ...closeUp, sent: sentIn(step) }]));
}

/** What an actor remembers, as plain data with the names of actors. */
export function contextOf(run: Run, actor: Actor): Readonly<Record<string, unknown>> {
  return plainData(described(run.namedContext(actor))) as Readonly<Record<string, unknown>>;
}

/** A copy of data in which each resource is what it says of itself to a reader. */
function described(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (isResource(value)) return described(value.describe?.());
  if (Array.isArray(value)) return value.map(described);
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, one]) => [key, described(one)]));
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return structuredClone(value);
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, described(one)]));
}

/** A field of a context that two close-ups can be compared by: its path, and what it holds before and after. */
export interface FieldChange {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/** Characters of a value. */
const valueMax = 28;

/** The fields that differ between two contexts, in their order. */
export function changedFields(before: unknown, after: unknown, path = ''): readonly FieldChange[] {
  if (isObject(before) && isObject(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    const inside = keys.flatMap((key) =>
      changedFields(before[key], after[key], path === '' ? key : `${path}.${key}`),
    );
    return inside;
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length && before.length > 3)
    return before.flatMap((one, at) => changedFields(one, after[at], `${path}[${at}]`));
  const [one, other] = [JSON.stringify(before), JSON.stringify(after)];
  return one === other ? [] : [{ path, before: short(before), after: short(after) }];
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A value in few characters; of a long list its length. */
export function short(value: unknown): string {
  const text = valueText(value);
  if (text.length <= valueMax) return text;
  if (Array.isArray(value)) return `${value.length} values ${text.slice(0, valueMax - 12)}…`;
  return `${text.slice(0, valueMax - 1)}…`;
}
