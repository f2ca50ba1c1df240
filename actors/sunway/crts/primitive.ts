import type { AccessType } from '../access-type.ts';
import type { Descriptor } from '../descriptor.ts';
import type { BarrierKind, LdmAllocate } from '../messages.ts';
import type { Answer } from '../operation.ts';

/**
 * What a CPE can do itself. Everything else that the runtime offers is a script of these.
 *
 * Details: `wait` answers the value that the word had, `lock` whether it was got, `unlock` whether it was held, `meet` and `add` what the word held
 * before; the others answer 0 where nothing is said.
 */
export type Primitive =
  /** Works for so many cycles. */
  | { readonly op: 'compute'; readonly cycles: number }
  /** Loads bytes of any space; the answer is a value of the type, or the bytes. */
  | {
      readonly op: 'read';
      readonly address: number;
      readonly bytes: number;
      readonly as: AccessType | 'bytes';
      readonly flag: boolean;
    }
  /** Stores bytes to any space. */
  | { readonly op: 'write'; readonly address: number; readonly data: Uint8Array; readonly flag: boolean }
  /** Loads or stores one 32-bit word of the own LDM in each lane of a vector (specification 6.10). */
  | { readonly op: 'gather'; readonly addresses: readonly number[]; readonly cycles: number }
  | {
      readonly op: 'scatter';
      readonly addresses: readonly number[];
      readonly data: Uint8Array;
      readonly cycles: number;
    }
  /** Hands the engine a descriptor; goes on when it has a place. */
  | { readonly op: 'descriptor'; readonly descriptor: Omit<Descriptor, 'transfer' | 'tid'> }
  /** Waits until a word of the own LDM is at least `value`; `issued` is the number of descriptors that this CPE has issued with the word. */
  | { readonly op: 'wait'; readonly word: number; readonly value: number | 'issued' }
  /** Takes part in a hardware barrier; in a collective, with a fingerprint of its arguments. The answer is 1 when others had another one. */
  | {
      readonly op: 'arrive';
      readonly kind: BarrierKind;
      readonly index: number;
      readonly mask: number;
      readonly agreement: number;
    }
  /** Adds to a word of the node and waits for the others of the round; `cycles` from the last one's coming to going on. */
  | { readonly op: 'meet'; readonly word: string; readonly cycles: number }
  /** Takes a lock of the core group or, for the key `node`, of the node; gives it back. */
  | { readonly op: 'lock'; readonly key: string }
  | { readonly op: 'unlock'; readonly key: string }
  /** Adds to a 32-bit word of main memory in one step. */
  | { readonly op: 'add'; readonly address: number; readonly value: number }
  /** Asks the allocator of the own LDM. */
  | {
      readonly op: 'allocate';
      readonly request: LdmAllocate['request'];
      readonly address: number;
      readonly size: number;
    }
  /** Sends the host process a signal; has bytes appended to a file. */
  | { readonly op: 'signal'; readonly content: number }
  | { readonly op: 'append'; readonly file: string; readonly data: Uint8Array }
  /** Has lines leave the data cache, dirty ones written back: those that touch a range, or all. */
  | { readonly op: 'evict'; readonly start: number; readonly end: number }
  | { readonly op: 'flush' }
  /** Asks for the cycle. */
  | { readonly op: 'time' }
  /** Ends the call: its code stops the run, or is what the program gets (specification 3.2). */
  | { readonly op: 'refuse'; readonly code: number };

/** A plain load or store. */
export type Access = Extract<Primitive, { readonly op: 'read' | 'write' }>;

/** The steps of a call: primitives out, answers in, the result of the call at the end. */
export type Steps = Iterator<Primitive, Answer, Answer>;

/** The same as a generator, which may be a part of another one. */
export type Script = Generator<Primitive, Answer, Answer>;
