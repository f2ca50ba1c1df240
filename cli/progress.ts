import type { Terminal } from './terminal.ts';

/** Milliseconds between two updates: at most 5 a second. */
const updateMsMin = 200;
/** Milliseconds before the first one: short runs show nothing. */
const firstMs = 500;
/** The same where nobody reads along, in a file or a pipe: seldom, each in a line of its own. */
const linesMs = 10_000;

/** The line that shows how far a long run is. On a terminal it is wiped away at the end; elsewhere there is one each ten seconds. */
export class Progress {
  readonly #terminal: Terminal;
  readonly #unit: string;
  readonly #last: number | undefined;
  readonly #clock: () => number;
  readonly #began: number;
  #shownAt: number;
  #shown = 0;

  /** `unit` names a tick of the machine in the plural; `last` is the number of ticks to come to when it is known; `clock` gives milliseconds. */
  constructor(
    terminal: Terminal,
    unit: string,
    last?: number,
    clock: () => number = () => performance.now(),
  ) {
    this.#terminal = terminal;
    this.#unit = unit;
    this.#last = last;
    this.#clock = clock;
    this.#began = clock();
    this.#shownAt = this.#began + (terminal.interactive ? firstMs - updateMsMin : 0);
  }

  /** Shows a tick and the deliveries so far, unless the last update is too young. */
  update(tick: number, deliveries: number): void {
    const { interactive } = this.#terminal;
    const now = this.#clock();
    if (now - this.#shownAt < (interactive ? updateMsMin : linesMs)) return;
    this.#shownAt = now;
    const line = this.#line(tick, deliveries, (now - this.#began) / 1000);
    if (!interactive) {
      this.#terminal.err(`${line}\n`);
      return;
    }
    const cut = line.slice(0, this.#terminal.columns - 1);
    this.#terminal.err(`\r${cut.padEnd(this.#shown)}`);
    this.#shown = cut.length;
  }

  /** Wipes the line away. */
  end(): void {
    if (this.#shown > 0) this.#terminal.err(`\r${' '.repeat(this.#shown)}\r`);
    this.#shown = 0;
  }

  #line(tick: number, deliveries: number, seconds: number): string {
    const ticksPerSecond = tick / seconds;
    const parts = [
      `${grouped(tick)}${this.#last === undefined ? '' : ` of ${grouped(this.#last)}`} ${this.#unit}`,
      `${grouped(Math.round(ticksPerSecond))} ${this.#unit}/s`,
      `${grouped(deliveries)} deliveries`,
    ];
    if (this.#last !== undefined && tick > 0 && tick < this.#last)
      parts.push(`about ${duration((this.#last - tick) / ticksPerSecond)} left`);
    return parts.join(', ');
  }
}

/** 1234567 as `1,234,567`. */
export const grouped = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',');

export function duration(seconds: number): string {
  if (seconds < 60) return `${Math.max(1, Math.round(seconds))} s`;
  if (seconds < 3600) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}
