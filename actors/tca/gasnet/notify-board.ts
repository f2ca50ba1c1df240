import { setup } from 'xstate';
import type { Address } from '../../../kernel/message.ts';
import { channels } from '../parameters.ts';
import type { TcaMessage, TcaOutbox } from '../protocol.ts';
import { tcaProtocol } from '../protocol.ts';
import { boardSlots, ringClasses } from './layout.ts';

/** Whose words the board holds; senders and receivers by peer and class of ring. */
export interface NotifyBoardInput {
  readonly node: number;
  readonly senders: readonly (readonly Address[])[];
  readonly receivers: readonly (readonly Address[])[];
  readonly planner: Address;
  readonly runtime: Address;
}

/** The words of the board that were written, by source and slot. */
export interface NotifyBoardContext {
  readonly spec: NotifyBoardInput;
  words: Record<string, number>;
}

const role = tcaProtocol.roles.NotifyBoard;
const { act } = role.component<NotifyBoardContext>();

function tell(
  c: NotifyBoardContext,
  { source, slot, value }: TcaMessage<'flag.set'>,
  out: TcaOutbox<'NotifyBoard'>,
): void {
  const { node, senders, receivers, planner, runtime } = c.spec;
  if (slot < channels && source === node)
    for (const to of [planner, runtime]) out.post({ to, type: 'self.notified', channel: slot, count: value });
  else if (slot < channels)
    for (const to of receivers[source]!) out.post({ to, type: 'ring.part', channel: slot, count: value });
  else if (slot === boardSlots.exit) out.post({ to: runtime, type: 'job.exit', code: value - 1 });
  else
    for (const ring of ringClasses) {
      if (slot === boardSlots.head(ring))
        out.post({ to: receivers[source]![ring]!, type: 'ring.head', head: value });
      if (slot === boardSlots.freed(ring))
        out.post({ to: senders[source]![ring]!, type: 'ring.freed', freed: value });
    }
}

/**
 * The notify board of a node (TCA specification 9, 15): words that other nodes write, each a count that only grows, handed to those whom they
 * concern.
 */
export const notifyBoard = setup({
  types: role.types<NotifyBoardContext, NotifyBoardInput>(),
  actions: {
    note: act<'flag.set'>((c, flag, out) => {
      c.words[`${flag.source} ${flag.slot}`] = flag.value;
      tell(c, flag, out);
    }),
  },
}).createMachine({
  id: 'notifyBoard',
  context: ({ input }) => ({ spec: input, words: {} }),
  initial: 'watching',
  states: { watching: { on: { 'flag.set': { actions: 'note' } } } },
});
