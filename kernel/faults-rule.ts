import { budgetOf, type FaultPlace, type InjectedFault, oddsOf } from './faults.ts';
import { patternTest } from './faults-pattern.ts';
import { type Address, WORLD } from './message.ts';

/** A fault of a run with what it remembers: chances and strikes. */
export class FaultRule {
  readonly #from: (name: string) => boolean;
  readonly #to: (name: string) => boolean;
  readonly #type: (type: string) => boolean;
  readonly #fromWorld: boolean;
  readonly #odds: { readonly count: number; readonly strikes: number };
  /** How many times it may strike. */
  readonly budget: number;
  chances = 0;
  struck = 0;

  constructor(
    /** Its place among the faults of the run, from 0. */
    readonly index: number,
    readonly fault: InjectedFault,
  ) {
    const place: FaultPlace = fault.kind === 'crash' ? { to: fault.actor } : fault;
    this.#from = patternTest(place.from);
    this.#to = patternTest(place.to);
    this.#type = patternTest(place.type);
    this.#fromWorld = place.from === 'world';
    this.#odds = oddsOf(fault);
    this.budget = budgetOf(fault);
  }

  /** True for a channel on which it may strike; of a crash, one to the actor. */
  isOn(from: Address, fromName: string, toName: string): boolean {
    if (this.fault.kind !== 'crash' && from === WORLD && !this.#fromWorld) return false;
    return this.#from(fromName) && this.#to(toName);
  }

  /** True for an event type that it may befall. */
  isOf(type: string): boolean {
    return this.#type(type);
  }

  /** Asks whether it strikes, unless it cannot any more. */
  strikes(what: () => string, choose: (what: string, count: number) => number): boolean {
    if (this.struck >= this.budget) return false;
    this.chances++;
    const { count, strikes } = this.#odds;
    const pick = count === 1 ? 1 : choose(what(), count);
    if (pick === 0 || pick > strikes) return false;
    this.struck++;
    return true;
  }
}
