import { setup } from 'xstate';
import { type Address, memberAddress } from './address.ts';
import { cellProtocol } from './protocol.ts';

/** The command bus: who holds it, who waits, how many commands it carried. */
export interface BusContext {
  /** Addresses of the DMA modules by number. */
  readonly modules: readonly Address[];
  holder: number;
  queue: number[];
  commands: number;
  /** Counts acquires, commands and releases: the bus's own clock. */
  clock: number;
  /** When the present holder got the bus. */
  since: number;
}

/** What a bus is made from. */
export interface BusInput {
  readonly modules: readonly Address[];
}

/** What a bus reports of who uses it without holding it. */
export const holderUsesBus = 'only its holder uses the command bus';

const role = cellProtocol.roles.Bus;
const { update, post, when, choose, probe, report } = role.component<BusContext>();

/** The command bus (Cell specification 7, 15.5): one holder at a time; who waits is served in order, or as the schedule says. */
export const commandBus = setup({
  types: role.types<BusContext, BusInput>(),
  guards: {
    byHolder: when((bus, { spu }) => bus.holder === spu),
    queued: when((bus, { spu }) => bus.holder === spu && bus.queue.length > 0),
  },
  actions: {
    hold: update((bus, { spu }) => {
      bus.holder = spu;
      bus.since = bus.clock++;
    }),
    queue: update((bus, { spu }) => {
      bus.queue.push(spu);
    }),
    count: update((bus) => {
      bus.commands++;
      bus.clock++;
    }),
    letGo: update((bus) => {
      bus.clock++;
      bus.holder = -1;
    }),
    serveNext: choose(
      'next holder',
      (bus) => bus.queue.length,
      (bus, _event, pick) => {
        bus.holder = bus.queue.splice(pick, 1)[0]!;
        bus.since = bus.clock++;
      },
    ),
    grant: post((bus) => ({ to: memberAddress(bus.modules, bus.holder), type: 'bus.granted' })),
    acknowledge: post((bus, { spu }) => ({ to: memberAddress(bus.modules, spu), type: 'bus.released' })),
    showCommand: probe<'bus.command'>((bus, { spu, dest, cmd, t }) => ({
      type: 'CMD',
      t,
      spu,
      dest,
      cmd,
      q: bus.clock - 1,
    })),
    showRelease: probe<'bus.release'>((bus, { spu, t }) => ({
      type: 'BUS',
      t,
      spu,
      in: bus.since,
      out: bus.clock - 1,
    })),
    complain: report((bus, event) => ({
      property: holderUsesBus,
      why: `${event.type} by module ${event.spu} while ${bus.holder < 0 ? 'nobody' : `module ${bus.holder}`} holds the bus`,
    })),
  },
}).createMachine({
  id: 'bus',
  context: ({ input }) => ({
    modules: input.modules,
    holder: -1,
    queue: [],
    commands: 0,
    clock: 0,
    since: 0,
  }),
  initial: 'free',
  states: {
    free: {
      on: {
        'bus.acquire': { target: 'held', actions: ['hold', 'grant'] },
        'bus.command': { actions: 'complain' },
        'bus.release': { actions: 'complain' },
      },
    },
    held: {
      on: {
        'bus.acquire': { actions: 'queue' },
        'bus.command': [{ guard: 'byHolder', actions: ['count', 'showCommand'] }, { actions: 'complain' }],
        'bus.release': [
          { guard: 'queued', actions: ['letGo', 'showRelease', 'acknowledge', 'serveNext', 'grant'] },
          { guard: 'byHolder', target: 'free', actions: ['letGo', 'showRelease', 'acknowledge'] },
          { actions: 'complain' },
        ],
      },
    },
  },
});
