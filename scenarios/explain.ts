import { z } from 'zod';
import { ScenarioError, type ScenarioErrorCode } from './errors.ts';
import {
  branchesOf,
  describeExpected,
  descriptionOf,
  type Expected,
  expectationOf,
  expectedAt,
  fittingOf,
  keysOf,
  tagFits,
  tagOf,
  valuesOf,
} from './expected.ts';
import { describeFound, describeFoundKind } from './found.ts';
import type { Located, Path } from './located.ts';
import { didYouMean, nearestNames } from './nearest.ts';

type Issue = z.core.$ZodIssue;

/** Help for a network in a scenario of a clocked machine. */
const forClocked =
  'the machine is clocked: only one with "asynchronous: true" has a network that a scenario can change; "faults" lose, double and delay messages of a clocked one';

/**
 * What a schema finds wrong in a document, in plain words: place, what was found, what was expected, nearest names.
 *
 * Details: of a union the branch is reported that fits best, or all of them when the value is of no branch's kind. A message that
 * the schema brings itself is kept.
 */
export function explainIssues(
  issues: readonly Issue[],
  schema: z.ZodType,
  document: Located,
): readonly ScenarioError[] {
  const explainer = new Explainer(document);
  const expected = expectationOf(schema);
  return issues.flatMap((issue) => explainer.explain(issue, expected, []));
}

/** Steps as people read them: `programs[0].size`; `the file` for the root. */
export function pathText(path: Path): string {
  const text = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('');
  return text === '' ? 'the file' : text.replace(/^\./, '');
}

/** The value at a path in plain data; undefined when there is none. */
export function valueAt(data: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (value, step) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, step)
        ? (value as Record<PropertyKey, unknown>)[step]
        : undefined,
    data,
  );
}

class Explainer {
  readonly #document: Located;

  constructor(document: Located) {
    this.#document = document;
  }

