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

/** The parts with the faults of these ids, planted one after the other. */
export const withMutants = <Parts>(parts: Parts, mutants: Mutants<Parts>, ids: readonly string[]): Parts =>
  ids.reduce((all, id) => mutants.get(id)?.mutate(all) ?? all, parts);
