import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { beforeAll, describe, expect, test } from 'vitest';
import { apiTopics } from './build/guide/api-topics.ts';

// Takes some seconds: the public modules are read by the compiler.

interface Exported {
  readonly name: string;
  readonly documented: boolean;
}

const sources = [...new Set(apiTopics.map(({ source }) => source))];
const glossary = readFileSync('docs/glossary.md', 'utf8');
const exported = new Map<string, readonly Exported[]>();

// It may take longer than a hook may.
beforeAll(() => {
  const settings = ts.readConfigFile('tsconfig.json', ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...settings.config, include: [] }, ts.sys, '.');
  const program = ts.createProgram(sources, { ...options, noEmit: true });
  const checker = program.getTypeChecker();
  for (const source of sources) exported.set(source, exportsOf(program, checker, source));
}, 120_000);

function exportsOf(program: ts.Program, checker: ts.TypeChecker, source: string): readonly Exported[] {
  const symbol = checker.getSymbolAtLocation(program.getSourceFile(source)!);
  return (symbol ? checker.getExportsOfModule(symbol) : []).map((one) => {
    const meant = one.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(one) : one;
    return { name: one.name, documented: meant.getDocumentationComment(checker).length > 0 };
  });
}

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
