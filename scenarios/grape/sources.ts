import { type Assembled, assemble } from '../../machines/grape/assembler/assemble.ts';
import { AssemblyError } from '../../machines/grape/assembler/diagnostics.ts';
import { MacroError } from '../../machines/grape/macros/errors.ts';
import { expandMacros } from '../../machines/grape/macros/expand.ts';
import { equalRow, type Row } from '../reference-row.ts';

/** A source that must be accepted, with what is said about it, or refused at a line. */
export interface AssemblyCase {
  readonly name: string;
  readonly source: string;
  readonly legacy: boolean;
  readonly expect:
    | {
        readonly ok: true;
        readonly diagnostics: readonly { readonly code: string; readonly line: number }[];
        readonly lmWords: number;
        readonly bmWords: number;
      }
    | { readonly ok: false; readonly code: string; readonly line: number };
}

/** A template with the text and output that Ruby gives, or the kind of error. */
export interface MacroCase {
  readonly name: string;
  readonly source: string;
  readonly defines: Readonly<Record<string, string | number>>;
  readonly text?: string;
  readonly stdout?: string;
  readonly error?: string;
}

/** True for a list of assembly cases. */
export const areAssemblyCases = (json: unknown): json is readonly AssemblyCase[] =>
  Array.isArray(json) && json.length > 0 && json.every((one) => 'source' in one && 'expect' in one);

/** True for a list of macro cases. */
export const areMacroCases = (json: unknown): json is readonly MacroCase[] =>
  Array.isArray(json) && json.length > 0 && json.every((one) => 'source' in one && 'defines' in one);

/** Assembles every source: accepted with the same diagnostics and memory, or refused for the same reason in the same line. */
export function* assemblyRows(cases: readonly AssemblyCase[]): Iterable<Row> {
  for (const { name, source, legacy, expect } of cases) {
    const found = attempted(() => assemble(source, { legacy }));
    yield equalRow(
      name,
      expect.ok ? 'diagnostics and memory in use' : 'code and line',
      toldCase(expect),
      found,
    );
  }
}

function toldCase(expect: AssemblyCase['expect']): string {
  if (!expect.ok) return `${expect.code} in line ${expect.line}`;
  return told(expect.diagnostics, expect.lmWords, expect.bmWords);
}

const told = (
  diagnostics: readonly { readonly code: string; readonly line: number }[],
  lm: number,
  bm: number,
) =>
  `${diagnostics.map(({ code, line }) => `${code} in line ${line}`).join(', ') || 'nothing'}; ${lm} and ${bm} short words`;

function attempted(run: () => Assembled): string {
  try {
    const { diagnostics, used } = run();
    return told(diagnostics, used.lm, used.bm);
  } catch (error) {
    if (!(error instanceof AssemblyError)) throw error;
    return `${error.diagnostic.code} in line ${error.diagnostic.line}`;
  }
}

/** Expands every template: the same text and output, or the same kind of error. */
export async function* macroRows(cases: readonly MacroCase[]): AsyncIterable<Row> {
  for (const { name, source, defines, text, stdout, error } of cases) {
    const given = Object.fromEntries(Object.entries(defines).map(([key, value]) => [key, String(value)]));
    const found = await expandMacros(source, given).then(
      (expansion) => JSON.stringify(expansion),
      (failure: unknown) => {
        if (failure instanceof MacroError) return failure.kind;
        throw failure;
      },
    );
    yield equalRow(name, 'text and output', error ?? JSON.stringify({ text, stdout }), found);
  }
}
