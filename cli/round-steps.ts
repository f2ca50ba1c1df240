import type { Message } from '../kernel/message.ts';
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
  /** What each channel delivers in the loop. */
  readonly #delivered = new Map<string, string>();
  #run: Run | undefined;
  /** What is under way where the loop begins. */
  #pending: readonly Message[] = [];

  constructor({ from }: Cycle) {
    this.#from = from;
  }

  attach(run: Run): void {
    this.#run = run;
    const begin = () => {
      this.#pending = [...run.pending];
    };
    if (this.#from < 0) begin();
    run.ticks$.subscribe((tick) => {
      if (tick === this.#from) begin();
    });
    run.messages$.subscribe(({ message, from, to }) => {
      const line = `  tick ${message.due}: ${from} to ${to}: ${messageWords(message, 60)}`;
      if (message.due <= this.#from) this.#stem.push(line);
      else {
        this.#loop.push(line);
        if (message.from !== message.to) this.#delivered.set(`${from} ${to}`, message.event.type);
      }
    });
  }

  get text(): string {
    const stem = this.#stem.length === 0 ? ['  nothing: it begins at once'] : shortened(this.#stem);
    return [
      'the way into the loop:',
      ...stem,
      'the loop, again and again:',
      ...shortened(this.#loop),
      ...this.#leftOut(),
      '',
    ].join('\n');
  }

  /** What stays under way all the time: whoever asks for fair runs is told why such a run may be fair. */
  #leftOut(): readonly string[] {
    const run = this.#run;
    if (!run) return [];
    const still = new Set([...run.pending].map(({ seq }) => seq));
    const left = this.#pending.filter(({ seq }) => still.has(seq));
    if (left.length === 0) return [];
    const told = left.map((message) => {
      const [from, to] = [run.nameOf(message.from), run.nameOf(message.to)];
      const other = this.#delivered.get(`${from} ${to}`);
      const why = other === undefined ? '' : ` (the channel delivers ${other}, and fairness is by channel)`;
      return `  ${from} to ${to}: ${messageWords(message, 60)}${why}`;
    });
    return ['under way all the time, and never delivered:', ...shortened([...new Set(told)])];
  }
}

function shortened(lines: readonly string[]): readonly string[] {
  if (lines.length <= stepsShown) return lines;
  const half = stepsShown / 2;
  return [...lines.slice(0, half), `  … ${lines.length - stepsShown} more …`, ...lines.slice(-half)];
}
