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

/** What a player remembers. */
export interface PlayerContext {
  readonly other: Address;
  count: number;
}

/** The kit of both players, also for planted faults. */
export const playerKit = component<PlayerContext, Ball, MessagesOf<typeof pingPongProtocol>>();
const { post, update, when } = playerKit;

const types = {} as { context: PlayerContext; events: Ball; input: { readonly other: Address } };
const count = update((player) => {
  player.count++;
});
const isNext = when((player, { value }) => value === player.count);

/** Sends the first ball, and each ball that it waited for again with the next count (specification of protocols, 3.3). */
export const pinger = setup({
  types,
  guards: { isNext },
  actions: { count, ping: post(({ other: to, count: value }) => ({ to, type: 'Ping', value })) },
}).createMachine({
  id: 'pinger',
  context: ({ input }) => ({ ...input, count: 0 }),
  initial: 'playing',
  entry: 'ping',
  states: { playing: { on: { Pong: { guard: 'isNext', actions: ['count', 'ping'] }, Ping: refused } } },
});

/** Sends back each ball that it waited for. */
export const ponger = setup({
  types,
  guards: { isNext },
  actions: { count, pong: post(({ other: to }, { value }) => ({ to, type: 'Pong', value })) },
}).createMachine({
  id: 'ponger',
  context: ({ input }) => ({ ...input, count: 0 }),
  initial: 'playing',
  states: { playing: { on: { Ping: { guard: 'isNext', actions: ['count', 'pong'] }, Pong: refused } } },
});
