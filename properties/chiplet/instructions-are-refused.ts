import { compileKernels } from '../../actors/chiplet/ptx/program.ts';
import { PtxError } from '../../actors/chiplet/ptx/ptx-error.ts';
import { besideScenario } from '../beside-scenario.ts';
import { countedLines } from './operand-counts.ts';
import { refusedIn, refusedInstructions } from './refused-instructions.ts';

/** What is wrong with how a line is refused that PTX does not have; undefined when it is, with its place. */
export function refusalFault(line: string): string | undefined {
  const { text, at } = refusedIn(line);
  const found = refusedAt(text);
  if (found.length === 1 && found[0] === at) return undefined;
  return `"${line}" is ${found.length === 0 ? 'accepted' : `refused in line ${found.join(', ')}`}, not refused in line ${at}`;
}

/** The lines that errors name: what cannot be read ends all, what cannot be compiled its kernel. */
function refusedAt(text: string): readonly number[] {
  try {
    const { refused } = compileKernels([{ file: 'refused.ptx', text }], { messageOpcode: 'off' });
    return [...refused.values()].map((error) => error.at.line);
  } catch (error) {
    if (error instanceof PtxError) return [error.at.line];
    throw error;
  }
}

const form = /^((?:.*[:;] )?[\w.:]+)(?: (.*))?;$/;
const operand = /(?:\[[^\]]*\]|\{[^}]*\}|[^,\s])+/g;

/** What is wrong with how many operands a line may have that has as many as there may be; undefined when nothing is. */
export function countFault({ line, optional }: (typeof countedLines)[number]): string | undefined {
  const [, name, rest = ''] = form.exec(line)!;
  const operands = rest.match(operand) ?? [];
  const having = (some: readonly string[]): string => `${`${name} ${some.join(', ')}`.trim()};`;
  for (let less = 0; less <= optional; less++) {
    const fewer = having(operands.slice(0, operands.length - less));
    const [at] = refusedAt(refusedIn(fewer).text);
    if (at !== undefined) return `"${fewer}" is refused in line ${at}, not accepted`;
  }
  const least = operands.length - optional;
  return (
    refusalFault(having([...operands, rest.match(/%\w+/g)?.at(-1) ?? '1'])) ??
    (least > 0 ? refusalFault(having(operands.slice(0, least - 1))) : undefined)
  );
}

/** Lines that are looked at beside each scenario. */
const linesEach = 6;
const countedEach = 3;

/** Beside a scenario, instructions that PTX does not have are refused with their line. */
export const instructionsAreRefused = besideScenario((number) => {
  for (let k = 0; k < linesEach; k++) {
    const why = refusalFault(refusedInstructions[(linesEach * number + k) % refusedInstructions.length]!);
    if (why !== undefined) return why;
  }
  for (let k = 0; k < countedEach; k++) {
    const why = countFault(countedLines[(countedEach * number + k) % countedLines.length]!);
    if (why !== undefined) return why;
  }
  return undefined;
});
