import type { Address } from '../../kernel/message.ts';
import type { Fixed } from '../../kernel/resource.ts';
import type { Descriptor } from './descriptor.ts';
import type { CpeProgram } from './program.ts';
import type { StaticVariable } from './static-layout.ts';

/*
 * What the parts of a node say to each other (specification 8.1). The envelope says when a message comes and from whom; who asks is named
 * where a request goes through other parts, as `requester`. A `core` counts the CPEs of the node, 64 a core group. Where a request carries `answerDelay`, the answer comes that many cycles later.
 */

/** Engine -----------------------------------------------------------------------------------------------------------------------------*/

/** DESC: a CPE hands its engine a descriptor. */
export interface DescriptorIssue extends Descriptor {
  readonly type: 'descriptor.issue';
}
/** DESC_ACK: the descriptor has its place in the queue. */
export interface DescriptorTaken {
  readonly type: 'descriptor.taken';
  readonly transfer: number;
}
/** The queue of a CPE has no place for its descriptor: DESC_ACK comes when it has one (specification 8.2, WaitQueue). */
export interface QueueFull {
  readonly type: 'queue.full';
  readonly transfer: number;
}
/** A CPE asks to be told when all its transfers are complete, puts written (specification 8.2, Draining). */
export interface DrainRequest {
  readonly type: 'drain.request';
  readonly tid: number;
}
export interface DrainDone {
  readonly type: 'drain.done';
}
/** An engine goes on by itself. */
export interface EngineTurn {
  readonly type: 'engine.turn';
  /** What is due: a transfer of the engine's table. */
  readonly transfer: number;
  readonly step: EngineStep;
}
/** What an engine does by itself, at the cycle that its formulas give. */
export type EngineStep = 'serve' | 'readSource' | 'countLocal' | 'deliver' | 'readForeign';

/** RMA_DATA: bytes on their way to the CPEs of one cluster, and the word to count their arrival in. */
export interface RmaData {
  readonly type: 'rma.data';
  readonly transfer: number;
  /** CPEs of the receiving cluster. */
  readonly tids: readonly number[];
  readonly offset: number;
  readonly data: Uint8Array;
  readonly reply: number;
  /** Whether the word counts for the issuer's own side (a get) or for the other side. */
  readonly role: 'local' | 'remote';
  /** Who is told that it has arrived, so that barriers of its CPE know. */
  readonly source: Address;
  /** Whether these are the last bytes of the transfer: only then words count. At block granularity others come before. */
  readonly last: boolean;
}
/** All copies for a cluster are in their LDMs: what ends an RMA transfer for barriers and drains. */
export interface RmaArrived {
  readonly type: 'rma.arrived';
  readonly transfer: number;
}
/** A CPE sends by RMA, or has ended a transfer: told to all engines of its array where senders slow each other down (specification 9.3). */
export interface RmaSender {
  readonly type: 'rma.sender';
  readonly tid: number;
  readonly begins: boolean;
}
/** RMA_READ: a get asks the engine beside the other CPE to send. */
export interface RmaRead {
  readonly type: 'rma.read';
  readonly transfer: number;
  /** The CPE that is read, and where. */
  readonly tid: number;
  readonly offset: number;
  readonly len: number;
  /** Word of the CPE that is read. */
  readonly reply: number;
  /** Where the bytes go: the issuer, its offset, its word, its engine. */
  readonly issuer: number;
  readonly target: number;
  readonly targetReply: number;
  readonly engine: Address;
  /** When the engine asked may begin to read, in thousandths of a cycle. */
  readonly ready: number;
}

/** LDM --------------------------------------------------------------------------------------------------------------------------------*/

