import type { Outcome } from '../kernel/outcome.ts';
import { pathText } from './explain.ts';
import type { Path } from './located-document.ts';
import type { Expect } from './scenario.ts';

/** A place in which a run is not what its scenario expects; the path starts at `expect`. */
export interface Difference {
  readonly path: Path;
  readonly expected: unknown;
  readonly found: unknown;
}

/**
 * Compares what a run came to with what its scenario expects; an empty list means that it is as expected.
 *
 * Details: mappings are compared by the keys that are expected, lists whole, everything else by value; violated properties as sets.
 */
export function judge(
  expect: Expect | undefined,
  { outcome, result }: { readonly outcome: Outcome; readonly result: unknown },
): readonly Difference[] {
  if (!expect) return [];
  const differences: Difference[] = [];
  if (expect.verdict !== undefined)
    differences.push(...compare(['verdict'], expect.verdict, outcome.verdict));
  if (expect.ticks !== undefined) differences.push(...compare(['ticks'], expect.ticks, outcome.ticks));
  if (expect.violations !== undefined) {
    const found = sorted(outcome.violations.map((violation) => violation.property));
    differences.push(...compare(['violations'], sorted(expect.violations), found));
  }
  if (expect.result !== undefined) differences.push(...compare(['result'], expect.result, result));
  return differences;
}

/** One line for people: `result.cycles: expected 7, found 8`. */
export function differenceText({ path, expected, found }: Difference): string {
  return `${pathText(path)}: expected ${text(expected)}, found ${text(found)}`;
}

const sorted = (names: readonly string[]): readonly string[] => [...new Set(names)].sort();

const text = (value: unknown): string =>
  value === undefined
    ? 'nothing'
    : (wordOf(value) ?? JSON.stringify(value, (_key, one) => wordOf(one) ?? one) ?? String(value));

/** What JSON has no word for, as YAML writes it. */
function wordOf(value: unknown): string | undefined {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'number' || Number.isFinite(value)) return undefined;
  return Number.isNaN(value) ? '.nan' : value > 0 ? '.inf' : '-.inf';
}

function compare(path: Path, expected: unknown, found: unknown): readonly Difference[] {
  if (Array.isArray(expected) && Array.isArray(found)) {
    const longer = Math.max(expected.length, found.length);
    return Array.from({ length: longer }, (_, index) =>
      compare([...path, index], expected[index], found[index]),
    ).flat();
  }
  if (isMapping(expected) && isMapping(found)) {
    return Object.keys(expected).flatMap((key) =>
      compare([...path, key], expected[key], Object.hasOwn(found, key) ? found[key] : undefined),
    );
  }
  return expected === found || Object.is(expected, found) ? [] : [{ path, expected, found }];
}

const isMapping = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
