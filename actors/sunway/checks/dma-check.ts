import { type ReturnCode, returnCode } from '../return-code.ts';
import { memoryEnd } from '../transfer/strided.ts';
import { alignCode, type CheckFacts, isWhole, lengthCode, rangeCode, replyCode } from './parts.ts';

/** Spaces that DMA takes for main memory. */
const memorySpaces = ['memory', 'cross'] as const;

/** The arguments of a DMA transfer, the two sides named by what they must be (Sunway specification 6.5). */
export interface DmaArguments {
  readonly ldm: number;
  readonly memory: number;
  readonly bytes: number;
  /** Bytes of a block; without meaning when the stride is 0. */
  readonly blockSize: number;
  /** Bytes of the gap between blocks in main memory; 0 for forms without stride. */
  readonly stride: number;
  /** Reply word, 0 for none. */
  readonly reply: number;
}

/**
 * The code of a DMA get, put or broadcast (Sunway specification 3.1, 4.1, 11: E1 to E5, E9).
 *
 * Details: what is found first counts, in this order: length, alignment, stride, LDM side, memory side, reply word.
 */
export const dmaCode = (dma: DmaArguments, facts: CheckFacts): ReturnCode =>
  lengthCode(dma.bytes) ||
  alignCode(4, dma.ldm, dma.memory) ||
  strideCode(dma) ||
  rangeCode(['ldm'], dma.ldm, dma.bytes, facts) ||
  rangeCode(memorySpaces, dma.memory, memoryEnd(dma) - dma.memory, facts) ||
  replyCode(dma.reply, facts);

/** Block size and stride of a transfer; any block size will do when the stride is 0. */
export function strideCode({ bytes, blockSize, stride }: DmaArguments): ReturnCode {
  if (stride === 0) return returnCode.SUCCESS;
  const wholeWords = isWhole(stride) && isWhole(blockSize) && stride % 4 === 0 && blockSize % 4 === 0;
  const fits = stride > 0 && stride < 2 ** 32 && blockSize > 0 && blockSize <= bytes;
  return wholeWords && fits && bytes % blockSize === 0 ? returnCode.SUCCESS : returnCode.E_STRIDE;
}