/** LDM_RD. `core` is who reads for a program, -1 for an engine, whose transfer is the tag. */
export interface LdmRead {
  readonly type: 'ldm.read';
  readonly offset: number;
  readonly bytes: number;
  readonly tag: number;
  readonly core: number;
  /** A marked access of a spin protocol (specification 7.3). */
  readonly flag: boolean;
  readonly answerDelay: number;
}
export interface LdmData {
  readonly type: 'ldm.data';
  readonly tag: number;
  readonly data: Uint8Array;
}
/** LDM_WR. A program's store is answered, an engine's is not. */
export interface LdmWrite {
  readonly type: 'ldm.write';
  readonly offset: number;
  readonly data: Uint8Array;
  readonly tag: number;
  readonly core: number;
  readonly flag: boolean;
  /** Cycles to the answer; -1 for none. */
  readonly answerDelay: number;
}
export interface LdmStored {
  readonly type: 'ldm.stored';
  readonly tag: number;
}
/** LDM_RD and LDM_WR of a vector: one 32-bit word a lane (specification 6.10). */
export interface LdmGather {
  readonly type: 'ldm.gather';
  readonly offsets: readonly number[];
  readonly core: number;
  readonly answerDelay: number;
}
export interface LdmScatter {
  readonly type: 'ldm.scatter';
  readonly offsets: readonly number[];
  /** Four bytes a lane. */
  readonly data: Uint8Array;
  readonly core: number;
  readonly answerDelay: number;
}
/** An LDM with ports goes on by itself: what its CPE has asked for has its turn. */
export interface LdmTurn {
  readonly type: 'ldm.turn';
}
/** RPLY_INC: adds 1 to a reply word. */
export interface ReplyIncrement {
  readonly type: 'reply.increment';
  readonly offset: number;
  readonly transfer: number;
  readonly role: 'local' | 'remote';
}
/** A CPE waits until a word of its LDM is at least `value`. */
export interface ReplyWatch {
  readonly type: 'reply.watch';
  readonly offset: number;
  readonly value: number;
}
/** RPLY_EVT: the word is. */
export interface ReplyEvent {
  readonly type: 'reply.event';
  readonly offset: number;
  readonly value: number;
}
/** A program begins (the heap is empty), or has laid out further static variables up to `end`. */
export interface LdmStatics {
  readonly type: 'ldm.statics';
  readonly begins: boolean;
  readonly end: number;
  readonly variables: readonly StaticVariable[];
}
/** A call of the allocator (specification 6.4). */
export interface LdmAllocate {
  readonly type: 'ldm.allocate';
  readonly request: 'freeAddress' | 'freeSize' | 'malloc' | 'mallocMax' | 'free' | 'freeAll' | 'scratch';
  readonly address: number;
  readonly size: number;
}
export interface LdmAllocated {
  readonly type: 'ldm.allocated';
  readonly value: number;
}

/** Main memory ------------------------------------------------------------------------------------------------------------------------*/

/** Where the bytes of a transfer lie in main memory (specification 4.1). */
interface MemoryPieces {
  readonly memory: number;
  readonly len: number;
  readonly bsize: number;
  readonly stride: number;
}
/** Which block of its transfer a request is for (fidelity `flit`); the pieces of the request are those of the block. */
export interface TransferBlock {
  /** Its first byte, from the start of the transfer on the LDM side. */
  readonly offset: number;
  /** Whether it is the first of its descriptor. */
  readonly first: boolean;
  /** Puts: whether the descriptor has full and partial blocks. */
  readonly mixed: boolean;
}
/** MEM_REQ of a get: one message for all blocks of a descriptor, or for one of them. */
export interface MemoryRead extends MemoryPieces {
  readonly type: 'memory.read';
  readonly transfer: number;
  /** Null where the request stands for all blocks of a descriptor. */
  readonly block: TransferBlock | null;
  readonly requester: Address;
}
/** MEM_REQ of a put: asks for slots of the write buffer for all its blocks, or for one of them. */
export interface MemoryClaim extends MemoryPieces {
  readonly type: 'memory.claim';
  readonly transfer: number;
  readonly block: TransferBlock | null;
  readonly requester: Address;
}
/** The last block of a put has its slot, or the block at an offset has. */
export interface MemoryGrant {
  readonly type: 'memory.grant';
  readonly transfer: number;
  /** Offset of the block in its transfer; -1 for all. */
  readonly offset: number;
  /** When, in thousandths of a cycle. */
  readonly granted: number;
}
/** The bytes of a put, or of one of its blocks. */
export interface MemoryWrite extends MemoryPieces {
  readonly type: 'memory.write';
  readonly transfer: number;
  readonly block: TransferBlock | null;
  readonly data: Uint8Array;
  readonly requester: Address;
}
/** MEM_RSP: the bytes of a get, or, without any, that a put is written; of all blocks or of the one at an offset. */
export interface MemoryResponse {
  readonly type: 'memory.response';
  readonly transfer: number;
  /** Offset of the block in its transfer; -1 for all. */
  readonly offset: number;
  readonly data: Uint8Array | null;
  /** When the controller was through with its last block, in thousandths of a cycle. */
  readonly through: number;
}
/**
 * MEM_REQ of a core: a plain load or store, or a fetch-and-add of a 32-bit word; of a data cache: a line that it fills or writes back. `core` is
 * -1 - cgn for a host process.
 */
