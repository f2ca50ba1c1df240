/**
 * What is counted, always of a type of actor, by its state machine id: states entered; transitions taken; guards that held and guards that did
 * not; refused events that came; transitions taken that report a violation; and of two messages that could have been delivered next to the
 * same receiver, which came first.
 */
export const coverageKinds = [
  'states',
  'transitions',
  'holds',
  'fails',
  'refusals',
  'complaints',
  'orders',
] as const;

/** One kind of what is counted. */
export type CoverageKind = (typeof coverageKinds)[number];

/** How often something was seen, and in how many runs. */
export type Seen = readonly [times: number, runs: number];

/** By type of actor, then by name: what there is, and how often it was seen; `[0, 0]` for what was never seen. */
export type SeenByType = Readonly<Record<string, Readonly<Record<string, Seen>>>>;

/**
 * What any number of runs have covered, as plain data.
 *
 * Details: a sound run takes no transition that reports a violation, so such a one is no transition, and no outcome of a guard that leads to it is
 * listed. Transitions, guards, refusals and complaints are named `source: event [guard] -> targets`, orders `first before second`. Of an order the reverse is
 * listed too, with zeros when it was not seen. Counts of different builds of a machine add up by name.
 */
export interface Coverage extends Readonly<Record<CoverageKind, SeenByType>> {
  readonly runs: number;
}

/** What no run has covered: the identity of `mergeCoverage`. */
export const emptyCoverage: Coverage = {
  runs: 0,
  states: {},
  transitions: {},
  holds: {},
  fails: {},
  refusals: {},
  complaints: {},
  orders: {},
};

/** What two sets of runs have covered together. Associative and commutative; the sets must not share a run. */
export function mergeCoverage(one: Coverage, other: Coverage): Coverage {
  const kinds = coverageKinds.map((kind) => [kind, merged(one[kind], other[kind], mergedNames)] as const);
  return { runs: one.runs + other.runs, ...(Object.fromEntries(kinds) as Record<CoverageKind, SeenByType>) };
}

const mergedNames = (one: Names = {}, other: Names = {}): Names =>
  merged(
    one,
    other,
    ([times, runs]: Seen = [0, 0], [otherTimes, otherRuns]: Seen = [0, 0]): Seen => [
      times + otherTimes,
      runs + otherRuns,
    ],
  );

type Names = Readonly<Record<string, Seen>>;

/** Both records; `join` makes one value of the two of a key. Keys are sorted, so that equal coverage is equal text. */
function merged<V>(
  one: Readonly<Record<string, V>>,
  other: Readonly<Record<string, V>>,
  join: (one: V | undefined, other: V | undefined) => V,
): Record<string, V> {
  const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])].sort();
  return Object.fromEntries(keys.map((key) => [key, join(one[key], other[key])]));
}

/** The name of an order of deliveries. */
export const orderName = (first: string, second: string): string => `${first} before ${second}`;

/** The order in which the same two messages come the other way round. */
export function reverseOrder(name: string): string {
  const [first = '', second = ''] = name.split(' before ');
  return orderName(second, first);
}
