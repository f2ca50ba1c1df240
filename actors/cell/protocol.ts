import { field } from '../../kernel/protocol/field.ts';
import {
  type EventsOf,
  type MessageOf,
  type MessagesOf,
  protocol,
  type RoleOf,
  type ShownBy,
} from '../../kernel/protocol/protocol.ts';

/*
 * What the parts of a Cell ring machine say to each other (Cell specification 15.7) and show (18.4). A request and its answer share the noun. `t` is the
 * number of a cycle: of the barrier's generation (8). It is no copy of the time. The parties count cycles by what the controller tells them; a tick passes from
 * one to the next, and more when a message inside a cycle is late, which makes the cycle longer and moves no byte to another one. `spu` the number of an SPU and of the DMA module that belongs to it.
 *
 * Three acknowledgements go beyond the table of 15.7. `ring.queued`: the SPU may go on only when the arbiter has its request, or under a
 * free schedule the request could reach the arbiter after the decision of its cycle and start late. `bus.released`: the byte may move only when
 * the command is on record, or it could overtake its command. `request.noted`: a module may
 * end its cycle only when its requests know what happened to them, or their end could be noted in the next cycle.
 */

const t = field.int();
const spu = field.index('Spu');
const id = field.int();
/** What a program asks for, right or wrong. */
const asked = field.int({ min: Number.MIN_SAFE_INTEGER });
const kind = field.oneOf('get', 'put');
const dir = field.int({ max: 1 });
const ring = field.int();
const byte = field.int({ max: 255 });

/** Who accesses a memory. `by`: the SPU that owns it, or a DMA module; `spu`: the number of that SPU or module; `id`: the request that a module serves, -1 for an SPU. */
const accessor = { by: field.oneOf('spu', 'dma'), spu, id: field.int({ min: -1 }) };

/** What the rings of one direction offer a request in one cycle. */
const way = field.record({
  dir: field.oneOf(0, 1),
  /** Nodes of the segment. */
  nodes: field.int(),
  /** The ring on which the request may start now, -1 for none. */
  ring: field.int({ min: -1 }),
  /** The gap score of that segment (Cell specification 17.3). */
  gap: field.int(),
  /** The first cycle in which the segment is free on some ring, and the lowest ring that is free then. */
  freeFrom: field.int(),
  freeRing: ring,
});

/** `dir` and `ring` are those in use while RUNNING, -1 otherwise. */
const status = {
  /** 0 invalid id, 1 not started, 2 running, 3 finished. */
  status: field.oneOf(0, 1, 2, 3),
  dir: field.int({ min: -1, max: 1 }),
  ring: field.int({ min: -1 }),
};

/** The controller tells a party that the run is over. */
const stop = { 'machine.stop': { cycles: field.int() } };
/** The arbiter has decided for the next cycle. `next` is the first later cycle at whose end it has something to do. */
const arbiterDone = { 'arbiter.done': { pending: field.int(), running: field.int(), next: field.int() } };
/** The arbiter's part of a cycle begins. */
const arbiterPhase = { 'arbiter.phase': { t } };
/** A DMA module asks the arbiter for a segment; `issue` is the cycle in which it accepted the request. */
const ringRequest = {
  'ring.request': { initiator: spu, id, src: spu, dst: spu, size: field.int(), issue: field.int() },
};
/** What the arbiter tells a DMA module of its requests. */
const ringAnswers = {
  /** The arbiter has it on its list. */
  'ring.queued': { id },
  /** The transfer starts in cycle `start` on (dir, ring). */
  'ring.grant': { id, start: field.int(), dir, ring },
  /** The segment of a transfer whose last byte has moved is free again. */
  'ring.freed': { id, t },
};

