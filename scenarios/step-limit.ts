import { Script } from 'node:vm';

/** Seconds that a step of a run may take where modules of a user take part; `LOCKSTEP_STEP_SECONDS` says another number. */
export const stepSecondsMax = 25;

/** A step of a run that did not come to its end: what a module of the user does there cannot be interrupted in another way. */
export class StepLimitError extends Error {
  override readonly name = 'StepLimitError';
  constructor(file: string, seconds: number) {
    super(
      `${file}: found no end of a step after ${seconds} s, expected that programs, properties and machines come to theirs\n  help: look for a loop without an end in a module of the scenario; work that takes longer gets it by LOCKSTEP_STEP_SECONDS=600 in the environment`,
    );
  }
}

/** So many times as long a step may take on a computer that has other work to do, at most. */
const patienceMax = 10;

/** How much longer than its processor time everything takes here; a browser does not tell. */
function patience(): number {
  if (typeof process.cpuUsage !== 'function') return 1;
  const { user, system } = process.cpuUsage();
  return Math.min(patienceMax, Math.max(1, (1e6 * process.uptime()) / (user + system)));
}

const call = new Script('globalThis[Symbol.for("lockstep.step")]()');
const key = Symbol.for('lockstep.step');

/**
 * Does a piece of work that ends soon unless a module of the user is without an end.
 *
 * Details: a loop without an end holds the thread, so that neither progress nor Ctrl-C would come through; only V8 itself can end it, which leaves what the work
 * has touched half done: nothing of it may be used any more. V8 counts the time of the clock, so that there is more of it on a busy computer. Where no module of a user is loaded it is a plain call. `file`: who is blamed.
 * Errors: `StepLimitError`, and what the work throws.
 */
export function withinStepLimit<T>(file: string, work: () => T): T {
  if (!limited.modules) return work();
  const seconds = Number(process.env['LOCKSTEP_STEP_SECONDS']) || stepSecondsMax;
  let result: { readonly value: T } | undefined;
  let thrown: { readonly error: unknown } | undefined;
  const own = globalThis as unknown as Record<symbol, () => void>;
  const before = own[key];
  own[key] = () => {
    try {
      result = { value: work() };
    } catch (error) {
      thrown = { error };
    }
  };
  try {
    call.runInThisContext({ timeout: Math.ceil(seconds * 1000 * patience()) });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    throw new StepLimitError(file, seconds);
  } finally {
    if (before) own[key] = before;
    else delete own[key];
  }
  if (thrown) throw thrown.error;
  return result!.value;
}

const limited = { modules: false };

/** True where steps have a limit. */
export const hasStepLimit = (): boolean => limited.modules;

/** Tells that a module of a user is loaded: from now on steps have a limit. */
export function limitSteps(): void {
  limited.modules = true;
}
