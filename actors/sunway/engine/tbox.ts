import { setup } from 'xstate';
import { component } from '../../../kernel/kit.ts';
import { fixed } from '../../../kernel/resource.ts';
import type { Descriptor } from '../descriptor.ts';
import { jitterCount, keepJitter } from '../jitter.ts';
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
} from '../messages.ts';
import type { TransferComplete } from '../probes.ts';
import { perCycle, wholeCycles } from '../timing/thousandths.ts';
import { beginDma, deliver, readSource, sendPut, takeGrant, takeResponse } from './dma-side.ts';
import { emptyQueue, freePlaces, nextOfSide, passBarriers, type Side, sideOf } from './queues.ts';
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
  placeOfTid,
  readLdm,
  type TboxContext,
  type TboxInput,
  type TboxOut,
  type TboxSends,
} from './tbox-context.ts';

type TboxEvent =
  | DescriptorIssue
  | DrainRequest
  | EngineTurn
  | LdmData
  | MemoryGrant
  | MemoryResponse
  | RmaArrived
  | RmaData
  | RmaRead;

const { act, choose } = component<TboxContext, TboxEvent, TboxSends>();

/** Puts a descriptor in the queue of its CPE; one that finds no room waits, and its CPE with it. */
function accept(c: TboxContext, { type: _type, at, ...descriptor }: DescriptorIssue, out: TboxOut): void {
  const queue = c.queues[placeOfTid(c, descriptor.tid)]!;
  // The answer takes the last cycle of the issue.
  const queued = { descriptor: descriptor as Descriptor, ready: at + 1, jitter: c.jitter };
  if (queue.waiting.length >= c.spec.value.timing.dma.queueDepth) {
    queue.beyond.push(queued);
    return;
  }
  queue.waiting.splice(queue.waiting.length - c.place, 0, queued);
  out.post({
    to: c.spec.value.cpes[descriptor.tid]!,
    type: 'descriptor.taken',
    transfer: descriptor.transfer,
    at: at + 1,
    delay: 1,
  });
}

/** Gives free places to descriptors that wait for one. */
function fillQueues(c: TboxContext, at: number, out: TboxOut): void {
  for (const queue of c.queues) {
    passBarriers(queue);
    while (queue.beyond.length > 0 && queue.waiting.length < c.spec.value.timing.dma.queueDepth) {
      const next = queue.beyond.shift()!;
      queue.waiting.push({ ...next, ready: at + 1 });
      const { tid, transfer } = next.descriptor;
      out.post({ to: c.spec.value.cpes[tid]!, type: 'descriptor.taken', transfer, at: at + 1, delay: 1 });
      passBarriers(queue);
    }
  }
}

/** Lets each side that is free begin the next transfer, in turns of the CPEs. */
function serve(c: TboxContext, at: number, out: TboxOut): void {
  fillQueues(c, at, out);
  for (const side of ['dma', 'rma'] as const) while (beginNext(c, side, at, out)) fillQueues(c, at, out);
}

function beginNext(c: TboxContext, name: Side, at: number, out: TboxOut): boolean {
  const side = c.sides[name];
  const places = c.queues.length;
  for (let k = 0; k < places; k++) {
    const place = (side.turn + k) % places;
    const queue = c.queues[place]!;
    const index = nextOfSide(queue, name);
    if (index < 0) continue;
    if (side.freeAt > (at + 1) * perCycle) {
      askToServe(c, wholeCycles(side.freeAt), at, out);
      return false;
    }
    const [next] = queue.waiting.splice(index, 1);
    side.turn = (place + 1) % places;
    queue.unfinished[name]++;
    if (name === 'dma') beginDma(c, next!, at, out);
    else beginRma(c, next!, at, out);
    return true;
  }
  return false;
}

function askToServe(c: TboxContext, due: number, at: number, out: TboxOut): void {
  if (c.serveAt > at && c.serveAt <= due) return;
  c.serveAt = due;
  out.post({
    to: c.spec.value.self,
    type: 'engine.turn',
    transfer: -1,
    step: 'serve',
    at: due,
    delay: due - at,
  });
}

/** A transfer is complete: barriers and drains hear of it. */
function complete(c: TboxContext, transfer: number, at: number, out: TboxOut): void {
  const { descriptor } = c.flights.get(transfer)!;
  c.flights.delete(transfer);
  const queue = c.queues[placeOfTid(c, descriptor.tid)]!;
  queue.unfinished[sideOf(descriptor)]--;
  if (out.observed)
    out.probe<TransferComplete>({ type: 'transfer.complete', transfer, kind: descriptor.kind, at });
  serve(c, at, out);
  tellDrained(c, placeOfTid(c, descriptor.tid), at, out);
}

