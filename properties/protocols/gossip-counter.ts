import type { ReplicaContext } from '../../actors/protocols/gossip-counter.ts';
import type { Observer } from '../../kernel/explore/observer.ts';
import type { GlobalState } from '../../kernel/global-state.ts';
import type { Network } from '../../kernel/network.ts';
import { eventually } from '../temporal/liveness.ts';
import { always } from '../temporal/safety.ts';

interface Replica {
  readonly name: string;
  readonly value: number;
  /** What went into it, as text. */
  readonly seen: string;
  /** The sum of its own updates, and their number. */
  readonly own: number;
  readonly made: number;
  readonly left: number;
}

const replicasIn = (state: GlobalState): readonly Replica[] =>
  state
    .named<ReplicaContext>('Replica[*]')
    .map(({ name, context: { ups, downs, seen, own, updates } }, at) => ({
      name,
      value: [...ups, ...downs.map((count) => -count)].reduce((sum, one) => sum + one, 0),
      seen: seen.join(),
      own,
      made: seen[at]!,
      left: updates,
    }));

/** Strong eventual consistency, its safe half: no matter in which order, and how often, states came. */
export const sameSeenSameValue = always(
  'replicas that have seen the same updates have the same value',
  (state) => {
    const replicas = replicasIn(state);
    for (const one of replicas)
      for (const other of replicas)
        if (one.seen === other.seen && one.value !== other.value)
          return `${one.name} has ${one.value} and ${other.name} ${other.value}`;
    return true;
  },
);

/** Nothing is lost and nothing counted twice. */
export const allSeenRightValue = always('a replica that has seen all updates has their sum', (state) => {
  const replicas = replicasIn(state);
  const all = replicas.map(({ made }) => made).join();
  const sum = replicas.reduce((total, { own }) => total + own, 0);
  const wrong = replicas.find(({ seen, value }) => seen === all && value !== sum);
  return !wrong || `${wrong.name} has ${wrong.value} and not ${sum}`;
});

const converges = eventually(
  'some time all replicas have seen all updates',
  (state) => {
    const replicas = replicasIn(state);
    return replicas.every(({ seen, left }) => left === 0 && seen === replicas[0]!.seen);
  },
  { fair: true },
);

/** What must hold of replicas. That they converge is asked where the network does not lose messages for ever. */
export const convergence = ({ lossy }: Network = {}): readonly Observer[] => [
  sameSeenSameValue,
  allSeenRightValue,
  ...(lossy === true ? [] : [converges]),
];
