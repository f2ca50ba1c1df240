import { setup } from 'xstate';
import { component } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';
import type { ByteMemory } from '../common/byte-memory.ts';
import { notifySlots, placeOf } from './address-map.ts';
import type { BytesVisible, Completion, FlagSet, MemoryRead, MemoryWrite } from './messages.ts';
import { inSubTicks } from './parameters.ts';

/** A memory behind the host switch, and where its completions go. */
export interface HostMemoryInput {
  /** The link to the chip. */
  readonly down: Address;
  /** Who hears of notify words; the board lies at the end of CPU memory. */
  readonly cpu: Address;
  /** Cycles from a read request to its completion. */
  readonly readLatency: number;
  /** Bytes of a completion at most; the answer to a read is cut at multiples of it (TCA specification 4). */
  readonly completionBytes: number;
  /** Bytes that programs may use; words of the notify board follow. */
  readonly size: number;
  readonly bytes: ByteMemory;
}

/** A memory behind the host switch. */
export interface HostMemoryContext {
  readonly spec: Omit<HostMemoryInput, 'bytes'>;
  readonly bytes: ByteMemory;
  reads: number;
  writes: number;
}

type HostMemoryEvent = MemoryRead | MemoryWrite;

const { act } = component<HostMemoryContext, HostMemoryEvent, Completion | FlagSet>();

/** CPU or GPU memory (TCA specification 5): answers reads in order after a latency; what is written is visible when it arrives. */
export const hostMemory = setup({
  types: {} as { context: HostMemoryContext; events: HostMemoryEvent; input: HostMemoryInput },
  actions: {
    read: act<'tlp.read'>((c, { addr, bytes, tag, requester, at }, out) => {
      const { offset } = placeOf(addr);
      const data = c.bytes.slice(offset, offset + bytes);
      c.reads++;
      const delay = inSubTicks(c.spec.readLatency);
      const { down, completionBytes } = c.spec;
      for (let done = 0; done < bytes; ) {
        const end = Math.min(bytes, done + completionBytes - ((offset + done) % completionBytes));
        out.post({
          to: down,
          type: 'tlp.completion',
          tag,
          requester,
          offset: done,
          data: end === bytes && done === 0 ? data : data.slice(done, end),
          at: at + delay,
          delay,
        });
        done = end;
      }
    }),
    write: act<'tlp.write'>((c, { addr, data, source, at }, out) => {
      const { offset } = placeOf(addr);
      if (offset + data.length > c.bytes.size)
        throw new Error(`EUR: ${data.length} bytes at address ${addr} lie beyond the memory`);
      c.bytes.put(offset, data);
      c.writes++;
      if (out.observed) out.probe<BytesVisible>({ type: 'memory.visible', addr, data, source, at });
      if (offset < c.spec.size) return;
      const word = (offset - c.spec.size) / 8;
      const value = new DataView(data.buffer, data.byteOffset).getUint32(0, true);
      out.post({
        to: c.spec.cpu,
        type: 'flag.set',
        source: Math.floor(word / notifySlots),
        slot: word % notifySlots,
        value,
        at,
      });
    }),
  },
}).createMachine({
  id: 'hostMemory',
  context: ({ input: { bytes, ...spec } }) => ({ spec, bytes: bytes.fork(), reads: 0, writes: 0 }),
  initial: 'serving',
  states: { serving: { on: { 'tlp.read': { actions: 'read' }, 'tlp.write': { actions: 'write' } } } },
});