export interface MemoryAccess {
  readonly type: 'memory.access';
  readonly kind: 'load' | 'store' | 'add' | 'fill' | 'writeBack';
  readonly memory: number;
  readonly bytes: number;
  /** What is stored; empty for the other kinds. */
  readonly data: Uint8Array;
  /** What is added. */
  readonly value: number;
  readonly core: number;
  readonly flag: boolean;
  readonly requester: Address;
  readonly answerDelay: number;
}
/** MEM_RSP to a core: what was read, before an addition; empty for a store. */
export interface MemoryAnswer {
  readonly type: 'memory.answer';
  readonly data: Uint8Array;
}
/** A CPE has the lines of its data cache leave that have a byte from `first` to `last`, both included; a MEM_RSP tells when they have. */
export interface CacheWalk {
  readonly type: 'cache.walk';
  readonly first: number;
  readonly last: number;
}
/** A memory controller goes on by itself. */
export interface MemoryTurn {
  readonly type: 'memory.turn';
}

/** Synchronisation --------------------------------------------------------------------------------------------------------------------*/

/** Hardware barriers: of a row, of a column, of two CPEs (specification 6.2). */
export type BarrierKind = 'row' | 'column' | 'pair';

/** SYNC_ARRIVE: `index` is the row, the column or the smaller tid; `mask` the columns, the rows or the larger tid. */
export interface SyncArrive {
  readonly type: 'sync.arrive';
  readonly kind: BarrierKind;
  readonly index: number;
  readonly mask: number;
  readonly tid: number;
  /** What the members of a collective have to agree on, as a fingerprint of its arguments; 0 for a plain barrier. */
  readonly agreement: number;
}
/** SYNC_RELEASE. `epoch` counts the releases of this barrier. */
export interface SyncRelease {
  readonly type: 'sync.release';
  readonly kind: BarrierKind;
  readonly index: number;
  readonly mask: number;
  readonly epoch: number;
  /** False when two members came with different fingerprints. */
  readonly agreed: boolean;
}
/** CPEs that are no longer available: they are members of no barrier. */
export interface SyncOffline {
  readonly type: 'sync.offline';
  readonly tids: readonly number[];
}
/** NODE_FAA: adds 1 to a word of the node and waits until all parties have (specification 5.3, 6.2). */
export interface NodeAdd {
  readonly type: 'node.add';
  /** `node`, `hosts`, `array 0` (with the host of core group 0), `spe 0 5`. */
  readonly word: string;
  readonly core: number;
  readonly answerDelay: number;
}
/** NODE_EVT: the round is complete; `old` is what the word held when this party added. */
export interface NodeEvent {
  readonly type: 'node.event';
  readonly word: string;
  readonly old: number;
}
/** A host process has ended, or an array gets no more work: it takes part in no barrier of the node. */
export interface NodeLeave {
  readonly type: 'node.leave';
  readonly who: 'host' | 'array';
  readonly cgn: number;
}
/** LOCK_REQ. `try` does not queue. */
export interface LockRequest {
  readonly type: 'lock.request';
  readonly key: string;
  readonly try: boolean;
  readonly core: number;
}
/** LOCK_GRANT; `held` false answers a try that came too late. */
export interface LockGrant {
  readonly type: 'lock.grant';
  readonly key: string;
  readonly held: boolean;
}
/** LOCK_REL. */
export interface LockRelease {
  readonly type: 'lock.release';
  readonly key: string;
  readonly core: number;
}
/** What came of a release: false when the lock was not held by who gave it back. */
export interface LockReleased {
  readonly type: 'lock.released';
  readonly key: string;
  readonly right: boolean;
}

