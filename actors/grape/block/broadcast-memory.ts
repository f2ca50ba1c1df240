import type { Hasher } from '../../../kernel/hash.ts';
import type { Word } from '../arithmetic/word.ts';
import type { Ref, Slot } from '../program.ts';
import type { Block, BlockSpec } from './block.ts';
import { LaneBlock } from './lane-block.ts';

/** A word that a PE gave to broadcast memory, on its way. */
interface Given {
  readonly addr: number;
  readonly long: boolean;
  readonly word: Word;
}

/**
 * The broadcast memory of a block whose PEs are actors of their own (GRAPE specification 6.1).
 *
 * Details: of a slot it carries out nothing but what PEs give to it, which is visible when their other writes are (GRAPE specification 4.2): after
 * the next slot, in functional mode after the slot itself.
 */
export class BroadcastMemory implements Block {
  readonly spec: BlockSpec;
  readonly #words: LaneBlock;
  #last: Given[] = [];
  #next: Given[] = [];

  constructor(spec: BlockSpec, words?: LaneBlock) {
    this.spec = spec;
    // Only its broadcast memory is used: the rest as small as can be.
    this.#words = words ?? new LaneBlock({ ...spec, nPE: 1, lmShort: 2, grfShort: 2 });
  }

  /** Takes a word that a PE gives in the slot that was begun. */
  give(addr: number, long: boolean, word: Word): void {
    this.#next.push({ addr, long, word });
  }

  issue(slot: Slot): void {
    this.begin(slot);
    this.retire();
  }

  begin(_slot: Slot): void {
    this.#next = [];
  }

  element(_k: number): void {}

  given(_k: number): undefined {
    return undefined;
  }

  retire(): void {
    this.#commit();
    this.#last = this.#next;
    this.#next = [];
    if (this.spec.mode === 'functional') this.#commit();
  }

  pass(): void {
    this.#commit();
  }

  drain(): void {
    this.#commit();
  }

  reset(): void {
    this.#words.reset();
    this.#last = [];
    this.#next = [];
  }

  readBroadcast(addr: number, long: boolean): Word {
    return this.#words.readBroadcast(addr, long);
  }

  writeBroadcast(addr: number, long: boolean, word: Word): void {
    this.#words.writeBroadcast(addr, long, word);
  }

  settled(): BroadcastMemory {
    if (this.#last.length === 0) return this;
    const settled = this.fork();
    settled.drain();
    return settled;
  }

  peek(pe: number, ref: Ref, element: number): Word {
    return this.settled().#words.peek(pe, ref, element);
  }

  peekMask(_pe: number, _register: number): number {
    return 0b1111;
  }

  fork(): BroadcastMemory {
    const copy = new BroadcastMemory(this.spec, this.#words.fork());
    copy.#last = [...this.#last];
    copy.#next = [...this.#next];
    return copy;
  }

  hash(into: Hasher): void {
    this.#words.hash(into);
    into.value(this.#last);
    into.value(this.#next);
  }

  #commit(): void {
    for (const { addr, long, word } of this.#last) this.#words.writeBroadcast(addr, long, word);
    this.#last = [];
  }
}
