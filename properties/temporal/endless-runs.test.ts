import fc from 'fast-check';
import { expect, test } from 'vitest';
import { setup } from 'xstate';
import { type Choices, type Tape, TapeChoices } from '../../kernel/choices.ts';
import { enumerateChoices } from '../../kernel/explore/enumerate-choices.ts';
import { Explorer } from '../../kernel/explore/explorer.ts';
import { GuidedChoices } from '../../kernel/explore/guide.ts';
import type { Observer } from '../../kernel/explore/observer.ts';
import type { GlobalState } from '../../kernel/global-state.ts';
import { component } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';
import { Run, type RunSnapshot } from '../../kernel/run.ts';
import { effort } from '../../kernel/testing/effort.ts';
import { Wiring } from '../../kernel/wiring.ts';
import { stateText } from '../endless.ts';
import { eventually, leadsTo, message } from './temporal.ts';

/*
 * Machines that go on for ever, against an oracle that shares with the checker only the enumeration of picks: runs are restored from snapshots, each tick in every way, and what must come is
 * judged on the graph of their states by its definition.
 */

const types = ['ask', 'answer', 'rest'] as const;
type Token = { readonly type: (typeof types)[number]; readonly hops: number };

interface Way {
  readonly mood: number;
  readonly to: number;
  readonly type: number;
  readonly delay: number;
}

interface Passer {
  readonly peers: readonly Address[];
  /** By mood, then by type: what may come of a token. */
  readonly table: readonly (readonly (readonly Way[])[])[];
  mood: number;
  way: number;
}

const { act, choose, update } = component<Passer, Token>();
const waysOf = ({ table, mood }: Passer, { type }: Token) => table[mood]![types.indexOf(type)]!;

const passer = setup({
  types: {} as { context: Passer; events: Token; input: Passer },
  actions: {
    roll: choose(
      'way',
      (me, event) => waysOf(me, event).length,
      (me, _event, pick) => {
        me.way = pick;
      },
    ),
    pass: act((me, event, out) => {
      const { mood, to, type, delay } = waysOf(me, event)[me.way]!;
      me.mood = mood;
      // At most two deliveries of a token in a tick.
      const later = event.hops > 0 ? 1 : delay;
      out.post({ to: me.peers[to]!, type: types[type]!, delay: later, hops: later > 0 ? 0 : 1 } as never);
    }),
    forget: update((me) => {
      me.way = 0;
    }),
  },
}).createMachine({
  id: 'passer',
  context: ({ input }) => ({ ...input }),
  on: { '*': { actions: ['roll', 'pass', 'forget'] } },
});

/** Two or three actors that pass one or two tokens on for ever. */
function passers(tape: Tape): Wiring {
  const decisions = new TapeChoices(tape);
  const pick = (count: number) => decisions.pick('wiring', count);
  const wiring = new Wiring();
  const peers = Array.from({ length: 2 + pick(2) }, (_, index) => wiring.reserve(`Passer[${index}]`));
  const moods = 1 + pick(2);
  const way = (): Way => ({
    mood: pick(moods),
    to: pick(peers.length),
    type: [0, 1, 2, 2][pick(4)]!,
    delay: [0, 1, 1][pick(3)]!,
  });
  for (const address of peers)
    wiring.place(address, passer, {
      peers,
      table: Array.from({ length: moods }, () => types.map(() => Array.from({ length: 1 + pick(2) }, way))),
      mood: 0,
      way: 0,
    });
  for (let token = 0; token <= pick(2); token++)
    wiring.begin({ to: peers[pick(peers.length)]!, type: types[pick(3)]!, delay: pick(2), hops: 0 } as never);
  return wiring;
}

const moody = (state: GlobalState) => state.named('**').some(({ context }) => context['mood'] === 1);

/** What the oracle knows of a state: what is open, by its own count. */
interface Expected {
  readonly open: number;
  readonly came: boolean;
  readonly moody: boolean;
}

interface Edge {
  readonly from: number;
  readonly to: number;
  /** Channels that deliver in this tick. */
  readonly channels: readonly string[];
  readonly answers: boolean;
}

interface Graph {
  readonly states: readonly Expected[];
  readonly edges: readonly Edge[];
}

const answering = (ask: (count: number) => number): Choices => ({
  canonical: false,
  pick: (_what, count) => ask(count),
  save: () => null,
  load: () => {},
});

/** All states at the ends of ticks and all ticks between them; undefined when there are many. */
function graphOf(make: () => Wiring, statesMax: number): Graph | undefined {
  const states: Expected[] = [];
  const edges: Edge[] = [];
  const snapshots: RunSnapshot[] = [];
  const numbers = new Map<string, number>();
  const numberOf = (run: Run, expected: Expected) => {
    const key = `${stateText(run)} ${JSON.stringify(expected)}`;
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, states.length);
    snapshots.push(run.snapshot());
    return states.push(expected) - 1;
  };
  const first = new Run(make());
  numberOf(first, { open: 0, came: false, moody: moody(first.state) });
  for (let from = 0; from < states.length; from++) {
    if (states.length > statesMax) return undefined;
    const carryOut = (ask: (count: number) => number) => {
      const run = Run.restore(make(), snapshots[from]!, { choices: answering(ask) });
      let { open, came } = states[from]!;
      let answers = false;
      const channels = new Set<string>();
      run.messages$.subscribe(({ message: { event }, from: sender, to }) => {
        channels.add(`${sender} ${to}`);
        if (event.type === 'answer') [open, came, answers] = [0, true, true];
        if (event.type === 'ask') open = 1;
      });
      run.tick();
      const before = states[from]!.moody;
      const to = numberOf(run, { open, came, moody: before || moody(run.state) });
      edges.push({ from, to, channels: [...channels].sort(), answers });
    };
    for (const _ of enumerateChoices(carryOut));
  }
  return { states, edges };
}