/** Tells a CPE that waits for it that nothing of it is under way. */
function tellDrained(c: TboxContext, place: number, at: number, out: TboxOut): void {
  const queue = c.queues[place]!;
  const { unfinished, waiting, beyond, draining } = queue;
  if (!draining || unfinished.dma + unfinished.rma + waiting.length + beyond.length > 0) return;
  queue.draining = false;
  out.post({ to: c.spec.value.cpes[c.spec.value.tids[place]!]!, type: 'drain.done', at: at + 1, delay: 1 });
}

function completeIfOver(c: TboxContext, transfer: number, at: number, out: TboxOut): void {
  const flight = c.flights.get(transfer)!;
  if (flight.counted && flight.arriving === 0) complete(c, transfer, at, out);
}

function turn(c: TboxContext, { transfer, step, at }: EngineTurn, out: TboxOut): void {
  switch (step) {
    case 'serve':
      serve(c, at, out);
      return;
    case 'deliver':
      if (deliver(c, c.flights.get(transfer)!, at, out)) complete(c, transfer, at, out);
      return;
    case 'readSource': {
      const flight = c.flights.get(transfer)!;
      const { kind, tid, ldm, len } = flight.descriptor;
      if (kind === 'dmaPut') readSource(c, flight, at, out);
      else readLdm(c, tid, ldm, len, transfer, at, out);
      return;
    }
    case 'countLocal':
      countLocal(c, c.flights.get(transfer)!, at, out);
      completeIfOver(c, transfer, at, out);
      return;
    case 'readForeign':
      readForeign(c, c.reads.get(transfer)!, at, out);
  }
}

/**
 * The transfer engine of one cluster of four CPEs, DMA side and RMA side (specification 8.4).
 *
 * Details: one message stands for all blocks or packets of a descriptor; when what is due follows from the formulas of section 9.
 */
export const tbox = setup({
  types: {} as { context: TboxContext; events: TboxEvent; input: TboxInput },
  actions: {
    drawJitter: choose('jitter', jitterCount, keepJitter),
    drawPlace: choose<'descriptor.issue'>(
      'place in the queue',
      (c, descriptor) =>
        c.spec.value.reorder ? freePlaces(c.queues[placeOfTid(c, descriptor.tid)]!, descriptor) : 1,
      (c, _event, pick) => {
        c.place = pick;
      },
    ),
    accept: act<'descriptor.issue'>((c, event, out) => {
      accept(c, event, out);
      serve(c, event.at, out);
    }),
    drain: act<'drain.request'>((c, { tid, at }, out) => {
      const place = placeOfTid(c, tid);
      c.queues[place]!.draining = true;
      tellDrained(c, place, at, out);
    }),
    turn: act<'engine.turn'>(turn),
    takeResponse: act<'memory.response'>((c, event, out) => {
      if (takeResponse(c, event, out)) complete(c, event.transfer, event.at, out);
    }),
    takeGrant: act<'memory.grant'>((c, event, out) => takeGrant(c, event, out)),
    takeSource: act<'ldm.data'>((c, { tag, data, at }, out) => {
      const read = c.reads.get(tag);
      // A get of a CPE from one of its own cluster is in both tables: what is read is the source.
      if (read !== undefined) sendForeign(c, read, data, at, out);
      else {
        const flight = c.flights.get(tag)!;
        if (flight.descriptor.kind === 'dmaPut') sendPut(c, flight, data, at, out);
        else sendRma(c, flight, data, at, out);
      }
    }),
    receive: act<'rma.data'>((c, message, out) => receive(c, message, out)),
    noteArrival: act<'rma.arrived'>((c, { transfer, at }, out) => {
      c.flights.get(transfer)!.arriving--;
      completeIfOver(c, transfer, at, out);
    }),
    beginForeignRead: act<'rma.read'>((c, request, out) => beginForeignRead(c, request, out)),
  },
}).createMachine({
  id: 'tbox',
  context: ({ input }) => ({
    spec: fixed(input),
    jitter: 0,
    place: 0,
    queues: input.tids.map(emptyQueue),
    sides: { dma: { freeAt: 0, turn: 0 }, rma: { freeAt: 0, turn: 0 } },
    flights: new Map(),
    reads: new Map(),
    serveAt: -1,
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
        'rma.arrived': { actions: 'noteArrival' },
        'rma.read': { actions: ['drawJitter', 'beginForeignRead'] },
      },
    },
  },
});
