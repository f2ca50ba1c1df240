import { setup } from 'xstate';
import type { Address } from '../../kernel/message.ts';
import { placeOf } from './address-map.ts';
import { creditsBack } from './credits.ts';
import { noInput, readTo, writeTo } from './passed-on.ts';
import { tcaProtocol } from './protocol.ts';

/** The memories behind a host switch. */
export interface HostSwitchInput {
  /** The link that gets the credits back. */
  readonly up: Address;
  readonly cpu: Address;
  readonly gpu: Address;
}

/** The switch of a host: packets it passed on. */
export interface HostSwitchContext {
  readonly spec: HostSwitchInput;
  packets: number;
}

const role = tcaProtocol.roles.HostSwitch;
const { act } = role.component<HostSwitchContext>();

/** The PCIe switch of a node (TCA specification 5): routes by address among CPU memory and GPU memory. */
export const hostSwitch = setup({
  types: role.types<HostSwitchContext, HostSwitchInput>(),
  actions: {
    route: act((c, packet, out) => {
      const { region } = placeOf(packet.addr);
      if (region === 'chip') throw new Error(`EUR: address ${packet.addr} belongs to no memory`);
      c.packets++;
      const to = c.spec[region];
      if (packet.type === 'tlp.write') out.post(writeTo(packet, to, 0, noInput));
      else out.post(readTo(packet, to, 0));
      out.post(creditsBack(c.spec.up, packet, 0));
    }),
  },
}).createMachine({
  id: 'hostSwitch',
  context: ({ input }) => ({ spec: input, packets: 0 }),
  initial: 'routing',
  states: { routing: { on: { 'tlp.read': { actions: 'route' }, 'tlp.write': { actions: 'route' } } } },
});
