import { type Choices, canonical } from '../choices.ts';
import { KernelError } from '../errors.ts';
import type { Message } from '../message.ts';
import type { Run } from '../run.ts';
import type { Route, RouteStep } from './route.ts';
import { transcriptOf } from './transcript.ts';

/**
 * Choices that make a run take a route; after its end they are first come, first served.
 *
 * Details: hand them to a run, then let them `follow` it before its first step. Recorded, they are a tape like any other. Errors: KRN010 when the run
 * offers nothing that the route goes on with, since it is a run of another machine.
 */
export class GuidedChoices implements Choices {
  readonly canonical = false;
  readonly #route: Route;
  /** The step that comes next, or, while a delivery is going on, that one. */
  #step = -1;
  /** How many answers of the step were given. */
  #answered = 0;
  /** True once a fault has struck in the run. */
  #faulty = false;

  constructor(route: Route) {
    this.#route = route;
  }

  /** Counts the deliveries of the run. */
  follow(run: Run): void {
    this.#answered = 0;
    this.#step = 0;
    if (run.asynchronous) {
      // A step in which nothing comes of a message is none: only the others end a tick.
      run.ticks$.subscribe(() => this.#goOn());
      return;
    }
    run.messages$.subscribe(() => this.#goOn());
    run.faults$.subscribe(({ kind, message }) => {
      this.#faulty = true;
      // What an actor that crashed has sent to itself is no step: the exploration takes it away with the actor.
      if (kind === 'crash' || (kind === 'lost' && message.from !== message.to)) this.#goOn();
    });
  }

  #goOn(): void {
    this.#answered = 0;
    this.#step++;
    const { steps, cycleFrom } = this.#route;
    if (this.#step === steps.length && cycleFrom !== undefined) this.#step = cycleFrom;
  }

  pick(what: string, count: number, candidates?: readonly Message[]): number {
    const { start, steps } = this.#route;
    const step = steps[this.#step];
    if (this.#step >= steps.length) return canonical.pick(what, count);
    if (candidates === undefined) return (step ? step.picks : start)[this.#answered++] ?? 0;
    const pick = candidates.findIndex((candidate) => step !== undefined && isMeant(step, candidate));
    // What is left of a tick after its last step is lost anyway.
    if (pick < 0 && this.#faulty) return 0;
    if (pick < 0)
      throw new KernelError('KRN010', what, `the route goes on with a channel that has nothing to deliver`);
    return pick;
  }

  save(): unknown {
    return { step: this.#step, answered: this.#answered };
  }

  load(saved: unknown): void {
    const { step, answered } = saved as { step: number; answered: number };
    this.#step = step;
    this.#answered = answered;
  }
}

/** True when a message is the one that a step of a route delivers. */
function isMeant({ from, to, event, timer = false }: RouteStep, message: Message): boolean {
  if (from !== message.from || to !== message.to || timer !== message.timer) return false;
  return event === undefined || transcriptOf(event) === transcriptOf(message.event);
}
