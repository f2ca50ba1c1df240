import type { CoreId } from '../race/race-event.ts';
import type { CoreStanding, Meeting, StandStill } from './blocked.ts';

/** Why a core that is waited for will never come, where it does not wait itself. */
export interface DeadEnd {
  readonly kind:
    | 'finishedMember'
    | 'absentMember'
    | 'noTransfer'
    | 'tooFewTransfers'
    | 'ownerFinished'
    | 'freeLock'
    | 'service';
  /** Equal for the same cause seen from several cores. */
  readonly key: string;
  /** Who is at fault: the member, the owner, or the core that waits. */
  readonly core: CoreId;
  readonly meeting?: Meeting;
  readonly lock?: string;
}

/** What a blocked core depends on: cores that are blocked as well, and dead ends. */
export interface Blocked {
  readonly standing: CoreStanding;
  readonly on: readonly CoreId[];
  readonly deadEnds: readonly DeadEnd[];
  /** Members of its meeting that have not come. */
  readonly missing: readonly CoreId[];
}

/** The wait-for graph of a run that stands still: an entry for each core that waits. */
export function waitForGraph(still: StandStill): ReadonlyMap<CoreId, Blocked> {
  const standings = new Map(still.cores.map((one) => [one.core, one]));
  const waiting = still.cores.filter(({ is }) => is === 'waiting');
  return new Map(waiting.map((one) => [one.core, blocked(one, standings, still)]));
}

/** Where the core is; one that nobody told of is idle. */
const standingOf = (core: CoreId, standings: ReadonlyMap<CoreId, CoreStanding>): CoreStanding =>
  standings.get(core) ?? { core, is: 'idle', since: 0 };

function blocked(
  standing: CoreStanding,
  standings: ReadonlyMap<CoreId, CoreStanding>,
  { owners }: StandStill,
): Blocked {
  const { core, waitsFor } = standing;
  const nothing = { standing, on: [], deadEnds: [], missing: [] };
  switch (waitsFor?.kind) {
    case 'meeting': {
      const { meeting } = waitsFor;
      const missing = meeting.members.filter((one) => !isAt(standingOf(one, standings), meeting));
      const gone = missing.filter((one) => standings.get(one)?.is !== 'waiting');
      return {
        standing,
        missing,
        on: missing.filter((one) => !gone.includes(one)),
        deadEnds: gone.flatMap((one) => absence(standingOf(one, standings), meeting)),
      };
    }
    case 'reply': {
      const { word, current, value, inFlight } = waitsFor;
      const key = `word ${word.space} ${word.offset}`;
      if (inFlight.length === 0) return { ...nothing, deadEnds: [{ kind: 'noTransfer', key, core }] };
      if (current + inFlight.length >= value) return nothing;
      return { ...nothing, deadEnds: [{ kind: 'tooFewTransfers', key, core }] };
    }
    case 'lock': {
      const { lock } = waitsFor;
      const owner = owners.get(lock);
      if (owner === undefined)
        return { ...nothing, deadEnds: [{ kind: 'freeLock', key: `lock ${lock}`, core, lock }] };
      const { is } = standingOf(owner, standings);
      if (is === 'waiting') return { ...nothing, on: [owner] };
      if (is === 'running') return nothing;
      return { ...nothing, deadEnds: [{ kind: 'ownerFinished', key: `lock ${lock}`, core: owner, lock }] };
    }
    case 'threads':
      return { ...nothing, on: waitsFor.threads.filter((one) => standings.get(one)?.is === 'waiting') };
    case 'service':
      return { ...nothing, deadEnds: [{ kind: 'service', key: `service ${core}`, core }] };
    default:
      return nothing;
  }
}

const isAt = ({ waitsFor }: CoreStanding, meeting: Meeting): boolean =>
  waitsFor?.kind === 'meeting' && waitsFor.meeting.name === meeting.name;

function absence({ core, is }: CoreStanding, meeting: Meeting): readonly DeadEnd[] {
  if (is === 'running') return [];
  const kind = is === 'finished' ? 'finishedMember' : 'absentMember';
  return [{ kind, key: `${kind} ${core}`, core, meeting }];
}

/** The cores that lie on circles of waiting, a list for each set of cores that all reach each other, in the order of the graph. */
export function circles(graph: ReadonlyMap<CoreId, Blocked>): readonly (readonly CoreId[])[] {
  const found: CoreId[][] = [];
  const number = new Map<CoreId, number>();
  const low = new Map<CoreId, number>();
  const stack: CoreId[] = [];
  // Tarjan's search; a graph has at most 390 cores, so it may go as deep.
  const visit = (core: CoreId): void => {
    number.set(core, number.size);
    low.set(core, number.get(core)!);
    stack.push(core);
    for (const next of graph.get(core)!.on) {
      if (!number.has(next)) visit(next);
      if (stack.includes(next)) low.set(core, Math.min(low.get(core)!, low.get(next)!));
    }
    if (low.get(core) !== number.get(core)) return;
    const members = stack.splice(stack.indexOf(core));
    if (members.length > 1 || graph.get(core)!.on.includes(core)) found.push(members);
  };
  for (const core of graph.keys()) if (!number.has(core)) visit(core);
  return found;
}

/** All cores that one depends on, itself included. */
export function reachedFrom(core: CoreId, graph: ReadonlyMap<CoreId, Blocked>): ReadonlySet<CoreId> {
  const reached = new Set([core]);
  for (const one of reached) for (const next of graph.get(one)?.on ?? []) reached.add(next);
  return reached;
}
