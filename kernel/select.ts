import type { LockstepEvent } from './message.ts';
import type { Port } from './port.ts';
import type {
  Candidate,
  CompiledSnapshot,
  Context,
  GuardTree,
  Selection,
  TransitionCounts,
} from './tables.ts';

/** Which candidates an event selects: the innermost of each region whose guard holds, in the order of the regions. */
export function select(
  selection: Selection,
  snapshot: CompiledSnapshot,
  event: LockstepEvent,
  port: Port,
  chosen: Candidate[],
  counts: TransitionCounts | undefined,
): void {
  const before = chosen.length;
  for (const region of selection.regions) select(region, snapshot, event, port, chosen, counts);
  if (chosen.length > before) return;
  const found = firstThatHolds(selection.list, snapshot, event, port, counts);
  if (found) chosen.push(found);
}

/** Which always-transitions are taken: for each leaf the innermost whose guard holds. */
export function selectAlways(
  snapshot: CompiledSnapshot,
  event: LockstepEvent,
  port: Port,
  chosen: Candidate[],
  counts: TransitionCounts | undefined,
): void {
  for (const list of snapshot.configuration.always) {
    const found = firstThatHolds(list, snapshot, event, port, counts);
    if (found && !chosen.includes(found)) chosen.push(found);
  }
}

function judge(tree: GuardTree, context: Context, event: LockstepEvent, port: Port): boolean {
  switch (tree.kind) {
    case 'and':
      return tree.inner.every((one) => judge(one, context, event, port));
    case 'or':
      return tree.inner.some((one) => judge(one, context, event, port));
    case 'not':
      return !judge(tree.inner[0]!, context, event, port);
    default:
      return tree.holds(
        context,
        event,
        port,
        tree.paramsOf ? tree.paramsOf({ context, event }) : tree.params,
      );
  }
}

function firstThatHolds(
  list: readonly Candidate[],
  snapshot: CompiledSnapshot,
  event: LockstepEvent,
  port: Port,
  counts: TransitionCounts | undefined,
): Candidate | undefined {
  for (const candidate of list) {
    const holds = candidate.tree === undefined || judge(candidate.tree, snapshot.context, event, port);
    if (counts !== undefined && candidate.tree !== undefined)
      (holds ? counts.guardTrue : counts.guardFalse)[candidate.index]!++;
    if (holds) return candidate;
  }
  return undefined;
}
