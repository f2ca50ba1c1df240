import { Access } from './access.ts';
import type { AccessHistory } from './access-history.ts';
import { type CacheLine, CacheLines, cleanRanges, type DirtyStore, storedRanges } from './cache-lines.ts';
import type { CoreClock, Rules, Stamp } from './clock.ts';
import { conflictReport } from './conflict.ts';
import { type AccessEvent, type CacheEvent, type CoreId, coreName, mainMemory } from './race-event.ts';
import type { RaceReport } from './race-report.ts';
import type { ReportOnce } from './report-once.ts';

/**
 * What cores do in main memory through their data caches (Sunway specification 7.3, 7.5).
 *
 * Details: a store lies in its line until that is written back, which writes all bytes of the line; a load returns what memory held when the
 * line was filled.
 */
export class CachedAccesses {
  readonly #policy: Rules;
  readonly #history: AccessHistory;
  readonly #told: ReportOnce;
  readonly #lines = new CacheLines();

  constructor(policy: Rules, history: AccessHistory, told: ReportOnce) {
    this.#policy = policy;
    this.#history = history;
    this.#told = told;
  }

  /** True while some core holds a line: then what was written before may still be older than it should be somewhere. */
  get any(): boolean {
    return this.#lines.any;
  }

  /** A core stores to bytes that may lie in lines of its cache. */
  store(event: AccessEvent, clock: CoreClock): void {
    const { core, space, address, bytes } = event;
    const lines = [...this.#lines.touched(core, address, address + bytes)];
    // Without a line nothing tells when memory will see the store: it counts as seen at once.
    if (lines.length === 0) {
      const access = new Access(event, event, { sort: 'store', time: clock.own, settled: true });
      this.#history.add(access, clock.stamp());
      return;
    }
    for (const line of lines) {
      const from = Math.max(address, line.address);
      const to = Math.min(address + bytes, line.address + line.bytes);
      const what = { sort: 'dirty' as const, time: clock.own, settled: false };
      const access = new Access({ space, address: from, bytes: to - from }, event, what);
      line.dirty.set(`${from} ${to}`, { access, stamp: clock.stamp() });
      this.#history.add(access, clock.stamp());
    }
  }

  /** A core loads bytes from lines of its cache: they are as old as the lines, but for those that it has stored itself. */
  load(event: AccessEvent, clock: CoreClock): void {
    const { core, address, bytes } = event;
    const stamp = clock.stamp();
    for (const line of this.#lines.touched(core, address, address + bytes)) {
      const from = Math.max(address, line.address);
      const to = Math.min(address + bytes, line.address + line.bytes);
      const what = { sort: 'load' as const, time: clock.own, settled: true };
      for (const range of storedRanges(line, from, to)) {
        const place = { space: mainMemory, address: range.from, bytes: range.to - range.from };
        const part = new Access(place, event, what);
        this.#history.look(part, (earlier, sharedFrom, sharedTo) => {
          if (this.#isMissed(earlier, core, stamp, line, range.stores))
            this.#told.say(
              staleReport(earlier, part, [sharedFrom, sharedTo]),
              `${earlier.core} ${earlier.time} ${core} ${from}`,
            );
          return false;
        });
      }
    }
  }

  /** Whether a load must return what an earlier access wrote, and returns something older. */
  #isMissed(
    earlier: Access,
    core: CoreId,
    stamp: Stamp,
    line: CacheLine,
    stores: readonly DirtyStore[],
  ): boolean {
    // What a write-back leaves as it is is no newer than the line.
    if (!earlier.writes || earlier.rewrites || (earlier.core === core && !earlier.transfer)) return false;
    // That it was told orders nothing.
    if (!earlier.isBefore(stamp, this.#policy, 'unheeded') || earlier.isBefore(line.filled, this.#policy))
      return false;
    return !stores.some((store) => earlier.isBefore(store.stamp, this.#policy));
  }

  /** True when a core holds a line with some of these bytes. */
  holds({ core, address, bytes }: AccessEvent): boolean {
    return !this.#lines.touched(core, address, address + bytes).next().done;
  }

  /** A line is filled, written back or dropped. */
  line({ kind, core, cycle, operation, address, bytes }: CacheEvent, clock: CoreClock): void {
    if (kind === 'cache.fill') {
      this.#lines.fill(core, address, bytes, clock.stamp());
      return;
    }
    const line = this.#lines.line(core, address);
    if (!line) return;
    if (kind === 'cache.drop') {
      this.#lines.drop(core, address);
      return;
    }
    const time = clock.advance();
    for (const [from, to] of cleanRanges(line)) {
      const place = { space: mainMemory, address: from, bytes: to - from };
      const access = new Access(place, { core, cycle, operation }, { sort: 'rewrite', time, settled: true });
      // What was changed since the line was filled is overwritten, however well the write-back is ordered behind it.
      this.#history.meet(access, line.filled);
      this.#history.remember(access);
    }
    for (const { access } of line.dirty.values()) access.coveredAt(core, time);
    line.dirty.clear();
  }
}

function staleReport(earlier: Access, load: Access, range: readonly [number, number]): RaceReport {
  const name = coreName(load.core);
  return {
    ...conflictReport(earlier, load, range, false),
    kind: 'StaleCacheRead',
    missing: `the line of ${name} was filled before the write and not evicted since`,
    fix: `${name} evicts the line (scache_evict) after the synchronisation and before it reads`,
  };
}
