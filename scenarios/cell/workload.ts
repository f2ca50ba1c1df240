import { z } from 'zod';
import { explainIssues } from '../explain.ts';
import { LocatedJson, parseJson } from '../json-text.ts';

/** The arbitration policies a workload may name (Cell specification 17.2, 17.3, 17.4). */
export const cellPolicies = ['etalon-hol', 'etalon-ff', 'fifo-both', 'sjf-detour', 'sjf-plan'] as const;

/** The name of an arbitration policy (Cell specification 17). */
export type CellPolicy = (typeof cellPolicies)[number];

/** What an operation looks like after its cycle and letter; also what a wrong one is told (Cell specification 18.1). */
const operandNames: Readonly<Record<string, readonly string[]>> = {
  r: ['addr'],
  w: ['addr', 'v'],
  g: ['myaddr', 'spuid', 'spuaddr', 'size'],
  p: ['myaddr', 'spuid', 'spuaddr', 'size'],
  s: ['idIndex'],
};

/** An integer of at least 0 with its name in the message; zod's own message names neither it nor what was found. */
function natural(what: string) {
  const error = (issue: { input?: unknown }) => notNatural(what, issue.input);
  return z.int({ error }).min(0, { error });
}

const byteValue = z.int({ error: notByte }).min(0, { error: notByte }).max(255, { error: notByte });
const anyId = z.int({ error: (issue) => notId(issue.input) });
const cycle = natural('cycle');
const address = natural('addr');
const transferOperands = [natural('myaddr'), natural('spuid'), natural('spuaddr'), natural('size')] as const;

const operationSchema = z.union(
  [
    z.tuple([cycle, z.literal('r'), address]),
    z.tuple([cycle, z.literal('w'), address, byteValue]),
    z.tuple([cycle, z.literal('g'), ...transferOperands]),
    z.tuple([cycle, z.literal('p'), ...transferOperands]),
    // An id nobody issued is legal and answers INVALID_ID (Cell specification 11), so any integer will do.
    z.tuple([cycle, z.literal('s'), anyId]),
  ],
  { error: (issue) => operationFault(issue.input) },
);

const saturateSchema = z.strictObject({
  outstanding: z.int().min(1),
  perSpu: natural('perSpu'),
  sizeMin: z.int().min(1),
  sizeMax: z.int().min(1),
  seed: z.int(),
  localOps: natural('localOps'),
});

const fields = {
  format: z.literal('cell-workload/1'),
  name: z.string(),
  N: z.int().min(1).max(1024),
  K: z.int().min(1).max(64),
  memSize: z
    .int()
    .min(1)
    .max(2 ** 30),
  policy: z.enum(cellPolicies),
  cycles: z.int().min(1).optional(),
  programs: z.array(z.array(operationSchema)).optional(),
  saturate: saturateSchema.optional(),
};

/**
 * The schema of `cell-workload/1` (Cell specification 18.1).
 *
 * A program that would raise an exception (Cell specification 11) is refused here, because `cell-result/1` has no place
 * for exceptions.
 */
export const cellWorkloadSchema = z.strictObject(fields).superRefine((workload, context) => {
  for (const { path, message } of faultsOf(workload)) context.addIssue({ code: 'custom', path, message });
});

type Fields = z.output<typeof cellWorkloadSchema>;

/** One entry of a timed list: cycle, letter, operands; addresses and sizes in bytes (Cell specification 18.1). */
export type CellOperation = Readonly<z.output<typeof operationSchema>>;

/** The closed loop each SPU runs; sizes in bytes (Cell specification 18.1). */
export type CellSaturation = Readonly<z.output<typeof saturateSchema>>;

/** What a Cell-type machine is given to run: timed lists or a closed loop (Cell specification 18.1). */
export type CellWorkload = Readonly<Omit<Fields, 'programs' | 'saturate'>> &
  (
    | { readonly programs: readonly (readonly CellOperation[])[]; readonly saturate?: undefined }
    | { readonly saturate: CellSaturation; readonly programs?: undefined }
  );

/** A workload file that cannot be run, with the place of its first fault (lines and columns from 1). */
export class WorkloadError extends Error {
  constructor(
    readonly at: { readonly file: string; readonly line: number; readonly column: number },
    message: string,
    help = 'give a file of format cell-workload/1, as scenarios/cell/README.md has it',
  ) {
    super(`${message}\n  help: ${help}`);
    this.name = 'WorkloadError';
  }
}

/** Faults listed in one message; further ones are only counted. */
const faultsShown = 5;

/**
 * Reads the JSON text of a `cell-workload/1` file (Cell specification 18.1).
 *
 * Throws a {@link WorkloadError} that lists each fault as `file:line:column path: what`; `file` is used for messages only.
 */
export function parseWorkload(text: string, file: string): CellWorkload {
  const document = new LocatedJson(text, file, parseJson(text, file));
  const parsed = cellWorkloadSchema.safeParse(document.data, { reportInput: true });
  if (!parsed.success) throw workloadError(document, parsed.error.issues);
  // The schema has one optional key for each kind of load; its refinement has just shown that exactly one is present.
  return parsed.data as CellWorkload;
}

interface Fault {
  readonly path: (string | number)[];
  readonly message: string;
}

/** The faults that no single field shows. */
function faultsOf(workload: Fields): Fault[] {
  const { programs, saturate } = workload;
  if (programs === undefined && saturate === undefined) {
    return [{ path: [], message: 'expected "programs" or "saturate", found neither' }];
  }
  if (programs !== undefined && saturate !== undefined) {
    return [{ path: ['saturate'], message: 'expected "programs" or "saturate", found both' }];
  }
  return saturate === undefined
    ? programFaults(workload, programs ?? [])
    : saturateFaults(workload, saturate);
}

