import { setup } from 'xstate';
import { refused } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';
import { field } from '../../kernel/protocol/field.ts';
import { protocol } from '../../kernel/protocol/protocol.ts';
import { clockTick, timeRole } from './drifting-clocks.ts';

/*
 * A lock that is lent for a time, over clocks that drift (Gray and Cheriton, "Leases: an efficient fault-tolerant mechanism for distributed file cache consistency", 1989), whose holders
 * write under a token that grows (a fencing token: Burrows, "The Chubby lock service for loosely-coupled distributed systems", 2006, there called a sequencer).
 */

const token = field.int();

export const leaseProtocol = protocol({
  Server: { receives: { Request: {}, ...clockTick }, shows: { 'lease.granted': { token } } },
  Client: { receives: { Grant: { token }, ...clockTick }, timers: ['want', 'write'] },
  Storage: {
    receives: { Write: { token } },
    shows: { 'write.taken': { token }, 'write.refused': { token } },
  },
  Time: timeRole,
});
const { Server, Client, Storage } = leaseProtocol.roles;

/** What the server remembers. */
export interface LeaseServerContext {
  /** Ticks of its clock for which the lock is lent. */
  readonly lease: number;
  token: number;
  left: number;
  /** Who waits, the first one first. */
  queue: Address[];
}
/** The kit of servers, also for planted faults. */
export const leaseServerKit = Server.component<LeaseServerContext>();
const s = leaseServerKit;

/** Lends the lock to one after the other, each for a time of its own clock. */
export const leaseServer = setup({
  types: Server.types<LeaseServerContext, { readonly lease: number }>(),
  guards: { isOver: s.when(({ left }) => left === 0), isWanted: s.when(({ queue }) => queue.length > 0) },
  actions: {
    queue: s.update((server, _event, { from }) => {
      server.queue.push(from);
    }),
    lend: s.act((server, _event, out) => {
      const token = ++server.token;
      server.left = server.lease;
      out.probe({ type: 'lease.granted', token });
      out.post({ to: server.queue.shift()!, type: 'Grant', token });
    }),
    countDown: s.update((server) => {
      server.left--;
    }),
    ticked: s.post((_server, _event, { from: to }) => ({ to, type: 'Ticked' })),
  },
}).createMachine({
  id: 'leaseServer',
  context: ({ input }) => ({ ...input, token: 0, left: 0, queue: [] }),
  initial: 'free',
  on: { Request: { actions: 'queue' }, Tick: { actions: 'ticked' } },
  states: {
    free: { always: { guard: 'isWanted', target: 'lent', actions: 'lend' } },
    lent: { always: { guard: 'isOver', target: 'free' }, on: { Tick: { actions: ['countDown', 'ticked'] } } },
  },
});

/** Fixed when the client is placed. */
export interface LeaseClientSpec {
  readonly server: Address;
  readonly storage: Address;
  /** Ticks of its own clock, from its request on, for which it takes the lock for its own. */
  readonly term: number;
  /** How often it wants the lock. */
  readonly rounds: number;
}
/** What a client remembers. */
export interface LeaseClientContext extends LeaseClientSpec {
  rounds: number;
  /** Ticks since its request, counted up to its term. */
  elapsed: number;
  token: number;
}
/** The kit of clients, also for planted faults. */
export const leaseClientKit = Client.component<LeaseClientContext>();
const c = leaseClientKit;

/** Asks for the lock, and while it has it writes once. */
export const leaseClient = setup({
  types: Client.types<LeaseClientContext, LeaseClientSpec>(),
  guards: { isOver: c.when(({ elapsed, term }) => elapsed >= term) },
  actions: {
    rest: c.act((client, _event, out) => {
      Object.assign(client, { elapsed: 0, token: 0 });
      out.cancelTimer('write');
      if (client.rounds > 0) out.setTimer('want');
    }),
    ask: c.act((client, _event, out) => {
      client.rounds--;
      out.post({ to: client.server, type: 'Request' });
    }),
    take: c.act<'Grant'>((client, { token }, out) => {
      client.token = token;
      out.setTimer('write');
    }),
    write: c.post(({ storage: to, token }) => ({ to, type: 'Write', token })),
    count: c.update((client) => {
      client.elapsed = Math.min(client.elapsed + 1, client.term);
    }),
    ticked: c.post((_client, _event, { from: to }) => ({ to, type: 'Ticked' })),
  },
}).createMachine({
  id: 'leaseClient',
  context: ({ input }) => ({ ...input, elapsed: 0, token: 0 }),
  initial: 'resting',
  on: { Tick: { actions: ['count', 'ticked'] }, Grant: refused },
  states: {
    resting: {
      entry: 'rest',
      on: { Tick: { actions: 'ticked' }, want: { target: 'asking', actions: 'ask' } },
    },
    asking: {
      on: {
        Grant: [
          { guard: 'isOver', target: 'resting' },
          { target: 'holding', actions: 'take' },
        ],
      },
    },
    holding: { always: { guard: 'isOver', target: 'resting' }, on: { write: { actions: 'write' } } },
  },
});

/** The kit of storages, also for planted faults. */
export const storageKit = Storage.component<{ highest: number }>();

/** Takes a write unless one with a higher token has come. */
export const storage = setup({
  types: Storage.types<{ highest: number }, undefined>(),
  guards: { isFenced: storageKit.when(({ highest }, { token }) => token < highest) },
  actions: {
    take: storageKit.act((one, { token }, out) => {
      one.highest = Math.max(one.highest, token);
      out.probe({ type: 'write.taken', token });
    }),
    refuse: storageKit.probe((_storage, { token }) => ({ type: 'write.refused', token })),
  },
}).createMachine({
  id: 'storage',
  context: () => ({ highest: 0 }),
  initial: 'unwritten',
  states: {
    unwritten: { on: { Write: { target: 'written', actions: 'take' } } },
    written: { on: { Write: [{ guard: 'isFenced', actions: 'refuse' }, { actions: 'take' }] } },
  },
});
