import { setup } from 'xstate';
import { component } from '../../../../kernel/kit.ts';
import { waitingFor } from '../../../../kernel/outcome.ts';
import { fixed } from '../../../../kernel/resource.ts';
import { spcOf } from '../../array/identity.ts';
import type { Descriptor } from '../../descriptor.ts';
import { shapeOf } from '../../memory-pieces.ts';
import type { LdmRead, LdmWrite, ReplyIncrement } from '../../messages.ts';
import { clusterBit, gatewayBit } from '../../network/packet.ts';
import { localReply } from '../../timing/rma-time.ts';
import { perCycle, wholeCycles } from '../../timing/thousandths.ts';
import { blockFrom, blocksTouched, putShape } from '../../transfer/strided.ts';
import { readLdm, writeLdm } from '../ldm-access.ts';
import { queuedStates } from '../queued-states.ts';
import { isBarrier } from '../queues.ts';
import { copyOf, readRequest } from '../rma-messages.ts';
import type { TboxInput } from '../tbox-input.ts';
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
} from '../transfer-head.ts';
import { blockRequest, blockWrite, clusterCount, clustersOf, putTail, rampTime } from './contents.ts';
import { askForPackets, type Streaming, takePacket, takeSlot } from './streaming.ts';
import type { FlitBegun, FlitTransferEvent, FlitTransferSays, Outgoing } from './within.ts';

/** One transfer of a CPE where packets are sent, from the issue of its descriptor until nothing of it is under way; then its place is free for another one. */
export interface FlitTransferContext extends TransferHead {
  /** DMA: bytes for which requests were made. */
  cut: number;
  /** Gets: when the first block was there, in thousandths, -1 before; blocks that came; bytes that wait for their time, by offset. */
  begun: number;
  come: number;
  held: Map<number, Uint8Array>;
  /** Puts: offsets of blocks that are being read; blocks that are written. */
  reading: number[];
  written: number;
  /** Blocks that are through at the side of the LDM. */
  moved: number;
  /** Clusters whose copies are on their way. */
  arriving: number;
  /** RMA: how the source is read. */
  source: Streaming | null;
}

type Sends = FlitTransferSays | LdmRead | LdmWrite | ReplyIncrement;
const { act, post, update, when } = component<FlitTransferContext, FlitTransferEvent, Sends>();

const blocksOf = ({ descriptor }: FlitTransferContext) => blocksTouched(shapeOf(descriptor!));
const toMemory = (c: FlitTransferContext): number => gatewayBit(spcOf(issuer(c)) >> 2);
const isOf = (...kinds: readonly Descriptor['kind'][]) => when(isKind(...kinds));

/** The own side is over in a cycle. */
const endAt = (cycle: number) => ({ step: 'endOwnSide', offset: 0, cycle }) as const;

/** A block of a broadcast has come: it goes on to all receivers. */
function copyBlock(c: FlitTransferContext, offset: number): Outgoing {
  const tids = receivers(c);
  const data = c.held.get(offset)!;
  const isLast = c.moved + 1 === blocksOf(c);
  c.held.delete(offset);
  c.moved++;
  if (isLast) c.arriving = clusterCount(tids);
  return {
    content: copyOf(c.descriptor!, tids, offset, data, isLast, engineOf(c)),
    targets: clustersOf(tids),
  };
}

/**
 * One transfer of a DMA and RMA engine at block granularity (specification 8.4): Split and Collect of a DMA transfer go on side by side, block by block; Stream goes packet by
 * packet.
 */
