import { judged, property } from '../property.ts';
import { isHostSwitch, isLink, isRouter, nameOfWrite, said, type TcaContext } from './context.ts';
import { LeftOver } from './left-over.ts';

/** Bytes of a data credit (TCA specification 4). */
const creditBytes = 16;

/** What a sender has used of the room of the port at its far end, as the receiver sees it. */
interface Held {
  writes: number;
  units: number;
  reads: number;
}

/** What arrived and was not given back lies between nothing and the room of the port, and all comes back (TCA specification 19, I8). */
export const creditsComeBack = property<TcaContext>(
  'a port never holds more than it gave credits for, and gives all of them back',
  (run, { config }) =>
    judged(said(run, 'tlp.read', 'tlp.write', 'fc.update'), (found) => {
      const { writeHeaders, writeUnits, readHeaders } = config.room;
      const ports = new Map<string, Held>();
      const of = (sender: string): Held => {
        const known = ports.get(sender) ?? { writes: 0, units: 0, reads: 0 };
        ports.set(sender, known);
        return known;
      };
      const judge = (sender: string, { writes, units, reads }: Held, after: string) => {
        const rows = [
          ['writes', writes, writeHeaders],
          ['units of data', units, writeUnits],
          ['reads', reads, readHeaders],
        ] as const;
        for (const [what, held, most] of rows)
          if (held < 0 || held > most) found([sender], `${held} ${what} of ${most} are held after ${after}`);
      };

      return {
        see({ from, to, event }) {
          if (event.type === 'fc.update') {
            const held = of(to);
            if (event.kind === 'NP') held.reads -= event.headers;
            else if (event.kind === 'P') {
              held.writes -= event.headers;
              held.units -= event.units;
            }
            judge(to, held, `credits of ${from}`);
          } else if (isSender(from) && (isRouter(to) || isHostSwitch(to))) {
            const held = of(from);
            if (event.type === 'tlp.read') held.reads++;
            else {
              held.writes++;
              held.units += Math.ceil(event.data.length / creditBytes);
            }
            const what = event.type === 'tlp.read' ? `the read with tag ${event.tag}` : nameOfWrite(event);
            judge(from, held, what);
          }
        },
        end() {
          if (!run.quiet) return;
          const kept = new LeftOver();
          for (const [sender, { writes, units, reads }] of ports)
            if (writes !== 0 || units !== 0 || reads !== 0)
              kept.add(
                sender,
                `the port behind ${sender}, with credits for ${writes} writes, ${units} units and ${reads} reads,`,
              );
          kept.tell('has not given all back', 'ports have not given all credits back', found);
        },
      };
    }),
);

const isSender = (name: string): boolean => isLink(name) || name.endsWith('.PioWindow');
