import type { GrapeRunResult } from '../../machines/grape/result.ts';
import type { GrapeSession } from '../../machines/grape/session.ts';
import { grapeMachine } from '../../machines/grape.ts';
import { parseScenario } from '../load.ts';
import { type Recording, recordingOf } from '../recording.ts';
import { simulate } from '../simulate.ts';
import { scenarioText } from '../written.ts';

/** A scenario of the chip as a file has it, from what a library was asked to do: `lockstep run` carries it out. */
export const sessionText = (name: string, { config, programs }: GrapeSession): string =>
  scenarioText(grapeMachine.name, { name, config: { ...config }, programs: written(programs) });

/**
 * The recording of what a library was asked to do, for `saveRecording` and `lockstep replay`, and the figures of the run.
 *
 * Details: the calls are carried out again, as the scenario's program of the host. `file` is what messages call the scenario.
 */
export async function sessionRecording(
  name: string,
  session: GrapeSession,
  file = `${name}.yaml`,
): Promise<{ readonly recording: Recording; readonly result: GrapeRunResult }> {
  const { scenario } = await parseScenario(sessionText(name, session), file, [grapeMachine]);
  const simulation = simulate(scenario, grapeMachine as never);
  return {
    recording: recordingOf(scenario, simulation),
    result: simulation.result as GrapeRunResult,
  };
}

/** Plain data as files have it: 64-bit integers as text. */
function written(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(written);
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  return Object.fromEntries(entries.map(([key, one]) => [key, written(one)]));
}
