/** Why a program has no schedule. */
export const scheduleErrors = {
  E_SCHED_FEEDBACK: [
    '$fb names a product that no multiplication can hand on here',
    'let the multiplication write $t too, or put it into the slot before',
  ],
  E_SCHED_PORTS: [
    'idp begins in the slot of another transfer of broadcast memory, and must come both before and behind it',
    'put it into a slot of its own',
  ],
} as const;

/** A program that cannot be scheduled: coded, with the line of the source. */
export class ScheduleError extends Error {
  override readonly name = 'ScheduleError';
  readonly code: keyof typeof scheduleErrors;
  readonly line: number;
  constructor(code: keyof typeof scheduleErrors, line: number) {
    const [cause, cure] = scheduleErrors[code];
    super(`${line}:1 ${code} ${cause}; ${cure}`);
    this.code = code;
    this.line = line;
  }
}
