import type { Message } from '../kernel/message.ts';
import type { Violation } from '../kernel/outcome.ts';
import type { Run } from '../kernel/run.ts';

/** Lines of the causal past that a report shows (house style, section 7). */
export const pastLinesMax = 12;
/** Deliveries that are remembered; a cause that lies farther back is not shown. */
const remembered = 1 << 14;

/**
 * What led to the first violation of a run: the message during which it was found, the message that caused it, and so on back.
 *
 * Details: remembers the last 16,384 deliveries. A violation found at the end of a tick belongs to the last message its actors were sent, and so
 * does one that is found only when the run is over, which `late` says: what led to that one may lie farther back.
 */
export class CausalPast {
  readonly #run: Run;
  readonly #ring: Message[] = [];
  #next = 0;
  #violation: Violation | undefined;
  #lines: readonly string[] | undefined;
  #late = false;

  constructor(run: Run) {
    this.#run = run;
    run.messages$.subscribe(({ message }) => {
      this.#ring[this.#next] = message;
      this.#next = (this.#next + 1) % remembered;
      // A part reports while it handles a message, which is emitted right after.
      if (this.#violation && !this.#lines) this.#lines = this.#pastOf(message);
    });
    run.violations$.subscribe((violation) => (this.#violation ??= violation));
    run.ticks$.subscribe(() => this.#settle());
  }

  /** One line a message, oldest first; empty when there was no violation. */
  get lines(): readonly string[] {
    if (this.#violation && !this.#lines) this.#late = true;
    this.#settle();
    return this.#lines ?? [];
  }

  /** True when the violation was found only after the last tick. */
  get late(): boolean {
    return this.lines.length > 0 && this.#late;
  }

  #settle(): void {
    if (!this.#violation || this.#lines) return;
    const { actors } = this.#violation;
    const known = this.#newestFirst();
    const last = known.find((message) => actors.includes(this.#run.nameOf(message.to))) ?? known[0];
    this.#lines = last ? this.#pastOf(last) : [];
  }

  #pastOf(last: Message): readonly string[] {
    const bySeq = new Map(this.#ring.map((message) => [message.seq, message]));
    const lines: string[] = [];
    for (let at: Message | undefined = last; at && lines.length < pastLinesMax; at = bySeq.get(at.cause))
      lines.push(
        `tick ${at.due}  ${this.#run.nameOf(at.from)} -> ${this.#run.nameOf(at.to)}  ${at.event.type}`,
      );
    return lines.reverse();
  }

  #newestFirst(): readonly Message[] {
    return [...this.#ring.slice(this.#next), ...this.#ring.slice(0, this.#next)].reverse();
  }
}
