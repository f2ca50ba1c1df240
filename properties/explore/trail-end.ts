import { hashOf } from '../../kernel/hash.ts';
import { plainData } from '../../scenarios/exports/plain-data.ts';
import type { Step } from './history.ts';
import { roleOf } from './ranges.ts';
import { type StruckFault, takesAway } from './struck-fault.ts';

/** How far a message came, and what came of it, where no answer came back to who sent it. */
export interface TrailEnd {
  /** The message with which it began, and the last delivery, which may be the same. */
  readonly root: Step;
  readonly end: Step;
  /** What was sent during the last delivery and taken away by faults. */
  readonly lost: readonly StruckFault[];
}

/**
 * How far what some actors sent last came: the deliveries behind which an answer would be looked for, the most telling first.
 *
 * Details: of each root the deliveries that it caused, directly or not, are followed to those during which nothing was sent; where such a receiver later sends data on that it got then, these
 * are followed, too, and a delivery during which something was sent that a fault took away is
 * an end, the most telling one where it was for the sender of the root. Those at the sender of the root are answers, and those at other actors on the way acknowledgements, unless there is nothing else. A delivery of a type of which
 * something comes elsewhere is the most telling, then one from somebody else: what an actor reminds itself of is its own clock; then the latest. Of a root that is answered nothing is told, and of several that end alike one is.
 */
export function trailEnds(
  steps: readonly Step[],
  roots: readonly Step[],
  faults: readonly StruckFault[],
): readonly TrailEnd[] {
  const trails = new Trails(steps, faults);
  const all = roots.flatMap((root): TrailEnd[] => {
    const end = trails.endOf(root);
    return end ? [{ root, end, lost: trails.lostAt(end) }] : [];
  });
  const kinds = new Map<string, TrailEnd>();
  for (const one of all.sort((first, second) => trails.order(first.end, second.end)))
    if (!kinds.has(kindOf(one.end))) kinds.set(kindOf(one.end), one);
  return [...kinds.values()];
}

/** Messages of one type to actors of one kind. */
const kindOf = ({ message, to }: Step): string => `${message.event.type} ${roleOf(to)}`;

/** Fields that data must have to be known again. */
const fieldsMin = 2;

class Trails {
  readonly #caused = new Map<number, Step[]>();
  readonly #sent = new Map<string, Step[]>();
  /** Kinds of deliveries of which something comes. */
  readonly #fruitful: ReadonlySet<string>;
  readonly #data = new Map<Step, ReadonlySet<string>>();
  /** By the delivery during which they were sent, messages that a fault took away. */
  readonly #lost = new Map<number, StruckFault[]>();

  constructor(steps: readonly Step[], faults: readonly StruckFault[]) {
    for (const fault of faults) if (takesAway(fault)) listed(this.#lost, fault.message.cause).push(fault);
    for (const step of steps) {
      listed(this.#caused, step.message.cause).push(step);
      if (step.from !== step.to) listed(this.#sent, step.from).push(step);
    }
    this.#fruitful = new Set(
      steps.filter(({ message }) => this.#caused.has(message.seq)).map((step) => kindOf(step)),
    );
  }

  endOf(root: Step): Step | undefined {
    const ends: { readonly step: Step; readonly isOnWay: boolean }[] = [];
    const open: { readonly step: Step; readonly way: ReadonlySet<string> }[] = [
      { step: root, way: new Set([root.from]) },
    ];
    const seen = new Set<Step>([root]);
    let answered = -1;
    for (let one = open.pop(); one; one = open.pop()) {
      const { step, way } = one;
      if (step.to === root.from && step.from !== step.to) {
        // Whom it was sent to may acknowledge it before anything comes of it; somebody farther answers.
        if (step.from !== root.to) return undefined;
        answered = Math.max(answered, step.index);
      }
      const next = this.#after(step);
      const isOnWay = step.from !== step.to && way.has(step.to);
      const isEnd = next.length === 0 || this.#lost.has(step.message.seq);
      if (isEnd && step.to !== root.from) ends.push({ step, isOnWay });
      const wider = new Set([...way, step.to]);
      for (const follower of next) {
        if (seen.has(follower)) continue;
        seen.add(follower);
        open.push({ step: follower, way: wider });
      }
    }
    const [best] = ends.sort(
      (one, other) =>
        this.#lossOf(other.step, root) - this.#lossOf(one.step, root) ||
        Number(one.isOnWay) - Number(other.isOnWay) ||
        this.order(one.step, other.step),
    );
    return best && best.step.index > answered ? best.step : undefined;
  }

  lostAt(step: Step): readonly StruckFault[] {
    return this.#lost.get(step.message.seq) ?? [];
  }

  /** 2 where something was lost on its way back to the sender of the root, 1 where something else was, else 0. */
  #lossOf(step: Step, root: Step): 0 | 1 | 2 {
    const lost = this.lostAt(step);
    if (lost.some(({ to }) => to === root.from)) return 2;
    return lost.length > 0 ? 1 : 0;
  }

  /** Which of two ends tells more. */
  order(one: Step, other: Step): number {
    const fruit = (step: Step) => Number(this.#fruitful.has(kindOf(step)));
    const own = ({ from, to }: Step) => Number(from === to);
    return fruit(other) - fruit(one) || own(one) - own(other) || other.index - one.index;
  }

  #after(step: Step): readonly Step[] {
    const caused = this.#caused.get(step.message.seq);
    if (caused) return caused;
    const data = this.#dataOf(step);
    const on = this.#sent
      .get(step.to)
      ?.find((later) => later.index > step.index && [...this.#dataOf(later)].some((one) => data.has(one)));
    return on ? [on] : [];
  }

  /** Hashes of the objects in a message, itself among them. */
  #dataOf(step: Step): ReadonlySet<string> {
    let hashes = this.#data.get(step);
    if (!hashes) {
      hashes = new Set(objectsIn(plainData(step.message.event)).map((one) => hashOf(one)));
      this.#data.set(step, hashes);
    }
    return hashes;
  }
}

function listed<K, T>(lists: Map<K, T[]>, key: K): T[] {
  const known = lists.get(key);
  if (known) return known;
  const made: T[] = [];
  lists.set(key, made);
  return made;
}

function objectsIn(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.values(value).flatMap(objectsIn);
  return !Array.isArray(value) && Object.keys(value).length >= fieldsMin ? [value, ...inside] : inside;
}
