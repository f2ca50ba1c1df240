import { spcDistance } from '../../array/identity.ts';
import { shapeOf } from '../../memory-pieces.ts';
import type { MemoryGrant, MemoryResponse } from '../../messages.ts';
import { receiversOf } from '../../receivers.ts';
import { engineGet, enginePut, unloadedGet, unloadedPut } from '../../timing/dma-time.ts';
import { farthest, hopTime } from '../../timing/rma-time.ts';
import { perCycle, thousandths, wholeCycles } from '../../timing/thousandths.ts';
import { blocksTouched, putShape } from '../../transfer/strided.ts';
import { count, readLdm, writeLdm } from '../ldm-access.ts';
import { routeOf } from '../tbox-input.ts';
import type { Queued } from './cpe-queue.ts';
import { sendCopies } from './rma-side.ts';
import { placeOf } from './service.ts';
import { type Flight, isDueNow, type TboxContext, type TboxOut } from './tbox-context.ts';

/** Begins a DMA transfer: asks the controller for its blocks (specification 8.4, Split; 9.2). */
export function beginDma(c: TboxContext, { descriptor, ready, jitter }: Queued, out: TboxOut): void {
  const { timing, routes, self } = c.spec.value;
  const { transfer, memory, len, bsize, stride, kind } = descriptor;
  const shape = shapeOf(descriptor);
  const side = c.sides.dma;
  const start = Math.max(side.freeAt, ready * perCycle);
  const issued = start - thousandths(timing.dma.issueCost);
  const isPut = kind === 'dmaPut';
  const put = putShape(shape);
  side.freeAt = start + (isPut ? enginePut(timing, put.blocks) : engineGet(timing, put.blocks));
  const due = issued + (isPut ? unloadedPut(timing, put) : unloadedGet(timing, blocksTouched(shape)));
  const flight: Flight = { descriptor, jitter, due, data: null, arriving: 0, counted: false };
  c.flights.set(transfer, flight);
  const to = routeOf(routes, memory);
  const where = { transfer, memory, len, bsize, stride, block: null, requester: self, delay: 1 };
  if (isPut) out.post({ to, type: 'memory.claim', ...where });
  else out.post({ to, type: 'memory.read', ...where });
}

/** When a transfer of a CPE ends at its own side: in the order of issue, unless the schedule may change that. */
function localEnd(c: TboxContext, { descriptor, jitter }: Flight, time: number): number {
  const end = wholeCycles(time) + jitter;
  if (c.spec.value.reorder || c.spec.value.maxJitter === 0) return end;
  const last = c.lastEnd.dma;
  const place = placeOf(c, descriptor.tid);
  last[place] = Math.max(last[place]!, end);
  return last[place]!;
}

/** The bytes of a get are at hand, or a put is written. */
export function takeResponse(
  c: TboxContext,
  { transfer, data, through }: MemoryResponse,
  out: TboxOut,
): boolean {
  const flight = c.flights.get(transfer)!;
  if (data === null) return true;
  flight.data = data;
  const time = Math.max(flight.due, through + thousandths(c.spec.value.timing.dma.getReturn));
  return isDueNow(c, transfer, 'deliver', localEnd(c, flight, time), out.now, out) && deliver(c, flight, out);
}

/** Puts the bytes of a get in their place, and counts. True when the transfer is complete. */
export function deliver(c: TboxContext, flight: Flight, out: TboxOut): boolean {
  const { descriptor, data } = flight;
  const { transfer, tid, ldm, localReply, kind } = descriptor;
  flight.data = null;
  if (kind === 'dmaBcast') {
    const receivers = receiversOf(descriptor, c.spec.value.cpes.length);
    const { timing } = c.spec.value;
    const way = hopTime(
      timing,
      farthest(
        timing,
        receivers.map((one) => spcDistance(tid, one)),
      ),
    );
    flight.counted = true;
    sendCopies(c, flight, receivers, data!, Math.max(1, wholeCycles(way)), out);
    return false;
  }
  writeLdm(c, tid, ldm, data!, transfer, out);
  count(c, tid, localReply, transfer, 'local', out);
  return true;
}

/** All blocks of a put have their slots: its source is read when the formula has it complete. */
export function takeGrant(c: TboxContext, { transfer, granted }: MemoryGrant, out: TboxOut): void {
  const flight = c.flights.get(transfer)!;
  const time = Math.max(flight.due, granted + thousandths(c.spec.value.timing.dma.putGrant));
  const read = localEnd(c, flight, time) - 1;
  if (isDueNow(c, transfer, 'readSource', read, out.now, out)) readSource(c, flight, out);
}

/** Reads the source of a put. */
export function readSource(c: TboxContext, { descriptor }: Flight, out: TboxOut): void {
  const { tid, ldm, len, transfer } = descriptor;
  readLdm(c, tid, ldm, len, transfer, out);
}

/** The source of a put has been read: its buffer may be overwritten, its bytes go to the controller (specification 3.3). */
export function sendPut(c: TboxContext, { descriptor }: Flight, data: Uint8Array, out: TboxOut): void {
  const { tid, transfer, localReply, memory, len, bsize, stride } = descriptor;
  count(c, tid, localReply, transfer, 'local', out);
  const to = routeOf(c.spec.value.routes, memory);
  out.post({
    to,
    type: 'memory.write',
    transfer,
    memory,
    len,
    bsize,
    stride,
    block: null,
    data,
    requester: c.spec.value.self,
    delay: 1,
  });
}
