import type { Choices, Tape } from '../../kernel/choices.ts';
import type { Message } from '../../kernel/message.ts';

/** Feeds a tape, or what another producer picks, and shows the messages among which one question chooses. */
export class SteeredChoices implements Choices {
  /** Questions of a run in first-come order are asked as well: a page shows what else was possible. */
  readonly canonical = false;
  /** The question whose candidates are wanted, and how they are told. */
  asked:
    | {
        readonly pick: number;
        readonly tell: (candidates: readonly Message[] | undefined, count: number) => void;
      }
    | undefined;
  #at = 0;

  constructor(
    readonly tape: Tape,
    readonly source?: Choices,
  ) {}

  pick(what: string, count: number, candidates?: readonly Message[]): number {
    const position = this.#at++;
    if (position === this.asked?.pick) this.asked.tell(candidates, count);
    return this.source ? this.source.pick(what, count, candidates) : (this.tape[position] ?? 0) % count;
  }

  save(): unknown {
    return this.#at;
  }

  load(saved: unknown): void {
    this.#at = saved as number;
  }
}
