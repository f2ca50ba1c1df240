import type { LockstepEvent, Probe } from '../../../kernel/message.ts';
import type { Run } from '../../../kernel/run.ts';
import type { Given } from '../../../machines/machine.ts';
import type { SunwayConfig, SunwayPrograms } from '../../../machines/sunway/config.ts';
import type { SunwayResult } from '../../../machines/sunway.ts';
import type { Reference } from '../../with-reference.ts';

type SunwayGiven = Given<SunwayConfig, SunwayPrograms>;

/** A message as it was delivered and handled, with the names of both sides. */
export interface Heard {
  readonly from: string;
  readonly to: string;
  readonly tick: number;
}

/**
 * What works out, beside a run, what one kind of part must do: plain code that shares nothing with the machine.
 *
 * Details: it hears of messages after they were handled, in that order, and of probes behind the message whose handling shows them.
 */
export interface Follower {
  /** The types of messages and probes that it wants to hear of. */
  readonly watches: readonly string[];
  hear?(event: LockstepEvent, where: Heard): void;
  look?(probe: Probe, tick: number): void;
  /** What differs when the run has ended; nothing when all agrees. */
  difference(result: () => SunwayResult): string | undefined;
}

/** Makes what follows a run; nothing for a run that it says nothing about. */
export type Following = (given: SunwayGiven, run: Run) => Follower | undefined;

/** The reference that consists of several followers. */
export const followedBy =
  (followings: readonly Following[]): Reference =>
  (run, anyGiven, assembly) => {
    // The name of the machine says what was given.
    const followers = followings.flatMap((one) => one(anyGiven as SunwayGiven, run) ?? []);
    const byType = new Map<string, Follower[]>();
    for (const one of followers)
      for (const type of one.watches) byType.set(type, [...(byType.get(type) ?? []), one]);
    const stop = run.listen({
      delivered: ({ event, due: tick, from }, to) => {
        const told = byType.get(event.type);
        if (told === undefined) return;
        const where = { from: run.nameOf(from), to, tick };
        for (const one of told) one.hear?.(event, where);
      },
      shown: (tick, _actor, probe) => {
        for (const one of byType.get(probe.type) ?? []) one.look?.(probe, tick);
      },
    });
    return () => {
      stop();
      let known: SunwayResult | undefined;
      const result = () => {
        known ??= assembly.result(run) as SunwayResult;
        return known;
      };
      for (const one of followers) {
        const why = one.difference(result);
        if (why !== undefined) return why;
      }
      return undefined;
    };
  };

/**
 * What must come, and when: each thing exactly once, no sooner and no later.
 *
 * Details: `slack` is how many cycles later it may come, where a schedule may add to services.
 */
export class Promises {
  readonly #open = new Map<string, number[]>();
  readonly #slack: number;
  #first: string | undefined;

  constructor(slack = 0) {
    this.#slack = slack;
  }

  /** Something must come in a cycle. */
  promise(what: string, tick: number): void {
    const open = this.#open.get(what);
    if (open === undefined) this.#open.set(what, [tick]);
    else open.push(tick);
  }

  /** It has come. */
  keep(what: string, tick: number): void {
    const open = this.#open.get(what);
    if (open === undefined) {
      this.fail(`${what} comes in cycle ${tick}, the reference expects none`);
      return;
    }
    let at = open.findIndex((due) => due <= tick && tick <= due + this.#slack);
    if (at < 0) {
      this.fail(`${what} comes in cycle ${tick}, the reference has ${open.join(', ')}`);
      at = 0;
    }
    if (open.length === 1) this.#open.delete(what);
    else open.splice(at, 1);
  }

  /** Something else is wrong. The first that is says most. */
  fail(why: string): void {
    this.#first ??= why;
  }

  /** What was wrong first; what never came, if all else is right. */
  get difference(): string | undefined {
    if (this.#first !== undefined) return this.#first;
    for (const [what, [tick]] of this.#open) return `${what} never comes, the reference has cycle ${tick}`;
    return undefined;
  }
}
