import type { CellProbe } from './context.ts';

/**
 * Counts waiting the second way: for each cycle, the requests that could have started in it and did not (Cell specification 14 and 21.2, P-10).
 *
 * Details: needs the probes REQ, GRANT and BARRIER of a whole run, in their order.
 */
export class WaitCount {
  /** Waiting requests by initiator and id, with the cycles they have waited. */
  readonly #waiting = new Map<string, number>();
  readonly #started: { readonly start: number; readonly waited: number }[] = [];

  /** Takes the next probe. */
  see(event: CellProbe<'REQ' | 'GRANT' | 'BARRIER'>): void {
    if (event.type === 'BARRIER') {
      // The decision was about the cycles up to the next one that is carried out.
      const cycles = (event.next ?? event.t + 1) - event.t;
      for (const [name, waited] of this.#waiting) this.#waiting.set(name, waited + cycles);
      return;
    }
    const name = `${event.spu} ${event.id}`;
    if (event.type === 'REQ') {
      if (event.size > 0) this.#waiting.set(name, 0);
      return;
    }
    this.#started.push({ start: event.start, waited: this.#waiting.get(name) ?? 0 });
    this.#waiting.delete(name);
  }

  /** The total of the requests that started within so many cycles. */
  total(cycles: number): number {
    return this.#started.reduce((sum, { start, waited }) => sum + (start < cycles ? waited : 0), 0);
  }
}
