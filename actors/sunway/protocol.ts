import { field } from '../../kernel/protocol/field.ts';
import {
  type MessageOf,
  type MessagesOf,
  protocol,
  type ShapesByType,
  type ShownBy,
} from '../../kernel/protocol/protocol.ts';
import type { Fixed } from '../../kernel/resource.ts';
import type { Primitive } from './crts/primitive.ts';
import type { CpeProgram } from './program.ts';

/*
 * What the parts of a node say to each other (specification 8.1). The envelope says when a message comes and from whom; who asks is named
 * where a request goes through other parts, as `requester`. A `core` counts the CPEs of the node, 64 a core group. Where a request carries `answerDelay`, the answer comes that many cycles later.
 * What a part and the actors inside it tell each other stands beside those (`within.ts`).
 */

const count = field.int();
const signed = field.int({ min: Number.MIN_SAFE_INTEGER });
const tid = field.index('Cpe');
const tids = field.list(tid);
const transfer = count;
const offset = count;
const data = field.bytes();
/** A CPE of the node, or a host process: -1 - cgn; -1 for an engine. */
const core = field.int({ min: -7 });
/** A marked access of a spin protocol (specification 7.3). */
const flag = field.flag();
const answerDelay = count;
const cgn = count;
const file = field.text();
const key = field.text();
/** Whether a reply word counts for the issuer's own side or for the other side. */
const role = field.oneOf('local', 'remote');
const requester = field.address();
const none = {};

const descriptorKind = field.oneOf(
  'dmaGet',
  'dmaPut',
  'dmaBcast',
  'rmaGet',
  'rmaPut',
  'rmaBcast',
  'dmaBarrier',
  'rmaBarrier',
  'allBarrier',
);
/** What a CPE hands its engine, as `Descriptor` describes it. */
const descriptor = {
  kind: descriptorKind,
  transfer,
  tid,
  ldm: offset,
  memory: count,
  len: count,
  bsize: count,
  stride: count,
  remoteTid: tid,
  remote: offset,
  shape: field.oneOf('row', 'column', 'array'),
  mask: count,
  other: field.flag(),
  localReply: offset,
  remoteReply: offset,
};

