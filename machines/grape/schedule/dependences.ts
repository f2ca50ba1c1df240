import type { Ref } from '../../../actors/grape/program.ts';
import {
  forwardsT,
  isTCell,
  type Operation,
  readsFeedback,
  readsTByUnit,
  registerCells,
  withSources,
} from './operations.ts';
import { ScheduleError } from './schedule-error.ts';

/** `after` stands at least `latency` slots behind `before`. */
export interface Dependence {
  readonly before: number;
  readonly after: number;
  readonly latency: number;
}

/** What the order of operations must keep. Operations are named by their index. */
export interface Dependences {
  readonly operations: readonly Operation[];
  readonly edges: readonly Dependence[];
  /** Multiplications and what reads their product as `$fb`: exactly one slot apart. */
  readonly feedbacks: readonly { readonly product: number; readonly reader: number }[];
  /**
   * Registers that a reader may take as `$ti` from the slot before, since that one wrote the word to T too.
   */
  readonly forwards: ReadonlyMap<number, readonly { readonly ref: Ref; readonly producer: number }[]>;
}

/** Slots from a write to a read of it, unless it is forwarded (GRAPE specification 4.2). */
const writeLatency = 2;

/** Who wrote a cell last, and who has read that. */
interface CellState {
  writer?: Operation;
  readers: Operation[];
}

/**
 * The dependences of a section that is right in functional mode (GRAPE specification 4.1), for the machine
 * of 4.2.
 *
 * Details: a write is read two slots later, one slot later through `$ti`. What was read before may be
 * overwritten in the same slot, not in
 * the slot before, although the machine would still see the old word: the lint of 4.3 cannot tell.
 * Transfers through the ports keep at least
 * the distances of the text from each other and from whatever touches broadcast memory behind them, since
 * they take time there.
 *
 * Errors: `ScheduleError` for a product that nothing can hand on.
 */
export function dependencesOf(given: readonly Operation[]): Dependences {
  return new DependenceFinder().find(given);
}

class DependenceFinder {
  readonly #operations: Operation[] = [];
  readonly #latencies = new Map<string, Dependence>();
  readonly #feedbacks: { product: number; reader: number }[] = [];
  readonly #forwards = new Map<number, { ref: Ref; producer: number }[]>();
  readonly #cells = new Map<number, CellState>();
  /** Operations whose word for T another unit of their slot replaces. */
  readonly #outdone = new Set<Operation>();
  #product: Operation | undefined;
  #port: Operation | undefined;

  find(given: readonly Operation[]): Dependences {
    for (let first = 0; first < given.length; ) {
      let next = first;
      while (next < given.length && given[next]!.slot === given[first]!.slot) next++;
      this.#slot(given.slice(first, next).map((one) => this.#withoutFeedback(one)));
      first = next;
    }
    return {
      operations: this.#operations,
      edges: [...this.#latencies.values()],
      feedbacks: this.#feedbacks,
      forwards: this.#forwards,
    };
  }

  /** All operations of a slot read before any of them writes (GRAPE specification 3.5). */
  #slot(operations: readonly Operation[]): void {
    this.#operations.push(...operations);
    const writers = operations.filter(({ targets }) => targets.some(({ kind }) => kind === 't'));
    for (const one of writers.slice(0, -1)) this.#outdone.add(one);
    for (const one of operations) this.#reads(one);
    for (const one of operations) {
      this.#writes(one);
      if (one.unit === 'idp' || one.unit === 'rrn') this.#transfers(one);
    }
    this.#product = operations.find(({ unit }) => unit === 'mul') ?? this.#product;
  }

