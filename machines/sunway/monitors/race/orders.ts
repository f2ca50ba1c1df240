import { Gate } from './ending.ts';
import type { OrderEvent } from './race-event.ts';

/** How many barrier operations of each kind a core had queued at one moment. */
export type OrderCount = Readonly<Record<OrderEvent['engine'], number>>;

/** The barrier operations of one core (Sunway specification 7.2). */
export class Orders {
  readonly #open = { dma: new Gate(), rma: new Gate(), both: new Gate() };
  readonly #closed: { dma?: Gate; rma?: Gate; both?: Gate } = {};
  #count: OrderCount = { dma: 0, rma: 0, both: 0 };

  get count(): OrderCount {
    return this.#count;
  }

  /** The core queues one. */
  order(engine: OrderEvent['engine']): void {
    this.#closed[engine] = this.#open[engine];
    this.#open[engine] = this.#open[engine].close();
    this.#count = { ...this.#count, [engine]: this.#count[engine] + 1 };
  }

  /** Those that a transfer of this engine lies in front of when it is issued now. */
  before(engine: 'dma' | 'rma'): readonly Gate[] {
    return [this.#open[engine], this.#open.both];
  }

  /** The last ones that it lies behind. */
  behind(engine: 'dma' | 'rma'): readonly Gate[] {
    return [this.#closed[engine], this.#closed.both].filter((gate) => gate !== undefined);
  }
}