/** Where the bytes of a transfer lie in main memory (specification 4.1). */
const pieces = { memory: count, len: count, bsize: count, stride: count };
/** Which block of its transfer a request is for (fidelity `flit`); the pieces of the request are those of the block. */
const block = field.record({
  /** Its first byte, from the start of the transfer on the LDM side. */
  offset,
  /** Whether it is the first of its descriptor. */
  first: field.flag(),
  /** Puts: whether the descriptor has full and partial blocks. */
  mixed: field.flag(),
});
/** A request for a transfer; `block` is null where it stands for all blocks of a descriptor. */
const request = { ...pieces, transfer, block: field.maybe(block), requester };
const memoryRequests = {
  /** MEM_REQ of a get: one message for all blocks of a descriptor, or for one of them. */
  'memory.read': request,
  /** MEM_REQ of a put: asks for slots of the write buffer for all its blocks, or for one of them. */
  'memory.claim': request,
  /** The bytes of a put, or of one of its blocks. */
  'memory.write': { ...request, data },
};
/** MEM_REQ of a core: a plain load or store, or a fetch-and-add of a 32-bit word; of a data cache: a line that it fills or writes back. */
const memoryAccess = {
  'memory.access': {
    kind: field.oneOf('load', 'store', 'add', 'fill', 'writeBack'),
    memory: count,
    bytes: count,
    /** What is stored; empty for the other kinds. */
    data,
    /** What is added. */
    value: signed,
    core,
    flag,
    requester,
    answerDelay,
  },
};
/** MEM_RSP to a core: what was read, before an addition; empty for a store. */
const memoryAnswer = { 'memory.answer': { data } };
const memoryResponses = {
  /** The last block of a put has its slot, or the block at an offset has. */
  'memory.grant': {
    transfer,
    /** Offset of the block in its transfer; -1 for all. */
    offset: field.int({ min: -1 }),
    /** When, in thousandths of a cycle. */
    granted: count,
  },
  /** MEM_RSP: the bytes of a get, or, without any, that a put is written; of all blocks or of the one at an offset. */
  'memory.response': {
    transfer,
    /** Offset of the block in its transfer; -1 for all. */
    offset: field.int({ min: -1 }),
    data: field.maybe(data),
    /** When the controller was through with its last block, in thousandths of a cycle. */
    through: count,
  },
};
const rmaMessages = {
  /** RMA_DATA: bytes on their way to the CPEs of one cluster, and the word to count their arrival in. */
  'rma.data': {
    transfer,
    /** CPEs of the receiving cluster. */
    tids,
    offset,
    data,
    reply: offset,
    role,
    /** Who is told that it has arrived, so that barriers of its CPE know. */
    source: field.address('Tbox'),
    /** Whether these are the last bytes of the transfer: only then words count. At block granularity others come before. */
    last: field.flag(),
  },
  /** RMA_READ: a get asks the engine beside the other CPE to send. */
  'rma.read': {
    transfer,
    /** The CPE that is read, and where. */
    tid,
    offset,
    len: count,
    /** Word of the CPE that is read. */
    reply: offset,
    /** Where the bytes go: the issuer, its offset, its word, its engine. */
    issuer: tid,
    target: offset,
    targetReply: offset,
    engine: field.address('Tbox'),
    /** When the engine asked may begin to read, in thousandths of a cycle. */
    ready: count,
  },
};
/** What a packet carries: a message from engine to engine, or between an engine and a memory controller. */
const content = field.message({ ...memoryRequests, ...memoryResponses, ...rmaMessages });
/** Flits that travel together. */
const packet = field.record({
  /** Unique in its core group; those of one source ascend. */
  id: count,
  /** Whom it is still for: a set of bits. */
  targets: count,
  flits: count,
  content,
});
const packetMessages = {
  /** A packet is out of the network, with its last flit. */
  'packet.arrive': { packet },
  /** Flits have left the buffer behind an output port of the one who hears it: as many may follow. */
  'packet.credit': { port: count, flits: count },
};
/** A signal of a CPE for its host process. */
const signal = { content: signed, tid };
const nodeEvent = {
  /** NODE_EVT: the round is complete; `old` is what the word held when this party added. */
  'node.event': { word: field.text(), old: count },
};
/** Hardware barriers: of a row, of a column, of two CPEs (specification 6.2). `index`: the row, the column or the smaller tid; `mask`: the columns, the rows or the larger tid. */
const barrier = { kind: field.oneOf('row', 'column', 'pair'), index: count, mask: count };
const syncRelease = {
  /** SYNC_RELEASE. */
  'sync.release': {
    ...barrier,
    /** Counts the releases of this barrier. */
    epoch: count,
    /** False when two members came with different fingerprints. */
    agreed: field.flag(),
  },
};
const lockAnswers = {
  /** LOCK_GRANT; `held` false answers a try that came too late. */
  'lock.grant': { key, held: field.flag() },
  /** What came of a release: false when the lock was not held by who gave it back. */
  'lock.released': { key, right: field.flag() },
};
/** A service has taken what it was sent; the CPE goes on. */
const serviceTaken = { 'service.taken': { value: signed } };
/** SIO: bytes of a CPE for a file. */
const fileAppend = { 'file.append': { file, data, core, requester } };
/** Signal 35 to the job: nothing is recorded from now on (specification 5.7). */
const jobStop = { 'job.stop': none };
/** What programs of cores show. */
const coreShows = {
  /** A program calls a function of the runtime. */
  'call.begin': {
    core,
    name: field.text(),
    /** The operation as the program has made it: its arguments by name, and its own name as `op`. */
    arguments: field.data<Readonly<Record<string, unknown>>>(),
    /** Counts the operations of the thread, from 1: with it the place in the program can be found. */
    step: count,
  },
  /** The call returns, at a CPE with the number that it gives, where it gives one. */
  'call.end': { core, name: field.text(), code: signed, given: field.optional(signed) },
  /** A host process begins to handle a signal; `sent` is when its path took it. */
  'signal.handle': { core, tid, sent: count },
  /** FAULT: a call is refused; the run stops unless codes are returned. */
  'core.fault': { core, name: field.text(), code: signed },
  /** A core waits, for what its primitive says; and goes on with its program. */
  'core.waits': { core, on: field.data<Primitive>() },
  'core.runs': { core },
};

