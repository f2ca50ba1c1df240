import type { Choices, Tape } from '../../../kernel/choices.ts';
import type { Message } from '../../../kernel/message.ts';
import type { Run } from '../../../kernel/run.ts';
import { buildRun } from '../../../scenarios/simulate.ts';
import type { Watch } from '../../property.ts';
import type { Cause, CausePart } from '../causes.ts';
import type { Explanation } from '../explain.ts';
import type { Trials } from '../trial.ts';

/*
 * Verifies what an explanation states as a cause, from the tapes alone: shares nothing with the explainer's comparison of runs.
 */

/** A delivery of a run, or a message that was not delivered when it failed. */
interface Entry {
  readonly place: number;
  readonly seq: number;
  readonly cause: number;
  readonly to: number;
  readonly tick: number;
  /** Sender, type, and how many such the receiver had got; in an asynchronous network how many such had been sent to it. */
  readonly name: string;
  /** How many messages its receiver had got. */
  readonly heard: number;
  readonly delivered: boolean;
  /** True for what came behind the first violation. */
  readonly behind: boolean;
}

/** A question of a run. */
interface Answer {
  /** Who was asked what, after how many messages, and how often in one handling. */
  readonly name: string;
  readonly what: string;
  readonly pick: number;
  /** Place in the tape. */
  readonly position: number;
  /** The receiver of the message whose turn it was, and how many it had got before. */
  readonly of: number;
  readonly heard: number;
}

interface Log {
  readonly fails: boolean;
  readonly rested: boolean;
  /** True for a run that ended with an error or in a tick without an end. */
  readonly broken: boolean;
  /** True when something was found before its end. */
  readonly violated: boolean;
  readonly bySeq: ReadonlyMap<number, Entry>;
  /** Who sent a message by coming back from a crash, by its number, and how much it had got by then. */
  readonly begun: ReadonlyMap<number, { readonly to: number; readonly heard: number }>;
  /** Messages whose turn came and that were never handled. */
  readonly lost: ReadonlySet<number>;
  readonly entries: readonly Entry[];
  /** What was under way at the first violation and was cancelled behind it, by number. */
  readonly cancelled: ReadonlyMap<number, Entry>;
  readonly answers: readonly Answer[];
  /** Steps of an asynchronous network that were taken. */
  readonly network: readonly string[];
  /** Answers that were given before the first violation; all of them where there is none. */
  readonly before: number;
}

