import type { FlatCall } from './called-function.ts';
import type { Place, Space } from './syntax.ts';
import type { ValueType } from './value-type.ts';

/*
 * Instructions whose names stand for something: registers with their places, addresses, labels.
 */

/** A register of a thread. */
export interface Register {
  readonly name: string;
  readonly type: ValueType;
  /** Number for the scoreboard. */
  readonly number: number;
  /** Its first word in the registers of a warp: 32 lanes of 1 or 2 words; a predicate is one word with a bit a lane. */
  readonly slot: number;
  /** True for a special register, which cannot be written. */
  readonly special: boolean;
}

/** What an instruction works on. */
export type ResolvedOperand =
  | { readonly kind: 'register'; readonly register: Register }
  /** Bytes or half words of a register, for video instructions. */
  | { readonly kind: 'part'; readonly register: Register; readonly part: string }
  | { readonly kind: 'negated'; readonly register: Register }
  /** The opposite number of a register or of a part of one, for vmad. */
  | { readonly kind: 'opposite'; readonly of: ResolvedOperand }
  | { readonly kind: 'whole'; readonly value: bigint }
  | { readonly kind: 'real'; readonly value: number }
  /** The address of a variable in its space. */
  | {
      readonly kind: 'symbol';
      readonly space: Space;
      readonly address: number;
      readonly framed?: boolean;
    }
  /** `[base+offset]`. `space` is that of the variable, null for a register or a number. */
  | {
      readonly kind: 'memory';
      readonly base: Register | null;
      readonly space: Space | 'frame' | null;
      readonly offset: number;
      /** True where the offset is from the frame of the function at hand. */
      readonly framed?: boolean;
    }
  | {
      readonly kind: 'texel';
      readonly texture: ResolvedOperand;
      readonly sampler: ResolvedOperand | null;
      readonly coordinates: readonly ResolvedOperand[];
    }
  | { readonly kind: 'vector'; readonly parts: readonly ResolvedOperand[] }
  | { readonly kind: 'pair'; readonly first: ResolvedOperand; readonly second: ResolvedOperand }
  /** `_`: the result is not wanted. */
  | { readonly kind: 'sink' }
  | { readonly kind: 'label'; readonly name: string };

/** What an instruction is, in words: `ld`, its types, and the other words. */
export interface Form {
  readonly base: string;
  readonly types: readonly ValueType[];
  readonly words: readonly string[];
  /** The whole, as written. */
  readonly written: string;
  /** For a multiply-add that was made of two lines: product + addend, product - addend, addend - product. */
  readonly fused?: 'sum' | 'less' | 'from';
}

/** An instruction of the flat code of a kernel: calls are replaced by what they call. */
export interface FlatLine {
  readonly form: Form;
  readonly operands: readonly ResolvedOperand[];
  readonly guard: { readonly register: Register; readonly negated: boolean } | null;
  /** Where lanes go that branch; several for a table, empty for other instructions. */
  targets: readonly number[];
  /** Where the others go; the line after it when absent. */
  next?: number;
  /** For a call with a stack, and for the line where the lanes of such a function return. */
  readonly call?: FlatCall;
  readonly returns?: boolean;
  readonly at: Place;
}