export const flitTransfer = setup({
  types: {} as { context: FlitTransferContext; events: FlitTransferEvent; input: TboxInput },
  guards: {
    isBarrier: when((c) => isBarrier(c.descriptor!)),
    issuesBarrier: when<'transfer.open'>((_c, { descriptor, placed }) => placed && isBarrier(descriptor)),
    hasPlace: when<'transfer.open'>((_c, { placed }) => placed),
    getsFromMemory: isOf('dmaGet', 'dmaBcast'),
    putsToMemory: isOf('dmaPut'),
    getsFromCpe: isOf('rmaGet'),
    cutsLast: when((c) => c.cut + blockFrom(shapeOf(c.descriptor!), c.cut).bytes === c.descriptor!.len),
    copiesLast: when((c) => c.descriptor!.kind === 'dmaBcast' && c.moved + 1 === blocksOf(c)),
    copies: isOf('dmaBcast'),
    movesLast: when((c) => c.moved + 1 === blocksOf(c)),
    allWritten: when((c) => c.written === blocksOf(c)),
    writesLast: when((c) => c.written + 1 === blocksOf(c)),
    lastCopy: when((c) => c.arriving === 1),
    allArrived: when((c) => c.arriving === 0),
    takesLast: when<'transfer.source'>((c, { data }) => c.source!.come + data.length === c.source!.len),
  },
  actions: {
    latch: update<'transfer.open'>(latch),
    acknowledge: post((c) => ({ to: engineOf(c), type: 'transfer.noted' })),
    beginBlocks: post<'transfer.begin'>((c, { ready }, { now }) => ({
      to: engineOf(c),
      ...begun(c),
      freeAt: Number.POSITIVE_INFINITY,
      wake: { step: 'cut', offset: 0, cycle: Math.max(ready, now + 1) },
    })),
    requestRead: act<'transfer.begin'>((c, { freeAt }, out) => {
      const request = readRequest(c.descriptor!, engineOf(c));
      const targets = clusterBit(spcOf(request.tid));
      c.arriving = 1;
      out.post({ to: engineOf(c), ...begun(c), freeAt, out: { content: request, targets } });
    }),
    takeSlot: act<'transfer.begin'>((c, { freeAt, ready }, out) => {
      const { len } = c.descriptor!;
      const slot = takeSlot(c.spec.value.timing, freeAt, ready * perCycle, len, c.jitter);
      c.source = slot.source;
      c.arriving = clusterCount(receivers(c));
      out.post({
        to: engineOf(c),
        ...begun(c),
        freeAt: slot.freeAt,
        holds: issuer(c),
        heldUntil: slot.source.end,
        wake: { step: 'stream', offset: 0, cycle: wholeCycles(slot.source.start) },
      });
    }),
    requestBlock: act((c, _event, out) => {
      const { transfer, len } = c.descriptor!;
      const content = blockRequest(c.descriptor!, c.cut, engineOf(c));
      c.cut += content.len;
      const next = { step: 'cut', offset: c.cut, cycle: out.now + 1 } as const;
      out.post({
        to: engineOf(c),
        type: 'transfer.sends',
        transfer,
        out: { content, targets: toMemory(c) },
        moved: false,
        wake: c.cut === len ? null : next,
      });
    }),
    keepBlock: act<'transfer.block'>((c, { offset, data, through }, out) => {
      if (c.come === 0) c.begun = through;
      const time = Math.max(through, c.begun + rampTime(c.spec.value.timing, c.come));
      c.come++;
      c.held.set(offset, data);
      out.post({
        to: engineOf(c),
        type: 'transfer.waits',
        transfer: c.descriptor!.transfer,
        wake: { step: 'collect', offset, cycle: wholeCycles(time) },
      });
    }),
    writeBlock: act<'transfer.collect'>((c, { offset }, out) => {
      const { transfer, tid, ldm } = c.descriptor!;
      writeLdm(c, tid, ldm + offset, c.held.get(offset)!, transfer, out);
      c.held.delete(offset);
      c.moved++;
    }),
    copyBlock: act<'transfer.collect'>((c, { offset }, out) => {
      const { transfer } = c.descriptor!;
      const message = { type: 'transfer.sends', transfer, moved: true, wake: null } as const;
      out.post({ to: engineOf(c), ...message, out: copyBlock(c, offset) });
    }),
    giveRoom: post((c) => ({ to: engineOf(c), ...moved(c) })),
    giveLastRoom: post((c, _event, { now }) => ({
      to: engineOf(c),
      ...moved(c),
      wake: endAt(now + c.jitter),
    })),
    giveRoomAtEnd: post((c) => ({ to: engineOf(c), ...moved(c), over: true })),
    readBlock: act<'transfer.readBlock'>((c, { offset }, out) => {
      const { transfer, tid, ldm } = c.descriptor!;
      c.reading.push(offset);
      readLdm(c, tid, ldm + offset, blockFrom(shapeOf(c.descriptor!), offset).bytes, transfer, out);
    }),
    sendBlock: act<'transfer.source'>((c, { data }, out) => {
      const { transfer } = c.descriptor!;
      const content = blockWrite(c.descriptor!, c.reading.shift()!, data, engineOf(c));
      c.moved++;
      const due = out.now + putTail(c.spec.value.timing, putShape(shapeOf(c.descriptor!))) + c.jitter;
      out.post({
        to: engineOf(c),
        type: 'transfer.sends',
        transfer,
        out: { content, targets: toMemory(c) },
        moved: false,
        wake: c.moved < blocksOf(c) ? null : endAt(due),
      });
    }),
    countWritten: update((c) => {
      c.written++;
    }),
    endOwnSide: post((c) => ({
      to: engineOf(c),
      type: 'transfer.ended',
      transfer: c.descriptor!.transfer,
      tid: issuer(c),
    })),
    readPackets: act((c, _event, out) => {
      const { transfer, tid, ldm } = c.descriptor!;
      const to = engineOf(c);
      const source = c.source!;
      const cycle = askForPackets(c.spec.value.timing, source, out.now, (offset, bytes) =>
        readLdm(c, tid, ldm + offset, bytes, transfer, out),
      );
      if (cycle < 0) out.post({ to, type: 'transfer.noted' });
      else
        out.post({
          to,
          type: 'transfer.waits',
          transfer,
          wake: { step: 'stream', offset: source.asked, cycle },
        });
    }),
    sendPacket: act<'transfer.source'>((c, { data }, out) => {
      const { transfer } = c.descriptor!;
      const tids = receivers(c);
      const source = c.source!;
      const offset = takePacket(source, data.length);
      const last = source.come === source.len;
      const cycle = wholeCycles(localReply(c.spec.value.timing, source.end));
      out.post({
        to: engineOf(c),
        type: 'transfer.sends',
        transfer,
        out: {
          content: copyOf(c.descriptor!, tids, offset, data, last, engineOf(c)),
          targets: clustersOf(tids),
        },
        moved: false,
        wake: last ? { step: 'countLocal', offset: 0, cycle } : null,
      });
    }),
    countLocal: act(countLocal),
    countArrival: update((c) => {
      c.arriving--;
    }),
    end: act((c, _event, out) => out.post(overOf(c))),
    clear: update((c) => {
      Object.assign(c, nothingMoved());
    }),
  },
}).createMachine({
  id: 'flitTransfer',
  context: ({ input }) => ({ spec: fixed(input), ...nothingMoved() }),
  initial: 'free',
  states: {
    ...queuedStates<FlitTransferContext>(),
    queued: {
      ...waitingFor<FlitTransferContext>('its turn at the engine', engineOf),
      on: {
        'transfer.begin': [
          { guard: 'getsFromMemory', target: 'get', actions: 'beginBlocks' },
          { guard: 'putsToMemory', target: 'put', actions: 'beginBlocks' },
          { guard: 'getsFromCpe', target: 'remoteGet', actions: 'requestRead' },
          { target: 'stream', actions: 'takeSlot' },
        ],
      },
    },
    get: {
      type: 'parallel',
      states: {
        split: splitting(),
        collect: {
          initial: 'collecting',
          states: {
            collecting: {
              ...waitingFor<FlitTransferContext>('its blocks from the memory controller', controller),
              on: {
                'transfer.block': { actions: 'keepBlock' },
                'transfer.collect': [
                  { guard: 'copiesLast', target: 'copying', actions: 'copyBlock' },
                  { guard: 'copies', actions: 'copyBlock' },
                  { guard: 'movesLast', target: 'returning', actions: ['writeBlock', 'giveLastRoom'] },
                  { actions: ['writeBlock', 'giveRoom'] },
                ],
              },
            },
            returning: { on: { 'transfer.endOwnSide': { target: 'inOrder', actions: 'endOwnSide' } } },
            inOrder: {
              ...waitingFor<FlitTransferContext>('earlier transfers of its CPE to be counted', engineOf),
              on: {
                'transfer.countLocal': {
                  target: '#flitTransfer.free',
                  actions: ['countLocal', 'end', 'clear'],
                },
              },
            },
            copying: {
              ...waitingFor<FlitTransferContext>(
                'its copies to be in the LDMs of all receivers',
                receivingEngines,
              ),
              on: {
                'transfer.arrived': [
                  { guard: 'lastCopy', target: '#flitTransfer.free', actions: ['end', 'clear'] },
                  { actions: ['countArrival', 'acknowledge'] },
                ],
              },
            },
          },
        },
      },
    },
    put: {
      type: 'parallel',
      states: {
        split: splitting(),
        collect: {
          initial: 'reading',
          on: { 'transfer.written': { actions: ['countWritten', 'giveRoom'] } },
          states: {
            reading: {
              ...waitingFor<FlitTransferContext>('slots of the write buffer, and its source', (c) => [
                controller(c),
                ownLdm(c),
              ]),
              on: {
                'transfer.readBlock': { actions: ['readBlock', 'acknowledge'] },
                'transfer.source': [
                  { guard: 'movesLast', target: 'granted', actions: 'sendBlock' },
                  { actions: 'sendBlock' },
                ],
              },
            },
            granted: { on: { 'transfer.endOwnSide': { target: 'inOrder', actions: 'endOwnSide' } } },
            inOrder: {
              ...waitingFor<FlitTransferContext>('earlier transfers of its CPE to be counted', engineOf),
              on: {
                'transfer.countLocal': [
                  {
                    guard: 'allWritten',
                    target: '#flitTransfer.free',
                    actions: ['countLocal', 'end', 'clear'],
                  },
                  { target: 'unwritten', actions: ['countLocal', 'acknowledge'] },
                ],
              },
            },
            unwritten: {
              ...waitingFor<FlitTransferContext>('the memory controller to write its blocks', controller),
              on: {
                'transfer.written': [
                  {
                    guard: 'writesLast',
                    target: '#flitTransfer.free',
                    actions: ['giveRoomAtEnd', 'clear'],
                  },
                  { actions: ['countWritten', 'giveRoom'] },
                ],
              },
            },
          },
        },
      },
    },
    stream: {
      initial: 'streaming',
      states: {
        streaming: {
          on: {
            'transfer.stream': { actions: 'readPackets' },
            'transfer.source': [
              { guard: 'takesLast', target: 'tail', actions: 'sendPacket' },
              { actions: 'sendPacket' },
            ],
          },
        },
        tail: {
          on: {
            'transfer.arrived': { actions: ['countArrival', 'acknowledge'] },
            'transfer.countLocal': [
              { guard: 'allArrived', target: '#flitTransfer.free', actions: ['countLocal', 'end', 'clear'] },
              { target: 'arriving', actions: ['countLocal', 'acknowledge'] },
            ],
          },
        },
        arriving: {
          ...waitingFor<FlitTransferContext>(
            'its bytes to be in the LDMs of all receivers',
            receivingEngines,
          ),
          on: {
            'transfer.arrived': [
              { guard: 'lastCopy', target: '#flitTransfer.free', actions: ['end', 'clear'] },
              { actions: ['countArrival', 'acknowledge'] },
            ],
          },
        },
      },
    },
    remoteGet: {
      initial: 'requested',
      states: {
        requested: {
          ...waitingFor<FlitTransferContext>(
            'the bytes that the engine of the other CPE reads for it',
            (c) => c.spec.value.engines[c.descriptor!.remoteTid]!,
          ),
          on: { 'transfer.arrived': { target: '#flitTransfer.free', actions: ['end', 'clear'] } },
        },
      },
    },
  },
});

