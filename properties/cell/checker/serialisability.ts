/** One access of a cycle to one byte (Cell specification 10.1). */
export interface Access {
  readonly write: boolean;
  readonly mem: number;
  readonly address: number;
  readonly value: number;
  /** Place in the order of its memory; level 2 does not look at it. */
  readonly stamp: number;
}

/** The content of one byte at the end of a cycle. */
export interface ByteContent {
  readonly mem: number;
  readonly address: number;
  readonly value: number;
}

/** Everything that happened to memories in one cycle (Cell specification 10.1). */
export interface CycleTrace {
  /** Each SPU's accesses in program order. */
  readonly spus: readonly (readonly Access[])[];
  /** The byte each running transfer moved: the read is before the write. */
  readonly transfers: readonly { readonly read: Access; readonly write: Access }[];
  /** Content at the start of the cycle, 0..255. */
  readonly before: (mem: number, address: number) => number;
  /** Contents at the end of the cycle, at least of every byte that was written. */
  readonly after: readonly ByteContent[];
}

/** The answer about one cycle; a violation is always proved (Cell specification 10.2). */
export interface SerialisabilityVerdict {
  readonly answer: 'ok' | 'violation' | 'undecided';
  readonly why: string;
  /** Contents are class FATAL, an impossible order is class SYNC (CK-20). */
  readonly kind: 'contents' | 'order' | null;
  /** A serial order that explains the cycle, where the level finds one. */
  readonly witness: readonly Access[] | null;
}

/** Writes on one byte up to which level 2 tries their orders; a byte with more leaves the answer undecided. */
export const LEVEL2_WRITES_MAX = 8;

/** Order constraints that level 2 tries before it gives up. */
export const LEVEL2_STEPS_MAX = 200_000;

/** Level 0: unwritten bytes are unchanged, written bytes hold one of the written values; O(accesses) (Cell specification 10.2). */
export function level0(trace: CycleTrace): SerialisabilityVerdict {
  const written = new Map<string, number[]>();
  for (const access of chainsOf(trace).flat()) {
    if (!access.write) continue;
    const values = written.get(placeOf(access));
    if (values === undefined) written.set(placeOf(access), [access.value]);
    else values.push(access.value);
  }
  const seen = new Set<string>();
  for (const content of trace.after) {
    const place = placeOf(content);
    seen.add(place);
    const values = written.get(place);
    const allowed = values ?? [trace.before(content.mem, content.address)];
    if (allowed.includes(content.value)) continue;
    return contents(
      `${place} ends as ${content.value}, ${values === undefined ? 'unwritten' : 'written'} it may be ${allowed.join(' or ')}`,
    );
  }
  for (const place of written.keys())
    if (!seen.has(place)) return contents(`${place} was written, its content at the end is missing`);
  return { answer: 'ok', why: 'every byte holds an allowed value', kind: null, witness: null };
}

/** Level 1: the stamps of each memory explain every value, and the order they force has no cycle; O(accesses) but for sorting (Cell specification 10.2). */
export function level1(trace: CycleTrace): SerialisabilityVerdict {
  const broken = brokenTransfer(trace);
  if (broken !== null) return broken;
  const chains = chainsOf(trace);
  if (chains.length === 0 && trace.after.length === 0)
    return { answer: 'ok', why: 'nothing was accessed', kind: null, witness: [] };
  /** By byte: its place, and what it ends as where it was written. */
  const after = new Map<number, { readonly place: Access; readonly value: number }>();
  for (const accesses of groupByByte(chains.flat())) {
    const first = accesses[0]!;
    let value = trace.before(first.mem, first.address);
    for (const access of byStamp(accesses)) {
      if (access.write) value = access.value;
      else if (access.value !== value)
        return contents(`${placeOf(access)} was read as ${access.value} and held ${value}`);
    }
    if (accesses.some((access) => access.write)) after.set(byteOf(first), { place: first, value });
  }
  for (const content of trace.after) {
    const byte = byteOf(content);
    const value = after.get(byte)?.value ?? trace.before(content.mem, content.address);
    after.delete(byte);
    if (content.value !== value)
      return contents(`${placeOf(content)} ends as ${content.value}, expected ${value}`);
  }
  for (const { place } of after.values())
    return contents(`${placeOf(place)} was written, its content at the end is missing`);
  const witness = serialOrder(chains);
  if (witness === null)
    return {
      answer: 'violation',
      why: 'the orders of the memories contradict each other',
      kind: 'order',
      witness,
    };
  return { answer: 'ok', why: 'the stamps give a serial order', kind: null, witness };
}

