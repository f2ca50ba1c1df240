/** A planted fault: a protocol with it is wrong, and its property must show it. */
export interface Mutant<Parts> {
  /** What is wrong, as a sentence. */
  readonly sentence: string;
  /** The parts with the fault. */
  readonly mutate: (parts: Parts) => Parts;
}

/** Planted faults by id. */
export type Mutants<Parts> = ReadonlyMap<string, Mutant<Parts>>;

/** A fault catalogue from its faults by id, in the order in which they are written. */
export const mutantsOf = <Parts, M extends Mutant<Parts> = Mutant<Parts>>(
  faults: Readonly<Record<string, M>>,
): ReadonlyMap<string, M> => new Map(Object.entries(faults));

/** The fault catalogue as a machine tells it. */
export const mutantSentences = <Parts>(mutants: Mutants<Parts>): ReadonlyMap<string, string> =>
  new Map([...mutants].map(([id, { sentence }]) => [id, sentence]));

/** What faults were planted in, the faults, and what came of it, by their ids. */
const planted = new WeakMap<object, WeakMap<object, Map<string, unknown>>>();

/** The parts with the faults of these ids, planted one after the other. Asked again with the same it gives the same parts, so that actors which got theirs one by one have one state machine. */
export function withMutants<Parts>(parts: Parts, mutants: Mutants<Parts>, ids: readonly string[]): Parts {
  const plant = () => ids.reduce((all, id) => mutants.get(id)?.mutate(all) ?? all, parts);
  if (ids.length === 0 || typeof parts !== 'object' || parts === null) return plant();
  const byMutants = made(planted, parts, () => new WeakMap<object, Map<string, unknown>>());
  const byIds = made(byMutants, mutants, () => new Map<string, unknown>());
  return made(byIds, JSON.stringify(ids), plant) as Parts;
}

/** The value of a key, made when it is asked for first. */
function made<K, V>(
  map: { get(key: K): V | undefined; set(key: K, value: V): unknown },
  key: K,
  make: () => V,
): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const value = make();
  map.set(key, value);
  return value;
}
