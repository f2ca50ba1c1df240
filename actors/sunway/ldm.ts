import { setup } from 'xstate';
import { component, type Outbox } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';
import { ByteMemory } from '../common/byte-memory.ts';
import { ldmBytes } from './address/space.ts';
import type {
  LdmData,
  LdmRead,
  LdmStored,
  LdmWrite,
  ReplyEvent,
  ReplyIncrement,
  ReplyWatch,
} from './messages.ts';

/** The scratchpad of one CPE, and whom it wakes. */
export interface LdmInput {
  readonly cpe: Address;
}

/** The scratchpad of one CPE. */
export interface LdmContext {
  readonly spec: LdmInput;
  readonly bytes: ByteMemory;
  /** What its CPE waits for: a word and the value that it must reach. */
  watch: { readonly offset: number; readonly value: number } | null;
}

type LdmEvent = LdmRead | LdmWrite | ReplyIncrement | ReplyWatch;
type LdmSends = LdmData | LdmStored | ReplyEvent;

const { act } = component<LdmContext, LdmEvent, LdmSends>();

/** A signed 32-bit word. */
const wordAt = (bytes: ByteMemory, offset: number): number =>
  bytes.read(offset) |
  (bytes.read(offset + 1) << 8) |
  (bytes.read(offset + 2) << 16) |
  (bytes.read(offset + 3) << 24);

function setWord(bytes: ByteMemory, offset: number, value: number): void {
  for (let k = 0; k < 4; k++) bytes.write(offset + k, (value >> (8 * k)) & 0xff);
}

/** Tells the CPE when the word that it waits for has come far enough: it goes on in the next cycle (specification 12, P10). */
function tellWatcher(c: LdmContext, at: number, out: Outbox<LdmSends>): void {
  if (c.watch === null) return;
  const { offset, value } = c.watch;
  const word = wordAt(c.bytes, offset);
  if (word < value) return;
  c.watch = null;
  out.post({ to: c.spec.cpe, type: 'reply.event', offset, value: word, at });
}

/**
 * The scratchpad of one CPE (specification 8.7): bytes, and the reply words among them.
 *
 * Details: what an engine writes and the increment that announces it come on one channel, so the data are there first (specification 7.1). At
 * this level of detail the ports never conflict.
 */
export const ldm = setup({
  types: {} as { context: LdmContext; events: LdmEvent; input: LdmInput },
  actions: {
    read: act<'ldm.read'>((c, { offset, bytes, tag, requester, answerDelay, at }, out) => {
      out.post({
        to: requester,
        type: 'ldm.data',
        tag,
        data: c.bytes.slice(offset, offset + bytes),
        at: at + answerDelay,
        delay: answerDelay,
      });
    }),
    write: act<'ldm.write'>((c, { offset, data, tag, requester, answerDelay, at }, out) => {
      c.bytes.put(offset, data);
      tellWatcher(c, at, out);
      if (answerDelay >= 0)
        out.post({ to: requester, type: 'ldm.stored', tag, at: at + answerDelay, delay: answerDelay });
    }),
    increment: act<'reply.increment'>((c, { offset, at }, out) => {
      setWord(c.bytes, offset, wordAt(c.bytes, offset) + 1);
      tellWatcher(c, at, out);
    }),
    watch: act<'reply.watch'>((c, { offset, value, at }, out) => {
      c.watch = { offset, value };
      tellWatcher(c, at, out);
    }),
  },
}).createMachine({
  id: 'ldm',
  context: ({ input }) => ({ spec: input, bytes: new ByteMemory(ldmBytes), watch: null }),
  initial: 'ready',
  states: {
    ready: {
      on: {
        'ldm.read': { actions: 'read' },
        'ldm.write': { actions: 'write' },
        'reply.increment': { actions: 'increment' },
        'reply.watch': { actions: 'watch' },
      },
    },
  },
});
