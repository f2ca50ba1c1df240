import {
  endCycle,
  get,
  type Instruction,
  type InstructionResult,
  put,
  read,
  status,
  type TransferStatus,
  write,
} from '../../actors/cell/instructions.ts';
import { invariant } from '../../kernel/errors.ts';
import type { Outcome } from '../../kernel/outcome.ts';
import { Run } from '../../kernel/run.ts';
import { assembleSteps, type CellRunResult } from './assembly.ts';
import { cellConfig } from './config.ts';

/*
 * The Cell ring machine under the names of the assignment it comes from (Cell specification 3, 7, 8; feature F-15), for programs that were
 * written against that interface. A method that takes the machine some time is called with `yield*`, the way a generator waits:
 * `const byte = yield* spu.read_from_memory(16)`. Everything else in Lockstep uses the names of `actors/cell/instructions.ts`.
 */

/** What a façade method is: a generator that asks for one instruction and returns its result. */
export type Step<T> = Generator<Instruction, T, InstructionResult>;

/** A program of the assignment: runs on an SPU until it returns. */
export type Program = (spu: SPU) => Generator<Instruction, void, InstructionResult>;

/** The memory of an SPU, seen from outside of a run: initial content before it, final content after it. */
export class Memory_Module {
  readonly #bytes = new Map<number, number>();
  #final: ((addr: number) => number) | undefined;

  /** The byte at an address: after a run what the machine left there, before it what was written here. */
  read(addr: number): number {
    return this.#final ? this.#final(addr) : (this.#bytes.get(addr) ?? 0);
  }

  /** Sets a byte before the run. */
  write(addr: number, v: number): void {
    invariant(!this.#final, 'a memory is written from outside before its run');
    this.#bytes.set(addr, v);
  }

  /** The bytes written before the run. */
  get initial(): ReadonlyMap<number, number> {
    return this.#bytes;
  }

  /** Shows the content that a run left. */
  attach(final: (addr: number) => number): void {
    this.#final = final;
  }
}

/** Counts the ends of cycles of all entities and finds those that are out of step (Cell specification 8). */
export class Cycle_Controller {
  /** What was wrong, in the order in which it was found: class SYNC. */
  readonly errors: string[] = [];
  readonly #reported = new Map<string, number>();
  #cycle = 0;

  constructor(readonly N: number) {}

  /** Cycles that all 2N+1 entities have ended. */
  get cycle(): number {
    return this.#cycle;
  }

  spu_finished_cycle(id: number): void {
    this.#finished('SPU', id);
  }
  dma_module_finished_cycle(id: number): void {
    this.#finished('DMA module', id);
  }
  data_arbiter_finished_cycle(): void {
    this.#finished('data arbiter', 0);
  }

  /** Declares the run finished: entities that have not ended as many cycles as the others are missing. */
  finish(): readonly string[] {
    if (this.#reported.size > 0)
      this.errors.push(
        `the run is over and ${2 * this.N + 1 - this.#reported.size} entities have not ended cycle ${this.#cycle}`,
      );
    return this.errors;
  }

  #finished(kind: string, id: number): void {
    if (!Number.isInteger(id) || id < 0 || id >= this.N) {
      this.errors.push(`unknown ${kind} ${id}`);
      return;
    }
    const entity = `${kind} ${id}`;
    if (this.#reported.has(entity)) {
      this.errors.push(
        `${entity} has ended cycle ${this.#cycle} twice, while ${2 * this.N + 1 - this.#reported.size} entities have not ended it`,
      );
      return;
    }
    this.#reported.set(entity, this.#cycle);
    if (this.#reported.size < 2 * this.N + 1) return;
    this.#reported.clear();
    this.#cycle++;
  }
}

/** A DMA module: what a program asks of it. */
export class DMA_Module {
  constructor(
    /** Cycles of the run, null: until all programs are over. */
    readonly num_cycles: number | null,
    readonly controller: Cycle_Controller,
  ) {}
  /** Copies from SPU `spuid` to the own memory; returns the request id at once. */
  *get(myaddr: number, spuid: number, spuaddr: number, size: number): Step<number> {
    return (yield get(myaddr, spuid, spuaddr, size)) as number;
  }
  /** Copies from the own memory to SPU `spuid`; returns the request id at once. */
  *put(myaddr: number, spuid: number, spuaddr: number, size: number): Step<number> {
    return (yield put(myaddr, spuid, spuaddr, size)) as number;
  }
  /** Status, direction and ring of a request. */
  *status(request_id: number): Step<readonly [status: number, dir: number, ring: number]> {
    const answer = (yield status(request_id)) as TransferStatus;
    return [answer.status, answer.dir, answer.ring];
  }
}

/** A processor with its memory and its program. */
export class SPU {
  constructor(
    readonly id: number,
    readonly memory_module: Memory_Module,
    readonly program: Program,
    readonly controller: Cycle_Controller,
    /** Its DMA module; `Data_Arbiter` connects those of its list in order. */
    public dma_module: DMA_Module = new DMA_Module(null, controller),
  ) {}
  *write_to_memory(addr: number, v: number): Step<void> {
    yield write(addr, v);
  }
  *read_from_memory(addr: number): Step<number> {
    return (yield read(addr)) as number;
  }
  *program_finished_cycle(): Step<void> {
    yield endCycle();
  }
}

/** The command bus as the assignment's tests see it: commands in the order in which they were sent. */
export class Command_Bus {
  readonly commands: { readonly src: number; readonly dest: number; readonly cmd: 'put' | 'get' }[] = [];
  constructor(readonly dma_module_list: readonly DMA_Module[]) {}
  /** Notes a command. Errors: an unknown module, a command that is neither put nor get. */
  send_command(src: number, dest: number, cmd: 'put' | 'get'): void {
    const known = (id: number) => Number.isInteger(id) && id >= 0 && id < this.dma_module_list.length;
    if (!known(src) || !known(dest))
      throw new RangeError(
        `a command from module ${src} to module ${dest}: there are modules 0..${this.dma_module_list.length - 1}`,
      );
    if (cmd !== 'put' && cmd !== 'get')
      throw new RangeError(`the command "${String(cmd)}" is neither put nor get`);
    this.commands.push({ src, dest, cmd });
  }
}

/** The arbiter of 2K rings; `run` runs the whole machine. */
export class Data_Arbiter {
  constructor(
    readonly dma_module_list: readonly DMA_Module[],
    readonly K: number,
    readonly num_cycles: number | null,
    readonly controller: Cycle_Controller,
  ) {}

