import { invariant } from '../errors.ts';
import { type InjectedFault, oddsOf } from '../faults.ts';
import { Corrupter } from '../faults-corrupt.ts';
import { FaultRule } from '../faults-rule.ts';
import type { Address, LockstepEvent } from '../message.ts';
import type { Speakers } from '../protocol/speakers.ts';

/** One end of a channel, as faults see it. */
export interface FaultEnd {
  readonly address: Address;
  readonly name: string;
}

/** A message after faults had their chance. */
export interface Befallen {
  readonly delay: number;
  readonly event: LockstepEvent;
}

/**
 * The faults of a machine as an exploration sees them: whether one strikes is a question like any other, and its likelihood does not matter.
 *
 * Details: how often faults with a budget have struck is a number, the *budget state*, from 0 for never. Faults without a budget have no part in it.
 */
export class FaultBranches {
  /** How many budget states there are; 1 when no fault has a budget. */
  readonly states: number;
  readonly rules: readonly FaultRule[];
  /** By rule: what a strike adds to the budget state; 0 without a budget. */
  readonly weights: readonly number[];

  readonly corrupter: Corrupter;

  constructor(faults: readonly InjectedFault[], speakers?: Speakers) {
    this.corrupter = new Corrupter(speakers);
    this.rules = faults.map((fault, index) => new FaultRule(index, fault));
    invariant(
      faults.every(({ kind }) => kind !== 'delay'),
      'channels that wait for delayed messages are not explored',
    );
    let states = 1;
    this.weights = this.rules.map(({ budget }) => {
      if (budget === Number.POSITIVE_INFINITY) return 0;
      const weight = states;
      states *= budget + 1;
      return weight;
    });
    this.states = states;
  }

  /** The chances of one handling that begins in a budget state. */
  handling(budgetState: number, ask: (count: number) => number): FaultChances {
    return new FaultChances(this, budgetState, ask);
  }
}

/** What faults may do in one handling; says which of them did. Questions are asked in the order in which a run asks them. */
export class FaultChances {
  readonly #branches: FaultBranches;
  readonly #ask: (count: number) => number;
  readonly #began: number;
  #budgetState: number;

  constructor(branches: FaultBranches, budgetState: number, ask: (count: number) => number) {
    this.#branches = branches;
    this.#ask = ask;
    this.#began = budgetState;
    this.#budgetState = budgetState;
  }

  /** What the strikes so far add to the budget state. */
  get struck(): number {
    return this.#budgetState - this.#began;
  }

  /** The messages that a posted one becomes, in the order of the channel. */
  posted(from: FaultEnd, to: FaultEnd, delay: number, event: LockstepEvent): readonly Befallen[] {
    const plain = { delay, event };
    if (from.address === to.address) return [plain];
    const rule = this.#branches.rules.find(
      (one) =>
        one.fault.kind !== 'crash' &&
        one.isOn(from.address, from.name, to.name) &&
        one.isOf(event.type) &&
        (one.fault.kind !== 'corrupt' ||
          this.#branches.corrupter.canCorrupt(to.address, event, one.fault.field)) &&
        this.#strikes(one),
    );
    if (!rule) return [plain];
    const { fault } = rule;
    switch (fault.kind) {
      case 'drop':
        return [];
      case 'duplicate':
        return [plain, plain];
      case 'reorder':
      case 'delay':
        return [{ delay: delay + fault.ticks, event }];
      case 'corrupt':
        return [
          {
            delay,
            event: this.#branches.corrupter.corrupted(to.address, event, fault.field, (_, count) =>
              this.#ask(count),
            ).event,
          },
        ];
      case 'crash':
        return [plain];
      default:
        return fault satisfies never;
    }
  }

  /** The fault by which an actor crashes in front of a message; undefined when it handles it. */
  crash(from: Address, to: FaultEnd): FaultRule | undefined {
    return this.#branches.rules.find(
      (one) => one.fault.kind === 'crash' && one.isOn(from, '', to.name) && this.#strikes(one),
    );
  }

  #strikes({ index, fault, budget }: FaultRule): boolean {
    const weight = this.#branches.weights[index]!;
    if (weight > 0 && Math.floor(this.#budgetState / weight) % (budget + 1) === budget) return false;
    // A count of 1 strikes always and asks for nothing; else 0 is no strike, and from 1 on some are.
    if (oddsOf(fault).count > 1 && this.#ask(2) === 0) return false;
    this.#budgetState += weight;
    return true;
  }
}
