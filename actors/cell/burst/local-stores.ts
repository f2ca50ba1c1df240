import { defect } from '../../../kernel/errors.ts';
import type { Hasher } from '../../../kernel/hash.ts';
import type { Outbox } from '../../../kernel/kit.ts';
import type { Resource } from '../../../kernel/resource.ts';
import type { ByteMemory } from '../../common/byte-memory.ts';
import type { TransferRequest } from '../request-table.ts';

/** A transfer under way. `moved` bytes of it are in place; where it should stand follows from the cycle alone (rule T6). */
interface Move {
  readonly initiator: number;
  /** As it was when the transfer started: the table's own entry would not be the same one after a snapshot. */
  readonly request: Readonly<TransferRequest>;
  moved: number;
  /** True when another transfer under way touches the same bytes: then both go byte by byte, in canonical order. */
  entangled: boolean;
}

/**
 * All SPU memories and the transfers between them, moved as late as possible.
 *
 * Details: byte i of a transfer moves in cycle start + i (Cell specification 9, T6), so the content of the memories at any moment is a function
 * of the transfers under way. Bytes are copied in one piece when the transfer ends, unless somebody touches them before: an SPU that
 * reads or writes a byte of a transfer under way first lets it catch up, and transfers that share bytes are carried out cycle by cycle.
 *
 * Gotchas: one object is shared by all SPUs and DMA modules of a run; phases S and D of a cycle never overlap in the canonical order, which
 * is the only one this object knows.
 */
export class LocalStores implements Resource {
  #moves: Move[] = [];
  #entangled = 0;
  /** For each SPU the span of addresses that transfers under way touch: outside of it nothing has to catch up. */
  readonly #low: Float64Array;
  readonly #high: Float64Array;
  /** Stamps for the event log, counted only while somebody looks. */
  readonly #clocks: Float64Array;
  #busClock = 0;

  constructor(readonly memories: readonly ByteMemory[]) {
    this.#low = new Float64Array(memories.length).fill(Number.POSITIVE_INFINITY);
    this.#high = new Float64Array(memories.length).fill(-1);
    this.#clocks = new Float64Array(memories.length);
  }

