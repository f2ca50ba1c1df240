/** Cycle and serial number that every record of the event log carries (Cell specification 18.4). */
export interface LogStamp {
  /** Cycle the record belongs to, from 0. */
  readonly t: number;
  /** Serial number in the log: 0, 1, 2, … without gaps. */
  readonly n: number;
}

/** First line of an event log: the machine that ran and how (Cell specification 2 and 18.4). */
export interface CellLogHeader {
  readonly format: 'cell-log/1';
  /** Name of the run, free text. */
  readonly name: string;
  /** Number of SPUs, and so of connection points on every ring, 1..1024. */
  readonly N: number;
  /** Rings per direction, 1..64. */
  readonly K: number;
  /** Bytes in each SPU's memory, at least 1. */
  readonly memSize: number;
  /** Name of the arbitration policy (Cell specification 17). */
  readonly policy: string;
  /** True when the policy promises never to leave a request waiting beside a free segment. */
  readonly workConserving: boolean;
  /** What happens to a transfer from an SPU to itself (Cell specification 11). */
  readonly selfTransfer: 'point' | 'reject';
  /** What happens to a transfer of no bytes (Cell specification 11). */
  readonly zeroSize: 'complete' | 'reject';
  /** Promise on the longest wait, or null for none; `cap` in cycles (Cell specification 17.5). */
  readonly boundedWait: { readonly factor: number; readonly cap: number | null } | null;
  /** Number of cycles asked for, or null for "until idle". */
  readonly cycles: number | null;
  /** Contents before cycle 0: the formula of Cell specification 18.1, zeros, unknown until seen, or the bytes of each SPU. */
  readonly memory: 'pattern' | 'zero' | 'recorded' | readonly (readonly number[])[];
  /** Largest total waiting time allowed, in cycles, or null for no limit (Cell specification 14). */
  readonly waitLimit: number | null;
  /** Whether the parts ran in the canonical order of each cycle or in a fuzzed one (Cell specification 16). */
  readonly interleaving: 'ordered' | 'free';
}

/** A DMA module accepted a request in cycle t, which is the request's issue cycle (Cell specification 3). */
export interface RequestEvent extends LogStamp {
  readonly ev: 'REQ';
  /** Number of the initiating SPU, 0..N-1. */
  readonly spu: number;
  /** Request id, unique within the SPU, from 0. */
  readonly id: number;
  /** `get`: the peer sends to the initiator; `put`: the initiator sends to the peer. */
  readonly kind: 'get' | 'put';
  /** First address in the initiator's memory. */
  readonly my: number;
  /** Number of the other SPU, 0..N-1; may be the initiator itself. */
  readonly peer: number;
  /** First address in the peer's memory. */
  readonly addr: number;
  /** Bytes to move, from 0; one byte moves a cycle. */
  readonly size: number;
}

/** The arbiter decided at the end of cycle t that a request starts in cycle t+1 (Cell specification 6). */
export interface GrantEvent extends LogStamp {
  readonly ev: 'GRANT';
  readonly spu: number;
  readonly id: number;
  /** First cycle in which the segment is occupied; t+1. */
  readonly start: number;
  /** 0: node numbers rise along the ring; 1: they fall (Cell specification 5). */
  readonly dir: number;
  /** Ring of that direction, 0..K-1. */
  readonly ring: number;
  /** Nodes reserved, from sender to receiver, as the arbiter believes. */
  readonly nodes: readonly number[];
}

/** The arbiter freed a segment at the end of cycle t, its last occupied cycle (Cell specification 6 and 9, T4). */
export interface FreeEvent extends LogStamp {
  readonly ev: 'FREE';
  readonly spu: number;
  readonly id: number;
  readonly dir: number;
  readonly ring: number;
  readonly nodes: readonly number[];
}

/** A transfer began to run in cycle t (Cell specification 9). */
export interface TransferStartEvent extends LogStamp {
  readonly ev: 'XSTART';
  readonly spu: number;
  readonly id: number;
  readonly dir: number;
  readonly ring: number;
}

/** A transfer moved its last byte in cycle t (Cell specification 9, T4). */
export interface TransferEndEvent extends LogStamp {
  readonly ev: 'XEND';
  readonly spu: number;
  readonly id: number;
}

/** The command bus recorded a command (Cell specification 7). */
export interface CommandEvent extends LogStamp {
  readonly ev: 'CMD';
  /** Number of the sending module, the initiator. */
  readonly spu: number;
  /** Number of the receiving module. */
  readonly dest: number;
  readonly cmd: 'get' | 'put';
  /** Stamp of the bus clock, which counts every acquire, command and release by one. */
  readonly q: number;
}

/** A module held the command bus between two stamps of the bus clock; logged at the release (Cell specification 7). */
export interface BusEvent extends LogStamp {
  readonly ev: 'BUS';
  readonly spu: number;
  /** Bus clock stamp of the acquire. */
  readonly in: number;
  /** Bus clock stamp of the release. */
  readonly out: number;
}