/** Times are in thousandths of a cycle where a name does not say cycle; infinite where an end is not known. */
const time = field.data(0, 1);
const cycle = count;
const jitter = signed;
const wholeDescriptor = field.record(descriptor);
const noted = none;
const engineStep = field.oneOf('serve', 'readSource', 'countLocal', 'deliver', 'readForeign');
const blockStep = field.oneOf(
  'cut',
  'collect',
  'readBlock',
  'endOwnSide',
  'stream',
  'streamForeign',
  'countLocal',
);
/** When a transfer goes on by itself, and with what; at block granularity where it matters with which of its blocks or packets. */
const wake = field.record({ step: engineStep, cycle });
const blockWake = field.record({ step: blockStep, offset: signed, cycle });
/** What goes out as a packet; `targets` 0: it has no receiver. */
const outgoing = field.record({ content, targets: count });
/** What an engine hears of the transfers inside it, and of its answers to other engines. */
const transfersSay = {
  /** What was handed over is taken: the engine goes on. */
  'transfer.noted': noted,
  /** A transfer has begun: its side is free again at `freeAt`; with a step, it goes on by itself in a cycle. `holds`: the CPE whose next RMA transfer has to wait until this one has left the engine, -1 for none. */
  'transfer.begun': { transfer, freeAt: time, holds: signed, wake: field.maybe(wake) },
  /** The own side of a transfer ends in a cycle, `lead` cycles after its step. `inOrder`: not before those of its CPE that began earlier. */
  'transfer.wake': { transfer, tid, step: engineStep, cycle, lead: count, inOrder: field.flag() },
  /** Nothing of a transfer is under way any more. */
  'transfer.over': { transfer, tid, kind: descriptorKind },
  /** It is busy with an answer until `freeAt`; the source is read in a cycle. */
  'answer.begun': { transfer, freeAt: time, wake },
  /** An answer is on its way. */
  'answer.over': { transfer },
  /** At block granularity: a transfer has begun. DMA occupies its side until it is cut; RMA holds it until `heldUntil`. `inOrderOf`: the CPE among whose DMA transfers it is counted in order, -1 for none. */
  'blocks.begun': {
    transfer,
    freeAt: time,
    holds: signed,
    heldUntil: time,
    inOrderOf: signed,
    wake: field.maybe(blockWake),
    out: field.maybe(outgoing),
  },
  /** A transfer goes on by itself in a cycle. */
  'transfer.waits': { transfer, wake: blockWake },
  /** A packet of a transfer goes out; a block may be through with it. */
  'transfer.sends': { transfer, out: outgoing, moved: field.flag(), wake: field.maybe(blockWake) },
  /** A block is through and gives its room in the window back; whether nothing of the transfer is under way any more. */
  'transfer.moved': { transfer, tid, kind: descriptorKind, over: field.flag(), wake: field.maybe(blockWake) },
  /** The own side of a DMA transfer is over: it is counted when its turn is. */
  'transfer.ended': { transfer, tid },
  /** It is busy with an answer until `freeAt`; its source is read from a cycle on. */
  'foreign.begun': { transfer, freeAt: time, wake: blockWake },
  /** A packet of an answer goes out; behind the last one its place is free. */
  'answer.sends': { transfer, out: outgoing, last: field.flag() },
};
/** A block goes into the LDM; a block of the source is read; packets of the source are; the own side is over; it is counted. */
const blockSteps = {
  'transfer.collect': { offset: signed },
  'transfer.readBlock': { offset: signed },
  'transfer.stream': { offset: signed },
  'transfer.endOwnSide': { offset: signed },
  'transfer.countLocal': { offset: signed },
};
const transferTurn = {
  /** It is the cycle in which it goes on by itself. */
  'transfer.turn': none,
  /** The source has been read out of its LDM. */
  'transfer.source': { data },
};
const job = {
  /** A get or a put of an engine, or an access of a core that waits for earlier puts. */
  kind: field.oneOf('get', 'put', 'access'),
  transfer: signed,
  requester,
  jitter,
};

