import { assembledSource, definesOf, sourceOf } from '../../machines/grape/assembled.ts';
import type { GrapeConfig, GrapePrograms } from '../../machines/grape/config.ts';
import { expandLoaded } from '../../machines/grape/macros/expand.ts';
import { grapeMachine } from '../../machines/grape.ts';
import type { Given } from '../../machines/machine.ts';
import { limitsAsDeclared, programLimitsAsDeclared } from '../declared-limits.ts';
import { judgedBy } from '../judged-by.ts';
import type { MachineProperties } from '../properties.ts';
import { inputsAreRefused } from '../refused-inputs.ts';
import { withSameEnd } from '../same-end.ts';
import { withSameRun } from '../same-run.ts';
import { withReference } from '../with-reference.ts';
import type { GrapeFacts } from './context.ts';
import { grapeFixed } from './fixed.ts';
import { grapeProperties } from './grape-properties.ts';
import { faultsAreTold, librariesAnswerAlike } from './libraries-answer-alike.ts';
import { grapeLimits } from './limits.ts';
import { grapeProgramLimits } from './program-limits.ts';
import { sourcesKeepTheirMeaning } from './sources-keep-their-meaning.ts';
import { unitsCalculateAsPlainOnes } from './units-calculate-as-plain-ones.ts';
import { grapeInputs } from './wrong-inputs.ts';

const sentences = grapeProperties.map(({ sentence }) => sentence);

const { watch, observers } = judgedBy(grapeMachine, (given) => {
  const facts = factsOf(given as Given<GrapeConfig, GrapePrograms>);
  return grapeProperties.map((property) => property.of(facts));
});

/** The properties of the SING/GRAPE-DR chip. */
export const grapeMachineProperties: MachineProperties = {
  ...(observers && { observers }),
  // They are the same for every program.
  sentences,
  sentencesOf: () => sentences,
  // Everything that a chip calculates, and when, follows from the program and its data (GRAPE specification 1, 8).
  wholeRuns: true,
  watch: withSameEnd(
    grapeMachine,
    (result) => result,
    withReference(withSameRun(grapeMachine, watch, { oneIn: 3 }), [
      limitsAsDeclared(grapeMachine, grapeFixed, grapeLimits),
      programLimitsAsDeclared(grapeMachine, grapeProgramLimits),
      inputsAreRefused(grapeMachine, grapeInputs),
      sourcesKeepTheirMeaning,
      unitsCalculateAsPlainOnes,
      faultsAreTold,
      librariesAnswerAlike,
    ]),
  ),
};

function factsOf({ config, programs }: Given<GrapeConfig, GrapePrograms>): GrapeFacts {
  const written = writtenIn(config, programs);
  return { config, program: assembledSource(config, programs).program, ...(written && { written }) };
}

/** The text and the calls of a run that say by themselves what it does. */
function writtenIn(
  { compat: { legacy, ilUpperBug } }: GrapeConfig,
  programs: GrapePrograms,
): GrapeFacts['written'] | undefined {
  if (legacy || ilUpperBug || !Array.isArray(programs.host)) return undefined;
  const { text, file } = sourceOf(programs);
  const source = withoutMacros(text) ?? expandLoaded(text, definesOf(programs), file).text;
  return { source, host: programs.host };
}

/** A source whose lines with macros say behind `# = ` what they come to, which the macros have no part in; undefined where one does not. */
function withoutMacros(text: string): string | undefined {
  const lines = text.split('\n').map((line) => (line.includes('<%') ? line.split('# = ')[1] : line));
  return lines.includes(undefined) ? undefined : lines.join('\n');
}
