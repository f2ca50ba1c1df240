import type { CacheWalk, MemoryAccess } from '../../../actors/sunway/messages.ts';
import type { LockstepEvent } from '../../../kernel/message.ts';
import { type Follower, type Following, type Heard, Promises } from './follower.ts';
import { timesOf } from './times.ts';

/*
 * The data caches (Sunway specification 6.9, 8.8), worked out beside the run: which lines each of them has, which one leaves for another, what goes to memory, and in which
 * cycle its CPE is answered.
 */

const lineBytes = 64;
const ways = 4;

interface Line {
  readonly address: number;
  isDirty: boolean;
}

interface Cache {
  readonly name: string;
  /** By number: the lines of a set, the one used last first. */
  readonly sets: Map<number, Line[]>;
  /** The access at hand: the bytes that are done, and what the hits take together. */
  access: { readonly first: number; readonly bytes: number; readonly stores: boolean } | undefined;
  done: number;
  hits: number;
  /** The line that is asked for, and whether it can come: a dirty one leaves first. */
  missing: number;
  isComing: boolean;
  /** Dirty lines that a walk lets go: their write-backs come one a cycle, and memory has not answered so many. */
  leaving: Set<number>;
  unwritten: number;
  walkEnd: number;
}

const isCache = (name: string): boolean => name.includes('.DCache[');
const lineOf = (address: number): number => address - (address % lineBytes);

class CachesFollower implements Follower {
  readonly watches = ['memory.access', 'memory.answer', 'cache.walk'];
  readonly #sets: number;
  readonly #hit: number;
  readonly #caches = new Map<string, Cache>();
  readonly #promises = new Promises();

  constructor(bytes: number, hit: number) {
    this.#sets = bytes / lineBytes / ways;
    this.#hit = hit;
  }

  difference(): string | undefined {
    return this.#promises.difference;
  }

  hear(event: LockstepEvent, { from, to, tick }: Heard): void {
    if (isCache(from)) this.#keep(event, from, tick);
    if (!isCache(to)) return;
    const cache = this.#cacheOf(to);
    if (event.type === 'memory.access') {
      const { memory: first, bytes, kind } = event as MemoryAccess;
      cache.access = { first, bytes, stores: kind === 'store' };
      cache.done = 0;
      cache.hits = 0;
      this.#lookUp(cache, tick);
    } else if (event.type === 'cache.walk') this.#walk(cache, event as CacheWalk, tick);
    else this.#answered(cache, tick);
  }

  #keep(event: LockstepEvent, from: string, tick: number): void {
    if (event.type === 'memory.answer') {
      this.#promises.keep(`the answer of ${from}`, tick);
      return;
    }
    const { kind, memory } = event as MemoryAccess;
    const { leaving } = this.#cacheOf(from);
    // The lines of a walk leave in any order, one a cycle.
    if (kind === 'writeBack' && leaving.delete(memory))
      this.#promises.keep(`a line that leaves ${from}`, tick);
    else this.#promises.keep(`${kind} of ${memory} by ${from}`, tick);
  }

  #cacheOf(name: string): Cache {
    const known = this.#caches.get(name);
    if (known) return known;
    const made: Cache = {
      ...{ name, sets: new Map(), access: undefined, done: 0, hits: 0, missing: -1, isComing: false },
      ...{ leaving: new Set<number>(), unwritten: 0, walkEnd: 0 },
    };
    this.#caches.set(name, made);
    return made;
  }

  #setOf({ sets }: Cache, line: number): Line[] {
    const number = (line / lineBytes) % this.#sets;
    const known = sets.get(number) ?? [];
    sets.set(number, known);
    return known;
  }

  /** Serves the access from lines that are there, and asks for the first one that is not. */
  #lookUp(cache: Cache, tick: number): void {
    const { first, bytes, stores } = cache.access!;
    while (cache.done < bytes) {
      const address = first + cache.done;
      const line = lineOf(address);
      const set = this.#setOf(cache, line);
      const at = set.findIndex((one) => one.address === line);
      if (at < 0) {
        cache.missing = line;
        const victim = set.length === ways ? set.at(-1)! : undefined;
        cache.isComing = !victim?.isDirty;
        if (cache.isComing) this.#promises.promise(`fill of ${line} by ${cache.name}`, tick + 1);
        else this.#promises.promise(`writeBack of ${victim!.address} by ${cache.name}`, tick + 1);
        return;
      }
      const [used] = set.splice(at, 1) as [Line];
      set.unshift(used);
      if (stores) used.isDirty = true;
      cache.done += Math.min(bytes - cache.done, line + lineBytes - address);
      cache.hits++;
    }
    cache.access = undefined;
    // The way to the cache has taken a cycle.
    this.#promises.promise(`the answer of ${cache.name}`, tick + Math.max(1, this.#hit * cache.hits - 1));
  }

  /** Memory has taken a line, or brought one. */
  #answered(cache: Cache, tick: number): void {
    if (cache.access === undefined) {
      cache.unwritten--;
      if (cache.unwritten === 0) this.#tellWalked(cache, tick);
      return;
    }
    if (!cache.isComing) {
      cache.isComing = true;
      this.#promises.promise(`fill of ${cache.missing} by ${cache.name}`, tick + 1);
      return;
    }
    const set = this.#setOf(cache, cache.missing);
    if (set.length === ways) set.pop();
    set.unshift({ address: cache.missing, isDirty: false });
    this.#lookUp(cache, tick);
  }

  #walk(cache: Cache, { first, last }: CacheWalk, tick: number): void {
    let dropped = 0;
    for (const [number, lines] of cache.sets) {
      const gone = lines.filter(({ address }) => address <= last && address + lineBytes > first);
      dropped += gone.length;
      for (const { address, isDirty } of gone) if (isDirty) cache.leaving.add(address);
      cache.sets.set(
        number,
        lines.filter((one) => !gone.includes(one)),
      );
    }
    cache.unwritten = cache.leaving.size;
    for (let k = 1; k <= cache.unwritten; k++)
      this.#promises.promise(`a line that leaves ${cache.name}`, tick + k);
    cache.walkEnd = tick + Math.max(1, dropped);
    if (cache.unwritten === 0) this.#tellWalked(cache, tick);
  }

  #tellWalked({ name, walkEnd }: Cache, tick: number): void {
    this.#promises.promise(`the answer of ${name}`, Math.max(tick + 1, walkEnd));
  }
}

/** The data caches of a node that has some. */
export const caches: Following = ({ config }) => {
  const bytes = 1024 * (config.ldm.preset === 'cache32' ? 32 : config.cacheKiB);
  return bytes > 0 ? new CachesFollower(bytes, timesOf(config).cache.hit) : undefined;
};
