import { setup } from 'xstate';
import { RandomChoices } from '../../choices.ts';
import type { InjectedFault } from '../../faults.ts';
import type { Hasher } from '../../hash.ts';
import { component } from '../../kit.ts';
import type { Address } from '../../message.ts';
import type { Resource } from '../../resource.ts';
import { familySpan, memberOf, Wiring } from '../../wiring.ts';
import type { Observer } from '../observer.ts';
import type { Symmetry } from '../symmetry.ts';
import { jealous } from './jealous.ts';

/** A random small system: what is wired, what may go wrong, what is judged. */
export interface RandomSystem {
  /** Wires it anew. */
  readonly make: () => Wiring;
  readonly faults: readonly InjectedFault[];
  readonly observers: readonly Observer[];
  /** Deliveries that one tick may have. */
  readonly deliveriesPerTickMax: number;
  /** Last tick that is carried out, of systems that may go on for ever. */
  readonly until: number | undefined;
  /** Actors that can change places; only of systems in which some can. */
  readonly symmetry: Symmetry | undefined;
  /** What it has of what makes exploring hard, in words. */
  readonly features: readonly string[];
}

type NodeType = 'go' | 'set' | 'odd';
const types: readonly NodeType[] = ['go', 'set', 'odd'];
type NodeEvent = { readonly type: NodeType; readonly bit: boolean };

interface Posting {
  /** Place in the list of peers. */
  readonly peer: number;
  readonly delay: number;
  readonly type: NodeType;
  /** The bit of the message: what the actor has, or the contrary. */
  readonly flips: boolean;
}

/** What an actor does with a message, by pick. */
interface Outcome {
  readonly next: number;
  readonly posts: readonly Posting[];
  readonly complains: boolean;
  readonly throws: boolean;
  readonly shows: boolean;
  /** Its posts cost no fuel: such actors may go on for ever. */
  readonly free: boolean;
}

/** What some actors share: a level from 0 to 2. */
class Board implements Resource {
  constructor(public level = 0) {}
  turn(by: number): void {
    this.level = (this.level + by) % 3;
  }
  fork(): Board {
    return new Board(this.level);
  }
  hash(into: Hasher): void {
    into.number(this.level);
  }
}

interface NodeSpec {
  /** Each place stands for some of them. */
  readonly peers: readonly (readonly Address[])[];
  readonly fuel: number;
  readonly moods: number;
  /** In how many ways it can begin. */
  readonly starts: number;
  /** With which of them a member of a family throws when it comes to life; -1 for none. */
  readonly stillborn: number;
  readonly greets: readonly Posting[];
  readonly complainsFirst: boolean;
  /** By mood, then by type, then by pick. */
  readonly table: readonly (readonly (readonly Outcome[])[])[];
  /** What it does with boards that it shares. */
  readonly stirs: readonly number[];
}

interface NodeInput {
  readonly index: number;
  readonly boards?: readonly Board[];
}

interface NodeContext {
  /** Which of the specs of the system it has. */
  readonly index: number;
  readonly boards?: readonly Board[];
  mood: number;
  fuel: number;
  bit: boolean;
  pick: number;
}

const { update, post, choose, report, probe, when } = component<NodeContext, NodeEvent>();

const handling = ['roll', 'show', 'complain', 'tell', 'settle'] as const;