/** An event of the log as a part shows it: a record without its serial number (Cell specification 18.4). `t`: the cycle it belongs to. */
const shownByDma = {
  /** A DMA module accepted a request in cycle t, which is the request's issue cycle (Cell specification 3). */
  REQ: {
    t,
    /** Number of the initiating SPU, 0..N-1. */
    spu,
    /** Request id, unique within the SPU, from 0. */
    id,
    /** `get`: the peer sends to the initiator; `put`: the initiator sends to the peer. */
    kind,
    /** First address in the initiator's memory. */
    my: field.int(),
    /** Number of the other SPU, 0..N-1; may be the initiator itself. */
    peer: spu,
    /** First address in the peer's memory. */
    addr: field.int(),
    /** Bytes to move, from 0; one byte moves a cycle. */
    size: field.int(),
  },
  /** Answer to a status query in cycle t (Cell specification 3). */
  STATUS: { t, spu, id: asked, ...status },
};
const shownByRequest = {
  /** A transfer began to run in cycle t (Cell specification 9). */
  XSTART: { t, spu, id, dir, ring },
  /** A transfer moved its last byte in cycle t (Cell specification 9, T4). */
  XEND: { t, spu, id },
};
/** The nodes of a segment from sender to receiver, as the arbiter believes. */
const nodes = field.list(field.index('Spu'));
const shownByArbiter = {
  /** The arbiter decided at the end of cycle t that a request starts in cycle `start`, which is t+1 (Cell specification 6). `dir` 0: node numbers rise along the ring; 1: they fall (5). */
  GRANT: { t, spu, id, start: field.int(), dir, ring, nodes },
  /** The arbiter freed a segment at the end of cycle t, its last occupied cycle (Cell specification 6 and 9, T4). */
  FREE: { t, spu, id, dir, ring, nodes },
};
const shownByBus = {
  /** The command bus recorded a command (Cell specification 7). */
  CMD: {
    t,
    /** Number of the sending module, the initiator. */
    spu,
    /** Number of the receiving module. */
    dest: spu,
    cmd: kind,
    /** Stamp of the bus clock, which counts every acquire, command and release by one. */
    q: field.int(),
  },
  /** A module held the command bus between two stamps of the bus clock; logged at the release (Cell specification 7). */
  BUS: { t, spu, in: field.int(), out: field.int() },
};
/** One access to one byte of a memory (Cell specification 10). */
const access = {
  t,
  /** Number of the memory's SPU, 0..N-1. */
  mem: spu,
  /** Address of the byte, 0..memSize-1. */
  a: field.int(),
  /** Value read or written. */
  v: byte,
  ...accessor,
  /** Stamp of the memory's own clock at entry. */
  in: field.int(),
  /** Stamp of the memory's own clock at completion; accesses of one memory are ordered by it. */
  out: field.int(),
};
const shownByMemory = { RD: access, WR: access };
const shownBySpu = {
  /** A program received the result of an instruction (Cell specification 3). */
  OBS: {
    t,
    spu,
    /** Which instruction of the SPU, from 0, ends of cycles not counted. */
    k: field.int(),
    op: field.oneOf('read', 'write', 'get', 'put', 'status'),
    /** Byte of a read, null of a write, id of a get or put, value of a status. */
    value: field.maybe(field.int()),
  },
  /** An exception in a program (Cell specification 11), at its instruction `k`, with the reason in words. */
  EXC: { t, spu, k: field.int(), why: field.text() },
  /** An SPU is halted from now on (Cell specification 3, end of program). */
  HALT: { t, spu },
};
const shownByController = {
  /** A part reported the end of cycle t to the cycle controller (Cell specification 8). `id`: its number, 0 for the arbiter. */
  DONE: { t, who: field.oneOf('spu', 'dma', 'arb'), id: field.int() },
  /** The barrier of cycle t opened (Cell specification 8): its generation `gen` equals t. `next`: the next cycle that is simulated, when the clock jumps over idle ones. */
  BARRIER: { t, gen: field.int(), next: field.optional(field.int()) },
  /** Last record: the run ended (Cell specification 3, end of program) after the cycles 0..cycles-1. */
  STOP: { t: field.int({ min: -1 }), cycles: field.int() },
};

