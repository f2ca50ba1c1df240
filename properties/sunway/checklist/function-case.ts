import type { CpeApi, CpeOperation } from '../../../actors/sunway/cpe-api.ts';
import type { MpeApi, MpeOperation } from '../../../actors/sunway/mpe-api.ts';
import type { ReplyWord } from '../../../actors/sunway/reply-word.ts';
import type { ReturnCodeName } from '../../../actors/sunway/return-code.ts';

/** What a case of the slave side has for itself: nobody else touches it, and all of it is 0 at first but for `memory`. */
export interface Given {
  /** Places of 256 bytes in LDM, multiples of 64, the same in every CPE. */
  readonly a: number;
  readonly b: number;
  readonly d: number;
  /** Reply words. */
  readonly own: ReplyWord;
  readonly come: ReplyWord;
  /** 1024 bytes of main memory, a multiple of 1024: the words 100, 101, 102 and so on. */
  readonly memory: number;
}

/** The first word of what a case has in main memory; the others count on. */
export const firstWord = 100;

/** What a CPE does for a case; the numbers that it gives are what the case is judged by. */
export type SlavePlay = (
  c: CpeApi,
  given: Given,
) => Generator<CpeOperation, Iterable<number> & { readonly length: number }, number>;

/** What a host process does for a case; `place` is 64 bytes of the cross segment that are 0 at first. */
export type HostPlay = (
  h: MpeApi,
  place: number,
) => Generator<MpeOperation, readonly (number | string)[], number>;

/** How long a call takes by the formulas of the specification, on an idle node. */
export interface Taking {
  /** In words, for the checklist: `441 + 1 cycle of polling`. */
  readonly formula: string;
  /** From the call to its return, in CPE cycles. */
  readonly cycles: number;
  /** Cycles that it may take longer, where all CPEs together load the engines: queues have no formula. Exact when absent. */
  readonly queueing?: number;
}

/** A bad call, and the code that it is told under `onError: return`; under `trap` it stops the run. */
export interface Refused<Context, Rest extends readonly unknown[], Operation> {
  readonly with: string;
  readonly call: (c: Context, ...rest: Rest) => Operation;
  readonly code: ReturnCodeName;
  /** The CPE that calls it; `caller` when absent. */
  readonly at?: number;
}

/** What the run reports of a call that is wrong in what it does. */
export interface Reported<Play> {
  readonly when: string;
  readonly play: Play;
  /** Told by the run: a violation, or why it stands still. */
  readonly report: RegExp;
}

/** A function that has no way to fail, and why. */
export interface NeverFails {
  readonly never: string;
}

/** A call that fails without a code: its result says so. */
export interface Fruitless<Play> {
  readonly when: string;
  readonly play: Play;
  readonly gives: readonly number[];
}

/** How a function of the slave side fails. */
export type SlaveFailure =
  | Refused<CpeApi, [Given], CpeOperation>
  | Reported<SlavePlay>
  | Fruitless<SlavePlay>
  | NeverFails;

/** How a function of the host side fails. */
export type HostFailure = HostRefused | Reported<HostPlay> | Fruitless<HostPlay> | NeverFails;

/** A bad call of a host or, as `play`, of a CPE that it starts; its run begins with it, or with what has to be before it. */
export interface HostRefused {
  readonly with: string;
  readonly play: HostPlay;
  readonly code: ReturnCodeName;
}

/** Everything that is proved of one function of the slave side. */
export interface SlaveCase {
  /** As the context of a program names it. */
  readonly name: string;
  /** As the trace names it, where that differs. */
  readonly traced?: string;
  /** Who plays: the one CPE `caller`, all at once after a barrier, or each for itself. */
  readonly by: 'one' | 'all' | 'each';
  /** What the function does, as a sentence. */
  readonly means: string;
  readonly play: SlavePlay;
  /** What the play gives on each CPE that plays. */
  readonly gives: (tid: number) => readonly number[];
  readonly takes: Taking;
  readonly fails: SlaveFailure;
}

/** Everything that is proved of a function of the host side, or of one of the slave side that needs a host. */
export interface HostCase {
  readonly name: string;
  readonly means: string;
  readonly play: HostPlay;
  /** What the play gives in each host process. */
  readonly gives: (cgn: number) => readonly (number | string)[];
  /** A file that the node has afterwards, two hexadecimal digits a byte. */
  readonly leaves?: { readonly file: string; readonly digits: string };
  readonly takes: Taking;
  readonly fails: HostFailure;
}

/** The CPE that plays cases of one CPE: row 1, column 2, in the cluster at column 1 and row 0 of the mesh. */
export const caller = 10;

/** Every CPE of the array. */
export const everyTid: readonly number[] = Array.from({ length: 64 }, (_, tid) => tid);
