import type { CallRecord } from './called-function.ts';

/*
 * Lanes of a warp that no longer wait for each other: each group has its own place and stack (independent thread scheduling, compute capability 7).
 */

/** A group of lanes. */
export interface PartedLanes {
  /** All lanes of the group, also those below in its stack. */
  readonly lanes: number;
  readonly pc: number;
  readonly mask: number;
  readonly meeting: number;
  readonly stack: Int32Array;
  readonly depth: number;
  readonly frame: number;
  readonly calls: readonly CallRecord[];
  /** True when it waits for other lanes to come where it is. */
  readonly gathers: boolean;
}

/** What is left of a group when other lanes are taken out of it. */
export function onlyLanes(group: PartedLanes, lanes: number): PartedLanes {
  const stack = group.stack.slice();
  for (let at = 0; at < group.depth; at++) stack[3 * at + 2] = stack[3 * at + 2]! & lanes;
  return { ...group, lanes: group.lanes & lanes, mask: group.mask & lanes, stack, calls: [...group.calls] };
}

/** True when two groups are at the same place in the same calls, so that they can go on as one. */
export function isAt(one: PartedLanes, other: PartedLanes): boolean {
  const sameStack = (): boolean => {
    for (let at = 0; at < one.depth; at++)
      for (let word = 3 * at; word < 3 * at + 2; word++)
        if (one.stack[word] !== other.stack[word]) return false;
    return true;
  };
  return (
    one.pc === other.pc &&
    one.meeting === other.meeting &&
    one.depth === other.depth &&
    one.frame === other.frame &&
    one.calls.length === other.calls.length &&
    one.calls.every((call, at) => call === other.calls[at]) &&
    sameStack()
  );
}

/** Numbers that say what a group is. */
export const figuresOfGroup = ({
  lanes,
  pc,
  mask,
  meeting,
  depth,
  frame,
  gathers,
  stack,
  calls,
}: PartedLanes): readonly number[] => [
  lanes,
  pc,
  mask,
  meeting,
  depth,
  frame,
  gathers ? 1 : 0,
  ...stack.subarray(0, 3 * depth),
  ...figuresOfCalls(calls),
];

/** Numbers that say which calls have not returned. */
export const figuresOfCalls = (calls: readonly CallRecord[]): readonly number[] => [
  calls.length,
  ...calls.flatMap(({ callee, caller, depth, frame, saved }) => [
    callee.entry,
    caller,
    depth,
    frame,
    saved.length,
    ...saved,
  ]),
];
