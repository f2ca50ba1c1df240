import { setup } from 'xstate';
import { component, type Outbox } from '../../../kernel/kit.ts';
import type { Address } from '../../../kernel/message.ts';
import { waitingFor } from '../../../kernel/outcome.ts';
import { fixed } from '../../../kernel/resource.ts';
import { spcDistance } from '../array/identity.ts';
import type { Descriptor } from '../descriptor.ts';
import { shapeOf } from '../memory-pieces.ts';
import type {
  LdmRead,
  LdmWrite,
  MemoryClaim,
  MemoryRead,
  MemoryWrite,
  ReplyIncrement,
  RmaData,
  RmaRead,
} from '../messages.ts';
import { engineGet, enginePut, unloadedGet, unloadedPut } from '../timing/dma-time.ts';
import { arrival, engineSlot, farthest, getRequestArrival, hopTime, localReply } from '../timing/rma-time.ts';
import { perCycle, thousandths, wholeCycles } from '../timing/thousandths.ts';
import { blocksTouched, putShape } from '../transfer/strided.ts';
import { byEngine } from './copies.ts';
import { readLdm, writeLdm } from './ldm-access.ts';
import { queuedStates } from './queued-states.ts';
import { isBarrier } from './queues.ts';
import { copyOf, readRequest } from './rma-messages.ts';
import type { TboxInput } from './tbox-input.ts';
import {
  controller,
  countLocal,
  engineOf,
  isKind,
  issuer,
  latch,
  overOf,
  ownLdm,
  receivers,
  receivingEngines,
  type TransferHead,
} from './transfer-head.ts';
import type { TransferBegin, TransferEvent, TransferSays, TransferWake } from './within.ts';

/** One transfer of a CPE, from the issue of its descriptor until nothing of it is under way; then its place is free for another one. */
export interface TransferContext extends TransferHead {
  /** DMA: reply on an idle machine. RMA: end of the work of the engine. In thousandths. */
  due: number;
  /** Bytes that wait for their time. */
  data: Uint8Array | null;
  /** Clusters whose copies are on their way. */
  arriving: number;
}

type TransferSends =
  | TransferSays
  | LdmRead
  | LdmWrite
  | MemoryClaim
  | MemoryRead
  | MemoryWrite
  | ReplyIncrement
  | RmaData
  | RmaRead;
type Out = Outbox<TransferSends>;

const { act, update, post, when } = component<TransferContext, TransferEvent, TransferSends>();

/** The longest way to a receiver. */
const way = (c: TransferContext) =>
  farthest(
    c.spec.value.timing,
    receivers(c).map((one) => spcDistance(issuer(c), one)),
  );
const isOf = (...kinds: readonly Descriptor['kind'][]) => when(isKind(...kinds));

/** Asks the engine for the next step, at a time in thousandths. */
function wakeIn(
  c: TransferContext,
  step: TransferWake['step'],
  time: number,
  rest: Pick<TransferWake, 'lead' | 'inOrder'>,
): TransferWake & { readonly to: Address } {
  const { transfer, tid } = c.descriptor!;
  const cycle = wholeCycles(time) + c.jitter;
  return { to: engineOf(c), type: 'transfer.wake', transfer, tid, step, cycle, ...rest };
}

/** The requests for all blocks of a DMA transfer in one message (specification 8.4, Split; 9.2), and how long they occupy the engine. */
function requestBlocks(c: TransferContext, { freeAt, ready }: TransferBegin, out: Out): void {
  const { timing, self } = c.spec.value;
  const { transfer, memory, len, bsize, stride, kind } = c.descriptor!;
  const shape = shapeOf(c.descriptor!);
  const put = putShape(shape);
  const start = Math.max(freeAt, ready * perCycle);
  const issued = start - thousandths(timing.dma.issueCost);
  const isPut = kind === 'dmaPut';
  c.due = issued + (isPut ? unloadedPut(timing, put) : unloadedGet(timing, blocksTouched(shape)));
  const where = { transfer, memory, len, bsize, stride, block: null, requester: self, delay: 1 };
  const to = controller(c);
  if (isPut) out.post({ to, type: 'memory.claim', ...where });
  else out.post({ to, type: 'memory.read', ...where });
  const occupied = isPut ? enginePut(timing, put.blocks) : engineGet(timing, put.blocks);
  out.post({ to: self, type: 'transfer.begun', transfer, freeAt: start + occupied, holds: -1, wake: null });
}

