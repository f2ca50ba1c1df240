/** Bytes of a page: few, since what the exhaustive checker keeps of a property is copied with each of its steps. */
const pageBytes = 256;

/** What has been written to byte addresses, which are whole numbers below 2^53, by page; the rest is 0. Pages that nobody wrote cost nothing. */
export type WrittenBytes = Record<number, Uint8Array>;

/** Writes bytes from an address on. */
export function writeBytes(written: WrittenBytes, address: number, data: Uint8Array): void {
  for (let done = 0; done < data.length; ) {
    const [number, at] = placeOf(address + done);
    const here = Math.min(data.length - done, pageBytes - at);
    written[number] ??= new Uint8Array(pageBytes);
    written[number].set(data.subarray(done, done + here), at);
    done += here;
  }
}

/** So many bytes from an address on. */
export function readBytes(written: WrittenBytes, address: number, count: number): Uint8Array {
  const bytes = new Uint8Array(count);
  for (let done = 0; done < count; ) {
    const [number, at] = placeOf(address + done);
    const here = Math.min(count - done, pageBytes - at);
    const page = written[number];
    if (page !== undefined) bytes.set(page.subarray(at, at + here), done);
    done += here;
  }
  return bytes;
}

/** The lowest addresses, one a page, at which two memories differ, in ascending order; those that a mask has a byte for are left out. */
export function differencesOf(
  one: WrittenBytes,
  other: WrittenBytes,
  mask: WrittenBytes = {},
): readonly number[] {
  const numbers = new Set([...Object.keys(one), ...Object.keys(other)].map(Number));
  return [...numbers]
    .flatMap((number) => {
      const [page = blank, otherPage = blank] = [one[number], other[number]];
      const left = mask[number] ?? blank;
      const at = page.findIndex((byte, k) => byte !== otherPage[k] && left[k] === 0);
      return at < 0 ? [] : [number * pageBytes + at];
    })
    .sort((a, b) => a - b);
}

const blank = new Uint8Array(pageBytes);

/** The page of an address, and where it lies there. */
function placeOf(address: number): readonly [number, number] {
  const number = Math.floor(address / pageBytes);
  return [number, address - number * pageBytes];
}
