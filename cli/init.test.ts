import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import ts from 'typescript';
import { beforeEach, describe, expect, test } from 'vitest';
import { lockstepVersion } from '../scenarios/version.ts';
import { called } from './testing/called.ts';

const folder = 'out/init';

const init = (...words: readonly string[]) => called('init', ...words);

const manifestOf = (file: string) => JSON.parse(readFileSync(file, 'utf8'));

describe('init', () => {
  beforeEach(() => {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
  });

  test('makes a project in a folder that it makes, named as the folder, with this Lockstep', async () => {
    const { exitCode, out } = await init(`${folder}/New Lock`);

    expect(exitCode).toBe(0);
    expect(out).toContain(`cd '${folder}/New Lock' && npm install && npm test`);
    expect(readdirSync(`${folder}/New Lock`).sort()).toEqual([
      '.gitignore',
      'README.md',
      'lockstep.config.ts',
      'machine.test.ts',
      'machine.ts',
      'package.json',
      'protocol.ts',
      'scenarios',
      'tsconfig.json',
    ]);
    expect(manifestOf(`${folder}/New Lock/package.json`)).toMatchObject({
      name: 'new-lock',
      dependencies: { lockstep: `^${lockstepVersion}` },
    });
  });

  test('gives a project no name that one of its packages has', async () => {
    await init(`${folder}/lockstep`);

    expect(manifestOf(`${folder}/lockstep/package.json`).name).toBe('my-lockstep');
  });

  test('makes it in plain JavaScript, and tells scripts what it has written', async () => {
    const { out } = await init(folder, '--javascript', '--json');

    const { files } = JSON.parse(out) as { files: string[] };
    expect(files).toContain(`${folder}/machine.js`);
    expect(files.filter((file) => /\.ts$|tsconfig/.test(file))).toEqual([]);
    expect(readFileSync(`${folder}/README.md`, 'utf8')).not.toMatch(/\.ts\b/);
  });

  test('writes over nothing, and then writes nothing', async () => {
    writeFileSync(`${folder}/machine.ts`, 'mine');

    const { exitCode, err } = await init(folder);

    expect(exitCode).toBe(2);
    expect(err).toContain(`found ${folder}/machine.ts, expected a folder without it; nothing was written`);
    expect(readdirSync(folder)).toEqual(['machine.ts']);
    expect(readFileSync(`${folder}/machine.ts`, 'utf8')).toBe('mine');
  });

  test('extends the package that npm init has made, and keeps what it says', async () => {
    const found = {
      name: 'mine',
      type: 'commonjs',
      scripts: { test: 'echo "Error: no test specified" && exit 1', build: 'make' },
      dependencies: { lockstep: 'file:../lockstep.tgz' },
      devDependencies: { zod: '4.6.7' },
    };
    writeFileSync(`${folder}/package.json`, JSON.stringify(found));

    const { exitCode } = await init(folder);

    expect(exitCode).toBe(0);
    expect(existsSync(`${folder}/machine.ts`)).toBe(true);
    const wanted = manifestOf('templates/typescript/package.json');
    const { zod: _, ...dependencies } = wanted.dependencies;
    expect(manifestOf(`${folder}/package.json`)).toEqual({
      name: 'mine',
      type: 'module',
      scripts: { build: 'make', test: 'vitest run', types: 'tsc' },
      dependencies: { ...dependencies, lockstep: 'file:../lockstep.tgz' },
      devDependencies: { ...wanted.devDependencies, zod: '4.6.7' },
    });
  });

  test.each([
    ['one that is damaged', '{', [], 'expected a package.json'],
    ['one of CommonJS modules', '{}', ['index.js'], 'expected "type": "module"'],
    [
      'one with a file of ours beside it',
      '{ "type": "module" }',
      ['machine.ts'],
      'found out/init/machine.ts',
    ],
  ])('leaves a package as it is: %s', async (_, text, modules, says) => {
    writeFileSync(`${folder}/package.json`, text);
    for (const name of modules) writeFileSync(`${folder}/${name}`, '');

    const { exitCode, err } = await init(folder);

    expect([exitCode, err]).toEqual([2, expect.stringContaining(says)]);
    expect(readdirSync(folder).sort()).toEqual([...modules, 'package.json']);
    expect(readFileSync(`${folder}/package.json`, 'utf8')).toBe(text);
  });

  test('leaves nothing behind when it cannot write everything', async () => {
    mkdirSync(`${folder}/inner`);
    // A file stands where a folder should be.
    writeFileSync(`${folder}/inner/scenarios`, '');

    const { exitCode, err } = await init(`${folder}/inner`);

    expect(exitCode).toBe(2);
    expect(err).toContain('cannot be written');
    expect(readdirSync(`${folder}/inner`)).toEqual(['scenarios']);
  });

  test('leaves no folder behind that it has made', async () => {
    // No system takes so long a name, that of the first folder is made before.
    const { exitCode } = await init(`${folder}/made/${'x'.repeat(300)}`);

    expect(exitCode).toBe(2);
    expect(existsSync(`${folder}/made`)).toBe(false);
  });

  test.skipIf(!existsSync('/proc/self'))('ends where the system takes no folder', () => {
    const made = spawnSync('node', ['cli/lockstep.mjs', 'init', '/proc/nowhere'], {
      encoding: 'utf8',
      timeout: 60_000,
    });

    expect([made.status, made.stderr]).toEqual([2, expect.stringContaining('cannot be written')]);
  });

  test('works below a folder whose configuration is broken', async () => {
    writeFileSync(`${folder}/lockstep.config.mjs`, 'export default 7;\n');

    const made = () =>
      execFileSync('node', ['../../cli/lockstep.mjs', 'init', 'inner'], { cwd: folder, encoding: 'utf8' });

    expect(made()).toContain('inner/machine.ts');
  });
});

describe('the template', () => {
  test('in JavaScript is that in TypeScript without its types', () => {
    const files = readdirSync('templates/typescript').filter((file) => file.endsWith('.ts'));
    const plain = (text: string) =>
      ts
        .transpileModule(text, {
          compilerOptions: {
            target: ts.ScriptTarget.ES2023,
            verbatimModuleSyntax: true,
            removeComments: true,
          },
        })
        .outputText.replace(/types: \{\},/, '')
        .replaceAll(/\s+/g, '');

    expect(files.length).toBeGreaterThan(3);
    for (const file of files) {
      const javascript = readFileSync(`templates/javascript/${file.replace(/\.ts$/, '.js')}`, 'utf8');
      const typescript = readFileSync(`templates/typescript/${file}`, 'utf8');
      expect(plain(javascript), file).toBe(
        plain(typescript)
          .replaceAll(/types:(\{\}|\w+\.types\(\)),/g, '')
          .replaceAll(".ts'", ".js'"),
      );
    }
  });

  test('asks for the versions that Lockstep is made with, and so does npm create lockstep', () => {
    const { version, dependencies, devDependencies, engines } = manifestOf('package.json');
    const known: Record<string, string> = { ...dependencies, ...devDependencies, lockstep: `^${version}` };
    for (const language of ['typescript', 'javascript']) {
      const { dependencies: own, devDependencies: development } = manifestOf(
        `templates/${language}/package.json`,
      );
      for (const [name, range] of Object.entries({ ...own, ...development }))
        expect(range, name).toBe(known[name]);
    }

    expect(version).toBe(lockstepVersion);
    expect(manifestOf('create-lockstep/package.json')).toMatchObject({
      version,
      engines,
      dependencies: { lockstep: `^${version}` },
    });
  });
});
