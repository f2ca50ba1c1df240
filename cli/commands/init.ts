import { existsSync, readFileSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import type { Command } from 'commander';
import { lockstepVersion } from '../../scenarios/version.ts';
import type { Session } from '../command.ts';
import { filesBelow } from '../files-below.ts';
import { writeNewFiles } from '../new-files.ts';
import { projectFile } from '../project.ts';
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
      refuseExisting([...files.keys()]);
      writeNewFiles(files);
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

/** The package of the project: named as its folder, and with the Lockstep that made it. */
function packageOf(text: string, folder: string): string {
  const manifest = JSON.parse(text) as { name: string; dependencies: Record<string, string> };
  const name = basename(resolve(folder))
    .toLowerCase()
    .replace(/[^a-z\d._-]+/g, '-')
    .replace(/^[._-]+/, '');
  manifest.dependencies['lockstep'] = `^${lockstepVersion}`;
  // npm installs no package into one of its own name.
  manifest.name = name in manifest.dependencies || name === '' ? `my-${name || manifest.name}` : name;
  return `${JSON.stringify(manifest, null, 2)}\n`;
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
  const enter = resolve(folder) === process.cwd() ? '' : `cd ${relative('', folder)} && `;
  const list = files.map((file) => `  ${file}\n`).join('');
  return `written:\n${list}\ngo on with:\n  ${enter}npm install && npm test\nREADME.md has five commands to try.\n`;
}
