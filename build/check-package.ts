import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { isFresh } from './stamp.mjs';

/*
 * `npm run package`: packs the package, lets publint and attw look at it, and uses it as a stranger would, from the tarballs alone, in empty folders: in TypeScript and in plain JavaScript.
 * With `--nodes 22,24` (`npm run package:nodes`) on other versions of Node besides, which are taken from the registry.
 */

/** Bytes of the package as it is published. */
const packedBytesMax = 1_500_000;

const { values } = parseArgs({ options: { nodes: { type: 'string', default: '' } } });
/** A clone runs from its sources until somebody builds it. */
const built = isFresh();
const folder = mkdtempSync(join(tmpdir(), 'lockstep-package-'));
try {
  if (!built) npm('.', 'run', '-s', 'build');
  const [tarball, creator] = [packed('.'), packed('./create-lockstep')];
  tool('publint', tarball, '--strict');
  tool('attw', tarball, '--profile', 'esm-only', '--quiet');
  const bytes = statSync(tarball).size;
  if (bytes > packedBytesMax)
    throw new Error(`found ${bytes} bytes packed, expected at most ${packedBytesMax}`);
  const projects = [typescriptProject(tarball), javascriptProject(tarball, creator)];
  for (const project of projects) {
    refuseChangedTemplates(project);
    use(project);
  }
  useMachines(projects[0]!);
  for (const version of values.nodes.split(',').filter((one) => one !== ''))
    for (const project of projects) use(project, nodeFolder(version));
  console.log(`the package is right: ${(bytes / 1e6).toFixed(2)} MB packed`);
} finally {
  rmSync(folder, { recursive: true, force: true });
  if (!built) rmSync('dist', { recursive: true, force: true });
}

/** A project with the package and nothing else of ours. */
interface Project {
  readonly folder: string;
  /** Ending of its modules. */
  readonly ending: 'ts' | 'js';
}

/** Made in an empty folder by `npx lockstep init`. */
function typescriptProject(tarball: string): Project {
  const project = { folder: join(folder, 'typescript'), ending: 'ts' } as const;
  mkdirSync(project.folder);
  npm(project.folder, 'exec', '--yes', '--prefer-offline', '--package', tarball, '--', 'lockstep', 'init');
  // The project names the tarball, since it was made from one.
  install(project.folder);
  return project;
}

/** Made by what `npm create lockstep` runs. */
function javascriptProject(tarball: string, creator: string): Project {
  const project = { folder: join(folder, 'javascript'), ending: 'js' } as const;
  const elsewhere = join(folder, 'elsewhere');
  mkdirSync(elsewhere);
  install(elsewhere, tarball, creator);
  run({ folder: elsewhere }, 0, 'create-lockstep', project.folder, '--javascript');
  install(project.folder, tarball);
  return project;
}

/** Stops when what a project begins with is not what stands in the templates, word by word: people read it and change it. */
function refuseChangedTemplates({ folder: project, ending }: Project): void {
  const template = join('templates', ending === 'ts' ? 'typescript' : 'javascript');
  const files = readdirSync(template).filter((file) => file.endsWith(`.${ending}`));
  if (files.length < 4) throw new Error(`${template}: found ${files.length} modules, expected at least 4`);
  for (const file of files)
    if (readFileSync(join(project, file), 'utf8') !== readFileSync(join(template, file), 'utf8'))
      throw new Error(`${file} of a new project is not ${join(template, file)}`);
}

/** Uses a project with all verbs; `node` is the folder of another Node. */
function use({ folder: project, ending }: Project, node?: string): void {
  const expectCode = (code: number, ...words: [string, ...string[]]) =>
    run({ folder: project, ...(node !== undefined && { node }) }, code, ...words);
  const lockstep = (...words: readonly string[]) => expectCode(0, 'lockstep', ...words);
  const finds = (...words: readonly string[]) => expectCode(1, 'lockstep', ...words);

  expectCode(0, 'npm', 'test');
  if (ending === 'ts') checkTypes(project);
  lockstep('list');
  lockstep('run', 'scenarios/three-clients.yaml', '--record', 'one.json');
  lockstep('replay', 'one.json');
  lockstep('check', 'scenarios/three-clients.yaml');
  finds('check', 'scenarios/hasty-server.yaml');
  lockstep('explain', 'out/hasty-server.check.json');
  lockstep('fuzz', 'lock-server', '--runs', '20', '--workers', '2');
  finds('fuzz', 'lock-server', '--mutant', 'hasty-server', '--runs', '20', '--out', 'found');
  lockstep('explain', 'found/failure-1.recording.json');
  lockstep('coverage', 'found/ledger.json');
  lockstep('schema', `./machine.${ending}#lockServer`);
  lockstep('diagram', `protocol.${ending}#server`);
  // Another Node goes through the same once more.
  rmSync(join(project, 'found'), { recursive: true });
}