/** The state machine of the actors of a system, with their specs; and what a part of it that is made anew is made of. */
function nodeOf(specs: readonly NodeSpec[]) {
  const specOf = ({ index }: NodeContext): NodeSpec => specs[index]!;
  const outcomesOf = (one: NodeContext, { type }: NodeEvent) =>
    specOf(one).table[one.mood]![types.indexOf(type)]!;
  const outcomeOf = (one: NodeContext, event: NodeEvent): Outcome => outcomesOf(one, event)[one.pick]!;
  const postsOf = (one: NodeContext, posts: readonly Posting[]) =>
    posts.flatMap(({ peer, delay, type, flips }) => {
      const { peers } = specOf(one);
      return peers[peer % peers.length]!.map((to) => ({ to, type, bit: one.bit !== flips, delay }));
    });
  /** How far an actor turns its boards with a message: not at all, for most. */
  const turnOf = (one: NodeContext, { type, bit }: NodeEvent): number => {
    const { stirs } = specOf(one);
    return stirs[(types.indexOf(type) + 3 * one.mood + (bit ? 2 : 0)) % stirs.length]!;
  };
  const levelOf = ({ boards }: NodeContext): number =>
    boards?.reduce((sum, { level }) => sum + level, 0) ?? 0;
  const settling = (node: NodeContext, event: NodeEvent): void => {
    const { next, posts, throws, free } = outcomeOf(node, event);
    const level = levelOf(node);
    for (const board of node.boards ?? []) board.turn(turnOf(node, event));
    if (throws) throw new Error('out of luck');
    node.mood = (next + (level > 2 ? 1 : 0)) % specOf(node).moods;
    node.pick = 0;
    node.bit = event.bit;
    // Who only shows something may stay as it is.
    if (!free && posts.length > 0) node.fuel = Math.max(0, node.fuel - 1);
  };

  const node = setup({
    types: {} as { context: NodeContext; events: NodeEvent; input: NodeInput },
    guards: {
      calm: when((one) => one.mood === 0),
      anxious: when((one) => one.mood === 1),
      weary: when((one) => one.mood === 2),
      lit: when((one) => one.bit),
      dark: when((one) => !one.bit),
    },
    actions: {
      begin: choose(
        'first mood',
        (one) => specOf(one).starts,
        (one, _event, pick) => {
          one.mood = pick % specOf(one).moods;
          one.pick = pick;
          for (const board of one.boards ?? []) board.turn(pick);
          if (pick === specOf(one).stillborn) throw new Error('not viable');
        },
      ),
      greet: post((one) => postsOf(one, specOf(one).greets)),
      complainFirst: report((one) =>
        specOf(one).complainsFirst && one.pick > 0
          ? { property: 'nobody begins badly', why: `pick ${one.pick}` }
          : undefined,
      ),
      // Starts that differ in what they have shown lead to one state.
      forget: update((one) => {
        one.pick = 0;
      }),
      roll: choose(
        'outcome',
        (one, event) => outcomesOf(one, event).length,
        (one, _event, pick) => {
          one.pick = pick;
        },
      ),
      show: probe((one, event) =>
        outcomeOf(one, event).shows ? { type: 'mood', mood: one.mood, bit: one.bit } : undefined,
      ),
      complain: report((one, event) =>
        outcomeOf(one, event).complains ? { property: 'nobody complains', why: event.type } : undefined,
      ),
      tell: post((one, event) => {
        const { posts, free } = outcomeOf(one, event);
        const told = levelOf(one) === 1 ? posts.slice(1) : posts;
        return one.fuel > 0 || free ? postsOf(one, told) : undefined;
      }),
      settle: update(settling),
    },
  }).createMachine({
    id: 'node',
    context: ({ input: { index, boards } }) => ({
      index,
      ...(boards && { boards }),
      mood: 0,
      fuel: specs[index]!.fuel,
      bit: false,
      pick: 0,
    }),
    entry: ['begin', 'greet', 'complainFirst', 'forget'],
    type: 'parallel',
    states: {
      mood: {
        initial: 'calm',
        states: {
          calm: {
            always: [
              { guard: 'anxious', target: 'anxious' },
              { guard: 'weary', target: 'weary' },
            ],
            on: { odd: { actions: [...handling] } },
          },
          // What is odd is not decided here.
          anxious: {
            tags: ['waiting'],
            always: [
              { guard: 'calm', target: 'calm' },
              { guard: 'weary', target: 'weary' },
            ],
          },
          weary: {
            always: [
              { guard: 'anxious', target: 'anxious' },
              { guard: 'calm', target: 'calm' },
            ],
            on: { odd: { actions: [...handling] } },
          },
        },
        on: { go: { actions: [...handling] }, set: { actions: [...handling] } },
      },
      light: {
        initial: 'off',
        states: {
          off: { always: { guard: 'lit', target: 'on' } },
          on: { always: { guard: 'dark', target: 'off' } },
        },
      },
    },
  });
  return {
    node,
    anew: () => node.provide({ actions: { settle: update((one, event) => settling(one, event)) } }),
  };
}

const members = 3;