/** The Cell ring machine in which each step is a message. */
export const cellProtocol = protocol({
  Controller: {
    receives: {
      /** The user starts the machine. */
      'machine.start': {},
      /** An SPU has ended its cycle. */
      'spu.done': {
        spu,
        t,
        /** The first cycle in which it wants to do something again. */
        next: field.int(),
        /** The run need not go on for its sake. */
        content: field.flag(),
        logged: field.list(byte),
        /** Those that the arbiter got from it in this cycle. */
        requests: field.int(),
      },
      /** A DMA module has served all its transfers in this cycle. */
      'dma.done': { spu, t },
      ...arbiterDone,
    },
    /** From one cycle to the next. */
    timers: ['cycle.advance'],
    shows: shownByController,
  },
  Spu: {
    receives: {
      /** A cycle begins. */
      'cycle.begin': { t },
      /** The value read or written. */
      'memory.reply': { value: byte },
      /** The request has an id. */
      'dma.accepted': { id },
      /** Too many requests are unfinished: try again in the next cycle. */
      'dma.blocked': {},
      /** The arguments are wrong. */
      'dma.refused': { why: field.text() },
      'status.reply': { status: field.record(status) },
      ...stop,
    },
    shows: shownBySpu,
  },
  Dma: {
    receives: {
      /** Its SPU asks for a transfer. */
      'dma.request': { kind, my: asked, peer: asked, addr: asked, size: asked, t },
      /** Its SPU asks about a request. */
      'status.query': { id: asked, t },
      ...ringAnswers,
      /** The DMA modules' part of a cycle begins. */
      'dma.phase': { t },
      /** It has the command bus. */
      'bus.granted': {},
      /** The command is on record and the bus is free. */
      'bus.released': {},
      /** The value read or written. */
      'memory.reply': { value: byte },
      /** The request has noted its start or its byte: the module may go on. */
      'request.noted': {},
    },
    shows: shownByDma,
  },
  /** A transfer request of a DMA module, which tells it what happens to it. */
  'Dma.Request': {
    receives: {
      'request.queued': { size: field.int() },
      'request.granted': { start: field.int(), dir, ring },
      'request.begin': { t },
      'request.byte': { t },
    },
    shows: shownByRequest,
  },
  Memory: {
    receives: {
      /** An access; who asks gets the answer. */
      'memory.access': { op: field.oneOf('read', 'write'), addr: field.int(), value: byte, ...accessor, t },
    },
    shows: shownByMemory,
  },
  Arbiter: {
    receives: {
      ...ringRequest,
      ...arbiterPhase,
      /** A request takes a segment, from the next cycle on. */
      'segment.taken': { dir, ring },
      /** A request stays pending. */
      'segment.declined': {},
      /** An urgent request has a segment kept for it, which is free from cycle `from` on. */
      'segment.reserved': { dir, ring, from: field.int() },
      ...stop,
    },
    shows: shownByArbiter,
  },
  /** A request of an SPU for a segment. */
  'Arbiter.Spu.Request': {
    receives: {
      /** The arbiter puts it on its pending list. */
      'segment.wanted': { size: field.int() },
      /** The arbiter offers it what the rings have for it (Cell specification 17.3, 17.5). */
      'segment.offered': {
        /** The cycle in which it would start. */
        start: field.int(),
        /** Its wait has reached the bound. */
        urgent: field.flag(),
        /** Where a plan starts it, null without a plan. */
        plan: field.maybe(field.record({ dir, ring })),
        /** Direction 0 and direction 1. */
        ways: field.tuple(way, way),
        /** Pending requests that have not started in this decision, without it. */
        others: field.int(),
        /** Requests whose transfers use nodes of its ways. */
        heldBy: field.list(field.address('Arbiter.Spu.Request')),
      },
      /** Its transfer is over. */
      'segment.freed': {},
      ...stop,
    },
  },
  Bus: {
    receives: {
      /** A DMA module wants the bus. */
      'bus.acquire': { spu },
      /** Its holder sends a command to another module. */
      'bus.command': { spu, dest: spu, cmd: kind, t },
      /** Its holder gives it back. */
      'bus.release': { spu, t },
    },
    shows: shownByBus,
  },
});

/** What the parts of a role hear. */
export type CellEvents<R extends RoleOf<typeof cellProtocol>> = EventsOf<typeof cellProtocol, R>;
/** One of the messages. */
export type CellMessage<T extends MessagesOf<typeof cellProtocol>['type']> = MessageOf<
  typeof cellProtocol,
  T
>;
/** Everything that the parts show. */
export type CellShown = ShownBy<typeof cellProtocol>;

/** The baton of the burst machine: who holds it works, writes its next cycle into the roster, and passes it to the next SPU that wants to work, the last one back to the controller. */
const baton = {
  'cycle.baton': {
    t,
    /** Hash over all logged values so far (Cell specification 18.2). */
    hash: field.int({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
    /** Requests the arbiter got in this cycle. */
    requests: field.int(),
  },
};
/** In bursts a part shows what it does in the place of others. */
const shownInBursts = {
  ...shownByController,
  ...shownBySpu,
  ...shownByDma,
  ...shownByRequest,
  ...shownByMemory,
  ...shownByArbiter,
  ...shownByBus,
};

/** The same machine in bursts: each actor handles a whole phase in one message. */
export const burstProtocol = protocol({
  Controller: {
    receives: { 'machine.start': {}, ...baton, ...arbiterDone },
    timers: ['cycle.advance'],
    shows: shownInBursts,
  },
  Spu: { receives: { ...baton, ...stop }, shows: shownInBursts },
  Dma: { receives: ringAnswers },
  Arbiter: { receives: { ...ringRequest, ...arbiterPhase }, shows: shownByArbiter },
});
