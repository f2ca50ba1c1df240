import { type Assembled, assemble } from './assembler/assemble.ts';
import type { GrapeConfig, GrapePrograms } from './config.ts';
import { expandLoaded } from './macros/expand.ts';
import { type ScheduleOptions, schedule } from './schedule/schedule.ts';

/** A source that was expanded and assembled for a configuration. */
export interface AssembledSource extends Assembled {
  /** What the macros print. */
  readonly stdout: string;
}

/** The name of a source in diagnostics, and its text. */
export function sourceOf({ source }: GrapePrograms): { readonly file: string; readonly text: string } {
  return typeof source === 'string'
    ? { file: 'source', text: source }
    : { file: source.file, text: source.text ?? '' };
}

/** The definitions of a scenario as `-e NAME=VALUE` gives them. */
export const definesOf = ({ define }: GrapePrograms): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(define).map(([name, value]) => [name, String(value)]));

const known = new Map<string, AssembledSource>();
const knownMax = 16;

/**
 * Assembles the source of a scenario for its configuration. The last few are kept, since every run of a scenario asks again.
 *
 * Errors: `AssemblyError`, `MacroError`, `ScheduleError`.
 */
export function assembledSource(config: GrapeConfig, programs: GrapePrograms): AssembledSource {
  const { file, text } = sourceOf(programs);
  const define = definesOf(programs);
  const { lmShort, grfShort, bmShort, grfReadPorts, type, strictHazards, compat } = config;
  const sizes = { lmShort, grfShort, bmShort };
  const options = {
    file,
    legacy: compat.legacy,
    strictHazards,
    sizes,
    grfReadPorts,
    roundPolicy: compat.roundPolicy,
    ilUpperBug: compat.ilUpperBug,
    ...(type !== undefined && { type }),
  };
  const key = JSON.stringify([text, define, options, config.schedule]);
  const found = known.get(key);
  if (found) return found;
  const expansion = expandLoaded(text, define, file);
  const written = assemble(expansion.text, options);
  const assembled = {
    ...(config.schedule ? scheduled(written, { sizes, grfReadPorts }) : written),
    stdout: expansion.stdout,
  };
  if (known.size >= knownMax) known.delete(known.keys().next().value!);
  known.set(key, assembled);
  return assembled;
}

/** The program reordered for the pipeline: what the assembler said of hazards is mended then. */
function scheduled(written: Assembled, options: ScheduleOptions): Assembled {
  const { program } = schedule(written.program, options);
  return {
    ...written,
    program,
    diagnostics: written.diagnostics.filter(({ code }) => !code.startsWith('H_')),
  };
}
