import { field, protocol } from 'lockstep';
import { setup } from 'xstate';

/** Who receives which messages, and what each of them shows to properties. */
export const lockProtocol = protocol({
  Client: {
    receives: { 'lock.granted': {} },
    timers: ['work.done'],
    shows: { 'work.begun': {}, 'work.ended': {} },
  },
  Server: {
    receives: { 'lock.ask': {}, 'lock.returned': {} },
    // What names clients: for --symmetry, which takes clients that change places for the same.
    remembers: { holder: field.maybe(field.address('Client')), queue: field.list(field.address('Client')) },
  },
});
const { Client, Server } = lockProtocol.roles;

const c = Client.component();

/** Asks for the lock, works while it has it, gives it back; so many rounds. */
export const client = setup({
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

/** What the server's actions are made with, those of a planted fault as well. */
export const serverKit = Server.component();
const s = serverKit;

/** Lends the lock to one client at a time, to the one who asked first. */
export const server = setup({
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
    // Nobody can return a lock that is free: what a state leaves out fails the run when it comes.
    free: { on: { 'lock.ask': { target: 'lent', actions: 'lend' } } },
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
