import { copyContext } from './copy.ts';
import { ResourcesKept } from './detached.ts';
import { KernelError } from './errors.ts';
import { isResource } from './resource.ts';

/** Refuses writes to plain data for good, all the way down. Details: resources and typed arrays stay as they are, they cannot be frozen. */
export function readOnly<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value) || ArrayBuffer.isView(value))
    return value;
  if (isResource(value)) return value;
  if (value instanceof Map || value instanceof Set) {
    for (const one of value.values()) readOnly(one);
    for (const name of ['set', 'add', 'delete', 'clear'])
      if (name in value) Object.defineProperty(value, name, { value: refuse });
    return value;
  }
  for (const one of Object.values(value)) readOnly(one);
  return Object.freeze(value);
}

const refuse = (): never => {
  throw new TypeError('Cannot assign to read only property of a map or a set');
};

/** A copy that refuses to be changed, with resources as they are; the value itself where it holds what cannot be copied. */
export function readOnlyCopy<T>(value: T): T {
  try {
    return readOnly(copyContext(value, new ResourcesKept(), false));
  } catch (error) {
    if (error instanceof KernelError) return value;
    throw error;
  }
}

/** An error of who looks: KRN026 where it came of a write to something that is read only, else the error itself. `name`: who looks. */
export const asLooked = (error: unknown, name: string): unknown =>
  error instanceof TypeError &&
  /read only property|not extensible|^Cannot delete property/.test(error.message)
    ? new KernelError('KRN026', name, error.message, { cause: error })
    : error;

/** The first ticks, and one of so many later ones. */
const [sampledFirst, sampledEach] = [4, 64];

/** Ticks of a run in which who looks at it gets copies that refuse to be changed: in all of them that would cost more than the run. */
export const isSampled = (tick: number): boolean => tick < sampledFirst || tick % sampledEach === 0;
