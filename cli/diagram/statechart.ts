import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate';
import { declaredIn } from '../../kernel/deadlock.ts';
import type { Heat } from './heat.ts';

/** What a state does in itself: entry and exit actions, transitions that lead nowhere, what it refuses. */
export interface ChartWork {
  readonly text: string;
  /** Of a transition: how often it was seen. */
  readonly count: number | undefined;
}

/** An arrow between two states; its text reads `event [guard] / actions`. */
export interface ChartArrow extends ChartWork {
  readonly from: string;
  readonly to: string;
}

/** A state with everything in it, as diagrams show it. Counts are there when the chart was made with heat. */
export interface ChartState {
  readonly id: string;
  readonly name: string;
  /** How often it was entered; nothing for the whole machine. */
  readonly count: number | undefined;
  readonly work: readonly ChartWork[];
  readonly children: readonly ChartState[];
  /** Its children are all active at once. */
  readonly parallel: boolean;
  /** The child that it begins in. */
  readonly initial: string | undefined;
  readonly final: boolean;
  readonly waiting: boolean;
  /** What it waits for, in words. */
  readonly waitsFor: string | undefined;
  /** The arrows whose innermost common state it is. */
  readonly arrows: readonly ChartArrow[];
}

/** The statechart of a state machine, with how often states and transitions were seen when `heat` is given. */
export const statechartOf = (machine: AnyStateMachine, heat?: Heat): ChartState =>
  stateOf(machine.root, heat);

/** A state and all states in it. */
export const statesOf = (state: ChartState): readonly ChartState[] => [
  state,
  ...state.children.flatMap(statesOf),
];

function stateOf(node: AnyStateNode, heat: Heat | undefined): ChartState {
  const initial = node.initial?.target[0] as AnyStateNode | undefined;
  return {
    id: idOf(node),
    name: node.key,
    count: node.parent ? heat?.ofState(node) : undefined,
    work: workOf(node, heat),
    children: childrenOf(node).map((child) => stateOf(child, heat)),
    parallel: node.type === 'parallel',
    initial: initial && node.type !== 'parallel' ? idOf(initial) : undefined,
    final: node.type === 'final',
    waiting: node.tags.includes('waiting'),
    waitsFor: declaredIn(node)?.what,
    arrows: node.type === 'parallel' ? [] : arrowsIn(node, heat),
  };
}

function arrowsIn(node: AnyStateNode, heat: Heat | undefined): readonly ChartArrow[] {
  return nodesBelow(node).flatMap((source) =>
    transitionsOf(source).flatMap((transition) =>
      targetsOf(transition)
        .filter((target) => commonAncestor(source, target) === node)
        .map((target) => ({ from: idOf(source), to: idOf(target), ...workOfTransition(transition, heat) })),
    ),
  );
}

function workOf(node: AnyStateNode, heat: Heat | undefined): readonly ChartWork[] {
  const stays = transitionsOf(node).filter((transition) => targetsOf(transition).length === 0);
  const refuses = stays.filter(({ guard, actions }) => guard === undefined && actions.length === 0);
  const does = stays.filter((transition) => !refuses.includes(transition));
  // An arrow has a common state around both ends; that of the whole machine has none.
  const leads = node.parent ? [] : transitionsOf(node).filter((transition) => !stays.includes(transition));
  const list = (what: string, actions: readonly unknown[]) =>
    actions.length === 0 ? [] : [{ text: `${what} / ${actions.map(nameOf).join(', ')}`, count: undefined }];
  return [
    ...list('entry', node.entry),
    ...does.map((transition) => workOfTransition(transition, heat)),
    ...leads.map((transition) => {
      const { text, count } = workOfTransition(transition, heat);
      return { text: `${text} → ${targetsOf(transition).map(pathOf).join(', ')}`, count };
    }),
    ...list('exit', node.exit),
    ...(refuses.length === 0
      ? []
      : [{ text: `refuses ${refuses.map(({ eventType }) => eventType).join(', ')}`, count: undefined }]),
  ];
}

function workOfTransition(transition: AnyTransitionDefinition, heat: Heat | undefined): ChartWork {
  const { eventType, guard, actions } = transition;
  const words = [
    eventType,
    ...(guard === undefined ? [] : [`[${nameOf(guard)}]`]),
    ...(actions.length === 0 ? [] : [`/ ${actions.map(nameOf).join(', ')}`]),
  ];
  return { text: words.filter((word) => word !== '').join(' '), count: heat?.ofTransition(transition) };
}

/** The name of an action or guard; guards that are put together are written out. */
function nameOf(named: unknown): string {
  if (typeof named === 'string') return named;
  const { type, params, guards } = named as { type?: string; params?: unknown; guards?: readonly unknown[] };
  if (guards) return `${(named as { name?: string }).name ?? 'and'}(${guards.map(nameOf).join(', ')})`;
  if (type !== undefined)
    return params === undefined || typeof params === 'function' ? type : `${type} ${JSON.stringify(params)}`;
  return (named as { name?: string }).name || 'inline';
}

const transitionsOf = (node: AnyStateNode): readonly AnyTransitionDefinition[] => [
  ...[...node.transitions.values()].flat(),
  ...(node.always ?? []),
];

const targetsOf = ({ target }: AnyTransitionDefinition): readonly AnyStateNode[] => target ?? [];

const childrenOf = (node: AnyStateNode): readonly AnyStateNode[] => Object.values(node.states);

const nodesBelow = (node: AnyStateNode): readonly AnyStateNode[] =>
  childrenOf(node).flatMap((child) => [child, ...nodesBelow(child)]);

const pathOf = (node: AnyStateNode): string => node.path.join('.');

const idOf = (node: AnyStateNode): string =>
  (node.path.length === 0 ? node.machine.id : node.path.join('_')).replace(/\W/g, '_');

/** The innermost state that holds both, itself neither of them. */
function commonAncestor(one: AnyStateNode, other: AnyStateNode): AnyStateNode | undefined {
  for (let at = one.parent; at; at = at.parent)
    for (let up = other.parent; up; up = up.parent) if (up === at) return at;
  return undefined;
}