/** Carries a tape out and writes down what happens in plain lists; what is to pass may leave the boundary of an exploration. */
function logOf({ scenario, machine, properties }: Trials, tape: Tape, bounded = false): Log {
  const entries: Entry[] = [];
  const answers: Answer[] = [];
  const network: string[] = [];
  const counts = new Map<string, number>();
  const asking = new Set<number>();
  const counted = (what: string): number => {
    const so = counts.get(what) ?? 0;
    counts.set(what, so + 1);
    return so;
  };
  let at = 0;
  let before: number | undefined;
  let behind = false;
  let run: Run | undefined;
  let watching: Watch | undefined;
  const choices: Choices = {
    canonical: false,
    pick: (what, count, candidates) => {
      const position = at++;
      const pick = (tape[position] ?? 0) % count;
      const taken = candidates?.[pick]?.event.type ?? '';
      if (before === undefined && /^network\.(?!rest$)/.test(taken)) network.push(taken);
      if (!candidates) {
        const { seq = -1, to = -1 } = run?.handled ?? {};
        const heard = counts.get(`heard ${to}`) ?? 0;
        const place = `${what} of ${to} after ${heard}`;
        answers.push({ name: `${place} ${counted(place)}`, what, pick, position, of: to, heard });
        asking.add(seq);
      }
      return pick;
    },
    save: () => null,
    load: () => {},
  };
  const underWay: Message[] = [];
  const begun = new Map<number, { readonly to: number; readonly heard: number }>();
  const entryOf = ({ seq, cause, from, to, due, event }: Message, delivered: boolean): Entry => {
    return {
      place: entries.length,
      seq,
      cause,
      to,
      tick: due,
      name: `${from}>${to} ${event.type} ${counted(`${from}>${to} ${event.type}`)}`,
      heard: counted(`heard ${to}`),
      delivered,
      behind,
    };
  };
  const written: Message[] = [];
  const lostOnes: Message[] = [];
  const write = (message: Message, delivered: boolean) => {
    entries.push(entryOf(message, delivered));
    written.push(message);
  };
  const built = buildRun(scenario, machine, {
    choices,
    scheduled: true,
    observe: (made, { given, assembly }) => {
      run = made;
      if (!bounded) assembly.wiring.boundary = undefined;
      watching = properties?.watch(made, given, assembly);
      // What is found during a delivery is found before the delivery is told, but for what is found of things shown.
      made.messages$.subscribe(({ message }) => {
        write(message, true);
        behind = before !== undefined;
      });
      const seen = new Set(made.pending.map(({ seq }) => seq));
      made.ticks$.subscribe(() => {
        behind = before !== undefined;
        for (const { seq } of made.pending) seen.add(seq);
      });
      // What is under way then and was not before is what who comes back has sent.
      made.faults$.subscribe(({ kind, message }) => {
        const { to } = message;
        if (kind === 'drop') lostOnes.push(message);
        if (kind !== 'restart') return;
        const heard = counts.get(`heard ${to}`) ?? 0;
        for (const { seq, from } of made.pending)
          if (from === to && !seen.has(seq)) begun.set(seq, { to, heard });
      });
      made.violations$.subscribe(() => {
        if (before === undefined) underWay.push(...made.pending);
        before ??= answers.length;
        if (made.isHandling && entries.at(-1)?.seq === made.handled?.seq) behind = true;
      });
    },
  });
  built.run.until(scenario.until);
  watching?.end();
  const { verdict, failure, livelock } = built.run.outcome;
  // What could not be handled is no longer under way.
  if (failure && !built.run.pending.includes(failure.received)) write(failure.received, false);
  for (const message of built.run.pending) write(message, false);
  if (built.run.asynchronous) {
    const names = namesAsSent(written, lostOnes);
    for (const [at, entry] of entries.entries()) entries[at] = { ...entry, name: names[at] ?? entry.name };
  }
  const bySeq = new Map(entries.map((entry) => [entry.seq, entry]));
  const cancelled = underWay
    .filter(({ seq }) => !bySeq.has(seq))
    .map((message) => [message.seq, entryOf(message, false)] as const);
  return {
    fails: verdict !== 'ok',
    rested: built.run.ended,
    broken: failure !== undefined || livelock !== undefined,
    violated: before !== undefined,
    entries,
    cancelled: new Map(cancelled),
    bySeq,
    begun,
    lost: new Set([...asking].filter((seq) => !bySeq.has(seq))),
    answers,
    network,
    before: before ?? answers.length,
  };
}

/** Names of messages by how many such were sent before, those that were lost included; undefined for timers. What comes again has another name each time. */
function namesAsSent(written: readonly Message[], lost: readonly Message[]): readonly (string | undefined)[] {
  const kindOf = ({ from, to, event }: Message) => `${from}>${to} ${event.type}`;
  const sent = new Map<string, Set<number>>();
  for (const message of [...written, ...lost]) {
    if (message.timer) continue;
    const kind = kindOf(message);
    sent.set(kind, (sent.get(kind) ?? new Set()).add(message.seq));
  }
  const times = new Map<number, number>();
  return written.map((message) => {
    if (message.timer) return undefined;
    const { seq } = message;
    const before = [...sent.get(kindOf(message))!].filter((other) => other < seq).length;
    const again = times.get(seq) ?? 0;
    times.set(seq, again + 1);
    return `${kindOf(message)}${again > 0 ? ` (copy ${again})` : ''} sent ${before}`;
  });
}

/** What is wrong with the stated causes; nothing when each holds. */
export function refutations(trials: Trials, explanation: Explanation): readonly string[] {
  const failing = logOf(trials, explanation.tape, true);
  if (!failing.fails) return ['the explained run does not fail'];
  return explanation.causes.causes.flatMap((cause) => refuted(trials, failing, cause));
}

