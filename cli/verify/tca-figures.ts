import type { z } from 'zod';
import { referenceData } from '../../scenarios/json-data.ts';
import type { ReferenceKind, Row } from '../../scenarios/reference-kind.ts';
import { claimRows, claimsSchema } from '../../scenarios/tca/claim-cases.ts';
import {
  measurementRows,
  measurementsSchema,
  predictionRows,
  predictionsSchema,
  weightRows,
  weightsSchema,
} from '../../scenarios/tca/reference-cases.ts';

/** A kind that is recognised by its keys and read by a schema. */
const kindOf = <Golden>(
  name: string,
  summary: string,
  keys: readonly string[],
  schema: z.ZodType<Golden>,
  rows: (golden: Golden) => Iterable<Row>,
): ReferenceKind => ({
  name,
  summary,
  recognises: ({ json }) =>
    typeof json === 'object' && json !== null && keys.every((key) => Object.hasOwn(json, key)),
  rows: (file) => rows(referenceData(file, schema)),
});

/** Figures of the TCA machine (TCA specification 18, 21). */
export const tcaFigures: readonly ReferenceKind[] = [
  kindOf(
    'tca predictions',
    'every number of the figures within 3 percent',
    ['fig1_GBs', 'fig5', 'fig7_halo_per_iteration'],
    predictionsSchema,
    predictionRows,
  ),
  kindOf(
    'tca weights',
    'tuning of splits round by round: splits exactly, times within 3 percent',
    ['rule', 'traces'],
    weightsSchema,
    weightRows,
  ),
  kindOf(
    'tca claims',
    'claims of the paper, each with its own tolerance',
    ['claims'],
    claimsSchema,
    claimRows,
  ),
  kindOf(
    'tca measurements',
    'measurements of the real machine: contiguous within 6, block-stride within 10 percent',
    ['peach2_direct_ch0_pingpong_us'],
    measurementsSchema,
    measurementRows,
  ),
];
