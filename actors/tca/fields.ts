import { field } from '../../kernel/protocol/field.ts';

/*
 * Kinds of fields, and messages that several parts of TCA nodes hear (TCA specification 4, 15). When a message arrives and who sent it its envelope tells.
 */

/** Number of a node. */
export const node = field.index('Cpu');
/** Number of a channel of the DMA controller of a chip. */
export const channel = field.int({ max: 3 });
export const count = field.int();
/** What a program asks for, right or wrong. */
export const asked = field.int({ min: Number.MIN_SAFE_INTEGER });

/** A block that a channel moves, as `Descriptor` describes it. */
export const descriptor = field.record({
  src: asked,
  dst: asked,
  size: asked,
  count: asked,
  srcStride: asked,
  dstStride: asked,
  data: field.optional(field.bytes()),
  pipeline: field.optional(field.flag()),
  useInternal: field.optional(field.flag()),
});

/** A memory read request of a DMA channel. */
export const read = {
  'tlp.read': {
    addr: asked,
    bytes: count,
    tag: count,
    channel,
    /** The channel that asked: it is several hops from there to the memory, and its completions go back to it (TCA specification 4). */
    requester: field.address('Dmac'),
  },
};
/** A completion with data. */
export const completion = {
  'tlp.completion': {
    tag: count,
    /** The channel that asked, as the read said. */
    requester: field.address('Dmac'),
    /** Where its bytes begin in what was asked for. */
    offset: count,
    data: field.bytes(),
  },
};
/** A posted memory write. */
export const write = {
  'tlp.write': {
    addr: asked,
    data: field.bytes(),
    source: node,
    /** Channel of the DMA controller; -1 for the CPU. */
    channel: field.int({ min: -1, max: 3 }),
    seq: count,
    /** Port of the chip at which a link hands it over; absent or -1 where it comes from elsewhere. */
    input: field.optional(field.int({ min: -1 })),
  },
};
/** A processor has stored into the PIO window; the write comes there when it is flushed (TCA specification 9). */
export const stored = { 'pio.stored': { addr: asked, source: node, seq: count } };
/** Credits come back to a sender: a packet has left the buffer of the port (TCA specification 4). */
export const credit = {
  'fc.update': {
    /** Posted, not posted, completions. */
    kind: field.oneOf('P', 'NP', 'Cpl'),
    headers: count,
    /** Data credits, of 16 bytes each. */
    units: count,
  },
};
/** A word of the notify board was written (TCA specification 9). */
export const flag = { 'flag.set': { source: node, slot: count, value: count } };
/** A channel has finished a chain, or is in error (TCA specification 17). */
export const stops = { 'chain.done': { channel, count }, 'channel.error': { channel, code: field.text() } };
/** The bytes that a load found, and those of a store in place. */
export const accessed = { 'memory.loaded': { data: field.bytes() }, 'memory.stored': {} };
/** A copy is in place. */
export const copied = { 'copy.done': {} };
/** All stores have been committed; the processor goes on. */
export const committed = { 'pio.done': {} };
