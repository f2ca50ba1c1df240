import { shapeOf } from '../../../memory-pieces.ts';
import type { MemoryGrant, MemoryResponse } from '../../../messages.ts';
import { gatewayBit } from '../../../network/packet.ts';
import { receiversOf } from '../../../receivers.ts';
import { engineGet, enginePut } from '../../../timing/dma-time.ts';
import { perCycle, wholeCycles } from '../../../timing/thousandths.ts';
import { blockFrom, blocksTouched, putShape } from '../../../transfer/strided.ts';
import type { Queued } from '../../fast/cpe-queue.ts';
import { placeOf } from '../../fast/service.ts';
import { count, readLdm, writeLdm } from '../../ldm-access.ts';
import { copyOf } from '../../rma-messages.ts';
import { clusterCount, clustersOf, putTail, rampTime } from '../contents.ts';
import { type BlockFlight, type FlitTboxContext, type FlitTboxOut, isTurnNow, send } from './flit-context.ts';

/** The engine cuts one transfer after the other; true while it cuts one. */
export const isCutting = (c: FlitTboxContext): boolean => c.cutting >= 0;

/** Begins a DMA transfer: it is cut from the next cycle on. */
export function beginBlocks(
  c: FlitTboxContext,
  { descriptor, ready, jitter }: Queued,
  at: number,
  out: FlitTboxOut,
): void {
  const { transfer, kind, tid } = descriptor;
  const shape = shapeOf(descriptor);
  const put = putShape(shape);
  c.flights.set(transfer, {
    descriptor,
    jitter,
    blocks: blocksTouched(shape),
    mixed: put.fullBlocks > 0 && put.partialUnits > 0,
    units: put.partialUnits,
    cut: 0,
    begun: -1,
    arrived: 0,
    held: new Map(),
    reading: [],
    moved: 0,
    written: 0,
    isOver: false,
    counted: false,
    arriving: 0,
  });
  if (kind !== 'dmaBcast') c.uncounted[placeOf(c, tid)]!.push(transfer);
  c.cutting = transfer;
  isTurnNow(c, transfer, 0, 'cut', Math.max(ready, at + 1), at, out);
}

/** Makes the request for the next block, when the window has room; true when the transfer is cut to its end (specification 8.4, Split). */
export function cutBlock(c: FlitTboxContext, at: number, out: FlitTboxOut): boolean {
  const { timing, cluster, self } = c.spec.value;
  if (c.outstanding >= timing.dma.window) {
    c.isStalled = true;
    return false;
  }
  const flight = c.flights.get(c.cutting)!;
  const { descriptor, mixed } = flight;
  const { transfer, kind, len } = descriptor;
  const { memory, offset, bytes } = blockFrom(shapeOf(descriptor), flight.cut);
  const isPut = kind === 'dmaPut';
  flight.cut += bytes;
  c.outstanding++;
  const block = { offset, first: offset === 0, mixed };
  const where = { transfer, memory, len: bytes, bsize: 0, stride: 0, block, requester: self };
  const gateway = gatewayBit(cluster >> 2);
  if (isPut) send(c, { type: 'memory.claim', ...where }, gateway, at, out);
  else send(c, { type: 'memory.read', ...where }, gateway, at, out);
  if (flight.cut === len) {
    c.cutting = -1;
    return true;
  }
  isTurnNow(c, transfer, flight.cut, 'cut', at + 1, at, out);
  return false;
}

/** A block is no longer outstanding. True when its room lets the transfer that is being cut end. */
function release(c: FlitTboxContext, at: number, out: FlitTboxOut): boolean {
  c.outstanding--;
  if (!c.isStalled) return false;
  c.isStalled = false;
  return cutBlock(c, at, out);
}

/** The bytes of a block are there; they go into the LDM one block after the other (specification 8.4, Collect). */
export function takeBlock(
  c: FlitTboxContext,
  { transfer, offset, data }: MemoryResponse,
  out: FlitTboxOut,
): boolean {
  const { timing } = c.spec.value;
  const flight = c.flights.get(transfer)!;
  const through = Math.max(out.now * perCycle, c.collectAt) + engineGet(timing, 1);
  c.collectAt = through;
  if (flight.arrived === 0) flight.begun = through;
  const time = Math.max(through, flight.begun + rampTime(timing, flight.arrived));
  flight.arrived++;
  flight.held.set(offset, data!);
  return (
    isTurnNow(c, transfer, offset, 'collect', wholeCycles(time), out.now, out) &&
    collect(c, flight, offset, out.now, out)
  );
}

