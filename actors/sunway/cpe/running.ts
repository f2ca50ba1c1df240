import { isNamedOperation, noOperation, Program } from '../../common/program.ts';
import { type CpeApi, type CpeOperation, cpeApi } from '../cpe-api.ts';
import type { CpeFacts } from '../cpe-facts.ts';
import { argumentCode } from '../crts/check.ts';
import type { Primitive, Steps } from '../crts/primitive.ts';
import { scriptOf } from '../crts/scripts.ts';
import type { Answer } from '../operation.ts';
import type { CpeProgram } from '../program.ts';
import { returnCode } from '../return-code.ts';
import { StaticLayout, type StaticVariable } from '../static-layout.ts';

/*
 * A thread and a call at work take a step for every delivery to their core, so what is around a program and around a script is no generator of its
 * own, which would be resumed each time as well.
 */

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
  new Program<ThreadStep, Answer>(() => threadSteps(program, arg, (statics) => cpeApi(identity, statics)));

/** What a program of a CPE asks for, given a context that lays out static data. */
export const threadSteps = (
  program: CpeProgram,
  arg: number,
  context: (statics: StaticLayout) => CpeApi,
): Iterator<ThreadStep, void, Answer> => new ThreadSteps(program, arg, context);

class ThreadSteps implements Iterator<ThreadStep, void, Answer> {
  readonly #statics = new StaticLayout();
  readonly #begin: () => ReturnType<CpeProgram>;
  #told = this.#statics.end;
  #count = 0;
  #running: ReturnType<CpeProgram> | undefined;
  /** A call that waits until its statics are told. */
  #held: IteratorResult<CpeOperation, void> | undefined;

  constructor(program: CpeProgram, arg: number, context: (statics: StaticLayout) => CpeApi) {
    this.#begin = () => program(context(this.#statics), arg);
  }

  next(given?: Answer): IteratorResult<ThreadStep, void> {
    const held = this.#held;
    if (held !== undefined) {
      this.#held = undefined;
      return held;
    }
    this.#running ??= this.#begin();
    // A program names its results itself: `yield` gives a return code, `yield*` what the operation says.
    const step = this.#running.next(given as number);
    if (step.done !== true && !isNamedOperation(step.value))
      throw noOperation(step.value, 'a call of the CPE: yield c.compute(10)');
    const { end, variables } = this.#statics;
    if (step.done === true || end === this.#told) return step;
    const added = variables.slice(this.#count);
    this.#told = end;
    this.#count = variables.length;
    this.#held = step;
    return { done: false, value: { op: 'statics', end, variables: added } };
  }
}

/** The steps of a call: one with good arguments is its script, one with others is refused before anything of it is done. */
class CallSteps implements Iterator<CallStep, void, Answer> {
  readonly #call: CpeOperation;
  readonly #facts: CpeFacts;
  #script: Steps | undefined;
  #isRefused = false;
  #isOver = false;

  constructor(call: CpeOperation, facts: CpeFacts) {
    this.#call = call;
    this.#facts = facts;
  }

  next(given?: Answer): IteratorResult<CallStep, void> {
    if (this.#isOver) return { done: true, value: undefined };
    if (this.#script === undefined) {
      const code = this.#isRefused ? returnCode.SUCCESS : argumentCode(this.#call, this.#facts);
      if (code !== returnCode.SUCCESS) {
        this.#isRefused = true;
        return { done: false, value: { op: 'refuse', code } };
      }
      this.#script = scriptOf(this.#call, this.#facts);
    }
    const step = this.#script.next(given as Answer);
    if (step.done !== true) return step;
    this.#isOver = true;
    return { done: false, value: { op: 'return', value: step.value } };
  }
}

/** A call at work. */
export const callOf = (call: CpeOperation, facts: CpeFacts): Program<CallStep, Answer> =>
  new Program<CallStep, Answer>(() => new CallSteps(call, facts));
