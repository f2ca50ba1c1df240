import type { AnyStateMachine } from 'xstate';
import { type Heat, heatClasses, levelOf } from './heat.ts';
import { type ChartState, type ChartWork, statechartOf, statesOf } from './statechart.ts';

/**
 * A state machine as a Mermaid `stateDiagram-v2`: nested and parallel states, transitions with event, guard and actions.
 *
 * Details: a transition reads `event [guard] / actions`; one without an event is taken as soon as its guard holds. A leaf lists its entry and
 * exit actions and what it refuses below its name; what a state with substates does in itself stands in a note, because Mermaid draws no arrow
 * from such a state to itself. States tagged `waiting` have a class of their own. With `heat`, states and transitions carry how often they
 * were seen, and states a colour for it.
 */
export function mermaidStatechart(machine: AnyStateMachine, title: string, heat?: Heat): string {
  const root = statechartOf(machine, heat);
  const lines = ['---', `title: ${title}`, '---', 'stateDiagram-v2'];
  // Regions and handlers of the root need a state to stand in.
  if (root.parallel || root.work.length > 0) lines.push('  direction TB', ...drawn(root, '  '));
  else lines.push(...inside(root, '  '));
  const [, ...below] = statesOf(root);
  const waiting = below.filter((state) => state.waiting);
  if (waiting.length > 0)
    lines.push(
      '  classDef waiting stroke-dasharray: 4 3',
      `  class ${waiting.map(({ id }) => id).join(',')} waiting`,
    );
  if (heat) lines.push(...heatLines(below));
  return `${lines.join('\n')}\n`;
}

/** The colours of the levels, and which states have which. */
function heatLines(states: readonly ChartState[]): readonly string[] {
  const most = Math.max(...states.map(({ count = 0 }) => count));
  return heatClasses.flatMap((style, level) => {
    const own = states.filter(({ count = 0 }) => levelOf(count, most) === level);
    return own.length === 0
      ? []
      : [`  classDef heat${level} ${style}`, `  class ${own.map(({ id }) => id).join(',')} heat${level}`];
  });
}

/** A state and everything in it. */
function drawn(state: ChartState, indent: string): readonly string[] {
  const { id, children, work, count } = state;
  const name = count === undefined ? state.name : `${state.name} ×${count}`;
  if (children.length === 0)
    return [`${indent}${id} : ${name}`, ...work.map((one) => `${indent}${id} : ${written(one)}`)];
  return [
    `${indent}state "${name}" as ${id} {`,
    ...inside(state, `${indent}  `),
    `${indent}}`,
    ...(work.length === 0
      ? []
      : [
          `${indent}note right of ${id}`,
          ...work.map((one) => `${indent}  ${written(one)}`),
          `${indent}end note`,
        ]),
  ];
}

/** What stands between the braces of a state: its children, or its regions, then the arrows among them. */
function inside({ children, parallel, initial, arrows }: ChartState, indent: string): readonly string[] {
  if (parallel)
    return children.flatMap((region, index) => [
      ...(index > 0 ? [`${indent}--`] : []),
      ...drawn(region, indent),
    ]);
  return [
    ...(initial === undefined ? [] : [`${indent}[*] --> ${initial}`]),
    ...children.flatMap((child) => drawn(child, indent)),
    ...arrows.map((arrow) => {
      const words = written(arrow);
      return `${indent}${arrow.from} --> ${arrow.to}${words === '' ? '' : ` : ${words}`}`;
    }),
    ...children.filter(({ final }) => final).map(({ id }) => `${indent}${id} --> [*]`),
  ];
}

/** Mermaid ends a label at a semicolon, and a colon separates it. */
const written = ({ text, count }: ChartWork): string =>
  [text, ...(count === undefined ? [] : [`×${count}`])]
    .filter((word) => word !== '')
    .join(' ')
    .replace(/[:;]/g, (found) => `#${found.charCodeAt(0)};`);