/** Level 2, for traces without stamps: searches orders of each byte's accesses that together have no cycle (Cell specification 10.2). */
export function level2(
  trace: CycleTrace,
  limits: { readonly writesMax?: number; readonly stepsMax?: number } = {},
): SerialisabilityVerdict {
  const coarse = level0(trace);
  if (coarse.answer === 'violation') return coarse;
  const broken = brokenTransfer(trace);
  if (broken !== null) return broken;
  return new OrderSearch(
    trace,
    limits.writesMax ?? LEVEL2_WRITES_MAX,
    limits.stepsMax ?? LEVEL2_STEPS_MAX,
  ).verdict();
}

/**
 * A total order that keeps each chain's order and, on each byte, the order of conflicting accesses by stamp, or null when there
 * is none (Kahn's algorithm; Cell specification 10.2, level 1b). At most 2 edges an access and one within its chain.
 */
export function serialOrder(chains: readonly (readonly Access[])[]): readonly Access[] | null {
  const accesses = chains.flat();
  const graph = new OrderGraph(accesses.length);
  chainEdges(chains, graph);
  const groups = groupByByte(accesses).filter(({ length }) => length > 1);
  const numberOf = new Map(groups.length > 0 ? accesses.map((access, index) => [access, index]) : []);
  for (const group of groups) {
    let writer = -1;
    let readers: number[] = [];
    for (const access of byStamp(group)) {
      const index = numberOf.get(access) ?? 0;
      if (writer >= 0) graph.add(writer, index);
      if (!access.write) {
        readers.push(index);
        continue;
      }
      for (const reader of readers) graph.add(reader, index);
      writer = index;
      readers = [];
    }
  }
  return graph.sorted()?.flatMap((index) => accesses[index] ?? []) ?? null;
}

/** A growing set of "comes before" pairs that can be taken back in reverse order. */
class OrderGraph {
  private readonly successors: number[][];
  private readonly trail: number[] = [];

  constructor(count: number) {
    this.successors = Array.from({ length: count }, () => []);
  }

  /** Number of pairs so far, to return to with `undo`. */
  get mark(): number {
    return this.trail.length;
  }

  add(before: number, after: number): void {
    this.successors[before]?.push(after);
    this.trail.push(before);
  }

  /** Adds a pair unless it would close a cycle. */
  tryAdd(before: number, after: number): boolean {
    if (before === after || this.reaches(after, before)) return false;
    this.add(before, after);
    return true;
  }

  undo(mark: number): void {
    while (this.trail.length > mark) this.successors[this.trail.pop() ?? 0]?.pop();
  }

  /** All nodes in an order that respects every pair, or null when there is a cycle. */
  sorted(): number[] | null {
    const incoming = new Int32Array(this.successors.length);
    for (const list of this.successors)
      for (const after of list) incoming[after] = (incoming[after] ?? 0) + 1;
    const order: number[] = [];
    incoming.forEach((count, index) => {
      if (count === 0) order.push(index);
    });
    for (let next = 0; next < order.length; next++)
      for (const after of this.successors[order[next] ?? 0] ?? []) {
        const left = (incoming[after] ?? 0) - 1;
        incoming[after] = left;
        if (left === 0) order.push(after);
      }
    return order.length === this.successors.length ? order : null;
  }

  private reaches(from: number, to: number): boolean {
    const seen = new Uint8Array(this.successors.length);
    const stack = [from];
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      if (node === to) return true;
      if (seen[node] === 1) continue;
      seen[node] = 1;
      for (const after of this.successors[node] ?? []) stack.push(after);
    }
    return false;
  }
}

/** The accesses to one byte, as numbers, and what it held before and after. */
interface ByteProblem {
  readonly writes: readonly number[];
  readonly reads: readonly number[];
  readonly before: number;
  readonly after: number;
}

class OutOfSteps extends Error {}

/** Depth-first search over the orders of writes and the sources of reads, byte by byte, on one graph. */
class OrderSearch {
  private readonly accesses: readonly Access[];
  private readonly graph: OrderGraph;
  private readonly problems: readonly ByteProblem[];
  /** Bytes left out for their many writes. Leaving out only loosens the problem, so a violation stays proved. */
  private readonly skipped: number;
  private stepsLeft: number;

  constructor(trace: CycleTrace, writesMax: number, stepsMax: number) {
    const chains = chainsOf(trace);
    this.accesses = chains.flat();
    this.stepsLeft = stepsMax;
    this.graph = new OrderGraph(this.accesses.length);
    chainEdges(chains, this.graph);
    const numberOf = new Map(this.accesses.map((access, index) => [access, index]));
    const after = new Map(trace.after.map((content) => [placeOf(content), content.value]));
    const problems = groupByByte(this.accesses).map((group): ByteProblem => {
      const select = (write: boolean) =>
        group.flatMap((access) => (access.write === write ? (numberOf.get(access) ?? []) : []));
      const [first] = group;
      const before = first === undefined ? 0 : trace.before(first.mem, first.address);
      const place = first === undefined ? '' : placeOf(first);
      return { writes: select(true), reads: select(false), before, after: after.get(place) ?? before };
    });
    const kept = problems.filter((problem) => problem.writes.length <= writesMax);
    this.skipped = problems.length - kept.length;
    // Bytes with few possible orders first: they prune the others.
    this.problems = kept.toSorted(
      (a, b) => a.writes.length - b.writes.length || a.reads.length - b.reads.length,
    );
  }

