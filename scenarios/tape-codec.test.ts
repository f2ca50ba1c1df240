import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RandomChoices } from '../kernel/choices.ts';
import { decodeTape, encodeTape } from './tape-codec.ts';

/** The picks of a run in which `actors` have a message in each tick and any may be next. */
function randomPicks(count: number, actors: number): number[] {
  const choices = new RandomChoices(1);
  return Array.from({ length: count }, (_, index) =>
    choices.pick('deliver', actors - (index % (actors - 1))),
  );
}

describe('encodeTape', () => {
  it('writes what decodeTape reads, whatever the picks', () => {
    const pick = fc.oneof(fc.nat(300), fc.maxSafeNat());

    fc.assert(
      fc.property(fc.array(pick), (tape) => {
        expect(decodeTape(encodeTape(tape), tape.length)).toEqual(tape);
      }),
    );
  });

  it('needs less than 1 MB for a million random picks among 64 actors', () => {
    expect(encodeTape(randomPicks(1_000_000, 64)).length).toBeLessThan(1_000_000);
  });

  it('needs next to nothing for a run that seldom leaves the canonical order', () => {
    const tape = Array.from({ length: 100_000 }, (_, index) => (index % 1000 === 0 ? 1 : 0));

    expect(encodeTape(tape).length).toBeLessThan(1000);
  });
});

describe('decodeTape', () => {
  const text = encodeTape([1, 2, 300]);

  it('refuses a text that is not base64, not deflated, cut, or of another length', () => {
    expect(() => decodeTape('§', 3)).toThrow('not base64');
    expect(() => decodeTape('AAAA', 3)).toThrow();
    expect(() => decodeTape(text.slice(0, 8), 3)).toThrow();
    expect(() => decodeTape(text, 4)).toThrow('it holds 3 picks, not 4');
    expect(() => decodeTape(deflateSync(Uint8Array.of(1, 200)).toString('base64'), 2)).toThrow(
      'it ends within a pick',
    );
  });

  it('refuses a text that would inflate to more than its picks can need', () => {
    expect(() => decodeTape(encodeTape(Array.from({ length: 10_000 }, () => 0)), 3)).toThrow();
  });
});
