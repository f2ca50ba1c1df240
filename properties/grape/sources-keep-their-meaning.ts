import type { Program } from '../../actors/grape/program.ts';
import { assembledSource, sourceOf } from '../../machines/grape/assembled.ts';
import { type AssemblyOptions, assemble } from '../../machines/grape/assembler/assemble.ts';
import { AssemblyError, isError } from '../../machines/grape/assembler/diagnostics.ts';
import { imageOf, imageSections } from '../../machines/grape/assembler/source-image.ts';
import type { GrapeConfig, GrapePrograms } from '../../machines/grape/config.ts';
import { samples } from '../../machines/grape/testing/diagnostic-samples.ts';
import { decoded, plain } from '../../machines/grape/testing/image-reader.ts';
import type { Reference } from '../with-reference.ts';
import { brokenLaw, roundTrip } from './round-trip.ts';

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

/** Errors that a line or two make wherever they stand. */
const wrongLines = Object.entries(samples).filter(
  ([code, { options }]) => isError(code as keyof typeof samples) && code !== 'E_MACRO' && !options,
);

/** Sections and widths begin anew behind a source. */
const neutral = 'vlen 4\nmi 0\nmof 0\nmoi 0\nnop 9\n';

/** What is wrong with what the assembler says of a wrong line behind a source; undefined when it says what it must. */
export function refusalFault(
  source: string,
  which: number,
  options: AssemblyOptions = {},
): string | undefined {
  const [code, sample] = wrongLines[which % wrongLines.length]!;
  const own = sample.source.replace(/\b([xyae])\b/g, 'own_$1');
  // Names are longer here: only the line is that of the sample where it declares one.
  const [line = '', column = ''] = sample.at.split(':');
  const before = `${source.replace(/\n*$/, '\n')}${neutral}`;
  const lines = before.split('\n').length - 1;
  try {
    assemble(`${before}${own}`, options);
  } catch (error) {
    if (!(error instanceof AssemblyError)) throw error;
    const { diagnostic: found } = error;
    const place = `${found.line - lines}${own === sample.source ? `:${found.column}` : ''}`;
    const expected = `${line}${own === sample.source ? `:${column}` : ''}`;
    return found.code === code && place === expected
      ? undefined
      : `"${own}" is refused as ${found.code} at ${place}, not as ${code} at ${expected}`;
  }
  return `"${own}" is accepted, not refused as ${code}`;
}

/** The schedules of a scenario share what becomes of its source. */
const known = new WeakMap<object, string | 'none'>();

function faultOf(config: GrapeConfig, programs: GrapePrograms): string | undefined {
  const { text } = sourceOf(programs);
  const { program } = assembledSource(config, programs);
  const inImage = imageFault(program);
  if (inImage !== undefined || text.includes('<%')) return inImage;
  const { legacy } = config.compat;
  const { type = program.type } = config;
  const which = [...text].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 65_521, 7);
  return (
    brokenLaw(roundTrip(text, type, legacy)) ??
    (legacy
      ? undefined
      : (refusalFault(text, which, { type: 2 }) ?? refusalFault(text, which + 17, { type: 2 })))
  );
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