  verdict(): SerialisabilityVerdict {
    try {
      if (!this.solve(0))
        return { answer: 'violation', why: 'no order explains the values', kind: 'contents', witness: null };
    } catch (error) {
      if (!(error instanceof OutOfSteps)) throw error;
      return { answer: 'undecided', why: 'the search reached its limit of steps', kind: null, witness: null };
    }
    if (this.skipped > 0)
      return {
        answer: 'undecided',
        why: `${this.skipped} bytes have too many writes`,
        kind: null,
        witness: null,
      };
    const witness = this.graph.sorted()?.flatMap((index) => this.accesses[index] ?? []) ?? null;
    return { answer: 'ok', why: 'an order was found', kind: null, witness };
  }

  private solve(index: number): boolean {
    const problem = this.problems[index];
    if (problem === undefined) return true;
    return this.orderWrites(problem, [], () => this.solve(index + 1));
  }

  private orderWrites(problem: ByteProblem, order: readonly number[], rest: () => boolean): boolean {
    const last = order.at(-1);
    if (order.length === problem.writes.length) {
      const value = last === undefined ? problem.before : this.valueOf(last);
      return value === problem.after && this.placeReads(problem, order, 0, rest);
    }
    for (const write of problem.writes) {
      if (order.includes(write)) continue;
      const mark = this.graph.mark;
      if (this.step(last, write) && this.orderWrites(problem, [...order, write], rest)) return true;
      this.graph.undo(mark);
    }
    return false;
  }

  private placeReads(
    problem: ByteProblem,
    order: readonly number[],
    index: number,
    rest: () => boolean,
  ): boolean {
    const read = problem.reads[index];
    if (read === undefined) return rest();
    for (let slot = 0; slot <= order.length; slot++) {
      const source = slot === 0 ? undefined : order[slot - 1];
      const value = source === undefined ? problem.before : this.valueOf(source);
      if (value !== this.valueOf(read)) continue;
      const mark = this.graph.mark;
      if (
        this.step(source, read) &&
        this.step(read, order[slot]) &&
        this.placeReads(problem, order, index + 1, rest)
      )
        return true;
      this.graph.undo(mark);
    }
    return false;
  }

  private step(before: number | undefined, after: number | undefined): boolean {
    if (this.stepsLeft-- <= 0) throw new OutOfSteps();
    return before === undefined || after === undefined || this.graph.tryAdd(before, after);
  }

  private valueOf(access: number): number {
    return this.accesses[access]?.value ?? -1;
  }
}

function chainsOf(trace: CycleTrace): readonly (readonly Access[])[] {
  return [...trace.spus, ...trace.transfers.map(({ read, write }) => [read, write])];
}

function chainEdges(chains: readonly (readonly Access[])[], graph: OrderGraph): void {
  let index = 0;
  for (const chain of chains) {
    for (let i = 1; i < chain.length; i++) graph.add(index + i - 1, index + i);
    index += chain.length;
  }
}

function groupByByte(accesses: readonly Access[]): readonly Access[][] {
  const groups = new Map<number, Access[]>();
  for (const access of accesses) {
    const byte = byteOf(access);
    const group = groups.get(byte);
    if (group === undefined) groups.set(byte, [access]);
    else group.push(access);
  }
  return [...groups.values()];
}

function brokenTransfer(trace: CycleTrace): SerialisabilityVerdict | null {
  const broken = trace.transfers.find(({ read, write }) => read.value !== write.value);
  if (broken === undefined) return null;
  return contents(`a transfer read ${broken.read.value} and wrote ${broken.write.value}`);
}

/** Accesses in the order of their memory. */
const byStamp = (accesses: readonly Access[]): readonly Access[] =>
  accesses.length === 1 ? accesses : accesses.toSorted((a, b) => a.stamp - b.stamp);

/** A byte as one number: memories and addresses have less than 32 bits each. */
const byteOf = ({ mem, address }: { readonly mem: number; readonly address: number }): number =>
  mem * 2 ** 32 + address;

function placeOf(byte: { readonly mem: number; readonly address: number }): string {
  return `Memory[${byte.mem}]:${byte.address}`;
}

function contents(why: string): SerialisabilityVerdict {
  return { answer: 'violation', why, kind: 'contents', witness: null };
}
