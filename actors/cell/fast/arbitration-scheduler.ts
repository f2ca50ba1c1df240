import type { Hasher } from '../../../kernel/hash.ts';
import type { Resource } from '../../../kernel/resource.ts';
import { createPolicy, type PolicyOptions } from '../policies/policies.ts';
import type { Grant, PendingRequest, Policy, PolicyState } from '../policies/policy.ts';
import { idleForever } from '../program.ts';
import { RingBoard, type RingDirection, segmentNodeCount } from '../rings.ts';

/** A transfer that was granted and is not over. */
export interface RunningTransfer {
  readonly initiator: number;
  readonly id: number;
  readonly size: number;
  readonly start: number;
  readonly dir: RingDirection;
  readonly ring: number;
  /** First node in ring direction and number of nodes: what was reserved. */
  readonly first: number;
  readonly nodes: number;
}

const none: readonly RunningTransfer[] = [];

/** The cycle in which the last byte of a transfer moves. */
const lastCycle = ({ start, size }: RunningTransfer): number => start + size - 1;

/** How an arbiter decides. */
export interface ArbitrationSpec extends PolicyOptions {
  readonly policy: string;
}

/**
 * What the data arbiter owns (Cell specification 6): the list of pending requests, the state of the rings, the running transfers, and what
 * its policy remembers.
 *
 * Details: at the end of a cycle `release`, then `admit`, then `decide` are called, in this order; between cycles requests are collected.
 */
export class ArbitrationScheduler implements Resource {
  readonly policy: Policy;
  readonly #board: RingBoard;
  #state: PolicyState;
  #pending: PendingRequest[] = [];
  #newcomers: PendingRequest[] = [];
  #running: RunningTransfer[] = [];
  /** Last cycle of the running transfer that ends first; never when none runs. */
  #firstEnd = idleForever;
  #changed = false;

  constructor(readonly spec: ArbitrationSpec) {
    this.policy = createPolicy(spec.policy, spec);
    this.#board = new RingBoard(spec.N, spec.K);
    this.#state = this.policy.initialState();
  }

  /** Requests that wait for their start. */
  get pending(): readonly PendingRequest[] {
    return this.#pending;
  }
  /** Transfers granted and not over, in the order of the grants. */
  get running(): readonly RunningTransfer[] {
    return this.#running;
  }
  /** Requests collected since the last decision. */
  get newcomers(): number {
    return this.#newcomers.length;
  }

  /** Takes a request. The order of arrival within a cycle does not matter: `admit` sorts. */
  collect(request: PendingRequest): void {
    this.#newcomers.push(request);
  }

  /** Frees the segments of transfers whose last byte moved in cycle t, and returns those transfers. */
  release(t: number): readonly RunningTransfer[] {
    if (t < this.#firstEnd) return none;
    const over: RunningTransfer[] = [];
    const running: RunningTransfer[] = [];
    this.#firstEnd = idleForever;
    for (const transfer of this.#running) {
      const end = lastCycle(transfer);
      if (end <= t) over.push(transfer);
      else {
        running.push(transfer);
        if (end < this.#firstEnd) this.#firstEnd = end;
      }
    }
    this.#running = running;
    this.#changed = true;
    return over;
  }

  /** Adds the requests of the cycle to the pending list, in the order (issue, initiator, id). */
  admit(): void {
    if (this.#newcomers.length === 0) return;
    this.#newcomers.sort((a, b) => a.issue - b.issue || a.initiator - b.initiator || a.id - b.id);
    for (const request of this.#newcomers) this.#pending.push(request);
    this.#newcomers = [];
    this.#changed = true;
  }

  /**
   * Runs the policy once and reserves the segments of the transfers that start in cycle `start`. Returns them, and what the policy did
   * wrong: grants that conflict with a segment in use are found, and not carried out.
   */
  decide(start: number): { readonly grants: readonly RunningTransfer[]; readonly faults: readonly string[] } {
    const board = this.#board;
    const grants: RunningTransfer[] = [];
    const faults: string[] = [];
    board.advance(start);
    if (this.#pending.length > 0 && (this.#changed || !this.policy.decidesOnlyOnChange)) {
      const chosen = this.#choose(start);
      if (chosen.length > 0) {
        const gone: PendingRequest[] = [];
        for (const { index, dir, ring } of chosen) {
          const request = this.#pending[index];
          const fault =
            request === undefined
              ? `request ${index} is not pending`
              : gone.includes(request)
                ? `request ${index} was granted twice`
                : this.#conflict(request, dir, ring, start);
          if (request === undefined || fault !== undefined) {
            faults.push(fault!);
            continue;
          }
          gone.push(request);
          const transfer = this.#start(request, dir, ring, start);
          grants.push(transfer);
          this.#running.push(transfer);
          this.#firstEnd = Math.min(this.#firstEnd, lastCycle(transfer));
        }
        this.#pending = this.#pending.filter((request) => !gone.includes(request));
      }
    }
    this.#rests =
      this.policy.decidesOnlyOnChange || (this.policy.restsAfterEmptyRound && grants.length === 0);
    this.#changed = false;
    return { grants, faults };
  }

  #rests = true;

  /** The first cycle after t at whose end there is something to do without new requests; never when nothing runs and the policy rests. */
  nextAfter(t: number): number {
    if (this.#pending.length > 0 && !this.#rests) return t + 1;
    return this.#firstEnd;
  }

  /** Asks the policy which requests start in cycle `start`, and where. */
  #choose(start: number): readonly Grant[] {
    const { N, K } = this.spec;
    return this.policy.decide({ t: start, pending: this.#pending, board: this.#board, N, K }, this.#state);
  }

  /** What is wrong with a grant, or undefined: defence against faulty policies. */
  #conflict(request: PendingRequest, dir: RingDirection, ring: number, start: number): string | undefined {
    const nodes = segmentNodeCount(this.spec.N, dir, request.src, request.dst);
    if (this.#board.isFree(dir, ring, request.src, nodes, start)) return undefined;
    return `request ${request.id} of SPU ${request.initiator} was granted direction ${dir} ring ${ring} in cycle ${start}, where another transfer runs`;
  }

  /** Reserves the segment. */
  #start(request: PendingRequest, dir: RingDirection, ring: number, start: number): RunningTransfer {
    const { initiator, id, size, src, dst } = request;
    const nodes = segmentNodeCount(this.spec.N, dir, src, dst);
    this.#board.reserve(dir, ring, src, nodes, start + size);
    return { initiator, id, size, start, dir, ring, first: src, nodes };
  }

  fork(): ArbitrationScheduler {
    const copy = new ArbitrationScheduler(this.spec);
    copy.#board.copyFrom(this.#board);
    copy.#state = structuredClone(this.#state);
    copy.#pending = [...this.#pending];
    copy.#newcomers = [...this.#newcomers];
    copy.#running = [...this.#running];
    copy.#firstEnd = this.#firstEnd;
    copy.#changed = this.#changed;
    copy.#rests = this.#rests;
    return copy;
  }

  hash(into: Hasher): void {
    into.value(this.#pending);
    into.value(this.#newcomers);
    into.value(this.#running);
    into.value(this.#state);
  }
}

/** The nodes of a reserved segment in ring direction, for the event log. */
export function nodesOf(
  N: number,
  { dir, first, nodes }: { readonly dir: RingDirection; readonly first: number; readonly nodes: number },
): number[] {
  return Array.from({ length: nodes }, (_, hop) => (dir === 0 ? first + hop : first + N * nodes - hop) % N);
}
