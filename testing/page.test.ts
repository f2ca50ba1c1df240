import { execFile } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { main } from '../cli/main.ts';
import { KeptTerminal } from '../cli/terminal.ts';

// Takes some seconds: the tests that the page shows are run in a project as `lockstep init` makes it.

const folder = 'out/testing-page';
const page = readFileSync('docs/testing.md', 'utf8');
const blocks = [...page.matchAll(/^```ts\n\/\/ (\S+)\n([\s\S]*?)^```/gm)].map(([, name, block]) => ({
  name: name!,
  block: block!,
}));

beforeAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await main(['init', folder], new KeptTerminal());
  for (const { name, block } of blocks) writeFileSync(name, block);
});

test('the page about testing shows tests that pass', async () => {
  const { stdout } = await promisify(execFile)(
    'npx',
    ['vitest', 'run', '--config', resolve('docs/vitest.config.ts')],
    { cwd: folder },
  );

  // Every block of the page, each in the file that its first line names.
  expect(blocks).toHaveLength(page.match(/^```ts$/gm)!.length);
  // The test that `init` makes is one more. Colours, where the runner of this test shows them.
  const files = blocks.length + 1;
  expect(stripVTControlCharacters(stdout)).toContain(`Test Files  ${files} passed (${files})`);
});
