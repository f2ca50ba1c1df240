import type { KnownMachine } from '../machines/machine.ts';
import { withCycle } from '../properties/endless.ts';
import { propertiesOf } from '../properties/judged-machine.ts';
import type { Watch } from '../properties/property.ts';
import { loadRecording } from '../scenarios/recording.ts';
import { replay } from '../scenarios/replay.ts';

/** A recorded run that a machine repeats. */
export interface Replayed {
  /** How the run ended, then and now. */
  readonly verdict: string;
  readonly ticks: number;
  readonly deliveries: number;
}

/**
 * Carries out a recorded run again and compares it with the recording, fingerprint by fingerprint: `await replays(lockServer, 'golden/two-clients.json')`.
 *
 * Details: the file is relative to the folder that we are in. Errors: an `Error` that names the first tick and actor that differ; `ScenarioErrors` for a file that is no recording.
 */
export async function replays(known: KnownMachine, file: string): Promise<Replayed> {
  const recording = loadRecording(file);
  const properties = withCycle(await propertiesOf(known), recording.cycle);
  let watching: Watch | undefined;
  const { difference } = await replay(recording, [known], {
    observe: (run, { given, assembly }) => {
      watching = properties?.watch(run, given, assembly);
    },
    onEnd: () => watching?.end(),
  });
  if (difference) throw new Error(`${file}: ${difference.text}`);
  const { verdict, ticks, deliveries } = recording.end;
  return { verdict, ticks, deliveries };
}
