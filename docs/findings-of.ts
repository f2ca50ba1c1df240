import { dirname } from 'node:path';
import ts from 'typescript';

/**
 * What the compiler finds in these files, one finding a line, under the project's own settings; empty when they are right.
 *
 * Details: what they import is read, but not checked again, which would take ten times as long.
 */
export function findingsOf(files: readonly string[]): string {
  const settings = ts.readConfigFile('tsconfig.json', ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...settings.config, include: [] }, ts.sys, '.');
  const program = ts.createProgram(files, { ...options, noEmit: true });
  const found = files.flatMap((file) => {
    const source = program.getSourceFile(file);
    if (!source) throw new Error(`found no file ${file} in ${dirname(file)}`);
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
  });
  return ts.formatDiagnostics(found, {
    getCanonicalFileName: (name) => name,
    getCurrentDirectory: () => process.cwd(),
    getNewLine: () => '\n',
  });
}
