import type { Envelope, Outbox } from '../../../kernel/kit.ts';
import type { Address } from '../../../kernel/message.ts';
import type { Fixed } from '../../../kernel/resource.ts';
import { memberOf } from '../../../kernel/wiring.ts';
import type { Jittered } from '../jitter.ts';
import { takeMember } from '../members.ts';
import type {
  DescriptorIssue,
  DescriptorTaken,
  DrainDone,
  EngineTurn,
  LdmData,
  QueueFull,
  RmaSender,
} from '../messages.ts';
import type { TransferComplete } from '../probes.ts';
import { perCycle, wholeCycles } from '../timing/thousandths.ts';
import { type CpeTransfers, noTransfers, type QueueEntry } from './cpe-transfers.ts';
import { firstOver, freePlaces, holdsBack, isBarrier, nextOfSide, type Side, sideOf } from './queues.ts';
import { issueTax, noSenders, type Senders, senderFreeAt, tellSenders as tellAll } from './senders.ts';
import type { TboxInput } from './tbox-input.ts';
import type { TransferBegin, TransferOpen, TransferOver, TransferPass, TransferPlaced } from './within.ts';

/*
 * What engines of both levels of detail do with the queues of their CPEs (specification 8.4, Idle and Decode): places, barrier operations, turns. The transfers are actors inside
 * the engine; what one goes through is told by its state machine.
 */

/** An engine whose transfers are actors inside it. */
export interface WholeTboxInput extends TboxInput {
  /** By place of the CPE in the cluster: member 0 of the family of its transfers. */
  readonly transfers: readonly Address[];
  /** Member 0 of the family of answers to other engines. */
  readonly answers: Address;
}

/** What serving the queues of a cluster needs. */
export interface Serving extends Jittered {
  readonly spec: Fixed<WholeTboxInput>;
  /** Place in the queue, from its end, that the schedule has drawn. */
  place: number;
  /** By place of the CPE in the cluster. */
  queues: CpeTransfers[];
  /** When each side is free, in thousandths, Infinity while nobody can say; whose turn it is. */
  sides: Record<Side, { freeAt: number; turn: number }>;
  senders: Senders;
  /** The next turn of service that was asked for; -1 for none. */
  serveAt: number;
  /** By transfer: the actor that carries it out. */
  transfers: Map<number, Address>;
  /** What is being handled: the transfer that was issued, the place of the CPE of which one has ended or which drains; -1 for none. */
  issued: number;
  ended: number;
}

type Out = Outbox<
  | DescriptorTaken
  | DrainDone
  | EngineTurn
  | QueueFull
  | RmaSender
  | TransferBegin
  | TransferOpen
  | TransferPass
  | TransferPlaced,
  TransferComplete
>;
type Now = Pick<Envelope, 'now'>;
type OfSide = { side: Side };

/** An engine that has nothing to do. */
export const nothingToServe = (tids: readonly number[]): Omit<Serving, 'spec'> => ({
  jitter: 0,
  place: 0,
  queues: tids.map(noTransfers),
  sides: { dma: { freeAt: 0, turn: 0 }, rma: { freeAt: 0, turn: 0 } },
  senders: noSenders(),
  serveAt: -1,
  transfers: new Map(),
  issued: -1,
  ended: -1,
});

/** The place of a CPE in the cluster. */
export const placeOf = ({ spec }: Serving, tid: number): number => spec.value.tids.indexOf(tid);
/** What is kept of the transfers of a CPE. */
export const queueOf = (c: Serving, tid: number): CpeTransfers => c.queues[placeOf(c, tid)]!;
const hasPlace = (c: Serving, { waiting }: CpeTransfers): boolean =>
  waiting.length < c.spec.value.timing.dma.queueDepth;
/** The tax of sending by RMA while others do (specification 9.3). */
const taxOf = (c: Serving, { kind, tid }: QueueEntry['descriptor'], now: number): number =>
  isBarrier({ kind }) || sideOf({ kind }) === 'dma' ? 0 : issueTax(c, tid, now);

