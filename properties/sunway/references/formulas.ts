/** Thousandths of a cycle: times with fractions are kept so, and rounded up once, when something is due. */
export const milli = (cycles: number): number => Math.round(cycles * 1000);

/** Where the bytes of a transfer lie in main memory (Sunway specification 4.1). */
interface Strided {
  readonly memory: number;
  readonly len: number;
  readonly bsize: number;
  readonly stride: number;
}

/** The first byte of each contiguous piece in main memory, and the one behind it (specification 4.1). */
export function piecesOf({ memory, len, bsize, stride }: Strided): readonly (readonly [number, number])[] {
  if (stride === 0) return [[memory, memory + len]];
  return Array.from({ length: len / bsize }, (_, k) => {
    const first = memory + k * (bsize + stride);
    return [first, first + bsize] as const;
  });
}

/** Blocks of 128 bytes that a transfer touches, those that it covers completely, and units of the others (specification 9.1). */
export interface PutShape {
  readonly blocks: number;
  readonly fullBlocks: number;
  readonly partialUnits: number;
}

export function shapeOfPut(transfer: Strided): PutShape {
  let [blocks, fullBlocks, partialUnits] = [0, 0, 0];
  for (const [first, end] of piecesOf(transfer))
    for (let at = first - (first % 128); at < end; at += 128) {
      const [from, to] = [Math.max(first, at), Math.min(end, at + 128)];
      blocks++;
      if (to - from === 128) fullBlocks++;
      else if (from % 8 === 0 && to % 8 === 0) partialUnits++;
      else partialUnits += Number(from < at + 64) + Number(to > at + 64);
    }
  return { blocks, fullBlocks, partialUnits };
}
