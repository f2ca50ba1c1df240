import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import ts from 'typescript';
import { projectFolder } from './project-files.ts';

/** Which modules of the project import which at run time, whether at once or later. */
export class Reach {
  readonly #imports = new Map<string, readonly string[]>();

  /** All files that a file reaches, itself among them; paths relative to the project. */
  from(file: string): ReadonlySet<string> {
    const reached = new Set([file]);
    for (const one of reached) for (const next of this.#of(one)) reached.add(next);
    return reached;
  }

  #of(file: string): readonly string[] {
    let imports = this.#imports.get(file);
    if (!imports) {
      imports = importsOf(file);
      this.#imports.set(file, imports);
    }
    return imports;
  }
}

function importsOf(file: string): readonly string[] {
  const path = join(projectFolder, file);
  if (!/\.[mc]?[jt]s$/.test(file)) return [];
  const text = readFileSync(path, 'utf8').replace(/^(?:import|export) type [^;]*;/gm, '');
  return ts
    .preProcessFile(text, true, true)
    .importedFiles.map(({ fileName }) => fileName)
    .filter((name) => name.startsWith('.'))
    .map((name) => resolve(dirname(path), name))
    .filter((target) => existsSync(target))
    .map((target) => relative(projectFolder, target).split(sep).join('/'));
}
