import type { Run } from '../kernel/run.ts';
import type { Cycle } from '../properties/endless.ts';
import { messageWords } from '../properties/explore/message-words.ts';

/** Deliveries of each part that are told. */
const stepsShown = 24;

/** The deliveries of a run that goes round for ever, told in two parts: those that lead to the round, and those that come again and again. */
export class RoundSteps {
  readonly #from: number;
  readonly #stem: string[] = [];
  readonly #loop: string[] = [];

  constructor({ from }: Cycle) {
    this.#from = from;
  }

  attach(run: Run): void {
    run.messages$.subscribe(({ message, from, to }) => {
      const line = `  tick ${message.due}: ${from} to ${to}: ${messageWords(message, 60)}`;
      (message.due <= this.#from ? this.#stem : this.#loop).push(line);
    });
  }

  get text(): string {
    const stem = this.#stem.length === 0 ? ['  nothing: it begins at once'] : shortened(this.#stem);
    return [
      'the way into the loop:',
      ...stem,
      'the loop, again and again:',
      ...shortened(this.#loop),
      '',
    ].join('\n');
  }
}

function shortened(lines: readonly string[]): readonly string[] {
  if (lines.length <= stepsShown) return lines;
  const half = stepsShown / 2;
  return [...lines.slice(0, half), `  … ${lines.length - stepsShown} more …`, ...lines.slice(-half)];
}