/** Threads and services ---------------------------------------------------------------------------------------------------------------*/

/** SPAWN: a CPE begins a program. */
export interface ThreadStart {
  readonly type: 'thread.start';
  readonly program: Fixed<CpeProgram>;
  readonly name: string;
  readonly arg: number;
  /** Whether the data cache is written back and emptied at the end. */
  readonly flush: boolean;
  /** Whether it is one of a group that was started together. */
  readonly group: boolean;
}
/** DONE: the program has ended and everything it moved is in place. */
export interface ThreadDone {
  readonly type: 'thread.done';
  readonly tid: number;
}
/** REAP: the host has taken note. */
export interface ThreadReap {
  readonly type: 'thread.reap';
}
/** HALT: the CPE gets no more work. */
export interface ThreadHalt {
  readonly type: 'thread.halt';
}
/** SIG: a signal of a CPE for its host process. */
export interface SignalSend {
  readonly type: 'signal.send';
  readonly content: number;
  readonly tid: number;
}
/** The signal as it reaches the host process. */
export interface SignalArrive {
  readonly type: 'signal.arrive';
  readonly content: number;
  readonly tid: number;
  /** When its path took it. */
  readonly sent: number;
}
/** SIO: bytes of a CPE for a file. */
export interface FileAppend {
  readonly type: 'file.append';
  readonly file: string;
  readonly data: Uint8Array;
  readonly core: number;
  readonly requester: Address;
}
/** A service has taken what it was sent; the CPE goes on. */
export interface ServiceTaken {
  readonly type: 'service.taken';
  readonly value: number;
}
/** TASK_REQ. */
export interface TaskRequest {
  readonly type: 'task.request';
  readonly request: 'fetch' | 'quit';
  readonly file: string;
  readonly taskNum: number;
  readonly blockSize: number;
  readonly cgn: number;
}
/** TASK_RSP. */
export interface TaskResponse {
  readonly type: 'task.response';
  readonly value: number;
}
/** A host process has ended or was killed: it comes for no more tasks. */
export interface TaskLeave {
  readonly type: 'task.leave';
  readonly cgn: number;
}
/** A signal path hands on what came in the cycle before. */
export interface PathTurn {
  readonly type: 'path.turn';
}
/** A file is made, or made anew, with so many bytes of one value. */
export interface FileFill {
  readonly type: 'file.fill';
  readonly file: string;
  readonly bytes: number;
  readonly value: number;
}
/** One byte of a file that is there. */
export interface FilePatch {
  readonly type: 'file.patch';
  readonly file: string;
  readonly offset: number;
  readonly value: number;
}
/** Signal 34 to the job: no new task is handed out (specification 5.7). */
export interface JobDrain {
  readonly type: 'job.drain';
}
/** Signal 35 to the job: nothing is recorded from now on (specification 5.7). */
export interface JobStop {
  readonly type: 'job.stop';
}
/** A host process ends at once, with the threads on its CPEs: its job was stopped, or it was killed. */
export interface HostStop {
  readonly type: 'host.stop';
}
/** A cycle of the node, where idle ones are not skipped. */
export interface ClockTick {
  readonly type: 'clock.tick';
}
/** A core goes on with its program. */
export interface CoreTurn {
  readonly type: 'core.turn';
}
