import { collectiveCalls } from './calls/collective-calls.ts';
import { dataCalls } from './calls/data-calls.ts';
import { dmaCalls } from './calls/dma-calls.ts';
import { ldmCalls } from './calls/ldm-calls.ts';
import { rmaCalls } from './calls/rma-calls.ts';
import { serviceCalls } from './calls/service-calls.ts';
import { syncCalls } from './calls/sync-calls.ts';
import type { CpeIdentity } from './cpe-identity.ts';
import { type ReplyWord, replyWordAt } from './reply-word.ts';
import type { StaticLayout } from './static-layout.ts';

/** Every call of the slave side, by the name it has in the runtime without its prefix, and by its older names. */
export const cpeCalls = {
  ...syncCalls,
  ...ldmCalls,
  ...dmaCalls,
  ...rmaCalls,
  ...serviceCalls,
  ...collectiveCalls,
  ...dataCalls,
} as const;

type Calls = typeof cpeCalls;

/** What a program of a CPE yields. */
export type CpeOperation = {
  [Name in keyof Calls]: Omit<ReturnType<Calls[Name]>, typeof Symbol.iterator>;
}[keyof Calls];

/** One kind of operation, by its name. */
export type CpeOperationOf<Op extends CpeOperation['op']> = Extract<CpeOperation, { readonly op: Op }>;

/** Declarations of static data, which take no time. */
interface Statics {
  /** Lays out a static variable and gives its offset in LDM. `align` is a power of two, 4 when absent. */
  ldmStatic(name: string, bytes: number, align?: number): number;
  /** Lays out a reply word; with a name, reports call it by that. */
  rply(name?: string): ReplyWord;
  /** Lays out a word of the older type `athread_rply_t`: 8 bytes, of which the lower four count (specification 15, C10). */
  athread_rply(): ReplyWord;
}

/** What a program of a CPE is given: who it is, and every call of the slave side (specification 6). */
export type CpeApi = CpeIdentity & Calls & Statics;

/**
 * What one program of one CPE is given.
 *
 * Details: the calls are those of all programs, which have them from one object that they inherit from: a hundred copies for each thread would
 * cost more than the thread.
 */
export function cpeApi(identity: CpeIdentity, statics: StaticLayout): CpeApi {
  const own: CpeIdentity & Statics = {
    ...identity,
    ldmStatic: (_name, bytes, align = 4) => statics.place(bytes, align),
    rply: () => replyWordAt(statics.place(4, 4)),
    athread_rply: () => replyWordAt(statics.place(8, 8)),
  };
  return Object.assign(Object.create(cpeCalls) as Calls, own);
}