/** Writes a block into the LDM of its CPE, or sends it on to the receivers of a broadcast. True when the engine may serve again. */
export function collect(
  c: FlitTboxContext,
  flight: BlockFlight,
  offset: number,
  at: number,
  out: FlitTboxOut,
): boolean {
  const { descriptor, jitter, blocks, held } = flight;
  const { transfer, tid, ldm, kind } = descriptor;
  const data = held.get(offset)!;
  held.delete(offset);
  flight.moved++;
  const isLast = flight.moved === blocks;
  if (kind === 'dmaBcast') copyBlock(c, flight, offset, data, isLast, at, out);
  else writeLdm(c, tid, ldm + offset, data, transfer, out);
  const isFree = release(c, at, out);
  if (kind !== 'dmaBcast' && isLast && isTurnNow(c, transfer, 0, 'endOwnSide', at + jitter, at, out))
    endOwnSide(c, flight, out);
  return isFree;
}

function copyBlock(
  c: FlitTboxContext,
  flight: BlockFlight,
  offset: number,
  data: Uint8Array,
  isLast: boolean,
  at: number,
  out: FlitTboxOut,
): void {
  const { cpes, self } = c.spec.value;
  const tids = receiversOf(flight.descriptor, cpes.length);
  if (isLast) {
    flight.counted = true;
    flight.arriving = clusterCount(tids);
  }
  send(c, copyOf(flight.descriptor, tids, offset, data, isLast, self), clustersOf(tids), at, out);
}

/** A block of a put has its slot: its source is read, one block after the other. */
export function takeBlockGrant(
  c: FlitTboxContext,
  { transfer, offset }: MemoryGrant,
  out: FlitTboxOut,
): void {
  const { timing } = c.spec.value;
  const flight = c.flights.get(transfer)!;
  c.readAt = Math.max(out.now * perCycle, c.readAt) + enginePut(timing, 1);
  if (isTurnNow(c, transfer, offset, 'readBlock', wholeCycles(c.readAt) - 1, out.now, out))
    readBlock(c, flight, offset, out);
}

/** Reads a block of the source of a put. */
export function readBlock(c: FlitTboxContext, flight: BlockFlight, offset: number, out: FlitTboxOut): void {
  const { tid, ldm, transfer } = flight.descriptor;
  const { bytes } = blockFrom(shapeOf(flight.descriptor), offset);
  flight.reading.push(offset);
  readLdm(c, tid, ldm + offset, bytes, transfer, out);
}

/** A block of a put has been read: its bytes go to the controller; behind the last one the put is counted. */
export function sendBlock(c: FlitTboxContext, flight: BlockFlight, data: Uint8Array, out: FlitTboxOut): void {
  const { cluster, self, timing } = c.spec.value;
  const { descriptor, jitter, blocks, mixed } = flight;
  const { transfer } = descriptor;
  const offset = flight.reading.shift()!;
  const { memory, bytes } = blockFrom(shapeOf(descriptor), offset);
  const block = { offset, first: offset === 0, mixed };
  const where = { transfer, memory, len: bytes, bsize: 0, stride: 0, block, requester: self };
  send(c, { type: 'memory.write', ...where, data }, gatewayBit(cluster >> 2), out.now, out);
  flight.moved++;
  if (flight.moved < blocks) return;
  const due = out.now + putTail(timing, { partialUnits: flight.units }) + jitter;
  if (isTurnNow(c, transfer, 0, 'endOwnSide', due, out.now, out)) endOwnSide(c, flight, out);
}

/** A block of a put is written. True when the engine may serve again. */
export function noteWritten(c: FlitTboxContext, { transfer }: MemoryResponse, out: FlitTboxOut): boolean {
  c.flights.get(transfer)!.written++;
  return release(c, out.now, out);
}

/** The own side of a transfer is over: it is counted, those of one CPE in the order of issue unless the schedule may change that. */
export function endOwnSide(c: FlitTboxContext, flight: BlockFlight, out: FlitTboxOut): void {
  const { transfer, tid } = flight.descriptor;
  const uncounted = c.uncounted[placeOf(c, tid)]!;
  flight.isOver = true;
  if (c.spec.value.reorder) {
    uncounted.splice(uncounted.indexOf(transfer), 1);
    countOwn(c, flight, out);
    return;
  }
  while (uncounted.length > 0 && c.flights.get(uncounted[0]!)!.isOver)
    countOwn(c, c.flights.get(uncounted.shift()!)!, out);
}

function countOwn(c: FlitTboxContext, flight: BlockFlight, out: FlitTboxOut): void {
  const { transfer, tid, localReply } = flight.descriptor;
  flight.counted = true;
  count(c, tid, localReply, transfer, 'local', out);
}

/** Whether nothing of a transfer is under way any more. */
export const isComplete = ({ counted, arriving, descriptor, written, blocks }: BlockFlight): boolean =>
  counted && arriving === 0 && (descriptor.kind !== 'dmaPut' || written === blocks);
