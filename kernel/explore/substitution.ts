/** Plain data with other objects in the places of some; what holds none of these is the same object as before. */
export function substituted<T>(value: T, by: ReadonlyMap<object, object>): T {
  return by.size === 0 ? value : (replaced(value, by, new Map()) as T);
}

function replaced(value: unknown, by: ReadonlyMap<object, object>, done: Map<object, unknown>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const known = by.get(value) ?? done.get(value);
  if (known !== undefined) return known;
  // What comes back to itself ends here.
  done.set(value, value);
  const made = rebuilt(value, (part) => replaced(part, by, done));
  done.set(value, made);
  return made;
}

function rebuilt(value: object, part: (one: unknown) => unknown): unknown {
  if (Array.isArray(value)) {
    const made = value.map(part);
    return made.every((one, index) => Object.is(one, value[index])) ? value : made;
  }
  if (value instanceof Map) {
    const made = new Map([...value].map(([key, one]) => [part(key), part(one)]));
    return [...made].every(([key, one]) => Object.is(value.get(key), one)) ? value : made;
  }
  if (value instanceof Set) {
    const made = new Set([...value].map(part));
    return [...made].every((one) => value.has(one)) ? value : made;
  }
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  const before = Object.entries(value);
  const made = before.map(([key, one]) => [key, part(one)] as const);
  return made.every(([, one], index) => Object.is(one, before[index]![1])) ? value : Object.fromEntries(made);
}
