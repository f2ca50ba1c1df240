import type { AnyStateNode, TransitionDefinition } from 'xstate';

/*
 * The structure of statecharts: which states a transition leaves and enters, and in which order. The rules are
 * those of SCXML's algorithm as XState version 5 reads it; the interpreter is the oracle in the tests. Nothing here looks at contexts,
 * so every answer can be computed once and kept in a table.
 */

/** A transition of the resolved machine. */
// biome-ignore lint/suspicious/noExplicitAny: definitions of any machine
export type Transition = TransitionDefinition<any, any>;

/** True when `node` lies strictly below `ancestor`. */
export function isBelow(node: AnyStateNode, ancestor: AnyStateNode): boolean {
  for (let at = node.parent; at; at = at.parent) if (at === ancestor) return true;
  return false;
}

/** True for states without substates. */
export const isAtomic = (node: AnyStateNode): boolean => node.type === 'atomic' || node.type === 'final';

function ancestorsBelow(node: AnyStateNode, top: AnyStateNode | undefined): AnyStateNode[] {
  const ancestors: AnyStateNode[] = [];
  if (top === node) return ancestors;
  for (let at = node.parent; at && at !== top; at = at.parent) ancestors.push(at);
  return ancestors;
}

/** The innermost state that a transition stays inside of; undefined when it leaves even the root. */
export function domainOf(transition: Transition): AnyStateNode | undefined {
  const source = transition.source as AnyStateNode;
  const targets = (transition.target ?? []) as readonly AnyStateNode[];
  if (!transition.reenter && targets.every((target) => target === source || isBelow(target, source)))
    return source;
  const [first, ...others] = [...targets, source];
  const common = ancestorsBelow(first!, undefined).find((ancestor) =>
    others.every((node) => isBelow(node, ancestor)),
  );
  if (common) return common;
  return transition.reenter ? undefined : (source.machine.root as AnyStateNode);
}

/** The states left by transitions, in no particular order. */
export function exitSet(
  transitions: readonly Transition[],
  active: Iterable<AnyStateNode>,
): Set<AnyStateNode> {
  const leaving = new Set<AnyStateNode>();
  for (const transition of transitions) {
    if (!transition.target?.length) continue;
    const domain = domainOf(transition);
    if (transition.reenter && transition.source === domain && domain) leaving.add(domain);
    for (const node of active) if (!domain || isBelow(node, domain)) leaving.add(node);
  }
  return leaving;
}

/** Of transitions chosen by parallel regions, those that can be taken together: an inner source wins, then the earlier. */
export function withoutConflicts(
  transitions: readonly Transition[],
  active: ReadonlySet<AnyStateNode>,
): Transition[] {
  const kept = new Set<Transition>();
  for (const candidate of transitions) {
    const losers: Transition[] = [];
    let wins = true;
    const leaves = exitSet([candidate], active);
    for (const other of kept) {
      const shared = [...exitSet([other], active)].some((node) => leaves.has(node));
      if (!shared) continue;
      if (isBelow(candidate.source as AnyStateNode, other.source as AnyStateNode)) losers.push(other);
      else {
        wins = false;
        break;
      }
    }
    if (!wins) continue;
    for (const loser of losers) kept.delete(loser);
    kept.add(candidate);
  }
  return [...kept];
}

/** The states entered by transitions, and those among them that are entered by default (their initial actions run). */
export function entrySet(transitions: readonly Transition[]): {
  entered: Set<AnyStateNode>;
  byDefault: Set<AnyStateNode>;
} {
  const entered = new Set<AnyStateNode>();
  const byDefault = new Set<AnyStateNode>();
  const hasBelow = (region: AnyStateNode) => [...entered].some((node) => isBelow(node, region));

  const addRegions = (parallel: AnyStateNode, markDefault: boolean) => {
    for (const region of Object.values(parallel.states)) {
      if (hasBelow(region)) continue;
      entered.add(region);
      if (markDefault) byDefault.add(region);
      addInside(region);
    }
  };
  const addInside = (node: AnyStateNode) => {
    if (node.type === 'compound') {
      const initial = node.initial.target[0] as AnyStateNode;
      entered.add(initial);
      byDefault.add(initial);
      addInside(initial);
    } else if (node.type === 'parallel') {
      addRegions(node, true);
    }
  };
  const addAncestors = (ancestors: readonly AnyStateNode[], top: AnyStateNode | undefined) => {
    for (const ancestor of ancestors) {
      if (!top || isBelow(ancestor, top)) entered.add(ancestor);
      if (ancestor.type === 'parallel') addRegions(ancestor, false);
    }
  };

  for (const transition of transitions) {
    const source = transition.source as AnyStateNode;
    const targets = (transition.target ?? []) as readonly AnyStateNode[];
    const domain = domainOf(transition);
    for (const target of targets) {
      if (source !== target || source !== domain || transition.reenter) {
        entered.add(target);
        byDefault.add(target);
      }
      addInside(target);
    }
    for (const target of targets) {
      const ancestors = ancestorsBelow(target, domain);
      if (domain?.type === 'parallel') ancestors.push(domain);
      addAncestors(ancestors, !source.parent && transition.reenter ? undefined : domain);
    }
  }
  return { entered, byDefault };
}

/** True when a state has come to its end: a final child is active, or every region has come to its end. */
export function isComplete(active: ReadonlySet<AnyStateNode>, node: AnyStateNode): boolean {
  if (node.type === 'compound')
    return Object.values(node.states).some((child) => child.type === 'final' && active.has(child));
  if (node.type === 'parallel')
    return Object.values(node.states).every((region) => isComplete(active, region));
  return node.type === 'final';
}