/** The parts of a node; those inside another one say nothing to anybody else but what it would say, and take no time. */
export const sunwayProtocol = protocol({
  Cpe: {
    receives: {
      /** DESC_ACK: the descriptor has its place in the queue. */
      'descriptor.taken': { transfer },
      /** The queue has no place for its descriptor: DESC_ACK comes when it has one (specification 8.2, WaitQueue). */
      'queue.full': { transfer },
      'drain.done': none,
      'ldm.data': { tag: signed, data },
      'ldm.stored': { tag: signed },
      'ldm.allocated': { value: signed },
      /** RPLY_EVT: the word that it waits for is at least as large. */
      'reply.event': { offset, value: count },
      /** CPEs that are no longer available: they are members of no barrier. */
      'sync.offline': { tids },
      /** SPAWN: it begins a program. */
      'thread.start': {
        program: field.data<Fixed<CpeProgram>>(),
        name: field.text(),
        arg: signed,
        /** Whether the data cache is written back and emptied at the end. */
        flush: field.flag(),
        /** Whether it is one of a group that was started together. */
        group: field.flag(),
      },
      /** REAP: the host has taken note. */
      'thread.reap': none,
      /** HALT: it gets no more work. */
      'thread.halt': none,
      ...memoryAnswer,
      ...nodeEvent,
      ...syncRelease,
      ...lockAnswers,
      ...serviceTaken,
    },
    /** It goes on with its program. */
    timers: ['core.turn'],
    shows: coreShows,
  },
  /** A host process. */
  Mpe: {
    receives: {
      /** DONE: the program of a CPE has ended and everything it moved is in place. */
      'thread.done': { tid },
      /** The signal of a CPE; `sent`: when its path took it. */
      'signal.arrive': { ...signal, sent: count },
      /** TASK_RSP. */
      'task.response': { value: signed },
      /** It ends at once, with the threads on its CPEs: its job was stopped, or it was killed. */
      'host.stop': none,
      ...memoryAnswer,
      ...nodeEvent,
      ...lockAnswers,
    },
    /** It goes on with its program. */
    timers: ['core.turn'],
    shows: coreShows,
  },
  /** The engine of a cluster of CPEs. */
  Tbox: {
    receives: {
      /** DESC: a CPE hands it a descriptor. */
      'descriptor.issue': descriptor,
      /** A CPE asks to be told when all its transfers are complete, puts written (specification 8.2, Draining). */
      'drain.request': { tid },
      /** It goes on by itself, at the cycle that its formulas give. */
      'engine.turn': {
        /** What is due: a transfer of its table; -1 for none of its own. */
        transfer: field.int({ min: -1 }),
        step: engineStep,
      },
      'ldm.data': { tag: signed, data },
      /** All copies for a cluster are in their LDMs: what ends an RMA transfer for barriers and drains. */
      'rma.arrived': { transfer },
      /** A CPE sends by RMA, or has ended a transfer: told to all engines of its array where senders slow each other down (specification 9.3). */
      'rma.sender': { tid, begins: field.flag() },
      ...rmaMessages,
      ...memoryResponses,
      /** At block granularity it goes on by itself, with a transfer and where it matters the offset of a block or packet. */
      'block.turn': {
        transfer,
        offset: signed,
        step: blockStep,
      },
      ...packetMessages,
      ...transfersSay,
    },
    /** The next packet may go into the network. */
    timers: ['injector.turn'],
    shows: {
      /** A transfer is complete: all copies delivered, puts written. */
      'transfer.complete': { transfer, kind: descriptorKind },
    },
  },
  /** A transfer inside its engine. */
  'Cpe.Transfer': {
    receives: {
      /** Its descriptor; `placed` when the queue of the CPE has room for it. */
      'transfer.open': { descriptor: wholeDescriptor, jitter, placed: field.flag() },
      /** It has its place in the queue now. */
      'transfer.placed': none,
      /** A barrier operation is over. */
      'transfer.pass': none,
      /** It is taken up: its side of the engine is free at `freeAt`, it was ready in cycle `ready`. */
      'transfer.begin': { freeAt: time, ready: count },
      ...transferTurn,
      /** MEM_RSP of a get: its bytes, and when the controller was through with the last one. */
      'transfer.bytes': { data, through: time },
      /** MEM_RSP of a put: it is written. */
      'transfer.written': none,
      /** All blocks of a put have their slots of the write buffer. */
      'transfer.granted': { granted: time },
      /** The copies for one cluster are in their LDMs. */
      'transfer.arrived': none,
      /** At block granularity: it makes the request for its next block; there is no room for that in the window. */
      'transfer.cut': none,
      'transfer.stall': none,
      /** MEM_RSP with a block of a get; the way into the LDM has room for it at `through`. */
      'transfer.block': { offset, data, through: time },
      ...blockSteps,
    },
  },
  /** RMA_READ: another engine gets bytes of a CPE of this cluster. */
  'Tbox.Answer': {
    receives: {
      'answer.open': {
        request: field.message({ 'rma.read': rmaMessages['rma.read'] }),
        jitter,
        freeAt: time,
      },
      ...transferTurn,
      ...blockSteps,
    },
  },
  Ldm: {
    receives: {
      /** LDM_RD. `core` is who reads for a program, -1 for an engine, whose transfer is the tag. */
      'ldm.read': { offset, bytes: count, tag: signed, core, flag, answerDelay },
      /** LDM_WR. A program's store is answered, an engine's is not. `answerDelay`: cycles to the answer; -1 for none. */
      'ldm.write': { offset, data, tag: signed, core, flag, answerDelay: field.int({ min: -1 }) },
      /** LDM_RD and LDM_WR of a vector: one 32-bit word a lane (specification 6.10). */
      'ldm.gather': { offsets: field.list(offset), core, answerDelay },
      'ldm.scatter': { offsets: field.list(offset), data, core, answerDelay },
      /** RPLY_INC: adds 1 to a reply word. */
      'reply.increment': { offset, transfer, role },
      /** Its CPE waits until a word is at least `value`. */
      'reply.watch': { offset, value: count },
      /** A program begins (the heap is empty), or has laid out further static variables up to `end`. */
      'ldm.statics': {
        begins: field.flag(),
        end: offset,
        variables: field.list(field.record({ offset, bytes: count })),
      },
      /** A call of the allocator (specification 6.4). */
      'ldm.allocate': {
        request: field.oneOf('freeAddress', 'freeSize', 'malloc', 'mallocMax', 'free', 'freeAll', 'scratch'),
        address: signed,
        size: signed,
      },
    },
    /** With ports it goes on by itself: what its CPE has asked for has its turn. */
    timers: ['ldm.turn'],
    shows: {
      /** An access of a CPE to its LDM has to try again: the engine touches the same bytes in this cycle (fidelity `flit`). */
      'ldm.conflict': { core },
    },
  },
  /** The data cache of a CPE. */
  DCache: {
    receives: {
      /** Its CPE has the lines leave that have a byte from `first` to `last`, both included; a MEM_RSP tells when they have. */
      'cache.walk': { first: count, last: count },
      ...memoryAccess,
      ...memoryAnswer,
    },
    shows: {
      /** It serves bytes of one line to its core; a line that it has to fill first shows as MEM_REQ before. */
      'cache.access': { core, kind: field.oneOf('load', 'store'), memory: count, bytes: count },
      /** A line leaves it; a dirty one shows as MEM_REQ as well. */
      'cache.drop': { core, memory: count, bytes: count },
    },
  },
  MemCtrl: {
    receives: {
      ...memoryRequests,
      ...memoryAccess,
      /** A job has taken what was handed over. */
      'job.noted': noted,
    },
    /** It goes on by itself. */
    timers: ['memory.turn'],
    shows: {
      /** The bytes of a put, or of a store, are in main memory. `transfer`: -1 for an access of a core. */
      'memory.visible': { ...pieces, transfer: field.int({ min: -1 }), core },
    },
  },
  /** A request inside its controller. */
  'MemCtrl.Job': {
    receives: {
      'job.open': job,
      /** Its last block is admitted: the server is through with it at `finish`. */
      'job.admitted': { finish: time },
      /** The bytes of a put have come; they are in memory. */
      'job.bytes': none,
      'job.written': none,
      /** The server is through, and no earlier put to the same bytes is left: the bytes of a get, null for a put. */
      'job.through': { data: field.maybe(data) },
      /** An access that waited is carried out: what was read, and in how many cycles the answer comes. */
      'job.answer': { data, cycles: count },
      /** A controller with banks: the request is for the block of its transfer at an offset. */
      'block.open': { ...job, offset: signed },
      /** A put has a slot of the write buffer: its engine hears of it in so many cycles. */
      'block.granted': { cycles: count },
      /** It is carried out, and through at a time: the bytes of a get, null for a put. */
      'block.served': { data: field.maybe(data), through: time },
    },
  },
  /** The way to the memory of other core groups. */
  Ring: { receives: { ...memoryRequests, ...memoryAccess } },
  SyncNet: {
    receives: {
      /** SYNC_ARRIVE. `agreement`: what the members of a collective have to agree on, as a fingerprint of its arguments; 0 for a plain barrier. */
      'sync.arrive': { ...barrier, tid, agreement: signed },
      /** CPEs that are no longer available: they are members of no barrier. */
      'sync.offline': { tids },
      /** At a barrier others are still to come; all have come, and are told. */
      'barrier.noted': noted,
      'barrier.complete': { line: field.record(barrier) },
    },
  },
  /** One barrier of a row, a column or a pair inside the wires. */
  Barrier: {
    receives: {
      /** SYNC_ARRIVE: a member has come; `members` are those that can still come, it among them. */
      'barrier.arrive': { tid, agreement: signed, members: tids, jitter },
      /** Some that have not come are members no more. */
      'barrier.leave': { members: tids, jitter },
    },
  },
  /** A word of the node that barriers count in. */
  Word: {
    receives: {
      /** NODE_FAA: adds 1 and waits until all parties have (specification 5.3, 6.2). `word`: `node`, `hosts`, `array 0` (with the host of core group 0), `spe 0 5`. */
      'node.add': { word: field.text(), core, answerDelay },
      /** A host process has ended, or an array gets no more work: it takes part in no barrier of the node. */
      'node.leave': { who: field.oneOf('host', 'array'), cgn },
    },
  },
  MutexUnit: {
    receives: {
      /** LOCK_REQ. `try` does not queue. */
      'lock.request': { key, try: field.flag(), core },
      /** LOCK_REL. */
      'lock.release': { key, core },
      /** Somebody holds a lock; nobody does: its place is free for another one. */
      'lock.noted': noted,
      'lock.free': { key },
    },
  },
  /** One lock inside its unit. */
  'MutexUnit.Lock': {
    receives: {
      /** LOCK_REQ: a core asks for it; with `try` it does not wait. */
      'lock.ask': { key, core, requester, try: field.flag(), jitter },
      /** LOCK_REL: a core gives it back. */
      'lock.give': { core, requester, jitter },
    },
  },
  SignalPath: {
    receives: {
      /** SIG: a signal of a CPE for its host process. */
      'signal.send': signal,
    },
    /** It hands on what came in the cycle before. */
    timers: ['path.turn'],
  },
  SioProxy: { receives: fileAppend },
  TaskPool: {
    receives: {
      /** TASK_REQ. */
      'task.request': {
        request: field.oneOf('fetch', 'quit'),
        file,
        taskNum: signed,
        blockSize: signed,
        cgn,
      },
      /** A host process has ended or was killed: it comes for no more tasks. */
      'task.leave': { cgn },
      /** Signal 34 to the job: no new task is handed out (specification 5.7). */
      'job.drain': none,
      ...jobStop,
    },
  },
  FileStore: {
    receives: {
      /** A file is made, or made anew, with so many bytes of one value. */
      'file.fill': { file, bytes: count, value: count },
      /** One byte of a file that is there. */
      'file.patch': { file, offset: count, value: count },
      ...fileAppend,
      ...jobStop,
    },
  },
  /** The cycles of the node, where idle ones are not skipped. */
  Clock: {
    receives: { 'node.leave': { who: field.oneOf('host', 'array'), cgn } },
    timers: ['clock.tick'],
  },
  Router: {
    receives: {
      /** The head of a packet comes to an input port. */
      'packet.enter': { port: count, packet },
      'packet.credit': packetMessages['packet.credit'],
      /** It goes on by itself: the last flit of a packet has gone from an input port to an output port. */
      'router.turn': { input: count, output: count },
      /** The first packet of an input port asks for output ports. */
      'input.asks': { port: count, packet },
      'input.noted': noted,
    },
  },
  /** An input port inside its router. */
  'Router.Input': {
    receives: {
      /** The head of a packet comes in. */
      'input.enter': { packet },
      /** What became of the first packet: its flits go out, or it waits for output ports; targets that it has not set out for. */
      'input.moves': { rest: count },
      'input.waits': { rest: count },
      /** The last flit of the first packet has gone out; the next one may ask for its way. */
      'input.tail': none,
      'input.next': none,
    },
  },
  /** The gateway of a row of the network to memory. */
  Paiu: {
    receives: { ...packetMessages, ...memoryResponses },
    timers: ['injector.turn'],
  },
});

type Sunway = typeof sunwayProtocol;
/** A message by its type. */
export type SunwayMessage<T extends MessagesOf<Sunway>['type']> = MessageOf<Sunway, T>;
/** A probe by its type. */
export type SunwayShown<T extends ShownBy<Sunway>['type']> = Extract<ShownBy<Sunway>, { readonly type: T }>;
/** Messages and probes by type: what properties read. */
export type SunwayMessages = ShapesByType<Sunway>;
