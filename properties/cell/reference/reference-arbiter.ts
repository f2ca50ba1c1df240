/** A request as the arbiter knows it (Cell specification 6, 17.1). */
export interface WaitingRequest {
  readonly spu: number;
  readonly id: number;
  readonly src: number;
  readonly dst: number;
  readonly size: number;
  readonly issue: number;
}

/** A start: which request, and where. */
export interface ReferenceGrant {
  readonly request: WaitingRequest;
  readonly dir: 0 | 1;
  readonly ring: number;
}

/** Numbers and promises of the machine that its arbiter depends on. */
export interface ArbiterNumbers {
  readonly N: number;
  readonly K: number;
  readonly policy: string;
  readonly boundedWait: { readonly factor: number; readonly cap: number | null } | null;
}

/** Policies that the specification fixes exactly; of any other one only what every policy has to keep is known (Cell specification 17.2 to 17.4). */
const exactPolicies = ['etalon-hol', 'etalon-ff', 'fifo-both', 'sjf-detour'];

/** The nodes of a transfer in one direction, from sender to receiver (Cell specification 5). */
export function segmentNodes(N: number, dir: 0 | 1, src: number, dst: number): readonly number[] {
  const nodes = [src];
  for (let node = src; node !== dst; nodes.push(node)) node = (node + (dir === 0 ? 1 : N - 1)) % N;
  return nodes;
}

/**
 * The data arbiter by the letter of the specification: one number a node, lists, loops, no shortcut (Cell specification 6, 17).
 *
 * Details: shares no code with the actors. It is slow: O(pending * rings * nodes) a cycle.
 */
export class ReferenceArbiter {
  readonly exact: boolean;
  readonly #numbers: ArbiterNumbers;
  /** By direction, ring and node the first cycle in which it is free. */
  readonly #freeFrom: readonly (readonly number[][])[];
  readonly #urgent = new Set<WaitingRequest>();
  #held: Reservation | undefined;
  pending: WaitingRequest[] = [];

  constructor(numbers: ArbiterNumbers) {
    this.#numbers = numbers;
    this.exact = exactPolicies.includes(numbers.policy);
    const { N, K } = numbers;
    this.#freeFrom = [0, 1].map(() => Array.from({ length: K }, () => new Array<number>(N).fill(0)));
  }

  /** Takes in the requests of a cycle. */
  add(requests: readonly WaitingRequest[]): void {
    this.pending.push(...requests);
    this.pending.sort((a, b) => a.issue - b.issue || a.spu - b.spu || a.id - b.id);
  }

  /** What starts in cycle t; of a policy that is not fixed exactly the urgent requests alone, and what it must leave free is kept for `mistakeOf`. */
  decide(t: number): readonly ReferenceGrant[] {
    const { policy, boundedWait } = this.#numbers;
    const grants: ReferenceGrant[] = [];
    const start = (request: WaitingRequest, dir: 0 | 1, ring: number) => {
      this.start({ request, dir, ring }, t);
      grants.push({ request, dir, ring });
    };
    const held = boundedWait ? this.#urgentStarts(t, boundedWait, start) : undefined;
    this.#held = held;
    if (!this.exact) return grants;
    if (policy === 'sjf-detour') this.#shortestFirst(t, held, start);
    else this.#oldestFirst(t, policy, held, start);
    return grants;
  }