/** One access to one byte of a memory (Cell specification 10). */
export interface AccessEvent extends LogStamp {
  /** `RD` reads the byte, `WR` writes it. */
  readonly ev: 'RD' | 'WR';
  /** Number of the memory's SPU, 0..N-1. */
  readonly mem: number;
  /** Address of the byte, 0..memSize-1. */
  readonly a: number;
  /** Value read or written, 0..255. */
  readonly v: number;
  /** Who accesses: the SPU that owns the memory, or a DMA module. */
  readonly by: 'spu' | 'dma';
  /** Number of that SPU or module. */
  readonly spu: number;
  /** Request the module works for; -1 for an SPU. */
  readonly id: number;
  /** Stamp of the memory's own clock at entry. */
  readonly in: number;
  /** Stamp of the memory's own clock at completion; accesses of one memory are ordered by it. */
  readonly out: number;
}

/** Answer to a status query in cycle t (Cell specification 3). */
export interface StatusEvent extends LogStamp {
  readonly ev: 'STATUS';
  readonly spu: number;
  readonly id: number;
  /** 0 invalid id, 1 not started, 2 running, 3 finished. */
  readonly status: number;
  /** Direction while running, else -1. */
  readonly dir: number;
  /** Ring while running, else -1. */
  readonly ring: number;
}

/** A program received the result of an instruction (Cell specification 3). */
export interface ObservationEvent extends LogStamp {
  readonly ev: 'OBS';
  readonly spu: number;
  /** Which instruction of the SPU, from 0, ends of cycles not counted. */
  readonly k: number;
  readonly op: 'read' | 'write' | 'get' | 'put' | 'status';
  /** Byte of a read, null of a write, id of a get or put, value of a status. */
  readonly value: number | null;
}

/** An exception in a program (Cell specification 11). */
export interface ExceptionEvent extends LogStamp {
  readonly ev: 'EXC';
  readonly spu: number;
  /** Which instruction of the SPU, from 0. */
  readonly k: number;
  /** The reason in words. */
  readonly why: string;
}

/** An SPU is halted from now on (Cell specification 3, end of program). */
export interface HaltEvent extends LogStamp {
  readonly ev: 'HALT';
  readonly spu: number;
}

/** A part reported the end of cycle t to the cycle controller (Cell specification 8). */
export interface DoneEvent extends LogStamp {
  readonly ev: 'DONE';
  readonly who: 'spu' | 'dma' | 'arb';
  /** Number of the part; 0 for the arbiter. */
  readonly id: number;
}

/** Bytes of one memory as they are at the end of cycle t, at least those written in it (Cell specification 10). */
export interface MemoryEvent extends LogStamp {
  readonly ev: 'MEM';
  readonly mem: number;
  /** Pairs of address and value. */
  readonly bytes: readonly (readonly [number, number])[];
}

/** The barrier of cycle t opened (Cell specification 8). */
export interface BarrierEvent extends LogStamp {
  readonly ev: 'BARRIER';
  /** Generation of the barrier; equals t. */
  readonly gen: number;
  /** Next cycle that is simulated, when the clock jumps over idle ones. */
  readonly next?: number;
}

/** Cycles `from` to `to` were executed in bulk: every running transfer moved one byte in each (Cell specification 24). */
export interface BulkEvent extends LogStamp {
  readonly ev: 'BULK';
  /** First cycle executed in bulk. */
  readonly from: number;
  /** Last cycle executed in bulk. */
  readonly to: number;
}

/** Last record: the run ended (Cell specification 3, end of program). */
export interface StopEvent extends LogStamp {
  readonly ev: 'STOP';
  /** Number of cycles run: 0..cycles-1. */
  readonly cycles: number;
}

/** A part of the machine itself found something wrong (Cell specification 13). */
export interface ReportEvent extends LogStamp {
  readonly ev: 'REPORT';
  readonly class: 'EXCEPTION' | 'FATAL' | 'SYNC' | 'PERF';
  /** Name of the invariant. */
  readonly inv: string;
  readonly text: string;
}

/** One pick of the scheduler (Cell specification 16). */
export interface ChoiceEvent extends LogStamp {
  readonly ev: 'CHOICE';
  /** Name of the decision. */
  readonly what: string;
  /** Number of alternatives, from 1. */
  readonly count: number;
  /** The alternative taken, 0..count-1. */
  readonly pick: number;
}

/** Any record of an event log after the header (Cell specification 18.4). */
export type CellLogEvent =
  | RequestEvent
  | GrantEvent
  | FreeEvent
  | TransferStartEvent
  | TransferEndEvent
  | CommandEvent
  | BusEvent
  | AccessEvent
  | StatusEvent
  | ObservationEvent
  | ExceptionEvent
  | HaltEvent
  | DoneEvent
  | MemoryEvent
  | BarrierEvent
  | BulkEvent
  | StopEvent
  | ReportEvent
  | ChoiceEvent;
