import { barrierOver, finishPhase } from './barrier-calls.ts';
import { implicitGroup, type RuntimeContext } from './runtime-context.ts';

const acksCome = (c: RuntimeContext, group: number): boolean => {
  const { acks, left } = c.groups[group]!;
  return (
    Object.entries(acks).every(([key, sequence]) => {
      const [peer, ring] = key.split(' ').map(Number) as [number, number];
      return c.freed[peer]![ring]! > sequence;
    }) && left.every((count, channel) => c.selfSeen[channel]! >= count)
  );
};

/** True when the implicit operations of a kind are done. */
export function implicitDone(c: RuntimeContext, of: 'puts' | 'gets' | 'all'): boolean {
  const group = c.groups[implicitGroup];
  if (!group) return true;
  return (of === 'puts' || group.gets === 0) && (of === 'gets' || acksCome(c, implicitGroup));
}

const isDone = (c: RuntimeContext, handle: number): boolean =>
  handle === 0 || (c.groups[handle]!.gets === 0 && acksCome(c, handle));

/** True when these operations are done, or one of them. */
export const groupsDone = (c: RuntimeContext, handles: readonly number[], all: boolean): boolean =>
  all
    ? handles.every((handle) => isDone(c, handle))
    : handles.length === 0 || handles.some((handle) => isDone(c, handle));

/** Gives up what the call at hand has waited for, and keeps what it tells. */
export function settle(c: RuntimeContext): void {
  const { goal } = c;
  if (goal.goal === 'groups') {
    const done = goal.handles.map((handle) => isDone(c, handle));
    // Of one operation its value is told, of several which are done.
    c.data = Uint8Array.from(done, Number);
    for (const [k, handle] of goal.handles.entries()) {
      if (handle === implicitGroup || !done[k]) continue;
      if (goal.handles.length === 1) c.data = c.groups[handle]!.data;
      delete c.groups[handle];
    }
    return;
  }
  if (goal.goal === 'barrier') finishPhase(c);
}

/** True when the call at hand may return. */
export function isReached(c: RuntimeContext): boolean {
  const { goal } = c;
  switch (goal.goal) {
    case 'nothing':
      return true;
    case 'left':
      return goal.left.every(({ channel, count }) => c.selfSeen[channel]! >= count);
    case 'groups':
      return groupsDone(c, goal.handles, goal.all);
    case 'implicit':
      return implicitDone(c, goal.of);
    case 'barrier':
      return barrierOver(c);
    case 'arrival':
      return c.arrivals > goal.arrivals;
    case 'puts':
      return c.putsFrom[goal.source]! >= goal.count;
    case 'attach':
      return c.segments.every((segment) => segment !== null);
    default:
      return goal satisfies never;
  }
}
