/*
 * Small programs of a few CPEs as data, for holding the race detector against an oracle. LDM addresses are offsets, the same in every CPE; main
 * memory begins at 0. A word is an offset in the LDM of the CPE that waits for it.
 */

/** A transfer that names no word for a side has `null` there. */
type WordOrNone = number | null;

/** A get or put of main memory. A blocking one has a word of its own, which nobody else names. */
export interface MoveOp {
  readonly op: 'get' | 'put';
  readonly ldm: number;
  readonly memory: number;
  readonly bytes: number;
  readonly word: WordOrNone;
  readonly blocking?: boolean;
}
/** RMA between the CPE's own LDM and that of another one. */
export interface RemoteOp {
  readonly op: 'remotePut' | 'remoteGet';
  readonly own: number;
  readonly other: number;
  readonly tid: number;
  readonly bytes: number;
  readonly local: WordOrNone;
  readonly remote: WordOrNone;
  readonly blocking?: boolean;
}
/** RMA to the same place of several CPEs, the issuer among them or not. */
export interface BroadcastOp {
  readonly op: 'broadcast';
  readonly from: number;
  readonly to: number;
  readonly bytes: number;
  readonly tids: readonly number[];
  readonly local: WordOrNone;
  readonly remote: WordOrNone;
}

export type TransferOp = MoveOp | RemoteOp | BroadcastOp;

/** An operation of a program. `id` is equal for operations of several CPEs that can only be left out together. */
export type OracleOp = { readonly id?: number } & (
  | TransferOp
  | { readonly op: 'load' | 'store'; readonly tid: number; readonly at: number; readonly bytes: number }
  | { readonly op: 'memoryLoad' | 'memoryStore'; readonly at: number; readonly bytes: number }
  /** Through the data cache of the CPE, whose lines over these bytes are written back and dropped by an eviction. */
  | { readonly op: 'cachedLoad' | 'cachedStore' | 'evict'; readonly at: number; readonly bytes: number }
  | { readonly op: 'add'; readonly at: number }
  /** A flag is stored, or looked at until it has come so far. */
  | { readonly op: 'raise' | 'look'; readonly tid: number; readonly at: number; readonly value: number }
  | { readonly op: 'wait' | 'set'; readonly word: number; readonly value: number }
  /** A word of any CPE is read until it has come so far. */
  | { readonly op: 'poll'; readonly tid: number; readonly word: number; readonly value: number }
  | { readonly op: 'order'; readonly engine: 'dma' | 'rma' | 'both' }
  | { readonly op: 'sync'; readonly tids: readonly number[] }
  | { readonly op: 'lock' | 'unlock'; readonly lock: number }
);

/** What each CPE does, by tid. */
export type OracleProgram = readonly (readonly OracleOp[])[];

/** Bytes of a line of a data cache; lines lie at multiples of them (Sunway specification 6.9). */
export const lineBytes = 64;

/** The lines that bytes lie in. */
export const linesOf = (at: number, bytes: number): readonly number[] => {
  const first = at - (at % lineBytes);
  return Array.from({ length: Math.ceil((at + bytes - first) / lineBytes) }, (_, k) => first + k * lineBytes);
};

/**
 * What a log says of an operation: it has touched what it touches; a word was found at a value; or a member has come, or gone on. Of the data cache: a
 * line is filled, written back whole, or dropped.
 */
export type Happening = 'does' | 'finds' | 'arrives' | 'leaves' | 'ends' | 'fills' | 'writesBack' | 'drops';

/** A line of the log of a run: which operation of which CPE, and what came of it. The end of a thread has the index behind the last one. */
export interface LogLine {
  readonly tid: number;
  readonly index: number;
  readonly what: Happening;
  /** The value of a word that a wait has reached or a read has found; where the line begins. */
  readonly value?: number;
}

/** Two operations of a program, by tid and index, and the kind of their race. */
export interface FoundPair {
  readonly kind: string;
  /** The tid of the LDM that they touch, -1 for main memory. */
  readonly space: number;
  readonly first: OpName;
  readonly second: OpName;
}

export type OpName = `${number}.${number}`;
export const opName = (tid: number, index: number): OpName => `${tid}.${index}`;
