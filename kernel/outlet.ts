import type { Subject } from 'rxjs';
import type { Calendar } from './calendar.ts';
import type { Choices } from './choices.ts';
import { defect, KernelError } from './errors.ts';
import type { Injection } from './faults.ts';
import type { FaultHost, FaultInjector } from './faults-injector.ts';
import { type Address, Message, type Post, type Probe, type Report } from './message.ts';
import type { Host, Part } from './part.ts';
import type { Pick, Run, Shown } from './run.ts';
import { emit } from './stream.ts';

/**
 * What the parts of a run do to the world around them: messages into the calendar, picks from the choices, probes and reports to observers.
 *
 * Details: one class with methods, and not functions made for each run, so that the engine of the computer calls the same text for all runs.
 */
export class Outlet implements Host, FaultHost {
  /** Messages posted so far: the number of the next one. */
  seq = 0;
  /** Number of the message that is being handled, -1 outside of deliveries. */
  cause = -1;
  /** What stands between posts and the calendar, in a run with faults. */
  faults: FaultInjector | undefined = undefined;
  readonly calendar: Calendar;
  readonly #run: Run;
  readonly #choices: Choices;
  readonly #probes$: Subject<Shown>;
  readonly #picks$: Subject<Pick>;

  constructor(run: Run, calendar: Calendar, choices: Choices) {
    this.#run = run;
    this.calendar = calendar;
    this.#choices = choices;
    this.#probes$ = run.probes$;
    this.#picks$ = run.picks$;
  }

  get observed(): boolean {
    return this.#probes$.observed;
  }

  /** Posts a message. Errors: KRN005 for an address that is none, KRN006 for a delay that is none. */
  send(from: Address, to: Address, delay: number | undefined, post: Post): void {
    const now = this.calendar.now;
    let due = now;
    if (delay !== undefined && delay !== 0) {
      if (!Number.isSafeInteger(delay) || delay < 0)
        throw new KernelError('KRN006', this.#run.nameOf(from), `the delay of "${post.type}" is ${delay}`);
      due = now + delay;
      if (!Number.isSafeInteger(due))
        throw new KernelError(
          'KRN006',
          this.#run.nameOf(from),
          `the delay of "${post.type}" leads beyond the last tick`,
        );
    }
    if (!(to >= 0))
      throw new KernelError('KRN005', this.#run.nameOf(from), `"${post.type}" was posted to address ${to}`);
    const message = new Message(this.seq++, due, from, to, this.cause, post);
    if (this.faults === undefined) this.calendar.add(message);
    else this.faults.send(message);
  }

  pick(part: Part, what: string, count: number): number {
    return this.choose(`${part.name} ${what}`, count);
  }

  /** Asks for a pick and shows it. */
  choose(what: string, count: number, candidates?: readonly Message[]): number {
    const pick = this.#choices.pick(what, count, candidates);
    if (!(Number.isInteger(pick) && pick >= 0 && pick < count))
      defect(`picked ${pick} of ${count} for "${what}"`);
    const tick = this.calendar.now;
    if (this.#picks$.observed) emit(this.#picks$, 'picks$', tick, { tick, what, count, pick });
    return pick;
  }

  nextSeq(): number {
    return this.seq++;
  }

  nameOf(address: Address): string {
    return this.#run.nameOf(address);
  }

  tell(injection: Injection): void {
    emit(this.#run.faults$, 'faults$', this.calendar.now, injection);
  }

  show(part: Part, probe: Probe): void {
    const tick = this.calendar.now;
    emit(this.#probes$, 'probes$', tick, { tick, actor: part.name, address: part.address, probe });
  }

  complain(part: Part, report: Report): void {
    this.#run.report([part.name], report);
  }
}
