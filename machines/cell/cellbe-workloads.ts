import type { CellbePrograms, TimedDma } from './cellbe-config.ts';

/** Numbers of the two SPEs of a pair. */
export type SpePair = readonly [number, number];

/** The pairs of the seven rows of Cell specification 19.3, in its order. */
export const fourPairsRows: readonly (readonly SpePair[])[] = [
  [
    [1, 3],
    [5, 7],
    [0, 2],
    [4, 6],
  ],
  [
    [0, 4],
    [1, 5],
    [2, 6],
    [3, 7],
  ],
  [
    [0, 1],
    [2, 3],
    [4, 5],
    [6, 7],
  ],
  [
    [0, 3],
    [1, 2],
    [4, 7],
    [5, 6],
  ],
  [
    [0, 7],
    [1, 6],
    [2, 5],
    [3, 4],
  ],
  [
    [0, 5],
    [1, 4],
    [2, 7],
    [3, 6],
  ],
  [
    [0, 6],
    [1, 7],
    [2, 4],
    [3, 5],
  ],
];

/** Where the commands of a stream take their bytes and put them: two windows of the stores, used over and over. */
const windowBytes = 65536;
const sourceBase = 0;
const targetBase = 131072;

/** Commands of `chunk` bytes, `total` bytes in all, that move window 0.. of the sender to window 128 KiB.. of the receiver. */
function stream(kind: 'get' | 'put', element: string, chunk: number, total: number): TimedDma[] {
  return Array.from({ length: Math.ceil(total / chunk) }, (_, index) => {
    const offset = (index * chunk) % windowBytes;
    const [from, to] = [sourceBase + offset, targetBase + offset];
    return {
      cycle: 0,
      kind,
      element,
      local: kind === 'put' ? from : to,
      address: kind === 'put' ? to : from,
      size: chunk,
    };
  });
}

const spes = [0, 1, 2, 3, 4, 5, 6, 7] as const;

/** Eight SPEs in pairs, each putting `bytesPerSpe` bytes to its partner in 16 KiB commands, both directions at once (Cell specification 19.3). */
export function fourPairs(pairs: readonly SpePair[], bytesPerSpe = 262144): CellbePrograms {
  return Object.fromEntries(
    pairs.flatMap(([a, b]) => [
      [`SPE${a}`, stream('put', `SPE${b}`, 16384, bytesPerSpe)],
      [`SPE${b}`, stream('put', `SPE${a}`, 16384, bytesPerSpe)],
    ]),
  );
}

/** SPE 1 and SPE 3 putting to each other in chunks of `chunk` bytes, 128..16384 (Cell specification 19.4). */
export const onePair = (chunk: number, bytesPerSpe = 131072): CellbePrograms => ({
  SPE1: stream('put', 'SPE3', chunk, bytesPerSpe),
  SPE3: stream('put', 'SPE1', chunk, bytesPerSpe),
});

/** Seven SPEs reading from SPE 0 (Cell specification 19.4, hot spot). */
export const hotSpot = (bytesPerSpe = 32768): CellbePrograms =>
  Object.fromEntries(spes.slice(1).map((spe) => [`SPE${spe}`, stream('get', 'SPE0', 16384, bytesPerSpe)]));

/** All SPEs at the memory: even ones read, odd ones write (Cell specification 19.4). */
export const allToMemory = (bytesPerSpe = 32768): CellbePrograms =>
  Object.fromEntries(
    spes.map((spe) => [`SPE${spe}`, stream(spe % 2 === 0 ? 'get' : 'put', 'MIC', 16384, bytesPerSpe)]),
  );

/** Every element putting to the one `distance` places on round the ring: all flows go the same way (Cell specification 19.1). */
export const shifted = (
  elements: readonly string[],
  distance: number,
  bytesPerElement = 65536,
): CellbePrograms =>
  Object.fromEntries(
    elements.map((name, index) => [
      name,
      stream('put', elements[(index + distance) % elements.length]!, 16384, bytesPerElement),
    ]),
  );

/** Elements 0 and 1, 2 and 3, … putting to each other: a demand of the raw ring limit, more than the command bus takes (Cell specification 19.1). */
export const adjacentPairs = (elements: readonly string[], bytesPerElement = 65536): CellbePrograms =>
  Object.fromEntries(
    elements.flatMap((name, index) => {
      const partner = elements[index ^ 1];
      return partner === undefined ? [] : [[name, stream('put', partner, 16384, bytesPerElement)]];
    }),
  );
