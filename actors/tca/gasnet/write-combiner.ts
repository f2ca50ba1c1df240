import { setup } from 'xstate';
import type { Address } from '../../../kernel/message.ts';
import { inSubTicks, type TcaParameters } from '../parameters.ts';
import type { TcaMessage } from '../protocol.ts';
import { tcaProtocol } from '../protocol.ts';

/** The write-combining buffer of a processor for stores into other nodes. */
export interface WriteCombinerInput {
  readonly node: number;
  readonly router: Address;
  readonly parameters: Pick<TcaParameters, 'pioStoreFlush' | 'mmioWriteLatency'>;
}

/** Stores that are not committed yet, the first one being flushed. */
export interface WriteCombinerContext {
  readonly spec: WriteCombinerInput;
  left: TcaMessage<'pio.store'>['stores'];
  /** Who asked for them; null while nobody does. */
  requester: Address | null;
  seq: number;
}

const role = tcaProtocol.roles.Pio;
const { update, when, act } = role.component<WriteCombinerContext>();

/** Largest store that is one packet (TCA specification 9). */
export const pioBytes = 64;

/** The write-combining buffer through which a processor stores into other nodes (TCA specification 9): a second store waits for the commit of the first. */
export const writeCombiner = setup({
  types: role.types<WriteCombinerContext, WriteCombinerInput>(),
  guards: { more: when((c) => c.left.length > 1) },
  actions: {
    take: update<'pio.store'>((c, { stores }, { from }) => {
      c.left = stores;
      c.requester = from;
    }),
    flush: act((c, _event, out) => {
      const { address: addr, data } = c.left[0]!;
      const { router, node: source } = c.spec;
      const seq = c.seq++;
      const { pioStoreFlush, mmioWriteLatency } = c.spec.parameters;
      const flushed = inSubTicks(pioStoreFlush);
      const delay = flushed + inSubTicks(mmioWriteLatency);
      out.post({ to: router, type: 'tlp.write', addr, data, source, channel: -1, seq, delay });
      if (out.observed) out.probe({ type: 'pio.stored', addr, source, seq });
      out.post({ to: out.self, type: 'pio.turn', delay: flushed });
    }),
    next: update((c) => {
      c.left = c.left.slice(1);
    }),
    tell: act((c, _event, out) => {
      c.left = [];
      out.post({ to: c.requester!, type: 'pio.done' });
      c.requester = null;
    }),
  },
}).createMachine({
  id: 'writeCombiner',
  context: ({ input }) => ({ spec: input, left: [], requester: null, seq: 0 }),
  initial: 'idle',
  states: {
    idle: { on: { 'pio.store': { target: 'flushing', actions: ['take', 'flush'] } } },
    flushing: {
      on: {
        'pio.turn': [
          { guard: 'more', actions: ['next', 'flush'] },
          { target: 'idle', actions: 'tell' },
        ],
      },
    },
  },
});
