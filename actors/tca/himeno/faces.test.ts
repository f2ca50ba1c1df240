import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Block, createBlock } from './block.ts';
import { type Decomposition, decompose, type Extent, rankCount } from './decomposition.ts';
import { exchange } from './exchange.ts';
import { exchangeOrders, exchangePhases, type Face, type FaceTransfer } from './faces.ts';
import { floatBytes, gridSizes } from './grid.ts';

const odd = { imax: 11, jmax: 9, kmax: 6 };
const counts = [
  [2, 1],
  [1, 2],
  [4, 1],
  [1, 4],
  [2, 2],
  [3, 2],
] as const;

/**
 * Blocks in the middle of a run: every value tells its place in the whole grid and its age, which is new
 * where it is owned, one iteration old in the halo, and older still at the edges of the halo.
 */
function labelledBlocks(decomposition: Decomposition): readonly Block[] {
  const { imax, jmax, kmax } = decomposition.size;
  return Array.from({ length: rankCount(decomposition) }, (_, rank) => {
    const block = createBlock(decomposition, rank, 'classic');
    for (let i = 0; i < imax; i++)
      for (let j = 0; j < jmax; j++)
        for (let k = 0; k < kmax; k++) {
          const at = placeOf(block, i, j, k);
          const age = Number(!owns(block.extents.i, i)) + Number(!owns(block.extents.j, j));
          if (at !== undefined) block.fields.p[at] = (i * jmax + j) * kmax + k + age * 2 ** 16;
        }
    return block;
  });
}

const has = ({ allocatedFirst, allocatedEnd }: Extent, at: number) =>
  at >= allocatedFirst && at < allocatedEnd;
const owns = ({ ownFirst, ownEnd }: Extent, at: number) => at >= ownFirst && at < ownEnd;

/** Where a block has a value of the whole grid; undefined where it has none. */
function placeOf({ extents, allocated }: Block, i: number, j: number, k: number): number | undefined {
  if (!has(extents.i, i) || !has(extents.j, j)) return undefined;
  const row = (i - extents.i.allocatedFirst) * allocated.jmax + j - extents.j.allocatedFirst;
  return row * allocated.kmax + k;
}

/**
 * An exchange along one axis, value by value: every halo value comes from the block next to it that owns its
 * plane.
 */
function exchangeAlong(axis: 'i' | 'j', blocks: readonly Block[], before: readonly Float32Array[]): void {
  const { imax, jmax, kmax } = blocks[0]!.decomposition.size;
  const across = axis === 'i' ? 'y' : 'x';
  for (const target of blocks)
    for (let i = 0; i < imax; i++)
      for (let j = 0; j < jmax; j++) {
        const plane = axis === 'i' ? i : j;
        if (!has(target.extents[axis], plane) || owns(target.extents[axis], plane)) continue;
        const source = blocks.find(
          ({ extents }) => extents[across] === target.extents[across] && owns(extents[axis], plane),
        )!;
        for (let k = 0; k < kmax; k++) {
          const to = placeOf(target, i, j, k);
          if (to !== undefined) target.fields.p[to] = before[source.rank]![placeOf(source, i, j, k)!]!;
        }
      }
}

const valuesOf = (blocks: readonly Block[]) => blocks.map(({ fields }) => fields.p.slice());

/** The places that a DMA engine touches, one for each byte. */
function* bytesOf({ offsetBytes, blockBytes, count, pitchBytes }: Face): Iterable<number> {
  for (let block = 0; block < count; block++)
    for (let byte = 0; byte < blockBytes; byte++) yield offsetBytes + block * pitchBytes + byte;
}

/** Reads and writes one transfer byte by byte, as an engine that knows nothing of floats. */
function carryOut({ source, target, from, to }: FaceTransfer, read: Uint8Array[], write: Uint8Array[]): void {
  const targets = [...bytesOf(to)];
  for (const [index, at] of [...bytesOf(from)].entries())
    write[target]![targets[index]!] = read[source]![at]!;
}

