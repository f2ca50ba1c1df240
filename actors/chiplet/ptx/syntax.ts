import type { PtxError } from './ptx-error.ts';
import type { ValueType } from './value-type.ts';

/*
 * What a PTX text says, before anything is resolved (chiplet specification 7.1). Lines and columns count from 1.
 */

/** Where something stands in its text. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** The memory that a variable lies in; `reg` are registers. */
export type Space = 'reg' | 'param' | 'global' | 'shared' | 'const' | 'local';

/** A number in the text: a whole one, or the bits of a real one of 32 or 64 bits. */
export type Literal =
  | { readonly kind: 'whole'; readonly value: bigint }
  | { readonly kind: 'real'; readonly value: number };

/** Registers, parameters and arrays. */
export interface Variable {
  readonly kind: 'variable';
  readonly space: Space;
  readonly type: ValueType;
  /** Elements of a vector variable, 1 for a scalar. */
  readonly vector: number;
  /** Alignment in bytes that the text asks for; 0 when it does not. */
  readonly align: number;
  readonly name: string;
  /** For `%r<N>`: how many registers are declared, numbered from 0; -1 for a single name. */
  readonly count: number;
  /** Elements of an array; -1 for a scalar, 0 for one whose size is given at launch. */
  readonly length: number;
  /** Values at the beginning, those missing are 0; null when none are given. */
  readonly values: readonly (Literal | Name)[] | null;
  readonly external: boolean;
  /** True for a texture, surface or sampler: its address is its handle. */
  readonly opaque?: boolean;
  readonly at: Place;
}

/** A name, or for a variable a place in it. */
export interface Name {
  readonly kind: 'name';
  readonly name: string;
  /** Bytes behind its address; 0 when absent. */
  readonly offset?: number;
  /** The byte of its address that a value is: 0xFF for the lowest, 0xFF00 for the next one, and so on. */
  readonly mask?: bigint;
}

/** What an instruction works on. */
export type Operand =
  | Literal
  | Name
  /** `[base+offset]`; a base of null is an address that is a number. */
  | { readonly kind: 'address'; readonly base: string | null; readonly offset: number }
  /** `[texture, sampler, {x, y}]`, the sampler null in the unified mode. */
  | {
      readonly kind: 'texel';
      readonly texture: Name;
      readonly sampler: Name | null;
      readonly coordinates: readonly Operand[];
    }
  /** `{a, b}` */
  | { readonly kind: 'vector'; readonly parts: readonly Operand[] }
  /** `a|b` */
  | { readonly kind: 'pair'; readonly first: Operand; readonly second: Name }
  /** `!p` */
  | { readonly kind: 'negated'; readonly name: string }
  /** `-a`, in vmad. */
  | { readonly kind: 'opposite'; readonly name: string }
  /** `(a, b)`, in calls. */
  | { readonly kind: 'list'; readonly parts: readonly Operand[] };

/** One instruction as written. */
export interface InstructionLine {
  readonly kind: 'instruction';
  readonly guard: { readonly name: string; readonly negated: boolean } | null;
  /** `ld.global.u32` in its words. */
  readonly words: readonly string[];
  readonly operands: readonly Operand[];
  readonly at: Place;
}

/** What functions look like that an address may be of, or a list of those functions. */
export interface Prototype {
  readonly kind: 'prototype';
  readonly name: string;
  readonly parameters: readonly Variable[];
  readonly results: readonly Variable[];
  /** Names of functions; null where any of this look may be called. */
  readonly choice: readonly string[] | null;
  readonly at: Place;
}

/** A line of a body. */
export type Statement =
  | InstructionLine
  | Variable
  | { readonly kind: 'label'; readonly name: string; readonly at: Place }
  /** Labels that `brx.idx` chooses from. */
  | {
      readonly kind: 'targets';
      readonly name: string;
      readonly labels: readonly string[];
      readonly at: Place;
    }
  | Prototype
  /** The loop that begins here stays one: `.pragma "nounroll"`. */
  | { readonly kind: 'rolled' }
  | { readonly kind: 'block'; readonly body: readonly Statement[] };

/** A kernel, or a function that kernels call. */
export interface Routine {
  readonly kind: 'routine';
  readonly entry: boolean;
  readonly name: string;
  readonly parameters: readonly Variable[];
  readonly results: readonly Variable[];
  /** Blocks of a cluster, where the text fixes them, and whether a launch has to give them otherwise. */
  readonly cluster?: readonly [x: number, y: number, z: number];
  readonly explicitCluster?: true;
  /** Null for a declaration of what stands elsewhere. */
  readonly body: readonly Statement[] | null;
  /** Why its body cannot be read. */
  readonly error?: PtxError;
  readonly at: Place;
}

/** A whole text. */
export interface PtxText {
  /** `9.0`; empty when the text does not say. */
  readonly version: string;
  readonly targets: readonly string[];
  readonly addressBits: 32 | 64;
  readonly items: readonly (Variable | Routine)[];
  /** Other names of functions. */
  readonly aliases: readonly { readonly name: string; readonly of: string; readonly at: Place }[];
}