/** When the next transfer of a CPE may begin on a side, in thousandths; Infinity when it has none. */
function startOf(c: Serving, side: Side, place: number): number {
  if (nextOfSide(c.queues[place]!, side) < 0) return Number.POSITIVE_INFINITY;
  const own = side === 'rma' ? senderFreeAt(c, c.spec.value.tids[place]!) : 0;
  return Math.max(c.sides[side].freeAt, own);
}

/** The place of the CPE whose turn it is on a side that can take up a transfer by the next cycle; -1 when there is none. */
function nextPlace(c: Serving, side: Side, now: number): number {
  const places = c.queues.length;
  for (let k = 0; k < places; k++) {
    const place = (c.sides[side].turn + k) % places;
    if (startOf(c, side, place) <= (now + 1) * perCycle) return place;
  }
  return -1;
}

/** The first cycle in which a side can take up a transfer; Infinity when none waits for it. */
const nextStart = (c: Serving, side: Side): number =>
  Math.min(...c.queues.map((_, place) => startOf(c, side, place)));

/** The place of the first CPE of which a barrier operation is over; -1 when there is none. */
const passing = (c: Serving): number =>
  c.queues.findIndex(({ waiting, unfinished }) => firstOver(waiting, unfinished) >= 0);
/** The place of the first CPE whose queue has room for a descriptor that waits for it; -1 when there is none. */
const filling = (c: Serving): number =>
  c.queues.findIndex((queue) => queue.beyond.length > 0 && hasPlace(c, queue));

export const hasRoom = (c: Serving, { tid }: DescriptorIssue): boolean => hasPlace(c, queueOf(c, tid));
export const barrierIsOver = (c: Serving): boolean => passing(c) >= 0;
export const placeIsFree = (c: Serving): boolean => filling(c) >= 0;
export const canBegin = (c: Serving, _event: unknown, { now }: Now, { side }: OfSide): boolean =>
  nextPlace(c, side, now) >= 0;
export const canBeginLater = (c: Serving, _event: unknown, _envelope: unknown, { side }: OfSide): boolean =>
  nextStart(c, side) < Number.POSITIVE_INFINITY;
/** Whether the transfer that was issued has no place yet. */
export const isStillBeyond = (c: Serving): boolean =>
  c.issued >= 0 &&
  c.queues.some(({ beyond }) => beyond.some(({ descriptor }) => descriptor.transfer === c.issued));
/** Whether nothing is under way of a CPE that waits for it. */
export function isDrained(c: Serving): boolean {
  if (c.ended < 0) return false;
  const { unfinished, waiting, beyond, draining } = c.queues[c.ended]!;
  return draining && unfinished.dma + unfinished.rma + waiting.length + beyond.length === 0;
}

export const placeCount = (c: Serving, descriptor: DescriptorIssue): number =>
  c.spec.value.reorder ? freePlaces(queueOf(c, descriptor.tid), descriptor) : 1;
export const keepPlace = (c: Serving, _event: unknown, pick: number): void => {
  c.place = pick;
};

export function tellSenders(c: Serving, { type, kind, tid }: DescriptorIssue | TransferOver, out: Out): void {
  if (!isBarrier({ kind }) && sideOf({ kind }) === 'rma') tellAll(c, tid, type === 'descriptor.issue', out);
}

/** DESC_ACK: the descriptor has its place in the queue. */
export function enqueue(c: Serving, { kind, transfer, tid }: DescriptorIssue, out: Out): void {
  const { waiting } = queueOf(c, tid);
  const tax = taxOf(c, { kind, transfer, tid }, out.now);
  // The answer takes the last cycle of the issue.
  waiting.splice(waiting.length - c.place, 0, {
    descriptor: { kind, transfer, tid },
    ready: out.now + 1 + tax,
  });
  out.post({ to: c.spec.value.cpes[tid]!, type: 'descriptor.taken', transfer, delay: 1 + tax });
}

