/** What is wrong with something that should be a property, in words; undefined for one that can be judged. */
export function propertyFault(value: unknown): string | undefined {
  const { sentence, see, seeState, seeRest, begin, watches } = (value ?? {}) as Readonly<
    Record<string, unknown>
  >;
  if (typeof value !== 'object' || value === null || typeof sentence !== 'string' || sentence === '')
    return 'expected a property: never(…), leadsTo(…), or a record with sentence, begin and see';
  if (typeof see !== 'function' && [seeState, seeRest].some((one) => typeof one === 'function'))
    return `"${sentence}": expected a function as see; property({ … }) makes one for a property that has seeState or seeRest alone`;
  if (typeof see !== 'function') return `"${sentence}": expected a function as see, seeState or seeRest`;
  if (typeof begin !== 'function') return `"${sentence}": expected a function as begin`;
  if (watches !== undefined && !(Array.isArray(watches) && watches.every((one) => typeof one === 'string')))
    return `"${sentence}": expected a list of types of messages and probes as watches`;
  return undefined;
}
