/* What the simulator asks of `node:fs`: the files that came with what was opened, and no others. */

const files = new Map<string, string>();

/** Hands over the files that a scenario refers to, by their whole names. */
export function putFiles(texts: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(texts)) files.set(path, text);
}

export const existsSync = (path: string): boolean => files.has(path);
export const readdirSync = (): readonly string[] => [];

export function readFileSync(path: string): string {
  const text = files.get(path);
  if (text === undefined) throw Object.assign(new Error(`found no file ${path}`), { code: 'ENOENT' });
  return text;
}

const refused = (): never => {
  throw new Error('a page reads and writes no files');
};

export {
  refused as accessSync,
  refused as chmodSync,
  refused as closeSync,
  refused as fstatSync,
  refused as fsyncSync,
  refused as ftruncateSync,
  refused as linkSync,
  refused as lstatSync,
  refused as mkdirSync,
  refused as mkdtempSync,
  refused as openSync,
  refused as readlinkSync,
  refused as readSync,
  refused as realpathSync,
  refused as renameSync,
  refused as rmSync,
  refused as statSync,
  refused as unlinkSync,
  refused as writeFileSync,
  refused as writeSync,
};
export const constants = {};
