import type { Access } from './access.ts';
import type { Rules, Stamp } from './clock.ts';
import { conflict, conflictReport } from './conflict.ts';
import type { ReportOnce } from './report-once.ts';
import { Shadow } from './shadow.ts';

/** Which accesses there were, and the pairs among them that nothing orders. */
export class AccessHistory {
  readonly #policy: Rules;
  readonly #told: ReportOnce;
  readonly #shadow = new Shadow();

  constructor(policy: Rules, told: ReportOnce) {
    this.#policy = policy;
    this.#told = told;
  }

  /** Accesses remembered, each once for every stretch of bytes that it is kept with. */
  get size(): number {
    return this.#shadow.size;
  }

  /** Meets a new access with all that its bytes remember, and remembers it; with `beside` it says nothing for those before it, which stay. */
  add(access: Access, stamp: Stamp, beside = false): void {
    this.meet(access, stamp, beside);
    this.#shadow.insert(access);
  }

  /** Remembers an access. */
  remember(access: Access): void {
    this.#shadow.insert(access);
  }

  /** Tells of every pair with a new access that what is known at a moment leaves unordered. */
  meet(access: Access, stamp: Stamp, beside = false): void {
    this.#shadow.check(access, (earlier, from, to) => {
      if (this.#isOrdered(earlier, access, stamp, this.#policy)) return !beside;
      if (!conflict(earlier, access)) return false;
      const [first, second] = [earlier.transfer, access.transfer];
      const underLenient = this.#policy === 'strict' && this.#isOrdered(earlier, access, stamp, 'lenient');
      for (const part of earlier.parts(from, to)) {
        const before = first?.issue.transfer ?? `${earlier.time} ${earlier.deedAt(part[0]).operation.step}`;
        this.#told.say(
          conflictReport(earlier, access, part, underLenient),
          `${earlier.core} ${before} ${access.core} ${second?.issue.transfer ?? access.from}`,
        );
      }
      // What one operation of several has to do with the new one says nothing of the others.
      if (earlier.grown) return false;
      // It says nothing of what the other rules would have told.
      earlier.toldAt(access.core, access.time, this.#policy);
      return !beside;
    });
  }

  /** Shows the accesses that share bytes with another one; those for which the answer is true may be forgotten where the other says as much. */
  look(access: Access, at: (earlier: Access, from: number, to: number) => boolean): void {
    this.#shadow.check(access, at);
  }

  /** Forgets every access that `over` says nobody can meet any more. */
  forget(over: (access: Access) => boolean): void {
    this.#shadow.forget(over);
  }

  #isOrdered(earlier: Access, later: Access, stamp: Stamp, rules: Rules): boolean {
    if (earlier.isBefore(stamp, rules)) return true;
    if (earlier.transfer && later.transfer) return earlier.transfer.isOrderedBefore(later.transfer);
    return earlier.sort === 'dirty' && later.sort === 'dirty' && earlier.core === later.core;
  }
}