export function keepBeyond(c: Serving, { kind, transfer, tid }: DescriptorIssue, { now }: Now): void {
  queueOf(c, tid).beyond.push({ descriptor: { kind, transfer, tid }, ready: now + 1 });
}

/** Hands a descriptor to an actor of its own. */
export function open(
  c: Serving,
  { type: _type, ...descriptor }: DescriptorIssue,
  out: Out,
  { placed }: { placed: boolean },
): void {
  const { transfer, tid } = descriptor;
  const place = placeOf(c, tid);
  const to = memberOf(c.spec.value.transfers[place]!, takeMember(c.queues[place]!.used));
  c.transfers.set(transfer, to);
  c.issued = transfer;
  out.post({ to, type: 'transfer.open', descriptor: bare(descriptor), jitter: c.jitter, placed });
}

export function passBarrier(c: Serving, _event: unknown, out: Out): void {
  const place = passing(c);
  const { waiting, unfinished } = c.queues[place]!;
  const k = firstOver(waiting, unfinished);
  const [{ descriptor }] = waiting.splice(k, 1) as [QueueEntry];
  // What it held back is ready from this cycle on (specification 7.2).
  for (const [later, held] of waiting.entries())
    if (later >= k && holdsBack(descriptor, held.descriptor) && held.ready < out.now)
      waiting[later] = { ...held, ready: out.now };
  out.post({ to: release(c, descriptor.transfer, place), type: 'transfer.pass' });
}

/** Gives a free place to a descriptor that waits for one. */
export function givePlace(c: Serving, _event: unknown, out: Out): void {
  const { waiting, beyond } = c.queues[filling(c)]!;
  const { descriptor } = beyond.shift()!;
  const { transfer, tid } = descriptor;
  waiting.push({ descriptor, ready: out.now + 1 });
  out.post({ to: c.spec.value.cpes[tid]!, type: 'descriptor.taken', transfer, delay: 1 });
  out.post({ to: c.transfers.get(transfer)!, type: 'transfer.placed' });
}

/** The CPE whose turn it is has its next transfer taken up. */
export function begin(c: Serving, _event: unknown, out: Out, { side }: OfSide): void {
  const place = nextPlace(c, side, out.now);
  const queue = c.queues[place]!;
  const [{ descriptor, ready }] = queue.waiting.splice(nextOfSide(queue, side), 1) as [QueueEntry];
  c.sides[side].turn = (place + 1) % c.queues.length;
  queue.unfinished[side]++;
  const to = c.transfers.get(descriptor.transfer)!;
  out.post({ to, type: 'transfer.begin', freeAt: c.sides[side].freeAt, ready });
}

export function askToServe(c: Serving, _event: unknown, out: Out, { side }: OfSide): void {
  const due = wholeCycles(nextStart(c, side));
  if (c.serveAt > out.now && c.serveAt <= due) return;
  c.serveAt = due;
  const to = c.spec.value.self;
  out.post({ to, type: 'engine.turn', transfer: -1, step: 'serve', delay: due - out.now });
}

/** Nothing of a transfer is under way any more. */
export function retire(c: Serving, { transfer, kind, tid }: Omit<TransferOver, 'type'>): void {
  const place = placeOf(c, tid);
  release(c, transfer, place);
  c.queues[place]!.unfinished[sideOf({ kind })]--;
  c.ended = place;
}

export function noteDrain(c: Serving, { tid }: { readonly tid: number }): void {
  c.ended = placeOf(c, tid);
  c.queues[c.ended]!.draining = true;
}

/** Tells a CPE that its descriptor has found no place yet, once everything that could begin has begun. */
export function fullQueue(c: Serving): QueueFull & { readonly to: Address; readonly delay: number } {
  const { descriptor } = c.queues
    .flatMap(({ beyond }) => beyond)
    .find((one) => one.descriptor.transfer === c.issued)!;
  return { to: c.spec.value.cpes[descriptor.tid]!, type: 'queue.full', transfer: c.issued, delay: 1 };
}

