import { join } from 'node:path';
import { parseDocument, stringify } from 'yaml';
import { formatRecording, recordingIn } from './recording.ts';
import { namedBeside } from './written.ts';

/** Where a finding lay and where it shall lie. */
export interface Move {
  /** Names of its files without their endings, from the folder that we are in. */
  readonly from: string;
  readonly to: string;
  /** The machine of a generated scenario, which lies beside its recording: a name, or a module from the folder that we are in. Absent for a scenario that has a file of its own. */
  readonly machine?: string;
}

/** The text of a file of a finding for its new place: scenario, recording, or explanation. What it names is named from there. */
export function movedText(text: string, ending: string, move: Move): string {
  const { from, to } = move;
  if (ending === '.yaml') return movedScenario(text, move);
  if (ending !== '.recording.json') return text.replaceAll(`${from}.`, `${to}.`);
  const recording = recordingIn(text, from + ending);
  const { scenario } = recording;
  const beside = scenario.file === join(`${from}.yaml`);
  return formatRecording(
    beside
      ? {
          ...recording,
          scenario: { ...scenario, file: `${to}.yaml`, text: movedScenario(scenario.text, move) },
        }
      : recording,
    to + ending,
  );
}

/** All but the name of the machine stays as it was written. */
function movedScenario(text: string, { to, machine }: Move): string {
  const range = (parseDocument(text).get('machine', true) as { range?: readonly number[] } | undefined)
    ?.range;
  if (machine === undefined || !range) return text;
  const named = stringify(namedBeside(machine, `${to}.yaml`), { lineWidth: 0 }).trimEnd();
  return text.slice(0, range[0]) + named + text.slice(range[1]);
}
