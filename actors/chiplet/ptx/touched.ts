import type { Scratch } from './warp.ts';

/** Bytes of a segment, the unit in which global memory is touched. */
export const segmentBytes = 128;

/**
 * Segments of 128 bytes that the lanes of the mask touched, into `scratch.found` in the order in which lanes came to them; gives their number.
 *
 * Details: an access is aligned to its size, which divides 128, so a lane touches one segment.
 */
export const segmentsTouched = (scratch: Scratch, mask: number): number =>
  piecesTouched(scratch, mask, segmentBytes, scratch.found);

/** Bytes of a sector, the unit in which cores and memory exchange data. */
const sectorBytes = 32;

/** The number of sectors of 32 bytes that the lanes of the mask touched: an access is aligned to its size, which divides 32. */
export const sectorsTouched = (scratch: Scratch, mask: number): number =>
  piecesTouched(scratch, mask, sectorBytes, scratch.bankWords);

/** The number of different addresses that the lanes of the mask touched. */
export const addressesTouched = (scratch: Scratch, mask: number): number =>
  piecesTouched(scratch, mask, 1, scratch.bankWords);

function piecesTouched({ touched }: Scratch, mask: number, pieceBytes: number, found: Float64Array): number {
  let count = 0;
  let last = -1;
  for (let lane = 0; lane < 32; lane++) {
    if (((mask >>> lane) & 1) === 0) continue;
    const segment = Math.floor(touched[lane]! / pieceBytes);
    if (segment === last) continue;
    last = segment;
    let at = 0;
    while (at < count && found[at] !== segment) at++;
    if (at === count) found[count++] = segment;
  }
  return count;
}

/** How often the fullest bank of shared memory has to be asked: the most different words of 4 bytes in one bank (chiplet specification 7.3). At least 1. */
export function bankWays(scratch: Scratch, mask: number, bytes: number, banks: number): number {
  if (bytes <= 4 && banks === 32 && isOnePass(scratch, mask)) return 1;
  const { touched, bankCounts, bankWords } = scratch;
  bankCounts.fill(0);
  let most = 1;
  for (let lane = 0; lane < 32; lane++) {
    if (((mask >>> lane) & 1) === 0) continue;
    const first = Math.floor(touched[lane]! / 4);
    for (let word = first; word <= first + ((bytes - 1) >> 2); word++) {
      const bank = word % banks;
      const base = (bank & 31) * 128;
      const count = bankCounts[bank & 31]!;
      let at = 0;
      while (at < count && bankWords[base + at] !== word) at++;
      if (at < count) continue;
      bankWords[base + count] = word;
      bankCounts[bank & 31] = count + 1;
      if (count >= most) most = count + 1;
    }
  }
  return most;
}

/** True when no bank of 32 is asked for two words. */
function isOnePass({ touched, bankCounts }: Scratch, mask: number): boolean {
  let used = 0;
  for (let lane = 0; lane < 32; lane++) {
    if (((mask >>> lane) & 1) === 0) continue;
    const word = touched[lane]! >>> 2;
    const bit = 1 << (word & 31);
    if ((used & bit) === 0) {
      used |= bit;
      bankCounts[word & 31] = word;
    } else if (bankCounts[word & 31] !== word) return false;
  }
  return true;
}

/** The most lanes of the mask that touched one address. At least 1. */
export function lanesOnOneAddress(scratch: Scratch, mask: number): number {
  const { touched } = scratch;
  let most = 1;
  for (let lane = 0; lane < 32; lane++) {
    if (((mask >>> lane) & 1) === 0) continue;
    let same = 1;
    for (let other = lane + 1; other < 32; other++)
      if ((mask >>> other) & 1 && touched[other] === touched[lane]) same++;
    if (same > most) most = same;
  }
  return most;
}
