import { Program } from '../../common/program.ts';
import { type CpeContext, type CpeOperation, cpeContext } from '../cpe-context.ts';
import type { CpeFacts } from '../cpe-facts.ts';
import { argumentCode } from '../crts/check.ts';
import type { Primitive, Script } from '../crts/primitive.ts';
import { scriptOf } from '../crts/scripts.ts';
import type { Answer } from '../operation.ts';
import type { CpeProgram } from '../program.ts';
import { returnCode } from '../return-code.ts';
import { StaticLayout, type StaticVariable } from '../static-layout.ts';

/** What a thread asks for: a call, or that its LDM learns how far its static data reach. */
export type ThreadStep =
  | CpeOperation
  | { readonly op: 'statics'; readonly end: number; readonly variables: readonly StaticVariable[] };

/** What a call asks for: a primitive, or to end with a result. */
export type CallStep = Primitive | { readonly op: 'return'; readonly value: Answer };

/** A program of a CPE at work. Static data that it has laid out since its last call are told before the next one. */
export const threadOf = (
  program: CpeProgram,
  identity: CpeFacts['identity'],
  arg: number,
): Program<ThreadStep, Answer> =>
  new Program<ThreadStep, Answer>(() =>
    threadSteps(program, arg, (statics) => cpeContext(identity, statics)),
  );

/** What a program of a CPE asks for, given a context that lays out static data. */
export function* threadSteps(
  program: CpeProgram,
  arg: number,
  context: (statics: StaticLayout) => CpeContext,
): Generator<ThreadStep, void, Answer> {
  const statics = new StaticLayout();
  let [told, count] = [statics.end, 0];
  const running = program(context(statics), arg);
  let step = running.next();
  while (step.done !== true) {
    if (statics.end !== told) {
      const variables = statics.variables.slice(count);
      [told, count] = [statics.end, statics.variables.length];
      yield { op: 'statics', end: told, variables };
    }
    // A program names its results itself: `yield` gives a return code, `yield*` what the operation says.
    step = running.next((yield step.value) as number);
  }
}

/** A call with good arguments is its script, one with others is refused before anything of it is done. */
function* checked(call: CpeOperation, facts: CpeFacts): Script {
  const code = argumentCode(call, facts);
  if (code !== returnCode.SUCCESS) yield { op: 'refuse', code };
  return yield* scriptOf(call, facts);
}

function* ended(script: Script): Generator<CallStep, void, Answer> {
  yield { op: 'return', value: yield* script };
}

/** A call at work. */
export const callOf = (call: CpeOperation, facts: CpeFacts): Program<CallStep, Answer> =>
  new Program<CallStep, Answer>(() => ended(checked(call, facts)));
