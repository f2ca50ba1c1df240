import { setup } from 'xstate';
import type { Address } from '../../kernel/message.ts';
import type { ByteMemory } from '../common/byte-memory.ts';
import { notifySlots, placeOf } from './address-map.ts';
import { inSubTicks } from './parameters.ts';
import { tcaProtocol } from './protocol.ts';

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

const role = tcaProtocol.roles.Memory;
const { act } = role.component<HostMemoryContext>();

/** The place of bytes that a program may use. Errors: EUR. */
function placeWithin({ spec }: HostMemoryContext, addr: number, bytes: number) {
  const place = placeOf(addr);
  if (place.offset < 0 || place.offset + bytes > spec.size)
    throw new Error(
      `EUR: found ${bytes} bytes at offset ${place.offset} of the ${place.region} memory of node ${place.node}, ` +
        `which has ${spec.size} bytes for programs`,
    );
  return place;
}

/** Where the bytes of a packet lie in the memory. Errors: EUR where they are not all in it (TCA specification 17). */
function offsetOf({ bytes: { size } }: HostMemoryContext, addr: number, bytes: number): number {
  const { offset } = placeOf(addr);
  if (offset + bytes > size) throw new Error(`EUR: ${bytes} bytes at address ${addr} lie beyond the memory`);
  return offset;
}

/**
 * CPU or GPU memory (TCA specification 5): answers reads in order after a latency; what is written is visible when it arrives.
 *
 * Details: its own processor looks at it and writes it, too. That takes no time by itself, who asks is charged; each is answered, so that what
 * follows finds it done. The board of notify words is not for programs.
 */
export const hostMemory = setup({
  types: role.types<HostMemoryContext, HostMemoryInput>(),
  actions: {
    read: act<'tlp.read'>((c, { addr, bytes, tag, requester }, out) => {
      const offset = offsetOf(c, addr, bytes);
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
          delay,
        });
        done = end;
      }
    }),
    write: act<'tlp.write'>((c, { addr, data, source }, out) => {
      const offset = offsetOf(c, addr, data.length);
      c.bytes.put(offset, data);
      c.writes++;
      if (out.observed) out.probe({ type: 'memory.visible', addr, data, source });
      if (offset < c.spec.size) return;
      const word = (offset - c.spec.size) / 8;
      const value = new DataView(data.buffer, data.byteOffset).getUint32(0, true);
      out.post({
        to: c.spec.cpu,
        type: 'flag.set',
        source: Math.floor(word / notifySlots),
        slot: word % notifySlots,
        value,
      });
    }),
    load: act<'memory.load'>((c, { addr, bytes }, out) => {
      const { offset } = placeWithin(c, addr, bytes);
      out.post({ to: out.from, type: 'memory.loaded', data: c.bytes.slice(offset, offset + bytes) });
    }),
    store: act<'memory.store'>((c, { addr, data }, out) => {
      const { node, offset } = placeWithin(c, addr, data.length);
      c.bytes.put(offset, data);
      if (out.observed) out.probe({ type: 'memory.visible', addr, data, source: node });
      out.post({ to: out.from, type: 'memory.stored' });
    }),
  },
}).createMachine({
  id: 'hostMemory',
  context: ({ input: { bytes, ...spec } }) => ({ spec, bytes: bytes.fork(), reads: 0, writes: 0 }),
  initial: 'serving',
  states: {
    serving: {
      on: {
        'tlp.read': { actions: 'read' },
        'tlp.write': { actions: 'write' },
        'memory.load': { actions: 'load' },
        'memory.store': { actions: 'store' },
      },
    },
  },
});