  #edge(before: Operation, after: Operation, latency: number): void {
    if (before.index === after.index) return;
    const key = `${before.index} ${after.index}`;
    const known = this.#latencies.get(key);
    if (known === undefined || known.latency < latency)
      this.#latencies.set(key, { before: before.index, after: after.index, latency });
  }

  #state(cell: number): CellState {
    let state = this.#cells.get(cell);
    if (state === undefined) {
      state = { readers: [] };
      this.#cells.set(cell, state);
    }
    return state;
  }

  #reads(reader: Operation): void {
    if (readsFeedback(reader)) this.#feedbacks.push({ product: this.#product!.index, reader: reader.index });
    const forwarded = new Map<number, Operation>();
    for (const ref of reader.sources) {
      const producer = this.#forwarderOf(ref, reader);
      if (producer === undefined) continue;
      const all = this.#forwards.get(reader.index) ?? [];
      all.push({ ref, producer: producer.index });
      this.#forwards.set(reader.index, all);
      for (const cell of registerCells(ref, reader.vlen)) forwarded.set(cell, producer);
    }
    // A word that is also read in another way, by halves say, is not there earlier.
    for (const ref of reader.sources)
      if (ref.kind === 'grf' && this.#forwarderOf(ref, reader) === undefined)
        for (const cell of registerCells(ref, reader.vlen)) forwarded.delete(cell);
    for (const cell of reader.reads) {
      const state = this.#state(cell);
      if (state.writer) {
        const early = isTCell(cell) ? this.#handsOn(state.writer, reader) : forwarded.has(cell);
        this.#edge(state.writer, reader, this.#distance(state.writer, reader, early ? 1 : writeLatency));
      }
      state.readers.push(reader);
    }
  }

  /** True when `$ti` right behind the writer is what `$t` would be. */
  #handsOn(writer: Operation, reader: Operation): boolean {
    return forwardsT(writer) && readsTByUnit(reader) && writer.vlen >= reader.vlen;
  }

  /**
   * The operation that wrote this register, whole and long, and T with it; short ones lose the lower half,
   * which T keeps.
   */
  #forwarderOf(ref: Ref, reader: Operation): Operation | undefined {
    if (!isLongVector(ref)) return undefined;
    const writers = registerCells(ref, reader.vlen).map((cell) => this.#cells.get(cell)?.writer);
    const [writer] = writers;
    if (writer === undefined || writers.some((one) => one !== writer)) return undefined;
    const whole = holdsWhole(writer, ref) && !this.#outdone.has(writer);
    return whole && this.#handsOn(writer, reader) ? writer : undefined;
  }

  #writes(writer: Operation): void {
    for (const cell of writer.writes) {
      const state = this.#state(cell);
      for (const reader of state.readers) {
        // The input port writes at once, before the slot reads: what reads in the slot has no other place.
        const least = writer.unit === 'idp' ? 1 : 0;
        this.#edge(reader, writer, this.#distance(reader, writer, least));
        if (writer.unit === 'idp' && reader.slot === writer.slot) this.#edge(writer, reader, 1);
      }
      const last = state.writer;
      if (last) {
        const together = last.slot === writer.slot;
        const behind = writer.unit === 'idp' ? writeLatency : together ? 0 : 1;
        this.#edge(last, writer, this.#distance(last, writer, behind));
        // Element by element the units take turns, so that neither is wholly the later one where elements
        // overlap.
        if (together && !isTCell(cell)) this.#edge(writer, last, 0);
      }
      state.writer = writer;
      state.readers = [];
    }
  }

  /** What a port does takes time that depends on the machine: the text is trusted to have left enough. */
  #distance(before: Operation, after: Operation, least: number): number {
    const ported = before.unit === 'idp' || before.unit === 'rrn';
    return ported ? Math.max(least, after.time - before.time) : least;
  }

  #transfers(one: Operation): void {
    if (this.#port) this.#edge(this.#port, one, one.time - this.#port.time);
    this.#port = one;
  }

  /**
   * `$fb` as `$t` or as a register where the product went there as a whole and still is: those may be read
   * later, and more than once.
   */
  #withoutFeedback(one: Operation): Operation {
    if (!readsFeedback(one)) return one;
    const product = this.#product;
    if (product === undefined || product.vlen < one.vlen)
      throw new ScheduleError('E_SCHED_FEEDBACK', one.line);
    const held = product.targets.find((ref) => this.#stillHolds(ref, product, one.vlen));
    const change = (ref: Ref): Ref => (ref.kind === 'fb' && held ? held : ref);
    if (held) {
      const work = withSources(one, change);
      const cells =
        held.kind === 't' ? Array.from({ length: one.vlen }, (_, k) => k) : registerCells(held, one.vlen);
      return {
        ...one,
        ...work,
        sources: one.sources.map(change),
        reads: [...new Set([...one.reads, ...cells])],
      } as Operation;
    }
    const taken = this.#feedbacks.some((known) => known.product === product.index);
    if (taken || product.segment !== one.segment) throw new ScheduleError('E_SCHED_FEEDBACK', one.line);
    return one;
  }

  #stillHolds(ref: Ref, product: Operation, vlen: number): boolean {
    if (product.mi > 0) return false;
    if (ref.kind !== 't' && !(isLongVector(ref) && holdsWhole(product, ref))) return false;
    const cells = ref.kind === 't' ? Array.from({ length: vlen }, (_, k) => k) : registerCells(ref, vlen);
    return cells.every((cell) => this.#cells.get(cell)?.writer === product);
  }
}

const isLongVector = ({ kind, long, vector }: Ref): boolean => kind === 'grf' && long && vector;

/**
 * True when an operation leaves its whole result in a register: no other target of it lies across, to be
 * written element by element between.
 */
function holdsWhole({ targets, vlen }: Operation, { addr }: Ref): boolean {
  const registers = targets.filter(({ kind }) => kind === 'grf');
  const own = registers.find((ref) => isLongVector(ref) && ref.addr === addr);
  if (!own) return false;
  const cells = new Set(registerCells(own, vlen));
  return registers.every(
    (ref) =>
      (isLongVector(ref) && ref.addr === addr) || !registerCells(ref, vlen).some((cell) => cells.has(cell)),
  );
}
