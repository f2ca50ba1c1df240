import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** A folder of its own for the tests of a file, which is gone after them; `name` says whose it is. */
export function temporaryFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `lockstep-${name}-`));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
