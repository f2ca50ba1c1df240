/** Handlers of the library itself, below those of programs (TCA specification 12.1). */
export const libraryHandlers = { mail: 1, words: 2, unpack: 3, unpacked: 4, pack: 5, packed: 6 } as const;

/** Whether a handler belongs to the library. */
export const isLibraryHandler = (index: number): boolean =>
  Object.values<number>(libraryHandlers).includes(index);
