import { setup } from 'xstate';
import { component, refused } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';
import { field } from '../../kernel/protocol/field.ts';
import { type EventsOf, type MessagesOf, protocol } from '../../kernel/protocol/protocol.ts';

const value = field.int();

/** A ball with the count of who sent it: there, and back. */
export const pingPongProtocol = protocol({
  Pinger: { receives: { Pong: { value } } },
  Ponger: { receives: { Ping: { value } } },
});
type Ball = EventsOf<typeof pingPongProtocol, 'Pinger' | 'Ponger'>;

/** A player, and whether it has the first ball. */
export interface PlayerInput {
  readonly other: Address;
  readonly serves: boolean;
}

/** What a player remembers. */
export interface PlayerContext extends PlayerInput {
  count: number;
}

/** The kit of players, also for planted faults. */
export const playerKit = component<PlayerContext, Ball, MessagesOf<typeof pingPongProtocol>>();
const { post, update, when } = playerKit;

/** Who serves sends the first ball, and each ball that it waited for again with the next count; the other one sends back each that it waited for (specification of protocols, 3.3). */
export const player = setup({
  types: {} as { context: PlayerContext; events: Ball; input: PlayerInput },
  guards: {
    serves: when(({ serves }) => serves),
    isNext: when((player, { value }) => value === player.count),
  },
  actions: {
    count: update((player) => {
      player.count++;
    }),
    ping: post(({ other: to, count: value }) => ({ to, type: 'Ping', value })),
    pong: post(({ other: to }, { value }) => ({ to, type: 'Pong', value })),
  },
}).createMachine({
  id: 'player',
  context: ({ input }) => ({ ...input, count: 0 }),
  initial: 'beginning',
  states: {
    beginning: {
      always: [{ guard: 'serves', target: 'awaitingPong', actions: 'ping' }, { target: 'awaitingPing' }],
    },
    awaitingPong: { on: { Pong: { guard: 'isNext', actions: ['count', 'ping'] }, Ping: refused } },
    awaitingPing: { on: { Ping: { guard: 'isNext', actions: ['count', 'pong'] }, Pong: refused } },
  },
});
