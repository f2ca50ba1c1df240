import { type Address, component, refused } from 'lockstep';
import { setup } from 'xstate';

/** What clients and server tell each other. */
export type Message = { type: 'lock.ask' } | { type: 'lock.granted' } | { type: 'lock.returned' };

export type ClientContext = { server: Address; rounds: number };
export type ClientEvent = { type: 'lock.granted' } | { type: 'work.done' };
const c = component<ClientContext, ClientEvent, Message>();

/** Asks for the lock, works while it has it, gives it back; so many rounds. */
export const client = setup({
  types: {} as { context: ClientContext; events: ClientEvent; input: ClientContext },
  guards: { wantsMore: c.when(({ rounds }) => rounds > 0) },
  actions: {
    ask: c.act((me, _event, out) => {
      me.rounds--;
      out.post({ to: me.server, type: 'lock.ask' });
    }),
    beginWork: c.act((_me, _event, out) => {
      out.probe({ type: 'work.begun' });
      // Nobody knows how long it takes: a timer goes off at any later step.
      out.setTimer('work.done');
    }),
    endWork: c.act((me, _event, out) => {
      out.probe({ type: 'work.ended' });
      out.post({ to: me.server, type: 'lock.returned' });
    }),
  },
}).createMachine({
  id: 'client',
  context: ({ input }) => ({ ...input }),
  initial: 'idle',
  states: {
    idle: { always: { guard: 'wantsMore', target: 'waiting', actions: 'ask' } },
    waiting: { tags: ['waiting'], on: { 'lock.granted': { target: 'working', actions: 'beginWork' } } },
    working: { on: { 'work.done': { target: 'idle', actions: 'endWork' } } },
  },
});

export type ServerContext = { holder: Address | null; queue: Address[]; grants: number };
export type ServerEvent = { type: 'lock.ask' } | { type: 'lock.returned' };
/** What the server's actions are made with, those of a planted fault as well. */
export const serverKit = component<ServerContext, ServerEvent, Message>();
const s = serverKit;

/** Lends the lock to one client at a time, to the one who asked first. */
export const server = setup({
  types: {} as { context: ServerContext; events: ServerEvent; input: undefined },
  guards: { isWanted: s.when(({ queue }) => queue.length > 0) },
  actions: {
    queue: s.update((me, _event, { from }) => {
      me.queue.push(from);
    }),
    lend: s.act((me, _event, out) => {
      me.holder = me.queue.shift() ?? out.from;
      me.grants++;
      out.post({ to: me.holder, type: 'lock.granted' });
    }),
    takeBack: s.update((me) => {
      me.holder = null;
    }),
  },
}).createMachine({
  id: 'server',
  context: { holder: null, queue: [], grants: 0 },
  initial: 'free',
  states: {
    free: { on: { 'lock.ask': { target: 'lent', actions: 'lend' }, 'lock.returned': refused } },
    lent: {
      on: {
        'lock.ask': { actions: 'queue' },
        'lock.returned': [
          { guard: 'isWanted', actions: 'lend' },
          { target: 'free', actions: 'takeBack' },
        ],
      },
    },
  },
});
