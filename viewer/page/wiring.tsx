import { computed } from '@preact/signals';
import type { RunView } from '../protocol.ts';
import { Graph, type GraphBox, type GraphEdge } from './graph.tsx';
import { moment, playHead, run, selected } from './store.ts';

/** Actors that a graph of all of them has at most; of larger machines the neighbours of the selected one are shown. */
const actorsMax = 12;
/** Neighbours that are shown at most. */
const neighboursMax = 14;

/** Who sent to whom in the whole run, also what was not delivered: numbers of actors, by the number of the sender. */
const pairsOfRun = computed(() => {
  const pairs = new Map<number, Set<number>>();
  if (!run.value) return pairs;
  const { from, to, count } = run.value.columns;
  for (let at = 0; at < count; at++) add(pairs, from[at]!, to[at]!);
  addNamed(pairs, run.value.left);
  return pairs;
});

/** With what is under way now: messages that are lost later are neither delivered nor left at the end. */
const pairsOf = computed(() => {
  const pairs = new Map([...pairsOfRun.value].map(([from, tos]) => [from, new Set(tos)]));
  addNamed(
    pairs,
    (moment.value?.underWay ?? []).map(({ from, to }) => [from, to]),
  );
  return pairs;
});

function add(pairs: Map<number, Set<number>>, from: number, to: number): void {
  if (from < 0 || to < 0 || from === to) return;
  const known = pairs.get(from);
  if (known) known.add(to);
  else pairs.set(from, new Set([to]));
}

function addNamed(pairs: Map<number, Set<number>>, named: RunView['left']): void {
  if (named.length === 0) return;
  const numbers = new Map(run.value!.actors.map(({ name }, index) => [name, index]));
  for (const [from, to] of named) add(pairs, numbers.get(from) ?? -1, numbers.get(to) ?? -1);
}

interface Shown {
  readonly numbers: readonly number[];
  /** Neighbours for which there was no room. */
  readonly left: number;
}

function shownOf({ actors }: RunView): Shown {
  const speaking = new Set<number>();
  for (const [from, tos] of pairsOf.value) for (const one of [from, ...tos]) speaking.add(one);
  if (speaking.size <= actorsMax) return { numbers: [...speaking].sort((a, b) => a - b), left: 0 };
  const own = actors.findIndex(({ name }) => name === selected.value);
  const near = new Set(pairsOf.value.get(own));
  for (const [from, tos] of pairsOf.value) if (tos.has(own)) near.add(from);
  near.delete(own);
  const all = [...near].sort((a, b) => a - b);
  return { numbers: [own, ...all.slice(0, neighboursMax)], left: Math.max(0, all.length - neighboursMax) };
}

/** Who speaks to whom, with the state of each at the play head, the delivery there, and what is under way. */
export function WiringPanel() {
  const own = run.value!;
  const now = moment.value;
  const { numbers, left } = shownOf(own);
  const states = new Map(now?.states.map(({ actor, state }) => [actor, state]));
  const underWay = new Map<string, string[]>();
  for (const { from, to, type } of now?.underWay ?? []) {
    const way = `${from}\n${to}`;
    underWay.set(way, [...(underWay.get(way) ?? []), type]);
  }
  const delivered = now?.at === playHead.value ? now.delivered : undefined;
  const name = (number: number): string => own.actors[number]!.name;
  const boxes: GraphBox[] = numbers.map((number) => ({
    id: String(number),
    lines: [name(number), states.get(name(number)) ?? 'does not exist yet'],
    lit: delivered?.to === name(number),
    chosen: name(number) === selected.value,
  }));
  const isShown = new Set(numbers);
  const edges = numbers.flatMap((from) =>
    [...(pairsOf.value.get(from) ?? [])]
      .filter((to) => isShown.has(to))
      .map((to): GraphEdge => {
        const types = underWay.get(`${name(from)}\n${name(to)}`) ?? [];
        const came = delivered?.from === name(from) && delivered.to === name(to);
        return {
          from: String(from),
          to: String(to),
          lit: came,
          busy: types.length > 0,
          tooltip: `${came ? `delivered: ${delivered.type}; ` : ''}${types.length > 0 ? `under way: ${types.join(', ')}` : 'nothing under way'}`,
        };
      }),
  );
  return (
    <>
      <p class="quiet">
        Who speaks to whom. Red: the delivery at the play head. Blue: messages are under way
        {numbers.length < own.actors.length && left === 0
          ? '; actors that only speak to themselves are left out'
          : ''}
        {left > 0 && `; ${left} more neighbours of ${selected.value} are left out`}.
      </p>
      <Graph
        boxes={boxes}
        edges={edges}
        label="Who speaks to whom"
        onChoose={(id) => {
          selected.value = name(Number(id));
        }}
      />
    </>
  );
}
