import {
  byName,
  isHostSwitch,
  isLink,
  isRouter,
  nameOfWrite,
  type TcaKnown,
  tcaProperty,
} from './context.ts';
import { mustEnd } from './left-over.ts';

/** Bytes of a data credit (TCA specification 4). */
const creditBytes = 16;

/** What a sender has used of the room of the port at its far end, as the receiver sees it. */
interface Held {
  writes: number;
  units: number;
  reads: number;
}

/** What arrived and was not given back lies between nothing and the room of the port, and all comes back (TCA specification 19, I8). */
export const creditsComeBack = ({ config: { room } }: TcaKnown) =>
  tcaProperty({
    sentence: 'a port never holds more than it gave credits for, and gives all of them back',
    watches: ['tlp.read', 'tlp.write', 'fc.update'],
    // By sender.
    begin: (): Record<string, Held> => ({}),
    see(ports, { from, to, event }, found, met) {
      const isCredit = event.type === 'fc.update';
      if (!isCredit && !(isSender(from) && (isRouter(to) || isHostSwitch(to)))) return;
      const sender = isCredit ? to : from;
      // A port that is never empty gives back what it holds all the same.
      if (isCredit) met?.(sender);
      ports[sender] ??= { writes: 0, units: 0, reads: 0 };
      const held = ports[sender];
      if (event.type === 'tlp.read') held.reads++;
      else if (event.type === 'tlp.write') {
        held.writes++;
        held.units += Math.ceil(event.data.length / creditBytes);
      } else if (event.kind === 'NP') held.reads -= event.headers;
      else if (event.kind === 'P') {
        held.writes -= event.headers;
        held.units -= event.units;
      }
      const { writeHeaders, writeUnits, readHeaders } = room;
      if (
        isWithin(held.writes, writeHeaders) &&
        isWithin(held.units, writeUnits) &&
        isWithin(held.reads, readHeaders)
      )
        return;
      const after =
        event.type === 'tlp.read'
          ? `the read with tag ${event.tag}`
          : event.type === 'tlp.write'
            ? nameOfWrite(event)
            : `credits of ${from}`;
      for (const [what, count, most] of [
        ['writes', held.writes, writeHeaders],
        ['units of data', held.units, writeUnits],
        ['reads', held.reads, readHeaders],
      ] as const)
        if (!isWithin(count, most)) found([sender], `${count} ${what} of ${most} are held after ${after}`);
    },
    ...mustEnd(
      'has not given all back',
      'ports have not given all credits back',
      (ports: Record<string, Held>) =>
        byName(ports)
          .filter(([, { writes, units, reads }]) => writes !== 0 || units !== 0 || reads !== 0)
          .map(([who, { writes, units, reads }]) => ({
            who,
            what: `the port behind ${who}, with credits for ${writes} writes, ${units} units and ${reads} reads,`,
            key: who,
          })),
    ),
  });

const isWithin = (count: number, most: number): boolean => count >= 0 && count <= most;

const isSender = (name: string): boolean => isLink(name) || name.endsWith('.PioWindow');
