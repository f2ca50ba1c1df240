/** Bytes of a page: a change copies one page, not the file. */
const pageBytes = 4096;

/** The bytes of a file in order; a page is never changed, but replaced, since snapshots share it. */
export type FileContent = readonly Uint8Array[];

/** A file of these bytes, in pages. */
export function fileOf(bytes: Uint8Array): FileContent {
  const pages: Uint8Array[] = [];
  for (let first = 0; first < bytes.length; first += pageBytes)
    pages.push(bytes.slice(first, first + pageBytes));
  return pages;
}

/** The file with bytes behind its end. */
export const appended = (file: FileContent, bytes: Uint8Array): FileContent => [...file, ...fileOf(bytes)];

/** The file with one byte changed; as it is when it is not that long. */
export function patched(file: FileContent, offset: number, value: number): FileContent {
  let first = 0;
  const at = file.findIndex((page) => {
    first += page.length;
    return offset < first;
  });
  if (at < 0) return file;
  const page = file[at]!.slice();
  page[offset - (first - page.length)] = value;
  return file.with(at, page);
}

/** All bytes of a file. */
export function bytesOf(file: FileContent): Uint8Array {
  const bytes = new Uint8Array(file.reduce((sum, page) => sum + page.length, 0));
  let first = 0;
  for (const page of file) {
    bytes.set(page, first);
    first += page.length;
  }
  return bytes;
}
