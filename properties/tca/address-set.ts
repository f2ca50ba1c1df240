/** Bytes of a page: few, since what the exhaustive checker keeps of a property is copied with each of its steps. */
const pageBytes = 256;

/** Which bytes of a page are in a set, 1 for each, and how many they are. */
interface Page {
  readonly marks: Uint8Array;
  count: number;
}

/**
 * A set of byte addresses, which are whole numbers below 2^53, on pages of marks: for properties that follow every byte of large moves.
 *
 * Details: plain data; pages that nothing lies in cost nothing.
 */
export interface AddressSet {
  readonly pages: Record<number, Page>;
  /** How many addresses are in it. */
  size: number;
}

/** A set without addresses. */
export const noAddresses = (): AddressSet => ({ pages: {}, size: 0 });

/** Puts addresses in a row into a set. */
export const addAddresses = (set: AddressSet, first: number, count: number): void =>
  mark(set, first, count, 1);

/** Takes addresses in a row out of a set, those that are there. */
export function deleteAddresses(set: AddressSet, first: number, count: number): void {
  if (set.size > 0) mark(set, first, count, 0);
}

/** The lowest address of a set; undefined when there is none. */
export function lowestOf({ pages, size }: AddressSet): number | undefined {
  if (size === 0) return undefined;
  const page = Object.keys(pages).reduce(
    (lowest, key) => Math.min(lowest, Number(key)),
    Number.POSITIVE_INFINITY,
  );
  return page * pageBytes + pages[page]!.marks.indexOf(1);
}

function mark(set: AddressSet, first: number, count: number, value: 0 | 1): void {
  for (let done = 0; done < count; ) {
    const address = first + done;
    const number = Math.floor(address / pageBytes);
    const at = address - number * pageBytes;
    const here = Math.min(count - done, pageBytes - at);
    done += here;
    if (value === 0 && set.pages[number] === undefined) continue;
    set.pages[number] ??= { marks: new Uint8Array(pageBytes), count: 0 };
    const page = set.pages[number];
    let changed = 0;
    for (let k = at; k < at + here; k++)
      if (page.marks[k] !== value) {
        page.marks[k] = value;
        changed++;
      }
    page.count += value === 1 ? changed : -changed;
    set.size += value === 1 ? changed : -changed;
    if (page.count === 0) delete set.pages[number];
  }
}
