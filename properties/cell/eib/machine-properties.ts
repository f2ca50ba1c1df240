import type { CellbeConfig, CellbePrograms } from '../../../machines/cell/cellbe-config.ts';
import { cellbeMachine } from '../../../machines/cell/cellbe-machine.ts';
import type { CellbeResult } from '../../../machines/cell/cellbe-result.ts';
import type { Given } from '../../../machines/machine.ts';
import { limitsAsDeclared, programLimitsAsDeclared } from '../../declared-limits.ts';
import { judgedBy } from '../../judged-by.ts';
import type { MachineProperties } from '../../properties.ts';
import { inputsAreRefused } from '../../refused-inputs.ts';
import { withSameEnd } from '../../same-end.ts';
import { withSameRun } from '../../same-run.ts';
import { withReference as withReferences } from '../../with-reference.ts';
import { programsRaiseNoException } from '../programs-raise-no-exception.ts';
import { busKeepsItsRules, busRulesOf } from './bus-keeps-its-rules.ts';
import { cellbeFixed } from './fixed.ts';
import { cellbeLimits, cellbeProgramLimits } from './limits.ts';
import { programsAreRead } from './programs-are-read.ts';
import { runsAsTheReferenceSentence, withReference } from './runs-as-the-reference.ts';
import { cellbeInputs } from './wrong-inputs.ts';

const judged = judgedBy(cellbeMachine, ({ config }) => [
  ...busKeepsItsRules(busRulesOf(config as CellbeConfig)),
  programsRaiseNoException,
]);

/** The properties of the Cell/B.E. machine. */
export const cellbeMachineProperties: MachineProperties = {
  ...judged,
  get sentences() {
    return [...judged.sentences, runsAsTheReferenceSentence];
  },
  sentencesOf: (given) => [...(judged.sentencesOf?.(given) ?? []), runsAsTheReferenceSentence],
  wholeRuns: true,
  watch: withReferences(
    withSameRun(cellbeMachine, withSameEnd(cellbeMachine, endOf, withReference(judged.watch))),
    [
      limitsAsDeclared(cellbeMachine, cellbeFixed, cellbeLimits),
      programLimitsAsDeclared(cellbeMachine, cellbeProgramLimits),
      inputsAreRefused(cellbeMachine, cellbeInputs),
      programsAreRead,
    ],
  ),
};

/**
 * Times and places do not hang on the order within a cycle; bytes do where two packets meet on one, and everything does where commands of several elements may
 * come to one MFC in one cycle.
 */
function endOf(
  { memHash: _, ...timing }: CellbeResult,
  { programs }: Given<CellbeConfig, CellbePrograms>,
): unknown {
  const proxies = Object.values(programs).some(
    (program) => Array.isArray(program) && program.some((entry) => 'on' in entry),
  );
  return proxies ? undefined : timing;
}
