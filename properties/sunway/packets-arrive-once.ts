import type { PacketArrive, PacketEnter } from '../../actors/sunway/network/packet.ts';
import { type Found, together } from '../../kernel/explore/observer.ts';
import { groupIn, isRouter, sunwayProperty } from './context.ts';

/** The bit of a target by the name of who takes its packets: 16 clusters, then the gateways of the rows (Sunway specification 2.1). */
function bitOf(name: string): number {
  const [, kind, index] = /\.(Tbox|Paiu)\[(\d+)\]$/.exec(name) ?? [];
  return kind === undefined ? 0 : 2 ** (Number(index) + (kind === 'Paiu' ? 16 : 0));
}

/** Bytes of what a packet carries, in flits of 16 behind two of a header (Sunway specification 8.5). */
function flitsFor({ content }: PacketEnter['packet']): number {
  const data = 'data' in content ? content.data : null;
  return 2 + Math.ceil((data?.length ?? 0) / 16);
}

interface Memory {
  /** By router and packet: the targets that it still has to pass it on to. */
  readonly inside: Record<string, number>;
}

/** A packet goes on towards some of its targets; what is wrong with that. */
function leave({ inside }: Memory, key: string, { packet }: PacketEnter | PacketArrive): string | undefined {
  const held = inside[key] ?? 0;
  const left = held & ~packet.targets;
  if (left === 0) delete inside[key];
  else inside[key] = left;
  return (packet.targets & ~held) === 0
    ? undefined
    : `packet ${packet.id} leaves for targets that it did not come for, or has left for`;
}

/** No router drops a packet or makes one too many: what comes in goes out once towards each of its targets, with all its flits (Sunway specification 12, P19). */
export const packetsArriveOnce = sunwayProperty(
  'a router passes every packet on once towards each of its targets, with all its flits',
  ['packet.enter', 'packet.arrive'],
  () => ({
    begin: (): Memory => ({ inside: {} }),
    see(memory: Memory, event, to, from) {
      const { packet } = event;
      const { inside } = memory;
      const all: Found[] = [];
      const found = (actor: string, why: string): void => void all.push({ actors: [actor], why });
      const needed = flitsFor(packet);
      if (packet.flits !== needed)
        found(from, `packet ${packet.id} has ${packet.flits} flits, its bytes need ${needed}`);
      const group = groupIn(to);
      const wrong = isRouter(from) ? leave(memory, `${from} ${group} ${packet.id}`, event) : undefined;
      if (wrong !== undefined) found(from, wrong);
      if (event.type === 'packet.enter') {
        const key = `${to} ${group} ${packet.id}`;
        if (key in inside) found(to, `packet ${packet.id} comes again`);
        inside[key] = (inside[key] ?? 0) | packet.targets;
      } else if (packet.targets !== bitOf(to))
        found(to, `packet ${packet.id} comes to one who is not its only target left`);
      return together(all);
    },
    pending: ({ inside }: Memory) =>
      Object.keys(inside)
        .sort()
        .map((key) => {
          const [router, , id] = key.split(' ');
          return { key, actors: [router!], why: `packet ${id} has not gone on to all its targets` };
        }),
  }),
);
