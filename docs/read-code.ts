import { resolve } from 'node:path';
import ts from 'typescript';
import { declared } from '../build/declarations.ts';

/** Code that need not be written anywhere, as the compiler reads it, and modules of the project beside it. */
export interface ReadCode {
  readonly program: ts.Program;
  /** What the compiler finds in the code, one finding a line; empty when it is right. */
  readonly findings: () => string;
}

/**
 * Reads these files, by path with their texts, under the project's own settings.
 *
 * Details: what they import is read, but not checked again, which would take ten times as long; of public modules the declarations, where they are built.
 */
export function readCode(files: ReadonlyMap<string, string>, modules: readonly string[] = []): ReadCode {
  const texts = new Map([...files].map(([file, text]) => [resolve(file), text]));
  const settings = ts.readConfigFile('tsconfig.json', ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...settings.config, include: [] }, ts.sys, '.');
  const paths = Object.entries(options.paths!).map(([name, files]) => [
    name,
    files.map((one) => declared(one)),
  ]);
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile } = host;
  host.fileExists = (file) => texts.has(file) || fileExists(file);
  host.readFile = (file) => texts.get(file) ?? readFile(file);
  // Folders that are not there have files all the same.
  delete host.directoryExists;
  const program = ts.createProgram(
    [...texts.keys(), ...modules],
    { ...options, paths: Object.fromEntries(paths), noEmit: true },
    host,
  );
  const findings = () => {
    const found = [...texts.keys()].flatMap((file) => {
      const source = program.getSourceFile(file)!;
      return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
    });
    return ts.formatDiagnostics(found, {
      getCanonicalFileName: (name) => name,
      getCurrentDirectory: () => process.cwd(),
      getNewLine: () => '\n',
    });
  };
  return { program, findings };
}
