import type { Message } from '../kernel/message.ts';
import type { Violation } from '../kernel/outcome.ts';
import type { Run } from '../kernel/run.ts';
import { messageWords } from '../properties/explore/message-words.ts';

/** Lines of the causal past that a report shows (house style, section 7). */
export const pastLinesMax = 12;
/** Of these, lines for causes farther back; the others are for what the actors of the violation were sent. */
const chainLinesMax = 4;
/** Characters that a message takes. */
const wordsMax = 48;
/** Deliveries that are remembered; a cause that lies farther back is not shown. */
const remembered = 1 << 14;

/**
 * What led to the first violation of a run: the message during which it was found, what its actors were sent before, and the messages that caused
 * the last one.
 *
 * Details: all of it is in the causal past, since an actor handles one message after another. It remembers the last 16,384 deliveries. A violation found at the end of a tick belongs to the last message its actors were sent, and so
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
      // A part reports while it handles a message, which is told right after.
      if (this.#violation && !this.#lines) this.#lines = this.#pastOf(message);
    });
    run.violations$.subscribe((violation) => {
      this.#violation ??= violation;
      if (this.#lines) return;
      // What is found of something shown is found when its message has been told.
      const told = this.#ring.at(this.#next - 1);
      if (run.isHandling && told?.seq === run.handled?.seq) this.#lines = this.#pastOf(told!);
    });
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
    const known = this.#newestFirst();
    const last = known.find((message) => this.#concerns(message)) ?? known[0];
    this.#lines = last ? this.#pastOf(last) : [];
  }

  #pastOf(last: Message): readonly string[] {
    const known = this.#newestFirst();
    const received = known.filter((message) => message !== last && this.#concerns(message));
    const chain = this.#causesOf(last, received.length === 0 ? pastLinesMax - 1 : chainLinesMax);
    const shown = new Set([last, ...chain, ...received.slice(0, pastLinesMax - 1 - chain.length)]);
    return known
      .filter((message) => shown.has(message))
      .reverse()
      .map((message) => {
        const way = `${this.#run.nameOf(message.from)} -> ${this.#run.nameOf(message.to)}`;
        return `tick ${message.due}  ${way}  ${messageWords(this.#run.named(message), wordsMax)}`;
      });
  }

  #causesOf(last: Message, count: number): readonly Message[] {
    const bySeq = new Map(this.#ring.map((message) => [message.seq, message]));
    const causes: Message[] = [];
    for (let at = bySeq.get(last.cause); at && causes.length < count; at = bySeq.get(at.cause))
      causes.push(at);
    return causes;
  }

  /** True for a message to an actor of the violation. Some properties leave out the names of what an actor is part of. */
  #concerns({ to }: Message): boolean {
    const { actors } = this.#violation!;
    // What is wrong at the end, and of nobody, everybody has come to.
    if (this.#late && actors.length === 0) return true;
    const name = this.#run.nameOf(to);
    return actors.some((one) => name === one || name.endsWith(`.${one}`));
  }

  #newestFirst(): readonly Message[] {
    return [...this.#ring.slice(this.#next), ...this.#ring.slice(0, this.#next)].reverse();
  }
}
