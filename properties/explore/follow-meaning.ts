import { type Choices, canonical } from '../../kernel/choices.ts';
import type { Address, Message } from '../../kernel/message.ts';
import type { Run } from '../../kernel/run.ts';
import { byReceiver, type Change } from './change.ts';
import { type History, situationOf } from './history.ts';
import { againOf, Identities, isFault, isOfNetwork } from './identities.ts';

/** Where a message stands in the script of its receiver. */
interface Place {
  readonly key: string;
  /** When it was delivered in the run that is followed, or just before the message in front of which it stands now. */
  readonly rank: number;
  readonly tick: number;
  readonly moved: boolean;
}

/** What answers came to, by situation and answer; kept over runs of one scenario. */
export class Effects {
  readonly #known = new Map<string, Map<number, { readonly effect: string; readonly kind: string }>>();

  /** Takes what a run shows. */
  learn({ decisions, after }: History): void {
    for (const { question, pick } of [...decisions, ...after.decisions]) {
      if (!question) continue;
      const { situation, effect, kind } = question;
      const known = this.#known.get(situation) ?? new Map();
      if (!known.has(pick)) known.set(pick, { effect, kind });
      this.#known.set(situation, known);
    }
  }

  /** The answer that comes to what is wanted; one that was not tried yet when none is known to; else `usual`. */
  answerFor(situation: string, count: number, usual: number, effect: string, kind: string): number {
    const known = [...(this.#known.get(situation) ?? [])];
    const exact = known.filter((one) => one[1].effect === effect).map(([pick]) => pick);
    if (exact.length > 0) return exact.includes(usual) ? usual : exact[0]!;
    const tried = new Set(known.map(([pick]) => pick));
    if (!tried.has(usual)) return usual;
    if (count <= answersTried) for (let pick = 0; pick < count; pick++) if (!tried.has(pick)) return pick;
    const alike = known.filter((one) => one[1].kind === kind).map(([pick]) => pick);
    return alike.length === 0 || alike.includes(usual) ? usual : alike[0]!;
  }
}

/** Behind all that only waits, in front of what comes when nothing else is left. */
const heldRank = Number.MAX_SAFE_INTEGER / 2;

/** Of a question with more answers than these no other answer is looked for. */
const answersTried = 8;

/**
 * Choices that do in a run what another run did, except for some changes: each message in its place among those to its receiver, each question
 * answered so that the same comes of it.
 *
 * Details: what the other run does not know is first come, first served, and a question that it does not know is answered with 0. A message waits
 * for those before it as long as something else can be delivered in its tick. Without changes it is the other run. Hand them to a run and let
 * them `follow` it before its first step.
 */
export class MeaningChoices implements Choices {
  readonly canonical = false;
  readonly #identities = new Identities();
  readonly #scripts = new Map<Address, readonly Place[]>();
  readonly #places = new Map<string, number>();
  readonly #delivered = new Set<string>();
  /** By receiver, how many of the first places are done. */
  readonly #done = new Map<Address, number>();
  readonly #answers = new Map<string, Wanted>();
  readonly #effects: Effects;
  readonly #passedOver: ReadonlySet<string>;
  /** By steps of the network that are taken: the deliveries before them. */
  readonly #network = new Map<string, number>();
  /** By what a duplicating network is not to deliver again, how often it may. */
  readonly #againMost = new Map<string, number>();
  /** Timers that are to go off when nothing else is left. */
  readonly #leftTimers = new Set<string>();
  /** By messages that are held back, until which one. */
  readonly #held = new Map<string, string>();
  #run: Run | undefined;

  constructor(followed: History, changes: readonly Change[], effects: Effects) {
    this.#effects = effects;
    this.#passedOver = followed.passedOver;
    const left = new Set(changes.flatMap((change) => (change.kind === 'network' ? [change.step] : [])));
    for (const { key, index } of followed.network) if (!left.has(key)) this.#network.set(key, index);
    for (const change of changes) {
      if (change.kind !== 'again') continue;
      const again = againOf(change.again);
      if (!again) {
        this.#leftTimers.add(change.again);
        continue;
      }
      const { first, before } = again;
      this.#againMost.set(first, Math.min(before, this.#againMost.get(first) ?? before));
    }
    for (const { question, pick, count } of [...followed.decisions, ...followed.after.decisions])
      if (question) {
        const { key, effect, kind, posted } = question;
        if (isFault(key)) this.#answers.set(key, { pick });
        // Of an answer of which nothing came but what its actor remembers, other answers cannot be told by what comes of them.
        else this.#answers.set(key, posted.length > 0 ? { pick, count, effect, kind } : { pick, count });
      }
    for (const change of changes) {
      if (change.kind !== 'answer') continue;
      const { pick, effect } = change;
      const known = effect !== undefined && !isFault(change.question);
      this.#answers.set(change.question, { pick, ...(known && { effect }) });
    }
    const across = changes.filter((change) => change.kind === 'across');
    for (const { held, until } of across) this.#held.set(held, until);
    const indexOf = new Map(
      [...followed.steps, ...followed.late, ...followed.after.steps].map(({ key, index }) => [key, index]),
    );
    const orders = changes.filter((change) => change.kind === 'order');
    const moved = new Set(orders.map((change) => change.moved));
    for (const [receiver, steps] of byReceiver([
      ...followed.steps,
      ...followed.late,
      ...followed.after.steps,
    ])) {
      // Without time a message waits for all that came before it.
      const ticks = new Map(
        steps.map(({ key, message }) => [key, followed.trial.run.asynchronous ? 0 : message.due]),
      );
      const keys = steps.map(({ key }) => key);
      const ranks = new Map(steps.map(({ key, index }) => [key, index]));
      // From the last one on, so that a message finds the one in front of which it goes in its new place.
      for (const change of orders.toReversed()) {
        const [earlier, later] = [change.moved, change.other].toSorted(
          (one, other) => (ranks.get(one) ?? 0) - (ranks.get(other) ?? 0),
        ) as [string, string];
        // The later one comes as soon as it can and the earlier one then: what others get in between keeps its place.
        if (move(keys, change)) ranks.set(later, ranks.get(earlier)! - 0.5);
      }
      for (const { held, until } of across) if (ranks.has(until)) ranks.set(until, indexOf.get(held)! - 0.5);
      // What comes when nothing else is left has no place, and nothing waits for it.
      const placed = keys.filter((key) => !this.#isLast(key));
      const places = placed.map((key): Place => {
        return { key, rank: ranks.get(key)!, tick: ticks.get(key)!, moved: moved.has(key) };
      });
      this.#scripts.set(receiver as Address, places);
      for (const [at, key] of placed.entries()) this.#places.set(key, at);
    }
  }

  /** Counts what is delivered in a run. */
  follow(run: Run): void {
    this.#run = run;
    this.#identities.follow(run);
    run.messages$.subscribe(({ message }) => {
      this.#delivered.add(this.#identities.ofMessage(message));
      this.#identities.delivered(message);
    });
  }

  pick(what: string, count: number, candidates?: readonly Message[]): number {
    return candidates ? this.#next(candidates) : this.#answer(what, count);
  }

  #answer(what: string, count: number): number {
    const wanted = this.#answers.get(this.#identities.ofQuestion(what, this.#run?.handled));
    if (!wanted) return 0;
    const situation = this.#run && wanted.effect !== undefined ? situationOf(this.#run, what, count) : '';
    return this.#answerIn(situation, count, wanted);
  }

  /** False when by what is known now about effects a question of this run of it would be answered otherwise. */
  isContent({ decisions, after }: History): boolean {
    return [...decisions, ...after.decisions].every(({ question, pick, count }) => {
      const wanted = question && this.#answers.get(question.key);
      return !wanted || this.#answerIn(question.situation, count, wanted) === pick;
    });
  }

  #answerIn(situation: string, count: number, { pick, count: of, effect, kind = '' }: Wanted): number {
    const usual = of !== undefined && of !== count ? 0 : pick % count;
    return effect === undefined ? usual : this.#effects.answerFor(situation, count, usual, effect, kind);
  }

  #next(candidates: readonly Message[]): number {
    let [best, bestRank, bestWaits] = [0, Number.POSITIVE_INFINITY, true];
    let younger = Number.POSITIVE_INFINITY;
    // From the youngest on: what the other run does not know goes in front of the first known one that is younger.
    for (let at = candidates.length - 1; at >= 0; at--) {
      const message = candidates[at]!;
      const { rank, waits } = this.#standing(message);
      younger = Math.min(younger, rank ?? younger);
      const mine = rank ?? younger - 0.5;
      if (waits && !bestWaits) continue;
      if (waits === bestWaits && mine > bestRank) continue;
      [best, bestRank, bestWaits] = [at, mine, waits];
    }
    const taken = candidates[best];
    if (taken && isOfNetwork(taken.event.type)) this.#identities.delivered(taken);
    return best;
  }

