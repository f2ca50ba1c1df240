import type { LdmAllocate } from '../../actors/sunway/messages.ts';
import { sunwayProperty } from './context.ts';

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
  first: number;
  /** Bytes of each block, by address. */
  live: Record<number, number>;
  asked: Pick<LdmAllocate, 'request' | 'address' | 'size'> | undefined;
}

interface Memory {
  readonly heaps: Record<string, Heap>;
}

function heapOf({ heaps }: Memory, name: string): Heap {
  heaps[name] ??= { statics: runtimePageBytes, first: 0, live: {}, asked: undefined };
  return heaps[name];
}

/** The lengths of the areas that no block covers, by address. */
function freeAreas({ first, live }: Heap, end: number): ReadonlyMap<number, number> {
  const areas = new Map<number, number>();
  let at = first;
  // The names of numbers come in ascending order.
  for (const [name, bytes] of Object.entries(live)) {
    const address = Number(name);
    if (address > at) areas.set(at, address - at);
    at = address + granules(bytes);
  }
  if (end > at) areas.set(at, end - at);
  return areas;
}

/** Live blocks of an allocator never overlap or leave its area, and what is given back can be given again (Sunway specification 6.4; 12, P11). */
export const heapsGiveWhatIsFree = sunwayProperty(
  'an allocator gives blocks of its area that nobody holds, refuses none that fits, and knows the largest',
  ['ldm.statics', 'ldm.allocate', 'ldm.allocated'],
  ({ config: { cacheKiB, sldm, stackInLdm } }) => {
    const end = ldmBytes - 1024 * (cacheKiB + sldm.sizeKiB) - (stackInLdm ? stackBytes : 0);
    return {
      begin: (): Memory => ({ heaps: {} }),
      judges: ({ type }) => type !== 'ldm.statics',
      see(memory: Memory, event, to, from) {
        switch (event.type) {
          case 'ldm.statics': {
            const heap = heapOf(memory, to);
            heap.statics = event.begins ? runtimePageBytes : event.end;
            if (event.begins) heap.live = {};
            return undefined;
          }
          case 'ldm.allocate': {
            const heap = heapOf(memory, to);
            if (Object.keys(heap.live).length === 0) heap.first = granules(heap.statics);
            const { request, address, size } = event;
            heap.asked = { request, address, size };
            return undefined;
          }
          default: {
            const heap = heapOf(memory, from);
            const why = answerWrong(heap, event.value, end);
            heap.asked = undefined;
            return why === undefined ? undefined : { actors: [from], why };
          }
        }
      },
    };
  },
);

/** What is wrong with an answer; what it gives or takes back is noted. */
function answerWrong(heap: Heap, value: number, end: number): string | undefined {
  if (heap.asked === undefined) return 'it answers a call of its allocator that nobody made';
  const { request, address, size } = heap.asked;
  if (request === 'scratch') return undefined;
  const areas = freeAreas(heap, end);
  const largest = Math.max(0, ...areas.values());
  const take = (at: number, bytes: number): string | undefined => {
    const needed = granules(bytes);
    const isFree = [...areas].some(([first, length]) => first <= at && at + needed <= first + length);
    heap.live[at] = bytes;
    return at % granuleBytes === 0 && isFree
      ? undefined
      : `it gives ${bytes} bytes at ${at}, which are not free or not of its area`;
  };
  switch (request) {
    case 'malloc':
      if (value !== 0) return take(value, size);
      return size > 0 && granules(size) <= largest
        ? `it has no ${size} bytes, though ${largest} are free in one piece`
        : undefined;
    case 'mallocMax': {
      const bytes = Math.floor(value / addressSpan);
      if (bytes !== largest)
        return `the largest block that it gives has ${bytes} bytes, though ${largest} are free`;
      return value === 0 ? undefined : take(value % addressSpan, bytes);
    }
    case 'freeSize':
      return value === largest
        ? undefined
        : `it says that ${value} bytes can be allocated, but ${largest} are free`;
    case 'freeAddress':
      return largest === 0 || areas.get(value) === largest
        ? undefined
        : `it says that the largest free area begins at ${value}, which does not`;
    case 'free':
      if (heap.live[address] === size) delete heap.live[address];
      return undefined;
    case 'freeAll':
      heap.live = {};
      return undefined;
  }
}
