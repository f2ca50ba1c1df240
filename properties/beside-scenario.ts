import type { Reference } from './with-reference.ts';

/**
 * Tries something beside each scenario that its own run cannot show: calls that must fail, functions by their cases. `faultOf` is given a number below 2^16 that follows
 * from the scenario, and says what is wrong; what it finds is the same under every schedule, and found once.
 */
export function besideScenario(faultOf: (number: number) => string | undefined): Reference {
  const known = new WeakMap<object, { readonly fault: string | undefined }>();
  return (_run, { config, programs }) => {
    const key = config as object;
    return () => {
      let found = known.get(key);
      if (found === undefined) {
        found = { fault: faultOf(numberOf([config, programs])) };
        known.set(key, found);
      }
      return found.fault;
    };
  };
}

/** Tries something that no scenario has a part in: it is the same in every run, and tried once. */
export function besideAll(faultOf: () => string | undefined): Reference {
  let known: { readonly fault: string | undefined } | undefined;
  return () => () => {
    known ??= { fault: faultOf() };
    return known.fault;
  };
}

/** A number from 0 to 65,520 that follows from plain data. */
function numberOf(data: unknown): number {
  const text = JSON.stringify(data, (_key, value) => (typeof value === 'bigint' ? `${value}` : value));
  let number = 7;
  for (let at = 0; at < text.length; at++) number = (number * 31 + text.charCodeAt(at)) % 65_521;
  return number;
}
