import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Item } from '../../actors/grape/program.ts';
import { arbitrarySource } from './programs.arbitrary.ts';
import { brokenLaw, meaning, operations, operationsOf, roundTrip } from './round-trip.ts';

/** A seed of its own, so that a failure of the suite can be repeated. */
const parameters = { numRuns: 500, seed: 12 };

test('the canonical text of a generated program assembles to the program (GRAPE specification 3.9)', () => {
  const law = fc.property(arbitrarySource, ({ source, type }) => {
    const { program, again } = roundTrip(source, type);

    expect(meaning(again)).toBe(meaning(program));
  });

  fc.assert(law, parameters);
});

test('printing what the canonical text assembles to gives the same text (GRAPE specification 3.9)', () => {
  const law = fc.property(arbitrarySource, ({ source, type }) => {
    const { text, textAgain } = roundTrip(source, type);

    expect(textAgain).toBe(text);
  });

  fc.assert(law, parameters);
});

// What plain fmul means follows from its destinations (GRAPE specification 2.4).
test.each(['first', 'allShort'] as const)('so does the text of one that rounds by %s', (policy) => {
  const law = fc.property(arbitrarySource, ({ source, type }) => {
    expect(brokenLaw(roundTrip(source, type, false, policy))).toBeUndefined();
  });

  fc.assert(law, { ...parameters, numRuns: 200 });
  for (const word of ['fmul', 'fmulwz', 'fmulwzR'])
    for (const places of ['$lr8v $r10v', '$r10v $lr8v', '$r8v $t', '$r8v', '$lr8v'])
      expect(
        brokenLaw(roundTrip(`${word} $lr0v $lr4v ${places}\n`, undefined, false, policy)),
      ).toBeUndefined();
});

test('500 generated programs do everything that a line of code can do', () => {
  const done = new Set<string>();
  for (const { source, type } of fc.sample(arbitrarySource, parameters))
    for (const name of operationsOf(roundTrip(source, type).program)) done.add(name);

  expect([...done].sort()).toEqual([...operations].sort());
});

test('sections written out of order keep the order of their constants', () => {
  const { program, text, again } = roundTrip(
    'loop body\nfadd $t f"1"\ninitialization\nfadd $t f"2"\nloop body\nnop\n',
  );

  expect(text).toBe(
    'loop body\nfadd $t h"3ff000000"\ninitialization\nfadd $t h"400000000"\nloop body\nnop\n',
  );
  expect(again.constants).toEqual(program.constants);
});

test('a program that differs in one bit, and a text that differs in one word, break the law', () => {
  const whole = roundTrip('fmulO $t $t $lr0v\n');
  const faulty = (item: Item): Item =>
    item.kind === 'slot' && item.mul ? { ...item, mul: { ...item.mul, bits: item.mul.bits ^ 1 } } : item;
  const preamble = whole.again.sections.preamble.map(faulty);
  const again = { ...whole.again, sections: { ...whole.again.sections, preamble } };

  expect(brokenLaw(whole)).toBeUndefined();
  expect(brokenLaw({ ...whole, again })).toBe('the canonical text is another program');
  expect(brokenLaw({ ...whole, textAgain: 'nop\n' })).toBe(
    'the canonical text of the canonical text is another one',
  );
});
