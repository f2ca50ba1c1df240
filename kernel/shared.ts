import { copyContext } from './copy.ts';
import type { Hasher } from './hash.ts';
import type { Resource } from './resource.ts';

/**
 * Plain data that several actors hold and any of them may change: the registers, flags and tables of a shared memory.
 *
 * Details: `value` is changed in place, like a context: `me.flags.value[1] = true`.
 */
export class Shared<T extends object> implements Resource {
  constructor(readonly value: T) {}
  fork(): Shared<T> {
    return new Shared(copyContext(this.value, new Map(), false, 'shared'));
  }
  hash(into: Hasher): void {
    into.value(this.value);
  }
  describe(): T {
    return this.value;
  }
}

/** Wraps plain data for `Wiring.share`: `wiring.share('Registers', shared({ turn: 0, flags: [false, false] }))`. */
export const shared = <T extends object>(value: T): Shared<T> => new Shared(value);
