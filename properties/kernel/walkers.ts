import { setup } from 'xstate';
import type { Choices } from '../../kernel/choices.ts';
import { component } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';
import { waitingFor } from '../../kernel/outcome.ts';
import { memberOf, Wiring } from '../../kernel/wiring.ts';

/** What a walker does when it handles an event, one after the other. */
export type Effect =
  | { readonly kind: 'post'; readonly peer: number; readonly delay: number; readonly type: WalkerType }
  | { readonly kind: 'pick'; readonly count: number }
  | { readonly kind: 'show' }
  | { readonly kind: 'complain' }
  | { readonly kind: 'throw' }
  | { readonly kind: 'set'; readonly timer: WalkerType; readonly ticks: number }
  | { readonly kind: 'cancel'; readonly timer: WalkerType };

export const walkerTypes = ['x', 'y', 'z', 'ring', 'bell'] as const;
export type WalkerType = (typeof walkerTypes)[number];

/** What a walker does with one type of event in one of its moods, and whether it waits then. */
export interface Row {
  readonly effects: readonly Effect[];
  readonly waits: boolean;
}

/** All that a walker is: a table and whom it knows. */
export interface WalkerSpec {
  readonly peers: readonly Address[];
  /** How many handlings have effects: no run is without end. */
  readonly fuel: number;
  readonly moods: number;
  /** Effects of its birth: posts only. */
  readonly birth: readonly Effect[];
  /** By mood, then by type. */
  readonly table: readonly (readonly Row[])[];
}

/** A walker at one moment. */
export interface WalkerContext {
  readonly spec: WalkerSpec;
  /** Depends on everything that came, in its order. */
  n: number;
  fuel: number;
}

export type WalkerEvent = { readonly type: WalkerType; readonly v?: number };

/** The value that follows: different for different orders. */
export const nextValue = (n: number, type: WalkerType, v: number, from: number): number =>
  (n * 31 + 7 * walkerTypes.indexOf(type) + 3 * v + (from % 97) + 5) % 1009;

export const rowOf = ({ spec, n }: WalkerContext, type: WalkerType): Row =>
  spec.table[n % spec.moods]![walkerTypes.indexOf(type)]!;

const { act, when } = component<WalkerContext, WalkerEvent>();

/** An actor that is all table: it posts, picks, shows, complains, throws, sets and cancels timers, waits. */
export const walker = setup({
  types: {} as { context: WalkerContext; events: WalkerEvent; input: WalkerSpec },
  guards: { waits: when((one, { type }) => rowOf(one, type).waits) },
  actions: {
    bear: act((one, _event, out) => {
      for (const effect of one.spec.birth)
        if (effect.kind === 'post')
          out.post({
            to: one.spec.peers[effect.peer % one.spec.peers.length]!,
            type: effect.type,
            v: 1,
            delay: effect.delay,
          });
    }),
    work: act((one, { type, v = 0 }, out) => {
      const { effects } = rowOf(one, type);
      one.n = nextValue(one.n, type, v, out.from);
      if (one.fuel === 0) return;
      one.fuel--;
      for (const effect of effects) {
        switch (effect.kind) {
          case 'post':
            out.post({
              to: one.spec.peers[effect.peer % one.spec.peers.length]!,
              type: effect.type,
              v: one.n % 8,
              ...(effect.delay > 0 && { delay: effect.delay }),
            });
            break;
          case 'pick':
            one.n = (one.n + 7 * out.pick('a way', effect.count)) % 1009;
            break;
          case 'show':
            out.probe({ type: 'shown', n: one.n, at: out.now, self: out.self });
            break;
          case 'complain':
            if (one.n % 2 === 1) out.report({ property: 'n is even', why: `n is ${one.n}` });
            break;
          case 'throw':
            throw new Error('it throws');
          case 'set':
            out.setTimer(effect.timer, effect.ticks);
            break;
          case 'cancel':
            out.cancelTimer(effect.timer);
            break;
          default:
            effect satisfies never;
        }
      }
    }),
  },
}).createMachine({
  id: 'walker',
  context: ({ input }) => ({ spec: input, n: 0, fuel: input.fuel }),
  entry: 'bear',
  initial: 'open',
  states: {
    open: {
      on: {
        x: [{ guard: 'waits', target: 'waiting', actions: 'work' }, { actions: 'work' }],
        y: [{ guard: 'waits', target: 'waiting', actions: 'work' }, { actions: 'work' }],
        z: { actions: 'work' },
      },
    },
    waiting: {
      ...waitingFor<WalkerContext>('an x', (one) => one.spec.peers[0]!),
      on: {
        x: [
          { guard: 'waits', actions: 'work' },
          { target: 'open', actions: 'work' },
        ],
        // Known, and nothing comes of it. What z is nobody decided here.
        y: {},
      },
    },
  },
  on: { ring: { actions: 'work' }, bell: { target: '.open', actions: 'work' } },
});

