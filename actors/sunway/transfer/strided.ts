/** Bytes of a block: DMA is cut into aligned requests of that size (Sunway specification 9.1). */
export const blockBytes = 128;
const halfBytes = blockBytes / 2;

/** What a DMA transfer moves. All sizes in bytes. */
export interface Shape {
  /** First byte in main memory. */
  readonly memory: number;
  /** Bytes moved, a multiple of 4. */
  readonly bytes: number;
  /** Bytes moved per block of the stride; without meaning when the stride is 0. */
  readonly blockSize: number;
  /** Gap in main memory between the end of a block and the start of the next; 0 for a contiguous transfer. */
  readonly stride: number;
}

/** A contiguous piece of a transfer. */
export interface Piece {
  /** First byte in main memory. */
  readonly memory: number;
  /** First byte on the LDM side, from the start of the transfer. */
  readonly offset: number;
  readonly bytes: number;
}

/** The size of the pieces of a transfer: contiguous ones are one piece whatever their block size (Sunway specification 4.1). */
export const pieceBytes = (shape: Shape): number => (shape.stride === 0 ? shape.bytes : shape.blockSize);

/** The pieces of a transfer in ascending order; the LDM side is contiguous (Sunway specification 4.1). */
export function* pieces(shape: Shape): Generator<Piece> {
  const bytes = pieceBytes(shape);
  for (let offset = 0, memory = shape.memory; offset < shape.bytes; offset += bytes) {
    yield { memory, offset, bytes };
    memory += bytes + shape.stride;
  }
}

/** The first byte of main memory after the last piece. */
export function memoryEnd(shape: Shape): number {
  const gaps = shape.bytes / pieceBytes(shape) - 1;
  return shape.memory + shape.bytes + gaps * shape.stride;
}

/** Blocks of main memory that a transfer touches, summed over its pieces (Sunway specification 9.1). */
export function blocksTouched(shape: Shape): number {
  let count = 0;
  const bytes = pieceBytes(shape);
  for (let offset = 0, memory = shape.memory; offset < shape.bytes; offset += bytes) {
    count += Math.floor((memory + bytes - 1) / blockBytes) - Math.floor(memory / blockBytes) + 1;
    memory += bytes + shape.stride;
  }
  return count;
}

/** What a put means for the memory controller. */
export interface PutShape {
  /** Blocks touched. */
  readonly blocks: number;
  /** Blocks that are completely overwritten. */
  readonly fullBlocks: number;
  /** Units of work of the others. */
  readonly partialUnits: number;
}

/**
 * Counts the blocks of a put and the units of those that it overwrites in part (Sunway specification 9.1).
 *
 * Details: a piece of a block is one unit when it starts and ends at multiples of 8 bytes, otherwise one for each half of the block that
 * it touches.
 */
export function putShape(shape: Shape): PutShape {
  let blocks = 0;
  let fullBlocks = 0;
  let partialUnits = 0;
  const bytes = pieceBytes(shape);
  for (let offset = 0, memory = shape.memory; offset < shape.bytes; offset += bytes) {
    const end = memory + bytes;
    const first = Math.floor(memory / blockBytes);
    const last = Math.floor((end - 1) / blockBytes);
    blocks += last - first + 1;
    if (first === last) {
      if (bytes === blockBytes) fullBlocks++;
      else partialUnits += unitsOf(memory, end);
    } else {
      const inner = last - first - 1;
      fullBlocks += inner;
      const middle = (first + 1) * blockBytes;
      if (middle - memory === blockBytes) fullBlocks++;
      else partialUnits += unitsOf(memory, middle);
      const tail = last * blockBytes;
      if (end - tail === blockBytes) fullBlocks++;
      else partialUnits += unitsOf(tail, end);
    }
    memory = end + shape.stride;
  }
  return { blocks, fullBlocks, partialUnits };
}

/**
 * The part of a transfer that lies in one block of main memory, from an offset on the LDM side: what one request at block granularity is for
 * (Sunway specification 8.4).
 */
export function blockFrom(shape: Shape, offset: number): Piece {
  const whole = pieceBytes(shape);
  const piece = Math.floor(offset / whole);
  const memory = shape.memory + piece * (whole + shape.stride) + (offset - piece * whole);
  const blockEnd = (Math.floor(memory / blockBytes) + 1) * blockBytes;
  return { memory, offset, bytes: Math.min(blockEnd - memory, (piece + 1) * whole - offset) };
}

/** Partial units of a put into one block; 0 when it overwrites the whole block. */
export const blockUnits = (memory: number, bytes: number): number =>
  bytes === blockBytes ? 0 : unitsOf(memory, memory + bytes);

function unitsOf(start: number, end: number): number {
  if (start % 8 === 0 && end % 8 === 0) return 1;
  return Math.floor((end - 1) / halfBytes) - Math.floor(start / halfBytes) + 1;
}