  /** What SPU `spu` reads at an address in cycle t. */
  read(spu: number, address: number, t: number): number {
    if (address <= this.#high[spu]! && address >= this.#low[spu]!) this.#catchUp(spu, address, t - 1);
    return this.memories[spu]!.read(address);
  }

  /** SPU `spu` writes a byte in cycle t. */
  write(spu: number, address: number, value: number, t: number): void {
    if (address <= this.#high[spu]! && address >= this.#low[spu]!) this.#catchUp(spu, address, t - 1);
    this.memories[spu]!.write(address, value);
  }

  /** A transfer starts. */
  begin(initiator: number, request: TransferRequest): void {
    const move: Move = { initiator, request: { ...request }, moved: 0, entangled: false };
    for (const other of this.#moves) {
      if (!shareBytes(request, other.request)) continue;
      // What the other one did before this one began does not depend on this one.
      this.#settleOne(other, request.start - 1);
      for (const one of [move, other]) {
        if (!one.entangled) this.#entangled++;
        one.entangled = true;
      }
    }
    let at = this.#moves.length;
    while (
      at > 0 &&
      (this.#moves[at - 1]!.initiator > initiator ||
        (this.#moves[at - 1]!.initiator === initiator && this.#moves[at - 1]!.request.id > request.id))
    )
      at--;
    this.#moves.splice(at, 0, move);
    this.#widen(request.src, request.from, request.size);
    this.#widen(request.dst, request.to, request.size);
  }

  /** A transfer whose last byte belongs to cycle t or an earlier one is over. */
  end(initiator: number, id: number, t: number): void {
    let at = 0;
    while (
      at < this.#moves.length &&
      (this.#moves[at]!.initiator !== initiator || this.#moves[at]!.request.id !== id)
    )
      at++;
    const move = this.#moves[at];
    if (move === undefined) defect(`transfer ${id} of SPU ${initiator} is not under way`);
    this.#settleOne(move, t);
    this.#moves.splice(at, 1);
    if (move.entangled) this.#entangled--;
    this.#narrow(move.request.src);
    if (move.request.dst !== move.request.src) this.#narrow(move.request.dst);
  }

  /** Brings every memory to its content at the end of cycle t. */
  settle(t: number): void {
    for (const move of this.#moves) this.#settleOne(move, t);
  }

  /** The bytes that each SPU and DMA module moves in cycle t, as the event log writes them; `done` follows the bytes of each module. */
  play(t: number, out: Outbox, done: (module: number) => void): void {
    this.settle(t - 1);
    let at = 0;
    for (let module = 0; module < this.memories.length; module++) {
      const first = at;
      while (at < this.#moves.length && this.#moves[at]!.initiator === module) at++;
      const due = this.#moves
        .slice(first, at)
        .filter(({ request }) => request.start <= t && t < request.start + request.size);
      for (const move of due) this.#playByte(move, t, out);
      done(module);
    }
  }

  /** An access of an SPU to its own memory, as the event log writes it. */
  show(spu: number, op: 'RD' | 'WR', address: number, value: number, t: number, out: Outbox): void {
    out.probe({ type: op, t, mem: spu, a: address, v: value, by: 'spu', spu, id: -1, ...this.#stamp(spu) });
  }

  fork(): LocalStores {
    const copy = new LocalStores(this.memories.map((memory) => memory.fork()));
    copy.#moves = this.#moves.map((move) => ({ ...move }));
    copy.#entangled = this.#entangled;
    copy.#low.set(this.#low);
    copy.#high.set(this.#high);
    copy.#clocks.set(this.#clocks);
    copy.#busClock = this.#busClock;
    return copy;
  }

  hash(into: Hasher): void {
    for (const memory of this.memories) memory.hash(into);
    into.number(this.#moves.length);
    for (const { initiator, request, moved } of this.#moves) {
      into.number(initiator);
      into.number(request.id);
      into.number(moved);
    }
  }

  #playByte({ initiator, request }: Move, t: number, out: Outbox): void {
    const { id, kind, peer, src, dst, from, to, start, size } = request;
    const i = t - start;
    if (i === 0) out.probe({ type: 'XSTART', t, spu: initiator, id, dir: request.dir, ring: request.ring });
    const acquired = this.#busClock;
    this.#busClock += 3;
    out.probe({ type: 'CMD', t, spu: initiator, dest: peer, cmd: kind, q: acquired + 1 });
    out.probe({ type: 'BUS', t, spu: initiator, in: acquired, out: acquired + 2 });
    const value = this.memories[src]!.read(from + i);
    out.probe({
      type: 'RD',
      t,
      mem: src,
      a: from + i,
      v: value,
      by: 'dma',
      spu: initiator,
      id,
      ...this.#stamp(src),
    });
    this.memories[dst]!.write(to + i, value);
    out.probe({
      type: 'WR',
      t,
      mem: dst,
      a: to + i,
      v: value,
      by: 'dma',
      spu: initiator,
      id,
      ...this.#stamp(dst),
    });
    if (i === size - 1) out.probe({ type: 'XEND', t, spu: initiator, id });
    const move = this.#moves.find((one) => one.request === request)!;
    move.moved = i + 1;
  }

  #stamp(memory: number): { readonly in: number; readonly out: number } {
    const entered = this.#clocks[memory]!;
    this.#clocks[memory] = entered + 2;
    return { in: entered, out: entered + 1 };
  }

  #catchUp(spu: number, address: number, t: number): void {
    for (const move of this.#moves) {
      const { src, dst, from, to, size } = move.request;
      const touches =
        (src === spu && address >= from && address < from + size) ||
        (dst === spu && address >= to && address < to + size);
      if (touches) this.#settleOne(move, t);
    }
  }

  /** Moves what a transfer moves up to the end of cycle t. */
  #settleOne(move: Move, t: number): void {
    if (move.entangled) {
      this.#settleEntangled(t);
      return;
    }
    const { request, moved } = move;
    const due = Math.min(request.size, t - request.start + 1);
    if (due <= moved) return;
    this.memories[request.dst]!.copyFrom(
      this.memories[request.src]!,
      request.from + moved,
      request.to + moved,
      due - moved,
    );
    move.moved = due;
  }

  /** All entangled transfers go together, byte by byte: in each cycle in the order (initiator, id), which is the order of the list. */
  #settleEntangled(t: number): void {
    const moves = this.#moves.filter((move) => move.entangled);
    for (;;) {
      let cycle = Number.POSITIVE_INFINITY;
      for (const { request, moved } of moves)
        if (moved < request.size) cycle = Math.min(cycle, request.start + moved);
      if (cycle > t) return;
      for (const move of moves) {
        const { request, moved } = move;
        if (moved === request.size || request.start + moved !== cycle) continue;
        this.memories[request.dst]!.write(
          request.to + moved,
          this.memories[request.src]!.read(request.from + moved),
        );
        move.moved++;
      }
    }
  }

  #widen(spu: number, first: number, size: number): void {
    if (first < this.#low[spu]!) this.#low[spu] = first;
    if (first + size - 1 > this.#high[spu]!) this.#high[spu] = first + size - 1;
  }

  #narrow(spu: number): void {
    this.#low[spu] = Number.POSITIVE_INFINITY;
    this.#high[spu] = -1;
    for (const { request } of this.#moves) {
      if (request.src === spu) this.#widen(spu, request.from, request.size);
      if (request.dst === spu) this.#widen(spu, request.to, request.size);
    }
  }
}

/** True when the order of the bytes of two transfers can matter: one writes what the other reads or writes. */
function shareBytes(a: TransferRequest, b: TransferRequest): boolean {
  return (
    (a.dst === b.dst && overlap(a.to, a.size, b.to, b.size)) ||
    (a.dst === b.src && overlap(a.to, a.size, b.from, b.size)) ||
    (a.src === b.dst && overlap(a.from, a.size, b.to, b.size))
  );
}

function overlap(first: number, size: number, otherFirst: number, otherSize: number): boolean {
  return first < otherFirst + otherSize && otherFirst < first + size;
}
