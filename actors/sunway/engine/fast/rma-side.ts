import { spcDistance } from '../../array/identity.ts';
import type { RmaData, RmaRead } from '../../messages.ts';
import { receiversOf } from '../../receivers.ts';
import {
  arrival,
  engineSlot,
  farthest,
  getRequestArrival,
  hopTime,
  localReply,
} from '../../timing/rma-time.ts';
import { perCycle, wholeCycles } from '../../timing/thousandths.ts';
import { byEngine } from '../copies.ts';
import { count, readLdm, writeLdm } from '../ldm-access.ts';
import { answerTo, copyOf, readRequest } from '../rma-messages.ts';
import { holdSender } from '../senders.ts';
import type { Queued } from './cpe-queue.ts';
import { type Flight, type ForeignRead, isDueNow, type TboxContext, type TboxOut } from './tbox-context.ts';

/** Begins an RMA transfer: streams the source, or asks the other engine to (specification 8.4, Stream; 9.3). */
export function beginRma(
  c: TboxContext,
  { descriptor, ready, jitter }: Queued,
  at: number,
  out: TboxOut,
): void {
  const { timing, self, engines } = c.spec.value;
  const { transfer, tid, remoteTid, len, ldm, kind } = descriptor;
  const side = c.sides.rma;
  if (kind === 'rmaGet') {
    const sent = Math.max(side.freeAt, ready * perCycle);
    const distance = spcDistance(tid, remoteTid);
    c.flights.set(transfer, { descriptor, jitter, due: sent, data: null, arriving: 1, counted: true });
    const delay = Math.max(1, wholeCycles(sent + hopTime(timing, distance)) - at);
    out.post({
      to: engines[remoteTid]!,
      ...readRequest(descriptor, self),
      ready: getRequestArrival(timing, sent, distance),
      delay,
    });
    return;
  }
  const { end } = engineSlot(timing, side.freeAt, ready * perCycle, len);
  side.freeAt = end;
  holdSender(c, tid, end, at);
  const flight: Flight = { descriptor, jitter, due: end, data: null, arriving: 0, counted: false };
  c.flights.set(transfer, flight);
  if (isDueNow(c, transfer, 'readSource', wholeCycles(end) - 1, at, out))
    readLdm(c, tid, ldm, len, transfer, out);
}

/** The source of a put or broadcast has been read: its bytes go out, and the issuer is told after the tail. */
export function sendRma(c: TboxContext, flight: Flight, data: Uint8Array, out: TboxOut): void {
  const { descriptor, due, jitter } = flight;
  const { timing } = c.spec.value;
  const { transfer, tid, remoteTid, kind } = descriptor;
  const receivers = kind === 'rmaPut' ? [remoteTid] : receiversOf(descriptor, c.spec.value.cpes.length);
  const way = farthest(
    timing,
    receivers.map((one) => spcDistance(tid, one)),
  );
  const delay = Math.max(1, wholeCycles(arrival(timing, due, way)) + jitter - out.now);
  sendCopies(c, flight, receivers, data, delay, out);
  const local = wholeCycles(localReply(timing, due)) + jitter;
  if (isDueNow(c, transfer, 'countLocal', local, out.now, out)) countLocal(c, flight, out);
}

/** Counts the end of a put or broadcast at the issuer. */
export function countLocal(c: TboxContext, flight: Flight, out: TboxOut): void {
  const { transfer, tid, localReply: word } = flight.descriptor;
  flight.counted = true;
  count(c, tid, word, transfer, 'local', out);
}

/** Sends copies to the engines of all receivers, one message a cluster. */
export function sendCopies(
  c: TboxContext,
  flight: Flight,
  receivers: readonly number[],
  data: Uint8Array,
  delay: number,
  out: TboxOut,
): void {
  const { engines, self } = c.spec.value;
  for (const { engine, tids } of byEngine(engines, receivers)) {
    flight.arriving++;
    out.post({ to: engine, ...copyOf(flight.descriptor, tids, 0, data, true, self), delay });
  }
}

/** Bytes have arrived for CPEs of this cluster: first they are written, then they are counted (specification 7.1). */
export function receive(c: TboxContext, message: RmaData, out: TboxOut): void {
  const { tids, offset, data, transfer, reply, role, source } = message;
  for (const tid of tids) {
    writeLdm(c, tid, offset, data, transfer, out);
    count(c, tid, reply, transfer, role, out);
  }
  out.post({ to: source, type: 'rma.arrived', transfer, delay: 1 });
}

/** Another engine gets bytes from a CPE of this cluster: they are streamed when this engine is free. */
export function beginForeignRead(c: TboxContext, request: RmaRead, out: TboxOut): void {
  const { transfer, ready, len } = request;
  const side = c.sides.rma;
  const { end } = engineSlot(c.spec.value.timing, side.freeAt, ready, len);
  side.freeAt = end;
  const read: ForeignRead = { request, jitter: c.jitter, end };
  c.reads.set(transfer, read);
  const due = wholeCycles(end) + c.jitter - 1;
  if (isDueNow(c, transfer, 'readForeign', due, out.now, out)) readForeign(c, read, out);
}

/** Reads the source of a foreign get. */
export function readForeign(c: TboxContext, { request }: ForeignRead, out: TboxOut): void {
  const { tid, offset, len, transfer } = request;
  readLdm(c, tid, offset, len, transfer, out);
}

/** The source of a foreign get has been read: counted here, sent there. */
export function sendForeign(
  c: TboxContext,
  { request, jitter, end }: ForeignRead,
  data: Uint8Array,
  out: TboxOut,
): void {
  const { transfer, tid, reply, issuer, engine } = request;
  c.reads.delete(transfer);
  count(c, tid, reply, transfer, 'remote', out);
  const due = wholeCycles(arrival(c.spec.value.timing, end, spcDistance(tid, issuer))) + jitter;
  const delay = Math.max(1, due - out.now);
  out.post({ to: engine, ...answerTo(request, 0, data, true), delay });
}
