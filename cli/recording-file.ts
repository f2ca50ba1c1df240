import type { Cycle } from '../properties/endless.ts';
import { formatRecording, type Recording, recordingOf } from '../scenarios/recording.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import type { Simulation } from '../scenarios/simulate.ts';
import { exitCodes } from './exit-codes.ts';
import { type Outputs, standardOutput, writeOutput } from './output.ts';
import type { RunVerdict } from './run-verdict.ts';
import type { Terminal } from './terminal.ts';

/**
 * Where a run is recorded: where the user says, else beside other output when it failed.
 *
 * Details: `asked` is a file, false for `--no-record`, undefined for neither.
 */
export function recordingFile(
  asked: string | boolean | undefined,
  name: string,
  exitCode: number,
  ending = 'recording',
): string | undefined {
  if (typeof asked === 'string') return asked;
  if (asked === false || !isRecorded(exitCode)) return undefined;
  return `${outputName(name, ending)}.json`;
}

/** Whether a run is recorded of which nobody said so. */
export const isRecorded = (exitCode: number): boolean =>
  exitCode === exitCodes.failed || exitCode === exitCodes.defect;

/** The usual place of what a command keeps of a scenario. */
export const outputName = (name: string, ending: string): string =>
  // A name of any length may be given to a scenario, but not to a file.
  `out/${name.replace(/[^\w.-]+/g, '-').slice(0, nameCharsMax)}.${ending}`;

const nameCharsMax = 120;

/** Records a run where `recordingFile` says. Returns the file, when it was asked for and could be written. */
export function keptRecording(
  asked: string | boolean | undefined,
  ran: {
    readonly scenario: Scenario;
    readonly simulation: Simulation;
    readonly verdict: Pick<RunVerdict, 'exitCode'>;
    /** Where the run goes round for ever. */
    readonly cycle?: Cycle;
    /** What it was to refine. */
    readonly refines?: Recording['refines'];
  },
  outputs: Outputs,
  terminal: Terminal,
  ending?: string,
): string | undefined {
  const file = recordingFile(asked, ran.scenario.name, ran.verdict.exitCode, ending);
  if (file === undefined) return undefined;
  const recording = recordingOf(ran.scenario, ran.simulation, ran.cycle, ran.refines);
  const beside = file === standardOutput ? undefined : file;
  const written = outputs.attempt(() => writeOutput(terminal, file, formatRecording(recording, beside)));
  return written ? file : undefined;
}
