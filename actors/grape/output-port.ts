import { setup } from 'xstate';
import { refused } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';
import { hostWords } from './host-words.ts';
import { type GrapeMessage, grapeProtocol } from './protocol.ts';

/** Whom the output port sends to, and how long a word takes. */
export interface OutputInput {
  readonly host: Address;
  readonly outCycles: number;
}

/** The output port: its queue to the host, and how many words went through it. */
export interface OutputContext {
  readonly spec: OutputInput;
  queue: GrapeMessage<'out.word'>[];
  words: number;
}

const role = grapeProtocol.roles.OutputPort;
const { act, update, when } = role.component<OutputContext>();

/** The output port (GRAPE specification 6.1, OUT): converts reduced words and sends them to the host, one every `outCycles` cycles. */
export const outputPort = setup({
  types: role.types<OutputContext, OutputInput>(),
  guards: { hasMore: when(({ queue }) => queue.length > 0) },
  actions: {
    keep: update<'out.word'>((c, event) => {
      c.queue.push(event);
    }),
    begin: act(({ spec }, _event, out) => {
      out.post({ to: out.self, type: 'out.end', delay: spec.outCycles });
    }),
    send: act((c, _event, out) => {
      const { word, op, conv } = c.queue.shift()!;
      c.words++;
      out.post({ to: c.spec.host, type: 'host.result', bits: hostWords(conv, op, word), word, conv });
    }),
  },
}).createMachine({
  id: 'outputPort',
  context: ({ input }) => ({ spec: input, queue: [], words: 0 }),
  on: { 'out.word': { actions: 'keep' } },
  initial: 'idle',
  states: {
    idle: {
      always: { guard: 'hasMore', target: 'converting', actions: 'begin' },
      on: { 'out.end': refused },
    },
    converting: { on: { 'out.end': { target: 'idle', actions: 'send' } } },
  },
});
