import { judged, property } from '../property.ts';
import { busName, type CellContext, nameOfDma, shown } from './context.ts';

/** Every byte follows a command of its own in the same cycle, and there are no others (Cell specification 7 and 12, CK-13, CK-15). */
export const oneCommandBeforeEachByte = property<CellContext>(
  'each byte follows one command of its own in the same cycle',
  (run) =>
    judged(shown(run, 'REQ', 'CMD', 'RD', 'BARRIER'), (found) => {
      /** The command that a request's bytes need. */
      const needed = new Map<string, string>();
      /** Commands of this cycle whose byte has not moved yet. */
      const sent: string[] = [];
      const commandOf = (kind: string, spu: number, dest: number) =>
        `${kind} from module ${spu} to module ${dest}`;
      return {
        see(event) {
          if (event.type === 'REQ')
            needed.set(`${event.spu} ${event.id}`, commandOf(event.kind, event.spu, event.peer));
          else if (event.type === 'CMD') sent.push(commandOf(event.cmd, event.spu, event.dest));
          else if (event.type === 'BARRIER') {
            for (const command of sent)
              found([busName], `the command ${command} in cycle ${event.t} has no byte`);
            sent.length = 0;
          } else if (event.by === 'dma') {
            const command = needed.get(`${event.spu} ${event.id}`);
            const at = command === undefined ? -1 : sent.indexOf(command);
            if (at >= 0) sent.splice(at, 1);
            else
              found(
                [nameOfDma(event.spu), busName],
                `a byte of request ${event.id} of SPU ${event.spu} moves in cycle ${event.t} without the command ${command}`,
              );
          }
        },
      };
    }),
);
