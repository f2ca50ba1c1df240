import { setup } from 'xstate';
import { component, type Outbox } from '../../../../kernel/kit.ts';
import type { Address } from '../../../../kernel/message.ts';
import { type Fixed, fixed } from '../../../../kernel/resource.ts';
import { jitterCount, keepJitter } from '../../jitter.ts';
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
} from '../../messages.ts';
import { emptyInjector, type Injector, inject, pump } from '../../network/injector.ts';
import type { InjectorTurn, PacketArrive, PacketCredit, PacketEnter } from '../../network/packet.ts';
import type { TransferComplete } from '../../probes.ts';
import { engineGet, enginePut } from '../../timing/dma-time.ts';
import { perCycle, wholeCycles } from '../../timing/thousandths.ts';
import { type Answering, closeAnswer, occupyWithAnswer, openAnswer, toAnswer } from '../answers.ts';
import { count, writeLdm } from '../ldm-access.ts';
import { type Side, sideOf } from '../queues.ts';
import { holdSender, noteSender } from '../senders.ts';
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
  placeOf,
  retire,
  servingSide,
  tellDrained,
  tellSenders,
  toSource,
  toTransfer,
  type WholeTboxInput,
} from '../serving.ts';
import type { TransferOver } from '../within.ts';
import type { BlockStep, BlockTurn } from './block-turn.ts';
import type { FlitEngineInput } from './flit-input.ts';
import type {
  FlitAnswerEvent,
  FlitAnswerSays,
  FlitTransferEvent,
  FlitTransferSays,
  FlitWake,
  Outgoing,
} from './within.ts';

/** An engine that sends packets, whose transfers are actors inside it. */
export type WholeFlitTboxInput = WholeTboxInput & FlitEngineInput;

type Over = Omit<TransferOver, 'type'>;

/** The engine of one cluster that sends packets: whose turn it is, what its ways have room for, and where its transfers are. */
export interface FlitTboxContext extends Answering {
  readonly spec: Fixed<WholeFlitTboxInput>;
  injector: Injector;
  /** The transfer that is being cut, -1 for none; whether it waits for room in the window. */
  cutting: number;
  isStalled: boolean;
  /** Blocks outstanding. */
  outstanding: number;
  /** When the way of gets into LDMs and that of puts out of them are free, in thousandths. */
  collectAt: number;
  readAt: number;
  /** By place: DMA transfers that are not counted, in the order in which they began, and whether their own side is over. */
  uncounted: { readonly transfer: number; over: boolean }[][];
  /** What is being handled: what a transfer goes on with, the place of the CPE whose transfers are counted, -1 for none; whether the DMA side has become free; transfers that are over. */
  wake: (FlitWake & { readonly transfer: number }) | null;
  counting: number;
  mayServe: boolean;
  over: Over[];
}

type Within = FlitTransferSays | FlitAnswerSays;
type FlitTboxEvent =
  | BlockTurn
  | DescriptorIssue
  | DrainRequest
  | EngineTurn
  | InjectorTurn
  | LdmData
  | PacketArrive
  | PacketCredit
  | RmaArrived
  | RmaSender
  | Within;
type FlitTboxSends =
  | BlockTurn
  | DescriptorTaken
  | DrainDone
  | EngineTurn
  | FlitAnswerEvent
  | FlitTransferEvent
  | InjectorTurn
  | LdmWrite
  | PacketEnter
  | QueueFull
  | ReplyIncrement
  | RmaArrived
  | RmaSender;
type Out = Outbox<FlitTboxSends, TransferComplete>;

const { act, choose, post, update, when } = component<
  FlitTboxContext,
  FlitTboxEvent,
  FlitTboxSends,
  TransferComplete
>();

const injectorSpec = ({ spec: { value } }: FlitTboxContext) => ({
  self: value.self,
  node: value.cluster,
  entrance: value.entrance,
  flitsPerCycle: value.timing.flit.perCycle,
});

/** Sends a packet into the network, when it has a receiver. */
function send(c: FlitTboxContext, { content, targets }: Outgoing, out: Out): void {
  if (targets !== 0) inject(c.injector, injectorSpec(c), content, targets, out.now, out);
}

const wakeAt = (
  c: FlitTboxContext,
  transfer: number,
  { step, offset, cycle }: FlitWake,
  now: number,
): BlockTurn & { readonly to: Address; readonly delay: number } => ({
  to: c.spec.value.self,
  type: 'block.turn',
  transfer,
  offset,
  step,
  delay: cycle - now,
});

