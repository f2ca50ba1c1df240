import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { beforeAll, describe, expect, test } from 'vitest';
import { declared } from './build/declarations.ts';
import { apiTopics } from './build/guide/api-topics.ts';
import { guidePages, pageText, stepsOf } from './build/guide/page.ts';
import { type ReadCode, readCode } from './docs/read-code.ts';

// Takes some seconds: the compiler reads the declarations of the built package, once for the code of all documents and for what they say of the public modules.

interface Exported {
  readonly name: string;
  readonly documented: boolean;
}

const sources = [...new Set(apiTopics.map(({ source }) => source))];
const glossary = readFileSync('docs/glossary.md', 'utf8');
const exported = new Map<string, readonly Exported[]>();

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

let code: ReadCode;
// It may take longer than a hook may.
beforeAll(() => {
  code = readCode(new Map([...guide, ...others.flat(), ...project]), sources.map(declared));
  const checker = code.program.getTypeChecker();
  for (const source of sources) exported.set(source, exportsOf(code.program, checker, source));
}, 120_000);

function exportsOf(program: ts.Program, checker: ts.TypeChecker, source: string): readonly Exported[] {
  const symbol = checker.getSymbolAtLocation(program.getSourceFile(declared(source))!);
  return (symbol ? checker.getExportsOfModule(symbol) : []).map((one) => {
    const meant = one.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(one) : one;
    return { name: one.name, documented: meant.getDocumentationComment(checker).length > 0 };
  });
}

test('the code of all documents is right for the compiler', () => {
  expect(others.map((blocks) => blocks.length > 0)).toEqual([true, true, true]);
  expect(guide.length).toBeGreaterThan(10);
  expect(code.findings()).toBe('');
});

test('code that is wrong is told with its file', () => {
  expect(
    readCode(new Map([['out/wrong/wrong.ts', 'export const count: number = "one";\n']])).findings(),
  ).toContain("out/wrong/wrong.ts(1,14): error TS2322: Type 'string' is not assignable to type 'number'.");
});

describe('the reference of the API', () => {
  test('has every exported name of the package on one page', () => {
    const told = apiTopics.flatMap(({ source, names }) => (source === 'index.ts' ? (names ?? []) : []));

    expect([...told].sort()).toEqual(
      exported
        .get('index.ts')!
        .map(({ name }) => name)
        .sort(),
    );
  });

  test.each(sources)('has a docstring for every name that %s exports', (source) => {
    expect(
      exported
        .get(source)!
        .filter(({ documented }) => !documented)
        .map(({ name }) => name),
    ).toEqual([]);
  });
});

describe('the glossary', () => {
  const rows = [...glossary.matchAll(/^\| ([^|]+) \| ([^|]+) \|([^|]*)\|$/gm)].slice(2);

  test('names only what is exported', () => {
    const names = rows.flatMap(([, , , api]) => [...api!.matchAll(/`(\w+)`/g)].map(([, name]) => name!));
    const known = new Set([...exported.values()].flat().map(({ name }) => name));

    expect(names.length).toBeGreaterThan(40);
    expect(names.filter((name) => !known.has(name))).toEqual([]);
  });

  test('is in the order of the alphabet, each term once', () => {
    const terms = rows.map(([, term]) => term!.toLowerCase());

    expect(terms).toEqual([...new Set(terms)].sort((one, other) => one.localeCompare(other, 'en')));
  });

  test.each([
    'worker pool',
    'transition cache',
    'interleaving',
    'symmetry reduction',
    'journal',
    'observation',
  ])('says what "%s" is', (term) => expect(glossary).toContain(`| ${term} |`));
});
