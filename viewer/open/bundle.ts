import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type OutputFile, type Plugin } from 'esbuild';

/** Files of a built page by their names. */
export type BuiltFiles = ReadonlyMap<string, Uint8Array>;

/** From the sources in a clone, from the built package elsewhere. */
const isSource = import.meta.url.endsWith('.ts');
const home = fileURLToPath(new URL(isSource ? '../..' : '..', import.meta.url));
const module = (path: string): string =>
  isSource ? join(home, path) : join(home, 'dist', `${path.replace(/\.tsx?$/, '').replaceAll('/', '-')}.js`);

const shimmed = ['path', 'url', 'fs', 'zlib', 'vm', 'module'];

/** What a page says of a scenario with macros. */
const noMacros =
  'found macros in a VSM program, which need a parser that a page does not have; expected a program without\n  help: run it on the command line, or give the scenario the text that the macros make';

/**
 * Modules of Node are those of `viewer/simulator/node`; what no page calls is left out.
 *
 * Details: they are handed over as CommonJS, so that code which no page runs may import names that they do not have.
 */
const withoutNode: Plugin = {
  name: 'without-node',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:/ }, ({ path }) => ({ path, namespace: 'node' }));
    onLoad({ filter: /.*/, namespace: 'node' }, ({ path }) => {
      const name = path.slice('node:'.length);
      if (name === 'process') return { contents: 'module.exports = globalThis.process;' };
      const shim = module(`viewer/simulator/node/${shimmed.includes(name) ? name : 'none'}.ts`);
      return { contents: `module.exports = { ...require(${JSON.stringify(shim)}) };`, resolveDir: home };
    });
    // The command line, bundler, compiler and layouts are loaded when they are asked for, which no page does.
    onResolve({ filter: /^(tsx|esbuild|elkjs)\b|\/cli\// }, ({ path, kind }) =>
      kind === 'dynamic-import' || !path.startsWith('.') ? { path, external: true } : undefined,
    );
    // What needs the parser of macros says so.
    onResolve({ filter: /^@ruby\/prism$/ }, ({ path }) => ({ path, namespace: 'macros' }));
    onLoad({ filter: /.*/, namespace: 'macros' }, () => ({
      contents: `export const loadPrism = () => Promise.reject(new Error(${JSON.stringify(noMacros)}));`,
    }));
  },
};

/** Modules of users get the Lockstep of the page. */
const sharesLockstep: Plugin = {
  name: 'shares-lockstep',
  setup({ onResolve }) {
    onResolve({ filter: /^lockstep(\/|$)/ }, ({ path }) => {
      const [, kind, name] = path.split('/');
      const file = kind === undefined ? 'index.ts' : `entries/${name === undefined ? kind : name}.ts`;
      if (isSource) return { path: join(home, file) };
      return {
        path: join(
          home,
          'dist',
          `${kind === undefined ? 'index' : path.slice('lockstep/'.length).replaceAll('/', '-')}.js`,
        ),
      };
    });
  },
};

const listed = (modules: readonly string[]): Plugin => ({
  name: 'user-modules',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^lockstep:user-modules$/ }, ({ path }) => ({ path, namespace: 'lockstep' }));
    onLoad({ filter: /.*/, namespace: 'lockstep' }, () => ({
      contents: `export const userModules = {${modules.map((path) => `${JSON.stringify(path)}: () => import(${JSON.stringify(path)})`).join(',')}};`,
      resolveDir: home,
    }));
  },
});

/** How everything for a page is bundled. */
export const pageOptions = {
  bundle: true,
  format: 'esm',
  minify: true,
  target: 'es2023',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  logLevel: 'silent',
  legalComments: 'none',
} as const satisfies BuildOptions;

/**
 * The page and its simulator, with the modules of a user's project that what is opened needs, in modules for a browser; names without folders.
 *
 * Details: takes some seconds, without modules of a user once a process. Errors: what the bundler says of a module of the user that cannot be bundled.
 */
export const bundledPage = (userModules: readonly string[]): Promise<BuiltFiles> =>
  bundled(userModules, { format: 'esm', splitting: true });

/** The same as three files: the page, its style, and a simulator in one piece, which needs no server. */
export const bundledInOne = (userModules: readonly string[]): Promise<BuiltFiles> =>
  bundled(userModules, { format: 'iife' });

/** Bundles that no module of a user is in are always the same. */
const kept = new Map<string, Promise<BuiltFiles>>();

function bundled(
  userModules: readonly string[],
  how: { readonly format: 'esm'; readonly splitting: true } | { readonly format: 'iife' },
): Promise<BuiltFiles> {
  const known = userModules.length === 0 ? kept.get(how.format) : undefined;
  if (known) return known;
  const made = Promise.all([
    pageItself(),
    build({
      ...simulatorOptions(userModules),
      entryPoints: { simulator: module('viewer/simulator/worker.ts') },
      ...how,
    }),
  ]).then(([page, { outputFiles }]) => new Map([...page, ...outputFiles.map(byName)]));
  if (userModules.length === 0) kept.set(how.format, made);
  return made;
}

/** Options of a bundle that is kept in memory. */
type Bundled = BuildOptions & { readonly write: false };

const byName = ({ path, contents }: OutputFile) => [basename(path), contents] as const;

/** What `npm run build` makes of the page itself is the same for all runs; in a clone it is made of the sources. */
export async function pageItself(): Promise<BuiltFiles> {
  if (!isSource)
    return new Map(['page.js', 'page.css'].map((name) => [name, readFileSync(join(home, 'dist', name))]));
  const { outputFiles } = await build({
    ...pageOptions,
    entryPoints: { page: module('viewer/page/main.tsx') },
    outdir: 'out',
    write: false,
  });
  return new Map(outputFiles.map(byName));
}

const simulatorOptions = (userModules: readonly string[]): Bundled => ({
  ...pageOptions,
  keepNames: true,
  outdir: 'out',
  write: false,
  banner: { js: 'globalThis.process ??= { cwd: () => "/", env: {}, argv: [], versions: {} };' },
  // A page has no files: what asks where it lies gets a name.
  define: { 'import.meta.url': '"file:///lockstep/page/simulator.js"' },
  plugins: [listed(userModules.filter((path) => existsSync(path))), sharesLockstep, withoutNode],
});
