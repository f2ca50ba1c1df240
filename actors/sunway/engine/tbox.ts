import { setup } from 'xstate';
import { component } from '../../../kernel/kit.ts';
import type { Address } from '../../../kernel/message.ts';
import { type Fixed, fixed } from '../../../kernel/resource.ts';
import { memberOf } from '../../../kernel/wiring.ts';
import { type Jittered, jitterCount, keepJitter } from '../jitter.ts';
import type {
  DescriptorIssue,
  DescriptorTaken,
  DrainDone,
  DrainRequest,
  EngineTurn,
  LdmData,
  LdmWrite,
  MemoryGrant,
  MemoryResponse,
  QueueFull,
  ReplyIncrement,
  RmaArrived,
  RmaData,
  RmaRead,
  RmaSender,
} from '../messages.ts';
import type { TransferComplete } from '../probes.ts';
import { perCycle, wholeCycles } from '../timing/thousandths.ts';
import { type CpeTransfers, noTransfers, type QueueEntry, takeMember } from './cpe-transfers.ts';
import { count, writeLdm } from './ldm-access.ts';
import { firstOver, freePlaces, holdsBack, isBarrier, nextOfSide, type Side, sideOf } from './queues.ts';
import {
  holdSender,
  issueTax,
  noSenders,
  noteSender,
  type Senders,
  senderFreeAt,
  tellSenders,
} from './senders.ts';
import type { TboxInput } from './tbox-input.ts';
import type { AnswerEvent, AnswerSays, TransferEvent, TransferSays, TransferWake, Wake } from './within.ts';

/** An engine whose transfers are actors inside it. */
export interface WholeTboxInput extends TboxInput {
  /** By place of the CPE in the cluster: member 0 of the family of its transfers. */
  readonly transfers: readonly Address[];
  /** Member 0 of the family of answers to other engines. */
  readonly answers: Address;
}

/** The engine of one cluster: whose turn it is, and where its transfers are. */
export interface TboxContext extends Jittered {
  readonly spec: Fixed<WholeTboxInput>;
  /** Place in the queue, from its end, that the schedule has drawn. */
  place: number;
  /** By place of the CPE in the cluster. */
  queues: CpeTransfers[];
  /** When each side is free, in thousandths; whose turn it is. */
  sides: Record<Side, { freeAt: number; turn: number }>;
  senders: Senders;
  /** The next turn of service that was asked for; -1 for none. */
  serveAt: number;
  /** By transfer: the actors that carry it out, and that answer it. */
  transfers: Map<number, Address>;
  answers: Map<number, Address>;
  /** Members of the family of answers that are in use, ascending. */
  used: number[];
  /** What is being handled: the transfer that was issued, the place of the CPE of which one has ended or which drains; -1 for none. */
  issued: number;
  ended: number;
}

type TboxEvent =
  | DescriptorIssue
  | DrainRequest
  | EngineTurn
  | LdmData
  | MemoryGrant
  | MemoryResponse
  | RmaArrived
  | RmaData
  | RmaRead
  | RmaSender
  | TransferSays
  | AnswerSays;
type TboxSends =
  | DescriptorTaken
  | DrainDone
  | EngineTurn
  | LdmWrite
  | QueueFull
  | ReplyIncrement
  | RmaArrived
  | RmaSender
  | TransferEvent
  | AnswerEvent;

const { act, choose, post, update, when } = component<TboxContext, TboxEvent, TboxSends, TransferComplete>();

const placeOf = ({ spec }: TboxContext, tid: number): number => spec.value.tids.indexOf(tid);
const queueOf = (c: TboxContext, tid: number): CpeTransfers => c.queues[placeOf(c, tid)]!;
const hasRoom = (c: TboxContext, { waiting }: CpeTransfers): boolean =>
  waiting.length < c.spec.value.timing.dma.queueDepth;
/** The tax of sending by RMA while others do (specification 9.3). */
const taxOf = (c: TboxContext, { kind, tid }: QueueEntry['descriptor'], now: number): number =>
  isBarrier({ kind }) || sideOf({ kind }) === 'dma' ? 0 : issueTax(c, tid, now);

/** When the next transfer of a CPE may begin on a side, in thousandths; Infinity when it has none. */
function startOf(c: TboxContext, side: Side, place: number): number {
  if (nextOfSide(c.queues[place]!, side) < 0) return Number.POSITIVE_INFINITY;
  const own = side === 'rma' ? senderFreeAt(c, c.spec.value.tids[place]!) : 0;
  return Math.max(c.sides[side].freeAt, own);
}

