import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { decode, encode, type SourceMapSegment } from '@jridgewell/sourcemap-codec';
import { build as buildPage, transformSync } from 'esbuild';
import { minifySync, parseSync } from 'rolldown/utils';
import { build } from 'tsdown';
import { isStateMachine } from '../cli/actor-files.ts';
import { actorModules } from '../cli/actor-modules.ts';
import { catalogueFile, catalogueOfLockstep } from '../cli/catalogue.ts';
import { pageOptions } from '../viewer/open/bundle.ts';
import { declarationOf, declarations } from './declarations.ts';
import { below, programModules, writePackageFiles } from './package-files.ts';
import { isFresh, sourceStamp, stampFile } from './stamp.mjs';

/*
 * `npm run build`: the package in dist/. Modules of the public entries come with declarations; what commands and threads run, and the programs of scenarios, are further
 * entries of the same build, so that all share one instance of the kernel. With `--if-stale` nothing is done where the build is that of the sources.
 */

/** Public subpaths by their names in `exports`. */
const publicEntries = {
  index: 'index.ts',
  testing: 'entries/testing.ts',
  'testing-vitest': 'entries/testing-vitest.ts',
  'machines-cell': 'entries/cell.ts',
  'machines-chiplet': 'entries/chiplet.ts',
  'machines-grape': 'entries/grape.ts',
  'machines-sunway': 'entries/sunway.ts',
  'machines-tca': 'entries/tca.ts',
};

const compiler = 'node_modules/typescript-7/bin/tsc';

const flat = (path: string) => path.replaceAll('/', '-');
/** Modules that are started by their file: flat, as `threadModule` expects them. */
const started = [
  'cli/main',
  'cli/background/serve',
  'cli/check/serve',
  'cli/check/swarm-serve',
  'cli/chiplet/schedules-serve',
  'cli/farm/serve',
  'cli/fuzz/serve',
  'cli/sunway/races/serve',
  'cli/tca/conformance/serve',
  // Of these a page is bundled when it is asked for.
  'viewer/simulator/worker',
  ...below('viewer/simulator/node').map((file) => `viewer/simulator/node/${file.replace(/\.ts$/, '')}`),
];

/** Families of actors, each in one piece: a chunk for each actor would cut everything else into crumbs. */
const actorFamily = 'lockstep-actors:';
const familyOf = (file: string) => file.split('/')[0]!;

/** The actors by their modules, with the names under which these export them: nothing else of a module is asked for by its name. */
const actors: ReadonlyMap<string, readonly string[]> = await exportsOfActors();

async function exportsOfActors() {
  const found = new Map<string, readonly string[]>();
  for (const [name, load] of await actorModules()) {
    const machines = Object.entries(await load()).filter(([, value]) => isStateMachine(value));
    if (machines.length > 0)
      found.set(
        name,
        machines.map(([key]) => key),
      );
  }
  return found;
}

/** The modules of actors as the package finds them: by a list in place of a folder. */
function listedActors(): string {
  const lines = [...actors.keys()].map((name, index) => {
    const family = JSON.stringify(actorFamily + familyOf(name));
    return `  ['${name}', async () => (await import(${family})).actors${index}],\n`;
  });
  return `export const actorModules = async () => new Map([\n${lines.join('')}]);\n`;
}

/** The actors of a family, those of a module under the name that the list has for it. */
const familyModule = (family: string): string =>
  [...actors]
    .map(([name, keys], index) => {
      if (familyOf(name) !== family) return '';
      const imported = keys.map((key) => `${key} as ${key}${index}`);
      const listed = keys.map((key) => `${key}: ${key}${index}`);
      return `import { ${imported} } from ${JSON.stringify(resolve('actors', `${name}.ts`))};\nexport const actors${index} = { ${listed} };\n`;
    })
    .join('');

const actorLists = {
  name: 'actor-lists',
  resolveId: (id: string) => (id.startsWith(actorFamily) ? `\0${id}` : null),
  load: (id: string) => {
    if (id.startsWith(`\0${actorFamily}`)) return familyModule(id.slice(actorFamily.length + 1));
    return id.endsWith('/cli/actor-modules.ts') ? { code: listedActors(), moduleType: 'ts' as const } : null;
  },
};

