import type { RaftEntry } from '../../actors/protocols/raft-log.ts';
import type { raftProtocol } from '../../actors/protocols/raft-protocol.ts';
import type { RaftContext } from '../../actors/protocols/raft-server.ts';
import type { Observer } from '../../kernel/explore/observer.ts';
import type { GlobalState } from '../../kernel/global-state.ts';
import type { ObservationOf } from '../../kernel/protocol/protocol.ts';
import { always } from '../temporal/safety.ts';
import { symmetric } from '../temporal/symmetric.ts';

/*
 * The four safety properties of Raft (Ongaro and Ousterhout 2014, figure 3). "Leader append-only" is a sentence about one server and follows from its table.
 */

/** At most one server is elected in a term, at whatever time. */
export const electionSafety: Observer<
  { leaders: Record<number, string> },
  ObservationOf<typeof raftProtocol>
> = {
  sentence: 'at most one server is the leader of a term',
  watches: ['leader.elected'],
  begin: () => ({ leaders: {} }),
  see({ leaders }, observation) {
    if (observation.kind !== 'probe') return undefined;
    const { term } = observation.probe;
    const other = leaders[term];
    leaders[term] = observation.actor;
    if (other === undefined || other === observation.actor) return undefined;
    return {
      actors: [other, observation.actor],
      why: `${other} and ${observation.actor} both lead term ${term}`,
    };
  },
  exchange: ({ leaders }, nameOf) => ({
    leaders: Object.fromEntries(Object.entries(leaders).map(([term, name]) => [term, nameOf(name)])),
  }),
};

interface Server {
  readonly name: string;
  readonly state: string;
  readonly term: number;
  readonly log: readonly RaftEntry[];
  readonly commit: number;
}

/** The servers that are up, as a property sees them. */
const serversOf = ({ actors }: GlobalState): readonly Server[] =>
  actors
    .filter(({ state }) => state !== 'crashed')
    .map(({ name, state, context }) => ({
      name,
      state,
      ...(context as Pick<RaftContext, 'term' | 'log' | 'commit'>),
    }));

/** All ordered pairs of different servers. */
const pairsOf = (servers: readonly Server[]): readonly (readonly [Server, Server])[] =>
  servers.flatMap((one) => servers.filter((other) => other !== one).map((other) => [one, other] as const));

const isSame = (one: RaftEntry | undefined, other: RaftEntry | undefined): boolean =>
  one?.term === other?.term && one?.value === other?.value;

/** The first index up to `last` at which two logs differ; 0 when there is none. */
function differsAt(one: Server, other: Server, last: number): number {
  for (let at = 0; at < last; at++) if (!isSame(one.log[at], other.log[at])) return at + 1;
  return 0;
}

/** Where two logs have an entry of the same term, they are equal up to there. */
export const logMatching = symmetric(
  always('logs with the same term at an index are equal up to it', (state) => {
    for (const [one, other] of pairsOf(serversOf(state))) {
      let last = Math.min(one.log.length, other.log.length);
      while (last > 0 && one.log[last - 1]!.term !== other.log[last - 1]!.term) last--;
      const at = differsAt(one, other, last);
      if (at > 0)
        return `the logs of ${one.name} and ${other.name} have the same term at ${last}, and differ at ${at}`;
    }
    return true;
  }),
);

/** A leader has all that was committed in its term or an earlier one. */
export const leaderCompleteness = symmetric(
  always('the leader of a term has every entry that was committed before', (state) => {
    for (const [leader, other] of pairsOf(serversOf(state))) {
      if (leader.state !== 'leader' || leader.term < other.term) continue;
      const at = differsAt(leader, other, other.commit);
      if (at > 0)
        return `${leader.name} leads term ${leader.term} without entry ${at}, which ${other.name} knows to be committed`;
    }
    return true;
  }),
);

/** No two servers apply different commands at an index. */
export const stateMachineSafety = symmetric(
  always('servers agree on every entry that they know to be committed', (state) => {
    for (const [one, other] of pairsOf(serversOf(state))) {
      const at = differsAt(one, other, Math.min(one.commit, other.commit));
      if (at > 0) return `${one.name} and ${other.name} have committed different entries at ${at}`;
    }
    return true;
  }),
);
