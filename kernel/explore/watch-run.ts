import type { Run } from '../run.ts';
import {
  type Claim,
  claimsOf,
  claimText,
  type Delivered,
  isSame,
  isSameInOtherWords,
  recentMax,
} from './claim.ts';
import {
  apart,
  type Delivered as DeliveredMessage,
  type Found,
  givenTo,
  lookedAt,
  memoryOf,
  type Observation,
  type Observer,
  together,
} from './observer.ts';
import type { Route } from './route.ts';
import { transcriptOf } from './transcript.ts';

/** An observer at work on a run. */
interface Watching {
  readonly observer: Observer;
  readonly memory: object;
  /** Keys of what has been pending ever since a round began that never ends; undefined before it begins. */
  open: Set<string> | undefined;
}

/**
 * Observers that watch a run along a route as they watch an exploration, and what the run came to in all.
 *
 * Why: what an exploration finds is looked for once more in a run, by code that the exploration has no part in. Gotchas: make it before the first step of the
 * run.
 */
export class RunWatch {
  readonly #run: Run;
  readonly #route: Route;
  readonly #watching: readonly Watching[];
  readonly #found: Claim[] = [];
  /** The last deliveries of the present tick: those of one round where the route goes in a circle. */
  readonly #last: Delivered[] = [];
  #delivered = 0;
  /** All deliveries of the present tick. */
  #step: DeliveredMessage[] = [];
  #tick = 0;
  /** True when something happened in the present tick. */
  #isTick = false;
  /** The state where the round began. */
  #first = '';

  constructor(run: Run, observers: readonly Observer[], route: Route) {
    this.#run = run;
    this.#route = route;
    this.#watching = observers.map((observer) => ({
      observer,
      memory: memoryOf(observer),
      open: undefined,
    }));
    run.listen({
      started: () => {
        this.#lookAtState();
        if (route.cycleFromTick === -1) this.#beginRound();
      },
    });
    run.probes$.subscribe(({ tick, actor, probe }) => {
      this.#moveOn(tick);
      this.#see(probe.type, { kind: 'probe', actor, probe });
    });
    run.messages$.subscribe(({ message: { due, event }, from, to }) => {
      this.#happens({ type: event.type, to });
      this.#step.push({ kind: 'message', from, to, event });
      this.#moveOn(due);
      this.#see(event.type, { kind: 'message', from, to, event });
    });
    run.faults$.subscribe(({ kind, to, message }) => {
      // What an actor that crashed has sent to itself is taken away with the actor in an exploration.
      if (kind === 'crash' || (kind === 'lost' && message.from !== message.to))
        this.#happens({ type: message.event.type, to });
    });
    run.ticks$.subscribe((tick) => this.#endOfTick(tick));
  }

  /** The run has been carried out to the end of its route. */
  end(): void {
    // When the first delivery of the last tick has failed nobody has heard that time has gone on.
    if (!this.#run.asynchronous || !this.#run.isAtRest) this.#moveOn(this.#route.tick);
    if (this.#run.isAtRest)
      this.#judge((observer, memory) =>
        together(
          [
            observer.seeRest?.(memory, this.#run.presentState(observer.keepsNothing ? 'live' : 'copies')),
            observer.atRest?.(memory),
          ].filter((one) => one !== undefined),
        ),
      );
  }

  /** What the run came to that is this, in its own words; undefined when it did not come to it. */
  comesTo(claim: Claim): Claim | undefined {
    if (this.#isEndless(claim) || this.#claims.some((one) => isSame(one, claim))) return claim;
    // A sentence that goes through the keys of its memory may say the same in another order.
    return this.#claims.findLast((one) => isSameInOtherWords(one, claim));
  }

  /** What the run came to, in words. */
  get text(): string {
    return this.#claims.map(claimText).join('; ') || 'nothing';
  }

  get #claims(): readonly Claim[] {
    return [...claimsOf(this.#run.outcome, this.#last), ...this.#found];
  }

  /** True when the run goes round for ever, as its route says, and what is pending all the way round contradicts the sentence. */
  #isEndless({ what, actors, why }: Claim): boolean {
    if (this.#route.cycleFromTick === undefined || this.#stateText !== this.#first) return false;
    return this.#watching.some(({ observer, memory, open }) =>
      observer
        .pending?.(memory)
        .some(
          (pending) =>
            open?.has(pending.key) &&
            (pending.property ?? observer.sentence) === what &&
            pending.actors.join('\n') === actors.join('\n') &&
            why.startsWith(pending.why),
        ),
    );
  }

  #happens(delivered: Delivered): void {
    const { steps, cycleFrom, cycleFromTick } = this.#route;
    const inTick = cycleFrom !== undefined && cycleFromTick === undefined;
    this.#last[this.#delivered++ % (inTick ? steps.length - cycleFrom : recentMax)] = delivered;
    this.#isTick = true;
  }

  #moveOn(tick: number): void {
    const passed = tick - this.#tick;
    if (passed <= 0) return;
    this.#tick = tick;
    this.#judge((observer, memory) => observer.advance?.(memory, passed));
  }

  #endOfTick(tick: number): void {
    this.#last.length = 0;
    this.#delivered = 0;
    // A tick that only brings what crashed actors had sent to themselves is none to an exploration.
    if (!this.#isTick && !this.#run.asynchronous) return;
    this.#isTick = false;
    this.#moveOn(tick);
    this.#judge((observer, memory) => observer.endOfTick?.(memory));
    this.#lookAtState();
    this.#step = [];
    this.#keepPending();
    if (tick === this.#route.cycleFromTick) this.#beginRound();
  }

  #lookAtState(): void {
    if (!this.#watching.some(({ observer }) => observer.seeState)) return;
    const step = this.#step;
    this.#judge((observer, memory, met) =>
      observer.seeState?.(
        memory,
        this.#run.presentState(observer.keepsNothing ? 'live' : 'copies'),
        met,
        () => step,
      ),
    );
  }

  #see(type: string, observation: Observation): void {
    this.#judge((observer, memory, met) =>
      (observer.watches?.includes(type) ?? true)
        ? observer.see(memory, givenTo(observer, observation), met)
        : undefined,
    );
    this.#keepPending();
  }

  #judge(look: (observer: Observer, memory: object, met: (key: string) => void) => Found | undefined): void {
    for (const { observer, memory, open } of this.#watching) {
      const found = lookedAt(observer, () => look(observer, memory, (key) => open?.delete(key)));
      // It remembers what it remembers in an exploration.
      observer.abridge?.(memory);
      if (!found || observer.reachable) continue;
      for (const { property: what = observer.sentence, actors, why } of apart(found))
        this.#found.push({ verdict: 'violated', what, actors, why });
    }
  }

  get #stateText(): string {
    const { actors, messages } = this.#run.state;
    return transcriptOf([actors, messages, this.#watching.map(({ memory }) => memory)]);
  }

  #beginRound(): void {
    this.#first = this.#stateText;
    for (const one of this.#watching)
      one.open = new Set(one.observer.pending?.(one.memory).map(({ key }) => key));
  }

  #keepPending(): void {
    for (const { observer, memory, open } of this.#watching) {
      if (!open) continue;
      const left = observer.pending?.(memory).map(({ key }) => key) ?? [];
      for (const key of open) if (!left.includes(key)) open.delete(key);
    }
  }
}
