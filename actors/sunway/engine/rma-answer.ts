import { setup } from 'xstate';
import { component } from '../../../kernel/kit.ts';
import { waitingFor } from '../../../kernel/outcome.ts';
import { type Fixed, fixed } from '../../../kernel/resource.ts';
import { spcDistance } from '../array/identity.ts';
import type { LdmRead, LdmWrite, ReplyIncrement, RmaData, RmaRead } from '../messages.ts';
import { arrival, engineSlot } from '../timing/rma-time.ts';
import { wholeCycles } from '../timing/thousandths.ts';
import { count, readLdm } from './ldm-access.ts';
import { answerTo } from './rma-messages.ts';
import type { TboxInput } from './tbox-input.ts';
import type { AnswerEvent, AnswerSays } from './within.ts';

/** The answer to a get of another engine: bytes of a CPE of this cluster. Then its place is free for another one. */
export interface RmaAnswerContext {
  readonly spec: Fixed<TboxInput>;
  /** Null while the place is free. */
  request: RmaRead | null;
  jitter: number;
  /** When the last byte leaves the engine, in thousandths. */
  end: number;
}

const { act, update, post } = component<
  RmaAnswerContext,
  AnswerEvent,
  AnswerSays | LdmRead | LdmWrite | ReplyIncrement | RmaData
>();

/** One RMA_READ at the engine beside the CPE that is read (specification 8.4): streamed back when this engine is free. */
export const rmaAnswer = setup({
  types: {} as { context: RmaAnswerContext; events: AnswerEvent; input: TboxInput },
  actions: {
    takeSlot: act<'answer.open'>((c, { request, jitter, freeAt }, out) => {
      const { timing, self: to } = c.spec.value;
      const { transfer, ready, len } = request;
      const { end } = engineSlot(timing, freeAt, ready, len);
      c.request = request;
      c.jitter = jitter;
      c.end = end;
      const wake = { step: 'readForeign', cycle: wholeCycles(end) + jitter - 1 } as const;
      out.post({ to, type: 'answer.begun', transfer, freeAt: end, wake });
    }),
    readSource: act((c, _event, out) => {
      const { transfer, tid, offset, len } = c.request!;
      readLdm(c, tid, offset, len, transfer, out);
    }),
    countRemote: act((c, _event, out) => {
      const { transfer, tid, reply } = c.request!;
      count(c, tid, reply, transfer, 'remote', out);
    }),
    sendBytes: post<'transfer.source'>((c, { data }, { now }) => {
      const { tid, issuer, engine } = c.request!;
      const distance = spcDistance(tid, issuer);
      const there = wholeCycles(arrival(c.spec.value.timing, c.end, distance)) + c.jitter;
      return { to: engine, ...answerTo(c.request!, 0, data, true), delay: Math.max(1, there - now) };
    }),
    end: post((c) => ({ to: c.spec.value.self, type: 'answer.over', transfer: c.request!.transfer })),
    clear: update((c) => {
      c.request = null;
      c.jitter = 0;
      c.end = 0;
    }),
  },
}).createMachine({
  id: 'rmaAnswer',
  context: ({ input }) => ({ spec: fixed(input), request: null, jitter: 0, end: 0 }),
  initial: 'free',
  states: {
    free: { on: { 'answer.open': { target: 'streaming', actions: 'takeSlot' } } },
    streaming: { on: { 'transfer.turn': { target: 'reading', actions: 'readSource' } } },
    reading: {
      ...waitingFor<RmaAnswerContext>('its source to be read', (c) => c.spec.value.ldms[c.request!.tid]!),
      on: {
        'transfer.source': { target: 'free', actions: ['countRemote', 'sendBytes', 'end', 'clear'] },
      },
    },
  },
});
