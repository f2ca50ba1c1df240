import { chipletName } from './gpu-chiplet.ts';
import { consoleLines } from './gpu-console.ts';
import { powerReport } from './gpu-power.ts';
import { bufferName, bufferText, traceText } from './message-files.ts';
import type { SystemConfig } from './system-config.ts';
import { systemTrace } from './system-network.ts';
import type { ChipletState, Meetings } from './system-result.ts';

/** A file of a run directory: its name there and its text. */
export interface RunFile {
  readonly name: string;
  readonly text: string;
}

/** The name of the console lines of a GPU chiplet, and of its power report. */
export const consoleName = (at: readonly number[]): string => `gpgpusim.${at.join('.')}.log`;
export const powerName = (at: readonly number[]): string => `gpgpusim_power_report.${at.join('.')}.log`;

/**
 * The files that the programs of the original leave in their run directory (chiplet specification 3.1 to 3.3, 6): buffer files with all that was sent,
 * traces of chiplets and their merger, the synchronisation file, console lines and power reports of GPU chiplets.
 *
 * Details: console lines tell of a simulation that took one second, so that seconds times rate are the cycles exactly; equal runs have equal files.
 */
export function runDirectory(
  states: readonly ChipletState[],
  config: SystemConfig,
  meetings: Meetings | undefined,
): readonly RunFile[] {
  const { bufferNameOrder, outputs } = config;
  const wanted = (what: SystemConfig['outputs'][number]): boolean => outputs.includes(what);
  const gpus = states.filter(({ kind }) => kind === 'gpu');
  const traces = states.map(({ trace }) => trace);
  const files: (readonly RunFile[])[] = [];
  if (wanted('buffers'))
    files.push(
      states.flatMap(({ at, received }) =>
        received.map(({ source, values }) => ({
          name: bufferName({ source, target: at }, bufferNameOrder),
          text: bufferText(values),
        })),
      ),
    );
  if (wanted('traces'))
    files.push(
      states
        .filter(({ trace }) => trace.length > 0)
        .map(({ at, trace }) => ({ name: `bench.${at.join('.')}`, text: traceText(trace) })),
    );
  if (wanted('bench')) files.push([{ name: 'bench', text: traceText(systemTrace(traces)) }]);
  if (meetings && wanted('synchronization')) files.push([{ name: 'synchronization', text: meetings.file }]);
  if (wanted('console'))
    files.push(
      gpus.map(({ at, kernels }) => ({
        name: consoleName(at),
        text: consoleLines({
          seconds: 1,
          instructions: kernels.reduce((sum, one) => sum + one.statistics.counts.threadInstructions, 0),
          cycles: kernels.reduce((sum, { cycles }) => sum + cycles, 0),
        }),
      })),
    );
  if (wanted('power'))
    files.push(
      gpus.map(({ at, power }) => ({ name: powerName(at), text: powerReport(chipletName(at), power!) })),
    );
  if (wanted('results'))
    files.push(
      states.flatMap(({ at, outputs: written }) =>
        Object.entries(written).map(([name, values]) => ({
          name: `output_${at.join('_')}_${name.replaceAll(/[^\w.-]/g, '_')}`,
          text: bufferText(values),
        })),
      ),
    );
  return files.flat();
}
