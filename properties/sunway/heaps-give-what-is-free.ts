import { judged, property } from '../property.ts';
import { type SunwayPropertyContext, said } from './context.ts';

/** Blocks begin and end at multiples of this, and the page of the runtime lies below all (Sunway specification 2.3, 6.4). */
const granuleBytes = 64;
const runtimePageBytes = 4096;
const ldmBytes = 262_144;
const stackBytes = 16_384;

/** Two results in one number: what `pldm_malloc_max` gives (6.4). */
const addressSpan = 2 ** 18;

const granules = (bytes: number): number => Math.ceil(bytes / granuleBytes) * granuleBytes;

/** A heap as the answers of its allocator tell it. */
interface Heap {
  /** End of the static data that were laid out last. */
  statics: number;
  /** Where the heap begins: behind the static data, for as long as it has blocks. */
  first: number | undefined;
  readonly live: Map<number, number>;
  asked: { readonly request: string; readonly address: number; readonly size: number } | undefined;
}

/** The lengths of the areas that no block covers, by address. */
function freeAreas({ first, live }: Heap, end: number): ReadonlyMap<number, number> {
  const areas = new Map<number, number>();
  let at = first!;
  for (const [address, bytes] of [...live].sort(([a], [b]) => a - b)) {
    if (address > at) areas.set(at, address - at);
    at = address + granules(bytes);
  }
  if (end > at) areas.set(at, end - at);
  return areas;
}

/** Live blocks of an allocator never overlap or leave its area, and what is given back can be given again (Sunway specification 6.4; 12, P11). */
export const heapsGiveWhatIsFree = property<SunwayPropertyContext>(
  'an allocator gives blocks of its area that nobody holds, refuses none that fits, and knows the largest',
  (run, { config }) =>
    judged(said(run, 'ldm.statics', 'ldm.allocate', 'ldm.allocated'), (found) => {
      const { cacheKiB, sldm, stackInLdm } = config;
      const end = ldmBytes - 1024 * (cacheKiB + sldm.sizeKiB) - (stackInLdm ? stackBytes : 0);
      const heaps = new Map<string, Heap>();
      const of = (name: string): Heap => {
        const known = heaps.get(name) ?? {
          statics: runtimePageBytes,
          first: undefined,
          live: new Map(),
          asked: undefined,
        };
        heaps.set(name, known);
        return known;
      };

      function judge(name: string, heap: Heap, value: number): void {
        const { request, address, size } = heap.asked!;
        const areas = freeAreas(heap, end);
        const largest = Math.max(0, ...areas.values());
        const isFree = (at: number, bytes: number): boolean =>
          [...areas].some(([first, length]) => first <= at && at + bytes <= first + length);
        const take = (at: number, bytes: number): void => {
          if (at % granuleBytes !== 0 || !isFree(at, granules(bytes)))
            found([name], `it gives ${bytes} bytes at ${at}, which are not free or not of its area`);
          heap.live.set(at, bytes);
        };
        switch (request) {
          case 'malloc':
            if (value !== 0) take(value, size);
            else if (size > 0 && granules(size) <= largest)
              found([name], `it has no ${size} bytes, though ${largest} are free in one piece`);
            return;
          case 'mallocMax': {
            const bytes = Math.floor(value / addressSpan);
            if (bytes !== largest)
              found([name], `the largest block that it gives has ${bytes} bytes, though ${largest} are free`);
            if (value !== 0) take(value % addressSpan, bytes);
            return;
          }
          case 'freeSize':
            if (value !== largest)
              found([name], `it says that ${value} bytes can be allocated, but ${largest} are free`);
            return;
          case 'freeAddress':
            if (largest > 0 && areas.get(value) !== largest)
              found([name], `it says that the largest free area begins at ${value}, which does not`);
            return;
          case 'free':
            if (heap.live.get(address) === size) heap.live.delete(address);
            return;
          case 'freeAll':
            heap.live.clear();
        }
      }

      return {
        see({ from, to, event }) {
          switch (event.type) {
            case 'ldm.statics': {
              const heap = of(to);
              heap.statics = event.begins ? runtimePageBytes : event.end;
              if (!event.begins) return;
              heap.first = undefined;
              heap.live.clear();
              return;
            }
            case 'ldm.allocate': {
              const heap = of(to);
              if (heap.live.size === 0) heap.first = granules(heap.statics);
              heap.asked = event;
              return;
            }
            default: {
              const heap = of(from);
              if (heap.asked === undefined)
                found([from], 'it answers a call of its allocator that nobody made');
              else if (heap.asked.request !== 'scratch') judge(from, heap, event.value);
              heap.asked = undefined;
            }
          }
        },
      };
    }),
);