/** The system of a seed: two to four actors, perhaps some of a family, perhaps all alike. Equal seeds give equal systems. */
export function randomSystem(seed: number): RandomSystem {
  const choices = new RandomChoices(seed);
  const pick = (count: number) => choices.pick('system', count);
  const chance = (oneIn: number) => pick(oneIn) === 0;
  const count = 2 + pick(3);
  const alike = chance(5);
  const family = !alike && chance(2);
  const nobody = chance(20);
  const making = pick(3);
  const moods = 1 + pick(3);
  const peerCount = count + (family ? members : 0) + (nobody ? 1 : 0);
  const peer = () => pick(peerCount);
  const free = chance(4);
  const posting = (): Posting => ({
    peer: peer(),
    delay: (free ? [0, 0, 0, 1] : [0, 0, 1, 2])[pick(4)]!,
    type: types[[0, 0, 1, 1, 2][pick(5)]!]!,
    flips: chance(3),
  });
  const outcome = (): Outcome => {
    const isFree = free && chance(2);
    return {
      next: pick(moods),
      // What goes on for ever does not become more, so that its runs can be counted.
      posts: Array.from({ length: isFree ? 1 : pick(3) }, posting),
      complains: chance(12),
      throws: chance(24),
      shows: chance(3),
      free: isFree,
    };
  };
  const spec = (born: boolean): Omit<NodeSpec, 'peers' | 'stirs'> => {
    const starts = chance(3) ? 1 + pick(3) : 1;
    return {
      fuel: pick(3),
      moods,
      starts,
      stillborn: born && chance(6) ? pick(starts) : -1,
      greets: chance(4) ? [posting()] : [],
      complainsFirst: chance(8),
      table: Array.from({ length: moods }, () =>
        types.map(() => Array.from({ length: chance(4) ? 2 : 1 }, outcome)),
      ),
    };
  };
  const common = spec(false);
  const specs = Array.from({ length: count }, () => (alike ? common : spec(false)));
  const kid = spec(true);
  const begun = Array.from({ length: 1 + pick(3) }, () => ({
    at: pick(count),
    type: types[pick(2)]!,
    bit: chance(2),
    delay: pick(2),
  }));
  const names = specs.map((_, index) => `Node[${index}]`);
  const nodes = names.map((_, index) => index as Address);
  const kids = family
    ? Array.from({ length: members }, (_, index) => memberOf(familySpan as Address, index))
    : [];
  const peers = [...nodes, ...kids, ...(nobody ? [(familySpan - 1) as Address] : [])].map((one) => [one]);
  const faults = chance(2) ? Array.from({ length: 1 + pick(2) }, () => randomFault(pick, alike)) : [];
  const watching = [
    [],
    [jealousOfTime],
    [seed % 3 === 0 ? jealousOfTime : fair, waiting],
    [settled],
    seed % 2 === 0 ? [moody, few] : [fair],
  ];
  const observers = alike ? [[], [settled]][seed % 2]! : watching[pick(5)]!;
  // By actor, and of the family: the numbers of the boards that it shares.
  const boardCount = !alike && pick(free ? 8 : 3) === 1 ? 1 + pick(2) : 0;
  const boarded = Array.from(
    { length: boardCount === 0 ? 0 : count + 1 },
    () => [[], [0], [0], [boardCount - 1], [0, 1].slice(0, boardCount)][pick(5)]!,
  );
  const stirs = Array.from({ length: 5 }, () => [0, 0, 1, 2][boardCount === 0 ? 0 : pick(4)]!);
  const { node, anew } = nodeOf([
    ...specs.map((one, index) => ({
      ...one,
      stirs,
      // Who is alike knows itself, and all others together.
      peers: alike ? [[nodes[index]!], nodes.filter((_, other) => other !== index)] : peers,
    })),
    { ...kid, peers, stirs },
  ]);
  /** How state machines come into a wiring: one for all, made anew each time, or anew with an implementation made anew. */
  const made = [() => node, () => node.provide({}), anew][making]!;
  const make = (): Wiring => {
    const wiring = new Wiring();
    // Who is alike has one state machine.
    const machine = made();
    const boards = Array.from({ length: boardCount }, (_, index) =>
      wiring.share(`Board[${index}]`, new Board()),
    );
    const inputOf = (index: number): NodeInput => ({
      index,
      ...(boardCount > 0 && { boards: boarded[index]!.map((number) => boards[number]!) }),
    });
    names.forEach((name, index) => {
      wiring.place(name, alike ? machine : made(), inputOf(index));
    });
    if (family) wiring.family('Kid', () => ({ machine: made(), input: inputOf(count) }));
    if (alike) for (const to of nodes) wiring.begin({ to, type: 'go', bit: false });
    else for (const { at, type, bit, delay } of begun) wiring.begin({ to: nodes[at]!, type, bit, delay });
    return wiring;
  };
  return {
    make,
    faults,
    observers,
    deliveriesPerTickMax: 120,
    until: free ? 4 : undefined,
    symmetry: alike ? { actors: names, exchange } : undefined,
    features: [
      ...(specs.some(({ starts }) => starts > 1) ? ['initial choices'] : []),
      ...(making > 0 ? ['provide in assembly'] : []),
      ...(family ? ['families'] : []),
      ...faults.map((fault) =>
        fault.kind === 'crash' && fault.restart !== undefined ? 'restarts' : `fault ${fault.kind}`,
      ),
      ...(free ? ['no end'] : []),
      ...(observers.length > 0 ? ['observers'] : []),
      ...(boardCount > 0 ? ['shared objects'] : []),
      ...(alike ? ['symmetry'] : []),
    ],
  };
}

