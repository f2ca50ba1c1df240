import { z } from 'zod';
import { ScenarioError, ScenarioErrors } from '../errors.ts';
import { explainIssues } from '../explain.ts';
import { JsonError, LocatedJson, parseJson } from '../json-text.ts';

const number = z.union([
  z.number(),
  z
    .string()
    .regex(/^-?\d+$/, 'expected a number')
    .transform(BigInt),
]);
const record = z.record(z.string(), z.union([number, z.array(number)]));

/** What `lockstep grape run --case` reads: the chip, the data, how many passes. */
const caseSchema = z.object({
  config: z
    .object({
      nBB: z.int().min(1).max(64).default(2).describe('blocks'),
      nPE: z.int().min(1).max(1024).default(2).describe('PEs a block'),
    })
    .prefault({})
    .describe('the chip'),
  tables: z.record(z.string(), record).default({}).describe('hlt tables by number'),
  i: z.array(record).default([]).describe('i particles'),
  j: z.array(record).default([]).describe('j records'),
  run: z.int().min(0).default(1).describe('passes'),
});

/** The data of one run of a program. Integers too large for a float are written as text. */
export type GrapeCase = z.output<typeof caseSchema>;

/** Reads a case. Errors: `ScenarioErrors` with place, finding and expectation. */
export function parseCase(text: string, file: string): GrapeCase {
  const document = new LocatedJson(text, file, jsonOf(text, file));
  const parsed = caseSchema.safeParse(document.data, { reportInput: true });
  if (parsed.success) return parsed.data;
  throw new ScenarioErrors([...explainIssues(parsed.error.issues, caseSchema, document)]);
}

function jsonOf(text: string, file: string): unknown {
  try {
    return parseJson(text, file);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new ScenarioErrors([
      new ScenarioError('SCN041', error.at, error.what, error.help ?? 'give a case in JSON'),
    ]);
  }
}
