import { setup } from 'xstate';
import { component } from '../../../kernel/kit.ts';
import { fixed } from '../../../kernel/resource.ts';
import { jitterCount, keepJitter } from '../jitter.ts';
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
import { type Answering, closeAnswer, occupyWithAnswer, openAnswer, toAnswer } from './answers.ts';
import { count, writeLdm } from './ldm-access.ts';
import type { Side } from './queues.ts';
import { holdSender, noteSender } from './senders.ts';
import {
  askToServe,
  barrierIsOver,
  begin,
  canBegin,
  canBeginLater,
  enqueue,
  forget,
  fullQueue,
  givePlace,
  hasRoom,
  isDrained,
  isStillBeyond,
  issueTransitions,
  keepBeyond,
  keepPlace,
  noteDrain,
  nothingToServe,
  open,
  passBarrier,
  placeCount,
  placeIsFree,
  queueOf,
  retire,
  servingSide,
  tellDrained,
  tellSenders,
  toSource,
  toTransfer,
  type WholeTboxInput,
} from './serving.ts';
import type { AnswerEvent, AnswerSays, TransferEvent, TransferSays, TransferWake, Wake } from './within.ts';

/** The engine of one cluster: whose turn it is, and where its transfers are. */
export interface TboxContext extends Answering {}

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

/** The cycle of a step: those of one CPE end in the order in which they began, unless the schedule may change that. */
function cycleOf(c: TboxContext, { tid, cycle, lead, inOrder }: TransferWake): number {
  const { reorder, maxJitter } = c.spec.value;
  const isHeld = inOrder && !reorder && maxJitter > 0;
  return (isHeld ? Math.max(queueOf(c, tid).lastEnd, cycle) : cycle) - lead;
}

const turnAt = (c: TboxContext, transfer: number, { step, cycle }: Wake, now: number) =>
  ({ to: c.spec.value.self, type: 'engine.turn', transfer, step, delay: cycle - now }) as const;

/**
 * The transfer engine of one cluster of four CPEs, DMA side and RMA side (specification 8.4): it gives the descriptors of its CPEs their places and turns, and hands
 * what comes for a transfer over to it. What a transfer does is told by `transfer.ts`, one actor each, and by `rma-answer.ts` where another engine gets bytes of this cluster.
 *
 * Details: a message is handled to its end, by all actors that are inside the engine, before the next one comes.
 */
export const tbox = setup({
  types: {} as { context: TboxContext; events: TboxEvent; input: WholeTboxInput },
  guards: {
    hasRoom: when<'descriptor.issue'>(hasRoom),
    toServe: when<'engine.turn'>((_c, { step }) => step === 'serve'),
    toAnswer: when<'engine.turn'>((_c, { step }) => step === 'readForeign'),
    // A get of a CPE from one of its own cluster is both: what is read is the source of the answer.
    forAnswer: when<'ldm.data'>((c, { tag }) => c.answers.has(tag)),
    hasBytes: when<'memory.response'>((_c, { data }) => data !== null),
    isDue: when<'transfer.wake'>((c, wake, { now }) => cycleOf(c, wake) <= now),
    isAnswerDue: when<'answer.begun'>((_c, { wake }, { now }) => wake.cycle <= now),
    barrierIsOver: when(barrierIsOver),
    placeIsFree: when(placeIsFree),
    canBegin: when<TboxEvent['type'], { side: Side }>(canBegin),
    canBeginLater: when<TboxEvent['type'], { side: Side }>(canBeginLater),
    goesOnNow: when<'transfer.begun'>((_c, { wake }, { now }) => wake !== null && wake.cycle <= now),
    goesOnLater: when<'transfer.begun'>((_c, { wake }) => wake !== null),
    isStillBeyond: when(isStillBeyond),
    isDrained: when(isDrained),
  },
  actions: {
    drawJitter: choose('jitter', jitterCount, keepJitter),
    drawPlace: choose<'descriptor.issue'>('place in the queue', placeCount, keepPlace),
    tellSenders: act<'descriptor.issue' | 'transfer.over'>(tellSenders),
    enqueue: act<'descriptor.issue'>(enqueue),
    keepBeyond: update<'descriptor.issue'>(keepBeyond),
    open: act<'descriptor.issue', { placed: boolean }>(open),
    passBarrier: act(passBarrier),
    givePlace: act(givePlace),
    begin: act<TboxEvent['type'], { side: Side }>(begin),
    occupy: update<'transfer.begun', { side: Side }>((c, { freeAt, holds }, { now }, { side }) => {
      c.sides[side].freeAt = freeAt;
      if (holds >= 0) holdSender(c, holds, freeAt, now);
    }),
    askToServe: act<TboxEvent['type'], { side: Side }>(askToServe),
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
    handSource: post<'ldm.data'>(toSource),
    retire: update<'transfer.over'>(retire),
    showComplete: act<'transfer.over'>((_c, { transfer, kind }, out) => {
      if (out.observed) out.probe({ type: 'transfer.complete', transfer, kind });
    }),
    noteDrain: update<'drain.request'>(noteDrain),
    tellFull: post(fullQueue),
    tellDrained: act(tellDrained),
    forget: update(forget),
    receive: act<'rma.data'>((c, { tids, offset, data, transfer, reply, role, source }, out) => {
      // First they are written, then they are counted (specification 7.1).
      for (const tid of tids) {
        writeLdm(c, tid, offset, data, transfer, out as never);
        count(c, tid, reply, transfer, role, out as never);
      }
      out.post({ to: source, type: 'rma.arrived', transfer, delay: 1 });
    }),
    noteSender: update<'rma.sender'>(noteSender),
    openAnswer: act<'rma.read'>(openAnswer),
    occupyWithAnswer: update<'answer.begun'>(occupyWithAnswer),
    wakeAnswer: post<'answer.begun'>((c, { transfer }) => ({
      to: c.answers.get(transfer)!,
      type: 'transfer.turn',
    })),
    wakeAnswerLater: post<'answer.begun'>((c, { transfer, wake }, { now }) => turnAt(c, transfer, wake, now)),
    goOnAnswering: post<'engine.turn'>((c, { transfer }) => ({
      to: c.answers.get(transfer)!,
      type: 'transfer.turn',
    })),
    handAnswerSource: post<'ldm.data'>(toAnswer),
    closeAnswer: update<'answer.over'>(closeAnswer),
  },
}).createMachine({
  id: 'tbox',
  context: ({ input }) => ({
    spec: fixed(input),
    ...nothingToServe(input.tids),
    answers: new Map(),
    used: [],
  }),
  initial: 'idle',
  states: {
    idle: {
      on: {
        'descriptor.issue': issueTransitions,
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
      states: {
        dma: servingSide('dma', '#tbox.serving.rma', 'transfer.begun', {}),
        rma: servingSide('rma', '#tbox.closing', 'transfer.begun', {}),
      },
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
