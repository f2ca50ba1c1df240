/** `lockstep/testing/vitest`: to import for its effect, matchers such as `expect(machine).toHold()` in vitest. */
import { expect } from 'vitest';
import { type HoldOptions, matchers, type RestOptions } from '../testing/matchers.ts';

/** What `expect(machine)` has besides. */
interface LockstepMatchers {
  /** Its properties hold in every schedule, or in so many random ones when there are `runs`. */
  toHold(options?: HoldOptions): Promise<void>;
  /** Every schedule comes to its rest, and nobody waits then. */
  toReachRest(options?: RestOptions): Promise<void>;
  /** It repeats a recorded run. */
  toReplay(recording: string): Promise<void>;
}

declare module 'vitest' {
  // biome-ignore lint/suspicious/noExplicitAny: as vitest declares it
  interface Matchers<T = any> extends LockstepMatchers {}
}

expect.extend(matchers);
