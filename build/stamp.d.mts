/** Where the build keeps what it was made of. */
export const stampFile: string;
/** Names, sizes and times of all sources: changes when one of them does. */
export function sourceStamp(): string;
/** True in a package without sources, and where what is built is what the sources would give. */
export function isFresh(): boolean;
