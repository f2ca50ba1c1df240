import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { z } from 'zod';
import type { Tape } from '../kernel/choices.ts';
import { writeFileAtomically } from './atomic-file.ts';
import type { Checkpoint } from './checkpoints.ts';
import { type Place, ScenarioError, type ScenarioErrorCode, ScenarioErrors } from './errors.ts';
import { explainIssues, valueAt } from './explain.ts';
import { describeFound } from './found.ts';
import { InputError, inputText } from './input-file.ts';
import { JsonError, LocatedJson, parseJson } from './json-text.ts';
import type { Scenario } from './scenario.ts';
import type { Simulation } from './simulate.ts';
import { decodeTape, encodeTape } from './tape-codec.ts';
import { lockstepVersion } from './version.ts';

const format = 'lockstep-recording/1';
const naturals = z.int().min(0);
const fingerprint = z.string().regex(/^[0-9a-f]{16}$/);
/** Eight digits for each actor in the order of `actors`, dots for one that did not exist yet; dots at the end are left out. */
const digits = z.string().regex(/^([0-9a-f]{8}|\.{8})*$/);

const checkpointSchema = z.strictObject({
  tick: naturals,
  deliveries: naturals,
  actors: digits.optional(),
  fingerprint: fingerprint.optional(),
});

const recordingSchema = z.strictObject({
  format: z.literal(format),
  version: z.string(),
  scenario: z.strictObject({ file: z.string(), machine: z.string(), text: z.string() }),
  scheduled: z.boolean(),
  until: naturals.optional(),
  cycle: z.strictObject({ from: z.int().min(-1), property: z.string() }).optional(),
  refines: z.strictObject({ specification: z.string(), map: z.string().optional() }).optional(),
  actors: z.array(z.string()),
  checkpoints: z.array(checkpointSchema),
  end: z.strictObject({
    ticks: naturals,
    deliveries: naturals,
    verdict: z.enum(['ok', 'violated', 'deadlock', 'livelock', 'error']),
    violations: z.array(z.string()),
    fingerprint,
    actors: digits.optional(),
  }),
  tape: z.strictObject({ picks: naturals, data: z.string() }),
});

type RecordingFile = z.output<typeof recordingSchema>;

/** A checkpoint as recordings keep it: digits for each actor, or one fingerprint for all. */
export type RecordedCheckpoint = Readonly<z.output<typeof checkpointSchema>>;

/**
 * A run on paper: what it was given, its picks, and fingerprints to verify a replay by (design, section 4).
 *
 * Details: it says nothing about the engine, since every engine gives the same run. Fingerprints of actors are cut to 8 hexadecimal digits.
 */
export interface Recording extends Readonly<Omit<RecordingFile, 'tape'>> {
  readonly tape: Tape;
}

/** Up to how many actors the end of a recording tells apart. */
const endActorsMax = 4096;

/**
 * The recording of a run that came to its end, to its last tick, or was interrupted; `cycle` says of one that goes round for ever where the round begins, and what waits, `refines` what it was to refine
 * besides.
 */
export function recordingOf(
  scenario: Scenario,
  simulation: Simulation,
  cycle?: Recording['cycle'],
  refines?: Recording['refines'],
): Recording {
  const { outcome, run, checkpoints, tape, scheduled, until } = simulation;
  const last = run.fingerprints;
  const many = Object.keys(last).length > endActorsMax;
  // Actors are only ever added, so the last checkpoint that names them names all that any checkpoint does.
  const actors = Object.keys(many ? (checkpoints.findLast((one) => one.actors)?.actors ?? {}) : last);
  return {
    format,
    version: lockstepVersion,
    scenario: { file: scenario.file, machine: scenario.machine, text: scenario.text },
    scheduled,
    ...(until !== undefined && { until }),
    ...(cycle && { cycle }),
    ...(refines && { refines }),
    actors,
    checkpoints: checkpoints.map((checkpoint) => recorded(checkpoint, actors)),
    end: {
      ticks: outcome.ticks,
      deliveries: outcome.deliveries,
      verdict: outcome.verdict,
      violations: violatedProperties(simulation),
      fingerprint: simulation.fingerprint,
      ...(!many && { actors: packed(last, actors) }),
    },
    tape,
  };
}

/** The properties that a run violated, each once, sorted. */
export const violatedProperties = ({ outcome }: Pick<Simulation, 'outcome'>): string[] =>
  [...new Set(outcome.violations.map((violation) => violation.property))].sort();

/** The digits that a recording keeps of each actor's fingerprint, by name. */
export function recordedActors(names: readonly string[], packedDigits: string): ReadonlyMap<string, string> {
  return new Map(names.map((name, index) => [name, packedDigits.slice(8 * index, 8 * index + 8) || absent]));
}