/** Libraries of which the package has what it uses, in modules: for Node they offer CommonJS, or many files. */
const bundled: Readonly<Record<string, string>> = {
  fflate: 'node_modules/fflate/esm/browser.js',
  rxjs: 'node_modules/rxjs/dist/esm/index.js',
  yaml: 'node_modules/yaml/browser/dist/index.js',
  zod: 'node_modules/zod/index.js',
};

const bundledModules = {
  name: 'bundled-modules',
  resolveId: (id: string) => {
    // Comes when a page is bundled.
    if (id === 'lockstep:user-modules') return { id, external: true };
    return Object.hasOwn(bundled, id) ? resolve(bundled[id]!) : null;
  },
};

/** The chunk of a module of a library: alone, so that its names can be shortened. */
const libraryOf = (id: string) =>
  Object.keys(bundled).find((one) => id.includes(`/node_modules/${one}/`)) ?? null;

/** The chunks of a machine's own modules. */
const machineOf = (id: string) =>
  /\/(?:actors|machines|properties|cli)\/(cell|grape|sunway|tca)\//.exec(id)?.[1] ?? null;

/** Libraries that are in the page of the viewer. */
const inPage = ['preact', '@preact/signals', '@dagrejs/dagre', '@dagrejs/graphlib'];

/** The license of a library whose modules are in the package. */
function licenseOf(name: string): string {
  const folder = `node_modules/${name}`;
  const file = readdirSync(folder).find((one) => /^license/i.test(one))!;
  return `${name}\n\n${readFileSync(join(folder, file), 'utf8')}`;
}

const common = {
  platform: 'node',
  target: 'node20.20',
  format: 'esm',
  outDir: 'dist',
  clean: false,
  report: false,
  logLevel: 'warn',
  outExtensions: () => ({ js: '.js', dts: '.d.ts' }),
  // Chunks of one name get numbers; hashes, which nobody needs in a package, do not pack.
  hash: false,
} as const;

/** Keeps the lines of what is ours in a source map, which the places of errors need: columns, names and the sources themselves would be half of the package. */
function simplifyMap(file: string): void {
  const { mappings, sources, ...map } = JSON.parse(readFileSync(file, 'utf8')) as {
    mappings: string;
    sources: readonly string[];
  };
  const lines = decode(mappings).map((segments) =>
    segments.filter((one) => one.length > 1 && !sources[one[1]!]!.includes('node_modules')).slice(0, 1),
  );
  const simple = lines.map((segments) =>
    segments.map(([, source, line]): SourceMapSegment => [0, source!, line!, 0]),
  );
  writeFileSync(
    file,
    JSON.stringify({ ...map, sources, sourcesContent: undefined, names: [], mappings: encode(simple) }),
  );
}

/** A module of a library: its names are nobody's. */
const withShortNames = (text: string): string =>
  transformSync(text, { format: 'esm', minify: true, target: 'node20' }).code;

const keepNames = { function: false, class: true };

/** A module of ours without blanks: names of classes and methods, which errors tell, stay. */
const withoutBlanks = (text: string): string =>
  inLines(
    minifySync('module.js', text, {
      module: true,
      compress: { keepNames },
      mangle: { toplevel: true, keepNames },
    }).code,
  );

const lineMax = 1000;

/** The same in lines that break before statements and members of classes. Why: Node prints the whole line from which an error comes that nobody catches. */
function inLines(text: string): string {
  const starts: number[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { type, start } = node as { readonly type?: unknown; readonly start?: unknown };
    if (typeof type === 'string' && /(?:Statement|Declaration|Definition)$/.test(type))
      starts.push(Number(start));
    for (const part of Object.values(node)) visit(part);
  };
  visit(parseSync('module.js', text).program.body);
  const lines: string[] = [];
  let [begin, before] = [0, 0];
  for (const start of starts.sort((a, b) => a - b)) {
    if (start - begin > lineMax && before > begin) {
      lines.push(text.slice(begin, before));
      begin = before;
    }
    before = start;
  }
  return [...lines, text.slice(begin)].join('\n');
}

