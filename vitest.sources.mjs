import { readFileSync } from 'node:fs';
import { register } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';
import { transform } from 'esbuild';

/*
 * Lets Node load the sources as they are: each import stays a binding of the engine, where the module runner of the test runner would make it a property of an object that has a
 * getter, which is a fifth of the time of the tests. Threads that tests start run what is built.
 */

const home = new URL('./', import.meta.url);
const { paths } = JSON.parse(readFileSync(new URL('tsconfig.json', home), 'utf8')).compilerOptions;
/** The package by its own name: the sources, built or not. */
const entries = Object.entries(paths).map(([name, [file]]) => [
  new RegExp(`^${name.replace('*', '(\\w+)')}$`),
  file.replace('*', '$1'),
]);

export async function resolve(specifier, context, next) {
  const entry = entries.find(([name]) => name.test(specifier));
  return entry
    ? { url: new URL(specifier.replace(...entry), home).href, shortCircuit: true }
    : next(specifier, context);
}

export async function load(url, context, next) {
  if (!/^file:.*\.(?:m?ts|tsx)(?:\?|$)/.test(url)) return next(url, context);
  const file = fileURLToPath(url);
  const { code } = await transform(readFileSync(file, 'utf8'), {
    loader: file.endsWith('x') ? 'tsx' : 'ts',
    format: 'esm',
    target: 'es2023',
    sourcefile: file,
    sourcemap: 'inline',
    sourcesContent: false,
  });
  return { format: 'module', source: code, shortCircuit: true };
}

if (isMainThread) {
  register(import.meta.url);
  register('./scenarios/modules/hooks.mjs', import.meta.url);
}
