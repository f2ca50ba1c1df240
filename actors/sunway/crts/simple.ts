import type { Answer } from '../operation.ts';
import type { ReturnCode } from '../return-code.ts';
import type { Primitive, Steps } from './primitive.ts';

/** A call that is one primitive; most calls are. Its result is what the primitive gives, or one that is known before. */
class OneStep implements Iterator<Primitive, Answer, Answer> {
  #step: Primitive | undefined;
  readonly #result: Answer | undefined;

  constructor(step: Primitive, result: Answer | undefined) {
    this.#step = step;
    this.#result = result;
  }

  next(given?: Answer): IteratorResult<Primitive, Answer> {
    const step = this.#step;
    if (step === undefined) return { done: true, value: this.#result ?? given! };
    this.#step = undefined;
    return { done: false, value: step };
  }
}

/** A call that is one primitive of which nothing but success is told. */
export const oneStep = (step: Primitive): Steps => new OneStep(step, 0);

/** A call that gives what one primitive gives. */
export const asked = (step: Primitive): Steps => new OneStep(step, undefined);

/** A call that gives what the core knows, in one cycle. */
export const known = (value: number): Steps => new OneStep({ op: 'compute', cycles: 1 }, value);

/** A call that is refused before anything of it is done. */
export const refusal = (code: ReturnCode): Steps => new OneStep({ op: 'refuse', code }, code);
