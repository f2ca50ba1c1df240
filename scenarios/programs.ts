import { readFileSync } from 'node:fs';
import { dirname, extname, resolve } from 'node:path';
import { ScenarioError, type ScenarioErrorCode } from './errors.ts';
import { pathText } from './explain.ts';
import { describeFound } from './found.ts';
import type { LocatedDocument, Path } from './located-document.ts';
import { MissingExport, moduleExport, neighbours } from './module-export.ts';

/** A program given as code: the reference as it was written and the function it stands for. */
export interface LoadedProgram {
  readonly module: string;
  // biome-ignore lint/suspicious/noExplicitAny: what a program takes and gives is between its author and the machine
  readonly program: (...args: any[]) => unknown;
}

/** The programs of one scenario file by their references, and what is wrong with those that cannot be had. */
export interface LoadedPrograms {
  /** Functions by module and export, texts by file. */
  readonly byReference: ReadonlyMap<string, LoadedProgram['program'] | string>;
  readonly errors: readonly ScenarioError[];
}

/**
 * Loads every program that a scenario refers to as `{ module: 'file.ts#export' }`, or as `{ file: 'name' }` for a text, anywhere inside
 * `programs`. A text that stands beside the name, as in a generated scenario, is taken instead of the file.
 *
 * Details: paths are relative to the folder of the scenario file. Errors: SCN021 to SCN025, one for each reference.
 */
export async function loadPrograms(document: LocatedDocument): Promise<LoadedPrograms> {
  const byReference = new Map<string, LoadedProgram['program'] | string>();
  const errors: ScenarioError[] = [];
  const programs = (document.data as { programs?: unknown }).programs;
  for (const { path, kind, reference } of referencesIn(programs, ['programs'])) {
    if (byReference.has(reference)) continue;
    const refuse = (code: ScenarioErrorCode, what: string, help?: string) => {
      errors.push(new ScenarioError(code, document.at(path), `${pathText(path)}: ${what}`, help));
    };
    const program =
      kind === 'file'
        ? textOf(reference, document.file, refuse)
        : await load(reference, document.file, refuse);
    if (program !== undefined) byReference.set(reference, program);
  }
  return { byReference, errors };
}

/** The same programs with every reference completed by the function it stands for. */
export function withPrograms(programs: unknown, byReference: LoadedPrograms['byReference']): unknown {
  if (Array.isArray(programs)) return programs.map((one) => withPrograms(one, byReference));
  if (
    typeof programs !== 'object' ||
    programs === null ||
    Object.getPrototypeOf(programs) !== Object.prototype
  )
    return programs;
  const completed = Object.fromEntries(
    Object.entries(programs).map(([key, one]) => [key, withPrograms(one, byReference)]),
  );
  const { module, file } = programs as { module?: unknown; file?: unknown };
  const program = typeof module === 'string' ? byReference.get(module) : undefined;
  const text = typeof file === 'string' ? byReference.get(file) : undefined;
  return {
    ...completed,
    ...(program !== undefined && { program }),
    ...(text !== undefined && { text }),
  };
}

function referencesIn(
  value: unknown,
  path: Path,
): readonly { readonly path: Path; readonly kind: 'module' | 'file'; readonly reference: string }[] {
  if (Array.isArray(value)) return value.flatMap((one, index) => referencesIn(one, [...path, index]));
  if (typeof value !== 'object' || value === null) return [];
  // A text that stands in the scenario is not looked for in a file.
  const hasText = typeof (value as { text?: unknown }).text === 'string';
  return Object.entries(value).flatMap(([key, one]) => {
    if (key === 'file' && hasText) return [];
    const here = [...path, key];
    return (key === 'module' || key === 'file') && typeof one === 'string'
      ? [{ path: here, kind: key, reference: one }]
      : referencesIn(one, here);
  });
}

type Refuse = (code: ScenarioErrorCode, what: string, help?: string) => void;

async function load(
  reference: string,
  scenarioFile: string,
  refuse: Refuse,
): Promise<LoadedProgram['program'] | undefined> {
  let program: unknown;
  try {
    program = await moduleExport(reference, scenarioFile);
  } catch (error) {
    if (!(error instanceof MissingExport)) throw error;
    refuse(error.code, error.what, error.help);
    return undefined;
  }
  if (typeof program === 'function') return program as LoadedProgram['program'];
  const [file, name] = reference.split('#');
  refuse('SCN025', `found ${describeFound(program)} as export "${name}" of "${file}", expected a function`);
  return undefined;
}

/** The text of a file beside the scenario. */
function textOf(file: string, scenarioFile: string, refuse: Refuse): string | undefined {
  const path = resolve(dirname(scenarioFile), file);
  try {
    return readFileSync(path, 'utf8');
  } catch {
    refuse(
      'SCN022',
      `found no file "${file}" beside ${scenarioFile}`,
      neighbours(path, file, (name) => name.endsWith(extname(file)), 'files'),
    );
    return undefined;
  }
}
