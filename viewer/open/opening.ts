import { dirname, resolve } from 'node:path';
import { loadMachine } from '../../machines/machine.ts';
import { machineNamed } from '../../manifests/machines.ts';
import { filesNamedIn, modulesNamedIn } from '../../scenarios/files-named.ts';
import { inputText } from '../../scenarios/input-file.ts';
import { parseScenario } from '../../scenarios/load.ts';
import { LocatedDocument } from '../../scenarios/located-document.ts';
import { recordingIn } from '../../scenarios/recording.ts';
import type { Opening } from '../protocol.ts';

/** What a page is given, and the modules that must be in its bundle. */
export interface FoundOpening {
  readonly opening: Opening;
  /** Modules of users by their whole names. */
  readonly modules: readonly string[];
  /** The scenario, of a recording the recorded one. */
  readonly scenario: { readonly text: string; readonly file: string };
}

/** Files that a scenario refers to are handed over up to this size. */
const fileBytesMax = 8 * 2 ** 20;

/**
 * Reads a scenario or a recording with everything that it refers to; a machine that does not come with Lockstep is one of the project of `configuration`.
 *
 * Errors: those of a file that cannot be read, or that is no recording.
 */
export function openingOf(file: string, configuration?: string): FoundOpening {
  const text = inputText(file);
  const isRecording = /^\s*\{/.test(text);
  const scenario = isRecording ? recordingIn(text, file).scenario : { text, file: resolve(file) };
  const { data } = new LocatedDocument(scenario.text, scenario.file);
  const named = (data as { readonly machine?: unknown } | null)?.machine;
  const isOwn = typeof named === 'string' && !named.includes('#') && !machineNamed(named);
  const own = configuration !== undefined && isOwn ? configuration : undefined;
  const refers = [
    ...filesNamedIn(data, dirname(resolve(scenario.file))),
    // The machines of a project may be named as modules beside its configuration.
    ...(own === undefined ? [] : [own, ...modulesNamedIn(own)]),
  ];
  const modules = refers.filter((path) => /\.[cm]?[jt]sx?$/.test(path));
  return {
    opening: {
      kind: isRecording ? 'recording' : 'scenario',
      file: resolve(file),
      text,
      label: file,
      files: Object.fromEntries(
        refers.map((path) => [path, modules.includes(path) ? '' : inputText(path, fileBytesMax)]),
      ),
      ...(own !== undefined && { configuration: own }),
    },
    modules,
    scenario: { text: scenario.text, file: resolve(scenario.file) },
  };
}

/** The same with what its machine has to work out of its programs before a page has it; what is wrong with them the page says itself. */
export async function withHanded(found: FoundOpening): Promise<FoundOpening> {
  const { text, file } = found.scenario;
  const { data } = new LocatedDocument(text, file);
  const known = machineNamed(String((data as { readonly machine?: unknown } | null)?.machine));
  if (!known) return found;
  const { handOver } = await loadMachine(known);
  if (!handOver) return found;
  try {
    const { scenario } = await parseScenario(text, file, [known]);
    const handed = { machine: known.name, what: handOver(scenario.config, scenario.programs) };
    return { ...found, opening: { ...found.opening, handed } };
  } catch {
    return found;
  }
}
