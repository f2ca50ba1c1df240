import { setup } from 'xstate';
import { component } from '../../../../kernel/kit.ts';
import { fixed } from '../../../../kernel/resource.ts';
import { jitterCount, keepJitter } from '../../jitter.ts';
import type {
  DescriptorIssue,
  DrainRequest,
  EngineTurn,
  LdmData,
  MemoryGrant,
  MemoryResponse,
  RmaArrived,
  RmaData,
  RmaRead,
  RmaSender,
} from '../../messages.ts';
import { readLdm } from '../ldm-access.ts';
import { freePlaces } from '../queues.ts';
import { noSenders, noteSender } from '../senders.ts';
import type { TboxInput } from '../tbox-input.ts';
import { emptyQueue } from './cpe-queue.ts';
import { beginDma, deliver, readSource, sendPut, takeGrant, takeResponse } from './dma-side.ts';
import {
  beginForeignRead,
  beginRma,
  countLocal,
  readForeign,
  receive,
  sendForeign,
  sendRma,
} from './rma-side.ts';
import {
  accept,
  type Carrier,
  complete as completeTransfer,
  drain,
  placeOf,
  serve,
  tellFull,
} from './service.ts';
import type { TboxContext, TboxOut, TboxSends } from './tbox-context.ts';

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
  | RmaSender;

const { act, choose, update } = component<TboxContext, TboxEvent, TboxSends>();

/** Each side says by itself when it is free. */
const carrierOf = (c: TboxContext, out: TboxOut): Carrier => ({
  dma: (queued) => beginDma(c, queued, out),
  rma: (queued, at) => beginRma(c, queued, at, out),
  isBusy: () => false,
});

function complete(c: TboxContext, transfer: number, out: TboxOut): void {
  const { descriptor } = c.flights.get(transfer)!;
  c.flights.delete(transfer);
  completeTransfer(c, carrierOf(c, out), descriptor, out.now, out);
}

function completeIfOver(c: TboxContext, transfer: number, out: TboxOut): void {
  const flight = c.flights.get(transfer)!;
  if (flight.counted && flight.arriving === 0) complete(c, transfer, out);
}

function turn(c: TboxContext, { transfer, step }: EngineTurn, out: TboxOut): void {
  switch (step) {
    case 'serve':
      serve(c, carrierOf(c, out), out.now, out);
      return;
    case 'deliver':
      if (deliver(c, c.flights.get(transfer)!, out)) complete(c, transfer, out);
      return;
    case 'readSource': {
      const flight = c.flights.get(transfer)!;
      const { kind, tid, ldm, len } = flight.descriptor;
      if (kind === 'dmaPut') readSource(c, flight, out);
      else readLdm(c, tid, ldm, len, transfer, out);
      return;
    }
    case 'countLocal':
      countLocal(c, c.flights.get(transfer)!, out);
      completeIfOver(c, transfer, out);
      return;
    case 'readForeign':
      readForeign(c, c.reads.get(transfer)!, out);
  }
}

/**
 * The transfer engine of one cluster of four CPEs, DMA side and RMA side, as plain code: the fast twin of `../tbox.ts`, with the same messages in the same order.
 *
 * Details: one message stands for all blocks or packets of a descriptor; when what is due follows from the formulas of section 9.
 */
export const fastTbox = setup({
  types: {} as { context: TboxContext; events: TboxEvent; input: TboxInput },
  actions: {
    drawJitter: choose('jitter', jitterCount, keepJitter),
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
      serve(c, carrierOf(c, out), out.now, out);
      tellFull(c, event, out);
    }),
    drain: act<'drain.request'>((c, { tid }, out) => drain(c, tid, out)),
    turn: act<'engine.turn'>(turn),
    takeResponse: act<'memory.response'>((c, event, out) => {
      if (takeResponse(c, event, out)) complete(c, event.transfer, out);
    }),
    takeGrant: act<'memory.grant'>((c, event, out) => takeGrant(c, event, out)),
    takeSource: act<'ldm.data'>((c, { tag, data }, out) => {
      const read = c.reads.get(tag);
      // A get of a CPE from one of its own cluster is in both tables: what is read is the source.
      if (read !== undefined) sendForeign(c, read, data, out);
      else {
        const flight = c.flights.get(tag)!;
        if (flight.descriptor.kind === 'dmaPut') sendPut(c, flight, data, out);
        else sendRma(c, flight, data, out);
      }
    }),
    receive: act<'rma.data'>((c, message, out) => receive(c, message, out)),
    noteArrival: act<'rma.arrived'>((c, { transfer }, out) => {
      c.flights.get(transfer)!.arriving--;
      completeIfOver(c, transfer, out);
    }),
    noteSender: update<'rma.sender'>(noteSender),
    beginForeignRead: act<'rma.read'>((c, request, out) => beginForeignRead(c, request, out)),
  },
}).createMachine({
  id: 'fastTbox',
  context: ({ input }) => ({
    spec: fixed(input),
    jitter: 0,
    place: 0,
    queues: input.tids.map(emptyQueue),
    sides: { dma: { freeAt: 0, turn: 0 }, rma: { freeAt: 0, turn: 0 } },
    flights: new Map(),
    reads: new Map(),
    serveAt: -1,
    senders: noSenders(),
    lastEnd: { dma: input.tids.map(() => 0), rma: input.tids.map(() => 0) },
  }),
  initial: 'serving',
  states: {
    serving: {
      on: {
        'descriptor.issue': { actions: ['drawJitter', 'drawPlace', 'accept'] },
        'drain.request': { actions: 'drain' },
        'engine.turn': { actions: 'turn' },
        'memory.response': { actions: 'takeResponse' },
        'memory.grant': { actions: 'takeGrant' },
        'ldm.data': { actions: 'takeSource' },
        'rma.data': { actions: 'receive' },
        'rma.sender': { actions: 'noteSender' },
        'rma.arrived': { actions: 'noteArrival' },
        'rma.read': { actions: ['drawJitter', 'beginForeignRead'] },
      },
    },
  },
});