/** Stands for the digits of an actor that does not exist yet. */
export const absent = '........';

/** The digits a recording would keep of a fingerprint. */
export const digitsOf = (print: string): string => print.slice(0, 8);

function recorded(
  { tick, deliveries, actors, fingerprint: all }: Checkpoint,
  names: readonly string[],
): RecordedCheckpoint {
  return {
    tick,
    deliveries,
    ...(actors && { actors: packed(actors, names) }),
    ...(all !== undefined && { fingerprint: all }),
  };
}

function packed(prints: Readonly<Record<string, string>>, names: readonly string[]): string {
  const digits = names.map((name) => digitsOf(prints[name] ?? absent)).join('');
  return digits.replace(/\.+$/, '');
}

/** The text of a recording; `file`, when it is given, is where it will lie, and the scenario is named relative to it. */
export function formatRecording(recording: Recording, file?: string): string {
  const { tape, scenario, refines, ...rest } = recording;
  const named = (path: string) =>
    file === undefined ? path : relative(dirname(file), path).split(sep).join('/');
  const written: RecordingFile = {
    ...rest,
    scenario: { ...scenario, file: named(scenario.file) },
    ...(refines && { refines: renamed(refines, named) }),
    // Last, so that a reader meets everything else first.
    tape: { picks: tape.length, data: encodeTape(tape) },
  };
  return `${JSON.stringify(written, null, 1)}\n`;
}

/** Writes a recording whole or not at all. */
export function saveRecording(file: string, recording: Recording): void {
  writeFileAtomically(file, formatRecording(recording, file));
}

/** Reads a recording; its scenario is named relative to where we are. Errors: throws `ScenarioErrors` (SCN040 to SCN043). */
export function loadRecording(file: string): Recording {
  let text: string;
  try {
    text = inputText(file);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw refused({ file, line: 1, column: 1 }, 'SCN040', error.why, error.help);
  }
  return recordingIn(text, file);
}

/** Reads the text of the recording in a file; its scenario is named relative to where we are, or wholly as the recording names it. Errors: those of `parseRecording`. */
export function recordingIn(text: string, file: string): Recording {
  const recording = parseRecording(text, file);
  const here = (path: string) => (isAbsolute(path) ? path : join(dirname(file), path));
  const { scenario, refines } = recording;
  return {
    ...recording,
    scenario: { ...scenario, file: here(scenario.file) },
    ...(refines && { refines: renamed(refines, here) }),
  };
}

/** What a run was to refine, with other names for the files. A reference is `file#export`, or a file. */
function renamed(
  { specification, map }: NonNullable<Recording['refines']>,
  rename: (file: string) => string,
): NonNullable<Recording['refines']> {
  const reference = (given: string) => given.replace(/^[^#]*/, rename);
  return { specification: reference(specification), ...(map !== undefined && { map: reference(map) }) };
}

/** Checks the text of a recording. Errors: throws `ScenarioErrors` (SCN041 to SCN043), each at its place in the text. */
export function parseRecording(text: string, file: string): Recording {
  let data: unknown;
  try {
    data = parseJson(text, file);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    const help = /\.ya?ml$/.test(file)
      ? 'this looks like a scenario: run it with `lockstep run`'
      : error.help;
    throw refused(error.at, 'SCN041', error.what, help);
  }
  const document = new LocatedJson(text, file, data);
  const found = valueAt(data, ['format']);
  if (found !== format) throw foreign(document, found);
  const parsed = recordingSchema.safeParse(data, { reportInput: true });
  if (!parsed.success) {
    const errors = explainIssues(parsed.error.issues, recordingSchema, document);
    throw new ScenarioErrors(errors.map((error) => new ScenarioError('SCN043', error.at, error.what)));
  }
  const { tape, ...rest } = parsed.data;
  try {
    return { ...rest, tape: decodeTape(tape.data, tape.picks) };
  } catch (error) {
    const what = `tape.data: found a damaged tape: ${error instanceof Error ? error.message : String(error)}`;
    throw refused(document.at(['tape', 'data']), 'SCN043', what);
  }
}

function foreign(document: LocatedJson, found: unknown): ScenarioErrors {
  const at = document.at(['format']);
  if (found === undefined) {
    const what = `found ${describeFound(document.data)} without "format", expected "format": "${format}"`;
    return refused(at, 'SCN042', what);
  }
  const newer = typeof found === 'string' && found.startsWith('lockstep-recording/');
  const help = newer ? 'it was written by another version of Lockstep: use that one' : undefined;
  return refused(at, 'SCN042', `format: found ${describeFound(found)}, expected "${format}"`, help);
}

const refused = (at: Place, code: ScenarioErrorCode, what: string, help?: string): ScenarioErrors =>
  new ScenarioErrors([new ScenarioError(code, at, what, help)]);
