import type { Word } from './arithmetic/word.ts';
import type { HostRecord, HostValue } from './host-words.ts';

/** A call of the generated host library (GRAPE specification 7.1), or of the stand-alone simulator. */
export type HostCall =
  /** Acquires the machine: constants, then the section `initialization`. */
  | { readonly call: 'init' }
  /** Puts record `index` of table `num` into external memory; tables 1 and up of type I go on to all blocks at once. */
  | {
      readonly call: 'sendEltData';
      readonly num: number;
      readonly record: HostRecord;
      readonly index: number;
    }
  /** Puts i particles into local memory, at most four a PE. */
  | {
      readonly call: 'sendIParticle';
      readonly particles: readonly HostRecord[];
      readonly n?: number | undefined;
    }
  /** Puts table data into local memory of every PE. */
  | {
      readonly call: 'sendHltData';
      readonly num: number;
      readonly record: HostRecord;
      readonly peindex: number;
    }
  /** Makes the conversion table that of i particles again. */
  | { readonly call: 'registerIParticleConversion' }
  /** Runs a type I program: `n` passes. */
  | { readonly call: 'run'; readonly n: number }
  /** Runs a type II program: `n` passes; `length` is the room for values, without limit when absent. */
  | { readonly call: 'type2Run'; readonly n: number; readonly length?: number | undefined }
  /** Fetches the results of a type I program. */
  | { readonly call: 'getResult' }
  /** Runs every section once, the preamble first, with its lines for the simulator. */
  | { readonly call: 'alone' };

/** A call, and the cycle before which it is not made; absent: as soon as the call before it is answered. */
export type TimedCall = HostCall & { readonly at?: number | undefined };

/** What a call gives back. */
export interface HostAnswer {
  /** 0, or what is wrong. */
  readonly code: HostCode;
  /** Of `getResult`: one for each particle. */
  readonly results?: readonly GrapeResult[];
  /** Of `type2Run`: the values in the order in which they were sent. */
  readonly out?: readonly HostValue[];
}

/** A result of a type I program: what the host sees, and the words before their conversion. */
export interface GrapeResult {
  readonly values: HostRecord;
  readonly words: Readonly<Record<string, Word>>;
}

/** What calls return: 0, or what is wrong (GRAPE specification 7.1). */
export const libraryCodes = {
  done: 0,
  notInitialised: -1,
  badCount: -2,
  notRegistered: -3,
  machineFault: -4,
} as const;

/** A return value of the library. */
export type HostCode = (typeof libraryCodes)[keyof typeof libraryCodes];

/** Readings of the manual and bugs of its time that can be chosen (GRAPE specification 0.1); the assembler has its own. */
export interface HostCompat {
  /** C14: how flt64to36 drops bits. */
  readonly narrowMode: 'nearest' | 'truncate';
  /** C16: i particles that come after table data register their conversion by themselves. */
  readonly autoRegister: boolean;
  /** C17: fetching results destroys external memory. */
  readonly emClobber: boolean;
}
