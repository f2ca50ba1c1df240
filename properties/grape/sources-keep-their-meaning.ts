import type { Program } from '../../actors/grape/program.ts';
import { assembledSource, definesOf, sourceOf } from '../../machines/grape/assembled.ts';
import { type AssemblyOptions, assemble } from '../../machines/grape/assembler/assemble.ts';
import { AssemblyError, isError } from '../../machines/grape/assembler/diagnostics.ts';
import { imageOf, imageSections } from '../../machines/grape/assembler/source-image.ts';
import type { GrapeConfig, GrapePrograms } from '../../machines/grape/config.ts';
import { MacroError } from '../../machines/grape/macros/errors.ts';
import { canExpand, expandLoaded } from '../../machines/grape/macros/expand.ts';
import { samples } from '../../machines/grape/testing/diagnostic-samples.ts';
import { decoded, plain } from '../../machines/grape/testing/image-reader.ts';
import type { Reference } from '../with-reference.ts';
import { remarkMark } from './macro-lines.arbitrary.ts';
import { macroRefusals } from './macro-texts.ts';
import { brokenLaw, roundTrip } from './round-trip.ts';
import { reorderingFault } from './schedule-run.ts';
import { type WrongLines, wrongLines } from './wrong-lines.ts';

/*
 * What becomes of the source of a scenario beside its run: its canonical text, its image, and what the assembler says of a line behind it that is wrong
 * (GRAPE specification 3.8, 3.9, 7).
 */

/** What is wrong with the image of a program; undefined when it says what the program does. */
export function imageFault(program: Program, image = imageOf(program)): string | undefined {
  const begins = [0];
  for (const words of image) begins.push(begins.at(-1)! + words.length);
  const read = JSON.stringify(decoded(image.flat(), begins));
  const written = JSON.stringify(
    imageSections.map((name) =>
      program.sections[name].filter(({ kind }) => kind === 'slot' || kind === 'nop').map(plain),
    ),
  );
  return sorted(read) === sorted(written) ? undefined : 'the image is that of another program';
}