describe('the faces of an exchange', () => {
  test.each(counts)('%ix%i: move what an exchange value by value moves', (A, B) => {
    const decomposition = decompose(odd, A, B);
    const [inTurn, atOnce, turnExpected, onceExpected] = [1, 2, 3, 4].map(() =>
      labelledBlocks(decomposition),
    );
    exchangeAlong('i', turnExpected!, valuesOf(turnExpected!));
    exchangeAlong('j', turnExpected!, valuesOf(turnExpected!));
    const snapshot = valuesOf(onceExpected!);
    exchangeAlong('i', onceExpected!, snapshot);
    exchangeAlong('j', onceExpected!, snapshot);

    exchange(inTurn!, 'sequential');
    exchange(atOnce!, 'concurrent');

    expect(valuesOf(inTurn!)).toEqual(valuesOf(turnExpected!));
    expect(valuesOf(atOnce!)).toEqual(valuesOf(onceExpected!));
  });

  test('moved byte by byte, in any order within a phase, do what the direct exchange does', () => {
    const orders = fc.constantFrom(...exchangeOrders);
    fc.assert(
      fc.property(fc.constantFrom(...counts), orders, fc.infiniteStream(fc.nat()), ([A, B], order, picks) => {
        const decomposition = decompose(odd, A, B);
        const [direct, moved] = [labelledBlocks(decomposition), labelledBlocks(decomposition)];
        const memories = moved.map(({ fields }) => new Uint8Array(fields.p.buffer));

        for (const phase of exchangePhases(decomposition, order)) {
          const snapshot = memories.map((memory) => memory.slice());
          const waiting = [...phase];
          while (waiting.length > 0) {
            const [next] = waiting.splice(picks.next().value % waiting.length, 1);
            carryOut(next!, snapshot, memories);
          }
        }

        exchange(direct, order);
        expect(valuesOf(moved)).toEqual(valuesOf(direct));
      }),
      { seed: 13, numRuns: 60 },
    );
  });

  test('of one phase meet only at edges of the halo, and only when all are moved at once', () => {
    for (const [A, B] of counts)
      for (const order of exchangeOrders) {
        const phases = exchangePhases(decompose(odd, A, B), order);

        const meetings = phases.map((phase) => {
          const written = phase.flatMap(({ target, to }) => [...bytesOf(to)].map((at) => `${target}:${at}`));
          const places = new Set(written);
          const read = phase.flatMap(({ source, from }) => [...bytesOf(from)].map((at) => `${source}:${at}`));
          return { twice: written.length - places.size, readToo: read.some((at) => places.has(at)) };
        });

        // Each of the four blocks around an edge has one row written twice.
        const edgeBytes = 4 * (A - 1) * (B - 1) * odd.kmax * floatBytes;
        if (order === 'concurrent') expect(meetings).toEqual([{ twice: edgeBytes, readToo: edgeBytes > 0 }]);
        else expect(meetings).toEqual(Array(2).fill({ twice: 0, readToo: false }));
      }
  });

  test('across i are one contiguous block, across j blocks of one row with a plane as pitch (size S)', () => {
    const rowBytes = gridSizes.S.kmax * floatBytes;

    const [[alongI], [, alongJ]] = [
      exchangePhases(decompose(gridSizes.S, 2, 1), 'sequential')[0]!,
      [undefined, exchangePhases(decompose(gridSizes.S, 1, 4), 'sequential')[1]![1]!],
    ] as const;

    expect(alongI).toEqual({
      axis: 'i',
      source: 0,
      target: 1,
      from: {
        offsetBytes: 31 * 64 * rowBytes,
        blockBytes: 64 * rowBytes,
        count: 1,
        pitchBytes: 64 * rowBytes,
      },
      to: { offsetBytes: 0, blockBytes: 64 * rowBytes, count: 1, pitchBytes: 64 * rowBytes },
    });
    expect(alongJ).toEqual({
      axis: 'j',
      source: 1,
      target: 0,
      from: { offsetBytes: rowBytes, blockBytes: rowBytes, count: 64, pitchBytes: 18 * rowBytes },
      to: { offsetBytes: 16 * rowBytes, blockBytes: rowBytes, count: 64, pitchBytes: 17 * rowBytes },
    });
  });

  test('wait for the i-faces in `sequential` order, and for nothing in `concurrent` order', () => {
    const decomposition = decompose(odd, 2, 2);
    const axes = (order: 'sequential' | 'concurrent') =>
      exchangePhases(decomposition, order).map((phase) => phase.map(({ axis }) => axis).join(''));

    expect(axes('sequential')).toEqual(['iiii', 'jjjj']);
    expect(axes('concurrent')).toEqual(['iiiijjjj']);
  });
});