/** RMA_READ to the engine beside the other CPE (specification 8.4, SendRead). */
function requestRead(c: TransferContext, { freeAt, ready }: TransferBegin, out: Out): void {
  const { timing, self, engines } = c.spec.value;
  const { transfer, tid, remoteTid } = c.descriptor!;
  const sent = Math.max(freeAt, ready * perCycle);
  const distance = spcDistance(tid, remoteTid);
  out.post({
    to: engines[remoteTid]!,
    ...readRequest(c.descriptor!, self),
    ready: getRequestArrival(timing, sent, distance),
    delay: Math.max(1, wholeCycles(sent + hopTime(timing, distance)) - out.now),
  });
  out.post({ to: self, type: 'transfer.begun', transfer, freeAt, holds: -1, wake: null });
}

/** RMA_DATA with a copy for the receivers of each cluster. */
function sendCopies(c: TransferContext, data: Uint8Array, delay: number, out: Out): void {
  const { engines, self } = c.spec.value;
  for (const { engine, tids } of byEngine(engines, receivers(c))) {
    c.arriving++;
    out.post({ to: engine, ...copyOf(c.descriptor!, tids, 0, data, true, self), delay });
  }
}

/**
 * One transfer of a DMA and RMA engine (specification 8.4): what its descriptor goes through, from the queue of its CPE to the last byte that is written.
 *
 * Details: one message stands for all blocks or packets of a descriptor; when what is due follows from the formulas of section 9.
 */
