import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const moduleSyntax = /^\s*(?:import\b(?!\s*\()|export\b)/m;

/** Addresses of the modules of the package that runs, by what is imported; none where the sources run. */
let ownModules = new Map();

/** `home`: address of the folder of the package that runs. */
export function initialize(data) {
  if (data === undefined) return;
  const { exports, name } = JSON.parse(readFileSync(new URL('package.json', data.home), 'utf8'));
  ownModules = new Map(
    Object.entries(exports).map(([subpath, target]) => [
      name + subpath.slice(1),
      new URL(target.default ?? target, data.home).href,
    ]),
  );
}

/**
 * A machine and the command that runs it share one kernel: what imports `lockstep` gets the one that runs, not the one that settings of TypeScript or another
 * installation lead to.
 *
 * What is written as a module is one, wherever it lies: without this a file in a folder whose package.json does not say "type": "module", or that has none, is
 * taken for CommonJS and cannot be loaded while its importer is.
 */
export async function resolve(specifier, context, next) {
  const own = ownModules.get(specifier);
  if (own !== undefined) return { url: own, shortCircuit: true };
  const resolved = await next(specifier, context);
  // What tsx takes for CommonJS it marks in the address, when another module imports it.
  const url = resolved.url.replace(/(?:\?|%3F)tsx-commonjs.*$/, '');
  const file = /\.[jt]sx?$/.test(new URL(url).pathname) && url.startsWith('file:');
  if (!file || resolved.format === 'module' || url.includes('/node_modules/')) return resolved;
  try {
    const text = readFileSync(fileURLToPath(url), 'utf8');
    return moduleSyntax.test(text) ? { ...resolved, url, format: 'module' } : resolved;
  } catch {
    // What cannot be read is told by who loads it.
    return resolved;
  }
}
