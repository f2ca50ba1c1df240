import { type CoreId, coreName } from '../race/race-event.ts';
import type { CoreStanding, Meeting, StandStill } from './blocked.ts';
import { type Blocked, circles, type DeadEnd, reachedFrom, waitForGraph } from './wait-for-graph.ts';

/** What a deadlock comes from. */
export type CauseKind = DeadEnd['kind'] | 'self' | 'lockCircle' | 'maskMismatch' | 'pairMismatch' | 'circle';

/** One of the reasons why a run stands still; nothing it depends on is another one. */
export interface RootCause {
  readonly kind: CauseKind;
  /** The cores at fault. */
  readonly cores: readonly CoreId[];
  readonly sentence: string;
  /** Causes with equal keys can be told as one: the names of their cores, and these words. */
  readonly alike?: { readonly key: string; readonly words: string };
}

/** A run that stands still, explained. */
export interface DeadlockAnalysis {
  readonly cycle: number;
  readonly blocked: readonly Blocked[];
  /** As few as everything that is blocked depends on; empty only when nobody is blocked. */
  readonly causes: readonly RootCause[];
}

/** Explains why cores wait (Sunway specification 7.4): a pure function of where everybody is. */
export function analyseDeadlock(still: StandStill): DeadlockAnalysis {
  const graph = waitForGraph(still);
  const standings = new Map(still.cores.map((one) => [one.core, one]));
  const causes = new Map<string, RootCause>();
  for (const { standing, deadEnds } of graph.values())
    for (const deadEnd of deadEnds)
      if (!causes.has(deadEnd.key)) causes.set(deadEnd.key, deadEndCause(deadEnd, standing, standings));
  for (const circle of circles(graph)) {
    const beyond = [...reachedFrom(circle[0]!, graph)];
    // Whatever the circle depends on would have to be mended first.
    if (beyond.some((core) => !circle.includes(core) || graph.get(core)!.deadEnds.length > 0)) continue;
    causes.set(`circle ${circle[0]}`, circleCause(circle, graph, still));
  }
  return { cycle: still.cycle, blocked: [...graph.values()], causes: [...causes.values()] };
}

/** Why a circle of cores that wait for each other never opens. */
export function circleSentence(still: StandStill, circle: readonly CoreId[]): string {
  const cores = still.cores.filter(({ core }) => circle.includes(core));
  return analyseDeadlock({ ...still, cores })
    .causes.map(({ sentence }) => sentence)
    .join('; ');
}

/** What a core waits for, in words. */
export function waitText({ waitsFor }: CoreStanding): string {
  switch (waitsFor?.kind) {
    case 'meeting':
      return `at ${waitsFor.meeting.name}`;
    case 'reply':
      return `for its reply word at 0x${waitsFor.word.offset.toString(16)} to reach ${waitsFor.value} (it is ${waitsFor.current})`;
    case 'lock':
      return `for the lock ${waitsFor.lock}`;
    case 'threads':
      return 'for its threads to end';
    case 'service':
      return `for ${waitsFor.what}`;
    default:
      return 'for something unknown';
  }
}

function deadEndCause(
  { kind, core, meeting, lock }: DeadEnd,
  standing: CoreStanding,
  standings: ReadonlyMap<CoreId, CoreStanding>,
): RootCause {
  const name = coreName(core);
  const at = standings.get(core);
  const { waitsFor, operation } = standing;
  const where = `${meeting?.name}, where ${coreName(standing.core)} is${operation ? ` in ${operation.name}` : ''}`;
  const sentence = ((): string => {
    switch (kind) {
      case 'finishedMember':
        return `${name} has finished (in cycle ${at?.since ?? 0}) and never comes to ${where}`;
      case 'absentMember':
        return `${name} runs no thread${at?.is === 'offline' ? ' (it is offline)' : ''} and never comes to ${where}`;
      case 'noTransfer':
        return `${name} waits ${waitText(standing)}, but none is in flight: no transfer can ever satisfy this`;
      case 'tooFewTransfers': {
        const count = waitsFor?.kind === 'reply' ? waitsFor.inFlight.length : 0;
        return `${name} waits ${waitText(standing)}, but only ${count} in flight will add to it`;
      }
      case 'ownerFinished':
        return `${name} has finished (in cycle ${at?.since ?? 0}) and never gave back the lock ${lock}`;
      case 'freeLock':
        return `${name} waits for the lock ${lock}, which nobody holds`;
      case 'service':
        return `${name} waits ${waitText(standing)}, and no answer is under way`;
    }
  })();
  const call = operation?.name ?? 'where others are';
  const words = ((): string | undefined => {
    switch (kind) {
      case 'finishedMember':
        return `have finished and never come to ${call}, where ${coreName(standing.core)} waits`;
      case 'absentMember':
        return `run no thread and never come to ${call}, where ${coreName(standing.core)} waits`;
      case 'noTransfer':
        return `each wait ${waitText(standing).replace('its reply word', 'their reply word')}, but none is in flight: no transfer can ever satisfy this`;
      default:
        return undefined;
    }
  })();
  const key = kind === 'noTransfer' ? `${kind} ${words}` : `${kind} ${call}`;
  return { kind, cores: [core], sentence, ...(words !== undefined && { alike: { key, words } }) };
}