export const transfer = setup({
  types: {} as { context: TransferContext; events: TransferEvent; input: TboxInput },
  guards: {
    isBarrier: when((c) => isBarrier(c.descriptor!)),
    issuesBarrier: when<'transfer.open'>((_c, { descriptor, placed }) => placed && isBarrier(descriptor)),
    hasPlace: when<'transfer.open'>((_c, { placed }) => placed),
    getsFromMemory: isOf('dmaGet', 'dmaBcast'),
    putsToMemory: isOf('dmaPut'),
    getsFromCpe: isOf('rmaGet'),
    isBroadcast: isOf('dmaBcast'),
    lastCopy: when((c) => c.arriving === 1),
    allArrived: when((c) => c.arriving === 0),
  },
  actions: {
    latch: update<'transfer.open'>(latch),
    acknowledge: post((c) => ({ to: engineOf(c), type: 'transfer.noted' })),
    requestBlocks: act<'transfer.begin'>(requestBlocks),
    requestRead: act<'transfer.begin'>(requestRead),
    takeSlot: act<'transfer.begin'>((c, { freeAt, ready }, out) => {
      const { timing, self } = c.spec.value;
      const { transfer, tid, len } = c.descriptor!;
      const { end } = engineSlot(timing, freeAt, ready * perCycle, len);
      c.due = end;
      const wake = { step: 'readSource', cycle: wholeCycles(end) - 1 } as const;
      out.post({ to: self, type: 'transfer.begun', transfer, freeAt: end, holds: tid, wake });
    }),
    keepBytes: update<'transfer.bytes'>((c, { data }) => {
      c.data = data;
    }),
    endWithBytes: post<'transfer.bytes'>((c, { through }) => {
      const time = Math.max(c.due, through + thousandths(c.spec.value.timing.dma.getReturn));
      return wakeIn(c, 'deliver', time, { lead: 0, inOrder: true });
    }),
    endWithGrant: post<'transfer.granted'>((c, { granted }) => {
      const time = Math.max(c.due, granted + thousandths(c.spec.value.timing.dma.putGrant));
      return wakeIn(c, 'readSource', time, { lead: 1, inOrder: true });
    }),
    endWithTail: post((c) =>
      wakeIn(c, 'countLocal', localReply(c.spec.value.timing, c.due), { lead: 0, inOrder: false }),
    ),
    deliver: act((c, _event, out) => {
      const { transfer, tid, ldm } = c.descriptor!;
      writeLdm(c, tid, ldm, c.data!, transfer, out);
      c.data = null;
    }),
    readSource: act((c, _event, out) => {
      const { transfer, tid, ldm, len } = c.descriptor!;
      readLdm(c, tid, ldm, len, transfer, out);
    }),
    countLocal: act(countLocal),
    writeBlocks: post<'transfer.source'>((c, { data }) => {
      const { transfer, memory, len, bsize, stride } = c.descriptor!;
      const where = { transfer, memory, len, bsize, stride, block: null };
      return { to: controller(c), type: 'memory.write', ...where, data, requester: engineOf(c), delay: 1 };
    }),
    broadcastBytes: act((c, _event, out) => {
      sendCopies(c, c.data!, Math.max(1, wholeCycles(hopTime(c.spec.value.timing, way(c)))), out);
      c.data = null;
    }),
    sendBytes: act<'transfer.source'>((c, { data }, out) => {
      const there = wholeCycles(arrival(c.spec.value.timing, c.due, way(c))) + c.jitter;
      sendCopies(c, data, Math.max(1, there - out.now), out);
    }),
    countArrival: update((c) => {
      c.arriving--;
    }),
    end: act((c, _event, out) => out.post(overOf(c))),
    clear: update((c) => {
      c.descriptor = null;
      c.jitter = 0;
      c.due = 0;
      c.arriving = 0;
    }),
  },
}).createMachine({
  id: 'transfer',
  context: ({ input }) => ({
    spec: fixed(input),
    descriptor: null,
    jitter: 0,
    due: 0,
    data: null,
    arriving: 0,
  }),
  initial: 'free',
  states: {
    ...queuedStates<TransferContext>(),
    queued: {
      ...waitingFor<TransferContext>('its turn at the engine', engineOf),
      on: {
        'transfer.begin': [
          { guard: 'getsFromMemory', target: 'get', actions: 'requestBlocks' },
          { guard: 'putsToMemory', target: 'put', actions: 'requestBlocks' },
          { guard: 'getsFromCpe', target: 'remoteGet', actions: 'requestRead' },
          { target: 'stream', actions: 'takeSlot' },
        ],
      },
    },
    get: {
      initial: 'collecting',
      states: {
        collecting: {
          ...waitingFor<TransferContext>('its blocks from the memory controller', controller),
          on: { 'transfer.bytes': { target: 'returning', actions: ['keepBytes', 'endWithBytes'] } },
        },
        returning: {
          on: {
            'transfer.turn': [
              { guard: 'isBroadcast', target: 'copying', actions: 'broadcastBytes' },
              { target: '#transfer.free', actions: ['deliver', 'countLocal', 'end', 'clear'] },
            ],
          },
        },
        copying: {
          ...waitingFor<TransferContext>('its copies to be in the LDMs of all receivers', receivingEngines),
          on: {
            'transfer.arrived': [
              { guard: 'lastCopy', target: '#transfer.free', actions: ['end', 'clear'] },
              { actions: 'countArrival' },
            ],
          },
        },
      },
    },
    put: {
      initial: 'claiming',
      states: {
        claiming: {
          ...waitingFor<TransferContext>('slots of the write buffer for its blocks', controller),
          on: { 'transfer.granted': { target: 'granted', actions: 'endWithGrant' } },
        },
        granted: { on: { 'transfer.turn': { target: 'reading', actions: 'readSource' } } },
        reading: {
          ...waitingFor<TransferContext>('its source to be read', ownLdm),
          on: { 'transfer.source': { target: 'unwritten', actions: ['countLocal', 'writeBlocks'] } },
        },
        unwritten: {
          ...waitingFor<TransferContext>('the memory controller to write its blocks', controller),
          on: { 'transfer.written': { target: '#transfer.free', actions: ['end', 'clear'] } },
        },
      },
    },
    stream: {
      initial: 'streaming',
      states: {
        streaming: { on: { 'transfer.turn': { target: 'reading', actions: ['readSource', 'acknowledge'] } } },
        reading: {
          ...waitingFor<TransferContext>('its source to be read', ownLdm),
          on: { 'transfer.source': { target: 'tail', actions: ['sendBytes', 'endWithTail'] } },
        },
        tail: {
          on: {
            'transfer.arrived': { actions: 'countArrival' },
            'transfer.turn': [
              { guard: 'allArrived', target: '#transfer.free', actions: ['countLocal', 'end', 'clear'] },
              { target: 'arriving', actions: 'countLocal' },
            ],
          },
        },
        arriving: {
          ...waitingFor<TransferContext>('its bytes to be in the LDMs of all receivers', receivingEngines),
          on: {
            'transfer.arrived': [
              { guard: 'lastCopy', target: '#transfer.free', actions: ['end', 'clear'] },
              { actions: 'countArrival' },
            ],
          },
        },
      },
    },
    remoteGet: {
      initial: 'requested',
      states: {
        requested: {
          ...waitingFor<TransferContext>(
            'the bytes that the engine of the other CPE reads for it',
            (c) => c.spec.value.engines[c.descriptor!.remoteTid]!,
          ),
          on: { 'transfer.arrived': { target: '#transfer.free', actions: ['end', 'clear'] } },
        },
      },
    },
  },
});
