import { resolve } from 'node:path';
import ts from 'typescript';

/**
 * What the compiler finds in these files, by path with their texts, one finding a line, under the project's own settings; empty when they are right.
 *
 * Details: they need not be written anywhere. What they import is read, but not checked again, which would take ten times as long.
 */
export function findingsOf(files: ReadonlyMap<string, string>): string {
  const texts = new Map([...files].map(([file, text]) => [resolve(file), text]));
  const settings = ts.readConfigFile('tsconfig.json', ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...settings.config, include: [] }, ts.sys, '.');
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile } = host;
  host.fileExists = (file) => texts.has(file) || fileExists(file);
  host.readFile = (file) => texts.get(file) ?? readFile(file);
  // Folders that are not there have files all the same.
  delete host.directoryExists;
  const program = ts.createProgram([...texts.keys()], { ...options, noEmit: true }, host);
  const found = [...texts.keys()].flatMap((file) => {
    const source = program.getSourceFile(file)!;
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
  });
  return ts.formatDiagnostics(found, {
    getCanonicalFileName: (name) => name,
    getCurrentDirectory: () => process.cwd(),
    getNewLine: () => '\n',
  });
}
