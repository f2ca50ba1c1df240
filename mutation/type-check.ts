import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { changedText, type Mutant } from './mutant.ts';
import { projectFolder } from './project-files.ts';

/**
 * Whether changed modules still type-check: a change that the compiler refuses never comes to be run.
 *
 * Details: only the changed file is checked; what others make of its types stays as it was for nearly all changes. The first answer takes seconds.
 */
export class TypeCheck {
  readonly #service: ts.LanguageService;
  #changed: { readonly file: string; readonly text: string } | undefined;
  #version = 0;

  constructor() {
    const settings = ts.readConfigFile(join(projectFolder, 'tsconfig.json'), ts.sys.readFile);
    const { options, fileNames } = ts.parseJsonConfigFileContent(settings.config, ts.sys, projectFolder);
    // Only what is wrong counts, not what is left unused by a removal.
    const { tsBuildInfoFile: _, ...strict } = options;
    const settled = { ...strict, incremental: false, noUnusedLocals: false, noUnusedParameters: false };
    const host: ts.LanguageServiceHost = {
      getCompilationSettings: () => settled,
      getScriptFileNames: () => fileNames,
      getScriptVersion: (file) => (this.#changed?.file === file ? `changed ${this.#version}` : 'as it is'),
      getScriptSnapshot: (file) => {
        const text = this.#changed?.file === file ? this.#changed.text : ts.sys.readFile(file);
        return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
      },
      getCurrentDirectory: () => projectFolder,
      getDefaultLibFileName: ts.getDefaultLibFilePath,
      fileExists: ts.sys.fileExists,
      readFile: ts.sys.readFile,
      readDirectory: ts.sys.readDirectory,
      directoryExists: ts.sys.directoryExists,
      getDirectories: ts.sys.getDirectories,
    };
    this.#service = ts.createLanguageService(host);
  }

  accepts({ file, mutation }: Mutant): boolean {
    const path = join(projectFolder, file);
    this.#changed = { file: path, text: changedText(readFileSync(path, 'utf8'), mutation) };
    this.#version++;
    return (
      this.#service.getSyntacticDiagnostics(path).length === 0 &&
      this.#service.getSemanticDiagnostics(path).length === 0
    );
  }
}
