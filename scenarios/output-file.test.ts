import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeFileAtomically } from './atomic-file.ts';
import { OutputError } from './output-error.ts';
import { OutputFile } from './output-file.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';

const folder = temporaryFolder('output');

const at = (name: string): string => join(folder, name);
const text = (name: string): string => readFileSync(at(name), 'utf8');

/** Why a file cannot be written. */
function refusal(file: string): string {
  try {
    writeFileAtomically(file, 'x');
  } catch (error) {
    if (error instanceof OutputError) return error.why;
    throw error;
  }
  return 'written';
}

describe('what an output points to stays', () => {
  it('a link is followed and stays a link', () => {
    writeFileSync(at('target.txt'), 'old');
    symlinkSync('target.txt', at('link.txt'));

    writeFileAtomically(at('link.txt'), 'new');

    expect(readlinkSync(at('link.txt'))).toBe('target.txt');
    expect(text('target.txt')).toBe('new');
  });

  it('a link to nothing makes its target', () => {
    symlinkSync('made.txt', at('dangling.txt'));

    writeFileAtomically(at('dangling.txt'), 'new');

    expect(lstatSync(at('dangling.txt')).isSymbolicLink()).toBe(true);
    expect(text('made.txt')).toBe('new');
  });

  it('a file keeps its rights and its other names', () => {
    writeFileSync(at('one.txt'), 'old');
    chmodSync(at('one.txt'), 0o600);
    writeFileAtomically(at('one.txt'), 'new');
    linkSync(at('one.txt'), at('other.txt'));

    writeFileAtomically(at('one.txt'), 'newer');

    expect(statSync(at('one.txt')).mode & 0o777).toBe(0o600);
    expect(text('other.txt')).toBe('newer');
  });

  it('a named pipe is written through', async () => {
    spawnSync('mkfifo', [at('pipe')]);
    const reader = spawn('cat', [at('pipe')]);
    let got = '';
    reader.stdout.on('data', (data) => (got += data));

    writeFileAtomically(at('pipe'), 'x'.repeat(40_000));
    await new Promise((resolve) => reader.on('close', resolve));

    expect(got).toBe('x'.repeat(40_000));
    expect(lstatSync(at('pipe')).isFIFO()).toBe(true);
  });

  it('standard output has its names, piped or sent to a file', () => {
    const names = ['/dev/stdout', '/dev/fd/1', '/proc/self/fd/1'];
    const program = `import { writeFileAtomically } from ${JSON.stringify(join(import.meta.dirname, 'atomic-file.ts'))};
for (const name of ${JSON.stringify(names)}) {
  process.stdout.write('before ');
  writeFileAtomically(name, 'through ');
}`;
    writeFileSync(at('program.mts'), program);
    const tsx = join(import.meta.dirname, '../node_modules/tsx/dist/cli.mjs');

    const piped = spawnSync('node', [tsx, at('program.mts')], { encoding: 'utf8' });
    spawnSync('sh', ['-c', `node ${tsx} ${at('program.mts')} > ${at('sent.txt')}`]);

    expect(piped.stdout).toBe('before through '.repeat(3));
    expect(text('sent.txt')).toBe('before through '.repeat(3));
  });
});

describe('what cannot be written is told with its reason, and nothing is left', () => {
  it.each([
    ['a folder', () => folder, 'it is a folder'],
    ['a file below a file', () => join(at('target.txt'), 'x'), 'a file stands where a folder should be'],
    ['no name', () => '', 'its name is empty'],
    ['a name with NUL', () => at('a\0b'), 'its name has a character that no file name may have'],
    ['a name of 300 characters', () => at('x'.repeat(300)), 'its name is too long'],
    ['a full disk', () => '/dev/full', 'no space is left'],
    ['a folder that takes none', () => '/proc/x/y', 'there is no such place'],
    ['links in a circle', () => circle(), 'its links lead in a circle'],
  ])('%s', (_, file, why) => {
    const before = readdirSync(folder);

    expect(refusal(file())).toBe(why);

    expect(readdirSync(folder).filter((name) => !before.includes(name) && name !== 'circle')).toEqual([]);
  });

  it('the longest name that a file may have is written', () => {
    expect(refusal(at('x'.repeat(255)))).toBe('written');
  });

  it('while it is written: told at the end, not to who writes', () => {
    const output = new OutputFile('/dev/full');

    output.write('x'.repeat(100_000));
    output.write('more');

    expect(() => output.end()).toThrow(/no space is left/);
  });

  it('what is abandoned leaves what was there', () => {
    writeFileSync(at('kept.txt'), 'old');
    const output = new OutputFile(at('kept.txt'));
    output.write('x'.repeat(100_000));

    output.abandon();

    expect(text('kept.txt')).toBe('old');
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('folders that are missing are made', () => {
    writeFileAtomically(at('a/b/c.txt'), 'x');
    expect(existsSync(at('a/b/c.txt'))).toBe(true);
  });
});

function circle(): string {
  mkdirSync(folder, { recursive: true });
  if (!lstatSync(at('circle'), { throwIfNoEntry: false })) symlinkSync('circle', at('circle'));
  return at('circle');
}
