import type { Resource } from '../../../kernel/resource.ts';
import { type CoreStatistics, noStatistics, type StallReason } from './statistics.ts';

/** What a core counts (chiplet specification 7.4). It changes nothing that the core does. */
export class CoreAccount implements Resource {
  statistics: CoreStatistics;
  /** By scheduler: cycles before this one are counted. */
  readonly #counted: number[];
  /** By scheduler: why it issues nothing. */
  readonly #reasons: StallReason[];

  constructor(schedulers: number, from?: CoreAccount) {
    this.statistics = from ? structuredClone(from.statistics) : noStatistics();
    this.#counted = from ? [...from.#counted] : new Array<number>(schedulers).fill(0);
    this.#reasons = from ? [...from.#reasons] : new Array<StallReason>(schedulers).fill('noWarp');
  }

  /** A block comes to an empty core: cycles count from this one on. */
  begin(cycle: number): void {
    this.#counted.fill(cycle);
  }

  /** Counts the cycles in which a scheduler did not issue, up to this one. */
  passTo(scheduler: number, cycle: number): void {
    const idle = cycle - this.#counted[scheduler]!;
    if (idle > 0) this.statistics.stalls[this.#reasons[scheduler]!] += idle;
    this.#counted[scheduler] = Math.max(cycle, this.#counted[scheduler]!);
  }

  /** A scheduler issues in this cycle. */
  issue(scheduler: number, cycle: number): void {
    this.#counted[scheduler] = cycle + 1;
  }

  /** A scheduler issues nothing for this reason. */
  stall(scheduler: number, reason: StallReason): void {
    this.#reasons[scheduler] = reason;
  }

  /** Keeps of each scheduler why it does not issue, from `cycle` on for as long as nothing changes. */
  settle(cycle: number, reasonOf: (scheduler: number) => StallReason): void {
    for (let scheduler = 0; scheduler < this.#counted.length; scheduler++) this.passTo(scheduler, cycle);
    for (let scheduler = 0; scheduler < this.#counted.length; scheduler++)
      this.#reasons[scheduler] = reasonOf(scheduler);
  }

  /** What was counted since this was asked last. */
  take(): CoreStatistics {
    const taken = this.statistics;
    this.statistics = noStatistics();
    return taken;
  }

  fork(): CoreAccount {
    return new CoreAccount(this.#counted.length, this);
  }

  hash(): void {}
}
