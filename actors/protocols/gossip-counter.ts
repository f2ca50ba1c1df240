import { setup } from 'xstate';
import { refused } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';
import { field } from '../../kernel/protocol/field.ts';
import { protocol } from '../../kernel/protocol/protocol.ts';

/** What a replica knows of the counter: by replica, how often it has counted up, and down. */
export interface Counts {
  readonly ups: readonly number[];
  readonly downs: readonly number[];
}

// That they never fall is for properties to say.
const counts = field.byMember('Replica', field.int({ min: Number.MIN_SAFE_INTEGER }));

/** A replica tells all that it knows. `seen` is for properties: by replica, how many of its updates went into it. */
export const counterProtocol = protocol({
  Replica: {
    receives: { State: { ups: counts, downs: counts, seen: counts } },
    timers: ['update', 'gossip'],
  },
});
const role = counterProtocol.roles.Replica;

/** Fixed when the replica is placed. */
export interface ReplicaSpec {
  /** All replicas, itself included, ascending. */
  readonly replicas: readonly Address[];
  /** Updates that are asked of it. */
  readonly updates: number;
}

/** What a replica remembers. */
export interface ReplicaContext extends ReplicaSpec {
  updates: number;
  ups: number[];
  downs: number[];
  /** For properties: by replica, its updates that are known here, and the sum of the own ones. */
  seen: number[];
  own: number;
}

/** The kit of replicas, also for planted faults. */
export const replicaKit = role.component<ReplicaContext>();
const { act, update, when } = replicaKit;

/** By entry, the larger one. */
export const larger = (one: readonly number[], other: readonly number[]): number[] =>
  one.map((count, at) => Math.max(count, other[at]!));

/** The value of a counter: what was counted up less what was counted down. */
export const counterValue = ({ ups, downs }: Counts): number =>
  ups.reduce((sum, count, at) => sum + count - downs[at]!, 0);

/**
 * A replica of a counter that goes up and down, whose states are joined by the maximum of each entry (Shapiro, Preguiça, Baquero, Zawirski, "Conflict-free replicated data types",
 * 2011: the PN-counter, state based).
 */
export const counterReplica = setup({
  types: role.types<ReplicaContext, ReplicaSpec>(),
  guards: { isSettled: when(({ updates }) => updates === 0) },
  actions: {
    begin: act((_replica, _event, out) => out.setTimer('gossip')),
    expect: act((_replica, _event, out) => out.setTimer('update')),
    count: act((replica, _event, out) => {
      const at = replica.replicas.indexOf(out.self);
      const isDown = out.pick('up or down', 2) === 1;
      (isDown ? replica.downs : replica.ups)[at]!++;
      replica.updates--;
      replica.seen[at]!++;
      replica.own += isDown ? -1 : 1;
    }),
    tell: act((replica, _event, out) => {
      out.setTimer('gossip');
      // What is told stays as it is, whatever is counted afterwards.
      const [ups, downs, seen] = [[...replica.ups], [...replica.downs], [...replica.seen]];
      for (const to of replica.replicas)
        if (to !== out.self) out.post({ to, type: 'State', ups, downs, seen });
    }),
    merge: update<'State'>((replica, { ups, downs }) => {
      replica.ups = larger(replica.ups, ups);
      replica.downs = larger(replica.downs, downs);
    }),
    witness: update<'State'>((replica, { seen }) => {
      replica.seen = larger(replica.seen, seen);
    }),
  },
}).createMachine({
  id: 'counterReplica',
  context: ({ input }) => {
    const zeros = () => input.replicas.map(() => 0);
    return { ...input, ups: zeros(), downs: zeros(), seen: zeros(), own: 0 };
  },
  initial: 'looking',
  entry: 'begin',
  on: { gossip: { actions: 'tell' }, State: { actions: ['merge', 'witness'] }, update: refused },
  states: {
    looking: { always: [{ guard: 'isSettled', target: 'settled' }, { target: 'expecting' }] },
    expecting: { entry: 'expect', on: { update: { target: 'looking', actions: 'count' } } },
    settled: {},
  },
});
