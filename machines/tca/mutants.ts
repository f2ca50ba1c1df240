import type { DmacContext } from '../../actors/tca/dmac.ts';
import type { HostMemoryContext } from '../../actors/tca/host-memory.ts';
import type { HostSwitchContext } from '../../actors/tca/host-switch.ts';
import type { LinkContext } from '../../actors/tca/link.ts';
import type {
  Completion,
  InternalRead,
  LinkTurn,
  MemoryRead,
  MemoryWrite,
  Packet,
  TagGrant,
  TagRelease,
  TagTake,
} from '../../actors/tca/messages.ts';
import { subTicks } from '../../actors/tca/parameters.ts';
import type { PioWindowContext } from '../../actors/tca/pio-window.ts';
import { arbitrate, type RouterContext } from '../../actors/tca/router.ts';
import type { TagPoolContext } from '../../actors/tca/tag-pool.ts';
import { component } from '../../kernel/kit.ts';
import type { Post } from '../../kernel/message.ts';
import type { Mutant, Mutants } from '../mutant.ts';
import { altered, planted, recipeOf } from '../planting.ts';
import type { TcaParts } from './assembly.ts';
import { conformanceMutants } from './conformance-mutants.ts';
import { gasnetMutants } from './gasnet-mutants.ts';

const dma = component<DmacContext, Completion | InternalRead | TagGrant>();
const wire = component<LinkContext, Packet | LinkTurn>();
const pool = component<TagPoolContext, TagTake | TagRelease>();
const chip = component<RouterContext, MemoryWrite>();
const host = component<HostSwitchContext, MemoryWrite>();
const window = component<PioWindowContext, MemoryWrite>();
const memory = component<HostMemoryContext, MemoryRead>();

/** A tag that no pool has. */
const noTag = -1;

const atHand = (c: DmacContext) => c.chain[c.descriptor];

/** Puts the read with this tag first in the reorder buffer once these bytes make it whole. */
function hurry(c: DmacContext, tag: number, bytes: number): void {
  const at = c.slots.findIndex((slot) => slot.tag === tag && slot.arrived < slot.bytes.length);
  const slot = c.slots[at];
  if (slot === undefined || slot.arrived + bytes < slot.bytes.length) return;
  c.slots.splice(at, 1);
  c.slots.unshift(slot);
}

const withDmac = (parts: TcaParts, changes: Parameters<typeof planted>[1]): TcaParts => ({
  ...parts,
  dmac: planted(parts.dmac, changes),
});

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

