/** Whether two plain data are equal: numbers, words, lists, records and bytes. */
export function isAlike(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) || one instanceof Uint8Array) {
    const [left, right] = [one as ArrayLike<unknown>, other as ArrayLike<unknown>];
    if (left.length !== right.length) return false;
    for (let k = 0; k < left.length; k++) if (!isAlike(left[k], right[k])) return false;
    return true;
  }
  const [left, right] = [one, other] as [Record<string, unknown>, Record<string, unknown>];
  for (const key of new Set([...Object.keys(left), ...Object.keys(right)]))
    if (!isAlike(left[key], right[key])) return false;
  return true;
}

/** Looks for data that is equal. */
export const alike =
  (expected: unknown) =>
  (found: unknown): boolean =>
    isAlike(expected, found);
