import { resolve } from 'node:path';
import { format } from 'node:util';
import { vi } from 'vitest';

/** What a module of a page prints when it is loaded, in this process. */
export async function outputOf(file: string): Promise<string> {
  const lines: string[] = [];
  const log = vi.spyOn(console, 'log').mockImplementation((...words) => lines.push(`${format(...words)}\n`));
  try {
    await import(resolve(file));
  } finally {
    log.mockRestore();
  }
  return lines.join('');
}