/** Planted faults of TCA nodes, by id (TCA specification 19, 21 A7). */
export const tcaMutants: Mutants<TcaParts> = new Map<string, Mutant<TcaParts>>([
  [
    'T-01',
    {
      sentence: 'a descriptor is fetched without a free tag',
      mutate: (parts) =>
        withDmac(parts, {
          guards: { noTag: dma.when((c) => c.free === 0 && c.read < c.reads.length) },
        }),
    },
  ],
  [
    'T-02',
    {
      sentence: 'a notify word is read without a tag',
      mutate: (parts) => {
        const takeTag = recipeOf<DmacContext>(parts.dmac, 'takeTag');
        const takeWord = recipeOf<DmacContext, InternalRead>(parts.dmac, 'takeWord');
        return withDmac(parts, {
          guards: {
            noTag: dma.when((c) => c.free === 0 && !(c.read < c.reads.length && atHand(c)?.data)),
          },
          actions: {
            takeTag: dma.act((c, event, out) => {
              if (atHand(c)?.data) out.post({ to: c.spec.self, type: 'tag.grant', tag: noTag, at: c.now });
              else takeTag(c, event, out);
            }),
            takeWord: dma.act<'dmac.internal'>((c, event, out) =>
              takeWord(
                c,
                event,
                altered(out, (one) => (isReleaseOf(one, noTag) ? [] : [one])),
              ),
            ),
          },
        });
      },
    },
  ],
  [
    'T-03',
    {
      sentence: 'reads retire as their bytes come, not in the order of the requests',
      mutate: (parts) => {
        const takeBytes = recipeOf<DmacContext, Completion>(parts.dmac, 'takeBytes');
        return withDmac(parts, {
          actions: {
            takeBytes: dma.act<'tlp.completion'>((c, event, out) => {
              hurry(c, event.tag, event.data.length);
              takeBytes(c, event, out);
            }),
          },
        });
      },
    },
  ],
  [
    'T-04',
    {
      sentence: 'the first tag of the chip is lost when it comes back',
      mutate: (parts) => {
        const release = recipeOf<TagPoolContext, TagRelease>(parts.tagPool, 'release');
        return {
          ...parts,
          tagPool: planted(parts.tagPool, {
            actions: {
              release: pool.act<'tag.release'>((c, event, out) => {
                if (event.tag !== 0) release(c, event, out);
              }),
            },
          }),
        };
      },
    },
  ],
  [
    'T-05',
    {
      sentence: 'a tag is handed out while a read has it',
      mutate: (parts) => {
        const grant = recipeOf<TagPoolContext, TagTake>(parts.tagPool, 'grant');
        const release = recipeOf<TagPoolContext, TagRelease>(parts.tagPool, 'release');
        return {
          ...parts,
          tagPool: planted(parts.tagPool, {
            actions: {
              grant: pool.act<'tag.take'>((c, event, out) => {
                const [first] = c.free[event.channel]!;
                grant(c, event, out);
                c.free[event.channel]!.unshift(first!);
              }),
              release: pool.act<'tag.release'>((c, event, out) => {
                c.free[event.channel] = c.free[event.channel]!.filter((tag) => tag !== event.tag);
                release(c, event, out);
              }),
            },
          }),
        };
      },
    },
  ],
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
              c.now = Math.max(c.now, packet.at);
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
            lookAtHead: wire.update((c) => {
              c.fitsAt = c.now;
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
    'T-11',
    {
      sentence: 'the performance counter counts a chain twice',
      mutate: (parts) => {
        const count = recipeOf<DmacContext>(parts.dmac, 'count');
        return withDmac(parts, {
          actions: {
            count: dma.act((c, event, out) => {
              c.finished++;
              count(c, event, out);
            }),
          },
        });
      },
    },
  ],
  [
    'T-12',
    {
      sentence: 'a notify word is written as soon as it is there, before the data of its chain',
      mutate: (parts) => {
        const request = recipeOf<DmacContext, TagGrant>(parts.dmac, 'request');
        const takeWord = recipeOf<DmacContext, InternalRead>(parts.dmac, 'takeWord');
        const atOnce = (one: Post): Post => {
          const at = (one as Post & { readonly at: number }).at - (one.delay ?? 0) + subTicks;
          return one.type === 'dmac.internal' ? ({ ...one, at, delay: subTicks } as Post) : one;
        };
        return withDmac(parts, {
          actions: {
            request: dma.act<'tag.grant'>((c, event, out) =>
              request(
                c,
                event,
                altered(out, (one) => [atOnce(one)]),
              ),
            ),
            takeWord: dma.act<'dmac.internal'>((c, event, out) => {
              hurry(c, event.tag, event.data.length);
              takeWord(c, event, out);
            }),
          },
        });
      },
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
          const at = (one as Post & { readonly at: number }).at - (one.delay ?? 0) + half;
          return one.type === 'link.turn' ? ({ ...one, at, delay: half } as Post) : one;
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
              c.now = Math.max(c.now, packet.at);
            }),
          },
        }),
      }),
    },
  ],
  ...gasnetMutants,
  ...conformanceMutants,
]);

const isReleaseOf = (message: Post, tag: number): boolean =>
  message.type === 'tag.release' && (message as unknown as TagRelease).tag === tag;
