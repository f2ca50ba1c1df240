import { compileKernels } from '../../actors/chiplet/ptx/program.ts';
import { besideScenario } from '../beside-scenario.ts';
import { refusedIn, refusedInstructions } from './refused-instructions.ts';

/** What is wrong with how a line is refused that PTX does not have; undefined when it is, with its place. */
export function refusalFault(line: string): string | undefined {
  const { text, at } = refusedIn(line);
  const { refused } = compileKernels([{ file: 'refused.ptx', text }], { messageOpcode: 'off' });
  const found = [...refused.values()].map((error) => error.at.line);
  if (found.length === 1 && found[0] === at) return undefined;
  return `"${line}" is ${found.length === 0 ? 'accepted' : `refused in line ${found.join(', ')}`}, not refused in line ${at}`;
}

/** Lines that are looked at beside each scenario. */
const linesEach = 6;

/** Beside a scenario, instructions that PTX does not have are refused with their line. */
export const instructionsAreRefused = besideScenario((number) => {
  for (let k = 0; k < linesEach; k++) {
    const why = refusalFault(refusedInstructions[(linesEach * number + k) % refusedInstructions.length]!);
    if (why !== undefined) return why;
  }
  return undefined;
});