/** What a step means to a transfer, or to an answer. */
const stepOf = {
  collect: 'transfer.collect',
  readBlock: 'transfer.readBlock',
  endOwnSide: 'transfer.endOwnSide',
  stream: 'transfer.stream',
  streamForeign: 'transfer.stream',
  countLocal: 'transfer.countLocal',
} as const satisfies Readonly<Record<Exclude<BlockStep, 'cut'>, string>>;

/** A transfer or an answer goes on. */
function goOn(
  c: FlitTboxContext,
  { transfer, offset, step }: Pick<BlockTurn, 'transfer' | 'offset' | 'step'>,
): Extract<FlitTransferEvent, { readonly offset: number; readonly type: `transfer.${string}` }> & {
  readonly to: Address;
} {
  const to = (step === 'streamForeign' ? c.answers : c.transfers).get(transfer)!;
  return { to, type: stepOf[step as keyof typeof stepOf], offset };
}

const carries = (type: string) => when<'packet.arrive'>((_c, { packet }) => packet.content.type === type);
const contentOf = <M>({ packet }: PacketArrive): M => packet.content as M;

/** When the way out of LDMs is through with the block of a put that has its slot. */
const readTime = (c: FlitTboxContext, now: number): number =>
  Math.max(now * perCycle, c.readAt) + enginePut(c.spec.value.timing, 1);

/** The next DMA transfer of a CPE that is counted: in the order in which they began, unless the schedule may change that; undefined for none. */
function countable(c: FlitTboxContext): { readonly transfer: number } | undefined {
  if (c.counting < 0) return undefined;
  const waiting = c.uncounted[c.counting]!;
  return waiting.find(({ over }, k) => over && (k === 0 || c.spec.value.reorder));
}

/**
 * The transfer engine of one cluster of four CPEs at block granularity (specification 8.4): it gives the descriptors of its CPEs their places and turns, hands what comes for a
 * transfer over to it, and sends what transfers send through the router of the cluster. What a transfer does is told by `flit-transfer.ts`, one actor each, and by
 * `flit-answer.ts` where another engine gets bytes of this cluster.
 *
 * Details: a message is handled to its end, by all actors that are inside the engine, before the next one comes. What a transfer says decides the way: a packet is sent,
 * room in the window of requests is given back (and the transfer that waits for it makes its request), the transfer goes on now or later, transfers whose own side is over are
 * counted, and those of which nothing is under way are retired.
 */
