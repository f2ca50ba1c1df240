/** A mistake in what somebody wrote of a machine: in its definition, or in one of its functions. Its message names the machine and the cure. */
export class MachineError extends Error {
  override readonly name = 'MachineError';

  constructor(
    machine: string,
    what: string,
    options: { readonly cause?: unknown; readonly help?: string } = {},
  ) {
    super(`machine ${machine}: ${what}\n  help: ${options.help ?? 'mend the machine'}`, {
      cause: options.cause,
    });
  }
}

const mistakes =
  /^(KernelError|UsageError|ScenarioErrors?|StepLimitError|MachineError|OutputError|InputError)$/;

/** True for an error that says itself whose mistake it is. */
export const isMistake = ({ name }: Error): boolean => mistakes.test(name);

/**
 * Calls a function of a machine. Errors: a `MachineError` for what it throws, unless that says itself whose mistake it is.
 */
export function ofMachine<T>(machine: string, what: string, call: () => T): T {
  try {
    return call();
  } catch (error) {
    if (error instanceof Error && (isMistake(error) || error.message.startsWith('Lockstep defect')))
      throw error;
    throw new MachineError(
      machine,
      `its ${what} threw: ${error instanceof Error ? error.message : String(error)}`,
      {
        cause: error,
      },
    );
  }
}

/** A value in a few words, for errors. */
export function briefly(value: unknown): string {
  if (value === null || typeof value !== 'object')
    return typeof value === 'function'
      ? 'a function'
      : typeof value === 'string'
        ? `"${value.slice(0, 60)}"`
        : value === undefined
          ? 'nothing'
          : String(value);
  if (Array.isArray(value)) return `a list of ${value.length}`;
  const keys = Object.keys(value);
  return keys.length === 0
    ? 'an empty record'
    : `a record of ${keys.slice(0, 6).join(', ')}${keys.length > 6 ? ' …' : ''}`;
}