/** A text of data whatever the order of its keys. */
const sorted = (text: string): string =>
  JSON.stringify(JSON.parse(text), (_key, value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );

/** Codes and lines, a mark before the place that a refusal names: of the catalogue what is wrong wherever it stands, and one for each place of the grammar. */
const refused: readonly WrongLines[] = [
  ...Object.entries(samples)
    .filter(([code, { options }]) => isError(code as keyof typeof samples) && code !== 'E_MACRO' && !options)
    .map(([code, { source, at }]): WrongLines => [code, marked(source, at)]),
  ...wrongLines,
];

/** Lines with a mark before a place such as `2:7`. */
function marked(source: string, at: string): string {
  const [line, column] = at.split(':').map(Number) as [number, number];
  return source
    .split('\n')
    .map((text, index) =>
      index + 1 === line ? `${text.slice(0, column - 1)}¦${text.slice(column - 1)}` : text,
    )
    .join('\n');
}

/** How many lines there are that a source can be followed by. */
export const refusalCount = refused.length;

/** Sections and widths begin anew behind a source. */
const neutral = 'vlen 4\nmi 0\nmof 0\nmoi 0\nnop 9\n';

/** The number of a region that a source does not declare. */
function otherRegion(source: string): number {
  const declared = new Set([...source.matchAll(/\bevar\s+\S+\s+(\d+)/g)].map(([, number]) => Number(number)));
  return [3, 2, 1, 0].find((number) => !declared.has(number)) ?? 3;
}

/** What is wrong with what the assembler says of a wrong line behind a source; undefined when it says what it must. */
export function refusalFault(
  source: string,
  which: number,
  options: AssemblyOptions = {},
): string | undefined {
  const [code, lines] = refused[which % refused.length]!;
  // Names are none that the source has.
  const own = lines.replace(/\b([xyae])\b/g, 'own_$1').replace(/\bidp ¦3$/, `idp ¦${otherRegion(source)}`);
  const before = `${source.replace(/\n*$/, '\n')}${neutral}`;
  const upToPlace = `${before}${own.slice(0, own.indexOf('¦'))}`.split('\n');
  const expected = `${code} at ${upToPlace.length}:${upToPlace.at(-1)!.length + 1}`;
  const wrong = own.replace('¦', '');
  try {
    assemble(`${before}${wrong}`, options);
  } catch (error) {
    if (!(error instanceof AssemblyError)) throw error;
    const { diagnostic: found } = error;
    const told = `${found.code} at ${found.line}:${found.column}`;
    return told === expected ? undefined : `"${wrong}" is refused as ${told}, not as ${expected}`;
  }
  return `"${wrong}" is accepted, not refused as ${code}`;
}

/** What is wrong with the remarks of an expanded source that say twice the same. */
export function remarkFault(expanded: string): string | undefined {
  for (const line of expanded.split('\n')) {
    const at = line.lastIndexOf(remarkMark);
    if (!line.startsWith('## ') || at < 0) continue;
    const [found, expected] = [line.slice(3, at), line.slice(at + remarkMark.length)];
    if (found !== expected) return `a macro writes "${found}", Ruby "${expected}"`;
  }
  return undefined;
}

/** What is wrong with what is said of a macro behind a source that Ruby refuses. */
export function macroRefusalFault(
  source: string,
  which: number,
  define: Readonly<Record<string, string>> = {},
): string | undefined {
  const [ruby, why] = macroRefusals[which % macroRefusals.length]!;
  const before = source.replace(/\n*$/, '\n');
  // Of what is nested too deep no place is known.
  const expected = `${why.includes('nested too deep') ? 1 : before.split('\n').length}: ${why}`;
  let found = 'nothing';
  try {
    expandLoaded(`${before}<%= ${ruby} %>`, define);
  } catch (error) {
    if (!(error instanceof MacroError)) throw error;
    found = `${error.line}: ${error.kind}: ${error.what}`;
  }
  return found === expected ? undefined : `"${ruby}" is refused with "${found}", by Ruby with "${expected}"`;
}

const refusalsEach = 8;

/** What is wrong with the macros of a source. */
function macroFault(
  text: string,
  define: Readonly<Record<string, string>>,
  which: number,
): string | undefined {
  const found = remarkFault(expandLoaded(text, define).text);
  if (found || !canExpand()) return found;
  const plainLines = text.split('\n').filter((line) => !line.includes('<%') && !line.includes('%>'));
  const few = plainLines.slice(0, 1 + (which % 7)).join('\n');
  for (let at = 0; at < refusalsEach; at++) {
    const refused = macroRefusalFault(few, which + 13 * at, define);
    if (refused) return refused;
  }
  return undefined;
}

/** The schedules of a scenario share what becomes of its source. */
const known = new WeakMap<object, string | 'none'>();

function faultOf(config: GrapeConfig, programs: GrapePrograms): string | undefined {
  const { text } = sourceOf(programs);
  const { program } = assembledSource(config, programs);
  const inImage = imageFault(program);
  if (inImage !== undefined) return inImage;
  const inOrder = reorderingFault(assembledSource({ ...config, schedule: false }, programs).program);
  if (inOrder !== undefined) return inOrder;
  const which = [...text].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 65_521, 7);
  if (text.includes('<%')) return macroFault(text, definesOf(programs), which);
  const { legacy } = config.compat;
  const { type = program.type } = config;
  const law = brokenLaw(roundTrip(text, type, legacy));
  if (law !== undefined || legacy) return law;
  for (let at = 0; at < refusalsEach; at++) {
    const fault = refusalFault(text, which + 17 * at, { type: 2 });
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** A source comes back from its canonical text and its image, and a wrong line behind it is refused with its code and place. */
export const sourcesKeepTheirMeaning: Reference = (_run, given) => {
  const programs = given.programs as GrapePrograms;
  return () => {
    const kept = known.get(programs) ?? faultOf(given.config as GrapeConfig, programs) ?? 'none';
    known.set(programs, kept);
    return kept === 'none' ? undefined : kept;
  };
};
