import { type BenchLine, inBenchOrder } from '../../actors/chiplet/interchiplet/bench-line.ts';
import type {
  Answer,
  CycleCommand,
  FunctionalCommand,
  TransferCommand,
} from '../../actors/chiplet/interchiplet/commands.ts';
import {
  type FunctionalCoordinatorContext,
  functionalCoordinator,
} from '../../actors/chiplet/interchiplet/functional-coordinator.ts';
import { type DelayLine, recordsOf } from '../../actors/chiplet/interchiplet/latency-records.ts';
import type { BenchAdd, OrderDoubt, ProcessEnded } from '../../actors/chiplet/interchiplet/round-messages.ts';
import {
  type TimingCoordinatorContext,
  timingCoordinator,
} from '../../actors/chiplet/interchiplet/timing-coordinator.ts';
import { outside } from '../../actors/chiplet/outside.ts';
import { invariant } from '../../kernel/errors.ts';
import type { Address } from '../../kernel/message.ts';
import { Run } from '../../kernel/run.ts';
import { Wiring } from '../../kernel/wiring.ts';
import { type BlockedProcess, blockedProcesses } from './interchiplet-waits.ts';

/** What a round of real processes is given. */
export interface ServiceSpec {
  /** How processes are called in reports, in their order. */
  readonly names: readonly string[];
  /** Rates of their clocks. */
  readonly clockRates: readonly number[];
  readonly networkRate: number;
  /** Bytes that a flit carries. */
  readonly flitBytes: number;
  readonly round: number;
  readonly delay: readonly DelayLine[];
}

/** A command as a process says it: without its address. */
export type SpokenCommand =
  | Omit<Extract<FunctionalCommand, { readonly target: unknown }>, 'by'>
  | Omit<Extract<FunctionalCommand, { readonly type: 'command.barrier' }>, 'by'>
  | Omit<Extract<FunctionalCommand, { readonly type: 'command.lock' | 'command.unlock' }>, 'by'>
  | Omit<TransferCommand, 'by'>
  | Omit<CycleCommand, 'by'>;

/** An answer and the number of the process that it is for. */
export interface ServedAnswer {
  readonly process: number;
  readonly answer: Answer;
}

const timingTypes = new Set(['command.read', 'command.write', 'command.cycle']);

/**
 * The coordinators of a coordinator for one round of processes outside of the run: call by call, in the order in which commands arrive.
 *
 * Details: the same state machines as in a run of its own; a command is carried out with all that follows from it before the next one.
 */
export class CoordinatorService {
  readonly #run: Run;
  readonly #functionalCoordinator: Address;
  readonly #timingCoordinator: Address;
  readonly #processes: readonly Address[];
  readonly #bench: BenchLine[] = [];
  #answers: ServedAnswer[] = [];
  #cycles = 0;

  constructor({ names, clockRates, networkRate, flitBytes, round, delay }: ServiceSpec) {
    const wiring = new Wiring();
    wiring.zeroCopy = true;
    this.#processes = names.map((name) => wiring.place(name, outside, undefined));
    this.#functionalCoordinator = wiring.reserve('Coordinator.FunctionalDesk');
    this.#timingCoordinator = wiring.reserve('Coordinator.TimingDesk');
    const rounds = wiring.place('Coordinator.Rounds', outside, undefined);
    wiring.place(this.#functionalCoordinator, functionalCoordinator, {
      self: this.#functionalCoordinator,
      timingCoordinator: this.#timingCoordinator,
      processes: names.length,
    });
    wiring.place(this.#timingCoordinator, timingCoordinator, {
      functionalCoordinator: this.#functionalCoordinator,
      rounds,
      clockRates: Object.fromEntries(
        this.#processes.map((address, index) => [address, clockRates[index] ?? 1]),
      ),
      networkRate,
      flitBytes,
    });
    const records = recordsOf(delay, networkRate);
    for (const to of [this.#functionalCoordinator, this.#timingCoordinator])
      wiring.begin({ to, type: 'round.load', round, records });
    this.#run = new Run(wiring);
    this.#run.messages$.subscribe(({ message: { event, to } }) => this.#see(to, event as never));
    this.#settle();
  }

  /** Carries out a command of a process; what it and others are answered. */
  command(process: number, spoken: SpokenCommand): readonly ServedAnswer[] {
    const by = this.#processes[process];
    invariant(by !== undefined, `there is no process ${process}`);
    const to = timingTypes.has(spoken.type) ? this.#timingCoordinator : this.#functionalCoordinator;
    this.#answers = [];
    this.#run.post({ ...spoken, by, to } as never);
    this.#settle();
    return this.#answers;
  }

  /** Discards the records when they keep somebody from going on; who is answered then. For a caller who knows that nobody can go on. */
  giveUpOrder(): readonly ServedAnswer[] {
    this.#answers = [];
    const doubt: OrderDoubt = { type: 'order.doubt', sure: true };
    this.#run.post({ ...doubt, to: this.#functionalCoordinator });
    this.#settle();
    return this.#answers;
  }

  /** The largest CYCLE so far, in time of the system. */
  get cycles(): number {
    return this.#cycles;
  }

  /** The transactions so far, in the order of a trace. */
  get bench(): readonly BenchLine[] {
    return inBenchOrder(this.#bench);
  }

  /** W-ORDER. */
  get warnings(): readonly string[] {
    return [...this.#functional.warnings];
  }

  /** Who waits at the coordinators for what. */
  get blocked(): readonly BlockedProcess[] {
    const timing = this.#run.part(this.#timingCoordinator).context as unknown as TimingCoordinatorContext;
    return blockedProcesses(this.#functional, timing, (address) => this.#run.nameOf(address));
  }

  get #functional(): FunctionalCoordinatorContext {
    return this.#run.part(this.#functionalCoordinator).context as unknown as FunctionalCoordinatorContext;
  }

  #settle(): void {
    const { failure } = this.#run.toEnd();
    invariant(failure === undefined, `the coordinator failed: ${failure?.message}`);
  }

  #see(to: Address, event: Answer | BenchAdd | ProcessEnded): void {
    const process = this.#processes.indexOf(to);
    if (event.type === 'bench.add') this.#bench.push(event.line);
    else if (event.type === 'process.ended') this.#cycles = Math.max(this.#cycles, event.time);
    else if (process >= 0) this.#answers.push({ process, answer: event });
  }
}
