import { setup } from 'xstate';
import { component } from '../../../../../kernel/kit.ts';
import { fixed } from '../../../../../kernel/resource.ts';
import type { Descriptor } from '../../../descriptor.ts';
import { jitterCount, keepJitter } from '../../../jitter.ts';
import type {
  DescriptorIssue,
  DrainRequest,
  EngineTurn,
  LdmData,
  RmaArrived,
  RmaSender,
} from '../../../messages.ts';
import { emptyInjector, pump } from '../../../network/injector.ts';
import type { InjectorTurn, PacketArrive, PacketCredit } from '../../../network/packet.ts';
import { emptyQueue } from '../../fast/cpe-queue.ts';
import { accept, type Carrier, complete, drain, placeOf, serve, tellFull } from '../../fast/service.ts';
import { freePlaces } from '../../queues.ts';
import { noSenders, noteSender } from '../../senders.ts';
import type { BlockTurn } from '../block-turn.ts';
import type { FlitEngineInput } from '../flit-input.ts';
import {
  beginBlocks,
  collect,
  cutBlock,
  endOwnSide,
  isComplete,
  isCutting,
  noteWritten,
  readBlock,
  sendBlock,
  takeBlock,
  takeBlockGrant,
} from './block-dma.ts';
import { type FlitTboxContext, type FlitTboxOut, type FlitTboxSends, injectorSpec } from './flit-context.ts';
import {
  beginForeignStream,
  beginPackets,
  countStream,
  receivePacket,
  sendForeignPacket,
  sendPacket,
  stream,
} from './packet-rma.ts';

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
  | RmaSender;

const { act, choose, update } = component<FlitTboxContext, FlitTboxEvent, FlitTboxSends>();

const carrierOf = (c: FlitTboxContext, out: FlitTboxOut): Carrier => ({
  dma: (queued, at) => beginBlocks(c, queued, at, out),
  rma: (queued, at) => beginPackets(c, queued, at, out),
  isBusy: (side) => side === 'dma' && isCutting(c),
});

const serveAgain = (c: FlitTboxContext, at: number, out: FlitTboxOut): void =>
  serve(c, carrierOf(c, out), at, out);

/** Ends transfers of which nothing is under way any more: one message may have ended several. */
function settle(c: FlitTboxContext, at: number, out: FlitTboxOut): void {
  const over: Descriptor[] = [];
  for (const [transfer, flight] of c.flights)
    if (isComplete(flight)) {
      c.flights.delete(transfer);
      over.push(flight.descriptor);
    }
  for (const descriptor of over) complete(c, carrierOf(c, out), descriptor, at, out);
}

function settleStream(c: FlitTboxContext, transfer: number, at: number, out: FlitTboxOut): void {
  const { counted, arriving, descriptor } = c.streams.get(transfer)!;
  if (!counted || arriving > 0) return;
  c.streams.delete(transfer);
  complete(c, carrierOf(c, out), descriptor, at, out);
}

function blockTurn(c: FlitTboxContext, { transfer, offset, step }: BlockTurn, out: FlitTboxOut): void {
  const at = out.now;
  switch (step) {
    case 'cut':
      if (cutBlock(c, at, out)) serveAgain(c, at, out);
      return;
    case 'collect':
      if (collect(c, c.flights.get(transfer)!, offset, at, out)) serveAgain(c, at, out);
      settle(c, at, out);
      return;
    case 'readBlock':
      readBlock(c, c.flights.get(transfer)!, offset, out);
      return;
    case 'endOwnSide':
      endOwnSide(c, c.flights.get(transfer)!, out);
      settle(c, at, out);
      return;
    case 'stream':
      stream(c, transfer, c.streams.get(transfer)!.source!, step, at, out);
      return;
    case 'streamForeign':
      stream(c, transfer, c.reads.get(transfer)!.source, step, at, out);
      return;
    case 'countLocal':
      countStream(c, c.streams.get(transfer)!, out);
      settleStream(c, transfer, at, out);
  }
}

/** A packet is there: what it carries is taken. */
function unpack(c: FlitTboxContext, { packet: { content } }: PacketArrive, out: FlitTboxOut): void {
  switch (content.type) {
    case 'memory.response':
      if (content.data === null ? noteWritten(c, content, out) : takeBlock(c, content, out))
        serveAgain(c, out.now, out);
      settle(c, out.now, out);
      return;
    case 'memory.grant':
      takeBlockGrant(c, content, out);
      return;
    case 'rma.data':
      receivePacket(c, content, out);
      return;
    case 'rma.read':
      beginForeignStream(c, content, out);
      return;
    default:
      throw new Error(`found ${content.type} at an engine, expected what is for a cluster`);
  }
}

