import { KernelError } from './errors.ts';
import { isResource } from './resource.ts';

/**
 * An independent copy of a context: plain data is copied, resources are forked. Two references to one object stay two references to one
 * object, also across the contexts that share `seen`.
 *
 * Details: with `persistent`, plain data never changes in place (Immer made it), so it is shared, and only what contains a resource or a
 * typed array is rebuilt: those can be changed in place, which Immer does not see.
 * Errors: KRN007 for a function, a symbol, and a class instance that is not a resource.
 */
export function copyContext<T>(
  value: T,
  seen: Map<object, unknown>,
  persistent: boolean,
  path = 'context',
): T {
  try {
    return copy(value, seen, persistent ? 'persistent' : 'changing', path) as T;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new KernelError('KRN007', path, 'found something that is nested too deep for the stack');
  }
}

/**
 * A copy of the plain data of an input; instances of classes, resources and functions stay what they are.
 *
 * Why: a context may be its input itself, and inputs of several runs one object: a run must not begin with what another one has made of it. Details: what several inputs of one run have in common, they
 * have in common afterwards, by `seen`.
 */
export const ownInput = (value: unknown, seen: Map<object, unknown>): unknown =>
  copy(value, seen, 'input', 'input');

function copy(
  value: unknown,
  seen: Map<object, unknown>,
  of: 'persistent' | 'changing' | 'input',
  path: string,
): unknown {
  if (typeof value !== 'object' || value === null) {
    if (of !== 'input') refuseOpaque(value, path);
    return value;
  }
  const known = seen.get(value);
  if (known !== undefined) return known;
  if (of === 'input') {
    if (isOfClass(value)) return value;
  } else if (isResource(value)) return remember(seen, value, value.fork());
  if (of === 'persistent' && !holdsResource(value, path)) return remember(seen, value, value);
  if (Array.isArray(value)) {
    const made: unknown[] = new Array(value.length);
    seen.set(value, made);
    for (let i = 0; i < value.length; i++) made[i] = copy(value[i], seen, of, path);
    return made;
  }
  if (ArrayBuffer.isView(value)) {
    if (value instanceof DataView) throw new KernelError('KRN007', path, 'found an instance of DataView');
    return remember(seen, value, (value as Uint8Array).slice());
  }
  if (value instanceof Map) {
    const made = new Map<unknown, unknown>();
    seen.set(value, made);
    for (const [key, one] of value) made.set(copy(key, seen, of, path), copy(one, seen, of, path));
    return made;
  }
  if (value instanceof Set) {
    const made = new Set<unknown>();
    seen.set(value, made);
    for (const one of value) made.add(copy(one, seen, of, path));
    return made;
  }
  refuseInstance(value, path);
  const made: Record<string, unknown> = { ...value };
  seen.set(value, made);
  // Most of what a context holds is neither object nor function, and copied already.
  for (const key in made) {
    const one = made[key];
    if (typeof one === 'object' || isOpaque(one)) made[key] = copy(one, seen, of, `${path}.${key}`);
  }
  return made;
}

function remember(seen: Map<object, unknown>, original: object, made: unknown): unknown {
  seen.set(original, made);
  return made;
}

/** Persistent data never changes, so the answer for one object is the answer for ever. */
const resourceHolders = new WeakMap<object, boolean>();

function holdsResource(value: object, path: string): boolean {
  const known = resourceHolders.get(value);
  if (known !== undefined) return known;
  if (ArrayBuffer.isView(value)) return true;
  const listed = Array.isArray(value) || value instanceof Set || value instanceof Map;
  if (!listed) refuseInstance(value, path);
  const parts =
    value instanceof Map ? [...value.keys(), ...value.values()] : listed ? [...value] : Object.values(value);
  let holds = false;
  for (const part of parts) {
    refuseOpaque(part, path);
    if (typeof part === 'object' && part !== null && (isResource(part) || holdsResource(part, path)))
      holds = true;
  }
  if (Object.isFrozen(value)) resourceHolders.set(value, holds);
  return holds;
}

const isPlain = (value: object): boolean => {
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

/** True for what is no plain data. */
const isOfClass = (value: object): boolean =>
  !isPlain(value) &&
  !Array.isArray(value) &&
  !(value instanceof Map || value instanceof Set) &&
  (!ArrayBuffer.isView(value) || value instanceof DataView);

/** True for what has no content that could be compared: functions, and symbols. */
const isOpaque = (value: unknown): boolean => typeof value === 'function' || typeof value === 'symbol';

/** Errors: KRN007 for a function, and for a symbol. */
export function refuseOpaque(value: unknown, path: string): void {
  if (isOpaque(value)) throw new KernelError('KRN007', path, `found a ${typeof value}`);
}

/** Errors: KRN007 for an instance of a class. */
export function refuseInstance(value: object, path: string): void {
  if (!isPlain(value))
    throw new KernelError(
      'KRN007',
      path,
      `found an instance of ${Object.getPrototypeOf(value).constructor?.name ?? 'a class'}`,
    );
}
