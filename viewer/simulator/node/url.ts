/* What the simulator asks of `node:url`. */

export const fileURLToPath = (url: string | URL): string => decodeURIComponent(new URL(url).pathname);
export const pathToFileURL = (path: string): URL => new URL(`file://${encodeURI(path)}`);
