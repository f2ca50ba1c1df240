import type { z } from 'zod';
import type { Machine } from '../machines/machine.ts';
import { besideAll } from './beside-scenario.ts';
import type { Reference } from './with-reference.ts';

/** A change of an input that is right: what stands at which places. `place` is where the finding is, that of the first change when absent; an empty `found` is none at all. */
export type WrongInput = readonly [change: Readonly<Record<string, unknown>>, found: string, place?: string];

/** An input that a machine takes, and changes of it with what the machine must find. */
export interface Inputs {
  readonly right: { readonly config: object; readonly programs: unknown };
  readonly wrong: readonly WrongInput[];
}

/** Plain data with another value at a place. */
function changed(data: unknown, path: readonly string[], value: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  const copy: Record<string, unknown> = (Array.isArray(data) ? [...data] : { ...(data as object) }) as never;
  copy[key] = changed(copy[key], rest, value);
  return copy;
}

/** What a machine finds in an input: the first finding, with its place. */
function findingIn(
  { config, programs, check }: Machine,
  given: Inputs['right'],
): readonly [place: string, found: string] {
  const schemas = { config, programs } as Readonly<Record<string, z.ZodType>>;
  const parsed: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(schemas)) {
    const read = schema.safeParse(given[name as 'config']);
    if (!read.success) return [name, `no schema: ${read.error.issues[0]?.message}`];
    parsed[name] = read.data;
  }
  const [first] = check?.(parsed['config'] as never, parsed['programs'] as never) ?? [];
  return first ? [first.path.join('.'), first.found] : ['', ''];
}

/** The first input that a machine does not refuse as it must, or refuses though it is right; undefined when there is none. */
export function inputFault(machine: Machine, { right, wrong }: Inputs): string | undefined {
  for (const [change, expected, where] of [[{}, ''] as WrongInput, ...wrong]) {
    let given: unknown = right;
    for (const [path, value] of Object.entries(change))
      if (value !== undefined || !path.startsWith('programs')) given = changed(given, path.split('.'), value);
    const [place, found] = findingIn(machine, given as Inputs['right']);
    const wanted = expected === '' ? '' : (where ?? Object.keys(change)[0]);
    if (place !== wanted || !found.includes(expected))
      return `with ${JSON.stringify(change)} there is "${found}" at "${place}", not "${expected}" at "${wanted}"`;
  }
  return undefined;
}

/** A machine refuses these inputs and no others. */
export const inputsAreRefused = (machine: Machine, inputs: Inputs): Reference =>
  besideAll(() => inputFault(machine, inputs));