  /**
   * Runs the machine that the SPUs make up, one step a message, until the cycles are over or all programs are.
   *
   * Details: the policy is the default of the machine; `memSize` bytes a memory. The controller and the bus are told what their namesakes in
   * the run did.
   */
  run(
    spus: readonly SPU[],
    options: { readonly memSize?: number; readonly policy?: string; readonly bus?: Command_Bus } = {},
  ): { readonly outcome: Outcome; readonly result: CellRunResult } {
    const N = spus.length;
    invariant(
      this.dma_module_list.length === N,
      `${N} SPUs need as many DMA modules, not ${this.dma_module_list.length}`,
    );
    const config = cellConfig.parse({
      N,
      K: this.K,
      memory: 'zero',
      ...(options.memSize !== undefined && { memSize: options.memSize }),
      ...(options.policy !== undefined && { policy: options.policy }),
      ...(this.num_cycles !== null && { run: { cycles: this.num_cycles } }),
      skipIdle: false,
    });
    for (const [index, spu] of spus.entries()) spu.dma_module = this.dma_module_list[index]!;
    const programs = spus.map((spu) => ({ module: `SPU ${spu.id}`, program: () => preset(spu) as never }));
    const assembly = assembleSteps({ name: 'facade', config, programs, mutants: [], scheduled: false });
    const run = new Run(assembly.wiring);
    run.probes$.subscribe(({ probe }) => {
      const event = probe as unknown as {
        type: string;
        who?: string;
        id?: number;
        spu?: number;
        dest?: number;
        cmd?: 'put' | 'get';
      };
      if (event.type === 'CMD') options.bus?.send_command(event.spu!, event.dest!, event.cmd!);
      if (event.type !== 'DONE') return;
      if (event.who === 'spu') this.controller.spu_finished_cycle(event.id!);
      else if (event.who === 'dma') this.controller.dma_module_finished_cycle(event.id!);
      else this.controller.data_arbiter_finished_cycle();
    });
    const outcome = run.toEnd();
    this.controller.finish();
    for (const [index, spu] of spus.entries()) {
      const memory = assembly.memory(run, index);
      spu.memory_module.attach((addr) => memory.read(addr));
    }
    return { outcome, result: assembly.result(run) };
  }
}

/** What a test of the assignment begins with: memories, DMA modules, a controller and a bus for N SPUs. */
export function init_all(
  N: number,
  num_cycles: number | null = null,
): {
  readonly memory_modules: readonly Memory_Module[];
  readonly dma_modules: readonly DMA_Module[];
  readonly controller: Cycle_Controller;
  readonly bus: Command_Bus;
} {
  const controller = new Cycle_Controller(N);
  const dma_modules = Array.from({ length: N }, () => new DMA_Module(num_cycles, controller));
  return {
    memory_modules: Array.from({ length: N }, () => new Memory_Module()),
    dma_modules,
    controller,
    bus: new Command_Bus(dma_modules),
  };
}

/** The program of an SPU, after the bytes that its memory was given from outside were stored. */
function* preset(spu: SPU): Generator<Instruction, void, InstructionResult> {
  for (const [addr, v] of spu.memory_module.initial) yield write(addr, v);
  yield* spu.program(spu);
}
