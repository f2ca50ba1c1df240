import { busName, cellProperty, nameOfDma } from './context.ts';

interface Memory {
  /** By request: the command that its bytes need. */
  readonly needed: Record<string, string>;
  /** Commands of this cycle whose byte has not moved yet, in alphabetical order. */
  sent: string[];
}

/** Every byte follows a command of its own in the same cycle, and there are no others (Cell specification 7 and 12, CK-13, CK-15). */
export const oneCommandBeforeEachByte = cellProperty(
  'each byte follows one command of its own in the same cycle',
  ['REQ', 'CMD', 'RD', 'BARRIER'],
  (): Memory => ({ needed: {}, sent: [] }),
  () => ({
    // The commands for a byte name the module whose request it belongs to.
    about: (event) => (event.type === 'BARRIER' ? undefined : event.spu),
    see(memory, event, found) {
      const { needed, sent } = memory;
      if (event.type === 'REQ')
        needed[`${event.spu} ${event.id}`] = commandOf(event.kind, event.spu, event.peer);
      else if (event.type === 'CMD') {
        sent.push(commandOf(event.cmd, event.spu, event.dest));
        sent.sort();
      } else if (event.type === 'BARRIER') {
        for (const command of sent)
          found([busName], `the command ${command} in cycle ${event.t} has no byte`);
        memory.sent = [];
      } else if (event.by === 'dma') {
        const command = needed[`${event.spu} ${event.id}`];
        const at = command === undefined ? -1 : sent.indexOf(command);
        if (at >= 0) sent.splice(at, 1);
        else
          found(
            [nameOfDma(event.spu), busName],
            `a byte of request ${event.id} of SPU ${event.spu} moves in cycle ${event.t} without the command ${command}`,
          );
      }
    },
  }),
);

const commandOf = (kind: string, spu: number, dest: number) => `${kind} from module ${spu} to module ${dest}`;
