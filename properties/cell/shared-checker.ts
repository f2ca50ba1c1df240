import { instanceTranscriptOf } from '../../kernel/explore/transcript.ts';
import { isResource } from '../../kernel/resource.ts';
import { Shared } from '../shared.ts';
import { CellChecker } from './checker/check.ts';
import type { LogHeader } from './checker/log.ts';

/** A checker in the memory of a property. */
export const sharedChecker = (header: LogHeader): Shared<CellChecker> =>
  new Shared(new CellChecker(header), (checker) => copyOf(checker), instanceTranscriptOf);

/** A copy of an object and of all that it refers to: what refers to one object refers to one copy, and instances stay instances of their class. */
function copyOf<T>(value: T, known = new Map<unknown, unknown>()): T {
  if (typeof value !== 'object' || value === null) return value;
  const made = known.get(value);
  if (made !== undefined) return made as T;
  const note = <C>(copy: C): C => {
    known.set(value, copy);
    return copy;
  };
  if (isResource(value)) return note(value.fork()) as T;
  if (ArrayBuffer.isView(value)) return note((value as unknown as Float64Array).slice()) as T;
  if (value instanceof Map) {
    const copy = note(new Map());
    for (const [key, one] of value) copy.set(key, copyOf(one, known));
    return copy as T;
  }
  const copy = note(
    Array.isArray(value) ? new Array(value.length) : Object.create(Object.getPrototypeOf(value)),
  );
  for (const key of Object.keys(value)) copy[key] = copyOf((value as Record<string, unknown>)[key], known);
  return copy;
}
