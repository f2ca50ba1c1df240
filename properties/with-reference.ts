import type { Run } from '../kernel/run.ts';
import type { Assembly, Given } from '../machines/machine.ts';
import type { Watch } from './property.ts';

/** The sentence under which a difference from a plain reference is reported. It is judged of whole runs, so it is in no list of those that the checker judges. */
export const referenceSentence = 'the run comes to what a plain reference comes to';

/** Lets properties watch a run; what `MachineProperties` has. */
type Watching = (run: Run, given: Given, assembly: Assembly) => Watch;

/**
 * Looks at a run from its beginning and gives what compares it with a reference when it has ended: what differs as text, nothing when all agrees.
 * Undefined for a run that there is no reference for.
 */
export type Reference = (
  run: Run,
  given: Given,
  assembly: Assembly,
) => (() => string | undefined) | undefined;

/**
 * Adds to what watches runs that they come to what plain references come to, which share no code with the machine.
 *
 * Details: judged of runs that end by themselves with nothing else found, without injected faults: what a reference says holds for the machine as specified.
 */
export function withReference(watching: Watching, references: readonly Reference[]): Watching {
  return (run, given, assembly) => {
    const watch = watching(run, given, assembly);
    if (given.faults?.length) return watch;
    const compared = references.flatMap((one) => one(run, given, assembly) ?? []);
    return {
      get judged() {
        return watch.judged ?? [];
      },
      end: () => {
        watch.end();
        for (const compare of compared) {
          if (!run.ended || run.outcome.cut || run.outcome.verdict !== 'ok') return;
          const why = compare();
          if (why !== undefined) run.report(actorsIn(why, run), { property: referenceSentence, why });
        }
      },
    };
  };
}

/** Names of the actors of which a text speaks, in its order. */
function actorsIn(why: string, { parts }: Run): readonly string[] {
  const known = new Set(parts.map(({ name }) => name));
  const named = why.match(/\w+(?:\[[^\s\]]*\]|\.\w+)*/g) ?? [];
  return [...new Set(named.filter((name) => known.has(name)))];
}

/** Whether two fractions differ by no more than the order in which their terms were added. */
const isNear = (one: unknown, other: unknown): boolean =>
  typeof one === 'number' &&
  typeof other === 'number' &&
  !Number.isInteger(other) &&
  Math.abs(one - other) <= 1e-12 * Math.abs(other);

/** The first place in which two data differ, and both; undefined when they are equal. Of objects only what the expected one has is compared. */
export function firstDifference(seen: unknown, expected: unknown, path = ''): string | undefined {
  if (Object.is(seen, expected) || isNear(seen, expected)) return undefined;
  if (typeof seen !== 'object' || typeof expected !== 'object' || !seen || !expected)
    return `${path.slice(1)} is ${JSON.stringify(seen)}, the reference has ${JSON.stringify(expected)}`;
  const [left, right] = [seen as Record<string, unknown>, expected as Record<string, unknown>];
  const keys = Array.isArray(expected)
    ? new Set([...Object.keys(left), ...Object.keys(right)])
    : Object.keys(right);
  for (const key of keys) {
    const found = firstDifference(left[key], right[key], `${path}.${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}
