import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/*
 * `npm run package`: packs the package, lets publint and attw look at it, and uses it as a stranger would, from the tarball alone, in an empty folder: in TypeScript and in plain JavaScript.
 */

const npm = (cwd: string, ...args: string[]) =>
  execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
const tool = (name: string, ...args: string[]) =>
  execFileSync(resolve('node_modules/.bin', name), args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });

const folder = mkdtempSync(join(tmpdir(), 'lockstep-package-'));
try {
  npm('.', 'run', '-s', 'build');
  npm('.', 'pack', '--ignore-scripts', '--silent', '--pack-destination', folder);
  const tarball = join(folder, readdirSync(folder).find((file) => file.endsWith('.tgz'))!);
  tool('publint', tarball, '--strict');
  tool('attw', tarball, '--profile', 'esm-only', '--quiet');
  tryProject(tarball);
  console.log(`the package is right: ${(statSync(tarball).size / 1e6).toFixed(2)} MB packed`);
} finally {
  rmSync(folder, { recursive: true, force: true });
  // A clone runs from its sources until somebody builds it.
  rmSync('dist', { recursive: true, force: true });
}

/** A project with the package and nothing else of ours. */
function tryProject(tarball: string): void {
  const project = join(folder, 'project');
  mkdirSync(project);
  npm(project, 'init', '-y');
  npm(
    project,
    'install',
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
    '--ignore-scripts',
    tarball,
    'xstate@5',
    'typescript@6',
  );
  cpSync('build/sample', project, { recursive: true });
  const strict = [
    '--strict',
    '--noUncheckedIndexedAccess',
    '--noImplicitOverride',
    '--noPropertyAccessFromIndexSignature',
  ];
  for (const more of [[], strict])
    run(
      project,
      0,
      'tsc',
      '--noEmit',
      '--ignoreConfig',
      '--module',
      'nodenext',
      '--target',
      'es2023',
      '--skipLibCheck',
      'false',
      '--allowImportingTsExtensions',
      ...more,
      'machine.ts',
      'lockstep.config.ts',
    );
  for (const machine of ['./machine.ts#relay', './plain.mjs#counter']) {
    writeFileSync(
      join(project, 'scenario.yaml'),
      `name: one\nmachine: ${machine}\nexpect: { verdict: ok }\n`,
    );
    run(project, 0, 'lockstep', 'run', 'scenario.yaml', '--record', 'one.json');
    run(project, 0, 'lockstep', 'replay', 'one.json');
    run(project, 0, 'lockstep', 'check', 'scenario.yaml');
    run(project, 0, 'lockstep', 'schema', machine);
  }
  run(project, 0, 'lockstep', 'fuzz', 'relay', '--runs', '20', '--workers', '2', '--out', 'fuzzed');
  run(project, 1, 'lockstep', 'fuzz', 'relay', '--mutant', 'two-batons', '--runs', '20', '--out', 'found');
  run(project, 0, 'lockstep', 'explain', 'found/failure-1.recording.json');
  run(project, 0, 'lockstep', 'diagram', 'relay.ts#runner');
  run(project, 0, 'lockstep', 'diagram', 'cell/dma-module');
  for (const file of ['grape/leapfrog', 'tca/gasnet-hello', 'library/raft'])
    run(project, 0, 'lockstep', 'run', `node_modules/lockstep/dist/scenarios/${file}.yaml`);
  run(
    project,
    0,
    'lockstep',
    'check',
    'node_modules/lockstep/dist/scenarios/library/raft.yaml',
    '--symmetry',
  );
  if (existsSync(join(project, 'node_modules/lockstep/kernel')))
    throw new Error('found sources in the package, expected none');
}

/** Errors: throws when the command ends with another exit code. */
function run(project: string, expected: number, ...[name, ...args]: [string, ...string[]]): void {
  let code = 0;
  let told = '';
  try {
    told = execFileSync(join(project, 'node_modules/.bin', name), args, {
      cwd: project,
      encoding: 'utf8',
      stdio: 'pipe',
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