export const flitTbox = setup({
  types: {} as { context: FlitTboxContext; events: FlitTboxEvent; input: WholeFlitTboxInput },
  guards: {
    hasRoom: when<'descriptor.issue'>(hasRoom),
    toCut: when<'block.turn'>(
      (c, { step }) => step === 'cut' && c.outstanding < c.spec.value.timing.dma.window,
    ),
    toStall: when<'block.turn'>((_c, { step }) => step === 'cut'),
    bringsBlock: when<'packet.arrive'>(
      (_c, { packet: { content } }) => content.type === 'memory.response' && content.data !== null,
    ),
    tellsWritten: carries('memory.response'),
    grantsNow: when<'packet.arrive'>(
      (c, { packet }, { now }) =>
        packet.content.type === 'memory.grant' && wholeCycles(readTime(c, now)) - 1 <= now,
    ),
    grants: carries('memory.grant'),
    asksForBytes: carries('rma.read'),
    // A get of a CPE from one of its own cluster is both: what is read is the source of the answer.
    forAnswer: when<'ldm.data'>((c, { tag }) => c.answers.has(tag)),
    isAnswerDue: when<'foreign.begun'>((_c, { wake }, { now }) => wake.cycle <= now),
    movesBlock: when<'transfer.sends'>((_c, { moved }) => moved),
    goesOnCutting: when<'transfer.sends'>((_c, { wake }) => wake !== null),
    isLast: when<'answer.sends'>((_c, { last }) => last),
    isStalled: when((c) => c.isStalled),
    goesOnNow: when<'blocks.begun'>((_c, { wake }, { now }) => wake !== null && wake.cycle <= now),
    goesOnLater: when<'blocks.begun'>((_c, { wake }) => wake !== null),
    wakesNow: when((c, _event, { now }) => c.wake !== null && c.wake.cycle <= now),
    wakesLater: when((c) => c.wake !== null),
    canCount: when((c) => countable(c) !== undefined),
    mayServe: when((c) => c.mayServe),
    hasOver: when((c) => c.over.length > 0),
    barrierIsOver: when(barrierIsOver),
    placeIsFree: when(placeIsFree),
    canBegin: when<FlitTboxEvent['type'], { side: Side }>(canBegin),
    canBeginLater: when<FlitTboxEvent['type'], { side: Side }>(canBeginLater),
    isStillBeyond: when(isStillBeyond),
    isDrained: when(isDrained),
  },
  actions: {
    drawJitter: choose('jitter', jitterCount, keepJitter),
    drawPlace: choose<'descriptor.issue'>('place in the queue', placeCount, keepPlace),
    tellSenders: act<'descriptor.issue'>(tellSenders),
    enqueue: act<'descriptor.issue'>(enqueue),
    keepBeyond: update<'descriptor.issue'>(keepBeyond),
    open: act<'descriptor.issue', { placed: boolean }>(open),
    passBarrier: act(passBarrier),
    givePlace: act(givePlace),
    begin: act<FlitTboxEvent['type'], { side: Side }>(begin),
    occupy: act<'blocks.begun', { side: Side }>((c, begun, out, { side }) => {
      const { transfer, freeAt, holds, heldUntil, inOrderOf } = begun;
      c.sides[side].freeAt = freeAt;
      if (side === 'dma') c.cutting = transfer;
      if (inOrderOf >= 0) c.uncounted[placeOf(c, inOrderOf)]!.push({ transfer, over: false });
      if (holds >= 0) holdSender(c, holds, heldUntil, out.now);
      if (begun.out) send(c, begun.out, out);
    }),
    goOnNow: post<'blocks.begun'>((c, { transfer, wake }) => goOn(c, { transfer, ...wake! })),
    goOnLater: post<'blocks.begun'>((c, { transfer, wake }, { now }) => wakeAt(c, transfer, wake!, now)),
    wakeLater: post<'transfer.waits'>((c, { transfer, wake }, { now }) => wakeAt(c, transfer, wake, now)),
    askToServe: act<FlitTboxEvent['type'], { side: Side }>(askToServe),
    noteDrain: update<'drain.request'>(noteDrain),
    tellFull: post(fullQueue),
    tellDrained: act(tellDrained),
    forget: update(forget),

    cut: act<'block.turn'>((c, { transfer }, out) => {
      c.outstanding++;
      out.post({ to: c.transfers.get(transfer)!, type: 'transfer.cut' });
    }),
    cutStalled: act((c, _event, out) => {
      c.isStalled = false;
      c.outstanding++;
      out.post({ to: c.transfers.get(c.cutting)!, type: 'transfer.cut' });
    }),
    stall: act<'block.turn'>((c, { transfer }, out) => {
      c.isStalled = true;
      out.post({ to: c.transfers.get(transfer)!, type: 'transfer.stall' });
    }),
    sendRequest: act<'transfer.sends'>((c, { out: outgoing }, out) => send(c, outgoing, out)),
    goOnCutting: post<'transfer.sends'>((c, { transfer, wake }, { now }) => wakeAt(c, transfer, wake!, now)),
    endCutting: update((c) => {
      c.cutting = -1;
      c.sides.dma.freeAt = 0;
      c.mayServe = true;
    }),
    handStep: post<'block.turn'>(goOn),
    handBlock: act<'packet.arrive'>((c, packet, out) => {
      const { transfer, offset, data } = contentOf<MemoryResponse>(packet);
      c.collectAt = Math.max(out.now * perCycle, c.collectAt) + engineGet(c.spec.value.timing, 1);
      const to = c.transfers.get(transfer)!;
      out.post({ to, type: 'transfer.block', offset, data: data!, through: c.collectAt });
    }),
    handWritten: post<'packet.arrive'>((c, packet) => ({
      to: c.transfers.get(contentOf<MemoryResponse>(packet).transfer)!,
      type: 'transfer.written',
    })),
    takeWayOut: update<'packet.arrive'>((c, _packet, { now }) => {
      c.readAt = readTime(c, now);
    }),
    handGrant: post<'packet.arrive'>((c, packet) => ({
      to: c.transfers.get(contentOf<MemoryGrant>(packet).transfer)!,
      type: 'transfer.readBlock',
      offset: contentOf<MemoryGrant>(packet).offset,
    })),
    handGrantLater: post<'packet.arrive'>((c, packet, { now }) => {
      const { transfer, offset } = contentOf<MemoryGrant>(packet);
      return wakeAt(c, transfer, { step: 'readBlock', offset, cycle: wholeCycles(c.readAt) - 1 }, now);
    }),
    receive: act<'packet.arrive'>((c, packet, out) => {
      const content = contentOf<RmaData>(packet);
      if (content.type !== 'rma.data')
        throw new Error(`found ${content.type} at an engine, expected what is for a cluster`);
      const { tids, offset, data, transfer, reply, role, source, last } = content;
      // First they are written, then they are counted (specification 7.1).
      for (const tid of tids) {
        if (!c.spec.value.tids.includes(tid)) continue;
        writeLdm(c, tid, offset, data, transfer, out as never);
        if (last) count(c, tid, reply, transfer, role, out as never);
      }
      // Acknowledgements are no traffic that the port counters of the specification show.
      if (last) out.post({ to: source, type: 'rma.arrived', transfer, delay: 1 });
    }),
    handSource: post<'ldm.data'>(toSource),
    handAnswerSource: post<'ldm.data'>(toAnswer),
    handArrival: post<'rma.arrived'>(toTransfer(() => ({ type: 'transfer.arrived' }))),
    noteSender: update<'rma.sender'>(noteSender),
    takeCredit: act<'packet.credit'>((c, { flits }, out) => {
      c.injector.credits += flits;
      pump(c.injector, injectorSpec(c), out.now, out);
    }),
    pump: act<'injector.turn'>((c, _event, out) => pump(c.injector, injectorSpec(c), out.now, out)),

    openAnswer: act<'packet.arrive'>((c, packet, out) => openAnswer(c, contentOf<RmaRead>(packet), out)),
    occupyWithAnswer: update<'foreign.begun'>(occupyWithAnswer),
    wakeAnswer: post<'foreign.begun'>((c, { transfer, wake }) => goOn(c, { transfer, ...wake })),
    wakeAnswerLater: post<'foreign.begun'>((c, { transfer, wake }, { now }) =>
      wakeAt(c, transfer, wake, now),
    ),
    sendAnswer: act<'answer.sends'>((c, { out: outgoing }, out) => send(c, outgoing, out)),
    closeAnswer: update<'answer.sends'>(closeAnswer),

    keepWake: update<'transfer.sends' | 'transfer.moved' | 'transfer.waits'>((c, { transfer, wake }) => {
      c.wake = wake && { ...wake, transfer };
    }),
    giveRoom: update((c) => {
      c.outstanding--;
    }),
    resumeNow: act((c, _event, out) => {
      const { wake } = c;
      c.wake = null;
      out.post(goOn(c, wake!));
    }),
    resumeLater: act((c, _event, out) => {
      const { wake } = c;
      c.wake = null;
      out.post(wakeAt(c, wake!.transfer, wake!, out.now));
    }),
    noteEnd: update<'transfer.ended'>((c, { transfer, tid }) => {
      c.counting = placeOf(c, tid);
      c.uncounted[c.counting]!.find((one) => one.transfer === transfer)!.over = true;
    }),
    countNext: act((c, _event, out) => {
      const next = countable(c)!;
      c.uncounted[c.counting] = c.uncounted[c.counting]!.filter((one) => one !== next);
      out.post({ to: c.transfers.get(next.transfer)!, type: 'transfer.countLocal', offset: 0 });
    }),
    endCounting: update((c) => {
      c.counting = -1;
    }),
    noteOver: update<'transfer.over' | 'transfer.moved'>((c, event) => {
      if (event.type === 'transfer.moved' && !event.over) return;
      const { transfer, tid, kind } = event;
      c.over.push({ transfer, tid, kind });
    }),
    serveAgain: update((c) => {
      c.mayServe = false;
    }),
    retire: act((c, _event, out) => {
      const one = c.over.shift()!;
      const { transfer, kind } = one;
      retire(c, one);
      if (sideOf(one) === 'rma') tellSenders(c, { type: 'transfer.over', ...one }, out);
      if (out.observed) out.probe({ type: 'transfer.complete', transfer, kind });
    }),
  },
}).createMachine({
  id: 'flitTbox',
  context: ({ input }) => ({
    spec: fixed(input),
    ...nothingToServe(input.tids),
    injector: emptyInjector(
      { entrance: input.entrance, flitsPerCycle: input.timing.flit.perCycle },
      input.timing.flit.bufferFlits,
    ),
    answers: new Map(),
    used: [],
    cutting: -1,
    isStalled: false,
    outstanding: 0,
    collectAt: 0,
    readAt: 0,
    uncounted: input.tids.map(() => []),
    wake: null,
    counting: -1,
    mayServe: false,
    over: [],
  }),
  initial: 'idle',
  states: {
    idle: {
      on: {
        'descriptor.issue': issueTransitions,
        'drain.request': { target: 'closing', actions: 'noteDrain' },
        'engine.turn': 'serving',
        'block.turn': [
          { guard: 'toCut', target: 'splitting', actions: 'cut' },
          { guard: 'toStall', target: 'handing', actions: 'stall' },
          { target: 'handing', actions: 'handStep' },
        ],
        'packet.arrive': [
          { guard: 'bringsBlock', target: 'handing', actions: 'handBlock' },
          { guard: 'tellsWritten', target: 'handing', actions: 'handWritten' },
          { guard: 'grantsNow', target: 'handing', actions: ['takeWayOut', 'handGrant'] },
          { guard: 'grants', actions: ['takeWayOut', 'handGrantLater'] },
          { guard: 'asksForBytes', target: 'answering', actions: ['drawJitter', 'openAnswer'] },
          { actions: 'receive' },
        ],
        'ldm.data': [
          { guard: 'forAnswer', target: 'handing', actions: 'handAnswerSource' },
          { target: 'handing', actions: 'handSource' },
        ],
        'rma.arrived': { target: 'handing', actions: 'handArrival' },
        'rma.sender': { actions: 'noteSender' },
        'packet.credit': { actions: 'takeCredit' },
        'injector.turn': { actions: 'pump' },
      },
    },
    opening: { on: { 'transfer.noted': 'serving' } },
    answering: {
      on: {
        'foreign.begun': [
          { guard: 'isAnswerDue', target: 'handing', actions: ['occupyWithAnswer', 'wakeAnswer'] },
          { target: 'idle', actions: ['occupyWithAnswer', 'wakeAnswerLater'] },
        ],
      },
    },
    handing: {
      on: {
        'transfer.noted': 'settling',
        'transfer.waits': { target: 'resuming', actions: 'keepWake' },
        'transfer.sends': [
          { guard: 'movesBlock', target: 'releasing', actions: ['sendRequest', 'keepWake', 'giveRoom'] },
          { target: 'resuming', actions: ['sendRequest', 'keepWake'] },
        ],
        'transfer.moved': { target: 'releasing', actions: ['keepWake', 'giveRoom', 'noteOver'] },
        'transfer.ended': { target: 'counting', actions: 'noteEnd' },
        'transfer.over': { target: 'settling', actions: 'noteOver' },
        'answer.sends': [
          { guard: 'isLast', target: 'idle', actions: ['sendAnswer', 'closeAnswer'] },
          { target: 'idle', actions: 'sendAnswer' },
        ],
      },
    },
    releasing: {
      always: [{ guard: 'isStalled', target: 'splitting', actions: 'cutStalled' }, { target: 'resuming' }],
    },
    splitting: {
      on: {
        'transfer.sends': [
          { guard: 'goesOnCutting', target: 'resuming', actions: ['sendRequest', 'goOnCutting'] },
          { target: 'resuming', actions: ['sendRequest', 'endCutting'] },
        ],
      },
    },
    resuming: {
      always: [
        { guard: 'wakesNow', target: 'handing', actions: 'resumeNow' },
        { guard: 'wakesLater', target: 'settling', actions: 'resumeLater' },
        { target: 'settling' },
      ],
    },
    counting: {
      initial: 'choosing',
      states: {
        choosing: {
          always: [
            { guard: 'canCount', target: 'counted', actions: 'countNext' },
            { target: '#flitTbox.settling', actions: 'endCounting' },
          ],
        },
        counted: {
          on: {
            'transfer.noted': 'choosing',
            'transfer.over': { target: 'choosing', actions: 'noteOver' },
          },
        },
      },
    },
    settling: {
      always: [
        { guard: 'mayServe', target: 'serving', actions: 'serveAgain' },
        { guard: 'hasOver', target: 'serving', actions: 'retire' },
        { target: 'idle' },
      ],
    },
    serving: {
      initial: 'dma',
      states: {
        dma: servingSide('dma', '#flitTbox.serving.rma', 'blocks.begun', {}),
        rma: servingSide('rma', '#flitTbox.closing', 'blocks.begun', {
          'transfer.waits': { target: 'filling', actions: 'wakeLater' },
        } as const),
      },
    },
    closing: {
      always: [
        { guard: 'isStillBeyond', target: 'settling', actions: ['tellFull', 'forget'] },
        { guard: 'isDrained', target: 'settling', actions: ['tellDrained', 'forget'] },
        { target: 'settling', actions: 'forget' },
      ],
    },
  },
});
