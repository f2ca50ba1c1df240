import { describe, expect, test } from 'vitest';
import { isShown, stepsOf } from './page.ts';

const page = (...lines: string[]) => stepsOf('a.md', lines.join('\n'));

describe('a page', () => {
  test('shows commands, and says with which code they end', () => {
    expect(
      page('```sh', 'npx lockstep list', 'npx lockstep run "a b.yaml" # exit code 1: it fails', '```'),
    ).toMatchObject([
      { args: ['list'], exitCode: 0 },
      { command: 'npx lockstep run "a b.yaml"', exitCode: 1 },
    ]);
  });

  test('shows commands in its text, where they have no placeholders', () => {
    expect(
      page(
        'See `npx lockstep list cell`, `npx lockstep list NAME`, `npx lockstep check b.yaml` (exit code 1).',
      ),
    ).toMatchObject([
      { args: ['list', 'cell'], exitCode: 0 },
      { args: ['check', 'b.yaml'], exitCode: 1 },
    ]);
  });

  test('shows files, which are run when they export nothing or their output is shown', () => {
    const lines = ['```ts', '// out/p/a.ts', 'export const a = 1;', '```'];

    expect(page(...lines)).toMatchObject([{ file: 'out/p/a.ts', script: false }]);
    expect(page(...lines, '```text', '1', '```')).toMatchObject([{ script: true, output: '1\n' }]);
    expect(page('```ts', '// out/p/b.ts', 'console.log(1);', '```')).toMatchObject([{ script: true }]);
    expect(page('```ts', '// out/p/b.test.ts', "import 'vitest';", '```')).toMatchObject([{ script: false }]);
  });

  test('shows lines of a file of the project', () => {
    expect(page('```yaml', '# scenarios/a.yaml', 'machine: cell # one', '```')).toEqual([
      { kind: 'excerpt', file: 'scenarios/a.yaml', lines: ['machine: cell'] },
    ]);
  });

  test.each([
    ['a command of something else', ['```sh', 'npm publish', '```'], /a\.md:1: found "npm publish"/],
    ['code without a file', ['', '```ts', 'const a = 1;', '```'], /a\.md:2: found no name of a file/],
    ['another language', ['```json', '{}', '```'], /found a block of "json"/],
    ['output of nothing', ['```text', 'ok', '```'], /found output of nothing/],
    ['a fence without an end', ['```ts'], /no end of the block in line 1/],
  ])('is refused for %s', (_what, lines, message) => {
    expect(() => page(...lines)).toThrow(message);
  });

  test('says so of a block that is not run', () => {
    expect(page('```json not-run', '{}', '```')).toEqual([]);
  });
});

test('what is shown of an output may leave something out', () => {
  const printed = 'ok 12 states\nin 0.3 s\nwritten: a\nthe end\n';

  expect(isShown('ok 12 states\nin … s\n…\nthe end\n', printed)).toBe(true);
  expect(isShown('ok 12 states\n…', printed)).toBe(true);
  expect(isShown('ok 13 states\n…', printed)).toBe(false);
  expect(isShown('ok 12 states\nthe end', printed)).toBe(false);
});
