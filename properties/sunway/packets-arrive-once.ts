import type { PacketArrive, PacketEnter } from '../../actors/sunway/network/packet.ts';
import { judged, property } from '../property.ts';
import { groupIn, isRouter, type SunwayPropertyContext, said } from './context.ts';

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

/** No router drops a packet or makes one too many: what comes in goes out once towards each of its targets, with all its flits (Sunway specification 12, P19). */
export const packetsArriveOnce = property<SunwayPropertyContext>(
  'a router passes every packet on once towards each of its targets, with all its flits',
  (run) =>
    judged(said(run, 'packet.enter', 'packet.arrive'), (found) => {
      /** By router and packet: the targets that it still has to pass it on to. */
      const inside = new Map<string, number>();
      const leave = (router: string, group: number, { packet }: PacketEnter | PacketArrive): void => {
        const key = `${router} ${group} ${packet.id}`;
        const held = inside.get(key) ?? 0;
        if ((packet.targets & ~held) !== 0)
          found([router], `packet ${packet.id} leaves for targets that it did not come for, or has left for`);
        const left = held & ~packet.targets;
        if (left === 0) inside.delete(key);
        else inside.set(key, left);
      };
      return {
        see({ from, to, event }) {
          const { packet } = event;
          const group = groupIn(to);
          if (packet.flits !== flitsFor(packet))
            found(
              [from],
              `packet ${packet.id} has ${packet.flits} flits, its bytes need ${flitsFor(packet)}`,
            );
          if (isRouter(from)) leave(from, group, event);
          if (event.type === 'packet.enter') {
            const key = `${to} ${group} ${packet.id}`;
            if (inside.has(key)) found([to], `packet ${packet.id} comes again`);
            inside.set(key, (inside.get(key) ?? 0) | packet.targets);
          } else if (packet.targets !== bitOf(to))
            found([to], `packet ${packet.id} comes to one who is not its only target left`);
        },
        end() {
          if (!run.quiet) return;
          for (const key of inside.keys()) {
            const [router, , id] = key.split(' ');
            found([router!], `packet ${id} has not gone on to all its targets`);
          }
        },
      };
    }),
);
