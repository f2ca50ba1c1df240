import { interchipletGoldenSchema, interchipletRows } from '../../scenarios/chiplet/interchiplet-cases.ts';
import { referenceData } from '../../scenarios/json-data.ts';
import type { ReferenceKind } from '../../scenarios/reference-kind.ts';

/** Rounds of the coordinator (chiplet specification 9): exact, each from the delay lines of the round before. */
export const interchipletRounds: ReferenceKind = {
  name: 'interchiplet rounds',
  summary: 'logs, cycles and trace of every round, each from the delay lines of the round before',
  recognises: ({ json }) => {
    const cases = (json as { cases?: unknown } | null | undefined)?.cases;
    return Array.isArray(cases) && cases.some((one) => hasKeys(one, 'script', 'rounds', 'phase2ClockRate'));
  },
  rows: (file) => interchipletRows(referenceData(file, interchipletGoldenSchema)),
};

const hasKeys = (value: unknown, ...keys: readonly string[]): boolean =>
  typeof value === 'object' && value !== null && keys.every((key) => Object.hasOwn(value, key));
