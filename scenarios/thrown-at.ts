import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Where the first cause of an error was thrown, as `file:line:column` from the present folder: what a user looks at who wrote the program or recipe that
 * threw. Undefined where only libraries and Node were at work.
 */
export function thrownAt(error: unknown): string | undefined {
  let first = error;
  while (first instanceof Error && first.cause !== undefined) first = first.cause;
  // An error of the kernel is told with its cause and its cure; the place where the kernel noticed it helps nobody.
  return first === error ? undefined : placeOf(first);
}

/** What of Lockstep stands between a module of a user and its mistake: floors in which no program or recipe is written. */
const floors = /^(dist|kernel|machines|manifests|properties|cli|testing)[\\/]/;
const ourFolder = fileURLToPath(new URL('..', import.meta.url));

/** Where an error was made, as `file:line:column` from the present folder; undefined where only libraries and Node were at work. */
export function placeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  let first: string | undefined;
  for (const [, place, line, column] of (error.stack ?? '').matchAll(
    /^\s+at (?:.*[( ])?((?:file:|\/|[A-Za-z]:\\)[^()\n]*?):(\d+):(\d+)\)?$/gm,
  )) {
    const file = place!.startsWith('file:') ? fileURLToPath(place!.replace(/\?.*$/, '')) : place!;
    if (/[\\/]node_modules[\\/]/.test(file)) continue;
    const told = `${relative(process.cwd(), file) || file}:${line}:${column}`;
    if (!floors.test(relative(ourFolder, file))) return told;
    first ??= told;
  }
  return first;
}
