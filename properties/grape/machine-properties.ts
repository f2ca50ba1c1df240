import { assembledSource, sourceOf } from '../../machines/grape/assembled.ts';
import type { GrapeConfig, GrapePrograms } from '../../machines/grape/config.ts';
import { type GrapeAssembly, grapeMachine } from '../../machines/grape.ts';
import type { Given } from '../../machines/machine.ts';
import type { MachineProperties } from '../properties.ts';
import { watch } from '../property.ts';
import { withSameEnd } from '../same-end.ts';
import type { GrapeContext } from './context.ts';
import { grapeProperties } from './grape-properties.ts';

/** The properties of the SING/GRAPE-DR chip. */
export const grapeMachineProperties: MachineProperties = {
  sentences: grapeProperties.map(({ sentence }) => sentence),
  // Everything that a chip calculates, and when, follows from the program and its data (GRAPE specification 1, 8).
  watch: withSameEnd(
    grapeMachine,
    (result) => result,
    (run, given, assembly) => {
      const { config, programs } = given as Given<GrapeConfig, GrapePrograms>;
      const written = writtenIn(config, programs);
      return watch(run, grapeProperties, {
        config,
        program: assembledSource(config, programs).program,
        ...(written && { written }),
        result: () => (assembly as GrapeAssembly).result(run),
      });
    },
  ),
};

/** The text and the calls of a run that say by themselves what it does. */
function writtenIn(
  { compat: { legacy, ilUpperBug } }: GrapeConfig,
  programs: GrapePrograms,
): GrapeContext['written'] | undefined {
  const { text } = sourceOf(programs);
  const source = withoutMacros(text);
  if (legacy || ilUpperBug || source === undefined || !Array.isArray(programs.host)) return undefined;
  return { source, host: programs.host };
}

/** A source whose lines with macros say behind `# = ` what they come to; undefined where one does not. */
function withoutMacros(text: string): string | undefined {
  const lines = text.split('\n').map((line) => (line.includes('<%') ? line.split('# = ')[1] : line));
  return lines.includes(undefined) ? undefined : lines.join('\n');
}
