import type { MemoryAccess } from '../../actors/sunway/messages.ts';
import type { CacheAccess, CacheDrop } from '../../actors/sunway/probes.ts';
import { type Found, together } from '../../kernel/explore/observer.ts';
import { sunwayProperty } from './context.ts';
import { firstDifference } from './shadow-bytes.ts';

const lineBytes = 64;
const isCache = (name: string): boolean => name.includes('.DCache[');
const lineOf = (address: number): number => address - (address % lineBytes);

/** A line as fills and stores make it. */
interface Line {
  readonly data: Uint8Array;
  isDirty: boolean;
}

/** A data cache as messages tell it. */
interface Cache {
  readonly lines: Record<number, Line>;
  /** The access at hand, and what a load should bring. */
  access: Pick<MemoryAccess, 'kind' | 'memory' | 'bytes' | 'data'> | undefined;
  loaded: Uint8Array;
  filling: number;
}

interface Memory {
  readonly caches: Record<string, Cache>;
}

const emptyCache = (): Cache => ({
  lines: {},
  access: undefined,
  loaded: new Uint8Array(0),
  filling: -1,
});

function cacheOf({ caches }: Memory, name: string): Cache {
  caches[name] ??= emptyCache();
  return caches[name];
}

/** A data cache gives what its CPE stored last or memory held when the line came, and loses no store (Sunway specification 6.9; 12, P18). */
export const cachesKeepWhatIsStored = sunwayProperty(
  'a data cache gives its CPE what it stored last, else what its line was filled with, and writes back every store',
  ['memory.access', 'memory.answer', 'cache.walk', 'cache.access', 'cache.drop'],
  () => ({
    begin: (): Memory => ({ caches: {} }),
    see(memory: Memory, event, to, from) {
      if (event.type === 'cache.access' || event.type === 'cache.drop') {
        const cache = cacheOf(memory, to);
        const why = event.type === 'cache.access' ? serve(cache, event) : drop(cache, event);
        return why === undefined ? undefined : { actors: [to], why };
      }
      const all: Found[] = [];
      if (isCache(from) && event.type !== 'cache.walk') {
        const cache = cacheOf(memory, from);
        const why = event.type === 'memory.answer' ? loadWrong(cache, event.data) : askWrong(cache, event);
        if (why !== undefined) all.push({ actors: [from], why });
      }
      if (isCache(to)) {
        const cache = cacheOf(memory, to);
        if (event.type === 'memory.access') {
          const { kind, memory: address, bytes, data } = event;
          cache.access = { kind, memory: address, bytes, data };
          cache.loaded = new Uint8Array(kind === 'load' ? bytes : 0);
        } else if (event.type === 'memory.answer' && event.data.length > 0) {
          cache.lines[cache.filling] = { data: event.data.slice(), isDirty: false };
          cache.filling = -1;
        }
      }
      return together(all);
    },
  }),
);

/** What is wrong with what a cache answers its CPE. */
function loadWrong(cache: Cache, data: Uint8Array): string | undefined {
  const { access, loaded } = cache;
  if (access?.kind !== 'load') return undefined;
  cache.access = undefined;
  const at = firstDifference(loaded, data);
  return at >= 0 || loaded.length !== data.length
    ? `a load of ${access.bytes} bytes at ${access.memory} brings ${data[at]} in byte ${at}, expected ${loaded[at]}`
    : undefined;
}

/** What is wrong with what a cache asks of main memory: to fill a line, or to take one back. */
function askWrong(cache: Cache, { kind, memory, data }: MemoryAccess): string | undefined {
  if (kind === 'fill') {
    cache.filling = memory;
    return undefined;
  }
  const line = cache.lines[memory];
  if (line === undefined || firstDifference(line.data, data) >= 0)
    return `it writes back a line at ${memory} that it has not got so`;
  line.isDirty = false;
  return undefined;
}

function serve(
  { lines, access, loaded }: Cache,
  { kind, memory, bytes }: Pick<CacheAccess, 'kind' | 'memory' | 'bytes'>,
): string | undefined {
  const line = lines[lineOf(memory)];
  if (line === undefined || access === undefined)
    return `it serves ${bytes} bytes at ${memory}, of which it has no line`;
  const at = memory % lineBytes;
  const place = memory - access.memory;
  if (kind === 'load') loaded.set(line.data.subarray(at, at + bytes), place);
  else {
    line.data.set(access.data.subarray(place, place + bytes), at);
    line.isDirty = true;
  }
  return undefined;
}

function drop({ lines }: Cache, { memory }: Pick<CacheDrop, 'memory'>): string | undefined {
  const isLost = lines[memory]?.isDirty;
  delete lines[memory];
  return isLost ? `the line at ${memory} leaves with stores that memory has not got` : undefined;
}
