import type { HostMemoryContext } from '../../actors/tca/host-memory.ts';
import type { HostSwitchContext } from '../../actors/tca/host-switch.ts';
import type { LinkContext } from '../../actors/tca/link.ts';
import type { LinkTurn, MemoryRead, MemoryWrite, Packet } from '../../actors/tca/messages.ts';
import type { PioWindowContext } from '../../actors/tca/pio-window.ts';
import { arbitrate, type RouterContext } from '../../actors/tca/router.ts';
import { component } from '../../kernel/kit.ts';
import type { Post } from '../../kernel/message.ts';
import type { Mutant } from '../mutant.ts';
import { altered, planted, recipeOf } from '../planting.ts';
import type { TcaParts } from './assembly.ts';

const wire = component<LinkContext, Packet | LinkTurn>();
const chip = component<RouterContext, MemoryWrite>();
const host = component<HostSwitchContext, MemoryWrite>();
const window = component<PioWindowContext, MemoryWrite>();
const memory = component<HostMemoryContext, MemoryRead>();

const withRouter = (
  parts: TcaParts,
  ports: (c: RouterContext, packet: MemoryWrite) => RouterContext['spec']['ports'],
): TcaParts => {
  const forward = recipeOf<RouterContext, MemoryWrite>(parts.router, 'receive');
  return {
    ...parts,
    router: planted(parts.router, {
      actions: {
        receive: chip.act<'tlp.write'>((c, packet, out) => {
          const { spec } = c;
          const misled = c as { spec: RouterContext['spec'] };
          misled.spec = { ...spec, ports: ports(c, packet) };
          forward(c, packet, out);
          misled.spec = spec;
        }),
      },
    }),
  };
};

/** Planted faults of links, routers, host switches and memories, by id (TCA specification 19, 21 A7). */
export const wireMutants: readonly (readonly [string, Mutant<TcaParts>])[] = [
  [
    'T-06',
    {
      sentence: 'a link sends notify words before the writes that wait',
      mutate: (parts) => ({
        ...parts,
        link: planted(parts.link, {
          actions: {
            queue: wire.update<Packet['type']>((c, packet) => {
              if (packet.type === 'tlp.write' && packet.data.length === 8) c.queue.unshift(packet);
              else c.queue.push(packet);
            }),
          },
        }),
      }),
    },
  ],
  [
    'T-07',
    {
      sentence: 'writes to a GPU do not wait until it has emptied its buffer',
      mutate: (parts) => ({
        ...parts,
        link: planted(parts.link, {
          actions: {
            lookAtHead: wire.update((c, _event, { now }) => {
              c.fitsAt = now;
            }),
          },
        }),
      }),
    },
  ],
  [
    'T-08',
    {
      sentence: 'a memory answers with the bytes beside those that were asked for',
      mutate: (parts) => {
        const read = recipeOf<HostMemoryContext, MemoryRead>(parts.hostMemory, 'read');
        return {
          ...parts,
          hostMemory: planted(parts.hostMemory, {
            actions: {
              read: memory.act<'tlp.read'>((c, event, out) =>
                read(c, { ...event, addr: event.addr + 4 }, out),
              ),
            },
          }),
        };
      },
    },
  ],
  [
    'T-09',
    {
      sentence: 'routers send everything westward round the ring',
      mutate: (parts) =>
        withRouter(parts, ({ spec: { ports, links } }) =>
          ports.map((port) => (port === 'E' && links.W ? 'W' : port)),
        ),
    },
  ],
  [
    'T-10',
    {
      sentence: 'one packet in eight that has arrived goes round the ring once more',
      mutate: (parts) =>
        withRouter(parts, ({ spec: { ports, links, node }, routed }, { source }) =>
          source !== node && links.E && (routed.E + routed.N) % 8 === 7
            ? ports.map((port) => (port === 'N' ? 'E' : port))
            : ports,
        ),
    },
  ],
  [
    'T-13',
    {
      sentence: 'a link begins with a packet while half of the one before is still to be sent',
      mutate: (parts) => {
        const send = recipeOf<LinkContext>(parts.link, 'send');
        const early = (one: Post): Post => {
          const half = Math.ceil((one.delay ?? 0) / 2);
          return one.type === 'link.turn' ? ({ ...one, delay: half } as Post) : one;
        };
        return {
          ...parts,
          link: planted(parts.link, {
            actions: {
              send: wire.act((c, event, out) =>
                send(
                  c,
                  event,
                  altered(out, (one) => [early(one)]),
                ),
              ),
            },
          }),
        };
      },
    },
  ],
  [
    'T-14',
    {
      sentence: 'a packet begins to go round a ring without leaving room behind: no bubble rule',
      mutate: (parts) => ({
        ...parts,
        router: planted(parts.router, {
          actions: { arbitrate: chip.act((c, _event, out) => arbitrate(c, out, () => 1)) },
        }),
      }),
    },
  ],
  [
    'T-15',
    {
      sentence: 'a host keeps the data credits of every eighth packet',
      mutate: (parts) => {
        const route = recipeOf<HostSwitchContext, MemoryWrite>(parts.hostSwitch, 'route');
        return {
          ...parts,
          hostSwitch: planted(parts.hostSwitch, {
            actions: {
              route: host.act((c, event, out) =>
                route(
                  c,
                  event,
                  altered(out, (one) =>
                    one.type === 'fc.update' && c.packets % 8 === 0 ? [{ ...one, units: 0 } as Post] : [one],
                  ),
                ),
              ),
            },
          }),
        };
      },
    },
  ],
  [
    'T-16',
    {
      sentence: 'the PIO window sends the newest of the stores that wait',
      mutate: (parts) => ({
        ...parts,
        pioWindow: planted(parts.pioWindow, {
          actions: {
            store: window.update<'tlp.write'>((c, packet) => {
              c.queue.unshift(packet);
            }),
          },
        }),
      }),
    },
  ],
];
