import { referenceData } from '../../scenarios/json-data.ts';
import type { ReferenceKind } from '../../scenarios/reference-kind.ts';
import { himenoGoldenSchema, himenoRows } from '../../scenarios/tca/himeno-cases.ts';

/** The Himeno kernel (TCA specification 13): sequential and decomposed runs, bit for bit. */
export const tcaHimeno: ReferenceKind = {
  name: 'tca himeno',
  summary: 'checksums and residuals of the Himeno kernel, and what a wrong exchange must give',
  recognises: ({ json }) => ['rules', 'cases', 'decomposed'].every((key) => hasKey(json, key)),
  rows: (file) => himenoRows(referenceData(file, himenoGoldenSchema)),
};

const hasKey = (json: unknown, key: string): boolean =>
  typeof json === 'object' && json !== null && Object.hasOwn(json, key);
