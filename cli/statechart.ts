import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate';
import { type Heat, heatClasses, levelOf } from './coverage/heat.ts';

/**
 * A state machine as a Mermaid `stateDiagram-v2`: nested and parallel states, transitions with event, guard and actions.
 *
 * Details: a transition reads `event [guard] / actions`; one without an event is taken as soon as its guard holds. A leaf lists its entry and
 * exit actions and what it refuses below its name; what a state with substates does in itself stands in a note, because Mermaid draws no arrow
 * from such a state to itself. States tagged `waiting` have a class of their own. With `heat`, states and transitions carry how often they
 * were seen, and states a colour for it.
 */
export function statechart(machine: AnyStateMachine, title: string, heat?: Heat): string {
  const { root } = machine;
  const lines = ['---', `title: ${title}`, '---', 'stateDiagram-v2'];
  // Regions and handlers of the root need a state to stand in.
  const framed = root.type === 'parallel' || ownWork(root, heat).length > 0;
  if (framed) {
    lines.push('  direction TB', ...drawn(root, '  ', heat));
  } else lines.push(...inside(root, '  ', heat));
  const waiting = nodesBelow(root).filter((node) => node.tags.includes('waiting'));
  if (waiting.length > 0)
    lines.push('  classDef waiting stroke-dasharray: 4 3', `  class ${waiting.map(idOf).join(',')} waiting`);
  if (heat) lines.push(...heatLines(root, heat));
  return `${lines.join('\n')}\n`;
}

/** The colours of the levels, and which states have which. */
function heatLines(root: AnyStateNode, heat: Heat): readonly string[] {
  const nodes = nodesBelow(root);
  const most = Math.max(...nodes.map((node) => heat.ofState(node)));
  return heatClasses.flatMap((style, level) => {
    const ids = nodes.filter((node) => levelOf(heat.ofState(node), most) === level).map(idOf);
    return ids.length === 0
      ? []
      : [`  classDef heat${level} ${style}`, `  class ${ids.join(',')} heat${level}`];
  });
}

/** A state and everything in it. */
function drawn(node: AnyStateNode, indent: string, heat: Heat | undefined): readonly string[] {
  const id = idOf(node);
  const name = heat && node.parent ? `${node.key} ×${heat.ofState(node)}` : node.key;
  if (isLeaf(node))
    return [`${indent}${id} : ${name}`, ...ownWork(node, heat).map((text) => `${indent}${id} : ${text}`)];
  const notes = ownWork(node, heat);
  return [
    `${indent}state "${name}" as ${id} {`,
    ...inside(node, `${indent}  `, heat),
    `${indent}}`,
    ...(notes.length === 0
      ? []
      : [`${indent}note right of ${id}`, ...notes.map((text) => `${indent}  ${text}`), `${indent}end note`]),
  ];
}

/** What stands between the braces of a state: its children, or its regions, then the arrows among them. */
function inside(node: AnyStateNode, indent: string, heat: Heat | undefined): readonly string[] {
  const children = childrenOf(node);
  if (node.type === 'parallel') {
    return children.flatMap((region, index) => [
      ...(index > 0 ? [`${indent}--`] : []),
      ...drawn(region, indent, heat),
    ]);
  }
  const initial = node.initial?.target[0] as AnyStateNode | undefined;
  return [
    ...(initial ? [`${indent}[*] --> ${idOf(initial)}`] : []),
    ...children.flatMap((child) => drawn(child, indent, heat)),
    ...arrowsIn(node, indent, heat),
    ...children.filter(({ type }) => type === 'final').map((child) => `${indent}${idOf(child)} --> [*]`),
  ];
}

/** The arrows whose innermost common state is this one. */
function arrowsIn(node: AnyStateNode, indent: string, heat: Heat | undefined): readonly string[] {
  return nodesBelow(node).flatMap((source) =>
    transitionsOf(source).flatMap((transition) =>
      targetsOf(transition)
        .filter((target) => commonAncestor(source, target) === node)
        .map((target) => `${indent}${idOf(source)} --> ${idOf(target)}${label(transition, heat)}`),
    ),
  );
}

/** Entry and exit actions, transitions that lead nowhere, refused events. */
function ownWork(node: AnyStateNode, heat: Heat | undefined): readonly string[] {
  const stays = transitionsOf(node).filter((transition) => targetsOf(transition).length === 0);
  const refuses = stays.filter(({ guard, actions }) => guard === undefined && actions.length === 0);
  const does = stays.filter((transition) => !refuses.includes(transition));
  const list = (what: string, actions: readonly unknown[]) =>
    actions.length === 0 ? [] : [`${what} / ${actions.map(nameOf).join(', ')}`];
  return [
    ...list('entry', node.entry),
    ...does.map((transition) => label(transition, heat).replace(/^ : /, '')),
    ...list('exit', node.exit),
    ...(refuses.length === 0 ? [] : [`refuses ${refuses.map(({ eventType }) => eventType).join(', ')}`]),
  ].map(escaped);
}

function label(transition: AnyTransitionDefinition, heat: Heat | undefined): string {
  const { eventType, guard, actions } = transition;
  const words = [
    eventType,
    ...(guard === undefined ? [] : [`[${nameOf(guard)}]`]),
    ...(actions.length === 0 ? [] : [`/ ${actions.map(nameOf).join(', ')}`]),
    ...(heat ? [`×${heat.ofTransition(transition)}`] : []),
  ].filter((word) => word !== '');
  return words.length === 0 ? '' : ` : ${escaped(words.join(' '))}`;
}

/** Mermaid ends a label at a semicolon, and a colon separates it. */
const escaped = (text: string): string => text.replace(/[:;]/g, (found) => `#${found.charCodeAt(0)};`);

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

const isLeaf = (node: AnyStateNode): boolean => childrenOf(node).length === 0;

const nodesBelow = (node: AnyStateNode): readonly AnyStateNode[] =>
  childrenOf(node).flatMap((child) => [child, ...nodesBelow(child)]);

const idOf = (node: AnyStateNode): string =>
  (node.path.length === 0 ? node.machine.id : node.path.join('_')).replace(/\W/g, '_');

/** The innermost state that holds both, itself neither of them. */
function commonAncestor(one: AnyStateNode, other: AnyStateNode): AnyStateNode | undefined {
  for (let at = one.parent; at; at = at.parent)
    for (let up = other.parent; up; up = up.parent) if (up === at) return at;
  return undefined;
}
