import { field } from '../../kernel/protocol/field.ts';
import { protocol } from '../../kernel/protocol/protocol.ts';

const value = field.int({ max: 1 });
const requester = field.address('Cache');

/**
 * MESI coherence of one line of memory with a directory (Nagarajan, Sorin, Hill, Wood: "A Primer on Memory Consistency and Cache Coherence", 2020, chapter 8).
 *
 * Details: the directory takes up a request when the one before has been carried out, as its requester tells it; meanwhile others stay under way. So no order of messages
 * is needed. A copy that others may have, too, is given up silently.
 */
export const mesiProtocol = protocol({
  Directory: {
    receives: {
      GetS: {},
      GetM: {},
      Unblock: {},
      /** A line that is given up, by its owner. */
      Put: { value },
      /** A line whose owner keeps a copy, which others may have, too. */
      WriteBack: { value },
    },
    remembers: { owner: field.address('Cache'), sharers: field.set(field.address('Cache')) },
  },
  Cache: {
    receives: {
      Data: { value, acks: field.int(), exclusive: field.flag() },
      FwdGetS: { requester },
      FwdGetM: { requester },
      Inv: { requester },
      InvAck: {},
      PutAck: {},
    },
    /** What its processor wants some time. */
    timers: ['load', 'store', 'evict'],
    /** Its processor has read or written the line. */
    shows: { 'line.loaded': { value }, 'line.stored': { value } },
  },
});
