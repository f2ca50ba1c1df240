import { knows, type Rules, type Stamp, under } from './clock.ts';
import { Ending, type Gate } from './ending.ts';
import type { Blocks, CoreId, Operation, Space } from './race-event.ts';
import type { Transfer } from './transfer.ts';

/**
 * What kind of touch an access is.
 *
 * Details: `dirty` is a store into the core's cache that memory has not seen yet, `rewrite` the clean bytes of a line that is written back whole.
 */
export type AccessSort =
  | 'load'
  | 'store'
  | 'flagLoad'
  | 'flagStore'
  | 'dirty'
  | 'rewrite'
  | 'source'
  | 'copy';

/** An operation of a core, and its cycle. */
interface Deed {
  readonly cycle: number;
  readonly operation: Operation;
}

/** Bytes touched once, and the moments after which the touch is over. */
export class Access extends Ending {
  readonly space: Space;
  readonly from: number;
  /** One past the last byte; grows while a core goes on in the same time. */
  to: number;
  readonly blockBytes: number;
  readonly pitch: number;
  readonly sort: AccessSort;
  readonly core: CoreId;
  readonly time: number;
  readonly cycle: number;
  readonly operation: Operation;
  readonly transfer: Transfer | undefined;
  /** Which copy of its transfer it is. */
  readonly copy: number;
  /** It writes what the bytes hold already, so only other writers can tell: clean bytes of a line, or a copy onto its own source. */
  readonly rewrites: boolean;
  /** False while nobody can know that it is over, except by a cover. */
  settled: boolean;
  #marks: (Deed & { readonly from: number })[] | undefined;

  constructor(
    { space, address, bytes, blockBytes, gap }: Blocks,
    deed: Deed & { readonly core: CoreId },
    what: {
      readonly sort: AccessSort;
      readonly time: number;
      readonly settled: boolean;
      readonly transfer?: Transfer;
      readonly copy?: number;
      readonly rewrites?: boolean;
      readonly gates?: readonly Gate[];
    },
  ) {
    super(what.gates);
    const block = blockBytes === undefined || !gap ? bytes : blockBytes;
    this.space = space;
    this.from = address;
    this.blockBytes = block;
    this.pitch = block + (block === bytes ? 0 : (gap ?? 0));
    this.to = address + (block === bytes ? bytes : (bytes / block - 1) * this.pitch + block);
    this.sort = what.sort;
    this.core = deed.core;
    this.time = what.time;
    this.cycle = deed.cycle;
    this.operation = deed.operation;
    this.transfer = what.transfer;
    this.copy = what.copy ?? -1;
    this.rewrites = what.rewrites ?? what.sort === 'rewrite';
    this.settled = what.settled;
  }

  get writes(): boolean {
    return this.sort !== 'load' && this.sort !== 'flagLoad' && this.sort !== 'source';
  }

  get contiguous(): boolean {
    return this.blockBytes === this.pitch;
  }

  override isBefore(stamp: Stamp, rules: Rules, reports?: 'unheeded'): boolean {
    return (
      (this.settled && knows(under(stamp, rules), this.core, this.time)) ||
      super.isBefore(stamp, rules, reports)
    );
  }

  /** The same core goes on behind the last byte with another operation. */
  extend({ to, cycle, operation }: Access): void {
    this.#marks ??= [];
    if (this.#marks.length < marksMax) this.#marks.push({ from: this.to, cycle, operation });
    this.to = to;
  }

  /** True when it is made of the accesses of several operations. */
  get grown(): boolean {
    return this.#marks !== undefined;
  }

  /** The operation that touched the byte at this address, and when. */
  deedAt(address: number): Deed {
    let found: Deed = this;
    for (const mark of this.#marks ?? []) if (mark.from <= address) found = mark;
    return { cycle: found.cycle, operation: found.operation };
  }

  /** The parts of these bytes that single operations touched. */
  *parts(from: number, to: number): Generator<readonly [from: number, to: number]> {
    let first = from;
    for (const { from: next } of this.#marks ?? []) {
      if (next <= first || next >= to) continue;
      yield [first, next];
      first = next;
    }
    yield [first, to];
  }
}

/** Operations that a growing access remembers; a bucket of the shadow has no more words. */
const marksMax = 128;

/** The first bytes that two accesses share within `[low, high)`; undefined when there are none. */
export function sharedBytes(
  a: Access,
  b: Access,
  low: number,
  high: number,
): readonly [from: number, to: number] | undefined {
  const from = Math.max(a.from, b.from, low);
  const to = Math.min(a.to, b.to, high);
  if (from >= to) return undefined;
  if (a.contiguous && b.contiguous) return [from, to];
  if (b.contiguous) return firstPiece(a, from, to);
  for (let block = Math.max(0, Math.floor((from - b.from) / b.pitch)); ; block++) {
    const start = b.from + block * b.pitch;
    if (start >= to) return undefined;
    const found = firstPiece(a, Math.max(from, start), Math.min(to, start + b.blockBytes));
    if (found) return found;
  }
}

/** The first bytes of an access within `[low, high)`, between its first byte and its last one. */
function firstPiece(
  access: Access,
  low: number,
  high: number,
): readonly [from: number, to: number] | undefined {
  if (low >= high) return undefined;
  if (access.contiguous) return [low, high];
  const block = Math.max(0, Math.floor((low - access.from) / access.pitch));
  for (const start of [access.from + block * access.pitch, access.from + (block + 1) * access.pitch]) {
    const [from, to] = [Math.max(low, start), Math.min(high, start + access.blockBytes, access.to)];
    if (from < to) return [from, to];
  }
  return undefined;
}

/** True when the bytes of `inner` within `[low, high)` are all bytes of `outer`. */
export function holds(outer: Access, inner: Access, low: number, high: number): boolean {
  if (outer.contiguous)
    return outer.from <= Math.max(inner.from, low) && outer.to >= Math.min(inner.to, high);
  return (
    outer.from === inner.from &&
    outer.to === inner.to &&
    outer.pitch === inner.pitch &&
    outer.blockBytes === inner.blockBytes
  );
}
