import type { Outbox } from '../../../../kernel/kit.ts';
import type { Fixed } from '../../../../kernel/resource.ts';
import type { Descriptor } from '../../descriptor.ts';
import type {
  DescriptorIssue,
  DescriptorTaken,
  DrainDone,
  EngineTurn,
  QueueFull,
  RmaSender,
} from '../../messages.ts';
import type { TransferComplete } from '../../probes.ts';
import { perCycle, wholeCycles } from '../../timing/thousandths.ts';
import { isBarrier, nextOfSide, type Side, sideOf } from '../queues.ts';
import { issueTax, type Senders, senderFreeAt, tellSenders } from '../senders.ts';
import type { TboxInput } from '../tbox-input.ts';
import { type CpeQueue, passBarriers, type Queued } from './cpe-queue.ts';

/** What serving the queues of a cluster needs, whatever carries the transfers out. */
export interface Service {
  readonly spec: Fixed<TboxInput>;
  jitter: number;
  /** By place in the cluster. */
  queues: CpeQueue[];
  /** When each side is free, in thousandths; whose turn it is. */
  sides: Record<Side, { freeAt: number; turn: number }>;
  /** Place in the queue, from its end, that the schedule has drawn. */
  place: number;
  /** The next turn of service that was asked for; -1 for none. */
  serveAt: number;
  senders: Senders;
}

/** Begins a transfer. It says by `freeAt` of its side when the next one may begin. */
export type Begin = (queued: Queued, at: number) => void;
/** How the transfers of each side begin. */
export type Carrier = Readonly<Record<Side, Begin>> & {
  /** Whether a side cannot say yet when it will be free; it serves again when it is. */
  readonly isBusy: (side: Side) => boolean;
};

type Out = Outbox<DescriptorTaken | DrainDone | EngineTurn | QueueFull | RmaSender>;

/** The place of a CPE in the cluster. */
export const placeOf = ({ spec }: Service, tid: number): number => spec.value.tids.indexOf(tid);

/** Puts a descriptor in the queue of its CPE; one that finds no room waits, and its CPE with it. */
export function accept(c: Service, { type: _type, ...descriptor }: DescriptorIssue, out: Out): void {
  const queue = c.queues[placeOf(c, descriptor.tid)]!;
  const sends = !isBarrier(descriptor) && sideOf(descriptor) === 'rma';
  const tax = sends ? issueTax(c, descriptor.tid, out.now) : 0;
  if (sends) tellSenders(c, descriptor.tid, true, out);
  // The answer takes the last cycle of the issue.
  const queued = { descriptor: descriptor as Descriptor, ready: out.now + 1 + tax, jitter: c.jitter };
  if (queue.waiting.length >= c.spec.value.timing.dma.queueDepth) {
    queue.beyond.push(queued);
    return;
  }
  queue.waiting.splice(queue.waiting.length - c.place, 0, queued);
  tellTaken(c, descriptor, tax, out);
}

function tellTaken(c: Service, { tid, transfer }: Descriptor, tax: number, out: Out): void {
  const delay = 1 + tax;
  out.post({ to: c.spec.value.cpes[tid]!, type: 'descriptor.taken', transfer, delay });
}

/** Tells a CPE that its descriptor has found no place yet, once everything that could begin has begun. */
export function tellFull(c: Service, { tid, transfer }: DescriptorIssue, out: Out): void {
  const waits = c.queues[placeOf(c, tid)]!.beyond.some((one) => one.descriptor.transfer === transfer);
  if (waits) out.post({ to: c.spec.value.cpes[tid]!, type: 'queue.full', transfer, delay: 1 });
}

/** Gives free places to descriptors that wait for one. */
function fillQueues(c: Service, at: number, out: Out): void {
  for (const queue of c.queues) {
    passBarriers(queue, at);
    while (queue.beyond.length > 0 && queue.waiting.length < c.spec.value.timing.dma.queueDepth) {
      const next = queue.beyond.shift()!;
      queue.waiting.push({ ...next, ready: at + 1 });
      tellTaken(c, next.descriptor, 0, out);
      passBarriers(queue, at);
    }
  }
}

/** Lets each side that is free begin the next transfer, in turns of the CPEs. */
export function serve(c: Service, carrier: Carrier, at: number, out: Out): void {
  fillQueues(c, at, out);
  for (const side of ['dma', 'rma'] as const)
    while (beginNext(c, carrier, side, at, out)) fillQueues(c, at, out);
}

function beginNext(c: Service, carrier: Carrier, name: Side, at: number, out: Out): boolean {
  if (carrier.isBusy(name)) return false;
  const side = c.sides[name];
  const places = c.queues.length;
  let next = Number.POSITIVE_INFINITY;
  for (let k = 0; k < places; k++) {
    const place = (side.turn + k) % places;
    const queue = c.queues[place]!;
    const index = nextOfSide(queue, name);
    if (index < 0) continue;
    const own = name === 'rma' ? senderFreeAt(c, c.spec.value.tids[place]!) : 0;
    const freeAt = Math.max(side.freeAt, own);
    if (freeAt > (at + 1) * perCycle) {
      next = Math.min(next, freeAt);
      continue;
    }
    const [queued] = queue.waiting.splice(index, 1);
    side.turn = (place + 1) % places;
    queue.unfinished[name]++;
    carrier[name](queued!, at);
    return true;
  }
  if (next < Number.POSITIVE_INFINITY) askToServe(c, wholeCycles(next), at, out);
  return false;
}

function askToServe(c: Service, due: number, at: number, out: Out): void {
  if (c.serveAt > at && c.serveAt <= due) return;
  c.serveAt = due;
  const to = c.spec.value.self;
  out.post({ to, type: 'engine.turn', transfer: -1, step: 'serve', delay: due - at });
}

/** A transfer is complete: barriers and drains hear of it. */
export function complete(c: Service, carrier: Carrier, descriptor: Descriptor, at: number, out: Out): void {
  const { transfer, kind, tid } = descriptor;
  c.queues[placeOf(c, tid)]!.unfinished[sideOf(descriptor)]--;
  if (sideOf(descriptor) === 'rma') tellSenders(c, tid, false, out);
  if (out.observed) out.probe<TransferComplete>({ type: 'transfer.complete', transfer, kind });
  serve(c, carrier, at, out);
  tellDrained(c, placeOf(c, tid), out);
}

/** A CPE asks to be told when nothing of it is under way. */
export function drain(c: Service, tid: number, out: Out): void {
  const place = placeOf(c, tid);
  c.queues[place]!.draining = true;
  tellDrained(c, place, out);
}

/** Tells a CPE that waits for it that nothing of it is under way. */
function tellDrained(c: Service, place: number, out: Out): void {
  const queue = c.queues[place]!;
  const { unfinished, waiting, beyond, draining } = queue;
  if (!draining || unfinished.dma + unfinished.rma + waiting.length + beyond.length > 0) return;
  queue.draining = false;
  out.post({ to: c.spec.value.cpes[c.spec.value.tids[place]!]!, type: 'drain.done', delay: 1 });
}
