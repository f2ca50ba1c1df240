import type { DecodedState } from '../../kernel/explore/decode.ts';
import type { TickDelivery } from '../../kernel/explore/explorer.ts';
import { networkSteps } from '../../kernel/network.ts';
import { written } from '../../machines/pictures/drawing.ts';
import { boxKey, graph } from '../../machines/pictures/graph.ts';

/** A delivery in words, and what an asynchronous network does: `lost: A -> B: ask`, `crash of A`. */
function labelOf({ from, to, type, lost }: TickDelivery): string {
  if (lost) return `lost: ${from} -> ${to}: ${type}`;
  if (type === networkSteps.crash) return `crash of ${to}`;
  if (type === networkSteps.recover) return `${to} comes back`;
  if (type === networkSteps.split) return 'the network splits';
  return type === networkSteps.heal ? 'the network is whole again' : `${from} -> ${to}: ${type}`;
}

/** The ticks of an exploration as a graph between its states, each pair of states once, with the deliveries of the first tick that leads from one to the other. */
export class TickGraph {
  readonly #edges = new Map<string, { readonly from: number; readonly to: number; readonly label: string }>();

  /** Takes up a tick. */
  add(from: number, to: number, deliveries: readonly TickDelivery[]): void {
    const key = `${from} ${to}`;
    if (this.#edges.has(key)) return;
    const label = deliveries.map(labelOf).join('\n');
    this.#edges.set(key, { from, to, label });
  }

  /** The graph in the language of Graphviz. `wrong` are states in which something is found. */
  dot(states: readonly DecodedState[], wrong: ReadonlySet<number>): string {
    const nodes = states.map((state, index) => {
      const look = wrong.has(index) ? ', color="#b00020", penwidth=2' : '';
      return `  s${index} [label=${quoted(`${index}\n${stateText(state)}`)}${look}];`;
    });
    const edges = [...this.#edges.values()].map(
      ({ from, to, label }) => `  s${from} -> s${to} [label=${quoted(label)}];`,
    );
    return [
      'digraph states {',
      '  node [shape=box, fontname="sans-serif", fontsize=10];',
      '  edge [fontname="sans-serif", fontsize=8];',
      ...nodes,
      ...edges,
      '}',
      '',
    ].join('\n');
  }

  /**
   * The graph as a picture. Titles, which browsers show under the pointer, spell out states and ticks; a small graph has them in its boxes and on
   * its arrows.
   */
  async svg(states: readonly DecodedState[], wrong: ReadonlySet<number>, title: string): Promise<string> {
    const isSmall = states.length <= spelledOutMax;
    const edges = [...this.#edges.values()];
    const left = new Set(edges.filter(({ from, to }) => from !== to).map(({ from }) => from));
    const looks = [...states.keys()].map((index) =>
      wrong.has(index) ? looked.wrong : left.has(index) ? looked.plain : looked.last,
    );
    // States are numbered breadth first: a step from an earlier one leads to each that is not initial.
    const later = new Set(edges.filter(({ from, to }) => from < to).map(({ to }) => to));
    const initial = [...states.keys()].filter((state) => !later.has(state));
    const drawn = await graph({
      title,
      subtitle: `${edges.length} steps between them; the tooltip of a state or step says all`,
      nodes: [
        ...initial.map((state) => ({ id: `start ${state}`, kind: 'start' as const })),
        ...states.map((state, index) => ({
          id: `s${index}`,
          name: String(index),
          lines: isSmall ? linesOf(stateText(state)) : [],
          look: looks[index]!.look,
          tooltip: `${index}\n${stateText(state)}`,
        })),
      ],
      arrows: [
        ...initial.map((state) => ({ from: `start ${state}`, to: `s${state}` })),
        ...edges.map(({ from, to, label }) => ({
          from: `s${from}`,
          to: `s${to}`,
          lines: isSmall ? linesOf(label) : [],
          tooltip: `${from} to ${to}\n${label}`,
        })),
      ],
      legend: Object.values(looked)
        .filter((one) => looks.includes(one))
        .map(({ words, look }) => boxKey(words, look)),
    });
    return written(title, drawn);
  }
}

const linesOf = (text: string) => text.split('\n').map((line) => ({ text: line }));

/** States up to which boxes and arrows spell out what they are. */
const spelledOutMax = 40;

const looked = {
  plain: { words: 'steps lead on', look: {} },
  last: { words: 'no step leads on', look: { fill: '#dde6f0' } },
  wrong: { words: 'something is found here', look: { fill: '#fde3e3', stroke: '#b00020', line: 2 } },
} as const;

/** A state in a few lines: who is in which state, and what is under way. */
const stateText = ({ actors, messages }: DecodedState): string =>
  [
    ...actors.map(({ name, state }) => `${name}: ${state}`),
    ...messages.map(
      ({ from, to, event, due }) => `${from} -> ${to}: ${event.type}${due > 0 ? ` in ${due}` : ''}`,
    ),
  ].join('\n');

const quoted = (text: string): string =>
  `"${text.replace(/[\\"]/g, (one) => `\\${one}`).replace(/\n/g, '\\n')}"`;
