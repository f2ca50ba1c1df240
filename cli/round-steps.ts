import type { Injection } from '../kernel/faults.ts';
import type { Message } from '../kernel/message.ts';
import type { Run } from '../kernel/run.ts';
import type { Cycle } from '../properties/endless.ts';
import { messageWords } from '../properties/explore/message-words.ts';

/** Deliveries of each part that are told. */
const stepsShown = 24;

/** The deliveries and faults of a run that goes round for ever, told in two parts: those that lead to the round, and those that come again and again. */
export class RoundSteps {
  readonly #from: number;
  readonly #stem: string[] = [];
  readonly #loop: string[] = [];
  /** What each channel delivers in the loop. */
  readonly #delivered = new Map<string, string>();
  /** Messages that the loop delivers, in words: of a network that doubles them others like them stay. */
  readonly #came = new Set<string>();
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
    const tell = (tick: number, words: string) =>
      (tick <= this.#from ? this.#stem : this.#loop).push(`  tick ${tick}: ${words}`);
    run.faults$.subscribe((fault) => tell(fault.tick, faultLine(fault)));
    run.messages$.subscribe(({ message, from, to }) => {
      const words = `${from} to ${to}: ${messageWords(message, 60)}`;
      tell(message.due, words);
      if (message.due > this.#from) {
        this.#came.add(words);
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
    const told = this.#pending.flatMap((message) => {
      const [from, to] = [run.nameOf(message.from), run.nameOf(message.to)];
      const words = `${from} to ${to}: ${messageWords(message, 60)}`;
      if (!still.has(message.seq) || this.#came.has(words)) return [];
      const other = this.#delivered.get(`${from} ${to}`);
      const why = other === undefined ? '' : ` (the channel delivers ${other}, and fairness is by channel)`;
      return [`  ${words}${why}`];
    });
    if (told.length === 0) return [];
    return ['under way all the time, and never delivered:', ...shortened([...new Set(told)])];
  }
}

/** A fault in a line: of a message that is lost its way, of others whom they befall. */
const faultLine = ({ kind, from, to, message, what }: Injection): string => {
  if (kind === 'split' || kind === 'heal') return `the network: ${what}`;
  if (kind === 'crash' || kind === 'restart') return `${to} ${kind === 'crash' ? 'crashes' : what}`;
  return `${from} to ${to}: ${messageWords(message, 60)}: ${what}`;
};

function shortened(lines: readonly string[]): readonly string[] {
  if (lines.length <= stepsShown) return lines;
  const half = stepsShown / 2;
  return [...lines.slice(0, half), `  … ${lines.length - stepsShown} more …`, ...lines.slice(-half)];
}
