import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { type Mutation, mutationsOf, type OperatorName } from './operators.ts';
import { projectFolder } from './project-files.ts';

/** One change of one file, as reports and ledgers name it. */
export interface Mutant {
  /** `file:line:column operator` and, where there are several, a number. */
  readonly id: string;
  /** Relative to the project, with slashes. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly operator: OperatorName;
  /** The lines of the change before and after it, without what they are indented by. */
  readonly before: string;
  readonly after: string;
  readonly mutation: Mutation;
}

/** A module whose text is replaced in memory: what loaders are handed. */
export interface ReplacedModule {
  /** Absolute path and address of the file. */
  readonly file: string;
  readonly url: string;
  /** JavaScript that stands for it. */
  readonly code: string;
}

/** Set by a changed place when it is reached. */
export const reachedFlag = '__mutantReached';

/** All mutants of a file in the order of its text. */
export function mutantsOf(file: string): readonly Mutant[] {
  const text = readFileSync(join(projectFolder, file), 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2023, true);
  const seen = new Map<string, number>();
  return mutationsOf(source).map((mutation) => {
    const { line, character } = source.getLineAndCharacterOfPosition(mutation.start);
    const name = `${file}:${line + 1}:${character + 1} ${mutation.operator}`;
    const times = (seen.get(name) ?? 0) + 1;
    seen.set(name, times);
    const { before, after } = linesOf(text, mutation);
    const id = times === 1 ? name : `${name} ${times}`;
    return { id, file, line: line + 1, operator: mutation.operator, before, after, mutation };
  });
}

/** The text of a file with one change. */
export const changedText = (text: string, { start, end, replacement }: Mutation): string =>
  text.slice(0, start) + replacement + text.slice(end);

/** The module of a mutant, which notes where it can that the changed place was reached. */
export function replacedModule({ file, mutation }: Mutant): ReplacedModule {
  const path = join(projectFolder, file);
  const text = readFileSync(path, 'utf8');
  const { replacement, form } = mutation;
  const note = `globalThis.${reachedFlag} = true`;
  const noted =
    form === 'expression'
      ? `(${note}, ${replacement})`
      : form === 'statement'
        ? `{ ${note}; ${replacement} }`
        : replacement;
  // A decorated constant in a place that takes no expression, such as a type, never gets here: types are not changed.
  const { outputText } = ts.transpileModule(changedText(text, { ...mutation, replacement: noted }), {
    fileName: path,
    compilerOptions: {
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.ESNext,
      verbatimModuleSyntax: true,
    },
  });
  return { file: path, url: pathToFileURL(path).href, code: outputText };
}

/** The whole lines that a change touches; long ones are shortened from their ends. */
function linesOf(text: string, mutation: Mutation): { before: string; after: string } {
  const from = text.lastIndexOf('\n', mutation.start - 1) + 1;
  const next = text.indexOf('\n', mutation.end);
  const to = next < 0 ? text.length : next;
  const before = text.slice(from, to);
  const after = text.slice(from, mutation.start) + mutation.replacement + text.slice(mutation.end, to);
  return { before: shown(before), after: shown(after) };
}

const shown = (lines: string): string => {
  const one = lines.replace(/\s+/g, ' ').trim();
  return one.length > 240 ? `${one.slice(0, 160)} … ${one.slice(-60)}` : one;
};
