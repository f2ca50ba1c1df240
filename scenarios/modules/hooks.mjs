import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const moduleSyntax = /^\s*(?:import\b(?!\s*\()|export\b)/m;

/**
 * What is written as a module is one, wherever it lies: without this a file in a folder whose package.json does not say "type": "module", or that has none, is
 * taken for CommonJS and cannot be loaded while its importer is.
 */
export async function resolve(specifier, context, next) {
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
