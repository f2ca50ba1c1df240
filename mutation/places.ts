import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import type { Family } from './families.ts';
import type { JudgeOrder, JudgeReport } from './judge-order.ts';
import type { FuzzPlan } from './judges.ts';
import { type Mutant, mutantsOf, type ReplacedModule } from './mutant.ts';
import type { Mutation } from './operators.ts';
import { watched } from './processes.ts';
import { projectFolder } from './project-files.ts';

/** Holds, by number of a place, whether it was carried out. */
export const placesFlag = '__mutantPlaces';

/** A place that operators change: the mutants that it has. */
export interface Place {
  readonly file: string;
  readonly line: number;
  /** The lines of it. */
  readonly text: string;
  readonly mutants: readonly Mutant[];
}

/** A file in which every changeable place notes that it was carried out, and what its places are, in the order of their numbers. */
export interface NotedFile {
  readonly module: ReplacedModule;
  readonly places: readonly Place[];
}

/** Makes every place of a file that can take a note write it; `first` is the number of its first place. Places of data can take none. */
export function notedFile(file: string, first: number): NotedFile {
  const path = join(projectFolder, file);
  const text = readFileSync(path, 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2023, true);
  const chained = new Set<string>();
  const visit = (node: ts.Node): void => {
    // Brackets in the middle of `a?.b(c).d` would end the chain too early.
    if (node.flags & ts.NodeFlags.OptionalChain) chained.add(`${node.getStart(source)} ${node.getEnd()}`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  const byRange = new Map<string, Mutant[]>();
  for (const mutant of mutantsOf(file)) {
    const { start, end, form } = mutant.mutation;
    // A constructor whose `super` is not a statement of its own reaches for `this` too early.
    if (form === 'data' || chained.has(`${start} ${end}`) || text.startsWith('super(', start)) continue;
    const key = `${start} ${end}`;
    byRange.set(key, [...(byRange.get(key) ?? []), mutant]);
  }
  const ranges = [...byRange.values()];
  const places = ranges.map((mutants): Place => {
    const { file: of, line, before } = mutants[0]!;
    return { file: of, line, text: before, mutants };
  });
  const { outputText } = ts.transpileModule(
    notedText(
      text,
      ranges.map(([one]) => one!.mutation),
      first,
    ),
    {
      fileName: path,
      compilerOptions: {
        target: ts.ScriptTarget.ES2023,
        module: ts.ModuleKind.ESNext,
        verbatimModuleSyntax: true,
      },
    },
  );
  return { module: { file: path, url: pathToFileURL(path).href, code: outputText }, places };
}

/** The text with a note in each of these places, which lie beside or within each other. */
function notedText(text: string, places: readonly Mutation[], first: number): string {
  const notes = places.flatMap(({ start, end, form }, index) => {
    const note = `globalThis.${placesFlag}[${first + index}] = 1`;
    const [before, after] = form === 'statement' ? [`{ ${note}; `, ' }'] : [`(${note}, (`, '))'];
    const length = end - start;
    return [
      { at: start, text: before, rank: -length },
      { at: end, text: after, rank: length },
    ];
  });
  // Where several begin the longest is the outermost; where several end it is the last. What ends comes before what begins.
  const ends = (rank: number) => (rank > 0 ? 0 : 1);
  notes.sort((a, b) => a.at - b.at || ends(a.rank) - ends(b.rank) || a.rank - b.rank);
  let noted = '';
  let at = 0;
  for (const note of notes) {
    noted += text.slice(at, note.at) + note.text;
    at = note.at;
  }
  return noted + text.slice(at);
}

/** What `fuzz` carries out of all places of a family. */
export interface PlacesReached {
  /** Mutants whose place can take a note, and those of them that a run carries out. */
  readonly mutants: number;
  readonly reached: number;
  readonly missed: readonly Place[];
}

/** Runs `fuzz` once on the sources as they are, with a note in every place. */
export async function placesReached(
  { machines }: Family,
  sources: readonly string[],
  { runs, seed }: FuzzPlan,
): Promise<PlacesReached> {
  const places: Place[] = [];
  const modules = sources.map((file) => {
    const noted = notedFile(file, places.length);
    places.push(...noted.places);
    return noted.module;
  });
  const seen = new Set<number>();
  const order: JudgeOrder = {
    judge: 'fuzz',
    scenarios: {},
    machines,
    runs,
    seed,
    known: [],
    keepGoing: true,
  };
  let ended = false;
  const { output } = await watched<JudgeReport>(
    { module: 'judge.mjs', args: [JSON.stringify(order)], replaced: modules, silenceMax: 600_000 },
    (report) => {
      if (report.kind === 'end') ended = true;
      if (report.kind === 'fuzzed') for (const number of report.places ?? []) seen.add(number);
      return false;
    },
  );
  if (!ended) throw new Error(`the sources as they are: fuzz did not end\n${output}`);
  const count = (some: readonly Place[]) => some.reduce((sum, { mutants }) => sum + mutants.length, 0);
  const missed = places.filter((_, number) => !seen.has(number));
  return { mutants: count(places), reached: count(places) - count(missed), missed };
}

/** The places that no run reached, by file and line. */
export function placesText({ mutants, reached, missed }: PlacesReached, title: string): string {
  const lines = new Map<string, { readonly text: string; mutants: number }>();
  for (const { file, line, text, mutants: some } of missed) {
    const key = `${file}:${line}`;
    const known = lines.get(key) ?? { text, mutants: 0 };
    known.mutants += some.length;
    lines.set(key, known);
  }
  const share = Math.round((1000 * reached) / Math.max(1, mutants)) / 10;
  return [
    title,
    `${reached} of ${mutants} mutants (${share} %) lie in places that fuzz carries out; never carried out:`,
    ...[...lines].map(([key, { text, mutants: count }]) => `  ${key} (${count}): ${text}`),
    '',
  ].join('\n');
}