const meetingOf = (core: CoreId, graph: ReadonlyMap<CoreId, Blocked>): Meeting | undefined => {
  const waitsFor = graph.get(core)?.standing.waitsFor;
  return waitsFor?.kind === 'meeting' ? waitsFor.meeting : undefined;
};

function circleCause(
  circle: readonly CoreId[],
  graph: ReadonlyMap<CoreId, Blocked>,
  { owners }: StandStill,
): RootCause {
  const mismatch = differingMeetings(circle, graph);
  if (mismatch) return mismatch;
  const path = shortestCircle(circle, graph);
  const lockOf = (core: CoreId): string | undefined => {
    const waitsFor = graph.get(core)!.standing.waitsFor;
    return waitsFor?.kind === 'lock' ? waitsFor.lock : undefined;
  };
  const first = path[0]!;
  if (path.length === 1 && lockOf(first) !== undefined)
    return {
      kind: 'self',
      cores: path,
      sentence: `self: ${coreName(first)} waits for the lock ${lockOf(first)}, which it holds itself`,
    };
  const links = path.map((core) => {
    const lock = lockOf(core);
    return lock === undefined
      ? `${coreName(core)} waits ${waitText(graph.get(core)!.standing)}`
      : `${coreName(core)} waits for the lock ${lock} of ${coreName(owners.get(lock)!)}`;
  });
  const allLocks = path.every((core) => lockOf(core) !== undefined);
  const shown = links.length > 4 ? [...links.slice(0, 3), `${links.length - 3} more`] : links;
  return {
    kind: allLocks ? 'lockCircle' : 'circle',
    cores: path,
    sentence: `${shown.join('; ')}: each waits for the next, the last for the first`,
  };
}

/** Two cores that name each other, but not the same meeting. */
function differingMeetings(
  circle: readonly CoreId[],
  graph: ReadonlyMap<CoreId, Blocked>,
): RootCause | undefined {
  for (const core of circle)
    for (const other of graph.get(core)!.on) {
      const [mine, theirs] = [meetingOf(core, graph), meetingOf(other, graph)];
      if (!mine || !theirs || mine.kind !== theirs.kind) continue;
      if (
        mine.kind === 'pair' ||
        ((mine.kind === 'row' || mine.kind === 'column') && theirs.members.includes(core))
      ) {
        const names = `${coreName(core)} waits at ${mine.name}, ${coreName(other)} at ${theirs.name}`;
        const kind = mine.kind === 'pair' ? 'pairMismatch' : 'maskMismatch';
        return {
          kind,
          cores: [core, other],
          sentence: `${names}: they wait for each other at different barriers`,
        };
      }
    }
  return undefined;
}

/** A shortest circle through the first core of a set that all reach each other. */
function shortestCircle(circle: readonly CoreId[], graph: ReadonlyMap<CoreId, Blocked>): readonly CoreId[] {
  const first = circle[0]!;
  const before = new Map<CoreId, CoreId>();
  const open = [first];
  for (const core of open)
    for (const next of graph.get(core)!.on) {
      if (next === first) {
        const path = [core];
        while (path[0] !== first) path.unshift(before.get(path[0]!)!);
        return path;
      }
      if (circle.includes(next) && !before.has(next)) {
        before.set(next, core);
        open.push(next);
      }
    }
  return circle;
}
