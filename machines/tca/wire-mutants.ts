import type { HostSwitchContext } from '../../actors/tca/host-switch.ts';
import type { LinkContext } from '../../actors/tca/link.ts';
import type { PioWindowContext } from '../../actors/tca/pio-window.ts';
import type { MemoryWrite, Packet, TcaMessage } from '../../actors/tca/protocol.ts';
import { arbitrate, type RouterContext } from '../../actors/tca/router.ts';
import { component } from '../../kernel/kit.ts';
import { mutantsOf } from '../mutant.ts';
import { plantingIn } from '../planting.ts';
import type { TcaParts } from './assembly.ts';

const wire = component<LinkContext, Packet>();
const chip = component<RouterContext, MemoryWrite>();
const window = component<PioWindowContext, MemoryWrite>();
const { hearing, instead, replace, saying } = plantingIn<TcaParts>();

/** Routers that send packets out at other ports. */
const withPorts = (ports: (c: RouterContext, packet: MemoryWrite) => RouterContext['spec']['ports']) =>
  instead<RouterContext, MemoryWrite>('router', 'receive', (forward, c, packet, out) => {
    const { spec } = c;
    const misled = c as { spec: RouterContext['spec'] };
    misled.spec = { ...spec, ports: ports(c, packet) };
    forward(c, packet, out);
    misled.spec = spec;
  });

/** Planted faults of links, routers, host switches and memories, by id (TCA specification 19, 21 A7). */
export const wireMutants = mutantsOf<TcaParts>({
  'T-06': {
    sentence: 'a link sends notify words before the writes that wait',
    mutate: replace('link', {
      actions: {
        queue: wire.update<Packet['type']>((c, packet) => {
          if (packet.type === 'tlp.write' && packet.data.length === 8) c.queue.unshift(packet);
          else c.queue.push(packet);
        }),
      },
    }),
  },
  'T-07': {
    sentence: 'writes to a GPU do not wait until it has emptied its buffer',
    mutate: replace('link', {
      actions: {
        lookAtHead: wire.update((c, _event, { now }) => {
          c.fitsAt = now;
        }),
      },
    }),
  },
  'T-08': {
    sentence: 'a memory answers with the bytes beside those that were asked for',
    mutate: hearing<TcaMessage<'tlp.read'>>('hostMemory', 'read', (read) => ({
      ...read,
      addr: read.addr + 4,
    })),
  },
  'T-09': {
    sentence: 'routers send everything westward round the ring',
    mutate: withPorts(({ spec: { ports, links } }) =>
      ports.map((port) => (port === 'E' && links.W ? 'W' : port)),
    ),
  },
  'T-10': {
    sentence: 'one packet in eight that has arrived goes round the ring once more',
    mutate: withPorts(({ spec: { ports, links, node }, routed }, { source }) =>
      source !== node && links.E && (routed.E + routed.N) % 8 === 7
        ? ports.map((port) => (port === 'N' ? 'E' : port))
        : ports,
    ),
  },
  'T-13': {
    sentence: 'a link begins with a packet while half of the one before is still to be sent',
    mutate: saying('link', 'send', (message) =>
      message.type === 'link.turn' ? { ...message, delay: Math.ceil((message.delay ?? 0) / 2) } : message,
    ),
  },
  'T-14': {
    sentence: 'a packet begins to go round a ring without leaving room behind: no bubble rule',
    mutate: replace('router', {
      actions: { arbitrate: chip.act((c, _event, out) => arbitrate(c, out, () => 1)) },
    }),
  },
  'T-15': {
    sentence: 'a host keeps the data credits of every eighth packet',
    mutate: saying<HostSwitchContext>('hostSwitch', 'route', (message, c) =>
      message.type === 'fc.update' && c.packets % 8 === 0 ? { ...message, units: 0 } : message,
    ),
  },
  'T-16': {
    sentence: 'the PIO window sends the newest of the stores that wait',
    mutate: replace('pioWindow', {
      actions: {
        store: window.update<'tlp.write'>((c, packet) => {
          c.queue.unshift(packet);
        }),
      },
    }),
  },
});
