import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { GrapeConfig } from '../../machines/grape/config.ts';
import { clipped } from '../../scenarios/exports/text-lines.ts';
import {
  type AloneCase,
  aloneRows,
  type FullChipCase,
  fullChipRows,
  headerLine,
  headerRows,
  type ProgramCase,
  programRows,
  type ReadSource,
  type SendingCase,
  sendingRows,
} from '../../scenarios/grape/programs.ts';
import { areAssemblyCases, areMacroCases, assemblyRows, macroRows } from '../../scenarios/grape/sources.ts';
import { vectorKindOf, vectorRows } from '../../scenarios/grape/vectors.ts';
import { NothingToCompare, type ReferenceFile, type ReferenceKind } from '../../scenarios/reference-kind.ts';

/** Reads programs beside a file, or one folder above it. */
const sourcesAround =
  (path: string): ReadSource =>
  (name) => {
    const beside = [dirname(path), join(dirname(path), '..')].map((folder) => join(folder, name));
    const found = beside.find((one) => existsSync(one));
    if (found === undefined) throw new NothingToCompare(`the program ${clipped(name, 80)} is not beside it`);
    return readFileSync(found, 'utf8');
  };

const keysOf = ({ json }: ReferenceFile): readonly string[] =>
  typeof json === 'object' && json !== null && !Array.isArray(json) ? Object.keys(json) : [];

const has = (file: ReferenceFile, ...keys: readonly string[]): boolean => {
  const found = keysOf(file);
  return keys.every((key) => found.includes(key));
};

/** With an actor for each PE where all parts are to be state machines. */
const detailOf = ({ explicit }: ReferenceFile): Partial<GrapeConfig> => (explicit ? { peActors: true } : {});

/** Words of the arithmetic (GRAPE specification 2). */
const vectors: ReferenceKind = {
  name: 'grape vectors',
  summary: 'words of adder, multiplier, ALU, conversions and reduction tree, bit for bit',
  recognises: ({ json }) => vectorKindOf(json) !== undefined,
  rows: (file) => vectorRows(vectorKindOf(file.json)!, file),
};

/** Sources for the assembler (GRAPE specification 3). */
const assemblyCases: ReferenceKind = {
  name: 'vsm assembly cases',
  summary: 'sources accepted with their diagnostics, or refused with code and line',
  recognises: ({ json }) => areAssemblyCases(json),
  rows: ({ json }) => (areAssemblyCases(json) ? assemblyRows(json) : []),
};

/** Templates (GRAPE specification 5). */
const macroCases: ReferenceKind = {
  name: 'vsm macro cases',
  summary: 'templates with the text and output of Ruby',
  recognises: ({ json }) => areMacroCases(json),
  rows: ({ json }) => (areMacroCases(json) ? macroRows(json) : []),
};

/** Type I programs with their data and results (GRAPE specification 7). */
const programs: ReferenceKind = {
  name: 'vsm program',
  summary: 'addresses, slots, cycles and every result word of a program, in both modes',
  recognises: (file) => has(file, 'program', 'symbols', 'result', 'truth'),
  rows: (file) => programRows(file.json as ProgramCase, sourcesAround(file.path), detailOf(file)),
};

/** Programs run alone (GRAPE specification 7.6). */
const alone: ReferenceKind = {
  name: 'vsm stand-alone runs',
  summary: 'what programs print in the simulator',
  recognises: (file) =>
    has(file, 'runs') && (file.json as AloneCase).runs.every((run) => 'mode' in run && 'output' in run),
  rows: (file) => aloneRows(file.json as AloneCase, sourcesAround(file.path), detailOf(file)),
};

/** Type II programs (GRAPE specification 4.5). */
const sending: ReferenceKind = {
  name: 'vsm type II program',
  summary: 'values that a type II program sends',
  recognises: (file) =>
    has(file, 'program', 'interface', 'runs') && (file.json as { interface: unknown }).interface === 'type2',
  rows: (file) => sendingRows(file.json as SendingCase, sourcesAround(file.path), detailOf(file)),
};

/** The full chip (GRAPE specification 10). */
const fullChip: ReferenceKind = {
  name: 'vsm full chip',
  summary: 'result words of 16 blocks of 32 PEs',
  recognises: (file) => has(file, 'program', 'config', 'words', 'order'),
  rows: (file) => fullChipRows(file.json as FullChipCase, sourcesAround(file.path), detailOf(file)),
};

/** Generated headers (GRAPE specification 7.1). */
const headers: ReferenceKind = {
  name: 'vsm header',
  summary: 'the generated C header of a program',
  recognises: ({ text }) => headerLine.test(text),
  rows: ({ text, path }) => headerRows(text, sourcesAround(path)),
};

/** Reference data of the GRAPE machine. */
export const grapeKinds: readonly ReferenceKind[] = [
  vectors,
  assemblyCases,
  macroCases,
  programs,
  alone,
  sending,
  fullChip,
  headers,
];
