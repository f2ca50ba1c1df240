import { DamagedReference, type ReferenceFile, type ReferenceKind } from '../../scenarios/reference-kind.ts';
import { type HimenoGolden, himenoGoldenSchema, himenoRows } from '../../scenarios/tca/himeno-cases.ts';

/** The Himeno kernel (TCA specification 13): sequential and decomposed runs, bit for bit. */
export const tcaHimeno: ReferenceKind = {
  name: 'tca himeno',
  summary: 'checksums and residuals of the Himeno kernel, and what a wrong exchange must give',
  recognises: ({ json }) => ['rules', 'cases', 'decomposed'].every((key) => hasKey(json, key)),
  rows: (file) => himenoRows(goldenOf(file)),
};

const hasKey = (json: unknown, key: string): boolean =>
  typeof json === 'object' && json !== null && Object.hasOwn(json, key);

function goldenOf({ json }: ReferenceFile): HimenoGolden {
  const parsed = himenoGoldenSchema.safeParse(json);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(({ path, message }) => `${path.map(String).join('.')}: ${message}`);
  throw new DamagedReference(faults.join('; '));
}
