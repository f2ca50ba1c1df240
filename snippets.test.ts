import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { guidePages, pageText, stepsOf } from './build/guide/page.ts';
import { findingsOf } from './docs/findings-of.ts';

// Takes some seconds: the compiler reads the sources, once for the code of all documents.

/** The code blocks of a text that say in their first line which file they are. */
const blocksOf = (text: string): readonly (readonly [string, string])[] =>
  [...text.matchAll(/^```ts\n(\/\/ (\S+\.ts)[^\n]*\n[\s\S]*?)^```/gm)].map(([, code, file]) => [
    file!,
    code!,
  ]);

/** `protocols.md` has excerpts of files that are checked where they lie. */
const guide = guidePages()
  .filter((page) => page !== 'protocols.md')
  .flatMap((page) => stepsOf(page, pageText(page)))
  .flatMap((step) =>
    step.kind === 'file' && step.file.endsWith('.ts') ? [[step.file, step.text] as const] : [],
  );
const others = ['README.md', 'properties/README.md', 'docs/testing.md'].map((file) =>
  blocksOf(readFileSync(file, 'utf8')),
);
/** The tests of `docs/testing.md` lie in a project as `lockstep init` makes it. */
const project = readdirSync('templates/typescript')
  .filter((file) => file.endsWith('.ts'))
  .map((file) => [`out/testing-page/${file}`, readFileSync(`templates/typescript/${file}`, 'utf8')] as const);

test('the code of all documents is right for the compiler', () => {
  expect(others.map((blocks) => blocks.length > 0)).toEqual([true, true, true]);
  expect(guide.length).toBeGreaterThan(10);
  expect(findingsOf(new Map([...guide, ...others.flat(), ...project]))).toBe('');
});

test('code that is wrong is told with its file', () => {
  expect(findingsOf(new Map([['out/wrong/wrong.ts', 'export const count: number = "one";\n']]))).toContain(
    "out/wrong/wrong.ts(1,14): error TS2322: Type 'string' is not assignable to type 'number'.",
  );
});