  /** Why a grant is against the rules of every policy; undefined when it is not. */
  mistakeOf({ request, dir, ring }: ReferenceGrant, t: number): string | undefined {
    const { K } = this.#numbers;
    if (!this.pending.includes(request)) return 'it is not pending';
    if (ring < 0 || ring >= K) return `there is no ring ${ring}`;
    if (!this.#mayStart(t, dir, ring, request, this.#held)) return 'its segment is in use, or reserved';
    return undefined;
  }

  /** Carries out a grant. */
  start({ request, dir, ring }: ReferenceGrant, t: number): void {
    this.pending = this.pending.filter((one) => one !== request);
    for (const node of this.#nodes(dir, request)) this.#freeFrom[dir]![ring]![node] = t + request.size;
  }

  /** Whether nothing runs in cycle t on any ring. */
  idleAt(t: number): boolean {
    return this.#freeFrom.every((rings) => rings.every((nodes) => nodes.every((free) => free <= t)));
  }

  #nodes(dir: 0 | 1, { src, dst }: WaitingRequest): readonly number[] {
    return segmentNodes(this.#numbers.N, dir, src, dst);
  }

  /** First cycle in which the whole segment is free. */
  #freeAt(dir: 0 | 1, ring: number, request: WaitingRequest): number {
    return Math.max(...this.#nodes(dir, request).map((node) => this.#freeFrom[dir]![ring]![node]!));
  }

  /** Whether a request may start: its segment is free, and a reserved one is free again when it is needed. */
  #mayStart(
    t: number,
    dir: 0 | 1,
    ring: number,
    request: WaitingRequest,
    held: Reservation | undefined,
  ): boolean {
    if (this.#freeAt(dir, ring, request) > t) return false;
    if (!held || held.dir !== dir || held.ring !== ring || t + request.size <= held.from) return true;
    return !this.#nodes(dir, request).some((node) => held.nodes.includes(node));
  }

  /** 17.5: the urgent requests start before the others, oldest first; the first that cannot gets a reservation. */
  #urgentStarts(
    t: number,
    { factor, cap }: { readonly factor: number; readonly cap: number | null },
    start: (request: WaitingRequest, dir: 0 | 1, ring: number) => void,
  ): Reservation | undefined {
    const { N, K } = this.#numbers;
    const work = this.pending.reduce(
      (sum, one) => sum + one.size * Math.min(this.#nodes(0, one).length, this.#nodes(1, one).length),
      0,
    );
    const largest = Math.max(0, ...this.pending.map(({ size }) => size));
    const limit = Math.floor(factor * (work / (2 * K * N) + largest)) + 1;
    for (const one of this.pending) {
      const wait = t - (one.issue + 1);
      if (wait >= limit || (cap !== null && wait >= cap)) this.#urgent.add(one);
    }
    for (const one of this.pending.filter((other) => this.#urgent.has(other))) {
      let best: { dir: 0 | 1; ring: number; from: number } | undefined;
      for (const dir of this.#directions(one))
        for (let ring = 0; ring < K; ring++) {
          const from = Math.max(t, this.#freeAt(dir, ring, one));
          if (!best || from < best.from) best = { dir, ring, from };
        }
      if (best!.from > t) return { ...best!, nodes: this.#nodes(best!.dir, one) };
      start(one, best!.dir, best!.ring);
    }
    return undefined;
  }

  /** Both directions, the short one first; direction 0 first when they are equal. */
  #directions(request: WaitingRequest): readonly (0 | 1)[] {
    return this.#nodes(1, request).length < this.#nodes(0, request).length ? [1, 0] : [0, 1];
  }

  /** 17.2. */
  #oldestFirst(
    t: number,
    policy: string,
    held: Reservation | undefined,
    start: (request: WaitingRequest, dir: 0 | 1, ring: number) => void,
  ): void {
    for (const one of [...this.pending]) {
      const directions = policy === 'fifo-both' ? this.#directions(one) : ([0, 1] as const);
      const place = this.#firstFree(t, directions, one, held);
      if (place) start(one, place.dir, place.ring);
      else if (policy === 'etalon-hol') return;
    }
  }

  #firstFree(t: number, directions: readonly (0 | 1)[], one: WaitingRequest, held: Reservation | undefined) {
    for (const dir of directions)
      for (let ring = 0; ring < this.#numbers.K; ring++)
        if (this.#mayStart(t, dir, ring, one, held)) return { dir, ring };
    return undefined;
  }

  /** 17.3. */
  #shortestFirst(
    t: number,
    held: Reservation | undefined,
    start: (request: WaitingRequest, dir: 0 | 1, ring: number) => void,
  ): void {
    const { N, K } = this.#numbers;
    const key = ({ size, issue }: WaitingRequest) => 50 * size - (t - (issue + 1));
    // Sorting keeps the FIFO order of equal keys.
    const order = [...this.pending].sort((a, b) => key(a) - key(b));
    for (const one of order) {
      const [near, far] = this.#directions(one);
      const [short, long] = [this.#nodes(near!, one).length, this.#nodes(far!, one).length];
      const direct = this.#tightest(t, short === long ? [0, 1] : [near!], one, held);
      if (direct) {
        start(one, direct.dir, direct.ring);
        continue;
      }
      if (long === short) continue;
      const rings = Array.from({ length: K }, (_, ring) => ring);
      const benefit = Math.min(...rings.map((ring) => this.#freeAt(near!, ring, one))) - t;
      const extra = one.size * (long - short);
      const others = this.pending.length - 1;
      if (5 * N * K * benefit <= 5 * extra * others + K * extra) continue;
      const detour = this.#tightest(t, [far!], one, held);
      if (detour) start(one, detour.dir, detour.ring);
    }
  }

  /** The free place with the smallest gap score; the lower direction, then the lower ring among equals. */
  #tightest(t: number, directions: readonly (0 | 1)[], one: WaitingRequest, held: Reservation | undefined) {
    let best: { dir: 0 | 1; ring: number; gap: number } | undefined;
    for (const dir of directions)
      for (let ring = 0; ring < this.#numbers.K; ring++) {
        if (!this.#mayStart(t, dir, ring, one, held)) continue;
        const gap = this.#gap(t, dir, ring, one);
        if (!best || gap < best.gap) best = { dir, ring, gap };
      }
    return best;
  }

  /** Free nodes directly after the segment, and directly before it, in ring direction. */
  #gap(t: number, dir: 0 | 1, ring: number, one: WaitingRequest): number {
    const { N } = this.#numbers;
    const free = (node: number) => this.#freeFrom[dir]![ring]![node]! <= t;
    const step = dir === 0 ? 1 : N - 1;
    const run = (from: number, until: number, by: number) => {
      let count = 0;
      for (let node = (from + by) % N; node !== until && free(node); node = (node + by) % N) count++;
      return count;
    };
    return run(one.dst, one.src, step) + run(one.src, one.dst, N - step);
  }
}

interface Reservation {
  readonly dir: 0 | 1;
  readonly ring: number;
  readonly from: number;
  readonly nodes: readonly number[];
}
