/** Finds that two values are the same. Errors: throws, with both. */
export function agree<T extends string | number | bigint | boolean | undefined>(
  what: string,
  found: T,
  expected: T,
): void {
  if (found !== expected) throw new Error(`${what}: found ${String(found)}, expected ${String(expected)}`);
}

/** Finds that bytes are the same. Errors: throws, with the first that differs. */
export function sameBytes(what: string, found: Uint8Array, expected: Uint8Array): void {
  agree(`${what}: bytes`, found.length, expected.length);
  for (let k = 0; k < found.length; k++)
    if (found[k] !== expected[k])
      throw new Error(`${what}: found ${found[k]} at byte ${k} of ${found.length}, expected ${expected[k]}`);
}

/** Bytes that tell themselves apart from others of another seed, and from zero. */
export function pattern(seed: number, size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  const first = Math.imul(seed + 1, 89);
  for (let k = 0; k < size; k++) bytes[k] = 1 + (((first + k * 7 + (k >> 6) * 31) >>> 0) % 255);
  return bytes;
}
