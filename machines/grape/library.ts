import type { HostContext } from '../../actors/grape/host.ts';
import type {
  GrapeResult,
  HostAnswer,
  HostCall,
  HostCode,
  TimedCall,
} from '../../actors/grape/host-calls.ts';
import type { HostRecord, HostValue } from '../../actors/grape/host-words.ts';
import type { Program } from '../../actors/grape/program.ts';
import { Run, type RunOptions } from '../../kernel/run.ts';
import { wire } from './assembly.ts';
import { type GrapeConfig, grapeConfig } from './config.ts';
import type { Output } from './outputs.ts';
import { outputsOf } from './result.ts';
import { type GrapeSession, keptCall, sessionOf } from './session.ts';

/**
 * The generated host library (GRAPE specification 7): each call runs the simulated machine until it has answered.
 *
 * Details: particle i of `sendIParticle` goes to element i mod 4 of PE i / 4 in every block; record j of external memory goes to block j mod nBB in
 * pass j / nBB. Calls return 0, or a negative code: -1 not initialised, -2 bad count or index, -3 conversion table not registered, -4 machine
 * fault (see `simulation.outcome.violations`). `J`, `I` and `R` are the records of the program, as `lockstep grape asm --types` writes them.
 */
export class GrapeLibrary<
  J extends object = HostRecord,
  I extends object = HostRecord,
  R extends object = HostRecord,
> {
  /** The run of the machine: subscribe to its streams before the first call. */
  readonly simulation: Run;
  readonly config: GrapeConfig;
  readonly #host: number;
  readonly #program: Program;
  readonly #made: TimedCall[] = [];

  /** Errors: a ZodError for a configuration that is none. */
  constructor(program: Program, config: Partial<GrapeConfig> = {}, options: RunOptions = {}) {
    this.config = grapeConfig.parse(config);
    const { wiring, host } = wire(this.config, program, null);
    this.#host = host;
    this.#program = program;
    this.simulation = new Run(wiring, options);
  }

  /** Cycles since the machine was switched on, those of the host's link included. */
  get cycles(): number {
    return this.simulation.outcome.ticks;
  }

  /** What each call so far took. */
  get calls(): HostContext['calls'] {
    return this.#context.calls;
  }

  /** Acquires the machine: constants, then the section `initialization`. */
  init(): void {
    this.call({ call: 'init' });
  }

  numberOfPe(): number {
    return this.config.nPE;
  }

  numberOfBb(): number {
    return this.config.nBB;
  }

  /** Puts a j record into external memory. */
  sendJParticle(record: J, index: number): HostCode {
    return this.sendEltData(0, record, index);
  }

  /** Puts a record of a table into external memory; of type I the record of tables 1 and up goes on to all blocks at once. */
  sendEltData(num: number, record: object, index = 0): HostCode {
    return this.call({ call: 'sendEltData', num, record: record as HostRecord, index }).code;
  }

  /** Puts i particles into local memory, at most four a PE. */
  sendIParticle(particles: readonly I[], n = particles.length): HostCode {
    return this.call({ call: 'sendIParticle', particles: particles as readonly HostRecord[], n }).code;
  }

  /** Puts table data into local memory of every PE; the conversion table of i particles is gone then. */
  sendHltData(num: number, record: object, peindex = 0): HostCode {
    return this.call({ call: 'sendHltData', num, record: record as HostRecord, peindex }).code;
  }

  /** Makes the conversion table that of i particles again. */
  registerIParticleConversion(): HostCode {
    return this.call({ call: 'registerIParticleConversion' }).code;
  }

  /** Runs a type I program: loop initialization, `n` passes, loop finalization. */
  run(n: number): HostCode {
    return this.call({ call: 'run', n }).code;
  }

  /** Runs a type II program; what it sends is appended to `out`, 8 bytes a value. `length` is the room there, without limit when absent. */
  type2Run(n: number, out: HostValue[], length?: number): HostCode {
    const answer = this.call({ call: 'type2Run', n, ...(length !== undefined && { length }) });
    out.push(...(answer.out ?? []));
    return answer.code;
  }

  /** The results of a type I program, as many as particles were sent. */
  getResult(): readonly R[] {
    return this.getWords().map(({ values }) => values as unknown as R);
  }

  /** As `getResult`, with the words before their conversion. */
  getWords(): readonly GrapeResult[] {
    return this.call({ call: 'getResult' }).results ?? [];
  }

  /** What the lines for the simulator have shown so far. */
  get outputs(): readonly Output[] {
    return outputsOf(this.simulation);
  }

  /** Runs every section once, the preamble first, with its lines for the simulator. */
  runAlone(): HostCode {
    return this.call({ call: 'alone' }).code;
  }

  /** Carries out one call, as programs of the host make them. */
  call(call: HostCall): HostAnswer {
    const run = this.simulation;
    const cycle = run.outcome.ticks;
    this.#made.push(keptCall(call, cycle));
    run.post({ to: this.#host as never, type: 'host.call', call });
    const { verdict, failure } = run.toEnd();
    if (verdict === 'error') throw failure!.error;
    return this.#context.answer!;
  }

  /**
   * The calls so far as a scenario of the chip: run there, they give the same words in the same cycles.
   *
   * Errors: `SessionError`.
   */
  session(): GrapeSession {
    return sessionOf(this.config, this.#program, this.#made);
  }

  get #context(): HostContext {
    return this.simulation.part('Host').context as unknown as HostContext;
  }
}
