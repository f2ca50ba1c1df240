import {
  apart,
  asFound,
  type Delivered,
  type Found,
  givenTo,
  judgedBy,
  memoryOf,
  type Observer,
  type Pending,
} from '../kernel/explore/observer.ts';
import type { GlobalState } from '../kernel/global-state.ts';
import type { MessageObservation, ProbeObservation, TimedObservation } from './temporal/pattern.ts';

/** A property at work on one run: everything that happens is to be told to it, in order. */
export class Observing {
  readonly #property: Observer;
  readonly #types: ReadonlySet<string> | undefined;
  readonly #stateOf: (tick: number) => GlobalState;
  readonly #found: (finding: Found) => void;
  readonly #met: (key: string) => void;
  readonly #memory: object;
  readonly #zeroCopy: boolean;
  #tick = 0;
  /** What was delivered in the present tick, for those who look at its end. */
  #step: MessageObservation[] = [];
  /** True once it saw something that it is about; one that looks at states always does. */
  judged = false;

  /** `met` is told the keys of what was pending and came; `zeroCopy`: what is observed is handed over as it is. */
  constructor(
    property: Observer,
    stateOf: (tick: number) => GlobalState,
    found: (finding: Found) => void,
    zeroCopy: boolean,
    met: (key: string) => void = () => {},
  ) {
    this.#property = property;
    this.#types = property.watches && new Set(property.watches);
    this.#stateOf = stateOf;
    this.#found = found;
    this.#met = met;
    this.#zeroCopy = zeroCopy;
    this.#memory = memoryOf(property);
  }

  /** What must still come. */
  get pending(): readonly Pending[] {
    return this.#property.pending?.(this.#memory) ?? [];
  }

  probe(shown: ProbeObservation): void {
    if (this.#watches(shown.probe.type)) this.#see(shown);
  }

  message(delivery: MessageObservation): void {
    if (this.#property.tellsSteps) this.#step.push(delivery);
    if (this.#watches(delivery.event.type)) this.#see(delivery);
  }

  endOfTick(tick: number): void {
    this.#advance(tick);
    this.#tell(this.#property.endOfTick?.(this.#memory));
    this.state(tick);
  }

  /** The state of the machine at the end of a tick, or before the first. */
  state(tick = -1): void {
    if (!this.#property.seeState) return;
    if (!this.#property.judges) this.judged = true;
    const step = this.#step;
    this.#tell(
      this.#property.seeState(this.#memory, this.#stateOf(tick), this.#met, () => step.map(deliveredIn)),
    );
    this.#step = [];
  }

  /** It is this tick, in which nothing has happened yet. */
  moveOn(tick: number): void {
    this.#advance(tick);
  }

  /** Nothing will happen any more. */
  atRest(): void {
    if (this.#property.seeRest) {
      this.judged = true;
      this.#tell(this.#property.seeRest(this.#memory, this.#stateOf(atRest)));
    }
    this.#tell(this.#property.atRest?.(this.#memory));
  }

  #watches(type: string): boolean {
    return this.#types === undefined || this.#types.has(type);
  }

  #see(observation: TimedObservation): void {
    if (!this.judged) this.judged = judgedBy(this.#property, observation);
    this.#advance(observation.tick!);
    const given = this.#zeroCopy ? observation : givenTo(this.#property, observation);
    this.#tell(this.#property.see(this.#memory, given, this.#met));
  }

  #advance(tick: number): void {
    if (tick > this.#tick) this.#tell(this.#property.advance?.(this.#memory, tick - this.#tick));
    this.#tick = tick;
  }

  #tell(given: Found | undefined): void {
    const found = asFound(given);
    if (found && !this.#property.reachable) for (const one of apart(found)) this.#found(one);
  }
}

/** After all ticks. */
const atRest = Number.POSITIVE_INFINITY;

const deliveredIn = ({ event, from, to }: MessageObservation): Delivered => ({
  kind: 'message',
  from,
  to,
  event,
});
