import { setup } from 'xstate';
import { type Tape, TapeChoices } from '../../choices.ts';
import { component } from '../../kit.ts';
import type { Address } from '../../message.ts';
import { memberOf, Wiring } from '../../wiring.ts';

/** What a random actor does with a message, by pick. */
interface Outcome {
  readonly next: number;
  /** To which peer, after how many ticks, and of which type. */
  readonly posts: readonly { readonly peer: number; readonly delay: number; readonly type: RoverType }[];
  readonly complains: boolean;
  readonly throws: boolean;
  readonly shows: boolean;
}

type RoverType = 'rove' | 'rest' | 'odd';
const types: readonly RoverType[] = ['rove', 'rest', 'odd'];

/** A random actor: what it does with each type of message in each of its moods. */
interface RoverSpec {
  readonly peers: readonly Address[];
  readonly fuel: number;
  readonly moods: number;
  readonly starts: number;
  /** By mood, then by type, then by pick. */
  readonly table: readonly (readonly (readonly Outcome[])[])[];
}

interface RoverContext {
  readonly spec: RoverSpec;
  mood: number;
  fuel: number;
  outcome: number;
}

type RoverEvent = { type: RoverType };

const { update, post, choose, report, probe, when } = component<RoverContext, RoverEvent>();

const outcomesOf = ({ spec, mood }: RoverContext, { type }: RoverEvent) =>
  spec.table[mood]![types.indexOf(type)]!;
const outcomeOf = (rover: RoverContext, event: RoverEvent): Outcome =>
  outcomesOf(rover, event)[rover.outcome]!;

const rover = setup({
  types: {} as { context: RoverContext; events: RoverEvent; input: RoverSpec },
  guards: {
    calm: when((rover) => rover.mood === 0),
    anxious: when((rover) => rover.mood === 1),
    weary: when((rover) => rover.mood === 2),
  },
  actions: {
    begin: choose(
      'first mood',
      (rover) => rover.spec.starts,
      (rover, _event, pick) => {
        rover.mood = pick;
      },
    ),
    roll: choose(
      'outcome',
      (rover, event) => outcomesOf(rover, event).length,
      (rover, _event, pick) => {
        rover.outcome = pick;
      },
    ),
    show: probe((rover, event) =>
      outcomeOf(rover, event).shows ? { type: 'mood', mood: rover.mood } : undefined,
    ),
    complain: report((rover, event) =>
      outcomeOf(rover, event).complains ? { property: 'nobody complains', why: event.type } : undefined,
    ),
    tell: post((rover, event) =>
      rover.fuel === 0
        ? undefined
        : outcomeOf(rover, event).posts.map(({ peer, delay, type }) => ({
            to: rover.spec.peers[peer % rover.spec.peers.length]!,
            type,
            delay,
          })),
    ),
    settle: update((rover, event) => {
      const { next, throws } = outcomeOf(rover, event);
      if (throws) throw new Error('out of luck');
      rover.mood = next;
      rover.outcome = 0;
      rover.fuel = Math.max(0, rover.fuel - 1);
    }),
  },
}).createMachine({
  id: 'rover',
  context: ({ input }) => ({ spec: input, mood: 0, fuel: input.fuel, outcome: 0 }),
  entry: 'begin',
  initial: 'calm',
  states: {
    calm: {
      always: [
        { guard: 'anxious', target: 'anxious' },
        { guard: 'weary', target: 'weary' },
      ],
      on: { odd: { actions: ['roll', 'show', 'complain', 'tell', 'settle'] } },
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
      on: { odd: { actions: ['roll', 'show', 'complain', 'tell', 'settle'] } },
    },
  },
  on: {
    rove: { actions: ['roll', 'show', 'complain', 'tell', 'settle'] },
    rest: { actions: ['roll', 'show', 'complain', 'tell', 'settle'] },
  },
});

/**
 * A small machine of two to four actors made from a tape of decisions: they post to each other with delays from 0 to 2, choose, show, complain, throw, wait, and start in different moods;
 * the last one may be a member of a family. Each posts a few times only, so that no run is without end. Equal tapes give equal wirings.
 * `made` is what becomes of the state machine of each of them, each time that it is needed.
 */
export function randomWiring(tape: Tape, made = (machine: typeof rover) => machine): Wiring {
  const decisions = new TapeChoices(tape);
  const pick = (count: number) => decisions.pick('wiring', count);
  const wiring = new Wiring();
  const count = 2 + pick(3);
  const family = pick(3) === 1;
  const moods = 1 + pick(3);
  const peers: Address[] = Array.from({ length: count }, (_, index) => wiring.reserve(`Rover[${index}]`));
  const outcome = (): Outcome => ({
    next: pick(moods),
    posts: Array.from({ length: pick(3) }, () => ({
      peer: pick(8),
      delay: [0, 0, 1, 2][pick(4)]!,
      type: types[[0, 0, 1, 1, 2][pick(5)]!]!,
    })),
    complains: pick(12) === 1,
    throws: pick(24) === 1,
    shows: pick(3) === 1,
  });
  const spec = (): RoverSpec => ({
    peers: everybody,
    fuel: pick(3),
    moods,
    starts: pick(6) === 1 ? moods : 1,
    table: Array.from({ length: moods }, () =>
      types.map(() => Array.from({ length: pick(4) === 1 ? 2 : 1 }, outcome)),
    ),
  });
  const everybody = [...peers];
  if (family) {
    const first = wiring.family('Kid', () => ({ machine: made(rover), input: kid }));
    everybody.push(memberOf(first, 2));
  }
  const kid = spec();
  for (const address of peers) wiring.place(address, made(rover), spec());
  const begun = 1 + pick(3);
  for (let i = 0; i < begun; i++)
    wiring.begin({ to: peers[pick(count)]!, type: types[pick(2)]!, delay: pick(2) });
  return wiring;
}
