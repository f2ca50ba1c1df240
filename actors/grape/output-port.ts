import { setup } from 'xstate';
import type { Address } from '../../kernel/message.ts';
import { hostWords } from './host-words.ts';
import { grapeProtocol } from './protocol.ts';

/** Whom the output port sends to. */
export interface OutputInput {
  readonly host: Address;
}

/** The output port: how many words went through it. */
export interface OutputContext {
  readonly spec: OutputInput;
  words: number;
}

const role = grapeProtocol.roles.OutputPort;
const { act } = role.component<OutputContext>();

/** The output port (GRAPE specification 6.1, OUT): converts reduced words and sends them to the host. */
export const outputPort = setup({
  types: role.types<OutputContext, OutputInput>(),
  actions: {
    send: act<'out.word'>((c, { word, op, conv }, out) => {
      c.words++;
      out.post({ to: c.spec.host, type: 'host.result', bits: hostWords(conv, op, word), word, conv });
    }),
  },
}).createMachine({
  id: 'outputPort',
  context: ({ input }) => ({ spec: input, words: 0 }),
  initial: 'ready',
  states: { ready: { on: { 'out.word': { actions: 'send' } } } },
});