/** The place of the CPE whose turn it is on a side that can take up a transfer by the next cycle; -1 when there is none. */
function nextPlace(c: TboxContext, side: Side, now: number): number {
  const places = c.queues.length;
  for (let k = 0; k < places; k++) {
    const place = (c.sides[side].turn + k) % places;
    if (startOf(c, side, place) <= (now + 1) * perCycle) return place;
  }
  return -1;
}

/** The first cycle in which a side can take up a transfer; Infinity when none waits for it. */
const nextStart = (c: TboxContext, side: Side): number =>
  Math.min(...c.queues.map((_, place) => startOf(c, side, place)));

/** The place of the first CPE of which a barrier operation is over; -1 when there is none. */
const passing = (c: TboxContext): number =>
  c.queues.findIndex(({ waiting, unfinished }) => firstOver(waiting, unfinished) >= 0);
/** The place of the first CPE whose queue has room for a descriptor that waits for it; -1 when there is none. */
const filling = (c: TboxContext): number =>
  c.queues.findIndex((queue) => queue.beyond.length > 0 && hasRoom(c, queue));

/** The cycle of a step: those of one CPE end in the order in which they began, unless the schedule may change that. */
function cycleOf(c: TboxContext, { tid, cycle, lead, inOrder }: TransferWake): number {
  const { reorder, maxJitter } = c.spec.value;
  const isHeld = inOrder && !reorder && maxJitter > 0;
  return (isHeld ? Math.max(queueOf(c, tid).lastEnd, cycle) : cycle) - lead;
}

/** A message for a transfer. */
const toTransfer =
  <E extends { readonly transfer: number }, M extends TransferEvent>(message: (event: E) => M) =>
  (c: TboxContext, event: E): M & { readonly to: Address } => ({
    to: c.transfers.get(event.transfer)!,
    ...message(event),
  });

const turnAt = (c: TboxContext, transfer: number, { step, cycle }: Wake, now: number) =>
  ({ to: c.spec.value.self, type: 'engine.turn', transfer, step, delay: cycle - now }) as const;

/** What one side does when it may take up the next transfer (specification 8.4, Idle and Decode). */
const servingSide = (side: Side, next: string) =>
  ({
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
        on: {
          'transfer.begun': [
            {
              guard: 'goesOnNow',
              target: 'reading',
              actions: [{ type: 'occupy', params: { side } }, 'goOnNow'],
            },
            {
              guard: 'goesOnLater',
              target: 'filling',
              actions: [{ type: 'occupy', params: { side } }, 'goOnLater'],
            },
            { target: 'filling', actions: { type: 'occupy', params: { side } } },
          ],
        },
      },
      reading: { on: { 'transfer.noted': 'filling' } },
    },
  }) as const;

/**
 * The transfer engine of one cluster of four CPEs, DMA side and RMA side (specification 8.4): it gives the descriptors of its CPEs their places and turns, and hands
 * what comes for a transfer over to it. What a transfer does is told by `transfer.ts`, one actor each, and by `rma-answer.ts` where another engine gets bytes of this cluster.
 *
 * Details: a message is handled to its end, by all actors that are inside the engine, before the next one comes.
 */
