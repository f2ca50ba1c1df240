import type { Address } from '../../kernel/message.ts';
import type { CausePart } from './causes.ts';
import { byReceiver } from './change.ts';
import type { Decision, History, Step } from './history.ts';
import { isFault } from './identities.ts';

/** A run, as actor by actor what it got. */
interface Side {
  readonly inboxes: ReadonlyMap<number, readonly Step[]>;
  /** By numbers of messages and by places in the run: who got the message, as which of its messages. */
  readonly bySeq: ReadonlyMap<number, Heard>;
  readonly byIndex: ReadonlyMap<number, Heard>;
  /** By numbers of messages that a party of a network posted when it came back from a crash: who, and how much it had got by then. */
  readonly begunAnew: ReadonlyMap<number, Heard>;
  readonly decisions: readonly Decision[];
}

interface Heard {
  readonly by: Address;
  readonly nth: number;
}

/**
 * True when a passing run differs from the failing one in these things and in what follows from them, and in nothing besides: what cannot be followed, such as a message that
 * is to pass one that it follows from, may turn something else round, which then may be what makes the difference.
 *
 * Details: what an actor does follows from a difference from the first message on that it gets otherwise because of it. What comes behind the failure is not compared, and neither
 * are runs in which a fault strikes otherwise.
 */
export function differsOnlyIn(parts: readonly CausePart[], failing: History, passing: History): boolean {
  if (parts.some((part) => part.kind === 'answer' && isFault(part.here.what))) return true;
  const sides = [sideOf(failing), sideOf(passing)] as const;
  const followers = new Followers(sides);
  for (const part of parts) followers.begin(part);
  followers.spread();
  const actors = new Set(sides.flatMap(({ inboxes }) => [...inboxes.keys()]));
  const isEnd = failing.trial.outcome.failure !== undefined || failing.trial.outcome.violations.length > 0;
  for (const actor of actors) {
    const at = followers.differenceAt(actor);
    if (at === undefined || followers.isReached(actor, at)) continue;
    const [here, there] = sides.map(({ inboxes }) => inboxes.get(actor)?.[at]);
    if ((here && there) || (here && !passing.trial.outcome.cut) || (there && !isEnd)) return false;
  }
  return followers.answersAlike() && keepsOrder(parts, failing, passing, followers);
}

/**
 * True when what has nothing to do with the things that differ comes in the passing run in the order of the failing one, and what came behind its failure comes behind: what is wrong may be a state of all
 * parties together, in which the order of messages to different ones has a part, too.
 *
 * Details: in an asynchronous run, where each delivery is a step. Within a tick of a clocked one no state is looked at.
 */
function keepsOrder(
  parts: readonly CausePart[],
  failing: History,
  passing: History,
  followers: Followers,
): boolean {
  // What a fault took away, or held up, comes somewhere in between without it.
  if (!failing.trial.run.asynchronous || parts.some(({ kind }) => kind === 'network')) return true;
  const turned = new Set(
    parts.flatMap((part) => (part.kind === 'order' ? [part.first.key, part.second.key] : [])),
  );
  const plain = (one: History) => {
    const { byIndex } = sideOf(one);
    return one.steps.filter(({ key, index }) => {
      const heard = byIndex.get(index);
      return !turned.has(key) && !(heard && followers.isReached(heard.by, heard.nth));
    });
  };
  const there = plain(passing).map(({ key }) => key);
  return plain(failing).every(({ key }, at) => there[at] === key || !there.includes(key));
}

/** By actor, from which message on what it does follows from a difference. */
class Followers {
  readonly #reached = new Map<number, number>();
  readonly #sides: readonly [Side, Side];

  constructor(sides: readonly [Side, Side]) {
    this.#sides = sides;
  }

  isReached(actor: number, nth: number): boolean {
    return nth >= (this.#reached.get(actor) ?? Number.POSITIVE_INFINITY);
  }

  #reach(actor: number, nth: number | undefined): boolean {
    if (nth === undefined || nth < 0 || this.isReached(actor, nth)) return false;
    this.#reached.set(actor, nth);
    return true;
  }

