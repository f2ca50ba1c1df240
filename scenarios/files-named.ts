import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { inputText } from './input-file.ts';

/** Modules that a configuration names by references, by their whole names. */
export const modulesNamedIn = (configuration: string): readonly string[] =>
  [...inputText(configuration).matchAll(/['"`](\.[^'"`#]+\.[cm]?[jt]sx?)#/g)]
    .map(([, path]) => resolve(dirname(configuration), path!))
    .filter((path) => existsSync(path));

/** The files beside a document that texts in it name, by their whole names; `folder` is its folder. */
export function filesNamedIn(data: unknown, folder: string): readonly string[] {
  const found = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value === 'object' && value !== null) Object.values(value).forEach(visit);
    if (typeof value !== 'string' || value.length > 1000 || !/\.\w+(#|$)/.test(value)) return;
    const path = resolve(folder, value.replace(/#.*$/s, ''));
    if (existsSync(path) && statSync(path).isFile()) found.add(path);
  };
  visit(data);
  return [...found];
}
