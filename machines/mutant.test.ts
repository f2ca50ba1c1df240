import { expect, test } from 'vitest';
import { mutantsOf, withMutants } from './mutant.ts';

interface Parts {
  readonly planted: readonly string[];
}
const plant = (id: string) => ({
  sentence: id,
  mutate: ({ planted }: Parts): Parts => ({ planted: [...planted, id] }),
});
const mutants = mutantsOf<Parts>({ one: plant('one'), two: plant('two') });

test('actors that get their parts one by one have one state machine: the same faults in the same parts are planted once', () => {
  const parts: Parts = { planted: [] };

  const first = withMutants(parts, mutants, ['one', 'two']);

  expect(first.planted).toEqual(['one', 'two']);
  expect(withMutants(parts, mutants, ['one', 'two'])).toBe(first);
  expect(withMutants(parts, mutants, ['two']).planted).toEqual(['two']);
  expect(withMutants({ planted: [] }, mutants, ['one', 'two'])).not.toBe(first);
  expect(withMutants(parts, mutants, [])).toBe(parts);
});