/** Whether some run goes on for ever in states that are `open` and over edges that do not answer. */
function goesOnForEver(
  { states, edges }: Graph,
  open: (state: Expected) => boolean,
  answers: (edge: Edge) => boolean,
  fair: boolean,
): boolean {
  const inside = edges.filter((edge) => !answers(edge) && open(states[edge.from]!) && open(states[edge.to]!));
  const next = new Map<number, Edge[]>();
  for (const edge of inside) next.set(edge.from, [...(next.get(edge.from) ?? []), edge]);
  const reach = states.map((_, start) => {
    const seen = new Set<number>();
    const todo = [start];
    for (const state of todo)
      for (const { to } of next.get(state) ?? [])
        if (!seen.has(to)) {
          seen.add(to);
          todo.push(to);
        }
    return seen;
  });
  return states.some((_, state) => {
    if (!reach[state]!.has(state)) return false;
    const together = states
      .map((_, other) => other)
      .filter((other) => reach[state]!.has(other) && reach[other]!.has(state));
    const round = inside.filter(({ from, to }) => together.includes(from) && together.includes(to));
    const enabled = (one: number) =>
      new Set(edges.filter(({ from }) => from === one).flatMap(({ channels }) => channels));
    return (
      !fair ||
      [...enabled(state)].every(
        (channel) =>
          together.some((one) => !enabled(one).has(channel)) ||
          round.some(({ channels }) => channels.includes(channel)),
      )
    );
  });
}

const [ask, answer] = [message('ask'), message('answer')];
const sentences = (fair: boolean): readonly [Observer, (graph: Graph) => boolean][] => [
  [
    leadsTo('asks are answered', ask, answer, { answers: 'all', fair }),
    (graph) =>
      goesOnForEver(
        graph,
        ({ open }) => open > 0,
        ({ answers }) => answers,
        fair,
      ),
  ],
  [
    eventually('somebody answers', answer, { fair }),
    (graph) =>
      goesOnForEver(
        graph,
        ({ came }) => !came,
        () => false,
        fair,
      ),
  ],
  [
    eventually('somebody gets moody', moody, { fair }),
    (graph) =>
      goesOnForEver(
        graph,
        (state) => !state.moody,
        () => false,
        fair,
      ),
  ],
];

test('what must come is found missing in a run without end exactly where the graph of all runs says so, reduced or not', () => {
  const verdicts = new Map<string, number>();
  let shown = 0;
  fc.assert(
    fc.property(fc.array(fc.nat(1000), { minLength: 120, maxLength: 120 }), (tape) => {
      const make = () => passers(tape);
      const graph = graphOf(make, 60);
      fc.pre(graph !== undefined);
      for (const fair of [false, true])
        for (const [observer, expected] of sentences(fair)) {
          const wanted = expected(graph) ? 'violated' : 'ok';
          for (const reduction of [false, true]) {
            const explorer = new Explorer(make, { observers: [observer], reduction });
            const { verdict, findings } = explorer.toEnd();
            const key = `${observer.sentence} ${fair ? 'fair' : 'any'} ${verdict}`;
            verdicts.set(key, (verdicts.get(key) ?? 0) + 1);

            expect([observer.sentence, fair, reduction, verdict]).toEqual([
              observer.sentence,
              fair,
              reduction,
              wanted,
            ]);
            if (!findings[0]) continue;
            expect(goesRound(make, explorer, findings[0], observer)).toEqual({
              comesBack: true,
              answers: false,
            });
            shown++;
          }
        }
    }),
    { seed: 7, numRuns: effort({ short: 16, long: 80 }) },
  );

  expect(verdicts.size).toBe(12);
  expect(Math.min(...verdicts.values())).toBeGreaterThan(8);
  expect(shown).toBeGreaterThan(effort({ short: 50, long: 100 }));
});

/** Takes the way to a finding in a run, twice round: whether the state comes back, and whether something that was waited for came. */
function goesRound(
  make: () => Wiring,
  explorer: Explorer,
  finding: Parameters<Explorer['routeTo']>[0],
  { sentence }: Observer,
): object {
  const route = explorer.routeTo(finding);
  const guided = new GuidedChoices(route);
  const run = new Run(make(), { choices: guided });
  guided.follow(run);
  const { cycleFromTick = -1, tick } = route;
  const answerCame: number[] = [];
  run.messages$.subscribe(({ message: { due, event } }) => {
    if (event.type === 'answer' && !sentence.includes('moody')) answerCame.push(due);
  });
  run.ticks$.subscribe((now) => {
    if (sentence.includes('moody') && moody(run.state)) answerCame.push(now);
  });
  const states = [cycleFromTick, tick, 2 * tick - cycleFromTick].map((end) => {
    if (end >= 0) run.until(end);
    return stateText(run);
  });
  return {
    comesBack: new Set(states).size === 1,
    answers: answerCame.some((due) => due > cycleFromTick),
  };
}