export const tbox = setup({
  types: {} as { context: TboxContext; events: TboxEvent; input: WholeTboxInput },
  guards: {
    hasRoom: when<'descriptor.issue'>((c, { tid }) => hasRoom(c, queueOf(c, tid))),
    toServe: when<'engine.turn'>((_c, { step }) => step === 'serve'),
    toAnswer: when<'engine.turn'>((_c, { step }) => step === 'readForeign'),
    // A get of a CPE from one of its own cluster is both: what is read is the source of the answer.
    forAnswer: when<'ldm.data'>((c, { tag }) => c.answers.has(tag)),
    hasBytes: when<'memory.response'>((_c, { data }) => data !== null),
    isDue: when<'transfer.wake'>((c, wake, { now }) => cycleOf(c, wake) <= now),
    isAnswerDue: when<'answer.begun'>((_c, { wake }, { now }) => wake.cycle <= now),
    barrierIsOver: when((c) => passing(c) >= 0),
    placeIsFree: when((c) => filling(c) >= 0),
    canBegin: when<TboxEvent['type'], { side: Side }>(
      (c, _event, { now }, { side }) => nextPlace(c, side, now) >= 0,
    ),
    canBeginLater: when<TboxEvent['type'], { side: Side }>(
      (c, _event, _envelope, { side }) => nextStart(c, side) < Number.POSITIVE_INFINITY,
    ),
    goesOnNow: when<'transfer.begun'>((_c, { wake }, { now }) => wake !== null && wake.cycle <= now),
    goesOnLater: when<'transfer.begun'>((_c, { wake }) => wake !== null),
    isStillBeyond: when(
      (c) =>
        c.issued >= 0 &&
        c.queues.some(({ beyond }) => beyond.some(({ descriptor }) => descriptor.transfer === c.issued)),
    ),
    isDrained: when((c) => {
      if (c.ended < 0) return false;
      const { unfinished, waiting, beyond, draining } = c.queues[c.ended]!;
      return draining && unfinished.dma + unfinished.rma + waiting.length + beyond.length === 0;
    }),
  },
  actions: {
    drawJitter: choose('jitter', jitterCount, keepJitter),
    drawPlace: choose<'descriptor.issue'>(
      'place in the queue',
      (c, descriptor) => (c.spec.value.reorder ? freePlaces(queueOf(c, descriptor.tid), descriptor) : 1),
      (c, _event, pick) => {
        c.place = pick;
      },
    ),
    tellSenders: act<'descriptor.issue' | 'transfer.over'>((c, { type, kind, tid }, out) => {
      if (!isBarrier({ kind }) && sideOf({ kind }) === 'rma')
        tellSenders(c, tid, type === 'descriptor.issue', out);
    }),
    enqueue: act<'descriptor.issue'>((c, { kind, transfer, tid }, out) => {
      const { waiting } = queueOf(c, tid);
      const tax = taxOf(c, { kind, transfer, tid }, out.now);
      // The answer takes the last cycle of the issue.
      waiting.splice(waiting.length - c.place, 0, {
        descriptor: { kind, transfer, tid },
        ready: out.now + 1 + tax,
      });
      out.post({ to: c.spec.value.cpes[tid]!, type: 'descriptor.taken', transfer, delay: 1 + tax });
    }),
    keepBeyond: update<'descriptor.issue'>((c, { kind, transfer, tid }, { now }) => {
      queueOf(c, tid).beyond.push({ descriptor: { kind, transfer, tid }, ready: now + 1 });
    }),
    open: act<'descriptor.issue', { placed: boolean }>(
      (c, { type: _type, ...descriptor }, out, { placed }) => {
        const { transfer, tid } = descriptor;
        const place = placeOf(c, tid);
        const to = memberOf(c.spec.value.transfers[place]!, takeMember(c.queues[place]!.used));
        c.transfers.set(transfer, to);
        c.issued = transfer;
        out.post({ to, type: 'transfer.open', descriptor: bare(descriptor), jitter: c.jitter, placed });
      },
    ),
    passBarrier: act((c, _event, out) => {
      const place = passing(c);
      const { waiting, unfinished } = c.queues[place]!;
      const k = firstOver(waiting, unfinished);
      const [{ descriptor }] = waiting.splice(k, 1) as [QueueEntry];
      // What it held back is ready from this cycle on (specification 7.2).
      for (const [later, held] of waiting.entries())
        if (later >= k && holdsBack(descriptor, held.descriptor) && held.ready < out.now)
          waiting[later] = { ...held, ready: out.now };
      out.post({ to: release(c, descriptor.transfer, place), type: 'transfer.pass' });
    }),
    givePlace: act((c, _event, out) => {
      const { waiting, beyond } = c.queues[filling(c)]!;
      const { descriptor } = beyond.shift()!;
      const { transfer, tid } = descriptor;
      waiting.push({ descriptor, ready: out.now + 1 });
      out.post({ to: c.spec.value.cpes[tid]!, type: 'descriptor.taken', transfer, delay: 1 });
      out.post({ to: c.transfers.get(transfer)!, type: 'transfer.placed' });
    }),
    begin: act<TboxEvent['type'], { side: Side }>((c, _event, out, { side }) => {
      const place = nextPlace(c, side, out.now);
      const queue = c.queues[place]!;
      const [{ descriptor, ready }] = queue.waiting.splice(nextOfSide(queue, side), 1) as [QueueEntry];
      c.sides[side].turn = (place + 1) % c.queues.length;
      queue.unfinished[side]++;
      const to = c.transfers.get(descriptor.transfer)!;
      out.post({ to, type: 'transfer.begin', freeAt: c.sides[side].freeAt, ready });
    }),
    occupy: update<'transfer.begun', { side: Side }>((c, { freeAt, holds }, { now }, { side }) => {
      c.sides[side].freeAt = freeAt;
      if (holds >= 0) holdSender(c, holds, freeAt, now);
    }),
    askToServe: act<TboxEvent['type'], { side: Side }>((c, _event, out, { side }) => {
      const due = wholeCycles(nextStart(c, side));
      if (c.serveAt > out.now && c.serveAt <= due) return;
      c.serveAt = due;
      out.post(turnAt(c, -1, { step: 'serve', cycle: due }, out.now));
    }),
    goOnNow: post<'transfer.begun'>(toTransfer(() => ({ type: 'transfer.turn' }))),
    goOnLater: post<'transfer.begun'>((c, { transfer, wake }, { now }) => turnAt(c, transfer, wake!, now)),
    noteEnd: update<'transfer.wake'>((c, wake) => {
      if (wake.inOrder) queueOf(c, wake.tid).lastEnd = Math.max(queueOf(c, wake.tid).lastEnd, wake.cycle);
    }),
    wakeNow: post<'transfer.wake'>(toTransfer(() => ({ type: 'transfer.turn' }))),
    wakeLater: post<'transfer.wake'>((c, wake, { now }) =>
      turnAt(c, wake.transfer, { step: wake.step, cycle: cycleOf(c, wake) }, now),
    ),
    goOn: post<'engine.turn'>(toTransfer(() => ({ type: 'transfer.turn' }))),
    handBytes: post<'memory.response'>(
      toTransfer(({ data, through }) => ({ type: 'transfer.bytes', data: data!, through })),
    ),
    handWritten: post<'memory.response'>(toTransfer(() => ({ type: 'transfer.written' }))),
    handGrant: post<'memory.grant'>(toTransfer(({ granted }) => ({ type: 'transfer.granted', granted }))),
    handArrival: post<'rma.arrived'>(toTransfer(() => ({ type: 'transfer.arrived' }))),
    handSource: post<'ldm.data'>((c, { tag, data }) => ({
      to: c.transfers.get(tag)!,
      type: 'transfer.source',
      data,
    })),
    retire: update<'transfer.over'>((c, { transfer, kind, tid }) => {
      const place = placeOf(c, tid);
      release(c, transfer, place);
      c.queues[place]!.unfinished[sideOf({ kind })]--;
      c.ended = place;
    }),
    showComplete: act<'transfer.over'>((_c, { transfer, kind }, out) => {
      if (out.observed) out.probe({ type: 'transfer.complete', transfer, kind });
    }),
    noteDrain: update<'drain.request'>((c, { tid }) => {
      c.ended = placeOf(c, tid);
      c.queues[c.ended]!.draining = true;
    }),
    tellFull: post((c) => {
      const { cpes } = c.spec.value;
      const { descriptor } = c.queues
        .flatMap(({ beyond }) => beyond)
        .find((one) => one.descriptor.transfer === c.issued)!;
      return { to: cpes[descriptor.tid]!, type: 'queue.full', transfer: c.issued, delay: 1 };
    }),
    tellDrained: act((c, _event, out) => {
      c.queues[c.ended]!.draining = false;
      out.post({ to: c.spec.value.cpes[c.spec.value.tids[c.ended]!]!, type: 'drain.done', delay: 1 });
    }),
    forget: update((c) => {
      c.issued = -1;
      c.ended = -1;
    }),
    receive: act<'rma.data'>((c, { tids, offset, data, transfer, reply, role, source }, out) => {
      // First they are written, then they are counted (specification 7.1).
      for (const tid of tids) {
        writeLdm(c, tid, offset, data, transfer, out as never);
        count(c, tid, reply, transfer, role, out as never);
      }
      out.post({ to: source, type: 'rma.arrived', transfer, delay: 1 });
    }),
    noteSender: update<'rma.sender'>(noteSender),
    openAnswer: act<'rma.read'>((c, request, out) => {
      const to = memberOf(c.spec.value.answers, takeMember(c.used));
      c.answers.set(request.transfer, to);
      out.post({
        to,
        type: 'answer.open',
        request: bare(request),
        jitter: c.jitter,
        freeAt: c.sides.rma.freeAt,
      });
    }),
    occupyWithAnswer: update<'answer.begun'>((c, { freeAt }) => {
      c.sides.rma.freeAt = freeAt;
    }),
    wakeAnswer: post<'answer.begun'>((c, { transfer }) => ({
      to: c.answers.get(transfer)!,
      type: 'transfer.turn',
    })),
    wakeAnswerLater: post<'answer.begun'>((c, { transfer, wake }, { now }) => turnAt(c, transfer, wake, now)),
    goOnAnswering: post<'engine.turn'>((c, { transfer }) => ({
      to: c.answers.get(transfer)!,
      type: 'transfer.turn',
    })),
    handAnswerSource: post<'ldm.data'>((c, { tag, data }) => ({
      to: c.answers.get(tag)!,
      type: 'transfer.source',
      data,
    })),
    closeAnswer: update<'answer.over'>((c, { transfer }) => {
      const member = c.answers.get(transfer)! - c.spec.value.answers;
      c.answers.delete(transfer);
      c.used = c.used.filter((one) => one !== member);
    }),
  },
}).createMachine({
  id: 'tbox',
  context: ({ input }) => ({
    spec: fixed(input),
    jitter: 0,
    place: 0,
    queues: input.tids.map(noTransfers),
    sides: { dma: { freeAt: 0, turn: 0 }, rma: { freeAt: 0, turn: 0 } },
    senders: noSenders(),
    serveAt: -1,
    transfers: new Map(),
    answers: new Map(),
    used: [],
    issued: -1,
    ended: -1,
  }),
  initial: 'idle',
  states: {
    idle: {
      on: {
        'descriptor.issue': [
          {
            guard: 'hasRoom',
            target: 'opening',
            actions: [
              'drawJitter',
              'drawPlace',
              'tellSenders',
              'enqueue',
              { type: 'open', params: { placed: true } },
            ],
          },
          {
            target: 'opening',
            actions: [
              'drawJitter',
              'drawPlace',
              'tellSenders',
              'keepBeyond',
              { type: 'open', params: { placed: false } },
            ],
          },
        ],
        'drain.request': { target: 'closing', actions: 'noteDrain' },
        'engine.turn': [
          { guard: 'toServe', target: 'serving' },
          { guard: 'toAnswer', actions: 'goOnAnswering' },
          { actions: 'goOn' },
        ],
        'memory.response': [{ guard: 'hasBytes', actions: 'handBytes' }, { actions: 'handWritten' }],
        'memory.grant': { actions: 'handGrant' },
        'ldm.data': [{ guard: 'forAnswer', actions: 'handAnswerSource' }, { actions: 'handSource' }],
        'rma.data': { actions: 'receive' },
        'rma.arrived': { actions: 'handArrival' },
        'rma.sender': { actions: 'noteSender' },
        'rma.read': { actions: ['drawJitter', 'openAnswer'] },
        'transfer.wake': [
          { guard: 'isDue', actions: ['noteEnd', 'wakeNow'] },
          { actions: ['noteEnd', 'wakeLater'] },
        ],
        'transfer.noted': {},
        'transfer.over': { target: 'serving', actions: ['retire', 'tellSenders', 'showComplete'] },
        'answer.begun': [
          { guard: 'isAnswerDue', actions: ['occupyWithAnswer', 'wakeAnswer'] },
          { actions: ['occupyWithAnswer', 'wakeAnswerLater'] },
        ],
        'answer.over': { actions: 'closeAnswer' },
      },
    },
    opening: { on: { 'transfer.noted': 'serving' } },
    serving: {
      initial: 'dma',
      states: { dma: servingSide('dma', '#tbox.serving.rma'), rma: servingSide('rma', '#tbox.closing') },
    },
    closing: {
      always: [
        { guard: 'isStillBeyond', target: 'idle', actions: ['tellFull', 'forget'] },
        { guard: 'isDrained', target: 'idle', actions: ['tellDrained', 'forget'] },
        { target: 'idle', actions: 'forget' },
      ],
    },
  },
});

/** The place of a transfer is free again. */
function release(c: TboxContext, transfer: number, place: number): Address {
  const at = c.transfers.get(transfer)!;
  const queue = c.queues[place]!;
  const member = at - c.spec.value.transfers[place]!;
  c.transfers.delete(transfer);
  queue.used = queue.used.filter((one) => one !== member);
  return at;
}

/** What a message says, without its way through the machine. */
function bare<M extends object>(message: M): M {
  const { to: _to, delay: _delay, ...said } = message as M & Partial<Record<'to' | 'delay', unknown>>;
  return said as unknown as M;
}