  /** `from` is what is expected at `base`; paths of issues inside a union are relative to the union. */
  explain(issue: Issue, from: Expected, base: Path): readonly ScenarioError[] {
    const path = [...base, ...issue.path];
    const expected = expectedAt(from, issue.path, valueAt(this.#document.data, base));
    const found = valueAt(this.#document.data, path);

    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => this.#unknownKey(path, key, fittingOf(expected, found)));
    }
    if (found === undefined && path.length > 0) return [this.#missingKey(path, expected)];
    if (hasOwnMessage(issue)) return [this.#ownMessage(issue, path, found)];
    switch (issue.code) {
      case 'invalid_union':
        return this.#union(issue, path, expected, found, from);
      case 'invalid_type':
        return [this.#mismatch('SCN012', path, describeFoundKind(found), expected, issue)];
      case 'too_big':
      case 'too_small':
      case 'not_multiple_of':
        return [this.#mismatch('SCN013', path, describeFound(found), expected, issue)];
      case 'invalid_value':
        return [this.#unknownValue(path, found, expected, issue)];
      case 'invalid_key':
        return [
          this.#refusedKey(
            path,
            expectedAt(from, issue.path.slice(0, -1), valueAt(this.#document.data, base)),
          ),
        ];
      case 'invalid_element':
        return issue.issues.map((inner) => this.#ownMessage(inner, path, found));
      default:
        return [this.#mismatch('SCN015', path, describeFound(found), expected, issue)];
    }
  }

  #unknownKey(path: Path, key: string, expected: readonly Expected[]): ScenarioError {
    const inside = path.length === 0 ? '' : ` in ${pathText(path)}`;
    return new ScenarioError(
      'SCN010',
      this.#document.ofKey(path, key),
      `unknown key "${key}"${inside}`,
      path.length === 0 && key === 'network' ? forClocked : didYouMean(key, keysOf(expected), 'keys'),
    );
  }

  #refusedKey(path: Path, expected: readonly Expected[]): ScenarioError {
    const parent = path.slice(0, -1);
    const names = expected.flatMap((one) =>
      typeof one.propertyNames === 'object' ? [one.propertyNames as Expected] : [],
    );
    const what = `${pathText(parent)}: found the key ${describeFound(String(path.at(-1)))}`;
    const words = describeExpected(names);
    const full = words === undefined ? what : `${what}, expected ${words}`;
    return new ScenarioError('SCN010', this.#document.ofKey(parent, path.at(-1)!), full);
  }

  #missingKey(path: Path, expected: readonly Expected[]): ScenarioError {
    const parent = path.slice(0, -1);
    const key = path[path.length - 1]!;
    const words = describeExpected(expected);
    const inside = parent.length === 0 ? '' : ` in ${pathText(parent)}`;
    return new ScenarioError(
      'SCN011',
      this.#document.at(parent),
      `missing ${typeof key === 'number' ? `item ${key}` : `key "${String(key)}"`}${inside}${words === undefined ? '' : `, expected ${words}`}`,
      helpFrom(expected, key) ?? `add it${inside}`,
    );
  }

  #mismatch(
    code: ScenarioErrorCode,
    path: Path,
    found: string,
    expected: readonly Expected[],
    issue: Issue,
  ): ScenarioError {
    const words = describeExpected(expected);
    const what = words === undefined ? withMessage(found, issue) : `found ${found}, expected ${words}`;
    return new ScenarioError(
      code,
      this.#document.at(path),
      `${pathText(path)}: ${what}`,
      helpFrom(expected, path.at(-1)),
    );
  }

  #unknownValue(path: Path, found: unknown, expected: readonly Expected[], issue: Issue): ScenarioError {
    const values = valuesOf(expected);
    if (!values.some((value) => typeof value === typeof found)) {
      return this.#mismatch('SCN012', path, describeFoundKind(found), expected, issue);
    }
    const { code, at, what } = this.#mismatch('SCN014', path, describeFound(found), expected, issue);
    return new ScenarioError(code, at, what, didYouMean(String(found), values.map(String), 'values'));
  }

  #ownMessage(issue: Issue, path: Path, found: unknown): ScenarioError {
    const message = plain(issue.message);
    const what = /\bfound\b/.test(message) ? message : `found ${describeFound(found)}; ${message}`;
    return new ScenarioError('SCN015', this.#document.at(path), `${pathText(path)}: ${what}`);
  }

  #union(
    issue: z.core.$ZodIssueInvalidUnion,
    path: Path,
    expected: readonly Expected[],
    found: unknown,
    from: Expected,
  ): readonly ScenarioError[] {
    if (issue.errors.length === 0) return [this.#unknownValue(path, found, expected, issue)];
    const base = path.slice(0, path.length - issue.path.length);
    const given = valueAt(this.#document.data, base);
    const branches =
      unionAt(from, issue.path, issue.errors.length, given) ?? issue.errors.map((): Expected => ({}));
    const strange = strangeKind(branches, found);
    if (strange !== undefined) return [this.#unknownKey(path, strange, branches)];
    const kind = Array.isArray(found) ? 'array' : 'object';
    const tag = tagOf(branches.filter((branch) => branch.type === kind));
    const tagFound = tag === undefined ? undefined : valueAt(found, [tag]);
    const costs = issue.errors.map((inner, index) => {
      const branch = branches[index]!;
      return costOf(inner, branch) + (tag === undefined || tagFits(branch, tag, tagFound) ? 0 : wrongTag);
    });
    const best = costs.indexOf(Math.min(...costs));
    if (costs[best]! >= wrongKind)
      return [this.#mismatch('SCN012', path, describeFoundKind(found), expected, issue)];
    if (costs[best]! >= wrongValue) return [this.#unknownValue(path, found, expected, issue)];
    if (costs[best]! >= wrongTag && tag !== undefined) {
      const tagged = branches.flatMap((branch) => expectedAt(branch, [tag], undefined));
      return [this.#unknownValue([...path, tag], tagFound, tagged, issue)];
    }
    const branch = branches[best]!;
    const root = from.$defs === undefined ? branch : { ...branch, $defs: from.$defs };
    return issue.errors[best]!.flatMap((inner) => this.explain(inner, root, path));
  }
}

/** Where each branch is a mapping with a key of its own, which says what it is: a key that no branch has. */
function strangeKind(branches: readonly Expected[], found: unknown): string | undefined {
  if (typeof found !== 'object' || found === null || Array.isArray(found)) return undefined;
  const kinds = branches.map((branch) => keysOf([branch]));
  if (kinds.length < 2 || kinds.some(({ length }) => length !== 1)) return undefined;
  return Object.keys(found).find((key) => !kinds.flat().includes(key));
}

const wrongKind = 1_000_000;
const wrongValue = 100_000;
const wrongTag = 1_000;
const strangeKey = 20;

/** How far a value is from a branch of a union: least for the branch that was probably meant. */
function costOf(issues: readonly Issue[], branch: Expected): number {
  return issues.reduce((sum, issue) => sum + costOfOne(issue, branch), 0);
}

function costOfOne(issue: Issue, branch: Expected): number {
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    return Math.min(...issue.errors.map((errors) => costOf(errors, {})));
  }
  if (issue.path.length === 0 && issue.code === 'invalid_type') return wrongKind;
  if (issue.path.length === 0 && issue.code === 'invalid_value') return wrongValue;
  if (issue.code === 'unrecognized_keys') {
    // A misspelt key speaks for a branch that knows the right spelling.
    const known = keysOf([branch]);
    return issue.keys.reduce((sum, key) => sum + (nearestNames(key, known).length > 0 ? 2 : strangeKey), 0);
  }
  return issue.path.length > 1 ? 1 : 3;
}

/** The branches of the union at a path, which is found by how many it has. */
function unionAt(from: Expected, path: Path, count: number, given: unknown): readonly Expected[] | undefined {
  let here: Expected | undefined = from;
  for (const [at, step] of path.entries())
    here = here === undefined ? undefined : stepInto(here, step, valueAt(given, path.slice(0, at)));
  const branches = here === undefined ? undefined : branchesOf(here);
  return branches?.length === count ? branches : undefined;
}

/** What stands below a place, in the branch of a union that fits what was found there. */
function stepInto(one: Expected, step: PropertyKey, found: unknown): Expected | undefined {
  const candidates = [one, ...fittingOf(branchesOf(one) ?? [], found)];
  for (const candidate of candidates) {
    const next =
      candidate.properties?.[String(step)] ??
      (typeof step === 'number'
        ? (candidate.prefixItems?.[step] ?? candidate.items)
        : candidate.additionalProperties);
    if (typeof next === 'object' && next !== null) return next as Expected;
  }
  return undefined;
}

/** True when the schema itself, and not the library, worded the message. */
function hasOwnMessage(issue: Issue): boolean {
  if (issue.code === 'custom') return true;
  const usual = english(issue as z.core.$ZodRawIssue);
  return issue.message !== (typeof usual === 'string' ? usual : usual?.message);
}

const english = z.locales.en().localeError;

/** What the library says of a value where the schema has no words; a union says nothing of its own. */
const withMessage = (found: string, { message }: Issue): string =>
  message === 'Invalid input'
    ? `found ${found}, expected another value`
    : `found ${found}; ${plain(message)}`;

const plain = (message: string): string => message.replace(/^Invalid input: /, '');

function helpFrom(expected: readonly Expected[], key: PropertyKey | undefined): string | undefined {
  const description = descriptionOf(expected);
  return description === undefined || key === undefined ? description : `${String(key)}: ${description}`;
}
