/** What the command tells its caller (design, section 7); a specification may name others for a verb of its machine. */
export const exitCodes = {
  ok: 0,
  /** The run, a comparison or a replay is not as it should be. */
  failed: 1,
  /** Bad input or usage. */
  usage: 2,
  /** A defect of Lockstep. */
  defect: 3,
  /** Nothing was found, and not everything that was asked was judged to its end. */
  open: 4,
  /** Interrupted by the user, as shells number it. */
  interrupted: 130,
} as const;
