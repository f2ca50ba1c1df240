import { busName, cellProperty, nameOfDma } from './context.ts';

interface Memory {
  /** By initiator and id of a request: the command that its bytes need. */
  readonly needed: Record<number, Record<number, Command>>;
  /** Commands of this cycle whose byte has not moved yet, in their order. */
  sent: Command[];
}

/** Every byte follows a command of its own in the same cycle, and there are no others (Cell specification 7 and 12, CK-13, CK-15). */
export const oneCommandBeforeEachByte = cellProperty(
  'each byte follows one command of its own in the same cycle',
  ['REQ', 'CMD', 'RD', 'BARRIER'],
  (): Memory => ({ needed: {}, sent: [] }),
  () => ({
    // The commands for a byte name the module whose request it belongs to.
    about: (event) => (event.type === 'BARRIER' ? undefined : event.spu),
    judges: (event) => event.type !== 'BARRIER' && !('by' in event && event.by === 'spu'),
    see(memory, event, found) {
      const { needed, sent } = memory;
      if (event.type === 'REQ') {
        needed[event.spu] ??= {};
        needed[event.spu]![event.id] = commandOf(event.kind, event.spu, event.peer);
      } else if (event.type === 'CMD') {
        const command = commandOf(event.cmd, event.spu, event.dest);
        let at = sent.length;
        while (at > 0 && sent[at - 1]! > command) at--;
        sent.splice(at, 0, command);
      } else if (event.type === 'BARRIER') {
        if (sent.length === 0) return;
        for (const command of sent.map(textOf).sort())
          found([busName], `the command ${command} in cycle ${event.t} has no byte`);
        memory.sent = [];
      } else if (event.by === 'dma') {
        const command = needed[event.spu]?.[event.id];
        const at = command === undefined ? -1 : sent.indexOf(command);
        if (at >= 0) sent.splice(at, 1);
        else
          found(
            [nameOfDma(event.spu), busName],
            `a byte of request ${event.id} of SPU ${event.spu} moves in cycle ${event.t} without the command ${command === undefined ? command : textOf(command)}`,
          );
      }
    },
  }),
);

/** A command as one number: its kind, who sends it, and to whom. */
type Command = number;

/** More than there are modules. */
const span = 4096;

const commandOf = (kind: 'get' | 'put', spu: number, dest: number): Command =>
  ((kind === 'get' ? 0 : 1) * span + spu) * span + dest;

const textOf = (command: Command): string => {
  const [kind, spu] = [Math.floor(command / span / span), Math.floor(command / span) % span];
  return `${kind === 0 ? 'get' : 'put'} from module ${spu} to module ${command % span}`;
};
