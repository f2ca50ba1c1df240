import type { Address } from './address.ts';
import type { TransferStatus } from './instructions.ts';
import type { Way } from './ring-state.ts';

/*
 * What the parts of a Cell ring machine say to each other (Cell specification 15.7). A request and its answer share the noun. `t` is the
 * number of a cycle: of the barrier's generation (8). It is no copy of the time. The parties count cycles by what the controller tells them; a tick passes from
 * one to the next, and more when a message inside a cycle is late, which makes the cycle longer and moves no byte to another one. `spu` the number of an SPU and of the DMA module that belongs to it.
 *
 * Three acknowledgements go beyond the table of 15.7. `ring.queued`: the SPU may go on only when the arbiter has its request, or under a
 * free schedule the request could reach the arbiter after the decision of its cycle and start late. `bus.released`: the byte may move only when
 * the command is on record, or it could overtake its command. `request.noted`: a module may
 * end its cycle only when its requests know what happened to them, or their end could be noted in the next cycle.
 */

/** The user starts the machine. */
export type MachineStart = { readonly type: 'machine.start' };
/** The controller tells every party that the run is over. */
export type MachineStop = { readonly type: 'machine.stop'; readonly cycles: number };

/** A cycle begins for an SPU. */
export type CycleBegin = { readonly type: 'cycle.begin'; readonly t: number };
/**
 * The baton of the burst machine: who holds it works, writes its next cycle into the roster, and passes it to the next SPU that wants to
 * work, the last one back to the controller.
 */
export type CycleBaton = {
  readonly type: 'cycle.baton';
  readonly t: number;
  /** Hash over all logged values so far (specification 18.2). */
  readonly hash: number;
  /** Requests the arbiter got in this cycle. */
  readonly requests: number;
};
/** The controller's own message from one cycle to the next. */
export type CycleAdvance = { readonly type: 'cycle.advance' };
/** An SPU has ended its cycle. `next` is the first cycle in which it wants to do something again; `content` says that the run need not go on for its sake; `requests` counts those the arbiter got from it in this cycle. */
export type SpuDone = {
  readonly type: 'spu.done';
  readonly spu: number;
  readonly t: number;
  readonly next: number;
  readonly content: boolean;
  readonly logged: readonly number[];
  readonly requests: number;
};

/** The DMA modules' part of a cycle begins. */
export type DmaPhase = { readonly type: 'dma.phase'; readonly t: number };
/** A DMA module has served all its transfers in this cycle. */
export type DmaDone = { readonly type: 'dma.done'; readonly spu: number; readonly t: number };

/** The arbiter's part of a cycle begins. */
export type ArbiterPhase = { readonly type: 'arbiter.phase'; readonly t: number };
/** The arbiter has decided for the next cycle. `next` is the first later cycle at whose end it has something to do. */
export type ArbiterDone = {
  readonly type: 'arbiter.done';
  readonly pending: number;
  readonly running: number;
  readonly next: number;
};

/** An access to a memory; who asks gets the answer. */
export type MemoryAccess = {
  readonly type: 'memory.access';
  readonly op: 'read' | 'write';
  readonly addr: number;
  readonly value: number;
  readonly by: 'spu' | 'dma';
  readonly spu: number;
  /** The request a DMA module serves, -1 for an SPU. */
  readonly id: number;
  readonly t: number;
};
/** The value read or written. */
export type MemoryReply = { readonly type: 'memory.reply'; readonly value: number };

/** An SPU asks its DMA module for a transfer. */
export type DmaRequest = {
  readonly type: 'dma.request';
  readonly kind: 'get' | 'put';
  readonly my: number;
  readonly peer: number;
  readonly addr: number;
  readonly size: number;
  readonly t: number;
};
/** The request has an id. */
export type DmaAccepted = { readonly type: 'dma.accepted'; readonly id: number };
/** Too many requests are unfinished: try again in the next cycle. */
export type DmaBlocked = { readonly type: 'dma.blocked' };
/** The arguments are wrong. */
export type DmaRefused = { readonly type: 'dma.refused'; readonly why: string };

/** An SPU asks its DMA module about a request. */
export type StatusQuery = { readonly type: 'status.query'; readonly id: number; readonly t: number };
/** The answer. */
export type StatusReply = { readonly type: 'status.reply'; readonly status: TransferStatus };

/** A DMA module asks the arbiter for a segment. */
export type RingRequest = {
  readonly type: 'ring.request';
  readonly initiator: number;
  readonly id: number;
  readonly src: number;
  readonly dst: number;
  readonly size: number;
  readonly issue: number;
};
/** The arbiter has it on its list. */
export type RingQueued = { readonly type: 'ring.queued'; readonly id: number };
/** The transfer starts in cycle `start` on (dir, ring). */
export type RingGrant = {
  readonly type: 'ring.grant';
  readonly id: number;
  readonly start: number;
  readonly dir: number;
  readonly ring: number;
};
/** The segment of a transfer whose last byte has moved is free again. */
export type RingFreed = { readonly type: 'ring.freed'; readonly id: number; readonly t: number };

/** The arbiter puts a request on its pending list. */
export type SegmentWanted = { readonly type: 'segment.wanted'; readonly size: number };
/** The arbiter offers a pending request what the rings have for it (Cell specification 17.3, 17.5). */
export type SegmentOffered = {
  readonly type: 'segment.offered';
  /** The cycle in which it would start. */
  readonly start: number;
  /** Its wait has reached the bound. */
  readonly urgent: boolean;
  /** Where a plan starts it, null without a plan. */
  readonly plan: { readonly dir: number; readonly ring: number } | null;
  /** Direction 0 and direction 1. */
  readonly ways: readonly [Way, Way];
  /** Pending requests that have not started in this decision, without it. */
  readonly others: number;
  /** Requests whose transfers use nodes of its ways. */
  readonly heldBy: readonly Address[];
};
/** A request takes a segment, from the next cycle on. */
export type SegmentTaken = { readonly type: 'segment.taken'; readonly dir: number; readonly ring: number };
/** A request stays pending. */
export type SegmentDeclined = { readonly type: 'segment.declined' };
/** An urgent request has a segment kept for it, which is free from cycle `from` on. */
export type SegmentReserved = {
  readonly type: 'segment.reserved';
  readonly dir: number;
  readonly ring: number;
  readonly from: number;
};
/** The transfer of a request is over. */
export type SegmentFreed = { readonly type: 'segment.freed' };

/** A DMA module wants the command bus. */
export type BusAcquire = { readonly type: 'bus.acquire'; readonly spu: number };
/** It has it. */
export type BusGranted = { readonly type: 'bus.granted' };
/** It sends a command to another module. */
export type BusCommand = {
  readonly type: 'bus.command';
  readonly spu: number;
  readonly dest: number;
  readonly cmd: 'get' | 'put';
  readonly t: number;
};
/** It gives the bus back. */
export type BusRelease = { readonly type: 'bus.release'; readonly spu: number; readonly t: number };
/** The command is on record and the bus is free. */
export type BusReleased = { readonly type: 'bus.released' };

/** A DMA module tells one of its requests what happens to it. */
export type RequestQueued = { readonly type: 'request.queued'; readonly size: number };
export type RequestGranted = {
  readonly type: 'request.granted';
  readonly start: number;
  readonly dir: number;
  readonly ring: number;
};
export type RequestBegin = { readonly type: 'request.begin'; readonly t: number };
export type RequestByte = { readonly type: 'request.byte'; readonly t: number };
/** The request has noted its start or its byte: the module may go on. */
export type RequestNoted = { readonly type: 'request.noted' };
