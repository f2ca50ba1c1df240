/** Reads the byte at an address of the own memory (Cell specification 3). Result: the byte, 0..255. */
export interface ReadInstruction {
  readonly op: 'read';
  readonly addr: number;
  /** True when the byte goes into the run's read hash (specification 18.2). */
  readonly logged?: boolean;
}

/** Sets a byte of the own memory. No result. */
export interface WriteInstruction {
  readonly op: 'write';
  readonly addr: number;
  /** 0..255. */
  readonly value: number;
}

/** Asks the own DMA module for a transfer: `get` from the other SPU to the own memory, `put` the other way. Result: the request id. */
export interface TransferInstruction {
  readonly op: 'get' | 'put';
  /** Address in the own memory. */
  readonly my: number;
  /** The other SPU, or the own number for a self transfer. */
  readonly peer: number;
  /** Address in the other SPU's memory. */
  readonly addr: number;
  /** Bytes. */
  readonly size: number;
}

/** Asks the own DMA module about a request. Result: `TransferStatus`. */
export interface StatusInstruction {
  readonly op: 'status';
  readonly id: number;
  /** True when the status value goes into the run's read hash. */
  readonly logged?: boolean;
}

/** Ends the SPU's work in this cycle: `program_finished_cycle` of the source. */
export interface EndCycleInstruction {
  readonly op: 'endCycle';
  /** How many cycles to end, at least 1: the SPU does nothing in the others. Default 1. */
  readonly cycles?: number;
  /** True when the program has reached its goal and only goes on while others have not: the run may end with this cycle. */
  readonly content?: boolean;
}

/** What a program may ask for (Cell specification 3). */
export type Instruction =
  | ReadInstruction
  | WriteInstruction
  | TransferInstruction
  | StatusInstruction
  | EndCycleInstruction;

/** Values of a status answer (Cell specification 3). */
export const TRANSFER_STATUS_INVALID_ID = 0;
/** Accepted, not yet started. */
export const TRANSFER_STATUS_NOT_STARTED = 1;
/** In progress. */
export const TRANSFER_STATUS_RUNNING = 2;
/** Complete. */
export const TRANSFER_STATUS_FINISHED = 3;

/** Answer to a status query. `dir` and `ring` are those in use while RUNNING, -1 otherwise. */
export interface TransferStatus {
  readonly status: 0 | 1 | 2 | 3;
  readonly dir: number;
  readonly ring: number;
}

/** What a program gets back: a byte, an id, a status, or nothing. */
export type InstructionResult = number | TransferStatus | undefined;

/** `const byte = yield read(16)`. */
export const read = (addr: number): ReadInstruction => ({ op: 'read', addr, logged: true });
/** `yield write(16, 255)`. */
export const write = (addr: number, value: number): WriteInstruction => ({ op: 'write', addr, value });
/** `const id = yield get(myaddr, spuid, spuaddr, size)`: from SPU `spuid` to the own memory. */
export const get = (my: number, peer: number, addr: number, size: number): TransferInstruction => ({
  op: 'get',
  my,
  peer,
  addr,
  size,
});
/** `const id = yield put(myaddr, spuid, spuaddr, size)`: from the own memory to SPU `spuid`. */
export const put = (my: number, peer: number, addr: number, size: number): TransferInstruction => ({
  op: 'put',
  my,
  peer,
  addr,
  size,
});
/** `const { status } = yield status(id)`. */
export const status = (id: number): StatusInstruction => ({ op: 'status', id, logged: true });
/** `yield endCycle()`; `yield endCycle(10)` also sits out the nine cycles after this one. */
export const endCycle = (cycles = 1): EndCycleInstruction => ({ op: 'endCycle', cycles });