/** Split: one request a cycle, as many outstanding as the window has room for (specification 8.4). */
function splitting() {
  const cutting = {
    'transfer.cut': [
      { guard: 'cutsLast', target: 'done', actions: 'requestBlock' },
      { target: 'cutting', actions: 'requestBlock' },
    ],
  } as const;
  return {
    initial: 'cutting',
    states: {
      cutting: {
        on: { ...cutting, 'transfer.stall': { target: 'stalled', actions: 'acknowledge' } },
      },
      stalled: {
        ...waitingFor<FlitTransferContext>('room in the window of requests', controller),
        on: cutting,
      },
      done: {},
    },
  } as const;
}

function nothingMoved(): Omit<FlitTransferContext, 'spec'> {
  return {
    descriptor: null,
    jitter: 0,
    cut: 0,
    begun: -1,
    come: 0,
    held: new Map(),
    reading: [],
    written: 0,
    moved: 0,
    arriving: 0,
    source: null,
  };
}

function begun(c: FlitTransferContext): Omit<FlitBegun, 'freeAt'> {
  const { transfer, tid, kind } = c.descriptor!;
  const inOrderOf = kind === 'dmaGet' || kind === 'dmaPut' ? tid : -1;
  return { type: 'blocks.begun', transfer, holds: -1, heldUntil: 0, inOrderOf, out: null, wake: null };
}

function moved(c: FlitTransferContext) {
  const { transfer, tid, kind } = c.descriptor!;
  return { type: 'transfer.moved', transfer, tid, kind, over: false, wake: null } as const;
}
