import type { Script } from '../../actors/chiplet/interchiplet/script.ts';
import { scriptSchema } from '../../machines/chiplet/interchiplet-config.ts';
import { explainIssues } from '../explain.ts';
import { LocatedDocument } from '../located-document.ts';
import { BenchFileError } from './interchiplet-bench-file.ts';

/** The steps in a YAML or JSON text: `- [compute, 100]` a line. Errors: `BenchFileError` E-YAML with place. */
export function parseScript(text: string, file: string): Script {
  const document = new LocatedDocument(text, file);
  const parsed = scriptSchema.safeParse(document.data, { reportInput: true });
  const [first] = [
    ...document.errors,
    ...(parsed.success ? [] : explainIssues(parsed.error.issues, scriptSchema, document)),
  ];
  if (first) throw new BenchFileError('E-YAML', first.at, first.what, first.help);
  return parsed.success ? parsed.data : [];
}
