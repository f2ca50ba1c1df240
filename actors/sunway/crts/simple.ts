import type { ReturnCode } from '../return-code.ts';
import type { Primitive, Script } from './primitive.ts';

/** A call that is one primitive of which nothing but success is told. */
export function* oneStep(step: Primitive): Script {
  yield step;
  return 0;
}

/** A call that gives what one primitive gives. */
export function* asked(step: Primitive): Script {
  return yield step;
}

/** A call that gives what the core knows, in one cycle. */
export function* known(value: number): Script {
  yield { op: 'compute', cycles: 1 };
  return value;
}

/** A call that is refused before anything of it is done. */
export function* refusal(code: ReturnCode): Script {
  yield { op: 'refuse', code };
  return code;
}