  #isLast(name: string): boolean {
    const again = this.#againMost.size > 0 ? againOf(name) : undefined;
    const most = again && this.#againMost.get(again.first);
    if (this.#passedOver.has(name) || this.#leftTimers.has(name)) return true;
    return most !== undefined && again!.before >= most;
  }

  #standing(message: Message): { readonly rank: number | undefined; readonly waits: boolean } {
    const name = this.#identities.ofMessage(message);
    if (isOfNetwork(message.event.type)) {
      const before = this.#network.get(name);
      // What the other run does not do to the network comes behind all messages, also those that wait.
      return before === undefined
        ? { rank: Number.MAX_VALUE, waits: true }
        : { rank: before - 0.5, waits: false };
    }
    // What the other run passed over, or is not to come again, comes when nothing else is left.
    if (this.#isLast(name)) return { rank: Number.MAX_SAFE_INTEGER, waits: false };
    const at = this.#places.get(name);
    const script = this.#scripts.get(message.to);
    const place = at === undefined ? undefined : script?.[at];
    if (!script || !place || at === undefined) return { rank: undefined, waits: false };
    let first = this.#done.get(message.to) ?? 0;
    while (first < script.length && this.#delivered.has(script[first]!.key)) first++;
    this.#done.set(message.to, first);
    const until = this.#held.get(name);
    const isHeld = until !== undefined && !this.#delivered.has(until);
    const waits =
      isHeld ||
      script.slice(first, at).some((earlier) => {
        const bound = earlier.tick === place.tick || earlier.moved || place.moved;
        return bound && !this.#delivered.has(earlier.key);
      });
    // What others wait for may be waited for in vain while this one is held back.
    return { rank: isHeld ? heldRank : place.rank, waits };
  }

  save(): unknown {
    return canonical.save();
  }

  load(): void {
    throw new Error('a run that follows another one cannot be continued from a snapshot');
  }
}

interface Wanted {
  readonly pick: number;
  /** Of how many, where it was asked. */
  readonly count?: number;
  readonly effect?: string;
  readonly kind?: string;
}

/** Moves a message among those to its receiver; false where one of the two is not among them. */
function move(
  keys: string[],
  { moved, where, other }: { moved: string; where: string; other: string },
): boolean {
  const from = keys.indexOf(moved);
  if (from < 0 || !keys.includes(other)) return false;
  keys.splice(from, 1);
  keys.splice(keys.indexOf(other) + (where === 'after' ? 1 : 0), 0, moved);
  return true;
}
