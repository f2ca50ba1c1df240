import { spcOf } from '../../../array/identity.ts';
import type { RmaData, RmaRead } from '../../../messages.ts';
import { clusterBit, packetBytes } from '../../../network/packet.ts';
import { receiversOf } from '../../../receivers.ts';
import { engineRma, engineSlot, localReply } from '../../../timing/rma-time.ts';
import { perCycle, thousandths, wholeCycles } from '../../../timing/thousandths.ts';
import type { Queued } from '../../fast/cpe-queue.ts';
import { placeOf } from '../../fast/service.ts';
import { count, readLdm, writeLdm } from '../../ldm-access.ts';
import { answerTo, copyOf, readRequest } from '../../rma-messages.ts';
import { holdSender } from '../../senders.ts';
import { clusterCount, clustersOf } from '../contents.ts';
import {
  type FlitTboxContext,
  type FlitTboxOut,
  type ForeignStream,
  isTurnNow,
  type RmaFlight,
  type Streaming,
  send,
} from './flit-context.ts';

/** Takes the next slot of the engine for bytes of an LDM. */
function streamFrom(
  c: FlitTboxContext,
  tid: number,
  offset: number,
  len: number,
  ready: number,
  jitter: number,
): Streaming {
  const side = c.sides.rma;
  const { start, end } = engineSlot(c.spec.value.timing, side.freeAt, ready, len);
  side.freeAt = end;
  const later = jitter * perCycle;
  return { tid, offset, len, start: start + later, end: end + later, asked: 0, come: 0, reading: [] };
}

/** Begins an RMA transfer: streams the source in packets, or asks the other engine to (specification 8.4, Stream). */
export function beginPackets(
  c: FlitTboxContext,
  { descriptor, ready, jitter }: Queued,
  at: number,
  out: FlitTboxOut,
): void {
  const { self, cpes } = c.spec.value;
  const { transfer, tid, remoteTid, len, ldm, kind } = descriptor;
  if (kind === 'rmaGet') {
    c.streams.set(transfer, { descriptor, source: null, arriving: 1, counted: true });
    send(c, readRequest(descriptor, self), clusterBit(spcOf(remoteTid)), at, out);
    return;
  }
  const receivers = kind === 'rmaPut' ? [remoteTid] : receiversOf(descriptor, cpes.length);
  const source = streamFrom(c, tid, ldm, len, ready * perCycle, jitter);
  holdSender(c, tid, source.end, at);
  const arriving = clusterCount(receivers);
  c.streams.set(transfer, { descriptor, source, arriving, counted: false });
  if (isTurnNow(c, transfer, 0, 'stream', wholeCycles(source.start), at, out))
    stream(c, transfer, source, 'stream', at, out);
}

/** Asks the LDM for the bytes of the next packet. */
export function stream(
  c: FlitTboxContext,
  transfer: number,
  source: Streaming,
  step: 'stream' | 'streamForeign',
  at: number,
  out: FlitTboxOut,
): void {
  for (;;) {
    const bytes = Math.min(packetBytes, source.len - source.asked);
    source.reading.push(source.asked);
    readLdm(c, source.tid, source.offset + source.asked, bytes, transfer, out);
    source.asked += bytes;
    if (source.asked === source.len) return;
    const next = source.start + engineRma(c.spec.value.timing, source.asked);
    if (!isTurnNow(c, transfer, source.asked, step, wholeCycles(next), at, out)) return;
  }
}

/** Bytes of an LDM came: where they begin in the transfer, and whether they are its last. */
function taken(source: Streaming, data: Uint8Array): { readonly offset: number; readonly last: boolean } {
  const offset = source.reading.shift()!;
  source.come += data.length;
  return { offset, last: source.come === source.len };
}

/** Bytes of a put or broadcast have been read: they go out as a packet; behind the last one the issuer is told. */
export function sendPacket(
  c: FlitTboxContext,
  flight: RmaFlight,
  source: Streaming,
  data: Uint8Array,
  out: FlitTboxOut,
): void {
  const { timing, cpes, self } = c.spec.value;
  const { transfer, remoteTid, kind } = flight.descriptor;
  const { offset, last } = taken(source, data);
  const tids = kind === 'rmaPut' ? [remoteTid] : receiversOf(flight.descriptor, cpes.length);
  const content = copyOf(flight.descriptor, tids, offset, data, last, self);
  if (tids.length > 0) send(c, content, clustersOf(tids), out.now, out);
  const due = wholeCycles(localReply(timing, source.end));
  if (last && isTurnNow(c, transfer, 0, 'countLocal', due, out.now, out)) countStream(c, flight, out);
}

/** Counts the end of a put or broadcast at the issuer. */
export function countStream(c: FlitTboxContext, flight: RmaFlight, out: FlitTboxOut): void {
  const { transfer, tid, localReply: word } = flight.descriptor;
  flight.counted = true;
  count(c, tid, word, transfer, 'local', out);
}

/** Bytes have arrived for CPEs of this cluster: they are written, and behind the last ones words count (specification 8.4, receive). */
export function receivePacket(c: FlitTboxContext, message: RmaData, out: FlitTboxOut): void {
  const { tids, offset, data, transfer, reply, role, source, last } = message;
  for (const tid of tids) {
    if (placeOf(c, tid) < 0) continue;
    writeLdm(c, tid, offset, data, transfer, out);
    if (last) count(c, tid, reply, transfer, role, out);
  }
  // Acknowledgements are no traffic that the port counters of the specification show.
  if (last) out.post({ to: source, type: 'rma.arrived', transfer, delay: 1 });
}

/** Another engine gets bytes from a CPE of this cluster: they are streamed when this engine is free. */
export function beginForeignStream(c: FlitTboxContext, request: RmaRead, out: FlitTboxOut): void {
  const { tid, offset, len, transfer } = request;
  const ready = out.now * perCycle + thousandths(c.spec.value.timing.flit.getTurnaround);
  const source = streamFrom(c, tid, offset, len, ready, c.jitter);
  c.reads.set(transfer, { request, source });
  if (isTurnNow(c, transfer, 0, 'streamForeign', wholeCycles(source.start), out.now, out))
    stream(c, transfer, source, 'streamForeign', out.now, out);
}

/** Bytes of a foreign get have been read: they go there; behind the last ones the word of the CPE that was read counts. */
export function sendForeignPacket(
  c: FlitTboxContext,
  { request, source }: ForeignStream,
  data: Uint8Array,
  out: FlitTboxOut,
): void {
  const { transfer, tid, reply, issuer } = request;
  const { offset, last } = taken(source, data);
  if (last) {
    c.reads.delete(transfer);
    count(c, tid, reply, transfer, 'remote', out);
  }
  send(c, answerTo(request, offset, data, last), clusterBit(spcOf(issuer)), out.now, out);
}
