import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomically } from '../scenarios/atomic-file.ts';
import { projectFolder } from './project-files.ts';

/** How long test files take, kept in a file so that the quickest can be asked first. */
export class Durations {
  readonly #kept: Record<string, number>;

  constructor(readonly file: string) {
    this.#kept = read(file);
  }

  /** Milliseconds; guessed by the size of the test where nothing is known. */
  of(test: string): number {
    return this.#kept[test] ?? statSync(join(projectFolder, test)).size / 2;
  }

  keep(test: string, milliseconds: number): void {
    const before = this.#kept[test];
    // The least is the nearest to what it takes when nobody else is at work.
    this.#kept[test] = Math.min(Math.round(milliseconds), before ?? Number.POSITIVE_INFINITY);
  }

  write(): void {
    writeFileAtomically(this.file, `${JSON.stringify(this.#kept, null, 1)}\n`);
  }
}

function read(file: string): Record<string, number> {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {};
  }
}
