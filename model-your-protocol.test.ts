import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { findingsOf } from './docs/findings-of.ts';
import { protocols } from './manifests/testing/named.ts';

// Takes some seconds: the code of the page is checked by the compiler and run, and so is each of its commands.

const run = promisify(execFile);
const text = readFileSync('docs/model-your-protocol.md', 'utf8');
/** Newer protocols stand on pages of their own. */
const all = ['model-your-protocol', 'protocols', 'properties']
  .map((page) => readFileSync(`docs/${page}.md`, 'utf8'))
  .join('');
const folder = 'out/model-your-protocol';

/** The code blocks of a language, in order. */
const blocks = (language: string): string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map((match) => match[1]!);
const files = blocks('ts').map((block) => ({
  name: /out\/[\w./-]+\.ts/.exec(block.split('\n')[0]!)![0],
  lines: block.split('\n').filter((line) => line !== '' && !/^(import|\/\/)/.test(line)).length,
  block,
}));
const commands = [...text.matchAll(/^npx lockstep .*$|(?<=`)npx lockstep [^`]+(?=`)/gm)].map(
  ([command]) => command,
);

describe('how to model a protocol', () => {
  beforeAll(() => {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    for (const { name, block } of files) writeFileSync(name, block);
  });

  test('is shown in some sixty lines for the protocol, and less than twenty for what must hold', () => {
    const lines = files.map(({ lines }) => lines);

    expect(files.map(({ name }) => name)).toEqual(
      ['wire', 'parties', 'protocol', 'check'].map((name) => `${folder}/${name}.ts`),
    );
    expect(lines[0]! + lines[1]! + lines[2]!).toBeLessThanOrEqual(64);
    expect(lines[3]).toBeLessThan(20);
  });

  test('is shown with code that compiles, and that prints what the page says', async () => {
    const { stdout } = await run('node', ['--import', 'tsx', `${folder}/check.ts`]);

    expect(findingsOf(files.map(({ name }) => name))).toBe('');
    expect(stdout).toBe(blocks('text')[0]);
  });

  test.each(commands)('%s', async (command) => {
    const { code } = await run('node', ['cli/lockstep.mjs', ...command.split(' ').slice(2)]).then(
      () => ({ code: 0 }),
      (error: { code: number }) => error,
    );

    expect(code).toBe(command.includes('broken-promise') ? 1 : 0);
  });

  test('names every machine of the protocols', () => {
    expect(commands.length).toBeGreaterThan(8);
    expect(protocols.length).toBeGreaterThan(8);
    for (const { name } of protocols) expect(all).toMatch(new RegExp(`[\`/| ]${name}[\`/.| ]`));
  });
});
