import { bytesOf } from '../../actors/sunway/services/file-content.ts';
import type { FileStoreContext } from '../../actors/sunway/services/file-store.ts';
import type { Run } from '../../kernel/run.ts';
import { hexOfBytes } from './file-digits.ts';

/** The name of the part that keeps the files of a node. */
export const fileStoreName = 'Node.FileStore';

/** The files of a node as they are: by name, two hexadecimal digits a byte, and how often any of them has changed. */
export function filesOf(run: Run): {
  readonly files: Readonly<Record<string, string>>;
  readonly changes: number;
} {
  // What was placed under this name knows this.
  const { files, changes } = run.part(fileStoreName).context as unknown as FileStoreContext;
  const digits = [...files].map(([name, file]) => [name, hexOfBytes(bytesOf(file))]);
  return { files: Object.fromEntries(digits), changes };
}
