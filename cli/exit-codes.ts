/**
 * What the command tells its caller: the one table, which `docs/exit-codes.md` shows. Verbs whose specification names others have them in
 * `Session.codes`.
 */
export const exitCodes = {
  ok: 0,
  /** The run, a comparison or a replay is not as it should be; a deadlock is one such. */
  failed: 1,
  /** Bad input or usage, or an output that cannot be written. */
  usage: 2,
  /** A defect of Lockstep. */
  defect: 3,
  /** Nothing was found, and not everything that was asked was judged to its end, or is there. */
  open: 4,
  /** Interrupted by the user, as shells number it. */
  interrupted: 130,
} as const;

/** The codes of a verb for what is no result of it. */
export interface FailureCodes {
  readonly usage: number;
  readonly defect: number;
}
