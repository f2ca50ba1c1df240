import type { MpeContext, MpeOperation } from '../mpe-context.ts';
import type { Answer } from '../operation.ts';
import type { MpeProgram } from '../program.ts';

/** What the program of a host process asks for. */
export function* hostSteps(program: MpeProgram, h: MpeContext): Generator<MpeOperation, void, Answer> {
  const running = program(h);
  let step = running.next();
  // A program names its results itself: `yield` gives a return code, `yield*` what the operation says.
  while (step.done !== true) step = running.next((yield step.value) as number);
}
