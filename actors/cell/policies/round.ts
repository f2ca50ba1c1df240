import { RingBoard, type RingDirection } from '../rings.ts';
import type { ArbitrationView, Grant, PendingRequest, PolicySpec } from './policy.ts';

const noGrants: readonly Grant[] = Object.freeze([]);

/**
 * One decision in the making: the rings as they are after the grants chosen so far (Cell specification 17.1).
 *
 * *Details*: the caller's board is read until the first grant, then a private copy takes over, so that a decision which grants
 * nothing copies nothing. Nothing is carried from one decision to the next.
 */
export class Round {
  /** The rings as the next choice must see them. */
  board: RingBoard;
  private readonly scratch: RingBoard;
  private chosen: Grant[] | null = null;
  private t = 0;

  /** Makes a round that can be begun again for every decision of one arbiter. */
  constructor(spec: PolicySpec) {
    this.scratch = new RingBoard(spec.N, spec.K);
    this.board = this.scratch;
  }

  /** Starts the decision of cycle `view.t`. */
  begin(view: ArbitrationView): void {
    view.board.advance(view.t);
    this.board = view.board;
    this.chosen = null;
    this.t = view.t;
  }

  /** Starts `request`, which stands at `index` of the pending list, on a segment of `nodes` nodes. */
  grant(request: PendingRequest, index: number, dir: RingDirection, ring: number, nodes: number): void {
    this.own();
    this.board.reserve(dir, ring, request.src, nodes, this.t + request.size);
    if (this.chosen === null) this.chosen = [{ index, dir, ring }];
    else this.chosen.push({ index, dir, ring });
  }

  /** Makes `board` the private copy, for a caller that wants to place a hold on it. */
  own(): void {
    if (this.board === this.scratch) return;
    this.scratch.copyFrom(this.board);
    this.board = this.scratch;
  }

  /** The number of grants so far. */
  get grantCount(): number {
    return this.chosen === null ? 0 : this.chosen.length;
  }

  /** The grants in the order chosen. */
  get grants(): readonly Grant[] {
    return this.chosen ?? noGrants;
  }
}