/** Bytes of an LDM are there: of a get that another engine asked for, of a block of a put, or of a put or broadcast to LDMs. */
function takeSource(c: FlitTboxContext, { tag, data }: LdmData, out: FlitTboxOut): void {
  const read = c.reads.get(tag);
  // A get of a CPE from one of its own cluster is in both tables: what is read is the source.
  if (read !== undefined) {
    sendForeignPacket(c, read, data, out);
    return;
  }
  const block = c.flights.get(tag);
  if (block !== undefined) {
    sendBlock(c, block, data, out);
    settle(c, out.now, out);
    return;
  }
  const flight = c.streams.get(tag)!;
  sendPacket(c, flight, flight.source!, data, out);
  settleStream(c, tag, out.now, out);
}

/**
 * The transfer engine of one cluster of four CPEs at block granularity as plain code: the fast twin of `../flit-tbox.ts`, with the same messages in the same order.
 */
export const fastFlitTbox = setup({
  types: {} as { context: FlitTboxContext; events: FlitTboxEvent; input: FlitEngineInput },
  actions: {
    drawJitter: choose('jitter', jitterCount, keepJitter),
    drawForeignJitter: choose<'packet.arrive'>(
      'jitter',
      (c, { packet }) => (packet.content.type === 'rma.read' ? jitterCount(c) : 1),
      keepJitter,
    ),
    drawPlace: choose<'descriptor.issue'>(
      'place in the queue',
      (c, descriptor) =>
        c.spec.value.reorder ? freePlaces(c.queues[placeOf(c, descriptor.tid)]!, descriptor) : 1,
      (c, _event, pick) => {
        c.place = pick;
      },
    ),
    accept: act<'descriptor.issue'>((c, event, out) => {
      accept(c, event, out);
      serveAgain(c, out.now, out);
      tellFull(c, event, out);
    }),
    drain: act<'drain.request'>((c, { tid }, out) => drain(c, tid, out)),
    turn: act<'engine.turn'>((c, _event, out) => serveAgain(c, out.now, out)),
    blockTurn: act<'block.turn'>(blockTurn),
    unpack: act<'packet.arrive'>(unpack),
    takeSource: act<'ldm.data'>(takeSource),
    noteSender: update<'rma.sender'>(noteSender),
    noteArrival: act<'rma.arrived'>((c, { transfer }, out) => {
      const broadcast = c.flights.get(transfer);
      if (broadcast !== undefined) {
        broadcast.arriving--;
        settle(c, out.now, out);
        return;
      }
      c.streams.get(transfer)!.arriving--;
      settleStream(c, transfer, out.now, out);
    }),
    takeCredit: act<'packet.credit'>((c, { flits }, out) => {
      c.injector.credits += flits;
      pump(c.injector, injectorSpec(c), out.now, out);
    }),
    pump: act<'injector.turn'>((c, _event, out) => pump(c.injector, injectorSpec(c), out.now, out)),
  },
}).createMachine({
  id: 'fastFlitTbox',
  context: ({ input }) => ({
    spec: fixed(input),
    jitter: 0,
    place: 0,
    queues: input.tids.map(emptyQueue),
    sides: { dma: { freeAt: 0, turn: 0 }, rma: { freeAt: 0, turn: 0 } },
    serveAt: -1,
    senders: noSenders(),
    injector: emptyInjector(
      { entrance: input.entrance, flitsPerCycle: input.timing.flit.perCycle },
      input.timing.flit.bufferFlits,
    ),
    flights: new Map(),
    streams: new Map(),
    reads: new Map(),
    cutting: -1,
    isStalled: false,
    outstanding: 0,
    collectAt: 0,
    readAt: 0,
    uncounted: input.tids.map(() => []),
  }),
  initial: 'serving',
  states: {
    serving: {
      on: {
        'descriptor.issue': { actions: ['drawJitter', 'drawPlace', 'accept'] },
        'drain.request': { actions: 'drain' },
        'engine.turn': { actions: 'turn' },
        'block.turn': { actions: 'blockTurn' },
        'packet.arrive': { actions: ['drawForeignJitter', 'unpack'] },
        'packet.credit': { actions: 'takeCredit' },
        'injector.turn': { actions: 'pump' },
        'ldm.data': { actions: 'takeSource' },
        'rma.sender': { actions: 'noteSender' },
        'rma.arrived': { actions: 'noteArrival' },
      },
    },
  },
});