/** Stops when modules of the package import each other in a circle: one of them would run before what it needs is there. */
function refuseCycles(): void {
  const importsOf = (file: string): readonly string[] =>
    [
      ...readFileSync(join('dist', file), 'utf8').matchAll(/^(?:import|export)\b[^"'`;()]*"\.\/([^"]+)"/gm),
    ].map(([, name]) => name!);
  const known = new Set<string>();
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file))
      throw new Error(
        `dist: ${[...path.slice(path.indexOf(file)), file].join(' -> ')} is a circle of imports`,
      );
    if (known.has(file)) return;
    for (const name of importsOf(file)) visit(name, [...path, file]);
    known.add(file);
  };
  for (const file of readdirSync('dist')) if (file.endsWith('.js')) visit(file, []);
}

if (process.argv.includes('--if-stale') && isFresh()) process.exit();
const stamp = sourceStamp();
for (const folder of ['dist', declarations]) rmSync(folder, { recursive: true, force: true });
writePackageFiles();
await build({
  ...common,
  entry: {
    ...publicEntries,
    ...Object.fromEntries(started.map((path) => [flat(path), `${path}.ts`])),
    ...Object.fromEntries(programModules().map((path) => [path, `${path}.ts`])),
  },
  dts: false,
  sourcemap: true,
  // Local names alone are shortened, a tenth of the package: lines stay, as source maps count them, and names of functions and classes, which errors tell.
  minify: {
    compress: true,
    mangle: { keepNames: { function: true, class: true } },
    codegen: { removeWhitespace: false },
  },
  // Many small files of which a command loads a few: in one piece they load in a third of the time.
  deps: { alwaysBundle: Object.keys(bundled), onlyBundle: false },
  plugins: [actorLists, bundledModules],
  outputOptions: {
    comments: { jsdoc: false },
    // Subgroups have long names of all their entries.
    chunkFileNames: ({ name }) => `${name.split('~')[0]}.js`,
    codeSplitting: {
      groups: [
        { name: libraryOf, test: /node_modules/, entriesAware: true },
        { name: 'shared', test: (id) => machineOf(id) === null, minShareCount: 2, entriesAware: true },
        // Small modules of a machine that several entries share go together: a file for each costs more than what is loaded for nothing.
        { name: machineOf, minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 6000 },
      ],
    },
  },
});
refuseCycles();
// The native compiler writes declarations in a third of the time. They stay, for what else reads them instead of the sources.
// Several checkers would each find out the same types.
const options = ['-p', 'tsconfig.declarations.json', '--checkers', '1'];
execFileSync(process.execPath, [compiler, ...options], { stdio: 'inherit' });
await build({
  ...common,
  // Of declarations a chunk would get the name of an entry.
  hash: true,
  entry: Object.fromEntries(Object.entries(publicEntries).map(([name, file]) => [name, declarationOf(file)])),
  dts: { dtsInput: true, emitDtsOnly: true, sourcemap: false },
  // Declarations import each other by the names of the sources.
  inputOptions: { resolve: { extensionAlias: { '.ts': ['.d.ts', '.ts'] } } },
});
// Templates become what people read and change.
const isCompiled = (file: string) => !file.startsWith(join('dist', 'templates'));
for (const file of below('dist')
  .map((one) => join('dist', one))
  .filter(isCompiled)) {
  if (file.endsWith('.d.ts'))
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/^\/\/#(?:end)?region.*\n/gm, ''));
  if (!file.endsWith('.js')) continue;
  const map = `${file}.map`;
  const text = readFileSync(file, 'utf8');
  // People step through the programs of scenarios; maps of all other modules would be a tenth of the package.
  const isMapped = existsSync(map) && file.startsWith(join('dist', 'scenarios'));
  if (isMapped) {
    simplifyMap(map);
    continue;
  }
  rmSync(map, { force: true });
  const isLibrary = Object.hasOwn(bundled, basename(file).replace(/\d*\.js$/, ''));
  writeFileSync(file, isLibrary ? withShortNames(text) : withoutBlanks(text));
}
await buildPage({ ...pageOptions, entryPoints: { page: 'viewer/page/main.tsx' }, outdir: 'dist' });
writeFileSync(join('dist', catalogueFile), JSON.stringify(await catalogueOfLockstep()));
cpSync('scenarios/modules/hooks.mjs', 'dist/hooks.mjs');
writeFileSync(
  'dist/third-party-licenses.txt',
  [...Object.keys(bundled), ...inPage].map(licenseOf).join('\n'),
);
writeFileSync(stampFile, stamp);
