import type { Handled } from './step-executor.ts';
import { transcriptOf } from './transcript.ts';

/** One way in which a step was carried out, with nothing numbered: what came of it, the answers that led there, and the key of the local state. */
export interface Carried {
  readonly handled: Handled;
  readonly picks: readonly number[];
  readonly key: string | undefined;
  /** What is posted, where all of it is known. */
  readonly posts?: readonly number[] | undefined;
}

/** What came of a step as data, in the order in which a difference is best told. */
export const whatCame = ({ handled: { state, failure, port, copies }, picks }: Carried) => ({
  state: state?.configuration.name,
  context: state?.context,
  failure: failure?.message,
  picks,
  posts: port.posts,
  timers: port.timers,
  probes: port.probes,
  reports: port.reports,
  shared: [...copies.copies.values()],
});

/** The same, of a resource what it feeds to its hash, and not what it has kept to be faster. */
const dataOf = (way: Carried) => ({ ...whatCame(way), state: way.key, context: undefined });

/** What came of a step in all ways, as one text. */
export const textOf = (ways: readonly Carried[]): string => transcriptOf(ways.map(dataOf));

/** The same without the order in which messages are posted whose order does not matter, and in which timers are set. */
export const orderlessTextOf = (ways: readonly Carried[], isUnordered: boolean): string =>
  transcriptOf(
    ways.map((way) => {
      const data = dataOf(way);
      return {
        ...data,
        posts: data.posts.toSorted(
          (one, other) =>
            one.to - other.to ||
            one.delay - other.delay ||
            (isUnordered ? inOrder(transcriptOf(one.event), transcriptOf(other.event)) : 0),
        ),
        timers: data.timers.toSorted((one, other) => inOrder(one.type, other.type)),
      };
    }),
  );

const inOrder = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
