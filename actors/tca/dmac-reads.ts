import { isMapped, nodeOf } from './address-map.ts';
import { readsOf } from './descriptor.ts';
import type { DmacContext, DmacOut } from './dmac-context.ts';
import { inSubTicks } from './parameters.ts';

/** Has the channel go on after some cycles. */
export const later = (c: DmacContext, cycles: number, out: DmacOut): void => {
  const delay = inSubTicks(cycles);
  c.turning = true;
  out.post({ to: out.self, type: 'dmac.turn', delay });
};

/** Begins with the reads of the descriptor at hand. */
export function load(c: DmacContext): void {
  const descriptor = c.chain[c.descriptor]!;
  const { src, dst, size, data } = descriptor;
  c.reads = data
    ? [{ src, dst, bytes: size, opens: true }]
    : readsOf(descriptor, c.spec.parameters.bytesPerTag);
  c.read = 0;
}

/** Asks the source for the bytes of a read; its tag has just been granted. */
export function request(c: DmacContext, tag: number, out: DmacOut): void {
  const { channel, router, node, tags, ranges, parameters } = c.spec;
  const { src, dst, bytes, opens } = c.reads[c.read]!;
  const { data, count } = c.chain[c.descriptor]!;
  // RDMA writes only: a remote address cannot be read (TCA specification 1.3, 6).
  const readable = data !== undefined || (nodeOf(src) === node && isMapped(src, bytes, ranges));
  if (!readable || !isMapped(dst, bytes, ranges)) {
    c.error = 'EUR';
    out.post({ to: tags, type: 'tag.release', channel, tag });
    return;
  }
  c.slots.push({ tag, dst, bytes: new Uint8Array(bytes), arrived: 0, internal: data !== undefined });
  c.read++;
  if (data) {
    const delay = inSubTicks(parameters.internalReadLatency);
    out.post({ to: out.self, type: 'dmac.internal', tag, data, delay });
  } else out.post({ to: router, type: 'tlp.read', addr: src, bytes, tag, channel, requester: out.self });
  later(c, parameters.readIssueInterval + (opens && count > 1 ? parameters.blockOverhead : 0), out);
}

/** Takes bytes of a read, and retires what is whole, in the order of the requests. */
export function take(c: DmacContext, tag: number, offset: number, data: Uint8Array, out: DmacOut): void {
  const slot = c.slots.find((one) => one.tag === tag && one.arrived < one.bytes.length);
  if (slot === undefined || offset + data.length > slot.bytes.length)
    throw new Error(`ETAG: channel ${c.spec.channel} got bytes for tag ${tag} that it did not ask for`);
  // Earlier states of the channel keep their bytes.
  const bytes = slot.bytes.slice();
  bytes.set(data, offset);
  slot.bytes = bytes;
  slot.arrived += data.length;
  retireAll(c, out);
}

/** Writes of a channel that may wait at the router; more wait in the reorder buffer, their tags not yet released (TCA specification 7). */
export const unacceptedMax = 4;

/** Retires what is whole, in the order of the requests, as far as the router takes it. */
export function retireAll(c: DmacContext, out: DmacOut): void {
  while (c.unaccepted < unacceptedMax) {
    const [first] = c.slots;
    if (first === undefined || first.arrived < first.bytes.length) return;
    retire(c, out);
  }
}

function retire(c: DmacContext, out: DmacOut): void {
  const { node, channel, router, tags, parameters } = c.spec;
  const { tag, dst, bytes, internal } = c.slots.shift()!;
  c.unaccepted++;
  out.post({
    to: router,
    type: 'tlp.write',
    addr: dst,
    data: bytes,
    source: node,
    channel,
    seq: c.seq++,
  });
  const delay = inSubTicks(internal ? 1 : parameters.tagHold);
  out.post({ to: tags, type: 'tag.release', channel, tag, delay });
}
