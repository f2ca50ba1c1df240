import type { CalledFunction } from './called-function.ts';
import type { PtxSource } from './ptx-error.ts';
import type { FlatLine, Register } from './resolved.ts';
import type { Routine, Variable } from './syntax.ts';
import type { ValueType } from './value-type.ts';

/** A variable in device memory. */
export interface DeviceName {
  readonly space: 'global' | 'const';
  readonly address: number;
  /** True for a texture, surface or sampler. */
  readonly opaque?: boolean;
}

/** What a routine may refer to outside itself. */
export interface Surroundings {
  readonly source: PtxSource;
  /** For which GPUs the text is: `sm_80`; empty where it does not say. */
  readonly target: string;
  readonly routines: ReadonlyMap<string, Routine>;
  /** Addresses of variables of `.global` and `.const`. */
  readonly device: ReadonlyMap<string, DeviceName>;
  /** Variables of `.shared` outside of routines. */
  readonly shared: readonly Variable[];
  /** What pointers to functions hold. */
  readonly functions: ReadonlyMap<string, number>;
  /** Functions whose address is taken. */
  readonly taken: ReadonlySet<string>;
}

/** A parameter of a kernel in its block of parameters. */
export interface ParameterPlace {
  readonly name: string;
  readonly type: ValueType;
  readonly offset: number;
  readonly bytes: number;
}

/** The flat code of a kernel: names are resolved, calls replaced by what they call. */
export interface FlatCode {
  readonly lines: readonly FlatLine[];
  readonly registers: readonly Register[];
  /** Words that the registers of a warp take. */
  readonly registerWords: number;
  readonly parameters: readonly ParameterPlace[];
  readonly parameterBytes: number;
  /** Bytes of shared memory of a block, without what is given at launch. */
  readonly sharedBytes: number;
  /** Those of them that are reserved for the system. */
  readonly reservedSharedBytes: number;
  /** Bytes of local memory of a thread. */
  readonly localBytes: number;
  /** Lines where loops begin whose turns are not to be written out. */
  readonly rolled: ReadonlySet<number>;
  /** Functions that are called with a stack. */
  readonly called: readonly CalledFunction[];
}
