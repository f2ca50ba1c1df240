import type { Resource } from '../../../kernel/resource.ts';
import type { Word } from '../arithmetic/word.ts';
import type { Ref, Slot } from '../program.ts';

/**
 * When writes are seen (GRAPE specification 4.1, 4.2).
 *
 * `pipelined` is the machine: what slot i writes is seen from slot i+2 on, `$ti` and `$fb` carry results to slot i+1. `functional` is the simple
 * simulator: every write is seen by the next slot, `$ti` is `$t`, `$fb` the latest product.
 */
export type ExecutionMode = 'functional' | 'pipelined';

/** Sizes of a block, in PEs and short words. */
export interface BlockSpec {
  readonly nPE: number;
  /** Number of the block: what `$bb` is. */
  readonly number: number;
  /** Number of the first PE here, 0 when absent: what `$pe` begins with. */
  readonly firstPe?: number;
  readonly lmShort: number;
  readonly grfShort: number;
  readonly bmShort: number;
  readonly mode: ExecutionMode;
}

/**
 * A broadcast block: its broadcast memory and the lanes of its PEs (GRAPE specification 1, 6.1).
 *
 * Details: all bits of all mask registers are 1 at first, all memories 0.
 */
export interface Block extends Resource {
  readonly spec: BlockSpec;
  /** Carries out one slot on all PEs: `begin`, each element in order, `retire`. */
  issue(slot: Slot): void;
  /** Lets a slot pass in which nothing happens: writes of the one before become visible, nothing is forwarded. */
  pass(): void;
  /** Begins a slot; its elements follow one by one. */
  begin(slot: Slot): void;
  /** Element k of the slot that was begun reads, computes, and keeps its results. */
  element(k: number): void;
  /** The word that element k of the slot that was begun gives to broadcast memory, as wide as its place; undefined where a mask forbids it. */
  given(k: number): Word | undefined;
  /** Ends the slot that was begun: the writes of the one before it become visible, in functional mode its own. */
  retire(): void;
  /** Makes all writes visible. */
  drain(): void;
  /** Makes the block what it was at first. */
  reset(): void;
  /** A word of broadcast memory as a unit receives it, as slots see it now. */
  readBroadcast(addr: number, long: boolean): Word;
  /** Puts a word into broadcast memory at once, as the input port does: of 72 bits where `long`, else of 36. */
  writeBroadcast(addr: number, long: boolean, word: Word): void;
  /** The block as if all writes were done: a copy, or itself where none is on its way. Look, never touch. */
  settled(): Block;
  /** A word of a PE or of broadcast memory, left aligned, as if all writes were done; disturbs nothing. Who looks at many asks the `settled` block. */
  peek(pe: number, ref: Ref, element: number): Word;
  /** The four bits of a mask register, element 0 lowest, as if all writes were done. */
  peekMask(pe: number, register: number): number;
  fork(): Block;
}
