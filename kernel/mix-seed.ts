/**
 * A seed for one of many: a whole number from 0 to 2^32 - 1, different for different numbers under one key.
 *
 * Details: the finishing step of MurmurHash3 (Appleby 2011), which is one to one, over the number shifted by the finished key.
 */
export const mixSeed = (number: number, key: number): number => finished(number + finished(key));

function finished(word: number): number {
  let mixed = word | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