/** Tells a CPE that waits for it that nothing of it is under way. */
export function tellDrained(c: Serving, _event: unknown, out: Out): void {
  c.queues[c.ended]!.draining = false;
  out.post({ to: c.spec.value.cpes[c.spec.value.tids[c.ended]!]!, type: 'drain.done', delay: 1 });
}

export function forget(c: Serving): void {
  c.issued = -1;
  c.ended = -1;
}

/** The place of a transfer is free again. */
function release(c: Serving, transfer: number, place: number): Address {
  const at = c.transfers.get(transfer)!;
  const queue = c.queues[place]!;
  const member = at - c.spec.value.transfers[place]!;
  c.transfers.delete(transfer);
  queue.used = queue.used.filter((one) => one !== member);
  return at;
}

/** A message for a transfer. */
export const toTransfer =
  <E extends { readonly transfer: number }, const M extends { readonly type: string }>(
    message: (event: E) => M,
  ) =>
  (c: Serving, event: E): M & { readonly to: Address } => ({
    to: c.transfers.get(event.transfer)!,
    ...message(event),
  });

/** Bytes that were read, for the transfer whose source they are. */
export const toSource = (c: Serving, { tag, data }: LdmData) =>
  ({ to: c.transfers.get(tag)!, type: 'transfer.source', data }) as const;

/** What a message says, without its way through the machine. */
export function bare<M extends object>(message: M): M {
  const { to: _to, delay: _delay, ...said } = message as M & Partial<Record<'to' | 'delay', unknown>>;
  return said as unknown as M;
}

const issued = ['drawJitter', 'drawPlace', 'tellSenders'] as const;

/** What an engine does with a descriptor that is issued: it gets its place in the queue, or waits for one. */
export const issueTransitions = [
  {
    guard: 'hasRoom',
    target: 'opening',
    actions: [...issued, 'enqueue', { type: 'open', params: { placed: true } }],
  },
  { target: 'opening', actions: [...issued, 'keepBeyond', { type: 'open', params: { placed: false } }] },
] as const;

/** What one side does when it may take up the next transfer (specification 8.4, Idle and Decode). `begun`: how a transfer says that it has; `reading`: what else one may say that goes on at once. */
export const servingSide = <Begun extends string, Reading extends object>(
  side: Side,
  next: string,
  begun: Begun,
  reading: Reading,
) => {
  const occupied = [
    { guard: 'goesOnNow', target: 'reading', actions: [{ type: 'occupy', params: { side } }, 'goOnNow'] },
    { guard: 'goesOnLater', target: 'filling', actions: [{ type: 'occupy', params: { side } }, 'goOnLater'] },
    { target: 'filling', actions: { type: 'occupy', params: { side } } },
  ] as const;
  return {
    initial: 'filling',
    states: {
      filling: {
        always: [
          { guard: 'barrierIsOver', target: 'passing', actions: 'passBarrier' },
          { guard: 'placeIsFree', target: 'placing', actions: 'givePlace' },
          { target: 'choosing' },
        ],
      },
      passing: { on: { 'transfer.noted': 'filling' } },
      placing: { on: { 'transfer.noted': 'filling' } },
      choosing: {
        always: [
          {
            guard: { type: 'canBegin', params: { side } },
            target: 'decoding',
            actions: { type: 'begin', params: { side } },
          },
          {
            guard: { type: 'canBeginLater', params: { side } },
            target: next,
            actions: { type: 'askToServe', params: { side } },
          },
          { target: next },
        ],
      },
      decoding: {
        on: { [begun]: occupied } as { readonly [B in Begun]: typeof occupied },
      },
      reading: { on: { 'transfer.noted': 'filling', ...reading } },
    },
  } as const;
};
