import { AssemblyError, type Diagnostic, type DiagnosticCode } from './diagnostics.ts';
import type { Token } from './lines.ts';

/** What is said about the lines of one source while it is assembled. */
export class DiagnosticLog {
  readonly diagnostics: Diagnostic[] = [];
  /** Line that is being assembled. */
  line = 0;
  readonly #file: string;
  constructor(file: string) {
    this.#file = file;
  }

  /** Stops at a word of the present line, or at the line as a whole. Errors: `AssemblyError` always. */
  fail(code: DiagnosticCode, at?: Token | string, line = this.line): never {
    throw new AssemblyError(this.#file, this.#diagnostic(code, at, line));
  }

  /** Notes a warning. */
  warn(code: DiagnosticCode, at?: Token | string, line = this.line): void {
    this.diagnostics.push(this.#diagnostic(code, at, line));
  }

  #diagnostic(code: DiagnosticCode, at: Token | string | undefined, line: number): Diagnostic {
    if (at === undefined) return { code, line, column: 1, text: '' };
    return typeof at === 'string'
      ? { code, line, column: 1, text: at }
      : { code, line, column: at.column, text: at.text };
  }
}
