import { KernelError } from './errors.ts';
import type { InjectedFault } from './faults.ts';
import { patternTest } from './faults-pattern.ts';
import type { Address } from './message.ts';
import { familySpan, type Wiring } from './wiring.ts';

/**
 * Which actors are inside others: members of families that were declared with `inside`.
 *
 * Details: an actor and those inside it are one part of the hardware, drawn as several state machines. What they say to each other is delivered before anything else
 * (a committed step, in the words of UPPAAL), so that the whole handles a message from the outside to its end, as a single actor does; one
 * handling says one thing within, so that there is one order. To the outside they are one:
 * what an inner actor posts comes from the actor that it is inside of, which is also who gets the answers.
 */
export class InnerActors {
  /** By number of the family: the actor that its members are inside of. */
  readonly #outer: readonly (Address | undefined)[];
  readonly #nameOf: (address: Address) => string;

  private constructor(outer: readonly (Address | undefined)[], nameOf: (address: Address) => string) {
    this.#outer = outer;
    this.#nameOf = nameOf;
  }

  /** Those of a wiring; undefined where nobody is inside anybody. */
  static of(wiring: Wiring): InnerActors | undefined {
    if (!wiring.families.some(({ inside }) => inside !== undefined)) return undefined;
    return new InnerActors(
      wiring.families.map(({ inside }) => inside),
      (address) => wiring.nameAt(address),
    );
  }

  /** The actor that the outside sees: of one that is inside another, that other one. */
  faceOf(address: Address): Address {
    if (address < familySpan) return address;
    return this.#outer[Math.floor(address / familySpan) - 1] ?? address;
  }

  /** Refuses faults that crash an actor with others inside it: half of a whole cannot begin anew. Errors: KRN005. */
  refuseCrashes(faults: readonly InjectedFault[]): void {
    for (const fault of faults) {
      if (fault.kind !== 'crash') continue;
      const isMeant = patternTest(fault.actor);
      const whole = this.#outer.find((at) => at !== undefined && isMeant(this.#nameOf(at)));
      if (whole !== undefined)
        throw new KernelError(
          'KRN005',
          this.#nameOf(whole),
          `the fault that crashes "${fault.actor}" would stop it and leave the actors inside it as they are`,
        );
    }
  }

  /** True for a message between the actors of one whole: it is delivered before all others. */
  isWithin(from: Address, to: Address): boolean {
    return from !== to && this.faceOf(from) === this.faceOf(to);
  }

  /** Refuses what only actors that stand for themselves may do. Errors: KRN005. */
  verifyOuter(address: Address, what: string): void {
    const face = this.faceOf(address);
    if (face !== address)
      throw new KernelError(
        'KRN005',
        this.#nameOf(address),
        `${what}, which ${this.#nameOf(face)} has to do for it`,
      );
  }

  /** Whom a message comes from. Errors: KRN005 for one to an inner actor that does not come from its own whole, or not at once. */
  senderOf(from: Address, to: Address, delay: number, type: string): Address {
    const face = this.faceOf(to);
    if (from !== to && this.faceOf(from) === face && delay === 0) return from;
    if (face !== to)
      throw new KernelError(
        'KRN005',
        this.#nameOf(from),
        `"${type}" was posted to ${this.#nameOf(to)}, which is inside ${this.#nameOf(face)}: only that actor and others inside it may, without a delay`,
      );
    return this.faceOf(from);
  }
}

/** Refuses a second message within the whole in one handling, and one while an actor starts. Errors: KRN005. */
export function refuseWithin(actor: string, type: string): never {
  throw new KernelError(
    'KRN005',
    actor,
    `"${type}" was posted within its whole, which a handling does once and a start never`,
  );
}