function refuted(trials: Trials, failing: Log, cause: Cause): readonly string[] {
  const passing = logOf(trials, cause.passing.tape);
  const found: string[] = [];
  if (passing.fails) found.push('the passing run fails');
  if (!passing.rested && trials.scenario.until === undefined)
    found.push('the passing run did not come to rest');
  for (const part of cause.parts)
    if (!turned(part, failing, passing)) found.push('a part is the same in both runs');
  found.push(...besides(cause.parts, failing, passing));
  if (cause.parts.length > 1) {
    if (cause.needed.length !== cause.parts.length) found.push('a part of a set was not tried without');
    for (const tape of cause.needed)
      if (!logOf(trials, tape).fails) found.push('a part of a set is not needed');
  }
  return found;
}

/** True when a part of a cause is indeed one way in the failing run and the other way in the passing one. */
function turned(part: CausePart, failing: Log, passing: Log): boolean {
  if (part.kind === 'answer') {
    const asked = (log: Log, { position }: { readonly position: number }) =>
      log.answers.find((answer) => answer.position === position);
    const [here, there] = [asked(failing, part.here), asked(passing, part.there)];
    if (!here || !there || here.what !== there.what) return false;
    return here.pick === part.here.pick && there.pick === part.there.pick;
  }
  if (part.kind === 'network') return passing.network.length < failing.network.length;
  if (part.kind === 'again') {
    const { index, message } = part.again;
    const [here, there] = [failing, passing].map(({ entries }) =>
      entries.filter(({ to }) => to === message.to),
    );
    const copy = here!.findLast(({ seq, place }) => seq === message.seq && place <= index);
    // How often the receiver had got its like by then, at least once by its number; fewer in the passing run, whoever came in its place.
    const isCopy = copy && here!.some(({ seq, place }) => seq === message.seq && place < copy.place);
    if (isCopy !== true && !message.timer) return false;
    return copy !== undefined && there![copy.heard]?.name !== copy.name;
  }
  const [first, second] = [part.first.message, part.second.message].map(
    ({ seq }) => failing.entries.find((entry) => entry.seq === seq) ?? failing.cancelled.get(seq),
  );
  if (!first || !second || first.place > second.place) return false;
  // The order of two that both come behind the failure has no part in it.
  if (failing.violated && first.behind) return false;
  // Of equal ones that came behind the failure each may be the first.
  const kindOf = (name: string) => name.slice(0, name.lastIndexOf(' '));
  const isLike = ({ name, behind, delivered }: Entry, other: string) =>
    behind || !delivered ? kindOf(name) === kindOf(other) : name === other;
  const entryOf = (one: Entry) => passing.entries.find(({ name }) => isLike(one, name));
  if (part.gone) return entryOf(first)?.delivered !== true && entryOf(second)?.delivered === true;
  const [one, other] = [entryOf(first)?.place, entryOf(second)?.place];
  return one !== undefined && other !== undefined && other < one;
}

/** What an actor got, in its order. */
type Inboxes = ReadonlyMap<number, readonly Entry[]>;