/** A wiring of walkers as data. */
export interface WalkerWorld {
  readonly walkers: readonly WalkerSpec[];
  /** What members of the family are. */
  readonly kid: WalkerSpec;
  readonly boot: readonly { readonly to: number; readonly type: WalkerType; readonly delay: number }[];
  readonly budget: number;
}

/** Index of the only member of the family that anybody knows. */
export const kidIndex = 3;

/** Draws a world; equal choices give equal worlds. */
export function drawnWorld(choices: Choices): WalkerWorld {
  const pick = (count: number) => choices.pick('world', count);
  const one = <T>(list: readonly T[]): T => list[pick(list.length)]!;
  const count = 2 + pick(3);
  const everybody = [
    ...Array.from({ length: count }, (_, index) => index as Address),
    memberOf(familyAt(), kidIndex),
  ];
  const delay = () => one([0, 0, 0, 0, 1, 1, 2, 3, 9, 40]);
  const type = () => one<WalkerType>(['x', 'x', 'x', 'y', 'y', 'z']);
  const timer = () => one<WalkerType>(['ring', 'bell']);
  const rough = pick(4) === 1;
  const effect = (): Effect => {
    switch (pick(10)) {
      case 0:
        return { kind: 'pick', count: 1 + pick(3) };
      case 1:
        return { kind: 'show' };
      case 2:
        return rough ? { kind: 'complain' } : { kind: 'show' };
      case 3:
        return { kind: 'set', timer: timer(), ticks: 1 + pick(4) };
      case 4:
        return { kind: 'cancel', timer: timer() };
      case 5:
        return rough && pick(6) === 1 ? { kind: 'throw' } : { kind: 'show' };
      default:
        return { kind: 'post', peer: pick(8), delay: delay(), type: rough ? type() : one(['x', 'x', 'y']) };
    }
  };
  const spec = (): WalkerSpec => {
    const moods = 1 + pick(3);
    return {
      peers: everybody,
      fuel: pick(5),
      moods,
      birth: Array.from({ length: pick(4) === 1 ? 1 : 0 }, () => ({
        kind: 'post',
        peer: pick(8),
        delay: delay(),
        type: 'x',
      })),
      table: Array.from({ length: moods }, () =>
        walkerTypes.map(() => ({ effects: Array.from({ length: pick(5) }, effect), waits: pick(3) === 1 })),
      ),
    };
  };
  return {
    walkers: Array.from({ length: count }, spec),
    kid: spec(),
    boot: Array.from({ length: 1 + pick(4) }, () => ({
      to: pick(count),
      type: one(['x', 'y']),
      delay: delay(),
    })),
    budget: pick(5) === 1 ? 3 + pick(6) : 1000,
  };
}

/** Address of the first member of the first family: the same in every wiring. */
const familyAt = (): Address => new Wiring().family('Kid', () => ({ machine: walker, input: null }));

/** The wiring of a world. */
export function wiringOf({ walkers, kid, boot }: WalkerWorld): Wiring {
  const wiring = new Wiring();
  for (const index of walkers.keys()) wiring.reserve(`Walker[${index}]`);
  wiring.family('Kid', () => ({ machine: walker, input: kid }));
  for (const [index, spec] of walkers.entries()) wiring.place(index as Address, walker, spec);
  for (const { to, type, delay } of boot) wiring.begin({ to: to as Address, type, v: 2, delay });
  return wiring;
}
