import { exitCodes } from './exit-codes.ts';

/**
 * Where a run is recorded: where the user says, else beside other output when it failed.
 *
 * Details: `asked` is a file, false for `--no-record`, undefined for neither.
 */
export function recordingFile(
  asked: string | boolean | undefined,
  name: string,
  exitCode: number,
): string | undefined {
  if (typeof asked === 'string') return asked;
  if (asked === false || (exitCode !== exitCodes.failed && exitCode !== exitCodes.defect)) return undefined;
  return `out/${name.replace(/[^\w.-]+/g, '-')}.recording.json`;
}
