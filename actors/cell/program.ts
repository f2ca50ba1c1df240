import type { Hasher } from '../../kernel/hash.ts';
import type { Resource } from '../../kernel/resource.ts';
import { Program, type ProgramFunction } from '../common/program.ts';
import { foldByte } from './fnv.ts';
import {
  type Instruction,
  type InstructionResult,
  TRANSFER_STATUS_FINISHED,
  type TransferInstruction,
  type TransferStatus,
} from './instructions.ts';

/** A cycle in which nothing will happen: the SPU is halted for good. */
export const idleForever = Number.MAX_SAFE_INTEGER;

/**
 * What an SPU runs: asked for instruction after instruction, given each result.
 *
 * Details: `endCycle` ends the batch of a cycle; `undefined` means the program is over, which ends the cycle and halts the SPU (Cell
 * specification 3, end of program).
 */
export interface SpuProgram extends Resource {
  /**
   * Executes all instructions of a cycle at once, where the program can: a program whose instructions cannot fail or block. Must do
   * exactly what `next` asks for. Returns true when the run need not go on for its sake.
   */
  runCycle?(cycle: number, access: DirectAccess): boolean;
  /**
   * After `runCycle`: what the program does in each of the following cycles until one of its requests ends, when that is the same in all of them
   * and leaves the program as it is. Somebody else can do it then, and the SPU sleeps.
   */
  idleWork?(): IdleWork;
  /** The instruction that follows, given the result of the one before it. `cycle` is the cycle it would be executed in. */
  next(cycle: number, result: InstructionResult): Instruction | undefined;
  /** True when the program has nothing left, so that the SPU halts at the end of the present cycle. */
  fork(): SpuProgram;
}

/** The instructions of a cycle in which an SPU only waits for its requests. One object may serve any number of cycles and runs. */
export interface IdleWork {
  /** How many instructions a cycle has. */
  readonly instructions: number;
  /** Executes a cycle on the own memory. Returns the read hash with the logged values folded in. */
  run(cycle: number, hash: number, memory: OwnMemory): number;
}

/** The memory of one SPU, as its program sees it in a cycle. */
export interface OwnMemory {
  read(spu: number, addr: number, cycle: number): number;
  write(spu: number, addr: number, value: number, cycle: number): void;
}

/** What a program does its instructions on when it executes a whole cycle at once. */
export interface DirectAccess {
  read(addr: number): number;
  write(addr: number, value: number): void;
  /** The status value of a request. */
  status(id: number): number;
  /** Issues a request and returns its id. */
  issue(op: 'get' | 'put', my: number, peer: number, addr: number, size: number): number;
  /** Counts a value for the run's read hash. */
  log(value: number): void;
}

/** A program written as a generator: `function* () { const id = yield put(0, 1, 0, 16); yield endCycle(); }`. */
export type SpuProgramFunction = (spu: number) => Generator<Instruction, void, never>;