/** Uses the machines that come with the package. */
function useMachines({ folder: project }: Project): void {
  const lockstep = (...words: readonly string[]) => run({ folder: project }, 0, 'lockstep', ...words);
  lockstep('diagram', 'cell/dma-module');
  for (const file of ['grape/leapfrog', 'tca/gasnet-hello', 'library/raft'])
    lockstep('run', `node_modules/lockstep/dist/scenarios/${file}.yaml`);
  lockstep('check', 'node_modules/lockstep/dist/scenarios/library/raft.yaml', '--symmetry');
  if (existsSync(join(project, 'node_modules/lockstep/kernel')))
    throw new Error('found sources in the package, expected none');
}

/** As the project says, with nothing said, and as strictly as there is. */
function checkTypes(project: string): void {
  const strictest = [
    '--exactOptionalPropertyTypes',
    '--noImplicitOverride',
    '--noPropertyAccessFromIndexSignature',
    '--noUnusedLocals',
  ];
  const plain = [
    '--ignoreConfig',
    '--module',
    'nodenext',
    '--target',
    'es2023',
    '--allowImportingTsExtensions',
  ];
  const sources = ['lockstep.config.ts', 'machine.ts', 'protocol.ts'];
  run({ folder: project }, 0, 'tsc', '--noEmit');
  run({ folder: project }, 0, 'tsc', '--noEmit', ...strictest);
  run({ folder: project }, 0, 'tsc', '--noEmit', ...plain, '--skipLibCheck', 'false', ...sources);
}

/** The folder of the program `node` of a version, from the registry. */
function nodeFolder(version: string): string {
  const name = `node-${process.platform}-${process.arch}`;
  const home = join(folder, `node-${version}`);
  if (!existsSync(home)) {
    mkdirSync(home);
    install(home, `${name}@${version}`);
  }
  return join(home, 'node_modules', name, 'bin');
}

/** Errors: throws when the command ends with another exit code. */
function run(
  { folder: cwd, node }: { readonly folder: string; readonly node?: string },
  expected: number,
  ...[name, ...args]: [string, ...string[]]
): void {
  let code = 0;
  let told = '';
  const command = name === 'npm' ? name : join(cwd, 'node_modules/.bin', name);
  const path = [...(node === undefined ? [] : [node]), process.env['PATH']].join(delimiter);
  try {
    told = execFileSync(command, args, {
      cwd,
      encoding: 'utf8',
      stdio: 'pipe',
      env: { ...process.env, PATH: path },
    });
  } catch (error) {
    const failure = error as { status: number; stdout: string; stderr: string };
    code = failure.status;
    told = failure.stdout + failure.stderr;
  }
  if (code !== expected)
    throw new Error(`${name} ${args.join(' ')}: found exit code ${code}, expected ${expected}\n${told}`);
  console.log(`  ${name} ${args.slice(0, 3).join(' ')}`);
}

/** Packs a package, and returns the tarball. */
function packed(path: string): string {
  const before = readdirSync(folder);
  npm(path, 'pack', '--ignore-scripts', '--silent', '--pack-destination', folder);
  return join(folder, readdirSync(folder).find((file) => !before.includes(file))!);
}

function install(cwd: string, ...packages: readonly string[]): void {
  npm(cwd, 'install', '--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts', ...packages);
}

function npm(cwd: string, ...args: readonly string[]): void {
  execFileSync('npm', args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
}

function tool(name: string, ...args: readonly string[]): void {
  execFileSync(resolve('node_modules/.bin', name), args, { stdio: ['ignore', 'ignore', 'inherit'] });
}