/** Differences between two runs that do not follow from the stated ones. */
function besides(parts: readonly CausePart[], failing: Log, passing: Log): readonly string[] {
  const logs = [failing, passing] as const;
  const inboxes = logs.map(({ entries }) => inboxesOf(entries)) as unknown as readonly [Inboxes, Inboxes];
  const actors = new Set(inboxes.flatMap((one) => [...one.keys()]));
  /** By actor, from which message on what it does may follow from a stated difference. */
  const reached = new Map<number, number>();
  const reach = (actor: number, place: number): boolean => {
    if (place < 0 || place >= (reached.get(actor) ?? Number.POSITIVE_INFINITY)) return false;
    reached.set(actor, place);
    return true;
  };
  for (const part of parts) {
    if (part.kind === 'answer')
      for (const [log, side] of [[failing, part.here] as const, [passing, part.there] as const]) {
        const asked = log.answers.find(({ position }) => position === side.position);
        if (asked) reach(asked.of, asked.heard);
      }
    else if (part.kind === 'network') {
      const { kind, message } = part.step.fault;
      // A message that is not lost may come at any time from when it was sent.
      const from = kind === 'drop' ? (failing.bySeq.get(message.cause)?.place ?? -1) + 1 : part.step.index;
      const heard = (inboxes[0].get(message.to) ?? []).filter(
        ({ place, delivered }) => delivered && place < from,
      );
      reach(message.to, heard.length);
    } else if (part.kind === 'again')
      reach(
        part.again.message.to,
        inboxes[0].get(part.again.message.to)?.findIndex(({ place }) => place === part.again.index) ?? -1,
      );
    else {
      const names = [part.first, part.second].map(
        ({ message }) => failing.entries.find(({ seq }) => seq === message.seq)?.name,
      );
      for (const inbox of inboxes)
        reach(
          part.first.message.to,
          (inbox.get(part.first.message.to) ?? []).findIndex(({ name }) => names.includes(name)),
        );
    }
  }
  /** True for a message that was posted while something reached was handled. */
  const follows = (side: 0 | 1, { seq, cause }: Entry): boolean => {
    const by = logs[side].bySeq.get(cause) ?? logs[side].begun.get(seq);
    if (by) return by.heard >= (reached.get(by.to) ?? Number.POSITIVE_INFINITY);
    // What was posted in place of a message that a crash took away, as a restart is.
    return logs[side].lost.has(cause);
  };
  const difference = (actor: number): number => {
    const [here, there] = [inboxes[0].get(actor) ?? [], inboxes[1].get(actor) ?? []];
    for (let at = 0; at < Math.max(here.length, there.length); at++)
      if (here[at]?.name !== there[at]?.name) return at;
    return -1;
  };
  const explained = (actor: number, at: number): boolean => {
    if (at >= (reached.get(actor) ?? Number.POSITIVE_INFINITY)) return true;
    const [here, there] = [inboxes[0].get(actor)?.[at], inboxes[1].get(actor)?.[at]];
    return (here !== undefined && follows(0, here)) || (there !== undefined && follows(1, there));
  };
  for (let changed = true; changed; ) {
    changed = false;
    for (const actor of actors) {
      for (const side of [0, 1] as const) {
        const first = (inboxes[side].get(actor) ?? []).findIndex((entry) => follows(side, entry));
        if (reach(actor, first)) changed = true;
      }
      const at = difference(actor);
      if (at >= 0 && explained(actor, at) && reach(actor, at)) changed = true;
    }
  }
  const found: string[] = [];
  for (const actor of actors) {
    const at = difference(actor);
    if (at < 0 || explained(actor, at)) continue;
    const [here, there] = [inboxes[0].get(actor)?.[at], inboxes[1].get(actor)?.[at]];
    // A run that broke off delivers nothing more, and what comes behind the failure has no part in it.
    if ((!here && failing.broken) || (!there && passing.broken)) continue;
    if (here ? here.behind : failing.violated) continue;
    found.push(`besides, actor ${actor} gets ${here?.name ?? 'nothing'} and ${there?.name ?? 'nothing'}`);
  }
  const answers = new Map(passing.answers.map((answer) => [answer.name, answer]));
  // A fault that strikes in the passing run only may have used up what another one struck with.
  // What comes behind the failure has no part in it.
  const [here, there] = [chancesOf(failing.answers.slice(0, failing.before)), chancesOf(passing.answers)];
  const kindOf = (chance: string) => chance.split(' ')[1];
  for (const [more, strikes] of there)
    for (const [gone, struck] of here)
      if (strikes && !here.get(more) && struck && !there.has(gone) && kindOf(more) === kindOf(gone))
        found.push(`besides, "${gone}" is not asked any more`);
  for (const { name, pick, of, heard } of failing.answers.slice(0, failing.before)) {
    const same = answers.get(name);
    if (!same || same.pick === pick || heard >= (reached.get(of) ?? Number.POSITIVE_INFINITY)) continue;
    found.push(`besides, "${name}" was answered ${pick} and ${same.pick}`);
  }
  return found;
}

/** By fault, channel, type and number of the message whether it struck. */
function chancesOf(answers: Log['answers']): ReadonlyMap<string, boolean> {
  const found = new Map<string, boolean>();
  const counts = new Map<string, number>();
  for (const { what, pick } of answers) {
    if (!what.startsWith('fault ')) continue;
    const number = counts.get(what) ?? 0;
    counts.set(what, number + 1);
    found.set(`${what} ${number}`, pick > 0);
  }
  return found;
}

function inboxesOf(entries: readonly Entry[]): Inboxes {
  const found = new Map<number, Entry[]>();
  for (const entry of entries)
    if (entry.delivered) found.set(entry.to, [...(found.get(entry.to) ?? []), entry]);
  return found;
}
