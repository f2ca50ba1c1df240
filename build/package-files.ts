import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { filesBelow } from '../cli/files-below.ts';

/*
 * What the package has besides compiled modules: templates of projects, scenarios, whose programs are compiled, and the published figures that some commands compare with.
 */

/** Files below a folder, as paths from it. */
export const below = (folder: string): readonly string[] =>
  filesBelow(folder).map((file) => relative(folder, file));

/** Scenarios that are wrong on purpose, for tests. */
const isBroken = (file: string): boolean => /(^|\/)broken\//.test(file);

const scenarioFiles = (): readonly string[] =>
  below('scenarios').filter((file) => /\.ya?ml$/.test(file) && !isBroken(file));

/** The modules that scenarios take programs from, without the ending. */
export function programModules(): readonly string[] {
  const found = scenarioFiles().flatMap((file) =>
    [...readFileSync(join('scenarios', file), 'utf8').matchAll(/\bmodule: *["']?([\w./-]+)\.ts#/g)].map(
      (match) => join('scenarios', dirname(file), match[1]!),
    ),
  );
  return [...new Set(found)].sort();
}

/** Texts beside scenarios that they refer to as files. */
const sourceTexts = (): readonly string[] =>
  below('scenarios').filter((file) => /\.(vsm|ptx|txt|sh)$/.test(file) && !isBroken(file));

/** Writes what is no module into the built package. */
export function writePackageFiles(): void {
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join('dist', path)), { recursive: true });
    writeFileSync(join('dist', path), text);
  };
  for (const file of scenarioFiles()) {
    const text = readFileSync(join('scenarios', file), 'utf8');
    write(join('scenarios', file), text.replace(/(\bmodule: *["']?[\w./-]+)\.ts#/g, '$1.js#'));
  }
  cpSync('templates', 'dist/templates', { recursive: true });
  for (const file of sourceTexts())
    cpSync(join('scenarios', file), join('dist/scenarios', file), { recursive: true });
  for (const file of below('properties/tca/golden').filter((one) => one.endsWith('.json'))) {
    const path = join('properties/tca/golden', file);
    write(path, JSON.stringify(JSON.parse(readFileSync(path, 'utf8'))));
  }
}
