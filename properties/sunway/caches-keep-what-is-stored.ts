import type { MemoryAccess } from '../../actors/sunway/messages.ts';
import type { CacheAccess, CacheDrop } from '../../actors/sunway/probes.ts';
import { judged, property } from '../property.ts';
import { type SunwayPropertyContext, said } from './context.ts';
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
  readonly lines: Map<number, Line>;
  /** The access at hand, and what a load should bring. */
  access: MemoryAccess | undefined;
  loaded: Uint8Array;
  filling: number;
  /** What was shown while the message at hand was handled: it is told first and belongs behind it. */
  shown: (CacheAccess | CacheDrop)[];
}

/** A data cache gives what its CPE stored last or memory held when the line came, and loses no store (Sunway specification 6.9; 12, P18). */
export const cachesKeepWhatIsStored = property<SunwayPropertyContext>(
  'a data cache gives its CPE what it stored last, else what its line was filled with, and writes back every store',
  (run) =>
    judged(
      said(run, 'memory.access', 'memory.answer', 'cache.walk', 'cache.access', 'cache.drop'),
      (found) => {
        const caches = new Map<string, Cache>();
        const of = (name: string): Cache => {
          const known = caches.get(name) ?? {
            lines: new Map(),
            access: undefined,
            loaded: new Uint8Array(0),
            filling: -1,
            shown: [],
          };
          caches.set(name, known);
          return known;
        };

        function serve(name: string, cache: Cache, { kind, memory, bytes }: CacheAccess): void {
          const line = cache.lines.get(lineOf(memory));
          if (line === undefined || cache.access === undefined) {
            found([name], `it serves ${bytes} bytes at ${memory}, of which it has no line`);
            return;
          }
          const at = memory % lineBytes;
          const place = memory - cache.access.memory;
          if (kind === 'load') cache.loaded.set(line.data.subarray(at, at + bytes), place);
          else {
            line.data.set(cache.access.data.subarray(place, place + bytes), at);
            line.isDirty = true;
          }
        }

        /** What the cache has shown of the message at hand. */
        function flush(name: string, cache: Cache): void {
          for (const one of cache.shown) {
            if (one.type === 'cache.access') serve(name, cache, one);
            else {
              if (cache.lines.get(one.memory)?.isDirty)
                found([name], `the line at ${one.memory} leaves with stores that memory has not got`);
              cache.lines.delete(one.memory);
            }
          }
          cache.shown = [];
        }

        return {
          see({ from, to, event }) {
            if (event.type === 'cache.access' || event.type === 'cache.drop') {
              of(to).shown.push(event);
              return;
            }
            if (isCache(from)) {
              const cache = of(from);
              if (event.type === 'memory.answer') {
                const { access, loaded } = cache;
                if (access?.kind !== 'load') return;
                const at = firstDifference(loaded, event.data);
                if (at >= 0 || loaded.length !== event.data.length)
                  found(
                    [from],
                    `a load of ${access.bytes} bytes at ${access.memory} brings ${event.data[at]} in byte ${at}, expected ${loaded[at]}`,
                  );
                cache.access = undefined;
              } else if (event.type === 'memory.access' && event.kind === 'fill')
                cache.filling = event.memory;
              else if (event.type === 'memory.access') {
                const line = cache.lines.get(event.memory);
                if (line === undefined || firstDifference(line.data, event.data) >= 0)
                  found([from], `it writes back a line at ${event.memory} that it has not got so`);
                else line.isDirty = false;
              }
            }
            if (!isCache(to)) return;
            const cache = of(to);
            if (event.type === 'memory.access') {
              cache.access = event;
              cache.loaded = new Uint8Array(event.kind === 'load' ? event.bytes : 0);
            } else if (event.type === 'memory.answer' && event.data.length > 0) {
              cache.lines.set(cache.filling, { data: event.data.slice(), isDirty: false });
              cache.filling = -1;
            }
            flush(to, cache);
          },
        };
      },
    ),
);
