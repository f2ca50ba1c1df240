import { setup } from 'xstate';
import { component } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';
import { placeOf } from './address-map.ts';
import type { MemoryRead, MemoryWrite } from './messages.ts';

/** The memories behind a host switch. */
export interface HostSwitchInput {
  readonly cpu: Address;
  readonly gpu: Address;
}

/** The switch of a host: packets it passed on. */
export interface HostSwitchContext {
  readonly spec: HostSwitchInput;
  packets: number;
}

const { act } = component<HostSwitchContext, MemoryRead | MemoryWrite, MemoryRead | MemoryWrite>();

/** The PCIe switch of a node (TCA specification 5): routes by address among CPU memory and GPU memory. */
export const hostSwitch = setup({
  types: {} as {
    context: HostSwitchContext;
    events: MemoryRead | MemoryWrite;
    input: HostSwitchInput;
  },
  actions: {
    route: act((c, packet, out) => {
      const { region } = placeOf(packet.addr);
      if (region === 'chip') throw new Error(`EUR: address ${packet.addr} belongs to no memory`);
      c.packets++;
      const { delay: _delay, ...rest } = packet as typeof packet & { readonly delay?: number };
      out.post({ ...rest, to: c.spec[region] });
    }),
  },
}).createMachine({
  id: 'hostSwitch',
  context: ({ input }) => ({ spec: input, packets: 0 }),
  initial: 'routing',
  states: { routing: { on: { 'tlp.read': { actions: 'route' }, 'tlp.write': { actions: 'route' } } } },
});
