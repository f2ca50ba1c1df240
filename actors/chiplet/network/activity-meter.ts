import type { Hasher } from '../../../kernel/hash.ts';
import type { Resource } from '../../../kernel/resource.ts';
import { changeBetween, signedTogglesOf, togglesOf } from './change.ts';
import { popcount } from './popcount.ts';
import { noCounts, type RouterCounters } from './router-counters.ts';

/**
 * Counts what a router does, for its energy (chiplet specification 5.9). Nothing that a router does depends on it.
 *
 * Details: a register remembers the words of the last flit that went by: one at each input of the switch, at each output of it, and at the
 * buffers of each port. All begin with zeros.
 */
export class ActivityMeter implements Resource {
  readonly counters: RouterCounters = noCounts();
  readonly #registers: Int32Array;
  /** By output port: the input port of its last flit. */
  readonly #lastInputs: Int32Array;
  /** By output channel: lower and upper half of the last vector of requests, and the last winner. */
  readonly #lastRequests: Int32Array;
  readonly #lastWinners: Int32Array;

  constructor(
    readonly ports: number,
    readonly queues: number,
    /** Words of 64 bits in a flit. */
    readonly words: number,
  ) {
    this.#registers = new Int32Array(3 * ports * 2 * words);
    this.#lastInputs = new Int32Array(ports);
    this.#lastRequests = Int32Array.from({ length: 2 * queues }, (_, at) => (at % 2 === 0 ? 1 : 0));
    this.#lastWinners = new Int32Array(queues).fill(1);
  }

  /** A flit is written into a buffer of a port. */
  write(port: number, halves: readonly number[]): void {
    this.writeChanged(this.#see(2 * this.ports + port, halves));
  }

  /** The same where the wire before the port has told what changes. */
  writeChanged(change: number): void {
    this.counters.flitsWritten++;
    this.counters.writeToggles += signedTogglesOf(change);
  }

  /** A flit is read and goes through the switch. Gives what it changes at the output. */
  cross(input: number, output: number, halves: readonly number[]): number {
    const { counters } = this;
    counters.flitsRead++;
    counters.inToggles += togglesOf(this.#see(input, halves));
    const change = this.#see(this.ports + output, halves);
    counters.outToggles += togglesOf(change);
    if (this.#lastInputs[output] !== input) counters.switches++;
    this.#lastInputs[output] = input;
    return change;
  }

  /** An output channel is given to a winner. `lower`, `upper`: the vector of requests of the cycle. */
  grant(output: number, winner: number, lower: number, upper: number): void {
    const { counters } = this;
    const vector = this.#lastRequests;
    counters.grants++;
    counters.requestToggles +=
      popcount(lower ^ vector[2 * output]!) + popcount(upper ^ vector[2 * output + 1]!);
    vector[2 * output] = lower;
    vector[2 * output + 1] = upper;
    if (this.#lastWinners[output] !== winner) counters.grantChanges++;
    this.#lastWinners[output] = winner;
  }

  #see(register: number, halves: readonly number[]): number {
    const from = register * 2 * this.words;
    let change = 0;
    for (const [at, half] of halves.entries()) {
      change += changeBetween(half, this.#registers[from + at]!);
      this.#registers[from + at] = half;
    }
    return change;
  }

  fork(): ActivityMeter {
    const fork = new ActivityMeter(this.ports, this.queues, this.words);
    Object.assign(fork.counters, this.counters);
    fork.#registers.set(this.#registers);
    fork.#lastInputs.set(this.#lastInputs);
    fork.#lastRequests.set(this.#lastRequests);
    fork.#lastWinners.set(this.#lastWinners);
    return fork;
  }

  hash(into: Hasher): void {
    into.value(this.counters);
    into.numbers(this.#registers);
    into.numbers(this.#lastInputs);
    into.numbers(this.#lastRequests);
    into.numbers(this.#lastWinners);
  }
}
