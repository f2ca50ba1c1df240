import { setup } from 'xstate';
import { component } from '../../../../kernel/kit.ts';
import { waitingFor } from '../../../../kernel/outcome.ts';
import { type Fixed, fixed } from '../../../../kernel/resource.ts';
import { spcOf } from '../../array/identity.ts';
import type { LdmRead, ReplyIncrement, RmaRead } from '../../messages.ts';
import { clusterBit } from '../../network/packet.ts';
import { perCycle, thousandths, wholeCycles } from '../../timing/thousandths.ts';
import { count, readLdm } from '../ldm-access.ts';
import { answerTo } from '../rma-messages.ts';
import type { TboxInput } from '../tbox-input.ts';
import { askForPackets, type Streaming, takePacket, takeSlot } from './streaming.ts';
import type { FlitAnswerEvent, FlitAnswerSays } from './within.ts';

/** The answer to a get of another engine: bytes of a CPE of this cluster, packet by packet. Then its place is free for another one. */
export interface FlitAnswerContext {
  readonly spec: Fixed<TboxInput>;
  /** Null while the place is free. */
  request: RmaRead | null;
  source: Streaming | null;
}

const { act, update, when } = component<
  FlitAnswerContext,
  FlitAnswerEvent,
  FlitAnswerSays | LdmRead | ReplyIncrement
>();

/** One RMA_READ at the engine beside the CPE that is read, where packets are sent (specification 8.4): streamed back when this engine is free. */
export const flitAnswer = setup({
  types: {} as { context: FlitAnswerContext; events: FlitAnswerEvent; input: TboxInput },
  guards: {
    takesLast: when<'transfer.source'>((c, { data }) => c.source!.come + data.length === c.source!.len),
  },
  actions: {
    takeSlot: act<'answer.open'>((c, { request, jitter, freeAt: free }, out) => {
      const { timing, self: to } = c.spec.value;
      const ready = out.now * perCycle + thousandths(timing.flit.getTurnaround);
      const { freeAt, source } = takeSlot(timing, free, ready, request.len, jitter);
      c.request = request;
      c.source = source;
      const wake = { step: 'streamForeign', offset: 0, cycle: wholeCycles(source.start) } as const;
      out.post({ to, type: 'foreign.begun', transfer: request.transfer, freeAt, wake });
    }),
    readPackets: act((c, _event, out) => {
      const { transfer, tid, offset: first } = c.request!;
      const { timing, self: to } = c.spec.value;
      const source = c.source!;
      const cycle = askForPackets(timing, source, out.now, (offset, bytes) =>
        readLdm(c, tid, first + offset, bytes, transfer, out),
      );
      const wake = { step: 'streamForeign', offset: source.asked, cycle } as const;
      if (cycle < 0) out.post({ to, type: 'transfer.noted' });
      else out.post({ to, type: 'transfer.waits', transfer, wake });
    }),
    countRemote: act((c, _event, out) => {
      const { transfer, tid, reply } = c.request!;
      count(c, tid, reply, transfer, 'remote', out);
    }),
    sendPacket: act<'transfer.source'>((c, { data }, out) => {
      const { transfer, issuer } = c.request!;
      const source = c.source!;
      const offset = takePacket(source, data.length);
      const last = source.come === source.len;
      const content = answerTo(c.request!, offset, data, last);
      out.post({
        to: c.spec.value.self,
        type: 'answer.sends',
        transfer,
        out: { content, targets: clusterBit(spcOf(issuer)) },
        last,
      });
    }),
    clear: update((c) => {
      c.request = null;
      c.source = null;
    }),
  },
}).createMachine({
  id: 'flitAnswer',
  context: ({ input }) => ({ spec: fixed(input), request: null, source: null }),
  initial: 'free',
  states: {
    free: { on: { 'answer.open': { target: 'streaming', actions: 'takeSlot' } } },
    streaming: {
      ...waitingFor<FlitAnswerContext>('its source to be read', (c) => c.spec.value.ldms[c.request!.tid]!),
      on: {
        'transfer.stream': { actions: 'readPackets' },
        'transfer.source': [
          { guard: 'takesLast', target: 'free', actions: ['countRemote', 'sendPacket', 'clear'] },
          { actions: 'sendPacket' },
        ],
      },
    },
  },
});
