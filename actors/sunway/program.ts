import type { CpeApi, CpeOperation } from './cpe-api.ts';
import type { MpeApi, MpeOperation } from './mpe-api.ts';

/**
 * A program of a CPE, given what its core knows and the argument of its thread.
 *
 * Details: `yield` gives the return code of a call (0 is success); `yield*` gives a result of another type. A program may read nothing but its
 * arguments and what it is given, since a run that is restored or replayed begins it anew and feeds it the same results.
 */
export type CpeProgram = (c: CpeApi, arg: number) => Generator<CpeOperation, void, number>;

/** The program of a host process: one for each core group. */
export type MpeProgram = (h: MpeApi) => Generator<MpeOperation, void, number>;

/** What a host process runs for a signal of one of its CPEs; `content` is what the CPE sent (specification 5.6). */
export type SignalHandler = (h: MpeApi, content: number) => Generator<MpeOperation, void, number>;
