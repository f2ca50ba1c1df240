import { type Coverage, coverageKinds, reverseOrder, type Seen } from './coverage.ts';

/** How many of how many. */
export interface Share {
  readonly seen: number;
  readonly of: number;
}

/** What is covered of one type of actor, and what is not, by name. */
export interface TypeSummary {
  /** State machine id. */
  readonly type: string;
  readonly states: Share;
  readonly transitions: Share;
  /** Guards that were seen to hold and not to hold. */
  readonly guards: Share;
  /** Refused events that came. They are listed to be refused, so none is missing. */
  readonly refusals: Share;
  /** Transitions that report a violation and were taken: none in runs in which all is well, so none is missing. */
  readonly complaints: Share;
  /** Pairs of messages deliverable at the same time to such an actor, and those that came in both orders. */
  readonly orders: Share;
  readonly missing: {
    readonly states: readonly string[];
    readonly transitions: readonly string[];
    /** Transitions whose guard was asked and never held, or was never asked. */
    readonly neverTrue: readonly string[];
    readonly neverFalse: readonly string[];
    /** Orders of which only the reverse was seen. */
    readonly orders: readonly string[];
  };
}

/** What is covered and what is not, a type of actor at a time, in the order of their names. */
export function summaryOf(coverage: Coverage): readonly TypeSummary[] {
  const types = [...new Set(coverageKinds.flatMap((kind) => Object.keys(coverage[kind])))].sort();
  return types.map((type) => {
    const [states, transitions, holds, fails, refusals, complaints, orders] = coverageKinds.map(
      (kind) => coverage[kind][type] ?? {},
    ) as [Names, Names, Names, Names, Names, Names, Names];
    const guarded = [...new Set([...Object.keys(holds), ...Object.keys(fails)])];
    const isSeen = (names: Names, name: string) => !Object.hasOwn(names, name) || wasSeen(names[name]);
    const bothWays = guarded.filter((name) => isSeen(holds, name) && isSeen(fails, name));
    const pairs = Object.keys(orders).filter((name) => name < reverseOrder(name));
    const bothOrders = pairs.filter((name) => wasSeen(orders[name]) && wasSeen(orders[reverseOrder(name)]));
    return {
      type,
      states: shareOf(states),
      transitions: shareOf(transitions),
      guards: { seen: bothWays.length, of: guarded.length },
      refusals: shareOf(refusals),
      complaints: shareOf(complaints),
      orders: { seen: bothOrders.length, of: pairs.length },
      missing: {
        states: unseenOf(states),
        transitions: unseenOf(transitions),
        neverTrue: unseenOf(holds),
        neverFalse: unseenOf(fails),
        orders: unseenOf(orders),
      },
    };
  });
}

type Names = Readonly<Record<string, Seen>>;

const wasSeen = (seen: Seen | undefined): boolean => seen !== undefined && seen[0] > 0;

const unseenOf = (names: Names): readonly string[] =>
  Object.keys(names).filter((name) => !wasSeen(names[name]));

const shareOf = (names: Names): Share => {
  const of = Object.keys(names).length;
  return { seen: of - unseenOf(names).length, of };
};
