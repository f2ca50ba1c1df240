import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import type { Mutant } from './mutant.ts';
import { projectFolder } from './project-files.ts';

const entries = z.array(
  z.strictObject({
    file: z.string(),
    before: z.string().describe('the line as it is'),
    after: z.string().describe('the line as the mutant has it'),
    why: z.string().min(20).describe('why nothing that a specification or a user sees can differ'),
  }),
);

/** Mutants that change nothing that anybody could see, each with the reason. */
export class Equivalents {
  readonly #whys = new Map<string, string>();

  constructor(readonly all: z.output<typeof entries>) {
    for (const { file, before, after, why } of all) this.#whys.set(key(file, before, after), why);
  }

  static kept(): Equivalents {
    const file = join(projectFolder, 'mutation', 'equivalents.yaml');
    return new Equivalents(entries.parse(parse(readFileSync(file, 'utf8')) ?? []));
  }

  /** Why a mutant is equivalent; undefined when nobody says so. */
  why({ file, before, after }: Pick<Mutant, 'file' | 'before' | 'after'>): string | undefined {
    return this.#whys.get(key(file, before, after));
  }
}

const key = (file: string, before: string, after: string): string => `${file}\n${before}\n${after}`;
