import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { build } from 'tsdown';
import { isActorFile } from '../cli/actor-modules.ts';
import { below, programModules, writePackageFiles } from './package-files.ts';
import { sourceStamp, stampFile } from './stamp.mjs';

/*
 * `npm run build`: the package in dist/. Modules of the public entries come with declarations; what commands and threads run, and the programs of scenarios, are further
 * entries of the same build, so that all share one instance of the kernel.
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

const flat = (path: string) => path.replaceAll('/', '-');
/** Modules that are started by their file: flat, as `threadModule` expects them. */
const started = [
  'cli/main',
  'cli/check/serve',
  'cli/fuzz/serve',
  'cli/sunway/races/serve',
  'cli/tca/conformance/serve',
];

/** Families of actors, each in one piece: a chunk for each actor would cut everything else into crumbs. */
const actorFamily = 'lockstep-actors:';
const actorFiles = below('actors').filter((file) => isActorFile(file));
const familyOf = (file: string) => file.split('/')[0]!;

/** The modules of actors as the package finds them: by a list in place of a folder. */
function listedActors(): string {
  const lines = actorFiles.map((file, index) => {
    const family = JSON.stringify(actorFamily + familyOf(file));
    return `  ['${file.replace(/\.ts$/, '')}', async () => (await import(${family})).actors${index}],\n`;
  });
  return `export const isActorFile = () => true;\nexport const actorModules = async () => new Map([\n${lines.join('')}]);\n`;
}

/** All modules of a family, each under the name that the list has for it. */
const familyModule = (family: string): string =>
  actorFiles
    .map((file, index) =>
      familyOf(file) === family
        ? `export * as actors${index} from ${JSON.stringify(resolve('actors', file))};\n`
        : '',
    )
    .join('');

const actorLists = {
  name: 'actor-lists',
  resolveId: (id: string) => (id.startsWith(actorFamily) ? `\0${id}` : null),
  load: (id: string) => {
    if (id.startsWith(`\0${actorFamily}`)) return familyModule(id.slice(actorFamily.length + 1));
    return id.endsWith('/cli/actor-modules.ts') ? { code: listedActors(), moduleType: 'ts' as const } : null;
  },
};

/** RxJS in modules, of which only what is used is taken: for Node it offers one piece in CommonJS. */
const rxjsModules = {
  name: 'rxjs-modules',
  resolveId: (id: string) => (id === 'rxjs' ? resolve('node_modules/rxjs/dist/esm/index.js') : null),
};

const common = {
  platform: 'node',
  target: 'node20.20',
  format: 'esm',
  outDir: 'dist',
  clean: false,
  report: false,
  logLevel: 'warn',
  outExtensions: () => ({ js: '.js', dts: '.d.ts' }),
  hash: true,
} as const;

const stamp = sourceStamp();
rmSync('dist', { recursive: true, force: true });
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
  // Many small files of which a command loads a few: in one piece they load in a third of the time.
  deps: { alwaysBundle: ['rxjs'], onlyBundle: false },
  plugins: [actorLists, rxjsModules],
  outputOptions: { comments: { jsdoc: false } },
});
await build({ ...common, entry: publicEntries, dts: { emitDtsOnly: true, sourcemap: false } });
for (const file of below('dist').filter((one) => one.endsWith('.map'))) {
  // The places of errors are what users need; the sources themselves would be two thirds of the package.
  const { sourcesContent: _, ...map } = JSON.parse(readFileSync(`dist/${file}`, 'utf8'));
  writeFileSync(`dist/${file}`, JSON.stringify(map));
}
cpSync('scenarios/modules/hooks.mjs', 'dist/hooks.mjs');
writeFileSync(stampFile, stamp);
