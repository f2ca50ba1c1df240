import type { Access } from './access.ts';
import type { Stamp } from './clock.ts';
import type { CoreId } from './race-event.ts';

/** A store into a line, and what the core knew when it made it. */
export interface DirtyStore {
  readonly access: Access;
  readonly stamp: Stamp;
}

/** A line in the data cache of a core. */
export interface CacheLine {
  readonly address: number;
  readonly bytes: number;
  /** What the core knew when memory was read. */
  readonly filled: Stamp;
  /** By place and length: stores that memory has not seen. */
  readonly dirty: Map<string, DirtyStore>;
}

/** The lines that the cores hold in their caches, as far as races are concerned. */
export class CacheLines {
  readonly #lines = new Map<CoreId, Map<number, CacheLine>>();

  /** True when some core holds a line. */
  get any(): boolean {
    for (const lines of this.#lines.values()) if (lines.size > 0) return true;
    return false;
  }

  /** A core reads a line from memory. */
  fill(core: CoreId, address: number, bytes: number, filled: Stamp): void {
    const lines = this.#lines.get(core) ?? new Map<number, CacheLine>();
    this.#lines.set(core, lines.set(address, { address, bytes, filled, dirty: new Map() }));
  }

  /** The line with this address, when the core holds it. */
  line(core: CoreId, address: number): CacheLine | undefined {
    return this.#lines.get(core)?.get(address);
  }

  /** The lines of a core that these bytes touch. Lines have equal lengths and lie at multiples of them. */
  *touched(core: CoreId, from: number, to: number): Generator<CacheLine> {
    const lines = this.#lines.get(core);
    if (!lines || lines.size === 0) return;
    const { bytes } = lines.values().next().value!;
    for (let address = from - (from % bytes); address < to; address += bytes) {
      const line = lines.get(address);
      if (line) yield line;
    }
  }

  /** A line leaves the cache. */
  drop(core: CoreId, address: number): void {
    this.#lines.get(core)?.delete(address);
  }
}

/** The bytes of a line that its core has not stored to, as ranges. */
export function cleanRanges({ address, bytes, dirty }: CacheLine): readonly (readonly [number, number])[] {
  const ranges: [number, number][] = [];
  let from = address;
  const stores = [...dirty.values()].map(({ access }) => access);
  for (const one of stores.sort((a, b) => a.from - b.from)) {
    if (one.from > from) ranges.push([from, one.from]);
    from = Math.max(from, one.to);
  }
  if (from < address + bytes) ranges.push([from, address + bytes]);
  return ranges;
}

/** The bytes `from` to `to` of a line in ranges, each with the stores of its core that hold all of it. */
export function storedRanges(
  { dirty }: CacheLine,
  from: number,
  to: number,
): readonly { readonly from: number; readonly to: number; readonly stores: readonly DirtyStore[] }[] {
  const stores = [...dirty.values()].filter(({ access }) => access.from < to && access.to > from);
  const ends = new Set(stores.flatMap(({ access }) => [access.from, access.to]));
  const cuts = [from, ...[...ends].filter((at) => from < at && at < to).sort((a, b) => a - b), to];
  return cuts.slice(1).map((end, index) => {
    const begin = cuts[index]!;
    const holding = stores.filter(({ access }) => access.from <= begin && access.to >= end);
    return { from: begin, to: end, stores: holding };
  });
}
