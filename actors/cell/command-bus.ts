import { setup } from 'xstate';
import { waitsFor } from '../../kernel/outcome.ts';
import { type LockKept, lockParts, lockStates } from '../common/lock.ts';
import { type Address, memberAddress } from './address.ts';
import { cellProtocol } from './protocol.ts';

/** The command bus: which module holds it, which wait, how many commands it carried. */
export interface BusContext extends LockKept<number> {
  /** Addresses of the DMA modules by number. */
  readonly modules: readonly Address[];
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
const kit = role.component<BusContext>();
const { update, post, probe, report } = kit;
const { guards, actions } = lockParts(
  kit,
  ({ spu }) => spu,
  () => 'any',
);

const holderOf = ({ modules, holder }: BusContext): Address => memberAddress(modules, holder!);

/** The command bus (Cell specification 7, 15.5): one holder at a time; who waits is served in order, or as the schedule says. */
export const commandBus = setup({
  types: role.types<BusContext, BusInput>(),
  guards: { ...guards, isDeclined: guards.isKnown },
  actions: {
    ...actions,
    stamp: update((bus) => {
      bus.since = bus.clock++;
    }),
    count: update((bus) => {
      bus.commands++;
      bus.clock++;
    }),
    countRelease: update((bus) => {
      bus.clock++;
    }),
    grant: post((bus) => ({ to: holderOf(bus), type: 'bus.granted' })),
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
      why: `${event.type} by module ${event.spu} while ${bus.holder === null ? 'nobody' : `module ${bus.holder}`} holds the bus`,
    })),
  },
}).createMachine({
  id: 'bus',
  context: ({ input }) => ({
    modules: input.modules,
    holder: null,
    queue: [],
    commands: 0,
    clock: 0,
    since: 0,
  }),
  initial: 'free',
  on: {
    'bus.command': [{ guard: 'isHolder', actions: ['count', 'showCommand'] }, { actions: 'complain' }],
    'bus.release': { actions: 'complain' },
  },
  states: lockStates(
    'bus.acquire',
    'bus.release',
    {
      take: ['hold', 'stamp', 'grant'],
      queue: ['queue'],
      decline: ['complain'],
      giveBack: ['countRelease', 'showRelease', 'acknowledge'],
      open: ['letGo'],
      pass: ['passOn', 'stamp', 'grant'],
      refuse: ['complain'],
    },
    // Its DMA modules wait, and their states say so.
    { meta: waitsFor<BusContext>('its holder to release it', holderOf) },
  ),
});