  begin(part: CausePart): void {
    const [failing] = this.#sides;
    switch (part.kind) {
      case 'order': {
        if (part.first.to !== part.second.to) break;
        const keys = [part.first.key, part.second.key];
        for (const { inboxes } of this.#sides) {
          const inbox = inboxes.get(part.first.message.to) ?? [];
          this.#reach(
            part.first.message.to,
            inbox.findIndex(({ key }) => keys.includes(key)),
          );
        }
        break;
      }
      case 'answer':
        for (const [side, { index }] of [
          [0, part.here],
          [1, part.there],
        ] as const) {
          const asked = this.#sides[side].byIndex.get(index);
          if (asked) this.#reach(asked.by, asked.nth);
        }
        break;
      case 'again':
        this.#reach(part.again.message.to, failing.byIndex.get(part.again.index)?.nth);
        break;
      case 'network': {
        const { kind, message } = part.step.fault;
        const sent = failing.bySeq.get(message.cause);
        // What is not lost may come at any time from when it was sent.
        const from =
          kind === 'drop' ? (sent ? failing.inboxes.get(sent.by)![sent.nth]!.index + 1 : 0) : part.step.index;
        const inbox = failing.inboxes.get(message.to) ?? [];
        this.#reach(message.to, inbox.filter(({ index }) => index < from).length);
      }
    }
  }

  /** Takes in all that follows from what is reached. */
  spread(): void {
    const actors = new Set(this.#sides.flatMap(({ inboxes }) => [...inboxes.keys()]));
    for (let changed = true; changed; ) {
      changed = false;
      for (const actor of actors) {
        for (const { inboxes, bySeq, begunAnew } of this.#sides) {
          const nth = (inboxes.get(actor) ?? []).findIndex(({ message: { seq, cause } }) => {
            const sent = bySeq.get(cause) ?? begunAnew.get(seq);
            // What was posted in place of a message that was never handled, as a restart is.
            return sent ? this.isReached(sent.by, sent.nth) : cause >= 0;
          });
          if (this.#reach(actor, nth)) changed = true;
        }
      }
    }
  }

  /** At which of its messages an actor gets another one in the other run; undefined when it gets the same ones. */
  differenceAt(actor: number): number | undefined {
    const [here, there] = this.#sides.map(({ inboxes }) => inboxes.get(actor) ?? []);
    for (let at = 0; at < Math.max(here!.length, there!.length); at++)
      if (here![at]?.key !== there![at]?.key) return at;
    return undefined;
  }

  /** True when what is asked before anything follows from the difference is answered to the same effect. */
  answersAlike(): boolean {
    const [failing, passing] = this.#sides;
    const others = new Map(
      passing.decisions.map(({ question, pick }) => [question?.key, { question, pick }]),
    );
    return failing.decisions.every(({ question, pick, index, what }) => {
      if (!question) return true;
      const other = others.get(question.key);
      if (!other?.question || isFault(what) || other.pick === pick) return true;
      const asked = failing.byIndex.get(index);
      return !asked || this.isReached(asked.by, asked.nth) || other.question.effect === question.effect;
    });
  }
}

/** What parties posted when they came back: nothing that they got is the cause of it, and its number is above those of all that came before. */
function begunAnewOf(
  { steps, network }: History,
  inboxes: ReadonlyMap<number, readonly Step[]>,
): ReadonlyMap<number, Heard> {
  const begun = new Map<number, Heard>();
  for (const { index, fault } of network) {
    if (fault.kind !== 'restart') continue;
    const by = fault.message.to;
    const nth = (inboxes.get(by) ?? []).filter((step) => step.index < index).length;
    const before = Math.max(
      -1,
      ...steps.filter((step) => step.index < index).map(({ message }) => message.seq),
    );
    for (const { message } of steps)
      if (message.cause < 0 && message.from === by && message.seq > before)
        begun.set(message.seq, { by, nth });
  }
  return begun;
}

function sideOf(history: History): Side {
  const { steps, decisions } = history;
  const inboxes = byReceiver(steps);
  const heard = [...inboxes].flatMap(([by, inbox]) =>
    inbox.map(({ message, index }, nth) => ({ message, index, heard: { by: by as Address, nth } })),
  );
  return {
    inboxes,
    decisions,
    begunAnew: begunAnewOf(history, inboxes),
    bySeq: new Map(heard.map((one) => [one.message.seq, one.heard])),
    byIndex: new Map(heard.map((one) => [one.index, one.heard])),
  };
}