/** Runs a generator. */
export class GeneratorProgram implements SpuProgram {
  readonly #program: Program<Instruction, InstructionResult>;
  constructor(
    make: ProgramFunction<Instruction, InstructionResult> | Program<Instruction, InstructionResult>,
  ) {
    this.#program = make instanceof Program ? make : new Program(make);
  }
  next(_cycle: number, result: InstructionResult): Instruction | undefined {
    return this.#program.next(result);
  }
  fork(): GeneratorProgram {
    return new GeneratorProgram(this.#program.fork());
  }
  hash(into: Hasher): void {
    this.#program.hash(into);
  }
}

/** An instruction with the cycle it is executed in. */
export interface TimedInstruction {
  readonly cycle: number;
  readonly instruction: Instruction;
}

/**
 * Runs a timed list: each instruction in its cycle, halted at the end of the cycle of the last one, cycle 0 if there is none (Cell
 * specification 18.1).
 */
export class TimedProgram implements SpuProgram {
  #at: number;
  constructor(
    readonly list: readonly TimedInstruction[],
    at = 0,
  ) {
    this.#at = at;
  }
  next(cycle: number): Instruction | undefined {
    const entry = this.list[this.#at];
    if (entry === undefined) return undefined;
    // An instruction that had to be retried (Cell specification 11, maxOutstanding) makes the following ones late.
    if (entry.cycle > cycle) return { op: 'endCycle', cycles: entry.cycle - cycle };
    this.#at++;
    return entry.instruction;
  }
  fork(): TimedProgram {
    return new TimedProgram(this.list, this.#at);
  }
  hash(into: Hasher): void {
    into.number(this.#at);
  }
}

/** The closed-loop load of the Cell specification, 18.1. */
export interface SaturateSpec {
  /** Requests each SPU keeps unfinished at most: the number of slots. */
  readonly outstanding: number;
  /** Requests each SPU issues in all. */
  readonly perSpu: number;
  readonly sizeMin: number;
  readonly sizeMax: number;
  readonly seed: number;
  /** Read-modify-write operations on the own memory a cycle. */
  readonly localOps: number;
}

/** The local operations of a closed loop, and polls that change nothing (Cell specification 18.1). */
class LocalWork implements IdleWork {
  readonly instructions: number;
  readonly #spu: number;
  readonly #localOps: number;
  constructor(spu: number, localOps: number, polls: number) {
    this.instructions = polls + 3 * localOps;
    this.#spu = spu;
    this.#localOps = localOps;
  }
  run(cycle: number, hash: number, memory: OwnMemory): number {
    const spu = this.#spu;
    let folded = hash;
    for (let i = 0; i < this.#localOps; i++) {
      const addr = (cycle + i) & 63;
      const value = (memory.read(spu, addr, cycle) + spu + 1) & 255;
      memory.write(spu, addr, value, cycle);
      folded = foldByte(folded, value);
    }
    return folded;
  }
}

/** Where a closed-loop program stands inside a cycle. */
enum Stage {
  PollSlot,
  Polled,
  Issued,
  LocalRead,
  LocalWrite,
  LocalReadBack,
}

/**
 * Runs the closed loop: polls its slots, refills those that finished, then works on the own memory (Cell specification 18.1).
 *
 * Details: an SPU whose requests are all finished goes on with its local operations until every other SPU has come as far; then all halt
 * together. The specification can be read otherwise; the golden results decide.
 */
export class SaturateProgram implements SpuProgram {
  readonly #spec: SaturateSpec;
  readonly #spu: number;
  readonly #N: number;
  readonly #memSize: number;
  #random: number;
  #issued = 0;
  /** Request id in each slot, -1 when its last request was seen finished. */
  readonly #slots: Int32Array;
  #slot = 0;
  #stage: Stage = Stage.PollSlot;
  #local = 0;
  /** By the number of requests that are polled. */
  readonly #idle: IdleWork[] = [];
  /**
   * All instructions but the requests are this one object again and again: nothing is allocated in the loop, and who executes them sees
   * one shape.
   */
  readonly #instruction = {
    op: 'status' as Instruction['op'],
    id: 0,
    addr: 0,
    value: 0,
    logged: false,
    cycles: 1,
    content: false,
  };

  constructor(spec: SaturateSpec, spu: number, N: number, memSize: number) {
    this.#spec = spec;
    this.#spu = spu;
    this.#N = N;
    this.#memSize = memSize;
    this.#random = (Math.imul(spec.seed + 1, 0x9e3779b1) ^ Math.imul(spu + 1, 0x85ebca6b)) | 1;
    this.#slots = new Int32Array(spec.outstanding).fill(-1);
  }

  next(cycle: number, result: InstructionResult): Instruction | undefined {
    const { outstanding, perSpu, localOps } = this.#spec;
    for (;;) {
      switch (this.#stage) {
        case Stage.PollSlot:
          if (this.#slot === outstanding) {
            this.#slot = 0;
            this.#local = 0;
            this.#stage = Stage.LocalRead;
            break;
          }
          if (this.#slots[this.#slot]! >= 0) {
            this.#stage = Stage.Polled;
            return this.#status(this.#slots[this.#slot]!);
          }
          if (this.#issued < perSpu) {
            this.#stage = Stage.Issued;
            return this.#request();
          }
          this.#slot++;
          break;
        case Stage.Polled:
          this.#stage = Stage.PollSlot;
          if ((result as TransferStatus).status === TRANSFER_STATUS_FINISHED) this.#slots[this.#slot] = -1;
          else this.#slot++;
          break;
        case Stage.Issued:
          this.#slots[this.#slot] = result as number;
          this.#slot++;
          this.#stage = Stage.PollSlot;
          break;
        case Stage.LocalRead:
          if (this.#local === localOps) {
            this.#stage = Stage.PollSlot;
            return this.#endCycle();
          }
          this.#stage = Stage.LocalWrite;
          return this.#memory('read', cycle, 0, false);
        case Stage.LocalWrite:
          this.#stage = Stage.LocalReadBack;
          return this.#memory('write', cycle, ((result as number) + this.#spu + 1) & 255, false);
        case Stage.LocalReadBack:
          this.#stage = Stage.LocalRead;
          {
            const again = this.#memory('read', cycle, 0, true);
            this.#local++;
            return again;
          }
        default:
          this.#stage satisfies never;
      }
    }
  }

  /** The closed loop in one piece: `next` takes the same steps one by one. */
  runCycle(cycle: number, access: DirectAccess): boolean {
    const { outstanding, perSpu, localOps } = this.#spec;
    const slots = this.#slots;
    for (let slot = 0; slot < outstanding; slot++) {
      if (slots[slot]! >= 0) {
        if (access.status(slots[slot]!) !== TRANSFER_STATUS_FINISHED) continue;
        slots[slot] = -1;
      }
      if (this.#issued === perSpu) continue;
      this.#slot = slot;
      const { op, my, peer, addr, size } = this.#request();
      slots[slot] = access.issue(op, my, peer, addr, size);
    }
    this.#slot = 0;
    for (let i = 0; i < localOps; i++) {
      const addr = (cycle + i) & 63;
      access.write(addr, (access.read(addr) + this.#spu + 1) & 255);
      access.log(access.read(addr));
    }
    return this.#over();
  }

  idleWork(): IdleWork {
    const { outstanding } = this.#spec;
    let polls = 0;
    for (let slot = 0; slot < outstanding; slot++) if (this.#slots[slot]! >= 0) polls++;
    const known = this.#idle[polls];
    if (known) return known;
    const made = new LocalWork(this.#spu, this.#spec.localOps, polls);
    this.#idle[polls] = made;
    return made;
  }

  fork(): SaturateProgram {
    const copy = new SaturateProgram(this.#spec, this.#spu, this.#N, this.#memSize);
    Object.assign(copy.#instruction, this.#instruction);
    copy.#random = this.#random;
    copy.#issued = this.#issued;
    copy.#slots.set(this.#slots);
    copy.#slot = this.#slot;
    copy.#stage = this.#stage;
    copy.#local = this.#local;
    return copy;
  }

  hash(into: Hasher): void {
    into.number(this.#random);
    into.number(this.#issued);
    into.numbers(this.#slots);
    into.number(this.#slot);
    into.number(this.#stage);
    into.number(this.#local);
  }

  #over(): boolean {
    if (this.#issued < this.#spec.perSpu) return false;
    for (const id of this.#slots) if (id >= 0) return false;
    return true;
  }

  #status(id: number): Instruction {
    const instruction = this.#instruction;
    instruction.op = 'status';
    instruction.id = id;
    instruction.logged = false;
    return instruction as Instruction;
  }

  #memory(op: 'read' | 'write', cycle: number, value: number, logged: boolean): Instruction {
    const instruction = this.#instruction;
    instruction.op = op;
    instruction.addr = (cycle + this.#local) & 63;
    instruction.value = value;
    instruction.logged = logged;
    return instruction as Instruction;
  }

  #endCycle(): Instruction {
    const instruction = this.#instruction;
    instruction.op = 'endCycle';
    instruction.content = this.#over();
    return instruction as Instruction;
  }

  /** Draws the next request, for the present slot. */
  #request(): TransferInstruction {
    const { outstanding, sizeMin, sizeMax } = this.#spec;
    this.#issued++;
    const drawn = this.#draw() % (this.#N - 1);
    const peer = drawn >= this.#spu ? drawn + 1 : drawn;
    const size = sizeMin + (this.#draw() % (sizeMax - sizeMin + 1));
    const op = (this.#draw() & 1) === 0 ? 'get' : 'put';
    const half = this.#memSize / 2;
    const source = 64 + (this.#draw() % (half - 64 - size + 1));
    const destination = half + (this.#spu * outstanding + this.#slot) * sizeMax;
    return op === 'get'
      ? { op, my: destination, peer, addr: source, size }
      : { op, my: source, peer, addr: destination, size };
  }

  /** xorshift32 (Cell specification 18.1). */
  #draw(): number {
    let x = this.#random;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.#random = x;
    return x >>> 0;
  }
}
