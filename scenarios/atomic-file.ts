import { OutputFile } from './output-file.ts';

/** Writes a file whole or not at all, by the rule of `OutputFile`. Errors: `OutputError`. */
export function writeFileAtomically(file: string, contents: string | Uint8Array): void {
  const output = new OutputFile(file);
  output.write(contents);
  output.end();
}
