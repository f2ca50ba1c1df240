import { type CoreId, coresPerGroup } from './race-event.ts';

/** Which cores can still do something that meets what was done before. */
export class Presence {
  readonly #live: boolean[];
  readonly #joining: boolean[];
  /** A signal was handled: a host does something while it waits for its threads. */
  handlers = false;

  constructor(cores: number) {
    this.#live = Array.from({ length: cores }, (_, core) => core % coresPerGroup === coresPerGroup - 1);
    this.#joining = new Array<boolean>(cores).fill(false);
  }

  /** A thread runs on the core. */
  acts(core: CoreId): void {
    this.#live[core] = true;
  }

  ends(core: CoreId): void {
    this.#live[core] = false;
  }

  /** A host waits for the end of threads, or no longer. */
  joins(core: CoreId, joining: boolean): void {
    this.#joining[core] = joining;
  }

  mayAct(core: CoreId): boolean {
    return this.#live[core]! && (this.handlers || !this.#joining[core]);
  }
}
