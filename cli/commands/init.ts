import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, extname, join, relative, resolve } from 'node:path';
import type { Command } from 'commander';
import { OutputFile } from '../../scenarios/output-file.ts';
import { lockstepVersion } from '../../scenarios/version.ts';
import type { Session } from '../command.ts';
import { filesBelow } from '../files-below.ts';
import { writeNewFiles } from '../new-files.ts';
import { projectFile, projectFolder } from '../project.ts';
import { shellWord } from '../shell-word.ts';
import { UsageError } from '../usage-error.ts';

interface InitOptions {
  readonly javascript?: boolean;
  readonly json?: boolean;
}

/** `lockstep init [FOLDER]`, and by the same code `npm create lockstep [FOLDER]`. */
export function declareInit(command: Command, { terminal }: Session): void {
  command
    .argument('[folder]', 'where the project is made; the folder we are in when absent', '.')
    .option('--javascript', 'plain JavaScript instead of TypeScript')
    .option('--json', 'one JSON object on standard output')
    .addHelpText(
      'after',
      `
Examples:
  lockstep init lock-server
  lockstep init lock-server --javascript
  npm create lockstep lock-server`,
    )
    .action((folder: string, { javascript = false, json }: InitOptions) => {
      const files = projectFiles(folder, javascript);
      writeProject(files, join(folder, 'package.json'));
      const written = [...files.keys()].map((file) => relative('', file));
      if (json) terminal.out(`${JSON.stringify({ folder, files: written })}\n`);
      else terminal.out(initText(folder, written));
    });
}

/** The files of a new project: by path, what is in them. */
export function projectFiles(folder: string, javascript: boolean): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const part of ['common', javascript ? 'javascript' : 'typescript']) {
    const template = projectFile(`templates/${part}`);
    for (const file of filesBelow(template)) {
      // npm packs no file that is called .gitignore.
      const name = relative(template, file).replace(/^gitignore$/, '.gitignore');
      files.set(join(folder, name), textOf(name, readFileSync(file, 'utf8'), folder, javascript));
    }
  }
  return files;
}

function textOf(name: string, text: string, folder: string, javascript: boolean): string {
  if (name === 'package.json') return packageOf(text, folder);
  return javascript && name === 'README.md' ? text.replace(/\.ts\b/g, '.js') : text;
}

/** The parts of a `package.json` that a project needs. */
interface Manifest {
  name: string;
  type: string;
  scripts: Record<string, string>;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}

/** The package of the project: named as its folder, and with the Lockstep that made it; one that is there keeps what it says, and gets what is missing. */
function packageOf(text: string, folder: string): string {
  const manifest = JSON.parse(text) as Manifest;
  manifest.dependencies['lockstep'] = ownRange(folder);
  const file = join(folder, 'package.json');
  if (existsSync(file)) return `${JSON.stringify(extended(file, manifest), null, 2)}\n`;
  const name = basename(resolve(folder))
    .toLowerCase()
    .replace(/[^a-z\d._-]+/g, '-')
    .replace(/^[._-]+/, '');
  // npm installs no package into one of its own name.
  manifest.name = name in manifest.dependencies || name === '' ? `my-${name || manifest.name}` : name;
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** Errors: `UsageError` when the file is no package, or one whose modules are CommonJS while there are some. */
function extended(file: string, wanted: Manifest): Partial<Manifest> {
  const found = packageIn(file);
  if (found.type !== 'module' && hasModules(resolve(file, '..')))
    throw new UsageError(
      `init: found a package of CommonJS modules in ${relative('', file)}, expected "type": "module", or a folder without modules; nothing was written`,
      'name a new folder: lockstep init my-protocol',
    );
  const scripts = { ...wanted.scripts, ...found.scripts };
  // What `npm init` writes where there is no test yet.
  if (scripts['test']?.includes('no test specified')) scripts['test'] = wanted.scripts['test']!;
  const known = { ...found.dependencies, ...found.devDependencies };
  const missing = (ranges: Record<string, string>) =>
    Object.fromEntries(Object.entries(ranges).filter(([name]) => !(name in known)));
  return {
    ...found,
    type: 'module',
    scripts,
    dependencies: { ...found.dependencies, ...missing(wanted.dependencies) },
    devDependencies: { ...found.devDependencies, ...missing(wanted.devDependencies) },
  };
}

function packageIn(file: string): Partial<Manifest> {
  try {
    const found: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof found === 'object' && found !== null && !Array.isArray(found)) return found;
  } catch {
    // As one that says something else.
  }
  throw new UsageError(
    `init: found no object in ${relative('', file)}, expected a package.json; nothing was written`,
    'mend it, or name a new folder: lockstep init my-protocol',
  );
}

const hasModules = (folder: string): boolean =>
  readdirSync(folder).some((name) => ['.js', '.ts', '.jsx', '.tsx'].includes(extname(name)));

/** Where the project gets this Lockstep from: as this one came here, when that was a file. */
function ownRange(folder: string): string {
  const above = resolve(projectFolder, '../..');
  const file = join(above, 'package.json');
  const range = existsSync(file) ? packageIn(file).dependencies?.['lockstep'] : undefined;
  if (!range?.startsWith('file:')) return `^${lockstepVersion}`;
  return `file:${relative(resolve(folder), resolve(above, range.slice('file:'.length)))}`;
}

/** Writes all files of a project, or none: what is there is not touched, but for its package, which is extended. */
function writeProject(files: ReadonlyMap<string, string>, manifest: string): void {
  if (!existsSync(manifest)) {
    refuseExisting([...files.keys()]);
    writeNewFiles(files);
    return;
  }
  const others = new Map([...files].filter(([file]) => file !== manifest));
  refuseExisting([...others.keys()]);
  const output = new OutputFile(manifest);
  output.write(files.get(manifest)!);
  try {
    writeNewFiles(others);
  } catch (error) {
    output.abandon();
    throw error;
  }
  output.end();
}

/** Errors: `UsageError` when one of the files is there already. */
function refuseExisting(files: readonly string[]): void {
  const existing = files.filter((file) => existsSync(file)).map((file) => relative('', file));
  if (existing.length === 0) return;
  throw new UsageError(
    `init: found ${existing.join(', ')}, expected a folder without ${existing.length === 1 ? 'it' : 'them'}; nothing was written`,
    'name a new folder: lockstep init my-protocol',
  );
}

function initText(folder: string, files: readonly string[]): string {
  const enter = resolve(folder) === process.cwd() ? '' : `cd ${shellWord(relative('', folder))} && `;
  const list = files.map((file) => `  ${file}\n`).join('');
  return `written:\n${list}\ngo on with:\n  ${enter}npm install && npm test\nREADME.md has five commands to try.\n`;
}
