import type { AnyStateMachine } from 'xstate';
import { written } from '../../machines/pictures/drawing.ts';
import {
  boxKey,
  type GraphArrow,
  type GraphLine,
  type GraphNode,
  graph,
  type Look,
} from '../../machines/pictures/graph.ts';
import type { LegendEntry } from '../../machines/pictures/legend.ts';
import { ground } from '../../machines/pictures/palette.ts';
import { type Heat, heatLevels, levelOf } from './heat.ts';
import { type ChartArrow, type ChartState, type ChartWork, statechartOf, statesOf } from './statechart.ts';

/**
 * A state machine as a picture in SVG: states as boxes with what they do in themselves, transitions as arrows that read `event [guard] / actions`.
 *
 * Details: states in which an actor waits have a dashed edge. With `heat`, states and transitions carry how often they were seen, states a
 * colour for it; what was never seen is red and dashed. The legend explains what the picture has.
 */
export async function statechartPicture(
  machine: AnyStateMachine,
  title: string,
  heat?: Heat,
): Promise<string> {
  const root = statechartOf(machine, heat);
  const [, ...states] = statesOf(root);
  const look = heat ? heatLook(states) : plainLook;
  // Regions and handlers of the root need a box to stand in.
  const framed = root.parallel || root.work.length > 0;
  const nodes = framed ? [nodeOf(root, look)] : nodesIn(root, look);
  return written(
    title,
    await graph({
      title,
      subtitle: `${counted(states.length, 'state')}, ${counted(states.flatMap(({ arrows }) => arrows).length + root.arrows.length, 'arrow')}`,
      nodes,
      arrows: [root, ...states].flatMap(arrowsOf),
      legend: legendOf(states, heat),
    }),
  );
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

type Looks = (state: ChartState) => Look;

function nodeOf(state: ChartState, look: Looks): GraphNode {
  const { id, name, count, work, waitsFor } = state;
  return {
    id,
    name: count === undefined ? name : `${name} ×${count}`,
    lines: [...(waitsFor === undefined ? [] : [{ text: `waits for ${waitsFor}` }]), ...work.flatMap(linesOf)],
    children: nodesIn(state, look),
    look: look(state),
  };
}

function nodesIn(state: ChartState, look: Looks): readonly GraphNode[] {
  const { id, initial, children } = state;
  return [
    ...(initial === undefined ? [] : [{ id: startOf(id), kind: 'start' } as const]),
    ...children.flatMap((child): readonly GraphNode[] => [
      nodeOf(child, look),
      ...(child.final ? [{ id: endOf(child.id), kind: 'end' } as const] : []),
    ]),
  ];
}

const startOf = (id: string): string => `start of ${id}`;
const endOf = (id: string): string => `end of ${id}`;

/** Arrows of a state; those with the same ends are one, which lists what leads along it. */
function arrowsOf({ id, initial, children, arrows }: ChartState): readonly GraphArrow[] {
  const together = new Map<string, ChartArrow[]>();
  for (const arrow of arrows) {
    const key = JSON.stringify([arrow.from, arrow.to]);
    together.set(key, [...(together.get(key) ?? []), arrow]);
  }
  return [
    ...(initial === undefined ? [] : [{ from: startOf(id), to: initial }]),
    ...[...together.values()].map((same): GraphArrow => {
      const unseen = same.every(({ count }) => count === 0);
      return {
        from: same[0]!.from,
        to: same[0]!.to,
        lines: same.flatMap(linesOf),
        ...(unseen && { look: never }),
      };
    }),
    ...children.filter(({ final }) => final).map((child) => ({ from: child.id, to: endOf(child.id) })),
  ];
}

const lineLength = 44;

/** A text in lines of some 40 characters, with how often it was seen. */
function linesOf({ text, count }: ChartWork): readonly GraphLine[] {
  const words = `${text}${count === undefined ? '' : ` ×${count}`}`.trim().split(' ');
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= lineLength)
      lines[lines.length - 1] = `${last} ${word}`;
    // Lines that go on are set in.
    else lines.push(last === undefined ? word : `   ${word}`);
  }
  return lines.map((line) => ({ text: line, ...(count === 0 && { colour: never.words! }) }));
}

const plainLook: Looks = ({ waiting, children }) => ({
  fill: children.length > 0 ? ground : '#ffffff',
  dashed: waiting,
});

/** What no run has seen. */
const never: Look = { stroke: '#c62828', words: '#c62828', fill: '#ffffff', dashed: true, line: 1.8 };

/** Shades of the levels from 1: one hue that darkens, on all of which words can be read. */
const shades: readonly Look[] = [
  { fill: '#f0f6fb' },
  { fill: '#d5e6f4' },
  { fill: '#aecfe9' },
  { fill: '#86b6de' },
];

function heatLook(states: readonly ChartState[]): Looks {
  const most = mostOf(states);
  return ({ count, children }) => {
    if (count === 0) return never;
    // A box that holds others is their ground.
    if (count === undefined || children.length > 0) return { fill: ground };
    return shades[levelOf(count, most) - 1]!;
  };
}

const mostOf = (states: readonly ChartState[]): number =>
  Math.max(0, ...states.map(({ count = 0 }) => count));

function legendOf(states: readonly ChartState[], heat: Heat | undefined): readonly LegendEntry[] {
  if (!heat) return states.some(({ waiting }) => waiting) ? [boxKey('waits', { dashed: true })] : [];
  const counts = states.filter(({ children }) => children.length === 0).map(({ count = 0 }) => count);
  const most = mostOf(states);
  const all = [...states, ...states.flatMap(({ arrows, work }) => [...arrows, ...work])];
  return [
    ...(all.some(({ count }) => count === 0) ? [boxKey('never seen', never)] : []),
    ...Array.from({ length: heatLevels - 1 }, (_, index) => {
      const own = counts.filter((count) => levelOf(count, most) === index + 1);
      if (own.length === 0) return [];
      const [low, high] = [Math.min(...own), Math.max(...own)];
      return [boxKey(low === high ? `seen ${low} times` : `seen ${low} to ${high} times`, shades[index]!)];
    }).flat(),
  ];
}