function randomFault(pick: (count: number) => number, alike: boolean): InjectedFault {
  const all = [{ budget: 1 }, { budget: 2 }, { probability: 0.5 }, { probability: 1, budget: 1 }];
  // The last befalls the first message there is, which makes one actor another than the others.
  const odds = all[pick(alike ? 3 : 4)]!;
  const names = [undefined, 'Node[*]', ...(alike ? [] : ['Node[0]', 'Kid[*]', 'Kid[1]'])];
  const name = () => names[pick(names.length)];
  const place = { from: pick(4) === 0 ? 'world' : name(), to: name() };
  switch (pick(6)) {
    case 0:
      return { kind: 'drop', ...place, ...odds };
    case 1:
      return { kind: 'duplicate', ...place, ...odds };
    case 2:
      return { kind: 'reorder', ticks: 1 + pick(2), ...place, ...odds };
    case 3:
      return { kind: 'corrupt', field: 'bit', ...place, ...odds };
    default: {
      const restart = pick(3);
      return { kind: 'crash', actor: name() ?? '*', ...odds, ...(restart > 0 && { restart }) };
    }
  }
}

/** Exchanges actors that are alike in contexts and messages. */
const exchange: Symmetry['exchange'] = (data, { address, index }) => ({
  ...data,
  ...('to' in data && { to: address(data['to'] as Address) }),
  ...('index' in data && { index: index(data['index'] as number) }),
});

/** The same, and tells when two ticks have gone by. */
const jealousOfTime: typeof jealous = {
  ...jealous,
  advance: (memory, ticks) => {
    jealous.advance?.(memory, ticks);
    return memory.age === 2 ? { actors: [], why: `after ${ticks}`, property: 'time flies' } : undefined;
  },
};

/** Waits for what never comes: judged where nothing is under way. */
const waiting: Observer<{ open: string[] }> = {
  sentence: 'who is told to go is told something else',
  watches: ['go', 'set'],
  about: (observation) => (observation.kind === 'message' ? observation.to : undefined),
  begin: () => ({ open: [] }),
  see: ({ open }, observation) => {
    if (observation.kind === 'probe') return undefined;
    const at = open.indexOf(observation.to);
    if (observation.event.type === 'go' && at < 0) open.push(observation.to);
    if (observation.event.type === 'set' && at >= 0) open.splice(at, 1);
    open.sort();
    return undefined;
  },
  atRest: ({ open }) => (open.length > 0 ? { actors: open, why: 'it is not' } : undefined),
};

/** Looks at how everything stands where nothing will happen any more. */
const settled: Observer<object> = {
  sentence: 'in the end no two are in one state',
  watches: [],
  begin: () => ({}),
  see: () => undefined,
  seeRest: (_memory, { actors, messages }) => {
    const states = actors.map(({ state }) => state);
    const alike = actors.filter(({ state }, at) => states.indexOf(state) !== at).map(({ name }) => name);
    return alike.length > 0 ? { actors: alike, why: `they are, ${messages.length} under way` } : undefined;
  },
};

/** Remembers of each actor by itself what it did last: sees no difference of order between two. */
const fair: Observer<{ last: Record<string, string>; age: number }> = {
  sentence: 'nobody does the same twice running',
  about: (observation) => (observation.kind === 'message' ? observation.to : observation.actor),
  begin: () => ({ last: {}, age: 0 }),
  see: (memory, observation) => {
    const [who, did] =
      observation.kind === 'message'
        ? [observation.to, `got ${observation.event.type}`]
        : [observation.actor, `showed ${observation.probe.type}`];
    const again = memory.last[who] === did;
    memory.last[who] = did;
    return again ? { actors: [who], why: `${did} at ${memory.age}` } : undefined;
  },
  advance: (memory, ticks) => {
    memory.age = Math.min(2, memory.age + ticks);
    return undefined;
  },
};

/** Looks at what is shown and at no message. */
const moody: Observer<{ last: string }> = {
  sentence: 'moods change',
  watches: ['mood'],
  begin: () => ({ last: '' }),
  see: (memory, observation) => {
    if (observation.kind !== 'probe') return undefined;
    const { mood, bit } = observation.probe as unknown as { mood: number; bit: boolean };
    const now = `${observation.actor} ${mood} ${bit}`;
    const again = memory.last === now;
    memory.last = now;
    return again ? { actors: [observation.actor], why: now } : undefined;
  },
};

/** Looks at one kind of message only. */
const few: Observer<{ count: number }> = {
  sentence: 'few are odd',
  watches: ['odd'],
  begin: () => ({ count: 0 }),
  see: (memory) => (++memory.count > 2 ? { actors: [], why: `${memory.count} are` } : undefined),
};