/** Length and order of the timed lists, and the ranges of their operands (Cell specification 11, 18.1). */
function programFaults({ N, memSize }: Fields, programs: readonly (readonly CellOperation[])[]): Fault[] {
  const faults: Fault[] = [];
  if (programs.length !== N) {
    faults.push({
      path: ['programs'],
      message: `expected ${N} programs, one per SPU, found ${programs.length}`,
    });
  }
  for (const [spu, program] of programs.entries()) {
    let previous = program[0]?.[0] ?? 0;
    for (const [index, operation] of program.entries()) {
      const fault = (operand: number, message: string) =>
        faults.push({ path: ['programs', spu, index, operand], message });
      if (operation[0] < previous)
        fault(0, `cycle ${operation[0]} after cycle ${previous}; a list is sorted by cycle`);
      previous = operation[0];

      switch (operation[1]) {
        case 'r':
        case 'w':
          if (operation[2] >= memSize) fault(2, outOfRange('addr', operation[2], memSize - 1));
          break;
        case 'g':
        case 'p': {
          const [, , mine, peer, theirs, size] = operation;
          if (peer >= N) fault(3, outOfRange('spuid', peer, N - 1));
          if (mine + size > memSize) fault(2, pastEnd('myaddr', mine, size, memSize));
          if (theirs + size > memSize) fault(4, pastEnd('spuaddr', theirs, size, memSize));
          break;
        }
        case 's':
          break;
        default:
          operation satisfies never;
      }
    }
  }
  return faults;
}

/** Whether the addresses a closed loop draws exist in every memory (Cell specification 18.1). */
function saturateFaults({ N, memSize }: Fields, saturate: CellSaturation): Fault[] {
  const { outstanding, sizeMin, sizeMax } = saturate;
  const faults: Fault[] = [];
  if (N < 2)
    faults.push({ path: ['N'], message: 'a closed loop draws a peer and needs N of at least 2, found 1' });
  if (sizeMin > sizeMax) {
    faults.push({ path: ['saturate', 'sizeMin'], message: `sizeMin ${sizeMin} is above sizeMax ${sizeMax}` });
  }
  if (memSize % 2 !== 0) {
    faults.push({ path: ['memSize'], message: `a closed loop halves the memory; memSize ${memSize} is odd` });
  }
  const sourceBytes = memSize / 2 - 64;
  if (sourceBytes < sizeMax) {
    faults.push({
      path: ['memSize'],
      message: `sources lie in 64..memSize/2-1, ${Math.max(0, Math.floor(sourceBytes))} bytes, too few for sizeMax ${sizeMax}`,
    });
  }
  const destinationBytes = N * outstanding * sizeMax;
  if (memSize / 2 + destinationBytes > memSize) {
    faults.push({
      path: ['memSize'],
      message: `destinations need N*outstanding*sizeMax = ${destinationBytes} bytes, memSize/2 has ${Math.floor(memSize / 2)}`,
    });
  }
  return faults;
}

function outOfRange(what: string, found: number, last: number): string {
  return `${what} ${found} is out of range 0..${last}`;
}

function pastEnd(what: string, address: number, size: number, memSize: number): string {
  return `${what} ${address} + size ${size} is past the end of a memory of ${memSize} bytes`;
}

/** Says what is wrong with something that should be an operation. */
function operationFault(found: unknown): string {
  if (!Array.isArray(found)) return `expected an operation [cycle, op, ...args], found ${show(found)}`;
  const [at, letter, ...operands] = found as unknown[];
  if (!Number.isSafeInteger(at)) return notNatural('cycle', at);
  const names =
    typeof letter === 'string' && Object.hasOwn(operandNames, letter) ? operandNames[letter] : undefined;
  if (names === undefined) {
    return `found operation ${show(letter)}, expected one of ${Object.keys(operandNames).join(', ')}`;
  }
  if (operands.length !== names.length) {
    const count = names.length === 1 ? '1 operand' : `${names.length} operands`;
    return `"${letter}" takes ${count} (${names.join(', ')}), found ${operands.length}`;
  }
  // Integers out of range are told by the operands' own schemas; what is left is an operand that is no integer.
  const wrong = operands.findIndex((operand) => !Number.isSafeInteger(operand));
  const name = names[wrong] ?? '';
  if (name === 'idIndex') return notId(operands[wrong]);
  return name === 'v' ? notByte({ input: operands[wrong] }) : notNatural(name, operands[wrong]);
}

function notNatural(what: string, found: unknown): string {
  return `${what} must be an integer of 0 or more, found ${show(found)}`;
}

function notId(found: unknown): string {
  return `idIndex must be an integer, found ${show(found)}`;
}

function notByte(issue: { input?: unknown }): string {
  return `v must be an integer in 0..255, found ${show(issue.input)}`;
}

function show(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}

function workloadError(document: LocatedJson, issues: readonly z.core.$ZodIssue[]): WorkloadError {
  const faults = explainIssues(issues, cellWorkloadSchema, document);
  const lines = faults
    .slice(0, faultsShown)
    .map(({ at: { file, line, column }, what }) => `${file}:${line}:${column} ${what}`);
  if (faults.length > faultsShown) lines.push(`and ${faults.length - faultsShown} more faults`);
  return new WorkloadError(
    faults[0]!.at,
    lines.join('\n'),
    faults.length === 1 ? faults[0]!.help : undefined,
  );
}
